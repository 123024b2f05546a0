/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers about a regression as a picture: curves with bands for a numeric column,
   otherwise a forest plot of intervals. */
#include "cli/glm/questions.h"
#include "cli/glm/view.h"
#include "io/print_file.h"
#include "report/plot_forest.h"
#include "report/plot_lines.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 512, CHART_HEIGHT = 280 };

typedef struct drawing {
    const cli_answers *a;
    dlp_index n; /* answers shown */
    const dlp_answer *x;
    dlp_index parts, curves, points; /* levels of the response, combinations, values */
    double *number;                  /* (4, n) */
    char (*name)[WORDS];             /* (n) */
    const char **row;                /* (n) */
    dlpi_line *line;                 /* (parts, curves) */
    dlpi_line_chart *chart;          /* (parts) */
    dlpi_estimate *estimate;         /* (n) */
    char title[WORDS], caption[WORDS], warning[WORDS], interval[64];
} drawing;

/* ---- words ---- */

static void write_words(drawing *d)
{
    const dlp_answers *of = d->a->answers;
    const dlp_regression_result *fit = dlp_regression_result_of(d->a->fit);
    char unit[64];
    snprintf(unit, sizeof unit, "%s", cli_answers_unit(d->a));
    unit[0] = (char)toupper((unsigned char)unit[0]);
    snprintf(d->title, WORDS, "%s", fit->formula);
    cli_interval_title(of->interval_level[0], "interval", d->interval,
                       sizeof d->interval);
    snprintf(d->caption, WORDS, "%s%s%s, with its %s%s.", unit, of->of ? " by " : "",
             of->of ? of->of : "", d->interval,
             of->over == DLP_OVER_ROWS ? ", averaged over the rows" : "");
    cli_glm_warn(fit, d->warning, sizeof d->warning);
}

/* The values that distinguish a curve: "a, b". */
static void name_curve(const drawing *d, const dlp_answer *x, char *out)
{
    size_t used = 0;
    *out = '\0';
    for (dlp_index k = 0; k < d->a->answers->n_by && used + 1 < WORDS; k++) {
        const int size =
            snprintf(out + used, WORDS - used, "%s%s", k ? ", " : "", x->by[k]);
        used += size > 0 ? (size_t)size : 0;
    }
}

/* ---- curves ---- */

static bool allocate(drawing *d)
{
    const size_t n = (size_t)d->n;
    d->number = calloc(4 * n, sizeof *d->number);
    d->name = calloc(n, sizeof *d->name);
    d->row = calloc(n, sizeof *d->row);
    d->line = calloc(n, sizeof *d->line);
    d->chart = calloc(n, sizeof *d->chart);
    d->estimate = calloc(n, sizeof *d->estimate);
    return d->number && d->name && d->row && d->line && d->chart && d->estimate;
}

/* Counts the answers that share a label (the levels of the response), then those that
   share a combination. */
static void measure(drawing *d)
{
    const dlp_answers *of = d->a->answers;
    d->parts = 1;
    while (d->parts < d->n && d->x[d->parts].category &&
           d->x[d->parts].label == d->x[0].label)
        d->parts++;
    d->points = d->parts;
    while (d->points < d->n && d->x[d->points].by == d->x[0].by) d->points += d->parts;
    if (of->n_by == 0) d->points = d->n;
    d->points /= d->parts;
    d->curves = d->n / (d->points * d->parts);
}

static double centre_of(const drawing *d, const dlp_answer *x)
{
    return d->a->answers->exponentiated ? x->median : x->mean;
}

