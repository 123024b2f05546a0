/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/charts.h"

#include "cli/glm/view.h"
#include "io/print_file.h"

#include <stdlib.h>

enum { HEIGHT = 240, WORDS = 512 };

double *cli_charts_take(cli_charts *c, size_t n)
{
    static double nowhere;
    const int room = CLI_MOST_CHARTS * CLI_MOST_LINES * 2;
    double *numbers = c->taken < room ? calloc(n + 1, sizeof *numbers) : NULL;
    if (numbers) c->numbers[c->taken++] = numbers;
    c->failed |= !numbers;
    return numbers ? numbers : &nowhere;
}

bool cli_charts_begin(cli_charts *c, const char *title, const char *x_label,
                      const char *y_label)
{
    if (c->failed || c->n >= CLI_MOST_CHARTS) return false;
    c->chart[c->n] = (dlpi_line_chart){
        .title = title, .x_label = x_label, .y_label = y_label, .line = c->line[c->n]};
    c->n++;
    return true;
}

void cli_charts_by(cli_charts *c, const dlp_look_by *by)
{
    c->chart[c->n - 1].log_x = by->long_tail != 0;
}

void cli_charts_add(cli_charts *c, dlpi_line line)
{
    dlpi_line_chart *chart = &c->chart[c->n - 1];
    if (chart->count < CLI_MOST_LINES) c->line[c->n - 1][chart->count++] = line;
}

void cli_charts_band(cli_charts *c, size_t n, const double *x, bool marked)
{
    cli_charts_add(c, (dlpi_line){.name = "",
                                  .colour = 5,
                                  .n = n,
                                  .x = x,
                                  .y = x + 4 * n,
                                  .low = x + 2 * n,
                                  .high = x + 3 * n});
    cli_charts_add(c,
                   (dlpi_line){.name = "", .marked = marked, .n = n, .x = x, .y = x + n});
}

void cli_charts_horizontal(cli_charts *c, double from, double to, double y)
{
    double *x = cli_charts_take(c, 4);
    if (c->failed) return;
    x[0] = from;
    x[1] = to;
    x[2] = x[3] = y;
    cli_charts_add(
        c,
        (dlpi_line){.name = "", .colour = 5, .dashed = true, .n = 2, .x = x, .y = x + 2});
}

typedef struct drawing {
    const cli_charts *charts;
    const char *title, *kind, *caption;
    char warning[WORDS];
} drawing;

static void print_svg(FILE *out, const void *what)
{
    const drawing *d = what;
    const dlpi_lines plot = {.page = {.title = d->title,
                                      .kind = d->kind,
                                      .caption = d->caption,
                                      .warning = *d->warning ? d->warning : NULL,
                                      .width = DLPI_SVG_PAPER},
                             .charts = d->charts->n,
                             .per_row = d->charts->n > 1 ? 2 : 1,
                             .chart_height = HEIGHT,
                             .chart = d->charts->chart};
    dlpi_plot_lines(out, &plot);
}

dlp_status cli_charts_write(cli_charts *c, const dlp_regression *fit, const char *kind,
                            const char *caption, const char *path, dlp_file_set *files,
                            dlp_error *error)
{
    drawing d = {.charts = c,
                 .title = dlp_regression_result_of(fit)->formula,
                 .kind = kind,
                 .caption = caption};
    if (c->failed)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    cli_glm_warn(dlp_regression_result_of(fit), d.warning, sizeof d.warning);
    return dlpi_print_file_in(files, path, print_svg, &d, error);
}

void cli_charts_clear(cli_charts *c)
{
    for (int i = 0; i < c->taken; i++) free(c->numbers[i]);
    c->taken = c->n = 0;
}
