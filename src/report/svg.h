/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Line charts as SVG: one or more side by side, with one legend. A file needs nothing but
 * itself, and follows the reader's light or dark scheme. Internal.
 */
#ifndef DLPI_SVG_H
#define DLPI_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { DLPI_SVG_COLOURS = 6 };

/* A line through points. Points that are not finite, or not positive on a logarithmic
   axis, are left out; so are those that nobody could tell from the one before. */
typedef struct dlpi_svg_series {
    const char *name; /* in the legend; series of one name in two charts look the same */
    int colour;       /* 0 to DLPI_SVG_COLOURS - 1; also the shape of its marks */
    bool dashed;
    bool marked; /* each point has a mark */
    size_t n;
    const double *x, *y; /* (n) */
} dlpi_svg_series;

typedef struct dlpi_svg_chart {
    const char *title, *x_label, *y_label;
    bool log_x;
    int count;
    const dlpi_svg_series *series; /* (count) */
} dlpi_svg_chart;

/* Prints the figure; the caller looks at ferror. The legend is that of the first chart.
   Text may be any bytes: what XML does not allow becomes a question mark. */
void dlpi_svg_print(FILE *out, const char *title, int charts,
                    const dlpi_svg_chart *chart);

#endif
