/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A forest plot: rows of estimates with their intervals over an axis, in one panel or in
 * several that share the rows. If there are too many for a page, it shows the strongest
 * and says so. Internal.
 */
#ifndef DLPI_REPORT_PLOT_FOREST_H
#define DLPI_REPORT_PLOT_FOREST_H

#include "report/svg.h"

typedef struct dlpi_estimate {
    double mean, lower, upper;
} dlpi_estimate;

typedef struct dlpi_spread {
    double lower, upper;
} dlpi_spread;

typedef struct dlpi_forest {
    dlpi_svg_page page;
    const char *rows_are, *panels_are; /* "terms", to say that not all are shown */
    const char *mean_is, *interval_is; /* "mean", "95 % interval" */
    const char *spread_is;             /* "95 % of groups", if there is a spread */
    ptrdiff_t rows, panels;
    const char *const *row;        /* (rows) names */
    const char *const *panel;      /* (panels) names; NULL: they need none */
    const ptrdiff_t *scale;        /* (panels) panels with the same number share an axis,
                                      because their values are comparable; NULL: all do */
    const dlpi_estimate *estimate; /* (panels, rows) */
    const bool *aside;             /* (rows) intercepts and scales, which may be cut off
                                      if they would make the others too small; or NULL */
    const dlpi_spread *spread;     /* (rows) the range of the groups whose mean is the
                                      estimate: a thin line in the first panel; NaN for a
                                      parameter that all groups share; or NULL */
    ptrdiff_t points;
    const double *point; /* (rows, points) shown pale behind the first panel; NULL */
} dlpi_forest;

void dlpi_plot_forest(FILE *out, const dlpi_forest *plot);

#endif
