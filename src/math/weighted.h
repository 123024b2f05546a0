/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers with weights. Internal. */
#ifndef DLPI_MATH_WEIGHTED_H
#define DLPI_MATH_WEIGHTED_H

#include <delaplace/status.h>

typedef struct dlpi_weighted {
    double value, weight;
} dlpi_weighted;

/* By value, ascending. */
void dlpi_weighted_sort(dlp_index n, dlpi_weighted *w);

/* The quantile p of sorted numbers whose weights sum to 1: half of each weight counts as
   below its value. */
double dlpi_weighted_quantile(dlp_index n, const dlpi_weighted *w, double p);

#endif
