/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/check/target.h"

#include "core/core.h"
#include "glm/glm_state.h"
#include "regression/predict/prediction.h"
#include "regression/prepare/moments.h"

#include <math.h>
#include <string.h>

/* ---- rows ---- */

static dlp_status check_kind(const dlp_regression_result *r, bool hierarchies,
                             dlp_error *error)
{
    if (!r->estimated)
        return dlp_fail(error, DLP_EINPUT,
                        "the fit estimated nothing, so there is nothing to check; fit "
                        "again, by another method");
    if (r->grouping == DLP_HIERARCHICAL && hierarchies) return DLP_OK;
    if (r->grouping == DLP_HIERARCHICAL)
        return dlpi_advise(
            error, DLP_REMEDY_GROUPING_MIXED,
            dlp_fail(
                error, DLP_EINVAL,
                "this cannot be computed for a hierarchy of groups, whose "
                "hyperparameters are estimated; fit separate groups, or a mixed model, "
                "with bars in the formula"));
    const bool new_enough = r->prior_complete;
    if (new_enough) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the file of the fit is of an older version and does not hold all of "
                    "the prior; fit again");
}

static bool has_weights(const dlp_regression_result *r, const dlp_glm_data *d)
{
    const double total = dlpi_total_weight(d);
    return fabs(total - r->total_weight) <= 1e-9 * fabs(r->total_weight);
}

/* Weights and left-out rows must be those of the fit, too. */
static dlp_status check_rows(const dlpi_target *t, dlp_error *error)
{
    const dlp_regression_result *r = &t->of->result;
    if (t->data.N == r->rows && has_weights(r, &t->data)) return DLP_OK;
    if (t->data.N == r->rows)
        return dlp_fail(
            error, DLP_EINPUT,
            "the weights of the rows add up to %g, but to %g in the fit; give "
            "the table that was fitted",
            dlpi_total_weight(&t->data), r->total_weight);
    return dlp_fail(error, DLP_EINPUT,
                    "has %td rows that the regression can use, and the fit had %td; give "
                    "the table that was fitted",
                    t->data.N, r->rows);
}

static dlp_status build_rows(dlpi_target *t, bool any_rows, dlp_design_problem *problem,
                             dlp_error *error)
{
    const dlp_regression_result *r = &t->of->result;
    dlp_design_options options = dlp_design_options_default();
    dlp_index skipped;
    options.weight = r->weights;
    options.precision = r->precision;
    options.problem = problem;
    DLP_TRY(dlpi_in_table(
        t->table, dlp_design_rebuild(r->terms, t->table, &options, &t->design, error),
        error));
    DLP_TRY(dlpi_in_table(t->table, dlpi_check_response(r, t->design, error), error));
    DLP_TRY(dlpi_design_data(t->design, NULL, r->family, &t->data, &t->code, &skipped,
                             error));
    t->data.df = r->df;
    DLP_TRY(
        dlpi_precise_rows_make(t->design->precision, NULL, &t->data, &t->precise, error));
    DLP_TRY(dlpi_check_columns(r, t->design, t->data.p, skipped, error));
    return any_rows ? DLP_OK : dlpi_in_table(t->table, check_rows(t, error), error);
}

/* ---- the variables ---- */

/* As in basis.c: the prior of the first cut point is at the means of the columns. */
static dlp_status centre_columns(dlpi_target *t, dlp_error *error)
{
    const dlp_index p = t->data.p, N = t->data.N;
    if (t->of->result.family->support != DLP_SUPPORT_ORDERED || t->of->result.mu0)
        return DLP_OK;
    t->centre = dlpi_calloc(p, sizeof *t->centre);
    t->X = dlpi_calloc(p, (size_t)N * sizeof *t->X);
    t->x = dlpi_calloc(p, sizeof *t->x);
    if (!t->centre || !t->X || !t->x) return dlpi_no_memory(error, "the columns");
    for (dlp_index j = 0; j < p; j++) {
        double *x = t->X + j * N;
        t->centre[j] = dlpi_column_mean(&t->data, t->data.x[j]);
        for (dlp_index i = 0; i < N; i++) x[i] = t->data.x[j][i] - t->centre[j];
        t->x[j] = x;
    }
    t->data.x = t->x;
    return DLP_OK;
}

/* v[p] += sign centre'v, where the numbers are `step` apart. */
static void move_cut(const dlpi_target *t, double sign, double *v, dlp_index step)
{
    const dlp_index p = t->data.p;
    for (dlp_index j = 0; j < p; j++) v[p * step] += sign * t->centre[j] * v[j * step];
}

static void move_moments(const dlpi_target *t, double *mu, double *Sigma)
{
    const dlp_index n = t->of->result.n;
    if (!t->centre) return;
    move_cut(t, -1, mu, 1);
    for (dlp_index i = 0; i < n; i++) move_cut(t, -1, Sigma + i * n, 1);
    for (dlp_index i = 0; i < n; i++) move_cut(t, -1, Sigma + i, n);
}

