/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/psi_evidence.h"

#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

dlp_status dlpi_psi_evidence_alloc(dlpi_psi_evidence *e, const dlp_model *model,
                                   const dlpi_psi *psi, const dlp_settings *settings,
                                   dlp_error *error)
{
    dlp_status status;
    memset(e, 0, sizeof *e);
    e->psi = *psi;
    if (model->type->update_z)
        return dlp_fail(error, DLP_EINVAL,
                        "the evidence of model %s has no gradient: it has a z",
                        model->type->name);
    DLP_TRY_OR(failed, dlp_fit_alloc(model, settings, &e->fit, error));
    DLP_TRY_OR(failed, dlp_sym_alloc(model->shape, &e->hess, error));
    e->grad = dlpi_calloc(model->shape.n, 4 * sizeof *e->grad);
    if (!e->grad) {
        status = dlpi_no_memory(error, "the evidence");
        goto failed;
    }
    e->pushed = e->grad + model->shape.n;
    e->warm.start = e->pushed + model->shape.n;
    e->warm.offset = e->warm.start + model->shape.n;
    return DLP_OK;
failed:
    dlpi_psi_evidence_free(e);
    return status;
}

void dlpi_psi_evidence_free(dlpi_psi_evidence *e)
{
    dlp_fit_free(e->fit);
    dlp_sym_free(&e->hess);
    free(e->grad);
    memset(e, 0, sizeof *e);
}

/* Whether mu maximises f, as with Laplace's method and its fallbacks. */
static bool is_at_mode(const dlp_fit *fit)
{
    return fit->method != &dlpi_delta || fit->result.fallbacks > 0;
}

/* f_j + 1/2 Tr{Sigma H_j} + 1/2 t'Sigma g_j, the last term only at a mode of f */
static void differentiate(dlpi_psi_evidence *e, double *gradient)
{
    dlp_fit *fit = e->fit;
    const dlp_result *r = &fit->result;
    const bool moves = is_at_mode(fit);
    if (moves) {
        dlpi_trace_grad(fit, r->mu, r->Sigma, e->pushed); /* t */
        dlp_fit_apply_sigma(fit, e->pushed);
    }
    for (dlp_index j = 0; j < e->psi.m; j++) {
        gradient[j] = e->psi.derivative(fit->model.state, j, r->mu, e->grad, &e->hess);
        gradient[j] += 0.5 * dlp_sym_trace(&e->hess, r->Sigma);
        if (moves) gradient[j] += 0.5 * dlpi_dot(r->n, e->pushed, e->grad);
    }
}

/* Starts from the last fit's result and, if that does not converge, from 0. */
static dlp_status run(dlpi_psi_evidence *e, dlp_error *error)
{
    dlp_fit *fit = e->fit;
    if (e->is_warm) {
        const dlp_status status = dlpi_fit_run_warm(fit, &e->warm, error);
        const dlp_outcome outcome = fit->result.outcome;
        if (outcome == DLP_CONVERGED || outcome == DLP_CANCELLED || outcome == DLP_FAILED)
            return status;
    }
    return dlp_fit_run(fit, NULL, error);
}

dlp_status dlpi_psi_evidence_at(dlpi_psi_evidence *e, const double *psi, double *log_p,
                                double *gradient, dlp_error *error)
{
    dlp_fit *fit = e->fit;
    *log_p = -INFINITY;
    e->psi.set(fit->model.state, psi);
    const dlp_status status = run(e, error);
    if (status == DLP_EINVAL && fit->result.outcome == DLP_NOT_STARTED) return DLP_OK;
    if (status != DLP_OK) return status;
    if (fit->result.outcome != DLP_CONVERGED) return DLP_OK;
    *log_p = fit->result.objective;
    dlpi_fit_keep_warm(fit, &e->warm);
    e->is_warm = true;
    if (gradient) differentiate(e, gradient);
    return DLP_OK;
}
