/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mixed model whose coefficients may have Student-t priors. The engine takes Gaussian
 * ones, which let it integrate coefficients out. So each Student-t is replaced by the
 * Gaussian that has the same effect on the coefficient's moments, found by expectation
 * propagation around whole fits (glm/integrate/student_sites.h). Internal.
 */
#ifndef DLPI_REGRESSION_STUDENT_FIT_H
#define DLPI_REGRESSION_STUDENT_FIT_H

#include "glm/glm_state.h"
#include "mixed/fit.h"

/* dlpi_mixed_fit with the priors of glm. place (data->p): where in theta each coefficient
   is; mean and precision, those of `prior`, are overwritten. */
dlp_status dlpi_student_fit(const dlp_glm *glm, const dlp_index *place, double *mean,
                            double *precision, const dlpi_mixed_data *data,
                            const dlpi_mixed_prior *prior,
                            const dlpi_mixed_settings *settings,
                            dlpi_mixed_result *result, dlp_error *error);

#endif
