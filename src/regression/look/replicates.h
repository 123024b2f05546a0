/* SPDX-License-Identifier: BSD-3-Clause */
/* What is computed from replicated responses: statistics, bins, and parts by columns.
   Internal. */
#ifndef DLPI_REGRESSION_REPLICATES_H
#define DLPI_REGRESSION_REPLICATES_H

#include "regression/look/look.h"

enum { DLPI_MOST_STATISTICS = 8 };

/* The numbers of the observed responses, and of each draw. */
typedef struct dlpi_replicate_table {
    dlp_index N, draws;
    dlp_index told; /* rows with a response; those without a trial have none */
    bool logs;      /* bins are evenly spaced in the logarithm */
    bool single;    /* each bin is a whole number */
    bool whole;     /* bins are of whole numbers */
    dlp_index n_statistics, n_bins;
    int statistic[DLPI_MOST_STATISTICS]; /* which they are */
    double from, width;                  /* of the bins between the first and the last */
    const char **label;                  /* (n_bins) */
    dlpi_look_column *column;
    dlp_index n_columns, parts; /* of all columns */
    dlp_index numbers;          /* n_statistics + n_bins + 2 parts */
    double *value;              /* (draws + 1, numbers); the last are those observed */
    double *sorted;             /* (draws) */
} dlpi_replicate_table;

dlp_status dlpi_replicate_table_make(const dlp_prediction *p, const dlp_look_settings *s,
                                     struct dlpi_pool *pool, dlpi_replicate_table *t,
                                     dlp_error *error);
/* Computes the numbers of y (N) as draw s; missing values (NaN) are removed from y.
   Threads may process different draws. */
void dlpi_replicate_table_count(const dlpi_replicate_table *t, double *y, dlp_index s);
dlp_status dlpi_replicate_table_finish(const dlpi_replicate_table *t,
                                       struct dlpi_pool *pool, dlp_replicates *out,
                                       dlp_error *error);
void dlpi_replicate_table_clear(dlpi_replicate_table *t);

#endif
