/* SPDX-License-Identifier: BSD-3-Clause */
/* Line charts, in rows, with one legend. Internal. */
#ifndef DLPI_REPORT_PLOT_LINES_H
#define DLPI_REPORT_PLOT_LINES_H

#include "report/svg.h"

enum { DLPI_LINE_COLOURS = 6 };

/* A line through points. Skips points that are not finite, or not positive on a
   logarithmic axis, and those too close to the previous one to be distinguished. */
typedef struct dlpi_line {
    const char *name; /* in the legend; lines with the same name look the same */
    int colour;       /* 0 to DLPI_LINE_COLOURS - 1; also the shape of its marks */
    bool dashed;
    bool marked; /* each point has a mark */
    size_t n;
    const double *x, *y;      /* (n) */
    const double *low, *high; /* (n) of a band around it, or NULL */
    bool dots;                /* pale points, and no line */
} dlpi_line;

typedef struct dlpi_line_chart {
    const char *title, *x_label, *y_label;
    bool log_x;
    int count;
    const dlpi_line *line; /* (count) */
} dlpi_line_chart;

typedef struct dlpi_lines {
    dlpi_svg_page page; /* wide enough for a row of charts */
    bool legend;        /* show one: the first chart's, for all charts */
    int charts, per_row;
    double chart_height;
    const dlpi_line_chart *chart; /* (charts) */
} dlpi_lines;

void dlpi_plot_lines(FILE *out, const dlpi_lines *plot);

#endif
