/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a fit approximates: the log posterior of its parameters, given the rows of a table
 * and the prior of the fit. Internal.
 */
#ifndef DLPI_REGRESSION_TARGET_H
#define DLPI_REGRESSION_TARGET_H

#include "regression/prepare/grouped_rows.h"
#include "regression/prepare/precision.h"
#include "regression/regression.h"

/* Empty when zeroed. */
typedef struct dlpi_target {
    const dlp_regression *of;
    const dlp_table *table;
    dlp_design *design;
    double *code;              /* a response of categories as numbers */
    dlp_glm_data data;         /* in the order of the table */
    dlpi_grouped_rows rows;    /* and of the groups */
    dlpi_precise_rows precise; /* data and rows are scaled by their precision */
    double *centre;   /* (p) ordinal: columns are measured from here, as in the fit */
    double *X;        /* (p, N) */
    const double **x; /* (p) columns of X */
} dlpi_target;

/* The rows of the table must be those that were fitted, unless any_rows. problem may be
   NULL. DLP_EINVAL for a regression that has no such posterior: hierarchies, unless asked
   for; it is then the posterior of a group given mu0, Sigma0 and what the groups
   share. */
dlp_status dlpi_target_make(const dlp_regression *regression, const dlp_table *table,
                            bool any_rows, bool hierarchies, dlp_design_problem *problem,
                            dlpi_target *target, dlp_error *error);
void dlpi_target_clear(dlpi_target *target);

/* The regression of group m (0 without groups), or of other rows. */
dlp_status dlpi_target_glm(const dlpi_target *target, const dlp_glm_data *rows,
                           dlp_glm **glm, dlp_error *error);
/* How many parameters vary by group; they come first: all but a scale that the groups
   share. */
dlp_index dlpi_target_varies(const dlp_regression_result *r);
/* The posterior that was fitted to group m, in the variables of that regression: mu (n) and
   Sigma (n, n). */
void dlpi_target_posterior(const dlpi_target *target, dlp_index m, double *mu,
                           double *Sigma);
/* Transforms S draws theta (S, n) from those variables to the regression's own. */
void dlpi_target_back(const dlpi_target *target, dlp_index S, double *theta);

#endif
