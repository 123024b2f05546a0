/* SPDX-License-Identifier: BSD-3-Clause */
/* What the weak priors of plain columns and of factors share. Internal. */
#ifndef DLPI_REGRESSION_WEAK_H
#define DLPI_REGRESSION_WEAK_H

#include "regression/prepare/intercept.h"
#include "table/design/margins.h"

typedef struct dlpi_weak {
    const dlpi_prepared *prepared;
    const dlp_glm_data *data;
    dlpi_intercept intercept;
    double unit;     /* the unit of the predictor */
    double level_sd; /* the sd of the predictor's level at the columns' means */
    bool joint;      /* coefficients may have a covariance */
    dlpi_prior_choice *out;
} dlpi_weak;

/* Sets out->sd, the amount by which one spread of a column moves the predictor, if all
   columns together count as `count`. means: nothing absorbs the level, so columns
   represent means. */
void dlpi_weak_spread(const dlpi_weak *w, double count, bool means);
/* The sd of the coefficient of a column with that spread. */
double dlpi_weak_sd(const dlpi_weak *w, double spread);
void dlpi_weak_state(const dlpi_weak *w, dlp_index j, double sd);
/* Refuses a column of that term if sd, that of the part it does not share with others, is
   lost to rounding next to the size of its numbers. */
dlp_status dlpi_weak_check_digits(const dlpi_weak *w, const char *name, dlp_index term,
                                  double sd, double size, dlp_error *error);

#endif
