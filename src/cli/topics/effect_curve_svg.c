/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of topics as a covariate changes, as a picture for a paper: a chart for each
   topic or, if the covariate is categorical, a panel of intervals. */
#include "cli/message.h"
#include "cli/print.h"
#include "cli/topics/effect_curve.h"
#include "cli/topics/view.h"
#include "io/print_file.h"
#include "report/plot_forest.h"
#include "report/plot_lines.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_WORDS = 3, WORDS = 1024, CHART_HEIGHT = 170 };

typedef struct drawing {
    const cli_effect_curve *e;
    dlp_topic_words words;
    dlp_index topics;        /* shown */
    char **title;            /* (topics) */
    double *y, *low, *high;  /* (topics, curves, n) one block, in per cent */
    dlpi_line *line;         /* (topics, curves) */
    dlpi_line_chart *chart;  /* (topics) */
    dlpi_estimate *estimate; /* (topics, curves n) of categories */
    char **row;              /* (curves n) */
    char caption[WORDS], warning[WORDS];
} drawing;

static dlp_index topic_at(const drawing *d, dlp_index t)
{
    return d->e->topic < 0 ? t : d->e->topic;
}

static dlp_index curves_of(const drawing *d)
{
    return d->e->curve.curves - cli_effect_curve_first(d->e);
}

static void fill_line(const drawing *d, dlp_index t, dlp_index c)
{
    const dlp_effect_curve *curve = &d->e->curve;
    const dlp_index n = curve->n, at = t * curves_of(d) + c;
    const dlp_index from = cli_effect_curve_first(d->e);
    for (dlp_index i = 0; i < n; i++) {
        const dlp_share x = cli_effect_curve_at(d->e, topic_at(d, t), c + from, i);
        d->y[at * n + i] = 100 * x.mean;
        d->low[at * n + i] = 100 * x.lower;
        d->high[at * n + i] = 100 * x.upper;
        d->estimate[at * n + i] =
            (dlpi_estimate){100 * x.mean, 100 * x.lower, 100 * x.upper};
    }
    d->line[at] = (dlpi_line){.name = d->e->by ? curve->curve[c + from] : d->e->of,
                              .colour = (int)(c % DLPI_LINE_COLOURS),
                              .n = (size_t)n,
                              .x = curve->x,
                              .y = d->y + at * n,
                              .low = d->low + at * n,
                              .high = d->high + at * n};
}

static bool name_rows(const drawing *d)
{
    const dlp_effect_curve *curve = &d->e->curve;
    const dlp_index n = curve->n, from = cli_effect_curve_first(d->e);
    for (dlp_index at = 0; at < curves_of(d) * n; at++) {
        const char *name = curve->name[at % n];
        const char *by = d->e->by ? curve->curve[at / n + from] : "";
        const size_t room = strlen(name) + strlen(by) + 3;
        d->row[at] = malloc(room);
        if (!d->row[at]) return false;
        snprintf(d->row[at], room, "%s%s%s", name, *by ? ", " : "", by);
    }
    return true;
}

static void write_texts(drawing *d)
{
    snprintf(
        d->caption, WORDS,
        "%s in per cent of a document, with all other covariates as they are: means over "
        "%td documents, and 95 %% intervals for one value at a time. Topics are named by "
        "their first words by FREX.",
        d->e->differences ? "Difference of a topic's share from the first group"
                          : "A topic's share",
        d->e->curve.documents);
    if (cli_effect_curve_impossible(d->e) > 0)
        snprintf(
            d->warning, WORDS,
            "Intervals wholly outside 0 to 100 %% are wrong: the regression is linear "
            "and bends too far there.");
}

static bool fill(drawing *d)
{
    const dlp_effect_curve *curve = &d->e->curve;
    const size_t lines = (size_t)(d->topics * curves_of(d)), n = (size_t)curve->n;
    d->title = calloc((size_t)d->topics, sizeof *d->title);
    d->y = calloc(3 * lines * n, sizeof *d->y);
    d->line = calloc(lines, sizeof *d->line);
    d->chart = calloc((size_t)d->topics, sizeof *d->chart);
    d->estimate = calloc(lines * n, sizeof *d->estimate);
    d->row = calloc((size_t)curves_of(d) * n, sizeof *d->row);
    if (!d->title || !d->y || !d->line || !d->chart || !d->estimate || !d->row)
        return false;
    d->low = d->y + lines * n;
    d->high = d->low + lines * n;
    for (dlp_index t = 0; t < d->topics; t++) {
        char prefix[32];
        const dlp_index k = topic_at(d, t);
        snprintf(prefix, sizeof prefix, "%td ", k + 1);
        d->title[t] = cli_topics_name(d->e->model, &d->words, k, LABEL_WORDS, prefix);
        if (!d->title[t]) return false;
        for (dlp_index c = 0; c < curves_of(d); c++) fill_line(d, t, c);
        d->chart[t] = (dlpi_line_chart){.title = d->title[t],
                                        .x_label = d->e->of,
                                        .y_label = "%",
                                        .count = (int)curves_of(d),
                                        .line = d->line + t * curves_of(d)};
    }
    write_texts(d);
    return name_rows(d);
}

static void print_svg(FILE *out, const void *what)
{
    const drawing *d = what;
    const dlpi_svg_page page = {.title = d->e->formula,
                                .kind = "Shares of topics by a covariate",
                                .caption = d->caption,
                                .warning = d->warning,
                                .width = DLPI_SVG_PAPER};
    if (d->e->curve.x) {
        const dlpi_lines plot = {.page = page,
                                 .legend = curves_of(d) > 1,
                                 .charts = (int)d->topics,
                                 .per_row = d->topics > 2 ? 3 : (int)d->topics,
                                 .chart_height = CHART_HEIGHT,
                                 .chart = d->chart};
        dlpi_plot_lines(out, &plot);
        return;
    }
    const dlpi_forest plot = {.page = page,
                              .rows_are = d->e->of,
                              .panels_are = "topics",
                              .mean_is = "mean",
                              .interval_is = "95 % interval",
                              .rows = curves_of(d) * d->e->curve.n,
                              .panels = d->topics,
                              .row = (const char *const *)d->row,
                              .panel = (const char *const *)d->title,
                              .estimate = d->estimate};
    dlpi_plot_forest(out, &plot);
}

dlp_status cli_effect_curve_svg(const cli_effect_curve *e, const char *path,
                                dlp_file_set *files, dlp_error *error)
{
    drawing d = {.e = e, .topics = e->topic < 0 ? e->curve.K : 1};
    dlp_status status = DLP_ENOMEM;
    CLI_TRY(dlp_topics_words(dlp_topic_model_topics(e->model), DLP_BY_FREX, LABEL_WORDS,
                             &d.words, error));
    if (fill(&d))
        status = dlpi_print_file_in(files, path, print_svg, &d, error);
    else
        (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    for (dlp_index t = 0; d.title && t < d.topics; t++) free(d.title[t]);
    for (dlp_index i = 0; d.row && i < curves_of(&d) * e->curve.n; i++) free(d.row[i]);
    free(d.title);
    free(d.row);
    free(d.y);
    free(d.line);
    free(d.chart);
    free(d.estimate);
    dlp_topic_words_free(&d.words);
    return status;
}
