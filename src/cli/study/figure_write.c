/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a figure as CSV, JSON and SVG. */
#include "cli/message.h"
#include "cli/study/figure.h"
#include "io/json.h"
#include "io/print_file.h"
#include "report/plot_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV ---- */

/* A value that was not measured becomes an empty field. */
static void print_real(FILE *out, int digits, double x)
{
    fputc(',', out);
    if (isfinite(x)) fprintf(out, "%.*g", digits, x);
}

static void print_csv(FILE *out, const void *what)
{
    const cli_figure *figure = what;
    fputs(
        "method,init,K,iteration,unsettled,decreases,seconds,log_evidence_per_word,"
        "heldout_per_word,outcome\n",
        out);
    for (dlp_index i = 0; i < figure->rows.n; i++) {
        const dlpi_figure_row *row = &figure->rows.row[i];
        fprintf(out, "%s,%s,%td,%d,%td,%td", row->method, row->start, row->K,
                row->iteration, row->documents, row->decreases);
        print_real(out, 4, row->seconds);
        print_real(out, 10, row->log_evidence);
        print_real(out, 10, row->heldout);
        fprintf(out, ",%s\n", dlp_outcome_name(row->outcome));
    }
}

dlp_status cli_figure_write_csv(const cli_figure *figure, const char *path,
                                dlp_error *error)
{
    return dlpi_print_file(path, print_csv, figure, error);
}

/* ---- JSON ---- */

static json_t *row_json(const dlpi_figure_row *row)
{
    return json_pack(
        "{s:s, s:s, s:I, s:i, s:I, s:I, s:o, s:o, s:o, s:s}", "method", row->method,
        "init", row->start, "K", (json_int_t)row->K, "iteration", row->iteration,
        "unsettled", (json_int_t)row->documents, "decreases", (json_int_t)row->decreases,
        "seconds", dlpi_json_real(row->seconds), "log_evidence_per_word",
        dlpi_json_real(row->log_evidence), "heldout_per_word",
        dlpi_json_real(row->heldout), "outcome", dlp_outcome_name(row->outcome));
}

json_t *cli_figure_json(const cli_figure *figure)
{
    json_t *rows = json_array();
    int failed = !rows;
    for (dlp_index i = 0; i < figure->rows.n; i++)
        failed |= json_array_append_new(rows, row_json(&figure->rows.row[i]));
    json_t *root = json_pack("{s:s, s:o}", "figure", figure->name, "rows", rows);
    if (!failed) return root;
    json_decref(root);
    return NULL;
}

/* ---- SVG ---- */

enum { NAME = 64, PANEL_WIDTH = 402, PANEL_HEIGHT = 290 };

/* Owns the curves of all panels, which the charts point to. */
typedef struct drawing {
    const cli_figure *figure;
    int curves;
    double *number;     /* (CLI_PANELS, 2, n): x and y of each panel */
    dlpi_line *line;    /* (CLI_PANELS, curves) */
    char (*name)[NAME]; /* (curves) */
    char title[2 * NAME];
    dlpi_line_chart chart[CLI_PANELS];
} drawing;

/* A method has the same colour in every figure. */
static int colour_of(const char *method)
{
    int i = 0;
    while (dlp_topics_method(i) && strcmp(dlp_topics_method(i), method) != 0) i++;
    return i;
}

/* If all curves have the same start, the method alone is the name. */
static void name_curve(const drawing *d, const dlpi_figure_row *row, char name[NAME])
{
    const cli_figure *figure = d->figure;
    const bool alike =
        !strcmp(figure->rows.row[0].start, figure->rows.row[figure->rows.n - 1].start);
    snprintf(name, NAME, "%s%s%s", row->method, alike ? "" : ", ",
             alike ? "" : row->start);
}

/* If all rows have the same number of topics, the title says so. */
static void make_title(drawing *d)
{
    const cli_figure *figure = d->figure;
    bool alike = figure->rows.n > 0;
    for (dlp_index i = 0; i < figure->rows.n; i++)
        alike &= figure->rows.row[i].K == figure->rows.row[0].K;
    if (alike)
        snprintf(d->title, sizeof d->title, "%s, %td topics", figure->title,
                 figure->rows.row[0].K);
    else
        snprintf(d->title, sizeof d->title, "%s", figure->title);
}

static void draw_panel(drawing *d, int p)
{
    const cli_figure *figure = d->figure;
    const cli_figure_panel *panel = &figure->panel[p];
    dlpi_line *line = d->line + (ptrdiff_t)p * d->curves;
    double *x = d->number + figure->rows.n * 2 * p, *y = x + figure->rows.n;
    for (dlp_index i = 0; i < figure->rows.n; i++) {
        x[i] = panel->x(&figure->rows.row[i]);
        y[i] = panel->y(&figure->rows.row[i]);
    }
    int c = 0;
    for (dlp_index i = 0, end; i < figure->rows.n; i = end, c++) {
        const dlpi_figure_row *row = &figure->rows.row[i];
        end = dlpi_figure_curve_end(&figure->rows, i);
        name_curve(d, row, d->name[c]);
        line[c] = (dlpi_line){.name = d->name[c],
                              .colour = colour_of(row->method),
                              .dashed = !strcmp(row->start, "random"),
                              .marked = figure->marked,
                              .n = (size_t)(end - i),
                              .x = x + i,
                              .y = y + i};
    }
    d->chart[p] = (dlpi_line_chart){.title = panel->title,
                                    .x_label = panel->x_label,
                                    .y_label = panel->y_label,
                                    .log_x = panel->log_x,
                                    .count = d->curves,
                                    .line = line};
}

static void print_svg(FILE *out, const void *what)
{
    const drawing *d = what;
    const dlpi_lines plot = {.page = {.title = d->title,
                                      .kind = "Line charts",
                                      .width = PANEL_WIDTH * CLI_PANELS,
                                      .screen = true},
                             .legend = true,
                             .charts = CLI_PANELS,
                             .per_row = CLI_PANELS,
                             .chart_height = PANEL_HEIGHT,
                             .chart = d->chart};
    dlpi_plot_lines(out, &plot);
}

static dlp_status draw(drawing *d, const char *path, dlp_error *error)
{
    const size_t curves = (size_t)d->curves;
    d->number = calloc((size_t)d->figure->rows.n * 2 * CLI_PANELS + 1, sizeof *d->number);
    d->line = calloc(CLI_PANELS * curves + 1, sizeof *d->line);
    d->name = calloc(curves + 1, sizeof *d->name);
    if (!d->number || !d->line || !d->name)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    make_title(d);
    for (int p = 0; p < CLI_PANELS; p++) draw_panel(d, p);
    return dlpi_print_file(path, print_svg, d, error);
}

dlp_status cli_figure_write_svg(const cli_figure *figure, const char *path,
                                dlp_error *error)
{
    drawing d = {.figure = figure, .curves = dlpi_figure_curves(&figure->rows)};
    const dlp_status status = draw(&d, path, error);
    free(d.number);
    free(d.line);
    free(d.name);
    return status;
}
