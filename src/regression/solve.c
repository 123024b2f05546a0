/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/solve.h"
#include "regression/collinear.h"

#include "comm/division.h"
#include "core/core.h"
#include "glm/families/family.h"
#include "glm/integrate/multinomial_wide.h"
#include "glm/integrate/ordinal_wide.h"
#include "infer/listener.h"
#include "regression/margins.h"
#include "regression/prepare/moments.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With up to this many rows a hundred fits by propagation take seconds. */
enum { MOST_CENSORED = 2000, MOST_WITHOUT = 500 /* propagation: O(N^2 p) */ };

static bool is_bound(const dlpi_prepared *p)
{
    return p->method == DLP_METHOD_JAAKKOLA_JORDAN;
}

/* ---- the prior, as the engine takes it ---- */

/* The three numbers of the prior for each column, at numbers (3, p). */
static dlp_glm_prior prior_for(const dlpi_prepared *p, double *numbers)
{
    const dlp_index count = p->data.p;
    const dlpi_prior_choice *chosen = &p->prior;
    dlp_glm_prior prior = dlp_glm_prior_default();
    for (dlp_index j = 0; j < count; j++) {
        dlp_coefficient_prior of = {.sd = chosen->sd, .df = chosen->df};
        if (chosen->each) of = chosen->each[j];
        if (chosen->R) of = (dlp_coefficient_prior){.sd = 1};
        if (chosen->R_sd) of.sd = chosen->R_sd[j];
        numbers[j] = of.mean;
        numbers[count + j] = of.sd;
        numbers[2 * count + j] = of.df;
    }
    prior.mean = numbers;
    prior.sd = numbers + count;
    prior.df_each = numbers + 2 * count;
    prior.covariance = chosen->R ? chosen->R_covariance : chosen->covariance;
    prior.symmetric_levels = chosen->symmetric;
    prior.first_cut_sd = chosen->cut_sd;
    if (p->family->scale) prior.scale_mean = chosen->scale_mean;
    return prior;
}

dlp_status dlpi_make_glm(const dlpi_prepared *p, const dlp_glm_data *rows, dlp_glm **glm,
                         dlp_error *error)
{
    double *numbers = dlpi_calloc(p->data.p, 3 * sizeof *numbers);
    if (!numbers) return dlpi_no_memory(error, "the prior");
    const dlp_glm_prior prior =
        p->grouping == DLP_HIERARCHICAL
            ? dlp_glm_prior_default() /* replaced by the hierarchy */
            : prior_for(p, numbers);
    const dlp_status status =
        dlp_glm_alloc(p->family->name, dlpi_link_of(p), rows, &prior, glm, error);
    free(numbers);
    if (status != DLP_OK) return status;
    (*glm)->spill = p->table ? p->table->spill : NULL;
    return is_bound(p) ? dlp_glm_use_jaakkola_jordan(*glm, error) : DLP_OK;
}

/* ---- by the engine ---- */

static dlp_status keep_trace(int n, const dlp_trace_row *trace, dlpi_solution *end,
                             dlp_error *error)
{
    end->trace = dlpi_calloc(n, sizeof *end->trace);
    if (!end->trace) return dlpi_no_memory(error, "the trace of the fit");
    if (n > 0) memcpy(end->trace, trace, (size_t)n * sizeof *trace);
    end->n_trace = n;
    return DLP_OK;
}

static dlp_status run_engine(dlp_glm *glm, const dlp_settings *settings, bool with_trace,
                             double *mu, double *Sigma, dlpi_solution *end,
                             dlp_error *error)
{
    const dlp_model model = dlp_glm_model(glm);
    dlp_fit *engine = NULL;
    dlp_status status = dlp_fit_alloc(&model, settings, &engine, error);
    if (status == DLP_OK) {
        status = dlp_fit_run(engine, NULL, error);
        if (status == DLP_EINVAL) status = DLP_EINPUT; /* f is not finite at the start */
    }
    if (status == DLP_OK) {
        const dlp_result *r = dlp_fit_result(engine);
        *end = (dlpi_solution){.outcome = r->outcome,
                               .iterations = r->iterations,
                               .fallbacks = r->fallbacks,
                               .evaluations = r->evaluations,
                               .objective = r->objective};
        memcpy(mu, r->mu, (size_t)r->n * sizeof *mu);
        dlp_sym_to_dense(r->Sigma, Sigma);
        if (with_trace) status = keep_trace(r->iterations, r->trace, end, error);
    }
    dlp_fit_free(engine);
    return status;
}

/* ---- without the engine ---- */

