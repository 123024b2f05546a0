/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/engine.h"

#include "cli/glm/columns.h"
#include "cli/glm/solve.h"
#include "cli/glm/turn.h"
#include "cli/glm/units.h"
#include "cli/say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one regression ---- */

static bool is_bound(const cli_glm_fit *fit)
{
    return !strcmp(fit->method, cli_jaakkola_jordan);
}

/* The bound is quadratic, so that Laplace's update of it is exact. */
static const char *engine_method(const cli_glm_fit *fit)
{
    return is_bound(fit) ? "laplace" : fit->method;
}

/* The stated prior, its columns at numbers (3, p). */
static dlp_glm_prior prior_for(const cli_glm_fit *fit, double *numbers)
{
    const dlp_index p = fit->p;
    dlp_glm_prior prior = dlp_glm_prior_default();
    for (dlp_index j = 0; j < p; j++) {
        const cli_glm_prior of = cli_glm_prior_of(fit, j);
        numbers[j] = of.mean;
        numbers[p + j] = of.sd;
        numbers[2 * p + j] = of.df;
    }
    prior.mean = numbers;
    prior.sd = numbers + p;
    prior.df_each = numbers + 2 * p;
    prior.covariance = fit->prior_covariance;
    prior.first_cut_sd = fit->first_cut_sd;
    return prior;
}

static dlp_status make_glm(const cli_glm_fit *fit, const dlp_glm_data *data,
                           dlp_glm **glm, dlp_error *error)
{
    double *numbers = calloc((size_t)(3 * fit->p) + 1, sizeof *numbers);
    if (!numbers) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the prior");
    const dlp_glm_prior prior = fit->grouping == CLI_HIERARCHICAL
                                    ? dlp_glm_prior_default() /* it brings its own */
                                    : prior_for(fit, numbers);
    const dlp_status status =
        dlp_glm_alloc(fit->family, fit->link, data, &prior, glm, error);
    free(numbers);
    if (status != DLP_OK) return status;
    return is_bound(fit) ? dlp_glm_use_jaakkola_jordan(*glm, error) : DLP_OK;
}

static dlp_settings settings_for(const cli_glm_fit *fit)
{
    dlp_settings settings = dlp_settings_default();
    settings.method = engine_method(fit);
    settings.tol = fit->tol;
    settings.max_iter = fit->max_iter;
    return settings;
}

static dlp_status keep_scale(cli_glm_fit *fit, const dlp_glm *glm, dlp_error *error)
{
    const char *scale = dlp_glm_scale(glm);
    if (!scale || fit->scale) return DLP_OK;
    fit->scale = strdup(scale);
    return fit->scale ? DLP_OK : dlp_fail(error, DLP_ENOMEM, "not enough memory");
}

