/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether powers of a variable, x, I(x^2), I(x^3), lie so far from 0, as those of years
 * do, or x alone, as seconds since 1970, that fitting them directly would leave no digits,
 * and if so the centre from which they are measured. Powers of x - c span the same space as those of x if every lower
 * power is present with the same factors and other numbers; where one is missing, or
 * varies by group, they stay as they are. Internal.
 */
#ifndef DLPI_REGRESSION_CENTRE_POWERS_H
#define DLPI_REGRESSION_CENTRE_POWERS_H

#include "regression/prepare/prepare.h"

/* Fills in centre and written of the prepared regression, whose design has the columns as
   they are written. O(N) for each variable that may be far from 0, and O(p^2) once one
   is centred. */
dlp_status dlpi_centre_powers(dlpi_prepared *prepared, dlp_error *error);

#endif
