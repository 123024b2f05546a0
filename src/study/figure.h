/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paper's figures on the correlated topic model (Sections 3.4 and 5.1), measured by a
 * program of the library: each figure has a file that adds its rows (figure_convergence.c,
 * _topics.c, _time.c); figure.c is what they share. The command line draws them
 * (src/cli/study). Internal.
 */
#ifndef DLPI_STUDY_FIGURE_H
#define DLPI_STUDY_FIGURE_H

#include <delaplace.h>
#include <stdbool.h>

/* ---- what is measured ---- */

/* The first few topic methods are the paper's; the figures compare only these. */
enum { DLPI_FIGURE_METHODS = 3 };

/* A point of a curve. A figure's panels say which fields it uses. */
typedef struct dlpi_figure_row {
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
} dlpi_figure_row;

/* Curve by curve, each curve's points in order. */
typedef struct dlpi_figure_rows {
    dlp_index n, room;
    dlpi_figure_row *row; /* (n) */
} dlpi_figure_rows;

dlp_status dlpi_figure_add(dlpi_figure_rows *rows, const dlpi_figure_row *row,
                           dlp_error *error);
void dlpi_figure_clear(dlpi_figure_rows *rows);
/* One past the last row of the curve that begins at row i. */
dlp_index dlpi_figure_curve_end(const dlpi_figure_rows *rows, dlp_index i);
/* How many curves there are. */
int dlpi_figure_curves(const dlpi_figure_rows *rows);

/* ---- measuring ---- */

typedef struct dlpi_figure_job {
    const dlp_corpus *train, *test;
    int threads;
    bool quick; /* few topics, iterations and documents */
    /* A fit by this method begins, then reports to `progress`; `stop`, without a context or
       progress, says whether to stop. */
    void (*begins)(void *context, const char *method, dlp_index K, dlp_index words);
    dlp_progress_call *progress, *stop;
    void *context;

    bool stopped; /* set if one of these said so */
    dlp_index K;  /* of the current fit */
} dlpi_figure_job;

/* Every fifth document, from the fifth on, is a test document. */
dlp_status dlpi_figure_split(const dlp_corpus *corpus, dlp_corpus **train,
                             dlp_corpus **test, dlp_error *error);

/* The number of topics for figures that use only one. */
dlp_index dlpi_figure_one_k(const dlpi_figure_job *job);

/* The settings of a fit that reports to the job. */
dlp_topics_settings dlpi_figure_settings(dlpi_figure_job *job, const char *method,
                                         const char *start, dlp_index K);
/* Runs a fit to its end. On success the caller frees *ctm; job->stopped may be set. */
dlp_status dlpi_figure_fit(dlpi_figure_job *job, const dlp_topics_settings *settings,
                           dlp_ctm **ctm, dlp_error *error);
/* The held-out log likelihood per word of a fit in its current state. */
dlp_status dlpi_figure_score(const dlpi_figure_job *job, const char *method,
                             const dlp_ctm *ctm, double *heldout, dlp_error *error);

/* ---- the figures ---- */

/* Makes the measurements and adds the rows. */
typedef dlp_status dlpi_figure_measure(dlpi_figure_job *job, dlpi_figure_rows *rows,
                                       dlp_error *error);
dlpi_figure_measure dlpi_figure_convergence, dlpi_figure_by_topics, dlpi_figure_over_time;

#endif
