/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of which one is a combination of others. Internal. */
#ifndef DLPI_REGRESSION_COLLINEAR_H
#define DLPI_REGRESSION_COLLINEAR_H

#include "regression/regression.h"

enum { DLPI_MOST_COLLINEAR = 4 };

/* The first column that the ones before it make up, but for rounding. */
typedef struct dlpi_collinear {
    dlp_index column;                    /* -1: there is none */
    dlp_index n;                         /* of those that make it up */
    dlp_index with[DLPI_MOST_COLLINEAR]; /* the first of them */
} dlpi_collinear;

/* O(N p^2); nothing is found where that would take long, or without memory, and where there are
   as many columns as rows, of which there is always one. */
dlpi_collinear dlpi_collinear_find(const dlp_glm_data *data);

/* How many columns there are that those before them do not make up; all of them where
   dlpi_collinear_find finds nothing. */
dlp_index dlpi_column_rank(const dlp_glm_data *data);

#endif
