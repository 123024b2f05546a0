/* SPDX-License-Identifier: BSD-3-Clause */
/* Bound and held-out likelihood against the number of topics. */
#include "study/figure.h"

#include "core/core.h"

#include <math.h>

static const char *const starts[] = {"spectral", "random"};
enum { STARTS = sizeof starts / sizeof *starts };

static dlp_status add_fit(dlpi_figure_job *job, dlpi_figure_rows *rows,
                          const char *method, const char *start, dlp_index K,
                          dlp_error *error)
{
    const dlp_topics_settings settings = dlpi_figure_settings(job, method, start, K);
    dlpi_figure_row row = {.method = method, .start = start, .K = K, .seconds = NAN};
    dlp_ctm *ctm = NULL;
    DLP_TRY(dlpi_figure_fit(job, &settings, &ctm, error));
    const dlp_topics_result *r = dlp_ctm_result(ctm);
    row.iteration = r->iterations;
    row.documents = r->unsettled;
    row.decreases = r->decreases;
    row.log_evidence = r->objective_per_word;
    row.outcome = r->outcome;
    dlp_status status = DLP_OK;
    if (!job->stopped) status = dlpi_figure_score(job, method, ctm, &row.heldout, error);
    dlp_ctm_free(ctm);
    if (status != DLP_OK || job->stopped) return status;
    return dlpi_figure_add(rows, &row, error);
}

static dlp_status add_curve(dlpi_figure_job *job, dlpi_figure_rows *rows,
                            const char *method, const char *start, dlp_error *error)
{
    const dlp_index step = job->quick ? 5 : 10, last = job->quick ? 10 : 100;
    for (dlp_index K = step; K <= last && !job->stopped; K += step)
        DLP_TRY(add_fit(job, rows, method, start, K, error));
    return DLP_OK;
}

dlp_status dlpi_figure_by_topics(dlpi_figure_job *job, dlpi_figure_rows *rows,
                                 dlp_error *error)
{
    for (int j = 0; j < STARTS; j++)
        for (int i = 0; i < DLPI_FIGURE_METHODS; i++)
            DLP_TRY(add_curve(job, rows, dlp_topics_method(i), starts[j], error));
    return DLP_OK;
}
