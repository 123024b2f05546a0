/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One effect b of a leaf whose likelihood is 0 unless eta_r = eta0_r + z_r b is above 0 in
 * each of its rows: b is in an interval, and h may end at its bounds without having
 * fallen. Internal to leaves.c and leaf_nodes.c.
 */
#ifndef DLPI_MIXED_LEAF_INTERVAL_H
#define DLPI_MIXED_LEAF_INTERVAL_H

#include "mixed/leaves/leaf_work.h"

/* h near its maximum, which b becomes; NAN: no b is possible. */
double dlpi_leaf_interval_find(dlpi_leaf_work *work, const dlpi_leaf_prior *prior,
                               dlp_index g, double *b);
/* Visits nodes of Gauss and Legendre's rule from where h is negligible, or a bound, to
   where it is again, and sets the gradient. Bounds move with x, and nodes with them. */
void dlpi_leaf_interval_visit(dlpi_leaf_work *work, const dlpi_leaf_prior *prior,
                              dlp_index g, double b, double h0, dlpi_leaf *leaf);
/* When nodes k to k + count have been evaluated. */
void dlpi_leaf_interval_note(dlpi_leaf_work *work, const dlpi_leaf_prior *prior,
                             dlp_index g, int k, int count);
/* And when the moments are known: what is missing in curvature and slope. */
void dlpi_leaf_interval_add(dlpi_leaf_work *work, const dlpi_leaf_prior *prior,
                            dlp_index g, dlpi_leaf *leaf);

#endif
