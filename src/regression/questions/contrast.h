/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations of parameters, as the user types them. Internal. */
#ifndef DLPI_REGRESSION_CONTRAST_H
#define DLPI_REGRESSION_CONTRAST_H

#include <delaplace/draws.h>

#include "regression/questions/question.h"

typedef struct dlpi_contrast_name {
    const char *text;
    dlp_index block, index; /* of the parameter */
    dlp_parameter_kind kind;
    const dlp_margin *cuts; /* of dlpi_normal_cuts, or NULL */
    const double *draw;     /* (S) for an sd or a correlation; NULL for a parameter */
} dlpi_contrast_name;

typedef struct dlpi_contrast_names {
    struct dlpi_pool *pool;
    dlp_index n;
    dlpi_contrast_name *name; /* (n) */
    dlp_draws *draws;         /* to be freed */
} dlpi_contrast_names;

/* A number, a linear function of the parameters, or any other function at each draw of
   them. */
typedef struct dlpi_contrast_value {
    double constant;
    double *a;    /* (B n) NULL: it is the constant */
    double *draw; /* (S) NULL: it is linear */
} dlpi_contrast_value;

/* contrast_names.c. The posterior of the groups' mean and of each group. */
dlp_status dlpi_contrast_blocks(dlpi_question *q, dlp_error *error);
dlp_status dlpi_contrast_names_make(dlpi_question *q, dlpi_contrast_names *names,
                                    dlp_error *error);
dlp_status dlpi_contrast_value_of(dlpi_question *q, const dlpi_contrast_name *name,
                                  dlpi_contrast_value *out, dlp_error *error);

/* contrast_parse.c. The value of a text; *sign: 1 for >, -1 for <, else 0. The right side
   of a comparison is subtracted from the left. */
dlp_status dlpi_contrast_parse(dlpi_question *q, const dlpi_contrast_names *names,
                               const char *text, dlpi_contrast_value *out, int *sign,
                               dlp_error *error);

#endif
