/* SPDX-License-Identifier: BSD-3-Clause */
/* What was observed against what was fitted: one square chart with its numbers beside it,
   or one for each level of a response. Internal. */
#ifndef DLPI_REPORT_PLOT_CALIBRATION_H
#define DLPI_REPORT_PLOT_CALIBRATION_H

#include "report/svg.h"

/* Rows that were fitted alike: means, and an interval for what was observed. */
typedef struct dlpi_calibration_part {
    double fitted, observed, lower, upper;
    ptrdiff_t rows;
} dlpi_calibration_part;

typedef struct dlpi_calibration_point {
    double fitted, observed;
} dlpi_calibration_point;

typedef struct dlpi_calibration_series {
    const char *level; /* NULL: the response has none */
    ptrdiff_t parts, points;
    dlpi_calibration_part *part;   /* (parts) */
    dlpi_calibration_point *point; /* (points) single rows */
} dlpi_calibration_series;

typedef struct dlpi_calibration {
    dlpi_svg_page page;
    bool shares; /* from 0 to 1 */
    ptrdiff_t n;
    const dlpi_calibration_series *series; /* (n) */
} dlpi_calibration;

void dlpi_plot_calibration(FILE *out, const dlpi_calibration *plot);

#endif
