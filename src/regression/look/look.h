/* SPDX-License-Identifier: BSD-3-Clause */
/* What residuals and replicates share: rows with their responses, and their division into
   parts by columns. Internal. */
#ifndef DLPI_REGRESSION_LOOK_H
#define DLPI_REGRESSION_LOOK_H

#include <delaplace/look.h>

#include "core/pool.h"
#include "glm/predict/left_out.h"
#include "regression/predict/prediction.h"

/* The settings, checked and with defaults filled in. */
dlp_status dlpi_look_settings(const dlp_look_settings *given, dlp_look_settings *full,
                              dlp_error *error);

/* The rows of the table as the fit uses them; they must be those that were fitted, unless
   any_rows. */
dlp_status dlpi_look_rows(const dlp_regression *regression, const dlp_table *table,
                          const dlp_look_settings *s, bool any_rows,
                          dlp_prediction **prediction, dlp_error *error);
/* The response of each row as a number: see dlp_residuals. */
void dlpi_look_responses(const dlp_prediction *p, double *response);

/* left_out_groups.c. Leaves rows out of the posteriors of all groups, in the order of the
   groups. */
dlp_status dlpi_left_out_groups(const dlp_prediction *p, bool as_new,
                                const dlpi_left_out *out, dlp_error *error);

/* A column, or another number per row, and the part to which each row belongs. */
typedef struct dlpi_look_column {
    dlp_look_by by;
    dlp_look_part *part; /* by.part */
    int32_t *of;         /* (N) the part of a row; -1: none */
} dlpi_look_column;

/* The columns to look by: `fitted` (N) first, unless NULL, then the columns of the
   formula, groups, and settings.by. All in the pool. */
dlp_status dlpi_look_columns(const dlp_prediction *p, const dlp_look_settings *s,
                             const double *fitted, struct dlpi_pool *pool,
                             dlpi_look_column **column, dlp_index *n, dlp_error *error);

#endif
