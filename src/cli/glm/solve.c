/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/solve.h"

#include "cli/glm/rows.h"
#include "cli/say.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_glm_keep_block(cli_glm_fit *fit, dlp_index m, const double *mu,
                        const dlp_sym *Sigma)
{
    const dlp_index n = fit->n;
    memcpy(fit->mu + m * n, mu, (size_t)n * sizeof *fit->mu);
    dlp_sym_to_dense(Sigma, fit->Sigma + m * n * n);
}

dlp_status cli_glm_keep_trace(cli_glm_fit *fit, int n, const dlp_trace_row *trace,
                              dlp_error *error)
{
    fit->trace = malloc(((size_t)n + 1) * sizeof *fit->trace);
    if (!fit->trace)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the trace of the fit");
    if (n > 0) memcpy(fit->trace, trace, (size_t)n * sizeof *trace);
    fit->n_trace = n;
    return DLP_OK;
}

static dlp_status run_engine(dlp_glm *glm, dlp_index m, const dlp_settings *settings,
                             cli_glm_fit *fit, cli_glm_ending *end, dlp_error *error)
{
    const dlp_model model = dlp_glm_model(glm);
    dlp_fit *engine = NULL;
    dlp_status status = dlp_fit_alloc(&model, settings, &engine, error);
    if (status == DLP_OK && dlp_fit_run(engine, NULL, error) != DLP_OK)
        status = DLP_EINPUT; /* f is not finite at the start */
    if (status == DLP_OK) {
        const dlp_result *r = dlp_fit_result(engine);
        *end = (cli_glm_ending){.outcome = r->outcome,
                                .iterations = r->iterations,
                                .fallbacks = r->fallbacks,
                                .evaluations = r->evaluations,
                                .objective = r->objective};
        cli_glm_keep_block(fit, m, r->mu, r->Sigma);
        if (fit->M == 1) status = cli_glm_keep_trace(fit, r->iterations, r->trace, error);
    }
    dlp_fit_free(engine);
    return status;
}

/* Whether the columns explain every response: what is left is the rounding of numbers. */
static bool is_explained(const dlp_glm_data *d, double log_sd)
{
    double most = 0;
    for (dlp_index n = 0; n < d->N; n++) most = fmax(most, fabs(d->y[n]));
    return d->N > d->p && exp(log_sd) <= 1e-12 * most;
}

/* What the methods approximate, where it need not be approximated. */
static dlp_status run_integral(dlp_glm *glm, dlp_index m, cli_glm_fit *fit,
                               cli_glm_ending *end, dlp_error *error)
{
    const dlp_index n = fit->n;
    const int reads = 4; /* times it reads the rows */
    *end = (cli_glm_ending){.outcome = DLP_CONVERGED, .evaluations = reads};
    return dlp_glm_integrate(glm, fit->mu + m * n, fit->Sigma + m * n * n,
                             &end->objective, error);
}

static dlp_status run_wide(dlp_glm *glm, dlp_index m, const dlp_settings *settings,
                           cli_glm_fit *fit, cli_glm_ending *end, dlp_error *error)
{
    const dlp_index n = fit->n;
    dlp_glm_wide wide;
    CLI_TRY(dlp_glm_fit_wide(glm, settings, fit->mu + m * n, fit->Sigma + m * n * n,
                             &wide, error));
    *end = (cli_glm_ending){.outcome = wide.outcome,
                            .fallbacks = wide.fallbacks,
                            .evaluations = wide.evaluations,
                            .objective = wide.log_evidence,
                            .propagated = wide.propagated != 0};
    return DLP_OK;
}

/* The posterior of either is in place; the rest of it. */
static dlp_status keep_whole(const dlp_glm_data *data, dlp_index m, cli_glm_fit *fit,
                             cli_glm_ending *end, dlp_error *error)
{
    const dlp_trace_row row = {.iteration = 1,
                               .evaluations =
                                   (int)fmin((double)end->evaluations, INT_MAX),
                               .objective = end->objective};
    const bool gaussian = !strcmp(fit->family, "gaussian");
    if (gaussian && is_explained(data, fit->mu[m * fit->n + fit->p]))
        end->outcome = DLP_STALLED;
    end->iterations = row.iteration;
    end->summed = fit->scale != NULL;
    return fit->M == 1 ? cli_glm_keep_trace(fit, 1, &row, error) : DLP_OK;
}

static bool is_delta(const cli_glm_fit *fit)
{
    return !strcmp(fit->method, "delta");
}

/* A row of several trials, or with a weight, counts as so many. */
static double observations(const dlp_glm_data *data)
{
    double count = 0;
    for (dlp_index n = 0; n < data->N; n++)
        count += cli_glm_weight(data, n) * (data->trials ? data->trials[n] : 1);
    return count;
}

/* Whether the columns could explain every response. */
static bool is_saturated(const dlp_glm_data *data)
{
    return fmin(observations(data), (double)data->N) <= (double)data->p;
}

static bool is_exact(const dlp_glm_data *data, const dlp_glm *glm, const cli_glm_fit *fit)
{
    return (is_delta(fit) || is_saturated(data)) && dlp_glm_can_integrate(glm);
}

/*
 * A scale is told from what the columns leave unexplained. With as many columns as rows
 * that is nothing, and the mode of all parameters says nothing of the posterior. The delta
 * method loses its way before: with five rows a column its sds are up to 6 % too wide, with
 * two those of a logistic regression 12 %, and a gamma or a Student-t prior has no maximum
 * any more: Laplace's sds, 30 % too narrow, would stand in. With ten rows a column it is
 * within 2 %. Where a scale is summed over, propagation costs many fits, and begins later.
 */
static bool is_wide(const dlp_glm_data *data, const dlp_glm *glm, const cli_glm_fit *fit)
{
    const double rows = observations(data), columns = (double)data->p;
    const bool few = fit->may_propagate ? rows < (fit->scale ? 5 : 10) * columns
                                        : fit->scale && is_saturated(data);
    return few && dlp_glm_can_fit_wide(glm);
}

dlp_status cli_glm_solve(const dlp_glm_data *data, dlp_glm *glm, dlp_index m,
                         const dlp_settings *settings, cli_glm_fit *fit,
                         cli_glm_ending *end, dlp_error *error)
{
    const bool exact = is_exact(data, glm, fit);
    if (!exact && !is_wide(data, glm, fit))
        return run_engine(glm, m, settings, fit, end, error);
    CLI_TRY(exact ? run_integral(glm, m, fit, end, error)
                  : run_wide(glm, m, settings, fit, end, error));
    return keep_whole(data, m, fit, end, error);
}
