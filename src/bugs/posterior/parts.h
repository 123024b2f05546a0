/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model may be several, of which none knows of the others: unknowns that no factor ties
 * together are independent given the data, and so are the integrals over their psi. Internal.
 */
#ifndef DLPI_BUGS_PARTS_H
#define DLPI_BUGS_PARTS_H

#include "bugs/posterior/posterior.h"

typedef struct dlpi_part {
    dlpi_plan plan;
    dlpi_posterior posterior;
    dlp_index m, n, L; /* psi, x and leaves of the parts before */
} dlpi_part;

typedef struct dlpi_parts {
    int n;          /* 1: the model is one, and `of` is empty */
    int32_t *label; /* (n_cells) the part of an unknown, or -1 */
    dlpi_part *of;
} dlpi_parts;

/* Where several parts have psi, each is planned by itself, and the plan of the whole becomes
   theirs together. */
dlp_status dlpi_parts_make(const dlpi_factors *factors, dlpi_plan *plan,
                           dlpi_parts *parts, dlp_error *error);
void dlpi_parts_clear(dlpi_parts *parts); /* fine on a zeroed or failed one */

/* The posterior of all: part by part. start and unit (n_cells) are changed, where all
   unknowns of a part are to be integrated over: a fit with a Gaussian tells where they are,
   and in which units to look. */
dlp_status dlpi_parts_find(dlpi_factors *factors, dlpi_parts *parts,
                           const dlpi_groups *groups,
                           const dlpi_posterior_settings *settings, double *start,
                           double *unit, dlpi_posterior *posterior, dlp_error *error);

#endif
