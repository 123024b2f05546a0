/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paper's figures on the correlated topic model (Sections 3.4 and 5.1). A figure is a
 * list of rows of measurements; its panels say which columns to draw.
 *
 * cmd_figures.c is the command; each figure has a file that measures it
 * (figures_convergence.c, _topics.c, _time.c); figure.c is what they share;
 * figure_write.c turns the rows into CSV, SVG and JSON, figure_print.c into a table.
 */
#ifndef DLP_CLI_STUDY_FIGURE_H
#define DLP_CLI_STUDY_FIGURE_H

#include "cli/progress.h"

#include <jansson.h>

/* ---- what was measured ---- */

/* The first few topic methods are the paper's; the figures compare only these. */
enum { CLI_FIGURE_METHODS = 3 };

/* A point of a curve. A figure's panels say which fields it uses. */
typedef struct cli_figure_row {
    const char *method;
    const char *start; /* "spectral" or "random" topics */
    dlp_index K;
    int iteration;       /* of Figure 1 or of EM */
    dlp_index documents; /* not yet settled */
    dlp_index decreases; /* of the objective: documents, or EM iterations so far */
    double seconds;      /* so far */
    double log_evidence; /* eq:monitor, completed, per word */
    double heldout;      /* held-out log likelihood per word; NaN: not measured here */
    dlp_outcome outcome;
} cli_figure_row;

typedef double cli_figure_column(const cli_figure_row *row);
cli_figure_column cli_figure_topics, cli_figure_iteration, cli_figure_documents,
    cli_figure_seconds, cli_figure_log_evidence, cli_figure_heldout;

typedef struct cli_figure_panel {
    const char *title, *x_label, *y_label;
    bool log_x;
    cli_figure_column *x, *y;
} cli_figure_panel;

enum { CLI_PANELS = 2 };

struct cli_figure_job;

/* A figure and, once it has run, its rows: curve by curve, each curve's points in
   order. */
typedef struct cli_figure {
    const char *name;  /* "topics": for its files and --figure */
    const char *title; /* of the picture */
    bool marked;       /* draw marks at the points */
    cli_figure_panel panel[CLI_PANELS];
    /* Makes the measurements and adds the rows. */
    dlp_status (*run)(struct cli_figure_job *job, struct cli_figure *figure,
                      dlp_error *error);
    void (*print)(const struct cli_figure *figure);

    /* Everything below is zero until it runs. */
    dlp_index n, room;
    cli_figure_row *row; /* (n) */
} cli_figure;

dlp_status cli_figure_add(cli_figure *figure, const cli_figure_row *row,
                          dlp_error *error);
void cli_figure_clear(cli_figure *figure);
/* One past the last row of the curve that begins at row i. */
dlp_index cli_figure_curve_end(const cli_figure *figure, dlp_index i);
/* How many curves there are. */
int cli_figure_curves(const cli_figure *figure);

/* ---- measuring ---- */

typedef struct cli_figure_job {
    const dlp_corpus *train, *test;
    int threads;
    bool quick; /* few topics, iterations and documents */
    cli_progress *progress;
    bool stopped; /* by a signal */

    dlp_index K; /* of the current fit */
} cli_figure_job;

/* The number of topics for figures that use only one. */
dlp_index cli_figure_one_k(const cli_figure_job *job);

/* The settings of a fit that shows progress and stops on signals. */
dlp_topics_settings cli_figure_settings(cli_figure_job *job, const char *method,
                                        const char *start, dlp_index K);
/* Runs a fit to its end. On success the caller frees *ctm; job->stopped may be set. */
dlp_status cli_figure_fit(cli_figure_job *job, const dlp_topics_settings *settings,
                          dlp_ctm **ctm, dlp_error *error);
/* The held-out log likelihood per word of a fit in its current state. */
dlp_status cli_figure_score(const cli_figure_job *job, const char *method,
                            const dlp_ctm *ctm, double *heldout, dlp_error *error);

/* ---- the figures ---- */

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
