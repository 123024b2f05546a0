/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A forest plot: rows of estimates with their intervals over an axis, in one panel or in
 * several that share the rows. Where there are too many for a page, it shows the strongest
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
    const char *rows_are, *panels_are; /* "terms", where not all are shown */
    const char *mean_is, *interval_is; /* "mean", "95 % interval" */
    const char *spread_is;             /* "95 % of groups", where there is a spread */
    ptrdiff_t rows, panels;
    const char *const *row;   /* (rows) names */
    const char *const *panel; /* (panels) names; NULL: they need none */
    const ptrdiff_t *scale;   /* (panels) those with the same number share an axis, as
                                      what they show is alike; NULL: all do */
    const dlpi_estimate *estimate; /* (panels, rows) */
    const bool *aside;             /* (rows) intercepts and scales, which may reach beyond
                                      the axis where they would make the others small; NULL */
    const dlpi_spread *spread;     /* (rows) where those lie that the estimates are means
                                      of: a thin line in the first panel; NaN of one that
                                      all have in common; NULL */
    ptrdiff_t points;
    const double *point; /* (rows, points) shown pale behind the first panel; NULL */
} dlpi_forest;

void dlpi_plot_forest(FILE *out, const dlpi_forest *plot);

#endif
