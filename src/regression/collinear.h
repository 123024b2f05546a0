/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds columns that are combinations of others. Internal. */
#ifndef DLPI_REGRESSION_COLLINEAR_H
#define DLPI_REGRESSION_COLLINEAR_H

#include "regression/regression.h"

enum { DLPI_MOST_COLLINEAR = 4 };

/* The first column that is a combination of earlier ones, up to rounding. */
typedef struct dlpi_collinear {
    dlp_index column;                    /* -1: there is none */
    dlp_index n;                         /* how many make it up */
    dlp_index with[DLPI_MOST_COLLINEAR]; /* the first of them */
} dlpi_collinear;

/* O(N p^2). Finds nothing if that would take too long, without memory, or with at least
   as many columns as rows, where there always is one. spill: where rows are. */
dlpi_collinear dlpi_collinear_find(const dlp_glm_data *data, dlpi_spill *spill);

/* The number of columns that are not combinations of earlier ones; all of them if
   dlpi_collinear_find finds nothing. */
dlp_index dlpi_column_rank(const dlp_glm_data *data, dlpi_spill *spill);

#endif
