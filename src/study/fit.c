/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits and scores one arm of a study on one problem. */
#include "study/study.h"

#include "core/core.h"

#include <time.h>

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The priors are the paper's. Problems run in parallel, so each fit uses one thread. */
static dlp_regression_settings settings_for(const dlpi_study_problem *problem,
                                            const dlpi_study_arm *arm,
                                            dlp_progress_call *stop)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    settings.family = "bernoulli";
    settings.method = arm->method;
    settings.group = problem->group;
    settings.grouping = arm->grouping;
    settings.threads = 1;
    settings.ungraded = 1;
    settings.progress = stop;
    if (arm->grouping == DLP_HIERARCHICAL) {
        settings.paper_hyperprior = 1;
        settings.paper_sigma0 = arm->paper_sigma0;
    } else {
        settings.prior_sd = 1;
    }
    return settings;
}

static dlp_status evaluate(const dlp_regression *regression, const dlp_table *test,
                           dlp_progress_call *stop, dlpi_study_score *score,
                           dlp_error *error)
{
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_prediction *prediction = NULL;
    dlp_evaluation e;
    settings.what = DLP_PREDICT_SCORES;
    settings.progress = stop;
    DLP_TRY(dlp_regression_predict(regression, test, &settings, &prediction, error));
    const dlp_status status = dlp_prediction_evaluate(prediction, &e, error);
    dlp_prediction_free(prediction);
    DLP_TRY(status);
    score->accuracy = e.accuracy;
    score->log_likelihood = e.log_likelihood;
    score->log_likelihood_averaged = e.log_likelihood_averaged;
    return DLP_OK;
}

dlp_status dlpi_study_fit(const dlpi_study_problem *problem, const dlpi_study_arm *arm,
                          dlp_progress_call *stop, dlpi_study_score *score,
                          dlp_error *error)
{
    const dlp_regression_settings settings = settings_for(problem, arm, stop);
    const double start = seconds_now();
    dlp_regression *regression = NULL;
    *score = (dlpi_study_score){.outcome = DLP_CANCELLED};
    dlp_status status = dlp_regression_fit_formula(problem->formula, problem->train,
                                                   &settings, &regression, error);
    score->seconds = seconds_now() - start;
    if (status == DLP_OK) {
        score->outcome = dlp_regression_result_of(regression)->outcome;
        if (score->outcome != DLP_CANCELLED)
            status = evaluate(regression, problem->test, stop, score, error);
    }
    dlp_regression_free(regression);
    if (status != DLP_ECANCELLED) return status;
    score->outcome = DLP_CANCELLED; /* the study was stopped, not failed */
    return DLP_OK;
}