void dlpi_target_posterior(const dlpi_target *t, dlp_index m, double *mu, double *Sigma)
{
    const dlp_regression_result *r = &t->of->result;
    const dlp_index n = r->n;
    memcpy(mu, r->mu + m * n, (size_t)n * sizeof *mu);
    memcpy(Sigma, r->Sigma + m * n * n, (size_t)(n * n) * sizeof *Sigma);
    move_moments(t, mu, Sigma);
}

void dlpi_target_back(const dlpi_target *t, dlp_index S, double *theta)
{
    for (dlp_index s = 0; t->centre && s < S; s++)
        move_cut(t, 1, theta + s * t->of->result.n, 1);
}

/* ---- the prior ---- */

/* The prior; numbers (3, p) receive those of each column. */
static dlp_glm_prior prior_of(const dlp_regression_result *r, double *numbers)
{
    const dlp_index p = r->p;
    dlp_glm_prior prior = dlp_glm_prior_default();
    for (dlp_index j = 0; j < p; j++) {
        dlp_coefficient_prior of = {.sd = r->prior_sd, .df = r->prior_df};
        if (r->prior) of = r->prior[j];
        numbers[j] = of.mean;
        numbers[p + j] = of.sd;
        numbers[2 * p + j] = r->prior_covariance ? 0 : of.df;
    }
    prior.mean = numbers;
    prior.sd = numbers + p;
    prior.df_each = numbers + 2 * p;
    prior.covariance = r->prior_covariance;
    prior.symmetric_levels = r->symmetric_levels;
    prior.first_cut_sd = r->cut_sd;
    if (r->family->scale) prior.scale_mean = r->scale_mean;
    return prior;
}

/* For a hierarchy that is its population, N(mu0, Sigma0); a scale that the groups share
   is held. */
static dlp_status take_population(const dlp_regression_result *r, dlp_glm *glm,
                                  dlp_error *error)
{
    const dlp_index n = r->n, q = dlpi_target_varies(r);
    double *Sigma0 = dlpi_calloc(q, (size_t)q * sizeof *Sigma0);
    if (!Sigma0) return dlpi_no_memory(error, "the prior");
    for (dlp_index j = 0; j < q; j++)
        memcpy(Sigma0 + j * q, r->Sigma0 + j * n, (size_t)q * sizeof *Sigma0);
    dlp_status status = DLP_OK;
    if (q < n) {
        glm->held_tau = r->mu0[q];
        glm->n = q;
        dlpi_prior_free(&glm->prior);
        glm->prior = (dlpi_prior){0};
        status = dlpi_prior_alloc(&glm->prior, q, error);
    }
    if (status == DLP_OK)
        status = dlpi_prior_set_gaussian(&glm->prior, r->mu0, Sigma0, error);
    free(Sigma0);
    return status;
}

dlp_index dlpi_target_varies(const dlp_regression_result *r)
{
    return r->mu0 && r->shared_scale && r->family->scale ? r->n - 1 : r->n;
}

dlp_status dlpi_target_glm(const dlpi_target *t, const dlp_glm_data *rows, dlp_glm **glm,
                           dlp_error *error)
{
    const dlp_regression_result *r = &t->of->result;
    double *numbers = dlpi_calloc(r->p, 3 * sizeof *numbers);
    if (!numbers) return dlpi_no_memory(error, "the prior");
    const dlp_glm_prior prior = r->mu0 ? dlp_glm_prior_default() : prior_of(r, numbers);
    dlp_status status = dlp_glm_alloc(r->family->name, r->link, rows, &prior, glm, error);
    free(numbers);
    if (status == DLP_OK) (*glm)->over_df = r->df_chosen != 0;
    if (status == DLP_OK && r->mu0) {
        status = take_population(r, *glm, error);
        if (status != DLP_OK) dlp_glm_free(*glm);
    }
    return dlpi_in_table(t->table, status, error);
}

/* ---- the whole ---- */

dlp_status dlpi_target_make(const dlp_regression *regression, const dlp_table *table,
                            bool any_rows, bool hierarchies, dlp_design_problem *problem,
                            dlpi_target *t, dlp_error *error)
{
    const dlp_regression_result *r = &regression->result;
    const bool grouped = dlpi_is_grouped(r->grouping);
    *t = (dlpi_target){.of = regression, .table = table};
    DLP_TRY(check_kind(r, hierarchies, error));
    DLP_TRY(build_rows(t, any_rows, problem, error));
    DLP_TRY(centre_columns(t, error));
    return dlpi_grouped_rows_make(&t->data, grouped ? t->design->group : NULL, r->M,
                                  &t->rows, error);
}

void dlpi_target_clear(dlpi_target *t)
{
    dlpi_grouped_rows_clear(&t->rows);
    dlpi_precise_rows_clear(&t->precise);
    dlp_design_free(t->design);
    dlpi_rows_free(t->code);
    free(t->centre);
    free(t->X);
    free(t->x);
    *t = (dlpi_target){0};
}
