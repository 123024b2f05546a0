/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paper's figures on the correlated topic model: which columns of the measurements
 * (study/figure.h) the panels draw. cmd_figures.c is the command; figures.c the three
 * figures; figure_write.c turns the rows into CSV, SVG and JSON, figure_print.c into a table.
 */
#ifndef DLP_CLI_STUDY_FIGURE_H
#define DLP_CLI_STUDY_FIGURE_H

#include "study/figure.h"

#include <jansson.h>

typedef double cli_figure_column(const dlpi_figure_row *row);
cli_figure_column cli_figure_topics, cli_figure_iteration, cli_figure_documents,
    cli_figure_seconds, cli_figure_log_evidence, cli_figure_heldout;

typedef struct cli_figure_panel {
    const char *title, *x_label, *y_label;
    bool log_x;
    cli_figure_column *x, *y;
} cli_figure_panel;

enum { CLI_PANELS = 2 };

/* A figure and, once it has run, its rows. */
typedef struct cli_figure {
    const char *name;  /* "topics": for its files and --figure */
    const char *title; /* of the picture */
    bool marked;       /* draw marks at the points */
    cli_figure_panel panel[CLI_PANELS];
    dlpi_figure_measure *run;
    void (*print)(const struct cli_figure *figure);

    dlpi_figure_rows rows; /* zero until it runs */
} cli_figure;

extern const cli_figure cli_figure_of_convergence, cli_figure_of_topics,
    cli_figure_of_time;

/* ---- reports ---- */

dlp_status cli_figure_write_csv(const cli_figure *figure, const char *path,
                                dlp_error *error);
dlp_status cli_figure_write_svg(const cli_figure *figure, const char *path,
                                dlp_error *error);
json_t *cli_figure_json(const cli_figure *figure); /* NULL when out of memory */

/* As text: how Figure 1 went, a table by K, and how each fit ended. */
void cli_figure_print_convergence(const cli_figure *figure);
void cli_figure_print_topics(const cli_figure *figure);
void cli_figure_print_time(const cli_figure *figure);

#endif
