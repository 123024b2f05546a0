/* SPDX-License-Identifier: BSD-3-Clause */
/* A share of so many trials, as R's glm has it with weights=. Internal. */
#ifndef DLPI_REGRESSION_TRIALS_H
#define DLPI_REGRESSION_TRIALS_H

#include <delaplace/status.h>

/* The formula of the successes and failures: 'share ~ x' of the trials 'n' is
   'cbind(share * n, n - share * n) ~ x'. To be freed. */
dlp_status dlpi_formula_of_trials(const char *formula, const char *trials, char **made,
                                  dlp_error *error);

#endif
