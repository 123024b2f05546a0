/* SPDX-License-Identifier: BSD-3-Clause */
/* The three figures: what their panels show. */
#include "cli/study/figure.h"

/* ---- columns ---- */

double cli_figure_topics(const dlpi_figure_row *row)
{
    return (double)row->K;
}

double cli_figure_iteration(const dlpi_figure_row *row)
{
    return row->iteration;
}

double cli_figure_documents(const dlpi_figure_row *row)
{
    return (double)row->documents;
}

double cli_figure_seconds(const dlpi_figure_row *row)
{
    return row->seconds;
}

double cli_figure_log_evidence(const dlpi_figure_row *row)
{
    return row->log_evidence;
}

double cli_figure_heldout(const dlpi_figure_row *row)
{
    return row->heldout;
}

/* ---- figures ---- */

const cli_figure cli_figure_of_convergence = {
    .name = "convergence",
    .title = "Inference of documents, iteration by iteration",
    .panel =
        {
            {.title = "Objective",
             .x_label = "iteration of Figure 1",
             .y_label = "log evidence per word",
             .log_x = true,
             .x = cli_figure_iteration,
             .y = cli_figure_log_evidence},
            {.title = "Documents that have not converged",
             .x_label = "iteration of Figure 1",
             .y_label = "documents",
             .log_x = true,
             .x = cli_figure_iteration,
             .y = cli_figure_documents},
        },
    .run = dlpi_figure_convergence,
    .print = cli_figure_print_convergence,
};

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
    .run = dlpi_figure_by_topics,
    .print = cli_figure_print_topics,
};

const cli_figure cli_figure_of_time = {
    .name = "time",
    .title = "Correlated topic models while they are fitted",
    .panel =
        {
            {.title = "Approximate evidence, training documents",
             .x_label = "CPU seconds, one thread",
             .y_label = "log evidence per word",
             .log_x = true,
             .x = cli_figure_seconds,
             .y = cli_figure_log_evidence},
            {.title = "Held-out documents",
             .x_label = "CPU seconds, one thread",
             .y_label = "log likelihood per word",
             .log_x = true,
             .x = cli_figure_seconds,
             .y = cli_figure_heldout},
        },
    .run = dlpi_figure_over_time,
    .print = cli_figure_print_time,
};