/* Exact solutions, where no approximation is needed. */
static dlp_status run_integral(dlp_glm *glm, const dlp_settings *settings, double *mu,
                               double *Sigma, dlpi_solution *end, dlp_error *error)
{
    const int reads = 4; /* times it reads the rows */
    dlpi_listener listener = {.call = settings->progress, .context = settings->context};
    *end = (dlpi_solution){.outcome = DLP_CONVERGED, .evaluations = reads};
    dlpi_listener_begin(&listener, "fit", 1, 0);
    if (dlpi_listener_poll(&listener))
        return dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior");
    DLP_TRY(dlp_glm_integrate(glm, mu, Sigma, &end->objective, error));
    (void)dlpi_listener_tell(&listener, 1, end->objective, 0);
    return DLP_OK;
}

static dlp_status run_wide(dlp_glm *glm, const dlp_settings *settings, double *mu,
                           double *Sigma, dlpi_solution *end, dlp_error *error)
{
    dlp_glm_wide wide;
    DLP_TRY(dlp_glm_fit_wide(glm, settings, mu, Sigma, &wide, error));
    *end = (dlpi_solution){.outcome = wide.outcome,
                           .fallbacks = wide.fallbacks,
                           .evaluations = wide.evaluations,
                           .objective = wide.log_evidence,
                           .propagated = wide.propagated != 0};
    return DLP_OK;
}

/* Whether the columns explain every response: the residuals are just rounding. */
static bool is_explained(const dlp_glm_data *d, double log_sd)
{
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    double most = 0;
    for (dlp_index n = dlpi_rows_from(d->division); n < to; n++)
        most = fmax(most, fabs(d->y[n]));
    most = dlpi_division_most(d->division, most);
    return d->N > d->p && exp(log_sd) <= 1e-12 * most;
}

/* Completes a posterior, once either solution is in place. */
static dlp_status finish(const dlpi_prepared *p, const dlp_glm_data *rows,
                         bool with_trace, const double *mu, dlpi_solution *end,
                         dlp_error *error)
{
    const dlp_trace_row row = {.iteration = 1,
                               .evaluations =
                                   (int)fmin((double)end->evaluations, INT_MAX),
                               .objective = end->objective};
    if (dlpi_is_gaussian(p->family) && is_explained(rows, mu[rows->p]))
        end->outcome = DLP_STALLED;
    end->iterations = row.iteration;
    end->integrated = p->family->scale != NULL;
    return with_trace ? keep_trace(1, &row, end, error) : DLP_OK;
}

/* ---- which of them ---- */

/* Whether a row gives only a limit, which says little about coefficients and scale. */
static bool is_open(const dlpi_prepared *p, const dlp_glm_data *rows, dlp_index n)
{
    return p->family->censored && rows->trials &&
           (isinf(rows->y[n]) || isinf(rows->trials[n]));
}

typedef struct counted {
    const dlpi_prepared *p;
    const dlp_glm_data *rows;
} counted;

static void add_counts(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const dlpi_prepared *p = ((const counted *)context)->p;
    const dlp_glm_data *rows = ((const counted *)context)->rows;
    for (dlp_index n = from; n < to; n++)
        if (!is_open(p, rows, n))
            *sum += dlpi_row_weight(rows, n) *
                    (p->family->scale ? 1 : dlpi_trials_of(p->family, rows, n));
}

/* A row of several trials, or with a weight, counts as that many; if a scale measures how
   much rows differ, each counts once. */
double dlpi_observations(const dlpi_prepared *p, const dlp_glm_data *rows)
{
    const counted of = {p, rows};
    double count;
    dlpi_division_sum(rows->division, rows->N, 1, add_counts, &of, &count);
    return count;
}

/* Whether the columns could explain every response. */
static bool is_saturated(const dlpi_prepared *p, const dlp_glm_data *rows)
{
    return fmin(dlpi_observations(p, rows), (double)rows->N) <= (double)rows->p;
}

static bool is_exact(const dlpi_prepared *p, const dlp_glm_data *rows, const dlp_glm *glm)
{
    const bool delta = p->method == DLP_METHOD_DELTA;
    return (delta || is_saturated(p, rows)) && dlp_glm_can_integrate(glm);
}

/* The families of R's glm with a scale. */
static bool is_usual(const dlp_family *family)
{
    return dlpi_is_gaussian(family) || family->scale_kind == DLP_SCALE_SHAPE;
}

