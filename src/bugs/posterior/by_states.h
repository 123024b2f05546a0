/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Models in which a few discrete unknowns decide what the others mean, such as indicators
 * of which covariates are included: fits the model for each of their joint states, and
 * mixes the fits by their evidence. Of more states than can be fitted, those are found
 * that differ in one unknown from a likely one, again and again. Internal.
 */
#ifndef DLPI_BUGS_BY_STATES_H
#define DLPI_BUGS_BY_STATES_H

#include "bugs/bugs.h"

enum { DLPI_HELD_CELLS = 40, DLPI_HELD_STATES = 1024 /* that are fitted */ };

typedef struct dlpi_held_states {
    int n; /* cells; 0: there are none, or too many */
    dlp_index cell[DLPI_HELD_CELLS];
    double low[DLPI_HELD_CELLS];
    int count[DLPI_HELD_CELLS];
    double total; /* joint states */
} dlpi_held_states;

/* The live discrete cells, if they have at most so many joint states. */
void dlpi_held_find(const dlpi_factors *factors, double most, dlpi_held_states *held);

/* Replaces the result of a fit by the mixture over the states, or if there are too many
   over those that are found from the likeliest on. If the fit of any state fails, keeps
   the old result. */
dlp_status dlpi_fit_by_states(dlp_bugs *model, const dlp_bugs_settings *settings,
                              const dlpi_held_states *held, dlp_error *error);

#endif
