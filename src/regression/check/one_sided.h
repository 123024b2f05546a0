/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the rows alone say nothing about how large a coefficient is. Internal. */
#ifndef DLPI_REGRESSION_ONE_SIDED_H
#define DLPI_REGRESSION_ONE_SIDED_H

#include "regression/regression.h"

/* Whether, of 0 and 1, trials or counts, all responses of the rows with one of the two
   values of a column are the least, or all the most, that are possible: the coefficient's
   posterior ends as its prior does on one side, and is far from normal if that is wide.
   The table is that of the fit. */
bool dlpi_has_one_sided_column(const dlp_regression *regression, const dlp_table *table);

#endif
