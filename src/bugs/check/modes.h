/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the posterior has other maxima than the one that was found. Internal. */
#ifndef DLPI_BUGS_MODES_H
#define DLPI_BUGS_MODES_H

#include "bugs/posterior/posterior.h"

typedef struct dlpi_modes {
    int others;    /* maxima far from the one that was found, and not far below it */
    bool switched; /* one of them is the same with names exchanged */
    double
        above; /* how much higher log p is at the highest than where it was found; 0: it
                      is the highest */
    double *best; /* (n_cells) coordinates of the highest, NaN elsewhere */
} dlpi_modes;

/* From where the posterior was found, with these sds (n_cells, NaN where there is no
   coordinate), and from a few other points: the nodes of each relation in reverse, four sds
   away, and others without regard to what was found. */
dlp_status dlpi_modes_look(dlpi_factors *factors, const dlpi_posterior_settings *settings,
                           const double *where, const double *sd, dlpi_modes *modes,
                           dlp_error *error);
void dlpi_modes_clear(dlpi_modes *modes); /* fine on a zeroed or failed one */

#endif
