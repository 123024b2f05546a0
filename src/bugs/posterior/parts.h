/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model may fall into independent parts: unknowns that no factor ties together are
 * independent given the data, and so are the integrals over their psi. Internal.
 */
#ifndef DLPI_BUGS_PARTS_H
#define DLPI_BUGS_PARTS_H

#include "bugs/posterior/posterior.h"

typedef struct dlpi_part {
    dlpi_plan plan;
    dlpi_posterior posterior;
    dlp_index m, n, L; /* how many psi, x and leaves the parts before have */
} dlpi_part;

typedef struct dlpi_parts {
    int n;          /* 1: the model is a single part, and `of` is empty */
    int32_t *label; /* (n_cells) the part of an unknown, or -1 */
    dlpi_part *of;
} dlpi_parts;

/* If several parts have psi, plans each on its own; the plan of the whole model then
   becomes the union of these plans. */
dlp_status dlpi_parts_make(const dlpi_factors *factors, dlpi_plan *plan,
                           dlpi_parts *parts, dlp_error *error);
void dlpi_parts_clear(dlpi_parts *parts); /* fine on a zeroed or failed one */

/* The posterior of the whole model, part by part. If all unknowns of a part are to be
   integrated over, a Gaussian fit first finds where they are and on what scale: this
   changes start and unit (n_cells). */
dlp_status dlpi_parts_find(dlpi_factors *factors, dlpi_parts *parts,
                           const dlpi_groups *groups,
                           const dlpi_posterior_settings *settings, double *start,
                           double *unit, dlpi_posterior *posterior, dlp_error *error);

#endif
