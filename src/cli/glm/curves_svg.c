/* SPDX-License-Identifier: BSD-3-Clause */
/* The smooth terms of a regression as a picture: each a curve with its band. */
#include "cli/glm/view.h"
#include "io/print_file.h"
#include "report/plot_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 101, CHART_HEIGHT = 230, WORDS = 512, MOST_CURVES = 60 };

typedef struct curve {
    double x[POINTS], mean[POINTS], low[POINTS], high[POINTS];
} curve;

typedef struct drawing {
    const dlp_regression_result *fit;
    int n;
    curve *curve;           /* (n) */
    dlpi_line *line;        /* (n) */
    dlpi_line_chart *chart; /* (n) */
    char caption[WORDS], warning[WORDS];
} drawing;

static bool is_curve(const dlp_regression_result *fit, dlp_index s)
{
    const dlp_basis *basis = &fit->terms->basis[fit->smooth[s].basis];
    return basis->d == 1 && basis->kind != DLP_BASIS_BESAG;
}

bool cli_glm_has_curves(const dlp_regression_result *fit)
{
    for (dlp_index s = 0; s < fit->n_smooths; s++)
        if (is_curve(fit, s)) return true;
    return false;
}

static dlp_status fill(const dlp_regression *fit, drawing *d, dlp_error *error)
{
    const dlp_regression_result *r = d->fit;
    for (dlp_index s = 0; s < r->n_smooths && d->n < MOST_CURVES; s++) {
        dlp_margin f[POINTS];
        curve *c = &d->curve[d->n];
        const char *of = r->terms->basis[r->smooth[s].basis].of;
        if (!is_curve(r, s)) continue;
        const dlp_status status = dlp_regression_curve(fit, s, POINTS, c->x, f, error);
        if (status != DLP_OK) return status;
        for (int i = 0; i < POINTS; i++) {
            c->mean[i] = f[i].mean;
            c->low[i] = f[i].lower;
            c->high[i] = f[i].upper;
        }
        d->line[d->n] = (dlpi_line){.name = r->smooth[s].label,
                                    .n = POINTS,
                                    .x = c->x,
                                    .y = c->mean,
                                    .low = c->low,
                                    .high = c->high};
        d->chart[d->n] = (dlpi_line_chart){.title = r->smooth[s].label,
                                           .x_label = of ? of : "",
                                           .y_label = "effect",
                                           .count = 1,
                                           .line = &d->line[d->n]};
        d->n++;
    }
    return DLP_OK;
}

static void print_svg(FILE *out, const void *what)
{
    const drawing *d = what;
    const dlpi_lines plot = {.page = {.title = d->fit->formula,
                                      .kind = "Curves with bands",
                                      .caption = d->caption,
                                      .warning = *d->warning ? d->warning : NULL,
                                      .width = DLPI_SVG_PAPER},
                             .charts = d->n,
                             .per_row = d->n > 1 ? 2 : 1,
                             .chart_height = CHART_HEIGHT,
                             .chart = d->chart};
    dlpi_plot_lines(out, &plot);
}

dlp_status cli_glm_write_curves(const dlp_regression *fit, const char *path,
                                dlp_error *error)
{
    drawing d = {.fit = dlp_regression_result_of(fit)};
    d.curve = calloc(MOST_CURVES, sizeof *d.curve);
    d.line = calloc(MOST_CURVES, sizeof *d.line);
    d.chart = calloc(MOST_CURVES, sizeof *d.chart);
    dlp_status status =
        d.curve && d.line && d.chart
            ? fill(fit, &d, error)
            : dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    snprintf(d.caption, sizeof d.caption,
             "Smooth terms on the scale of the linear predictor, with pointwise 95 %% "
             "intervals; each is 0 on average over the rows.");
    cli_glm_warn(d.fit, d.warning, sizeof d.warning);
    if (status == DLP_OK) status = dlpi_print_file(path, print_svg, &d, error);
    free(d.curve);
    free(d.line);
    free(d.chart);
    return status;
}
