/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/study/figure.h"

#include "cli/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

dlp_status cli_figure_add(cli_figure *figure, const cli_figure_row *row, dlp_error *error)
{
    if (figure->n == figure->room) {
        const dlp_index room = 2 * figure->room + 64;
        cli_figure_row *more = realloc(figure->row, (size_t)room * sizeof *more);
        if (!more) return dlp_fail(error, DLP_ENOMEM, "not enough memory for a figure");
        figure->row = more;
        figure->room = room;
    }
    figure->row[figure->n++] = *row;
    return DLP_OK;
}

void cli_figure_clear(cli_figure *figure)
{
    free(figure->row);
    figure->row = NULL;
    figure->n = figure->room = 0;
}

dlp_index cli_figure_curve_end(const cli_figure *figure, dlp_index i)
{
    const cli_figure_row *first = &figure->row[i];
    while (i < figure->n && !strcmp(figure->row[i].method, first->method) &&
           !strcmp(figure->row[i].start, first->start))
        i++;
    return i;
}

int cli_figure_curves(const cli_figure *figure)
{
    int curves = 0;
    for (dlp_index i = 0; i < figure->n; i = cli_figure_curve_end(figure, i)) curves++;
    return curves;
}

double cli_figure_topics(const cli_figure_row *row)
{
    return (double)row->K;
}

double cli_figure_iteration(const cli_figure_row *row)
{
    return row->iteration;
}

double cli_figure_documents(const cli_figure_row *row)
{
    return (double)row->documents;
}

double cli_figure_seconds(const cli_figure_row *row)
{
    return row->seconds;
}

double cli_figure_log_evidence(const cli_figure_row *row)
{
    return row->log_evidence;
}

double cli_figure_heldout(const cli_figure_row *row)
{
    return row->heldout;
}

/* ---- fits ---- */

dlp_index cli_figure_one_k(const cli_figure_job *job)
{
    return job->quick ? 10 : 60;
}

dlp_topics_settings cli_figure_settings(cli_figure_job *job, const char *method,
                                        const char *start, dlp_index K)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    char head[64];
    settings.K = K;
    settings.method = method;
    settings.init = start;
    settings.threads = job->threads;
    settings.paper_covariance = 1; /* the paper's figures need the paper's rules */
    settings.smooth = 0.03;
    settings.tol = 5e-5;
    if (job->quick) settings.max_iter = 5;
    settings.progress = cli_progress_call;
    settings.context = job->progress;
    job->K = K;
    snprintf(head, sizeof head, "%s, %td topics", method, K);
    cli_progress_restart(job->progress, head);
    job->progress->what = "log evidence per word";
    job->progress->per = (double)job->train->words;
    return settings;
}

dlp_status cli_figure_fit(cli_figure_job *job, const dlp_topics_settings *settings,
                          dlp_ctm **ctm, dlp_error *error)
{
    CLI_TRY(dlp_ctm_alloc(job->train, NULL, settings, ctm, error));
    const dlp_status status = dlp_ctm_start(*ctm, error);
    dlp_ctm_run(*ctm);
    job->stopped =
        status == DLP_ECANCELLED || dlp_ctm_result(*ctm)->outcome == DLP_CANCELLED;
    if (status == DLP_OK || job->stopped) return DLP_OK;
    dlp_ctm_free(*ctm);
    *ctm = NULL;
    return status;
}

dlp_status cli_figure_score(const cli_figure_job *job, const char *method,
                            const dlp_ctm *ctm, double *heldout, dlp_error *error)
{
    dlp_document_settings document = dlp_document_settings_default();
    dlp_completion_settings settings = dlp_completion_settings_default();
    dlp_topics topics;
    dlp_completion held;
    document.method = method;
    settings.document = &document;
    settings.threads = job->threads;
    CLI_TRY(dlp_ctm_topics(ctm, &topics, error));
    const dlp_status status =
        dlp_topics_completion(&topics, &settings, job->test, NULL, &held, error);
    dlp_topics_free(&topics);
    *heldout = status == DLP_OK ? held.per_word : NAN;
    return status;
}
