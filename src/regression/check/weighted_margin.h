/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments and quantiles of a number from weighted draws. Internal. */
#ifndef DLPI_REGRESSION_WEIGHTED_MARGIN_H
#define DLPI_REGRESSION_WEIGHTED_MARGIN_H

#include <delaplace/status.h>

typedef struct dlpi_twice_weighted {
    double value, weight[2];
} dlpi_twice_weighted;

typedef struct dlpi_weighted_margin {
    double mean, sd, skewness, kurtosis /* beyond the normal's */, lower, median, upper;
} dlpi_weighted_margin;

/* Sorts S draws by value. */
void dlpi_twice_weighted_sort(dlp_index S, dlpi_twice_weighted *draw);
/* For sorted draws, with the weights weight[which], which add up to 1. */
dlpi_weighted_margin dlpi_weighted_margin_of(dlp_index S, const dlpi_twice_weighted *draw,
                                             int which);

#endif
