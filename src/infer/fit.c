/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit's memory, its initial checks, and the queries on it. */
#include <delaplace/random.h>

#include "core/core.h"
#include "core/settings.h"
#include "infer/infer.h"

#include <math.h>
#include <string.h>

enum { ANDERSON_DEPTH = 8, TIMES_MORE = 10 };

static const dlp_settings defaults = {
    .size = sizeof defaults, .method = "laplace", .tol = 1e-8, .max_iter = 1000};

int dlp_trace_fell(const dlp_trace_row *trace, int i)
{
    const double rounding = 1e-12; /* relative to the objective */
    if (i < 1) return 0;
    const double before = trace[i - 1].objective;
    return trace[i].objective < before - rounding * fabs(before);
}

void dlp_settings_init(dlp_settings *settings, size_t size)
{
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

int dlp_more_iterations(int max_iter)
{
    return max_iter < DLP_MOST_ITERATIONS / TIMES_MORE ? TIMES_MORE * max_iter
                                                       : DLP_MOST_ITERATIONS;
}

dlp_settings dlpi_settings_of(const dlp_settings *given)
{
    dlp_settings settings = defaults;
    dlpi_settings_merge(&settings, sizeof settings, given);
    return settings;
}

static dlp_status check_settings(const dlp_settings *s, dlp_error *error)
{
    if (!dlpi_method_find(s->method))
        return dlp_fail(error, DLP_EINVAL,
                        "unknown method '%s'; use laplace, delta or previous-mean",
                        s->method ? s->method : "NULL");
    if (!(s->tol > 0 && isfinite(s->tol)))
        return dlp_fail(error, DLP_EINVAL,
                        "tol is %g; it must be a positive number, such as 1e-8", s->tol);
    if (s->max_iter < 1 || s->max_iter > DLP_MOST_ITERATIONS)
        return dlp_fail(error, DLP_EINVAL, "max_iter is %d; it must be between 1 and %d",
                        s->max_iter, DLP_MOST_ITERATIONS);
    return DLP_OK;
}

static dlp_status gaussian_alloc(dlp_shape shape, dlpi_gaussian *q, dlp_error *error)
{
    DLP_TRY(dlp_sym_alloc(shape, &q->Sigma, error));
    DLP_TRY(dlp_cholesky_alloc(shape, &q->precision, error));
    q->mu = dlpi_calloc(shape.n, sizeof *q->mu);
    return q->mu ? DLP_OK : dlpi_no_memory(error, "the mean of q(theta)");
}

static void gaussian_free(dlpi_gaussian *q)
{
    dlp_sym_free(&q->Sigma);
    dlp_cholesky_free(q->precision);
    free(q->mu);
}

static dlp_status fit_alloc(dlp_fit *fit, dlp_error *error)
{
    const dlp_shape shape = fit->model.shape;
    const dlp_index n_eta = fit->model.type->update_z ? fit->model.n_eta : 0;
    fit->model.n_eta = n_eta;
    DLP_TRY(gaussian_alloc(shape, &fit->q, error));
    DLP_TRY(gaussian_alloc(shape, &fit->old, error));
    DLP_TRY(dlpi_optim_alloc(&fit->optim, shape, dlpi_evaluate, fit, error));
    fit->optim.trusts = fit->type.subsample != NULL; /* evaluations cost much */
    if (fit->method == &dlpi_delta) {
        DLP_TRY(dlpi_optim_alloc(&fit->delta, shape, NULL, fit, error));
        fit->delta.unit = fit->optim.unit; /* one measure for both */
    }
    DLP_TRY(dlpi_anderson_alloc(&fit->anderson, shape.n, ANDERSON_DEPTH, error));
    DLP_TRY(dlp_sym_alloc(shape, &fit->hess, error));
    fit->vector = dlpi_calloc(shape.n, 5 * sizeof *fit->vector);
    fit->shrink = dlpi_calloc(shape.n, sizeof *fit->shrink);
    fit->laplace = dlpi_calloc(shape.n, 2 * sizeof *fit->laplace);
    fit->e_eta = dlpi_calloc(n_eta, sizeof *fit->e_eta);
    fit->eta = dlpi_calloc(n_eta, 3 * sizeof *fit->eta);
    fit->trace = dlpi_calloc(fit->settings.max_iter, sizeof *fit->trace);
    if (!fit->vector || !fit->shrink || !fit->laplace || !fit->e_eta || !fit->eta ||
        !fit->trace)
        return dlpi_no_memory(error, "the fit");
    fit->offset = fit->laplace + shape.n;
    dlpi_reset(fit); /* so that no query succeeds too early */
    return DLP_OK;
}

dlp_status dlp_fit_alloc(const dlp_model *model, const dlp_settings *settings,
                         dlp_fit **fit, dlp_error *error)
{
    dlp_status status;
    *fit = NULL;
    if (!model) return dlp_fail(error, DLP_EINVAL, "a fit needs a model");
    DLP_TRY(dlpi_settings_check(settings, error));
    dlp_fit *made = dlpi_calloc(1, sizeof *made);
    if (!made) return dlpi_no_memory(error, "the fit");
    made->settings = dlpi_settings_of(settings);
    DLP_TRY_OR(failed, check_settings(&made->settings, error));
    DLP_TRY_OR(failed, dlpi_take_model(model, &made->type, &made->model, error));
    made->method = dlpi_method_find(made->settings.method);
    made->settings.method = made->method->name;
    made->listener.call = made->settings.progress;
    made->listener.context = made->settings.context;
    DLP_TRY_OR(failed, fit_alloc(made, error));
    *fit = made;
    return DLP_OK;
failed:
    dlp_fit_free(made);
    return status;
}

void dlp_fit_free(dlp_fit *fit)
{
    if (!fit) return;
    gaussian_free(&fit->q);
    gaussian_free(&fit->old);
    dlpi_optim_free(&fit->optim);
    dlpi_optim_free(&fit->delta);
    dlpi_anderson_free(&fit->anderson);
    dlp_sym_free(&fit->hess);
    free(fit->vector);
    free(fit->shrink);
    free(fit->laplace);
    free(fit->e_eta);
    free(fit->eta);
    free(fit->trace);
    free(fit);
}

const dlp_result *dlp_fit_result(const dlp_fit *fit)
{
    return &fit->result;
}

void dlp_fit_sd(const dlp_fit *fit, double *sd)
{
    dlp_sym_get_diagonal(&fit->q.Sigma, sd);
    for (dlp_index i = 0; i < fit->model.shape.n; i++) sd[i] = sqrt(sd[i]);
}

int dlp_fit_marginal_sd(dlp_fit *fit, double *sd)
{
    const dlp_model *model = &fit->model;
    dlpi_optim *o = &fit->optim; /* its matrices are unused after a step */
    dlp_fit_sd(fit, sd);
    if (!fit->result.valid) return 0;
    if (!model->type->update_z) return 1;
    if (!model->type->marginal ||
        !isfinite(model->type->marginal(model->state, fit->q.mu, NULL, &fit->hess)))
        return 0;
    dlp_sym_negate(&fit->hess);
    if (dlp_cholesky_compute(o->metric, &fit->hess) >= 0) return 0;
    dlp_cholesky_inverse(o->metric, &o->P);
    dlp_sym_get_diagonal(&o->P, sd);
    for (dlp_index i = 0; i < model->shape.n; i++) sd[i] = sqrt(sd[i]);
    return 1;
}

void dlp_fit_apply_sigma(const dlp_fit *fit, double *x)
{
    dlp_cholesky_solve(fit->q.precision, x);
}

void dlp_fit_draw(const dlp_fit *fit, dlp_rng *rng, double *theta)
{
    for (dlp_index i = 0; i < fit->model.shape.n; i++) theta[i] = dlp_draw_normal(rng);
    dlp_cholesky_draw(fit->q.precision, theta);
    for (dlp_index i = 0; i < fit->model.shape.n; i++) theta[i] += fit->q.mu[i];
}
