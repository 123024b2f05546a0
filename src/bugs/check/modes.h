/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the posterior has maxima other than the one we found. Internal. */
#ifndef DLPI_BUGS_MODES_H
#define DLPI_BUGS_MODES_H

#include "bugs/posterior/posterior.h"

typedef struct dlpi_modes {
    int others;    /* maxima far from the one we found, but not far below it */
    bool switched; /* one of them is ours with its labels permuted */
    double
        above; /* how much higher log p is at the highest maximum than at ours; 0: ours is
                  the highest */
    double *best; /* (n_cells) coordinates of the highest, NaN elsewhere */
} dlpi_modes;

/* Searches from where the posterior was found, with its sds (n_cells, NaN if there is no
   coordinate), and from a few other points: the nodes of each relation in reverse order,
   points four sds away, and points that do not depend on what we found. */
dlp_status dlpi_modes_look(dlpi_factors *factors, const dlpi_posterior_settings *settings,
                           const double *where, const double *sd, dlpi_modes *modes,
                           dlp_error *error);
void dlpi_modes_clear(dlpi_modes *modes); /* fine on a zeroed or failed one */

#endif
