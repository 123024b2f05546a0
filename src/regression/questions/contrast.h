/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations of parameters, as they are typed. Internal. */
#ifndef DLPI_REGRESSION_CONTRAST_H
#define DLPI_REGRESSION_CONTRAST_H

#include <delaplace/draws.h>

#include "regression/questions/question.h"

typedef struct dlpi_contrast_name {
    const char *text;
    dlp_index block, index; /* of the parameter */
    dlp_parameter_kind kind;
    const dlp_margin *cuts; /* of dlpi_normal_cuts, or NULL */
    const double *draw; /* (S) where it is none, but an sd or a correlation; else NULL */
} dlpi_contrast_name;

typedef struct dlpi_contrast_names {
    struct dlpi_pool *pool;
    dlp_index n;
    dlpi_contrast_name *name; /* (n) */
    dlp_draws *draws;         /* to be freed */
} dlpi_contrast_names;

/* A number, a linear function of the parameters, or any other at each draw of them. */
typedef struct dlpi_contrast_value {
    double constant;
    double *a;    /* (B n) NULL: it is the constant */
    double *draw; /* (S) NULL: it is linear */
} dlpi_contrast_value;

/* contrast_names.c. The posterior of the mean of groups and of each. */
dlp_status dlpi_contrast_blocks(dlpi_question *q, dlp_error *error);
dlp_status dlpi_contrast_names_make(dlpi_question *q, dlpi_contrast_names *names,
                                    dlp_error *error);
dlp_status dlpi_contrast_value_of(dlpi_question *q, const dlpi_contrast_name *name,
                                  dlpi_contrast_value *out, dlp_error *error);

/* contrast_parse.c. The value of a text; *sign: 1 of >, -1 of <, else 0. Both sides of a
   comparison are subtracted. */
dlp_status dlpi_contrast_parse(dlpi_question *q, const dlpi_contrast_names *names,
                               const char *text, dlpi_contrast_value *out, int *sign,
                               dlp_error *error);
/* Into draws, where it is linear. */
dlp_status dlpi_contrast_draws(dlpi_question *q, dlpi_contrast_value *value,
                               dlp_error *error);

#endif
