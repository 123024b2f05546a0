/* SPDX-License-Identifier: BSD-3-Clause */
/* Bound and held-out likelihood against time, at one number of topics. */
#include "study/figure.h"

#include "core/core.h"

#include <math.h>
#include <time.h>

/* CPU seconds of this process. The fits of this figure use one thread, so this is their
   time, however busy the machine is. */
static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One fit, step by step. Scoring does not count towards its time. */
typedef struct timed {
    dlpi_figure_job *job;
    dlpi_figure_rows *rows;
    dlp_ctm *ctm;
    dlpi_figure_row row; /* the current state */
    int next;            /* the next iteration to score at */
} timed;

/* Scores every early iteration, then fewer and fewer, and always the last. */
static bool is_scored(timed *t)
{
    if (t->row.iteration < t->next && !dlp_ctm_done(t->ctm)) return false;
    t->next = (int)ceil(1.2 * t->row.iteration + 0.5);
    return true;
}

static dlp_status add_step(timed *t, dlp_error *error)
{
    const double began = clock_now();
    dlp_ctm_step(t->ctm);
    t->row.seconds += clock_now() - began;
    const dlp_topics_result *r = dlp_ctm_result(t->ctm);
    t->job->stopped = r->outcome == DLP_CANCELLED;
    if (t->job->stopped) return DLP_OK;
    t->row.iteration = r->iterations;
    t->row.documents = r->unsettled;
    t->row.decreases = r->decreases;
    t->row.log_evidence = r->objective_per_word;
    t->row.outcome = r->outcome;
    t->row.heldout = NAN;
    if (is_scored(t))
        DLP_TRY(dlpi_figure_score(t->job, t->row.method, t->ctm, &t->row.heldout, error));
    return dlpi_figure_add(t->rows, &t->row, error);
}

static dlp_status add_curve(dlpi_figure_job *job, dlpi_figure_rows *rows,
                            const char *method, dlp_error *error)
{
    const dlp_index K = dlpi_figure_one_k(job);
    dlp_topics_settings settings = dlpi_figure_settings(job, method, "spectral", K);
    timed t = {.job = job,
               .rows = rows,
               .row = {.method = method, .start = settings.init, .K = K}};
    settings.threads = 1;
    const double began = clock_now();
    DLP_TRY(dlp_ctm_alloc(job->train, NULL, &settings, &t.ctm, error));
    dlp_status status = dlp_ctm_start(t.ctm, error);
    t.row.seconds = clock_now() - began;
    job->stopped = status == DLP_ECANCELLED;
    if (job->stopped) status = DLP_OK;
    while (status == DLP_OK && !dlp_ctm_done(t.ctm)) status = add_step(&t, error);
    dlp_ctm_free(t.ctm);
    return status;
}

dlp_status dlpi_figure_over_time(dlpi_figure_job *job, dlpi_figure_rows *rows,
                                 dlp_error *error)
{
    for (int i = 0; i < DLPI_FIGURE_METHODS && !job->stopped; i++)
        DLP_TRY(add_curve(job, rows, dlp_topics_method(i), error));
    return DLP_OK;
}
