/* SPDX-License-Identifier: BSD-3-Clause */
/* Small charts of a regression, one after the other, as one picture. */
#ifndef DLP_CLI_GLM_CHARTS_H
#define DLP_CLI_GLM_CHARTS_H

#include "report/plot_lines.h"

#include <delaplace.h>

enum { CLI_MOST_CHARTS = 14, CLI_MOST_LINES = 4 };

/* Empty when zeroed. It owns the numbers that it has allocated. */
typedef struct cli_charts {
    int n;
    dlpi_line_chart chart[CLI_MOST_CHARTS];
    dlpi_line line[CLI_MOST_CHARTS][CLI_MOST_LINES];
    int taken;
    double *numbers[CLI_MOST_CHARTS * CLI_MOST_LINES * 2];
    bool failed; /* out of memory */
} cli_charts;

/* Allocates n numbers for the caller to fill in. Never NULL: a failure is recorded in
   `failed`. */
double *cli_charts_take(cli_charts *c, size_t n);
/* Adds a chart; false if there is no room for another. */
bool cli_charts_begin(cli_charts *c, const char *title, const char *x_label,
                      const char *y_label);
/* Sets the x axis of the last chart to a column: logarithmic for positive numbers with a
   long tail. */
void cli_charts_by(cli_charts *c, const dlp_look_by *by);
/* Adds a line to the last chart. */
void cli_charts_add(cli_charts *c, dlpi_line line);
/* Adds a curve over a band: x, y, and the band's lower end, upper end and middle, (5, n). */
void cli_charts_band(cli_charts *c, size_t n, const double *x, bool marked);
/* Adds a horizontal line at y. */
void cli_charts_horizontal(cli_charts *c, double from, double to, double y);
dlp_status cli_charts_write(cli_charts *c, const dlp_regression *fit, const char *kind,
                            const char *caption, const char *path, dlp_file_set *files,
                            dlp_error *error);
void cli_charts_clear(cli_charts *c);

#endif