static void fill_lines(drawing *d)
{
    const dlp_answers *of = d->a->answers;
    for (dlp_index k = 0; k < d->parts; k++) {
        for (dlp_index c = 0; c < d->curves; c++) {
            const dlp_index at = k * d->curves + c;
            double *x = d->number + 4 * at * d->points;
            for (dlp_index i = 0; i < d->points; i++) {
                const dlp_answer *of_point = &d->x[(c * d->points + i) * d->parts + k];
                x[i] = of_point->x;
                x[d->points + i] = centre_of(d, of_point);
                x[2 * d->points + i] = of_point->lower[0];
                x[3 * d->points + i] = of_point->upper[0];
            }
            name_curve(d, &d->x[c * d->points * d->parts], d->name[at]);
            d->line[at] = (dlpi_line){.name = of->n_by ? d->name[at] : of->of,
                                      .colour = (int)(c % DLPI_LINE_COLOURS),
                                      .n = (size_t)d->points,
                                      .x = x,
                                      .y = x + d->points,
                                      .low = x + 2 * d->points,
                                      .high = x + 3 * d->points};
        }
        d->chart[k] = (dlpi_line_chart){.title = d->x[k].category ? d->x[k].category : "",
                                        .x_label = of->of,
                                        .y_label = cli_answers_unit(d->a),
                                        .count = (int)d->curves,
                                        .line = d->line + k * d->curves};
    }
}

static void print_lines(FILE *out, const void *what)
{
    const drawing *d = what;
    const dlpi_lines plot = {.page = {.title = d->title,
                                      .kind = "Curves with bands",
                                      .caption = d->caption,
                                      .warning = *d->warning ? d->warning : NULL,
                                      .width = DLPI_SVG_PAPER},
                             .legend = d->curves > 1,
                             .charts = (int)d->parts,
                             .per_row = d->parts > 1 ? 2 : 1,
                             .chart_height = CHART_HEIGHT,
                             .chart = d->chart};
    dlpi_plot_lines(out, &plot);
}

/* ---- intervals ---- */

static void fill_rows(drawing *d)
{
    for (dlp_index i = 0; i < d->n; i++) {
        const dlp_answer *x = &d->x[i];
        char curve[WORDS];
        name_curve(d, x, curve);
        snprintf(d->name[i], WORDS, "%.150s%s%.150s%s%.150s", curve, *curve ? ": " : "",
                 x->label, x->category ? ", " : "", x->category ? x->category : "");
        d->row[i] = d->name[i];
        d->estimate[i] = (dlpi_estimate){centre_of(d, x), x->lower[0], x->upper[0]};
    }
}

static void print_forest(FILE *out, const void *what)
{
    const drawing *d = what;
    const dlpi_forest plot = {.page = {.title = d->title,
                                       .kind = "Forest plot of the answers",
                                       .caption = d->caption,
                                       .warning = *d->warning ? d->warning : NULL,
                                       .width = DLPI_SVG_PAPER},
                              .rows_are = "answers",
                              .mean_is = "mean",
                              .interval_is = d->interval,
                              .rows = d->n,
                              .panels = 1,
                              .row = d->row,
                              .estimate = d->estimate};
    dlpi_plot_forest(out, &plot);
}

/* Shows the differences of pairs if they were asked for, else the values. */
static void choose(drawing *d)
{
    const dlp_answers *of = d->a->answers;
    const bool pairs = !strcmp(d->a->question, "means") && of->n_changes > 0;
    d->n = pairs ? of->n_changes : of->n_values;
    d->x = pairs ? of->change : of->value;
}

dlp_status cli_answers_svg(const cli_answers *a, const char *path, dlp_file_set *files,
                           dlp_error *error)
{
    drawing d = {.a = a};
    dlp_status status = DLP_ENOMEM;
    choose(&d);
    measure(&d);
    write_words(&d);
    const bool lines =
        a->answers->numeric && d.points > 2 && !strcmp(a->question, "effects");
    if (allocate(&d)) {
        if (lines)
            fill_lines(&d);
        else
            fill_rows(&d);
        status = dlpi_print_file_in(files, path, lines ? print_lines : print_forest, &d,
                                    error);
    } else {
        (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    }
    free(d.number);
    free(d.name);
    free(d.row);
    free(d.line);
    free(d.chart);
    free(d.estimate);
    return status;
}
