/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs every arm on every problem of a study, in parallel. */
#include "study/study.h"

#include "core/core.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* A running study; the threads share it. */
typedef struct running {
    dlpi_study *study;
    const dlpi_study_settings *settings;
    dlp_index fits, done; /* how many in all, how many have ended */
    bool stopped;         /* by the user */
    dlp_index at;         /* the first problem that failed, and why */
    dlp_status status;
    dlp_error error;
} running;

static bool is_wanted(const running *r, const dlpi_study_arm *arm)
{
    return !r->settings->method || !strcmp(r->settings->method, arm->method);
}

static dlp_index count_fits(const running *r)
{
    dlp_index arms = 0;
    for (int j = 0; j < r->study->arms; j++) arms += is_wanted(r, &r->study->arm[j]);
    return r->study->problems * arms;
}

static void show_progress(running *r)
{
#pragma omp critical(study)
    {
        r->done++;
        r->settings->counted(r->settings->context, r->done, r->fits);
    }
}

/* Keeps the failure of the first problem in the list, in whatever order they ran. */
static void note_failure(running *r, dlp_index i, dlp_status status,
                         const dlp_error *error)
{
#pragma omp critical(study)
    {
        if (r->status == DLP_OK || i < r->at) {
            r->status = status;
            r->at = i;
            r->error = *error;
        }
    }
}

static bool is_stopped(running *r)
{
    bool stopped;
#pragma omp atomic read
    stopped = r->stopped;
    return stopped;
}

static void stop(running *r)
{
#pragma omp atomic write
    r->stopped = true;
}

static dlp_status run_arms(running *r, dlp_index i, const dlpi_study_problem *problem,
                           dlp_error *error)
{
    const dlpi_study *study = r->study;
    for (int j = 0; j < study->arms && !is_stopped(r); j++) {
        if (!is_wanted(r, &study->arm[j])) continue;
        dlpi_study_score *score = &study->score[i * study->arms + j];
        DLP_TRY(dlpi_study_fit(problem, &study->arm[j], r->settings->stop, score, error));
        if (score->outcome == DLP_CANCELLED) stop(r);
        show_progress(r);
    }
    return DLP_OK;
}

static void run_problem(running *r, dlp_index i)
{
    dlpi_study_problem problem = {.train = NULL};
    dlp_error error = {0};
    dlp_status status = r->study->make(r->study, i, &problem, &error);
    if (status == DLP_OK) status = run_arms(r, i, &problem, &error);
    if (status != DLP_OK) note_failure(r, i, status, &error);
    dlpi_study_problem_clear(&problem);
}

/* Runs problems in parallel, and the arms of each problem in turn: there are enough
   problems, and this way the rows of each are made only once. */
dlp_status dlpi_study_run(const dlpi_study_settings *s, dlpi_study *study, bool *stopped,
                          dlp_error *error)
{
    running r = {.study = study, .settings = s};
    study->score = calloc((size_t)(study->problems * study->arms), sizeof *study->score);
    study->paired = calloc((size_t)study->problems, 2 * sizeof *study->paired);
    if (!study->score || !study->paired)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the scores");
    r.fits = count_fits(&r);
#pragma omp parallel for schedule(dynamic)                                               \
    num_threads(s->threads > 0 ? s->threads : omp_get_num_procs())
    for (dlp_index i = 0; i < study->problems; i++)
        if (!is_stopped(&r)) run_problem(&r, i);
    *stopped = r.stopped;
    if (r.status == DLP_OK) return DLP_OK;
    return dlpi_advise(error, r.error.remedy,
                       dlp_fail(error, r.status, "%s, %s %s: %s", study->data,
                                study->unit, study->names[r.at].name, r.error.message));
}