/* Whether there are few rows for the columns, so that neither a mode nor an expansion at
   one point says much about the posterior, and the prior matters more than usual. The
   delta method degrades long before there are as many columns as rows: with five rows per
   column its sds are up to 6 % too wide, with two those of a logistic regression 12 %,
   and a gamma or a Student-t prior no longer has a maximum, so that Laplace's sds, 30 %
   too narrow, would replace them. With ten rows per column it is within 2 %. For the
   usual families with a scale the limit is lower, as propagation costs many fits; with
   many censored rows it would cost too many. Columns that others make up do not count. */
static bool are_few(const dlpi_prepared *p, const dlp_glm_data *rows)
{
    const double count = dlpi_observations(p, rows), least = is_usual(p->family) ? 5 : 10;
    return count < least * (double)rows->p &&
           (rows->N <= MOST_CENSORED || !p->family->censored) &&
           count <
               least * (double)dlpi_column_rank(rows, p->table ? p->table->spill : NULL);
}

/*
 * A scale is estimated from what the columns leave unexplained. With as many columns as
 * rows that is nothing, and the joint mode of all parameters says nothing about the
 * posterior.
 */
static bool is_wide(const dlpi_prepared *p, const dlp_glm_data *rows, const dlp_glm *glm)
{
    const bool wide =
        p->may_propagate ? are_few(p, rows) : p->family->scale && is_saturated(p, rows);
    return wide && dlp_glm_can_fit_wide(glm);
}

/* By the engine. If the delta method has no solution, as with counts that are all 0,
   propagation has one, and the mode would be a poor estimate of the mean. With a scale
   that would take many fits. */
static dlp_status run_narrow(const dlpi_prepared *p, const dlp_glm_data *rows,
                             dlp_glm *glm, const dlp_settings *settings, bool with_trace,
                             double *mu, double *Sigma, dlpi_solution *end,
                             dlp_error *error)
{
    dlpi_solution other = {.trace = NULL};
    DLP_TRY(run_engine(glm, settings, with_trace, mu, Sigma, end, error));
    const bool lost = end->fallbacks > 0 && end->outcome == DLP_CONVERGED;
    const bool cheap = !p->family->scale ||
                       (!is_usual(p->family) &&
                        rows->N <= (p->family->censored ? MOST_CENSORED : MOST_WITHOUT));
    const bool may = p->may_propagate && cheap && dlp_glm_can_fit_wide(glm);
    if (!(lost && may)) return DLP_OK;
    if (dlpi_is_divided(rows->division))
        return dlpi_division_give_up(rows->division, error);
    const dlp_status status = run_wide(glm, settings, mu, Sigma, &other, error);
    if (status == DLP_EINPUT) return DLP_OK; /* the engine's fit stays */
    DLP_TRY(status);
    free(end->trace);
    *end = other;
    return finish(p, rows, with_trace, mu, end, error);
}

/* A regression of several levels, starting from the current moments, which stay if it has
   no fit. */
static dlp_status propagate_levels(dlp_glm *glm, const dlp_settings *settings, double *mu,
                                   double *Sigma, dlpi_solution *end, dlp_error *error)
{
    dlpi_listener listener = {.call = settings->progress, .context = settings->context};
    dlp_status status = DLP_EINPUT;
    if (dlpi_ordinal_is_wide(glm))
        status = dlpi_ordinal_fit_wide(glm, settings, &listener, mu, Sigma,
                                       &end->objective, error);
    if (dlpi_multinomial_is_wide(glm))
        status =
            dlpi_multinomial_fit_wide(glm, &listener, mu, Sigma, &end->objective, error);
    if (dlpi_listener_stopped(&listener)) end->outcome = DLP_CANCELLED;
    end->propagated = end->propagated || status == DLP_OK;
    return status == DLP_EINPUT ? DLP_OK : status;
}

dlp_status dlpi_solve(const dlpi_prepared *p, const dlp_glm_data *rows, dlp_glm *glm,
                      const dlp_settings *settings, bool with_trace, double *mu,
                      double *Sigma, dlpi_solution *end, dlp_error *error)
{
    const bool exact = is_exact(p, rows, glm);
    if (exact || is_wide(p, rows, glm)) {
        DLP_TRY(exact ? run_integral(glm, settings, mu, Sigma, end, error)
                      : run_wide(glm, settings, mu, Sigma, end, error));
        DLP_TRY(finish(p, rows, with_trace, mu, end, error));
    } else {
        DLP_TRY(run_narrow(p, rows, glm, settings, with_trace, mu, Sigma, end, error));
    }
    end->few = are_few(p, rows);
    if (end->outcome != DLP_CONVERGED) return DLP_OK;
    DLP_TRY(dlpi_improve_moments(p, glm, mu, Sigma, end, error));
    return end->few && p->may_propagate
               ? propagate_levels(glm, settings, mu, Sigma, end, error)
               : DLP_OK;
}
