/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the posterior has maxima other than the one we found. Internal. */
#ifndef DLPI_BUGS_MODES_H
#define DLPI_BUGS_MODES_H

#include "bugs/posterior/posterior.h"

typedef struct dlpi_modes {
    int others;    /* maxima far from the one we found, but not far below it */
    bool switched; /* one of them is the same up to a permutation of names */
    double
        above; /* how much higher log p is at the highest than where it was found; 0: it
                      is the highest */
    double *best; /* (n_cells) coordinates of the highest, NaN elsewhere */
} dlpi_modes;

/* Searches from the place of the posterior, with these sds (n_cells, NaN if there is no
   coordinate), and from a few other points: the nodes of each relation in reverse order,
   points four sds away, and points that do not depend on what we found. */
dlp_status dlpi_modes_look(dlpi_factors *factors, const dlpi_posterior_settings *settings,
                           const double *where, const double *sd, dlpi_modes *modes,
                           dlp_error *error);
void dlpi_modes_clear(dlpi_modes *modes); /* fine on a zeroed or failed one */

#endif
