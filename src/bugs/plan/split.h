/* SPDX-License-Identifier: BSD-3-Clause */
/* A log density of many unknowns as a sum of terms that each depend on few. Internal. */
#ifndef DLPI_BUGS_SPLIT_H
#define DLPI_BUGS_SPLIT_H

#include "density/program.h"

typedef struct dlpi_terms {
    dlp_index n, room;
    dlpi_expr *of;
} dlpi_terms;

/* The terms of a sum: a (b + c) has a b and a c. Appends to those there are. */
dlp_status dlpi_terms_of(dlpi_builder *builder, dlpi_expr sum, dlpi_terms *terms,
                         dlp_error *error);

#endif