static double largest(dlp_index n, const double *x)
{
    double most = 0;
    for (dlp_index i = 0; x && i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* The column, response or offset with the largest number of the data, which is *most. */
static const char *largest_column(const dlp_glm_data *d, const cli_glm_fit *fit,
                                  double *most)
{
    const char *name = fit->terms->response.variable;
    *most = largest(d->N, d->y);
    for (dlp_index j = 0; j < d->p; j++) {
        if (largest(d->N, d->x[j]) <= *most) continue;
        *most = largest(d->N, d->x[j]);
        name = fit->column[j];
    }
    if (largest(d->N, d->offset) <= *most) return name;
    *most = largest(d->N, d->offset);
    return "offset()";
}

/* The engine cannot compute f at the start: the numbers are too large. */
static dlp_status fail_too_large(const cli_glm_rows *rows, const cli_glm_fit *fit,
                                 dlp_error *error)
{
    double most;
    const char *name = largest_column(&rows->data, fit, &most);
    return dlp_fail(error, DLP_EINPUT,
                    "the numbers are too large to compute with, most of all those of "
                    "'%.80s', up to %g; use other units, or scale() in the formula",
                    name, most);
}

/* Whether a column has numbers that no regression takes. */
static bool has_too_large(const dlp_glm_data *d)
{
    bool found = largest(d->N, d->offset) > DLP_GLM_LARGEST;
    for (dlp_index j = 0; j < d->p && !found; j++)
        found = largest(d->N, d->x[j]) > DLP_GLM_LARGEST;
    return found;
}

/* The regression of all rows. Even where it is not the one to fit, as with groups, it is
   the one that can tell by its row which response the family cannot have. */
static dlp_status make_whole(const cli_glm_rows *rows, cli_glm_fit *fit, dlp_glm **glm,
                             dlp_error *error)
{
    const dlp_status status = make_glm(fit, &rows->data, glm, error);
    const size_t used = strlen(error->message);
    if (status == DLP_OK) return keep_scale(fit, *glm, error);
    if (status == DLP_EINPUT && has_too_large(&rows->data))
        return fail_too_large(rows, fit, error);
    if (status == DLP_EINPUT && rows->design->row)
        snprintf(error->message + used, sizeof error->message - used,
                 " (rows that miss a value are not counted)");
    return status;
}

/* Adds the blocks up, in their order. The first that did not converge says how the whole
   ended. */
static void conclude(cli_glm_fit *fit, const cli_glm_ending *ends)
{
    fit->outcome = DLP_CONVERGED;
    for (dlp_index m = 0; m < fit->M; m++) {
        const cli_glm_ending *end = &ends[m];
        if (fit->outcome == DLP_CONVERGED) fit->outcome = end->outcome;
        fit->unsettled += end->outcome != DLP_CONVERGED;
        if (fit->iterations < end->iterations) fit->iterations = end->iterations;
        fit->fallbacks += end->fallbacks;
        fit->evaluations += end->evaluations;
        fit->objective += end->objective;
        fit->scale_summed |= end->summed;
        fit->propagated |= end->propagated;
    }
}

static dlp_status fit_one(const cli_glm_rows *rows, dlp_glm *glm, cli_progress *progress,
                          cli_glm_fit *fit, dlp_error *error)
{
    dlp_settings settings = settings_for(fit);
    cli_glm_ending end;
    settings.progress = cli_progress_step;
    settings.context = progress;
    const dlp_status status =
        cli_glm_solve(&rows->data, glm, 0, &settings, fit, &end, error);
    if (status == DLP_EINPUT) return fail_too_large(rows, fit, error);
    if (status == DLP_OK) conclude(fit, &end);
    return status;
}

/* ---- groups ---- */

static void fit_group(const cli_glm_rows *rows, dlp_index m, cli_glm_fit *fit,
                      cli_glm_ending *end)
{
    const dlp_glm_data data = cli_glm_rows_block(rows, m);
    dlp_settings settings = settings_for(fit);
    dlp_glm *glm = NULL;
    settings.progress = cli_progress_watch;
    dlp_status status = make_glm(fit, &data, &glm, NULL);
    if (status == DLP_OK)
        status = cli_glm_solve(&data, glm, m, &settings, fit, end, NULL);
    end->status = status;
    dlp_glm_free(glm);
}

/* The same for one group. */
static dlp_status fail_group(const cli_glm_rows *rows, dlp_index m,
                             const cli_glm_fit *fit, dlp_error *error)
{
    const dlp_glm_data data = cli_glm_rows_block(rows, m);
    double most;
    const char *name = largest_column(&data, fit, &most);
    return dlp_fail(
        error, DLP_EINPUT,
        "group '%.80s' cannot be fitted: its numbers are too large to compute "
        "with, most of all those of '%.80s', up to %g; use other units, or "
        "scale() in the formula",
        cli_glm_group(fit, m), name, most);
}

static dlp_status check_groups(const cli_glm_rows *rows, const cli_glm_fit *fit,
                               const cli_glm_ending *ends, dlp_error *error)
{
    for (dlp_index m = 0; m < fit->M; m++) {
        if (ends[m].status == DLP_EINPUT) return fail_group(rows, m, fit, error);
        if (ends[m].status != DLP_OK)
            return dlp_fail(error, ends[m].status, "group '%.80s' cannot be fitted: %s",
                            cli_glm_group(fit, m), dlp_status_string(ends[m].status));
    }
    return DLP_OK;
}

static dlp_status fit_separate(const cli_glm_rows *rows, int threads,
                               cli_progress *progress, cli_glm_fit *fit, dlp_error *error)
{
    dlp_index done = 0;
    cli_progress_restart(progress, NULL);
    cli_glm_ending *ends = calloc((size_t)fit->M, sizeof *ends);
    if (!ends) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the groups");
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (dlp_index m = 0; m < fit->M; m++) {
        fit_group(rows, m, fit, &ends[m]);
#pragma omp critical(groups_done)
        cli_progress_count(progress, ++done, fit->M, "groups");
    }
    const dlp_status status = check_groups(rows, fit, ends, error);
    if (status == DLP_OK) conclude(fit, ends);
    free(ends);
    return status;
}

/* ---- a hierarchy ---- */

static dlp_hierarchy_settings hierarchy_settings(const cli_glm_fit *fit, int threads,
                                                 cli_progress *progress)
{
    dlp_hierarchy_settings settings = dlp_hierarchy_settings_default();
    settings.method = fit->method;
    settings.nu = fit->nu;
    settings.phi0 = fit->phi0;
    settings.phi1 = fit->phi1;
    settings.paper_sigma0 = fit->paper_sigma0;
    settings.shared_scale = fit->shared_scale;
    settings.tol = fit->tol;
    settings.max_iter = fit->max_iter;
    settings.threads = threads;
    settings.progress = cli_progress_step;
    settings.context = progress;
    return settings;
}

static dlp_status keep_hierarchy(const dlp_hierarchy *hierarchy, cli_glm_fit *fit,
                                 dlp_error *error)
{
    const dlp_hierarchy_result *r = dlp_hierarchy_result_of(hierarchy);
    const dlp_index n = fit->n;
    fit->outcome = r->outcome;
    fit->iterations = r->iterations;
    fit->objective = r->objective;
    fit->unsettled = r->unsettled;
    memcpy(fit->mu0, r->mu0, (size_t)n * sizeof *fit->mu0);
    memcpy(fit->Sigma0, r->Sigma0, (size_t)(n * n) * sizeof *fit->Sigma0);
    memcpy(fit->mu0_covariance, r->mu0_covariance,
           (size_t)(n * n) * sizeof *fit->mu0_covariance);
    for (int i = 0; i < r->iterations; i++) fit->evaluations += r->trace[i].evaluations;
    for (dlp_index m = 0; m < fit->M; m++) {
        const dlp_group_result group = dlp_hierarchy_group(hierarchy, m);
        fit->fallbacks += group.fallbacks;
        if (fit->outcome == DLP_CONVERGED) fit->outcome = group.outcome;
        cli_glm_keep_block(fit, m, group.mu, &group.Sigma);
    }
    return cli_glm_keep_trace(fit, r->iterations, r->trace, error);
}

/* Where a group fails it is named as the data name it. */
static dlp_status run_hierarchy(const cli_glm_rows *rows, const cli_glm_fit *fit,
                                dlp_hierarchy *hierarchy, dlp_error *error)
{
    const dlp_status status = dlp_hierarchy_run(hierarchy, error);
    const dlp_index failed = dlp_hierarchy_result_of(hierarchy)->failed;
    return failed < 0 ? status : fail_group(rows, failed, fit, error);
}

static dlp_status fit_groups(const cli_glm_rows *rows, int threads,
                             cli_progress *progress, cli_glm_fit *fit, dlp_error *error)
{
    const dlp_hierarchy_settings settings = hierarchy_settings(fit, threads, progress);
    dlp_hierarchy *hierarchy = NULL;
    dlp_glm_data *groups = calloc((size_t)fit->M, sizeof *groups);
    if (!groups) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the groups");
    for (dlp_index m = 0; m < fit->M; m++) groups[m] = cli_glm_rows_block(rows, m);
    dlp_status status = dlp_hierarchy_alloc(fit->family, fit->link, fit->M, groups,
                                            &settings, &hierarchy, error);
    if (status == DLP_OK) status = run_hierarchy(rows, fit, hierarchy, error);
    if (status == DLP_OK) status = keep_hierarchy(hierarchy, fit, error);
    dlp_hierarchy_free(hierarchy);
    free(groups);
    return status;
}

static dlp_status fit_hierarchy(cli_glm_rows *rows, int threads, cli_progress *progress,
                                cli_glm_fit *fit, dlp_error *error)
{
    const dlp_glm_data data = rows->data;
    const double **x = rows->x;
    cli_glm_units units;
    cli_glm_columns columns = {0};
    dlp_status status = cli_glm_units_take(fit, &rows->data, &units, error);
    if (status == DLP_OK) status = cli_glm_columns_take(fit, rows, &columns, error);
    if (status == DLP_OK) status = fit_groups(rows, threads, progress, fit, error);
    if (status == DLP_OK) {
        cli_glm_columns_give_back(&columns, fit);
        cli_glm_units_give_back(&units, fit);
    }
    rows->data = data;
    rows->x = x;
    cli_glm_units_clear(&units);
    cli_glm_columns_clear(&columns);
    return status;
}

static dlp_status run(cli_glm_rows *rows, int threads, cli_progress *progress,
                      cli_glm_fit *fit, dlp_error *error)
{
    const bool grouped = cli_glm_is_grouped(fit);
    dlp_glm *whole = NULL;
    CLI_TRY(cli_glm_fit_room(fit, error));
    dlp_status status = make_whole(rows, fit, &whole, error);
    if (status == DLP_OK && !grouped) status = fit_one(rows, whole, progress, fit, error);
    dlp_glm_free(whole);
    if (status != DLP_OK || !grouped) return status;
    CLI_TRY(cli_glm_rows_part(rows, fit->M, error));
    if (fit->grouping == CLI_SEPARATE)
        return fit_separate(rows, threads, progress, fit, error);
    return fit_hierarchy(rows, threads, progress, fit, error);
}

dlp_status cli_glm_run(cli_glm_rows *rows, int threads, cli_progress *progress,
                       cli_glm_fit *fit, dlp_error *error)
{
    cli_glm_turn turn;
    if (!rows->freed) return run(rows, threads, progress, fit, error);
    dlp_status status = cli_glm_turn_take(rows, fit, &turn, error);
    if (status == DLP_OK) status = run(&turn.rows, threads, progress, fit, error);
    cli_glm_turn_give_back(&turn, fit);
    if (status == DLP_OK) status = cli_glm_turn_posterior(&turn, fit, error);
    cli_glm_turn_clear(&turn);
    return status;
}
