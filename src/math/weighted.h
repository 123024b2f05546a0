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

/* Where the weight of sorted ones, 1 in all, adds up to p: half of each counts before its
   value. */
double dlpi_weighted_quantile(dlp_index n, const dlpi_weighted *w, double p);

#endif
