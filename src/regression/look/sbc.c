/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulation-based calibration: parameters from the prior, responses, fits, ranks. */
#include "regression/look/sbc.h"

#include "core/core.h"
#include "core/settings.h"
#include "glm/families/draw_response.h"
#include "glm/families/location_scale.h"
#include "glm/glm_state.h"
#include "glm/predict/predict.h"
#include "math/special/tails.h"
#include "math/symmetric/structure.h"
#include "regression/margins.h"
#include "regression/predict/scores.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 1024 };

typedef struct calibrating {
    dlp_sbc out; /* first: it is what clients have */
    struct dlpi_pool pool;
    dlp_sbc_settings s;
    dlpi_target target;
    dlp_sbc_parameter *parameter;
    double *drawn, *z; /* (replicates, n) */
    bool cancelled;
} calibrating;

void dlp_sbc_settings_init(dlp_sbc_settings *settings, size_t size)
{
    const dlp_sbc_settings defaults = {
        .size = sizeof defaults, .replicates = 200, .bins = 20, .seed = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

/* ---- drawing ---- */

dlp_status dlpi_draw_prior(const dlp_glm *glm, dlp_rng *rng, double *theta,
                           dlp_error *error)
{
    const dlpi_prior *prior = &glm->prior;
    const dlp_index n = prior->n;
    for (dlp_index j = 0; j < n && !prior->precision; j++)
        theta[j] = prior->mean[j] +
                   prior->sd[j] * (prior->df[j] > 0 ? dlpi_draw_student(rng, prior->df[j])
                                                    : dlp_draw_normal(rng));
    if (!prior->precision) return DLP_OK;
    double *U = dlpi_calloc(n, (size_t)n * sizeof *U);
    if (!U) return dlpi_no_memory(error, "a replicate");
    memcpy(U, prior->precision, (size_t)(n * n) * sizeof *U);
    const bool proper = dlpi_cholesky(n, U) < 0;
    for (dlp_index j = 0; j < n; j++) theta[j] = dlp_draw_normal(rng);
    if (proper) dlpi_cholesky_draw(n, U, theta);
    for (dlp_index j = 0; j < n; j++) theta[j] += prior->mean[j];
    free(U);
    return proper ? DLP_OK
                  : dlp_fail(error, DLP_EINVAL, "the prior cannot be drawn from");
}

bool dlpi_sbc_respond(dlpi_sbc_work *w, const dlpi_family *family, dlp_index i,
                      double eta, double tau, double second)
{
    const dlp_glm_data *d = &w->target->data;
    const double most = 1e12; /* largest count whose logarithm keeps its digits */
    const double trials = dlpi_second_of(family, d->y, d->trials, i);
    const bool of_trials = family->of->support == DLP_SUPPORT_TRIALS;
    w->y[i] = dlpi_draw_response(family, eta, tau, of_trials ? trials : 1,
                                 second > 0 ? second : DLP_GLM_DF, &w->rng);
    w->trials[i] = of_trials ? trials : w->y[i];
    return isfinite(w->y[i]) && fabs(w->y[i]) < most &&
           family->supports(w->y[i], w->trials[i]);
}

/* All responses at theta; false: not all can be fitted. */
static bool respond(dlpi_sbc_work *w, const dlpi_family *family, const double *theta,
                    double *row, double *probability)
{
    const dlp_glm_data *d = &w->target->data;
    const bool levels = dlp_family_has_levels(family->of);
    bool possible = true;
    for (dlp_index i = 0; possible && i < d->N; i++) {
        dlpi_load_row(d, i, row);
        if (levels) {
            dlpi_level_probabilities(family, d->p, d->levels, theta, row, NULL,
                                     probability);
            const dlp_index level = dlp_draw_categorical(&w->rng, d->levels, probability);
            w->y[i] = (double)level;
            possible = level >= 0;
        } else {
            const double eta =
                (d->offset ? d->offset[i] : 0) + dlpi_dot(d->p, theta, row);
            possible =
                dlpi_sbc_respond(w, family, i, eta, family->of->scale ? theta[d->p] : 0,
                                 dlpi_second_scale(family->of, theta, d->p, d->df));
        }
    }
    return possible;
}

/* ---- a replicate of one level ---- */

static dlp_status fit_single(dlpi_sbc_work *w, const double *theta, double *mu,
                             double *Sigma, dlp_error *error)
{
    dlp_glm_data data = w->target->data;
    dlp_glm *glm = NULL;
    data.y = w->y;
    if (data.trials) data.trials = w->trials;
    DLP_TRY(dlpi_target_glm(w->target, &data, &glm, error));
    dlp_status status = dlpi_refit(w->target, &data, glm, mu, Sigma, error);
    if (status == DLP_OK)
        status = dlpi_places_in_margins(glm, mu, Sigma, theta, w->z, error);
    dlp_glm_free(glm);
    return status;
}

/* Any failure except out of memory counts as a failure of the fit. */
static dlp_status single(dlpi_sbc_work *w, dlp_error *error)
{
    const dlpi_target *t = w->target;
    const dlp_index n = t->of->result.n, p = t->data.p, K = t->data.levels;
    double *room = dlpi_calloc(dlpi_size(n, n + 1, p + K + 1), sizeof *room);
    dlp_glm *glm = NULL;
    if (!room) return dlpi_no_memory(error, "a replicate");
    dlp_status status = dlpi_target_glm(t, &t->data, &glm, error);
    double *mu = room, *Sigma = room + n, *row = Sigma + n * n;
    if (status == DLP_OK) status = dlpi_draw_prior(glm, &w->rng, w->drawn, error);
    if (status == DLP_OK && !respond(w, glm->family, w->drawn, row, row + p))
        status = dlp_fail(error, DLP_EINPUT, "responses that cannot be fitted");
    if (status == DLP_OK) status = fit_single(w, w->drawn, mu, Sigma, error);
    dlp_glm_free(glm);
    free(room);
    return status;
}

/* ---- all replicates ---- */

static dlp_status replicate(calibrating *w, dlp_index r)
{
    const dlp_index N = w->target.data.N, n = w->out.n;
    dlp_error error = {0};
    double *y = dlpi_calloc(N, 2 * sizeof *y);
    if (!y) return DLP_ENOMEM;
    dlpi_sbc_work work = {.target = &w->target,
                          .rng = dlp_rng_at(w->s.seed, (uint64_t)r),
                          .y = y,
                          .trials = y + N,
                          .drawn = w->drawn + r * n,
                          .z = w->z + r * n};
    const bool mixed = w->target.of->result.grouping == DLP_MIXED;
    const dlp_status status =
        mixed ? dlpi_sbc_mixed(&work, &error) : single(&work, &error);
    for (dlp_index j = 0; j < n && status != DLP_OK; j++) work.z[j] = NAN;
    free(y);
    return status == DLP_ENOMEM ? status : DLP_OK;
}

static bool stopped(calibrating *w, dlp_index done)
{
    const dlp_progress now = {
        .phase = "fitting", .unit = "replicates", .done = done, .total = w->s.replicates};
    return w->s.progress && w->s.progress(w->s.context, &now);
}

/* A few at a time, so that progress can be shown. */
static dlp_status replicate_all(calibrating *w, dlp_error *error)
{
    const dlp_index step = 8;
    w->s.threads = dlpi_threads_for_draws(w->s.threads, 1 << 14, 1 << 14, 1);
    for (dlp_index at = 0; at < w->s.replicates; at += step) {
        const dlp_index end = at + step < w->s.replicates ? at + step : w->s.replicates;
        int failed = 0;
        if (stopped(w, at))
            return dlp_fail(error, DLP_ECANCELLED, "%s",
                            dlp_status_string(DLP_ECANCELLED));
#pragma omp parallel for schedule(dynamic) num_threads(w->s.threads) reduction(| : failed)
        for (dlp_index r = at; r < end; r++) failed |= replicate(w, r) != DLP_OK;
        if (failed) return dlpi_no_memory(error, "the replicates");
    }
    return DLP_OK;
}

/* ---- ranks ---- */

/* P(C <= k) of C ~ Binomial(n, share). */
static double binomial_cdf(dlp_index n, double share, dlp_index k)
{
    if (k >= n) return 1;
    return dlpi_beta_tails((double)(n - k), (double)k + 1, 1 - share, share).lower;
}

static void find_band(calibrating *w)
{
    const dlp_index n = w->out.replicates - w->out.failed;
    const double share = 1 / (double)w->out.bins;
    dlp_index k = 0;
    while (k < n && binomial_cdf(n, share, k) < 0.005) k++;
    w->out.lower = k;
    while (k < n && binomial_cdf(n, share, k) < 0.995) k++;
    w->out.upper = k;
    const double off = 1.96 * sqrt(0.95 * 0.05 / (double)n);
    w->out.covered_lower = 0.95 - off;
    w->out.covered_upper = fmin(0.95 + off, 1);
    w->out.expected = (double)n * share;
}

static void count_ranks(calibrating *w, dlp_index j, double *drawn, double *rank,
                        dlp_index *count)
{
    const double end = 1.959963984540054;
    const dlp_index n = w->out.n, R = w->out.replicates, B = w->out.bins,
                    fits = R - w->out.failed;
    dlp_sbc_parameter *q = &w->parameter[j];
    double sum = 0, square = 0, chi = 0;
    for (dlp_index r = 0; r < R; r++) {
        const double z = w->z[r * n + j];
        drawn[r] = w->drawn[r * n + j];
        rank[r] = isnan(z) ? NAN : dlp_normal_cdf(z);
        if (isnan(z)) continue;
        const dlp_index b = (dlp_index)floor(rank[r] * (double)B);
        count[b < B ? b : B - 1]++;
        sum += z;
        q->covered += fabs(z) <= end;
    }
    q->mean_z = sum / (double)fits;
    for (dlp_index r = 0; r < R; r++) {
        const double z = w->z[r * n + j];
        if (!isnan(z)) square += (z - q->mean_z) * (z - q->mean_z);
    }
    q->sd_z = sqrt(square / (double)(fits - 1));
    q->covered /= (double)fits;
    for (dlp_index b = 0; b < B; b++) {
        const double off = (double)count[b] - (double)fits / (double)B;
        chi += off * off * (double)B / (double)fits;
        q->outside += count[b] < w->out.lower || count[b] > w->out.upper;
    }
    q->p = dlpi_gamma_tails(0.5 * (double)(B - 1), 0.5 * chi).upper;
    q->even = q->p >= 0.01 / (double)n;
    q->drawn = drawn;
    q->rank = rank;
    q->count = count;
}

static dlp_status rank_all(calibrating *w, dlp_error *error)
{
    const dlp_index R = w->out.replicates, n = w->out.n;
    for (dlp_index r = 0; r < R; r++) {
        bool failed = false;
        for (dlp_index j = 0; j < n; j++) failed |= !isfinite(w->z[r * n + j]);
        for (dlp_index j = 0; failed && j < n; j++) w->z[r * n + j] = NAN;
        w->out.failed += failed;
    }
    if (w->out.failed > R / 2)
        return dlp_fail(error, DLP_EINPUT,
                        "of %td tables drawn, %td cannot be fitted: the prior allows "
                        "impossible responses; fit with a narrower one",
                        R, w->out.failed);
    find_band(w);
    for (dlp_index j = 0; j < n; j++) {
        double *drawn = dlpi_pool_take(&w->pool, 2 * R, sizeof *drawn);
        dlp_index *count = dlpi_pool_take(&w->pool, w->out.bins, sizeof *count);
        if (!drawn || !count) return dlpi_no_memory(error, "the ranks");
        count_ranks(w, j, drawn, drawn + R, count);
    }
    return DLP_OK;
}

/* ---- the whole ---- */

static dlp_status check(const calibrating *w, const dlp_regression *regression,
                        dlp_error *error)
{
    const dlp_regression_result *r = &regression->result;
    if (w->s.replicates < 20 || w->s.replicates > 1000000)
        return dlp_fail(error, DLP_EINVAL,
                        "%td replicates are asked for; there must be 20 to 1,000,000",
                        w->s.replicates);
    if (w->s.bins < 2)
        return dlp_fail(error, DLP_EINVAL,
                        "%td bins are asked for; there must be at least 2", w->s.bins);
    if (dlpi_is_grouped(r->grouping))
        return dlpi_advise(
            error, DLP_REMEDY_GROUPING_MIXED,
            dlp_fail(error, DLP_EINVAL,
                     "calibration draws from the prior, but the prior of groups is "
                     "estimated from the data; fit a mixed model, with bars in the "
                     "formula"));
    if (r->weights)
        return dlp_fail(
            error, DLP_EINVAL,
            "a row with a weight stands for several rows, whose responses would differ; "
            "repeat such rows in the table and fit without weights");
    return r->grouping == DLP_MIXED ? dlpi_sbc_check_mixed(r, error) : DLP_OK;
}

static dlp_status prepare(calibrating *w, const dlp_regression *regression,
                          const dlp_table *table, dlp_error *error)
{
    const dlp_index R = w->s.replicates;
    DLP_TRY(check(w, regression, error));
    DLP_TRY(dlpi_target_make(regression, table, true, false, w->s.problem, &w->target,
                             error));
    w->out.replicates = R;
    /* so that four ranks are expected in each */
    w->out.bins = w->s.bins < w->s.replicates / 4 ? w->s.bins : w->s.replicates / 4;
    w->out.n = dlpi_sbc_count(regression);
    w->parameter = dlpi_pool_take(&w->pool, w->out.n, sizeof *w->parameter);
    w->drawn = dlpi_calloc(dlpi_size(R, w->out.n, 0), 2 * sizeof *w->drawn);
    if (!w->parameter || !w->drawn) return dlpi_no_memory(error, "the replicates");
    w->z = w->drawn + R * w->out.n;
    w->out.parameter = w->parameter;
    for (dlp_index j = 0; j < w->out.n; j++) {
        char name[NAME];
        if (dlpi_sbc_name(regression, j, name, sizeof name))
            w->parameter[j].name = dlpi_pool_copy(&w->pool, name, strlen(name));
        if (!w->parameter[j].name) return dlpi_no_memory(error, "the replicates");
    }
    return DLP_OK;
}

static dlp_status run(calibrating *w, const dlp_regression *regression,
                      const dlp_table *table, dlp_error *error)
{
    DLP_TRY(prepare(w, regression, table, error));
    DLP_TRY(replicate_all(w, error));
    return rank_all(w, error);
}

dlp_status dlp_regression_sbc(const dlp_regression *regression, const dlp_table *table,
                              const dlp_sbc_settings *settings, dlp_sbc **sbc,
                              dlp_error *error)
{
    *sbc = NULL;
    if (!regression || !table)
        return dlp_fail(error, DLP_EINVAL, "calibration needs a regression and a table");
    calibrating *w = dlpi_calloc(1, sizeof *w);
    if (!w) return dlpi_no_memory(error, "the calibration");
    w->s = dlp_sbc_settings_default();
    dlp_status status = dlpi_settings_take(&w->s, sizeof w->s, settings, error);
    if (status == DLP_OK) status = run(w, regression, table, error);
    dlpi_target_clear(&w->target);
    free(w->drawn);
    if (status == DLP_OK)
        *sbc = &w->out;
    else
        dlp_sbc_free(&w->out);
    return status;
}

void dlp_sbc_free(dlp_sbc *sbc)
{
    calibrating *w = (calibrating *)(void *)sbc;
    if (!w) return;
    dlpi_pool_free(&w->pool);
    free(w);
}
