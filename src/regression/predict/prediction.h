/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fitted regression predicts for rows, group by group. Internal. */
#ifndef DLPI_REGRESSION_PREDICTION_H
#define DLPI_REGRESSION_PREDICTION_H

#include <delaplace/prediction.h>

#include "glm/predict/predict.h"
#include "regression/prepare/grouped_rows.h"
#include "regression/regression.h"

/* Predictions of all rows; those not asked for are NULL. */
typedef struct dlpi_scores {
    dlp_glm_prediction out; /* in the order of the caller's data, not of the groups */
    double *memory;         /* to be freed */
} dlpi_scores;

/* The additions are in the order of `rows`. progress may be NULL. */
dlp_status dlpi_score(const dlp_regression *r, const dlpi_grouped_rows *rows,
                      const dlpi_added *added, dlp_predict what,
                      dlp_progress_call *progress, void *context, dlpi_scores *scores,
                      dlp_error *error);

/* The additions from that row on, with D linear predictors. */
dlpi_added dlpi_added_from(const dlpi_added *added, dlp_index row, dlp_index D,
                           dlp_index levels);
/* The posterior of group m, into Sigma; after the last group comes an unseen one. */
void dlpi_load_posterior(const dlp_regression_result *r, dlp_index m, const double **mu,
                         dlp_sym *Sigma);

/* Whether a rebuilt design has the p columns of the fit, after those skipped; and whether
   its response is of the kind that was fitted. */
dlp_status dlpi_check_columns(const dlp_regression_result *r, const dlp_design *design,
                              dlp_index p, dlp_index skipped, dlp_error *error);
dlp_status dlpi_check_response(const dlp_regression_result *r, const dlp_design *design,
                               dlp_error *error);

/* The most probable level of a row; the first of several equal ones. */
dlp_index dlpi_best_level(dlp_index levels, const double *probability);

struct dlp_prediction {
    const dlp_regression *regression;
    const dlp_table *table;
    dlp_predict what;
    dlp_design *design;
    double *code;           /* the response of categories as numbers */
    double *random;         /* for a mixed model: (N, predictors) means of random effects,
                               with the offset; else NULL */
    dlpi_added added;       /* what else these add; after it in memory */
    dlp_glm_data data;      /* in the order of the table */
    dlpi_grouped_rows rows; /* and of the groups */
    dlpi_scores scores;
    dlp_prediction_result result;
};

/* Which row in the table's order is at place i in the groups' order. Sums use the
   latter. */
static inline dlp_index dlpi_row_at(const dlp_prediction *p, dlp_index i)
{
    return p->rows.order ? p->rows.order[i] : i;
}

/* count_new_groups.c. Counts the groups that the fit did not see, and their rows. */
dlp_status dlpi_count_new_groups(dlp_prediction *p, dlp_error *error);
/* count_new_levels.c. The same for a mixed model: the levels of all groupings, and rows
   with one of them. */
dlp_status dlpi_count_new_levels(dlp_prediction *p, dlp_error *error);

#endif
