/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits a fitted model to other rows. */
#include "regression/predict/scores.h"
#include "regression/solve.h"

#include <string.h>

dlp_status dlpi_refit(const dlpi_target *t, const dlp_glm_data *rows, dlp_glm *glm,
                      double *mu, double *Sigma, dlp_error *error)
{
    const dlp_regression_result *r = &t->of->result;
    dlp_settings settings = dlp_settings_default();
    dlpi_solution end = {.trace = NULL};
    /* all prepared data that a solution uses */
    const dlpi_prepared as = {.family = r->family,
                              .method = r->method_kind,
                              .may_propagate = !r->method_stated,
                              .tol = r->tol};
    settings.method = dlpi_engine_method(r->method_kind);
    settings.tol = r->tol;
    settings.max_iter = r->max_iter;
    return dlpi_solve(&as, rows, glm, &settings, false, mu, Sigma, &end, error);
}
