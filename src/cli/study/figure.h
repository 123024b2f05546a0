/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paper's figures on the correlated topic model (Sections 3.4 and 5.1). A figure is a
 * list of rows, what was measured; its panels say which columns are drawn.
 *
 * cmd_figures.c is the command; each figure has a file that measures it
 * (figures_convergence.c, _topics.c, _time.c); figure.c is what they share,
 * figure_write.c makes CSV, SVG and JSON of the rows, figure_print.c a table.
 */
#ifndef DLP_CLI_STUDY_FIGURE_H
#define DLP_CLI_STUDY_FIGURE_H

#include "cli/progress.h"

#include <jansson.h>

/* ---- what was measured ---- */

/* The first of the methods for topics are the paper's, which figures compare. */
enum { CLI_FIGURE_METHODS = 3 };

/* A point of a curve. Which fields a figure uses is told by its panels. */
typedef struct cli_figure_row {
    const char *method;
    const char *start; /* "spectral" or "random" topics */
    dlp_index K;
    int iteration;       /* of Figure 1 or of EM */
    dlp_index documents; /* that were not settled yet */
    dlp_index decreases; /* documents, or EM iterations so far, whose objective fell */
    double seconds;      /* so far */
    double log_evidence; /* eq:monitor, completed, a word */
    double heldout;      /* held-out log likelihood a word; NaN: not measured here */
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

/* A figure, and once it has run its rows: curve by curve, the points of each in order. */
typedef struct cli_figure {
    const char *name;  /* "topics": of its files, and for --figure */
    const char *title; /* of the picture */
    bool marked;       /* points have marks */
    cli_figure_panel panel[CLI_PANELS];
    /* Measures it. */
    dlp_status (*run)(struct cli_figure_job *job, struct cli_figure *figure,
                      dlp_error *error);
    void (*print)(const struct cli_figure *figure);

    /* From here on zero until it runs. */
    dlp_index n, room;
    cli_figure_row *row; /* (n) */
} cli_figure;

dlp_status cli_figure_add(cli_figure *figure, const cli_figure_row *row,
                          dlp_error *error);
void cli_figure_clear(cli_figure *figure);
/* Where the curve that begins at row i ends: one behind its last row. */
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

    dlp_index K; /* of the fit that runs */
} cli_figure_job;

/* The number of topics of the figures that have only one. */
dlp_index cli_figure_one_k(const cli_figure_job *job);

/* The settings of a fit, which shows itself and stops on signals. */
dlp_topics_settings cli_figure_settings(cli_figure_job *job, const char *method,
                                        const char *start, dlp_index K);
/* A fit to its end. On success *ctm is to be freed; job->stopped may be set. */
dlp_status cli_figure_fit(cli_figure_job *job, const dlp_topics_settings *settings,
                          dlp_ctm **ctm, dlp_error *error);
/* The held-out log likelihood a word of a fit as it is now. */
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
json_t *cli_figure_json(const cli_figure *figure); /* NULL without memory */

/* For people: how Figure 1 went, a table by K, and how each fit ended. */
void cli_figure_print_convergence(const cli_figure *figure);
void cli_figure_print_topics(const cli_figure *figure);
void cli_figure_print_time(const cli_figure *figure);

#endif
