/* SPDX-License-Identifier: BSD-3-Clause */
/* The trapezoidal rule for two effects that are far from normal. */
#ifndef DLPI_MIXED_LEAF_PLANE_H
#define DLPI_MIXED_LEAF_PLANE_H

#include "mixed/leaves/leaf_work.h"

/* Nodes about the mode b, where h is h0, closer together by the factor `close`. */
void dlpi_leaf_plane(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                     const double *b, double h0, double close, const dlpi_leaf *leaf);

#endif
