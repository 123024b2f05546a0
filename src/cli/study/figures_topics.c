/* SPDX-License-Identifier: BSD-3-Clause */
/* Bound and held-out likelihood against the number of topics. */
#include "cli/message.h"
#include "cli/study/figure.h"

#include <math.h>

static const char *const starts[] = {"spectral", "random"};
enum { STARTS = sizeof starts / sizeof *starts };

static dlp_status add_fit(cli_figure_job *job, cli_figure *figure, const char *method,
                          const char *start, dlp_index K, dlp_error *error)
{
    const dlp_topics_settings settings = cli_figure_settings(job, method, start, K);
    cli_figure_row row = {.method = method, .start = start, .K = K, .seconds = NAN};
    dlp_ctm *ctm = NULL;
    CLI_TRY(cli_figure_fit(job, &settings, &ctm, error));
    const dlp_topics_result *r = dlp_ctm_result(ctm);
    row.iteration = r->iterations;
    row.documents = r->unsettled;
    row.decreases = r->decreases;
    row.log_evidence = r->objective_per_word;
    row.outcome = r->outcome;
    dlp_status status = DLP_OK;
    if (!job->stopped) status = cli_figure_score(job, method, ctm, &row.heldout, error);
    dlp_ctm_free(ctm);
    if (status != DLP_OK || job->stopped) return status;
    return cli_figure_add(figure, &row, error);
}

static dlp_status add_curve(cli_figure_job *job, cli_figure *figure, const char *method,
                            const char *start, dlp_error *error)
{
    const dlp_index step = job->quick ? 5 : 10, last = job->quick ? 10 : 100;
    for (dlp_index K = step; K <= last && !job->stopped; K += step)
        CLI_TRY(add_fit(job, figure, method, start, K, error));
    return DLP_OK;
}

static dlp_status run(cli_figure_job *job, cli_figure *figure, dlp_error *error)
{
    for (int j = 0; j < STARTS; j++)
        for (int i = 0; i < CLI_FIGURE_METHODS; i++)
            CLI_TRY(add_curve(job, figure, dlp_topics_method(i), starts[j], error));
    return DLP_OK;
}

const cli_figure cli_figure_of_topics = {
    .name = "topics",
    .title = "Correlated topic models by the number of topics",
    .marked = true,
    .panel =
        {
            {.title = "Approximate evidence, training documents",
             .x_label = "topics",
             .y_label = "log evidence per word",
             .x = cli_figure_topics,
             .y = cli_figure_log_evidence},
            {.title = "Held-out documents",
             .x_label = "topics",
             .y_label = "log likelihood per word",
             .x = cli_figure_topics,
             .y = cli_figure_heldout},
        },
    .run = run,
    .print = cli_figure_print_topics,
};
