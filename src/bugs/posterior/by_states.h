/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model in which few discrete unknowns decide what the others mean, as indicators of which
 * covariates are in: fitted for each of their joint states, and mixed by their evidence.
 * Internal.
 */
#ifndef DLPI_BUGS_BY_STATES_H
#define DLPI_BUGS_BY_STATES_H

#include "bugs/bugs.h"

enum { DLPI_HELD_CELLS = 8, DLPI_HELD_STATES = 64 };

typedef struct dlpi_held_states {
    int n; /* cells; 0: there are none, or too many */
    dlp_index cell[DLPI_HELD_CELLS];
    double low[DLPI_HELD_CELLS];
    int count[DLPI_HELD_CELLS], total;
} dlpi_held_states;

/* The live discrete cells, where their joint states are few. */
void dlpi_held_find(const dlpi_factors *factors, dlpi_held_states *held);

/* Replaces what a fit found by the mixture over the states. Where a fit of one fails, what was
   found stays. */
dlp_status dlpi_fit_by_states(dlp_bugs *model, const dlp_bugs_settings *settings,
                              const dlpi_held_states *held, dlp_error *error);

#endif
