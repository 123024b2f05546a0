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
    bool failed; /* without memory */
} cli_charts;

/* Room for n numbers, to be filled in; never NULL: a failure is recorded in `failed`. */
double *cli_charts_take(cli_charts *c, size_t n);
/* Adds a chart; false: there are enough. */
bool cli_charts_begin(cli_charts *c, const char *title, const char *x_label,
                      const char *y_label);
/* The last chart is by a column: positive numbers with a long tail get a logarithmic
   axis. */
void cli_charts_by(cli_charts *c, const dlp_look_by *by);
/* Adds a line to the last chart. */
void cli_charts_add(cli_charts *c, dlpi_line line);
/* Adds a horizontal line at y. */
void cli_charts_level(cli_charts *c, double from, double to, double y);
dlp_status cli_charts_write(cli_charts *c, const dlp_regression *fit, const char *kind,
                            const char *caption, const char *path, dlp_file_set *files,
                            dlp_error *error);
void cli_charts_clear(cli_charts *c);

#endif
