/* SPDX-License-Identifier: BSD-3-Clause */
/* Observed against fitted responses: one square chart with its numbers beside it, or one
   chart for each level of a response. Internal. */
#ifndef DLPI_REPORT_PLOT_CALIBRATION_H
#define DLPI_REPORT_PLOT_CALIBRATION_H

#include "report/svg.h"

#include <delaplace/prediction.h>

typedef struct dlpi_calibration {
    dlpi_svg_page page;
    bool shares; /* the values are shares, from 0 to 1 */
    ptrdiff_t n;
    const dlp_calibration_series *series; /* (n) */
} dlpi_calibration;

void dlpi_plot_calibration(FILE *out, const dlpi_calibration *plot);

#endif
