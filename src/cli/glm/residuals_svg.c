/* SPDX-License-Identifier: BSD-3-Clause */
/* Residuals as a picture: quantiles, then by fitted value, by columns and groups; and
   leverage. */
#include "cli/glm/charts.h"
#include "cli/glm/look.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_DOTS = 3000 };

/* Draws only every n-th row, so that a picture stays small. */
static dlp_index stride_of(dlp_index N)
{
    return N / MOST_DOTS + 1;
}

static void add_dots(cli_charts *c, const dlp_residuals *r, const double *of,
                     const double *y)
{
    const dlp_index step = stride_of(r->N);
    double *x = cli_charts_take(c, (size_t)(2 * r->N / step + 2));
    size_t n = 0, half = (size_t)(r->N / step + 1);
    if (c->failed) return;
    for (dlp_index i = 0; i < r->N; i += step, n++) {
        x[n] = of[i];
        x[half + n] = y[i];
    }
    cli_charts_add(c,
                   (dlpi_line){.name = "", .dots = true, .n = n, .x = x, .y = x + half});
}

/* Residuals against their expected quantiles. */
static void add_quantiles(cli_charts *c, const dlp_residuals *r)
{
    if (!cli_charts_begin(c, "Quantiles", "expected", "residual")) return;
    double *ends = cli_charts_take(c, 4);
    if (c->failed) return;
    ends[0] = ends[2] = INFINITY;
    ends[1] = ends[3] = -INFINITY;
    for (dlp_index i = 0; i < r->N; i++) {
        ends[0] = ends[2] = fmin(ends[0], r->expected[i]);
        ends[1] = ends[3] = fmax(ends[1], r->expected[i]);
    }
    cli_charts_add(
        c,
        (dlpi_line){
            .name = "", .colour = 5, .dashed = true, .n = 2, .x = ends, .y = ends + 2});
    add_dots(c, r, r->expected, r->residual);
}

/* Means of parts, and the band in which they should lie. */
static void add_parts(cli_charts *c, const dlp_look_by *by)
{
    const size_t n = (size_t)by->n;
    double *x = cli_charts_take(c, 5 * n);
    if (c->failed) return;
    for (size_t k = 0; k < n; k++) {
        x[k] = by->numeric ? by->part[k].x : (double)(k + 1);
        x[n + k] = by->part[k].mean;
        x[2 * n + k] = by->part[k].lower;
        x[3 * n + k] = by->part[k].upper;
        x[4 * n + k] = 0;
    }
    cli_charts_band(c, n, x, true);
}

static void add_by(cli_charts *c, const dlp_residuals *r, const dlp_look_by *by)
{
    if (!cli_charts_begin(c, by->numeric ? "Residuals" : "Residuals, level by level",
                          by->name, "residual"))
        return;
    if (by->is_fitted)
        add_dots(c, r, r->fitted, r->residual);
    else
        cli_charts_by(c, by);
    add_parts(c, by);
}

static void add_influence(cli_charts *c, const dlp_residuals *r)
{
    if (cli_charts_begin(c, "Leverage", "leverage", "residual"))
        add_dots(c, r, r->leverage, r->residual);
    if (!r->k || !cli_charts_begin(c, "Influence", "row", "k")) return;
    double *x = cli_charts_take(c, (size_t)r->N);
    if (c->failed) return;
    for (dlp_index i = 0; i < r->N; i++) x[i] = (double)(r->row ? r->row[i] : i) + 1;
    add_dots(c, r, x, r->k);
    cli_charts_horizontal(c, 1, x[r->N - 1], DLP_TAIL_K_FAIR);
}

void cli_residuals_draw(const dlp_regression *fit, const void *residuals, cli_charts *c)
{
    const dlp_residuals *r = residuals;
    (void)fit;
    add_quantiles(c, r);
    if (r->n_by > 0) add_by(c, r, &r->by[0]);
    add_influence(c, r);
    for (dlp_index k = 1; k < r->n_by; k++)
        if (r->by[k].n > 1) add_by(c, r, &r->by[k]);
}
