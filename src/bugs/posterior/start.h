/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the search for a posterior begins. Internal. */
#ifndef DLPI_BUGS_START_H
#define DLPI_BUGS_START_H

#include "bugs/plan/factors.h"

/* start (n_cells): the coordinates of the cells that inits give; NaN: none. */
void dlpi_start_given(const dlpi_lowering *lowering, double *start);
/* Cells without one begin where their prior is, if that is a number: *any says whether there
   are such. */
void dlpi_start_at_priors(dlpi_factors *factors, double *start, bool *any);
/* start (n_cells): unknowns whose own value is the location of an observation begin there; others where
   their prior is, given those before them; NaN: no such place is known. */
void dlpi_start_at_data(dlpi_factors *factors, double *start);

#endif
