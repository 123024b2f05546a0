/* SPDX-License-Identifier: BSD-3-Clause */
/* One arm of a study on one problem: fit, predict, score. */
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/study/study.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char family[] = "bernoulli";

/* What is said of the test rows; a number a row each. */
typedef struct predictions {
    double *mean, *log_density, *log_density_averaged;
    double *memory;
} predictions;

/* A fit under way: what it is about and where its results go. */
typedef struct work {
    const cli_study_problem *problem;
    const cli_study_arm *arm;
    predictions out;
    cli_study_score *score;
} work;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_bound(const cli_study_arm *arm)
{
    return !strcmp(arm->method, "jaakkola-jordan");
}

/* The bound is quadratic, so that Laplace's update of it is exact. */
static const char *engine_method(const cli_study_arm *arm)
{
    return is_bound(arm) ? "laplace" : arm->method;
}

/* The blocks from first up to last as one regression. */
static dlp_glm_data blocks(const cli_study_rows *rows, dlp_index first, dlp_index last)
{
    return (dlp_glm_data){
        .N = rows->begin[last] - rows->begin[first],
        .p = rows->p,
        .x = rows->x + first * rows->p,
        .y = rows->y + rows->begin[first],
    };
}

static dlp_status make_glm(const work *w, dlp_index first, dlp_index last, dlp_glm **glm,
                           dlp_error *error)
{
    const dlp_glm_data data = blocks(&w->problem->train, first, last);
    const dlp_glm_prior prior = dlp_glm_prior_default(); /* N(0, I), the paper's */
    CLI_TRY(dlp_glm_alloc(family, NULL, &data, &prior, glm, error));
    return is_bound(w->arm) ? dlp_glm_use_jaakkola_jordan(*glm, error) : DLP_OK;
}

/* The test rows of the blocks, under N(mu, Sigma). */
static dlp_status predict(const work *w, dlp_index first, dlp_index last,
                          const double *mu, const dlp_sym *Sigma, dlp_error *error)
{
    const cli_study_rows *test = &w->problem->test;
    const dlp_glm_data data = blocks(test, first, last);
    const dlp_index at = test->begin[first];
    const dlp_glm_prediction out = {
        .mean = w->out.mean + at,
        .log_density = w->out.log_density + at,
        .log_density_averaged = w->out.log_density_averaged + at,
    };
    if (data.N == 0) return DLP_OK;
    return dlp_glm_predict(family, NULL, &data, mu, Sigma, &out, error);
}

static void note_outcome(work *w, dlp_outcome outcome)
{
    if (w->score->outcome == DLP_CONVERGED) w->score->outcome = outcome;
}

/* ---- one regression for the blocks from first up to last ---- */

static dlp_status run_glm(work *w, dlp_glm *glm, dlp_fit **fit, dlp_error *error)
{
    const dlp_model model = dlp_glm_model(glm);
    dlp_settings settings = dlp_settings_default();
    settings.method = engine_method(w->arm);
    settings.progress = cli_progress_watch;
    CLI_TRY(dlp_fit_alloc(&model, &settings, fit, error));
    return dlp_fit_run(*fit, NULL, error);
}

static dlp_status fit_blocks(work *w, dlp_index first, dlp_index last, dlp_error *error)
{
    const double start = seconds_now();
    dlp_glm *glm = NULL;
    dlp_fit *fit = NULL;
    dlp_status status = make_glm(w, first, last, &glm, error);
    if (status == DLP_OK) status = run_glm(w, glm, &fit, error);
    w->score->seconds += seconds_now() - start;
    if (status == DLP_OK) {
        const dlp_result *r = dlp_fit_result(fit);
        note_outcome(w, r->outcome);
        status = predict(w, first, last, r->mu, r->Sigma, error);
    }
    dlp_fit_free(fit);
    dlp_glm_free(glm);
    return status;
}

