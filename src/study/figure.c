/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/figure.h"

#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

dlp_status dlpi_figure_add(dlpi_figure_rows *rows, const dlpi_figure_row *row,
                           dlp_error *error)
{
    if (rows->n == rows->room) {
        const dlp_index room = 2 * rows->room + 64;
        dlpi_figure_row *more = realloc(rows->row, (size_t)room * sizeof *more);
        if (!more) return dlp_fail(error, DLP_ENOMEM, "not enough memory for a figure");
        rows->row = more;
        rows->room = room;
    }
    rows->row[rows->n++] = *row;
    return DLP_OK;
}

void dlpi_figure_clear(dlpi_figure_rows *rows)
{
    free(rows->row);
    rows->row = NULL;
    rows->n = rows->room = 0;
}

dlp_index dlpi_figure_curve_end(const dlpi_figure_rows *rows, dlp_index i)
{
    const dlpi_figure_row *first = &rows->row[i];
    while (i < rows->n && !strcmp(rows->row[i].method, first->method) &&
           !strcmp(rows->row[i].start, first->start))
        i++;
    return i;
}

int dlpi_figure_curves(const dlpi_figure_rows *rows)
{
    int curves = 0;
    for (dlp_index i = 0; i < rows->n; i = dlpi_figure_curve_end(rows, i)) curves++;
    return curves;
}

/* ---- fits ---- */

dlp_status dlpi_figure_split(const dlp_corpus *corpus, dlp_corpus **train,
                             dlp_corpus **test, dlp_error *error)
{
    dlp_split_settings settings = dlp_split_settings_default();
    settings.every = 5;
    return dlp_corpus_split(corpus, &settings, train, test, error);
}

dlp_index dlpi_figure_one_k(const dlpi_figure_job *job)
{
    return job->quick ? 10 : 60;
}

dlp_topics_settings dlpi_figure_settings(dlpi_figure_job *job, const char *method,
                                         const char *start, dlp_index K)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    settings.K = K;
    settings.method = method;
    settings.init = start;
    settings.threads = job->threads;
    settings.paper_covariance = 1; /* the paper's figures need the paper's rules */
    settings.smooth = 0.03;
    settings.tol = 5e-5;
    if (job->quick) settings.max_iter = 5;
    settings.progress = job->progress;
    settings.context = job->context;
    job->K = K;
    job->begins(job->context, method, K, job->train->words);
    return settings;
}

dlp_status dlpi_figure_fit(dlpi_figure_job *job, const dlp_topics_settings *settings,
                           dlp_ctm **ctm, dlp_error *error)
{
    DLP_TRY(dlp_ctm_alloc(job->train, NULL, settings, ctm, error));
    const dlp_status status = dlp_ctm_start(*ctm, error);
    dlp_ctm_run(*ctm);
    job->stopped =
        status == DLP_ECANCELLED || dlp_ctm_result(*ctm)->outcome == DLP_CANCELLED;
    if (status == DLP_OK || job->stopped) return DLP_OK;
    dlp_ctm_free(*ctm);
    *ctm = NULL;
    return status;
}

dlp_status dlpi_figure_score(const dlpi_figure_job *job, const char *method,
                             const dlp_ctm *ctm, double *heldout, dlp_error *error)
{
    dlp_document_settings document = dlp_document_settings_default();
    dlp_completion_settings settings = dlp_completion_settings_default();
    dlp_topics topics;
    dlp_completion held;
    document.method = method;
    settings.document = &document;
    settings.threads = job->threads;
    DLP_TRY(dlp_ctm_topics(ctm, &topics, error));
    const dlp_status status =
        dlp_topics_completion(&topics, &settings, job->test, NULL, &held, error);
    dlp_topics_free(&topics);
    *heldout = status == DLP_OK ? held.per_word : NAN;
    return status;
}
