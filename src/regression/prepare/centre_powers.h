/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether powers of a variable, x, I(x^2), I(x^3), lie so far from 0 that a fit of them as they
 * are would have no digits left, as those of years do, and where they are counted from then. Columns of powers of
 * x - c span the same space as those of x if every lower power is there, beside the same
 * factors and other numbers; where one is not, or where one varies by group, they stay as they are. Internal.
 */
#ifndef DLPI_REGRESSION_CENTRE_POWERS_H
#define DLPI_REGRESSION_CENTRE_POWERS_H

#include "regression/prepare/prepare.h"

/* Fills in centre and written of what is prepared, whose design is of the columns as they are
   written. O(N) a variable that has powers, and O(p^2) once one is centred. */
dlp_status dlpi_centre_powers(dlpi_prepared *prepared, dlp_error *error);

#endif
