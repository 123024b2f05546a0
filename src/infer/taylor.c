/* SPDX-License-Identifier: BSD-3-Clause */
/* E_q(theta)[eta(theta)]: Figure 1, line 5. */
#include "infer/infer.h"

#include <math.h>
#include <string.h>

/*
 * trace[i] = Tr{hess eta_i(mu) Sigma} by differences: with Sigma = R R' it is the sum
 * over the columns r of R of the second derivative of eta_i along r.
 */
static void eta_trace_by_differences(dlp_fit *fit, double *trace)
{
    const dlp_model *model = &fit->model;
    const dlp_index n = model->shape.n, n_eta = model->n_eta;
    const double h = 1e-3; /* in standard deviations; the error is O(h^2) and eps/h^2 */
    double *r = fit->vector, *theta = r + n;
    double *centre = fit->eta + n_eta, *shifted = centre + n_eta;
    model->type->eta(model->state, fit->q.mu, centre);
    memset(trace, 0, (size_t)n_eta * sizeof *trace);
    for (dlp_index c = 0; c < n; c++) {
        memset(r, 0, (size_t)n * sizeof *r);
        r[c] = 1;
        dlp_cholesky_draw(fit->q.precision, r);
        for (int sign = -1; sign <= 1; sign += 2) {
            for (dlp_index i = 0; i < n; i++) theta[i] = fit->q.mu[i] + sign * h * r[i];
            model->type->eta(model->state, theta, shifted);
            for (dlp_index i = 0; i < n_eta; i++)
                trace[i] += (shifted[i] - centre[i]) / (h * h);
        }
    }
}

/* E[eta_i(theta)] ~ eta_i(mu) + 1/2 Tr{hess eta_i(mu) Sigma}   (eq:eta-theta-approx) */
static void expect_eta_taylor(dlp_fit *fit)
{
    const dlp_model *model = &fit->model;
    double *trace = fit->eta;
    model->type->eta(model->state, fit->q.mu, fit->e_eta);
    if (model->type->eta_trace)
        model->type->eta_trace(model->state, fit->q.mu, &fit->q.Sigma, trace);
    else
        eta_trace_by_differences(fit, trace);
    for (dlp_index i = 0; i < model->n_eta; i++) fit->e_eta[i] += 0.5 * trace[i];
}

void dlpi_expect_eta(dlp_fit *fit)
{
    const dlp_model *model = &fit->model;
    if (!model->type->update_z) return;
    if (model->type->expect_eta && !fit->settings.taylor_eta)
        model->type->expect_eta(model->state, fit->q.mu, &fit->q.Sigma, fit->e_eta);
    else
        expect_eta_taylor(fit);
}