static dlp_status fit_each_block(work *w, dlp_error *error)
{
    for (dlp_index m = 0; m < w->problem->train.M; m++)
        CLI_TRY(fit_blocks(w, m, m + 1, error));
    return DLP_OK;
}

/* ---- a hierarchy of all blocks ---- */

static dlp_status run_hierarchy(const work *w, dlp_glm_data *groups,
                                dlp_hierarchy **hierarchy, dlp_error *error)
{
    const dlp_index M = w->problem->train.M;
    dlp_hierarchy_settings settings = dlp_hierarchy_settings_default();
    settings.method = w->arm->method;
    settings.paper_sigma0 = w->arm->paper_sigma0;
    settings.progress = cli_progress_watch;
    for (dlp_index m = 0; m < M; m++) groups[m] = blocks(&w->problem->train, m, m + 1);
    CLI_TRY(dlp_hierarchy_alloc(family, NULL, M, groups, &settings, hierarchy, error));
    return dlp_hierarchy_run(*hierarchy, error);
}

static dlp_status predict_groups(const work *w, const dlp_hierarchy *hierarchy,
                                 dlp_error *error)
{
    for (dlp_index m = 0; m < w->problem->test.M; m++) {
        const dlp_group_result group = dlp_hierarchy_group(hierarchy, m);
        CLI_TRY(predict(w, m, m + 1, group.mu, &group.Sigma, error));
    }
    return DLP_OK;
}

static dlp_status fit_hierarchy(work *w, dlp_error *error)
{
    const double start = seconds_now();
    dlp_hierarchy *hierarchy = NULL;
    dlp_glm_data *groups = calloc((size_t)w->problem->train.M, sizeof *groups);
    if (!groups) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the groups");
    dlp_status status = run_hierarchy(w, groups, &hierarchy, error);
    w->score->seconds += seconds_now() - start;
    if (status == DLP_OK) {
        note_outcome(w, dlp_hierarchy_result_of(hierarchy)->outcome);
        status = predict_groups(w, hierarchy, error);
    }
    dlp_hierarchy_free(hierarchy);
    free(groups);
    return status;
}

/* ---- all ---- */

static dlp_status make_room(dlp_index N, predictions *out, dlp_error *error)
{
    out->memory = calloc((size_t)N, 3 * sizeof *out->memory);
    if (!out->memory)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the predictions");
    out->mean = out->memory;
    out->log_density = out->memory + N;
    out->log_density_averaged = out->memory + 2 * N;
    return DLP_OK;
}

static dlp_status fit(work *w, dlp_error *error)
{
    switch (w->arm->grouping) {
    case DLP_SEPARATE: return fit_each_block(w, error);
    case DLP_HIERARCHICAL: return fit_hierarchy(w, error);
    case DLP_UNGROUPED:
    case DLP_POOLED: break;
    }
    return fit_blocks(w, 0, w->problem->train.M, error);
}

static void score_rows(const cli_study_rows *test, const predictions *out,
                       cli_study_score *score)
{
    const dlp_index N = test->begin[test->M];
    double right = 0, sum = 0, averaged = 0;
    for (dlp_index i = 0; i < N; i++) {
        right += (out->mean[i] > 0.5) == (test->y[i] > 0.5);
        sum += out->log_density[i];
        averaged += out->log_density_averaged[i];
    }
    score->accuracy = right / (double)N;
    score->log_likelihood = sum / (double)N;
    score->log_likelihood_averaged = averaged / (double)N;
}

dlp_status cli_study_fit(const cli_study_problem *problem, const cli_study_arm *arm,
                         cli_study_score *score, dlp_error *error)
{
    const cli_study_rows *test = &problem->test;
    work w = {.problem = problem, .arm = arm, .score = score};
    *score = (cli_study_score){.outcome = DLP_CONVERGED};
    dlp_status status = make_room(test->begin[test->M], &w.out, error);
    if (status == DLP_OK) status = fit(&w, error);
    if (status == DLP_OK) score_rows(test, &w.out, score);
    free(w.out.memory);
    return status;
}
