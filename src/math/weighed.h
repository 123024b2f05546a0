/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers with weights. Internal. */
#ifndef DLPI_MATH_WEIGHED_H
#define DLPI_MATH_WEIGHED_H

#include <delaplace/status.h>

typedef struct dlpi_weighed {
    double value, weight;
} dlpi_weighed;

/* By value, ascending. */
void dlpi_weighed_sort(dlp_index n, dlpi_weighed *w);

/* Where the weight of sorted ones, 1 in all, adds up to p: half of each counts before its
   value. */
double dlpi_weighed_quantile(dlp_index n, const dlpi_weighed *w, double p);

#endif
