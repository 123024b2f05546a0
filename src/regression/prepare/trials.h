/* SPDX-License-Identifier: BSD-3-Clause */
/* A share of so many trials, as given to R's glm with weights=. Internal. */
#ifndef DLPI_REGRESSION_TRIALS_H
#define DLPI_REGRESSION_TRIALS_H

#include <delaplace/formula.h>

/* The formula for successes and failures: 'share ~ x' with the trials 'n' becomes
   'cbind(share * n, (1 - share) * n) ~ x'. For dlp_formula_free. */
dlp_status dlpi_formula_of_trials(const dlp_formula *formula, const char *trials,
                                  dlp_formula **made, dlp_error *error);

#endif
