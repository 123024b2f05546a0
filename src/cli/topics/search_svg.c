/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares numbers of topics, as a picture for a paper. */
#include "cli/topics/search.h"
#include "io/print_file.h"
#include "report/plot_lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHARTS = 4, CHART_HEIGHT = 220, WORDS = 512 };

typedef struct drawing {
    const cli_search *search;
    double *number; /* (1 + CHARTS, done): K, then what each chart shows */
    char caption[WORDS], warning[WORDS];
} drawing;

/* ---- numbers ---- */

static int compare_rows(const void *a, const void *b)
{
    const dlp_search_row *x = a, *y = b;
    return (x->K > y->K) - (x->K < y->K);
}

/* Sorts by K, since the fits may have run in any order. */
static bool fill(drawing *d)
{
    const dlp_index n = d->search->done;
    dlp_search_row *row = calloc((size_t)n + 1, sizeof *row);
    d->number = calloc((size_t)(n * (1 + CHARTS)) + 1, sizeof *d->number);
    const bool done = row && d->number;
    if (done) {
        memcpy(row, d->search->row, sizeof *row * (size_t)n);
        qsort(row, (size_t)n, sizeof *row, compare_rows);
        for (dlp_index i = 0; i < n; i++) {
            const double x[] = {(double)row[i].K, row[i].heldout_per_word,
                                row[i].objective_per_word, row[i].coherence,
                                row[i].exclusivity};
            for (int c = 0; c <= CHARTS; c++) d->number[n * c + i] = x[c];
        }
    }
    free(row);
    return done;
}

/* ---- words ---- */

static void write_caption(drawing *d)
{
    const cli_search *s = d->search;
    const dlp_search_advice advice = dlp_topic_search_advise(s->search);
    int length = snprintf(
        d->caption, WORDS,
        "Fitted to %td documents, scored on held-out words of %td others; coherence and "
        "exclusivity are means over topics, of their %d most probable words.",
        s->train->D, s->test->D, DLP_QUALITY_WORDS);
    if (!advice.suggested) return;
    length +=
        snprintf(d->caption + length, (size_t)(WORDS - length),
                 " The held-out likelihood is best at K = %td", advice.best_held_out);
    if (advice.suggested != advice.best_held_out)
        length += snprintf(d->caption + length, (size_t)(WORDS - length),
                           "; that at K = %td is within %g %% of it", advice.suggested,
                           100 * DLP_SEARCH_CLOSE);
    snprintf(d->caption + length, (size_t)(WORDS - length), ".");
}

static void write_warning(drawing *d)
{
    const cli_search *s = d->search;
    dlp_index open = 0;
    for (dlp_index i = 0; i < s->done; i++) open += s->row[i].outcome != DLP_CONVERGED;
    if (open > 0)
        snprintf(d->warning, WORDS, "%td of %td fits did not converge.", open, s->done);
    else if (s->done < s->count)
        snprintf(d->warning, WORDS, "The search was stopped after %td of %td fits.",
                 s->done, s->count);
}

/* ---- the picture ---- */

static void print_svg(FILE *out, const void *what)
{
    static const char *const names[CHARTS][2] = {
        {"Held-out likelihood", "log likelihood per word"},
        {"Approximate evidence", "log evidence per word"},
        {"Coherence", "NPMI"},
        {"Exclusivity", "exclusivity"}};
    const drawing *d = what;
    const dlp_index n = d->search->done;
    dlpi_line line[CHARTS];
    dlpi_line_chart chart[CHARTS];
    for (int c = 0; c < CHARTS; c++) {
        line[c] = (dlpi_line){.name = names[c][0],
                              .marked = true,
                              .n = (size_t)n,
                              .x = d->number,
                              .y = d->number + n * (c + 1)};
        chart[c] = (dlpi_line_chart){.title = names[c][0],
                                     .x_label = "topics K",
                                     .y_label = names[c][1],
                                     .count = 1,
                                     .line = &line[c]};
    }
    const dlpi_lines plot = {.page = {.title = "How many topics",
                                      .kind = "Line charts",
                                      .caption = d->caption,
                                      .warning = d->warning,
                                      .width = DLPI_SVG_PAPER},
                             .charts = CHARTS,
                             .per_row = 2,
                             .chart_height = CHART_HEIGHT,
                             .chart = chart};
    dlpi_plot_lines(out, &plot);
}

dlp_status cli_search_write_svg(const cli_search *search, const char *path,
                                dlp_error *error)
{
    drawing d = {.search = search};
    dlp_status status = DLP_ENOMEM;
    write_caption(&d);
    write_warning(&d);
    if (fill(&d))
        status = dlpi_print_file(path, print_svg, &d, error);
    else
        (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    free(d.number);
    return status;
}
