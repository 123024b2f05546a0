/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the search for a posterior begins. Internal. */
#ifndef DLPI_BUGS_START_H
#define DLPI_BUGS_START_H

#include "bugs/plan/factors.h"

/* start (n_cells): the coordinates of the cells that inits give; NaN: none. */
void dlpi_start_given(const dlpi_lowering *lowering, double *start);
/* Starts cells without an initial value at the middle of their prior, if that is a
   number; *any says whether there are such cells. */
void dlpi_start_at_priors(dlpi_factors *factors, double *start, bool *any);
/* start (n_cells): an unknown that is itself the location of an observation starts at
   that observation; others start at their prior's location, given the unknowns before
   them; NaN: no such place is known. */
void dlpi_start_at_data(dlpi_factors *factors, double *start);

#endif
