/* SPDX-License-Identifier: BSD-3-Clause */
/* Which regressions can be fitted where each process has only its share of the rows.
   Internal. */
#ifndef DLPI_REGRESSION_DIVIDE_H
#define DLPI_REGRESSION_DIVIDE_H

#include "regression/prepare/prepare.h"

/* Once the family is known; true also where every process has all rows. */
bool dlpi_may_divide(const dlpi_prepared *prepared);

#endif
