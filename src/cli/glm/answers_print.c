/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers about a regression as tables on a screen. */
#include "cli/glm/questions.h"
#include "cli/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 96, MOST_CELLS = 32 };

const char *cli_answers_unit(const cli_answers *a)
{
    const dlp_regression_result *r = dlp_regression_result_of(a->fit);
    const dlp_support support = r->family->support;
    if (a->answers->exponentiated)
        return r->link_kind == DLP_LINK_LOGIT ? "odds" : "exp(linear predictor)";
    if (a->answers->on == DLP_ON_LINK) return "linear predictor";
    return dlp_family_has_levels(r->family) || support == DLP_SUPPORT_BINARY ||
                   support == DLP_SUPPORT_TRIALS
               ? "probability"
               : "mean response";
}

/* ---- a table of texts ---- */

typedef struct grid {
    dlp_index rows;     /* including the heading */
    int columns, names; /* the first `names` columns hold names */
    char (*cell)[CELL]; /* (rows, columns) */
} grid;

static char *cell_at(const grid *g, dlp_index row, int column)
{
    return g->cell[row * g->columns + column];
}

static void print_grid(const grid *g)
{
    int width[MOST_CELLS] = {0};
    for (dlp_index i = 0; i < g->rows; i++)
        for (int j = 0; j < g->columns; j++) {
            const int room = cli_name_width(cell_at(g, i, j));
            if (room > width[j]) width[j] = room;
        }
    for (dlp_index i = 0; i < g->rows; i++) {
        int used = g->columns;
        while (used > 0 && !*cell_at(g, i, used - 1)) used--;
        fputs(" ", stdout);
        for (int j = 0; j < used; j++) {
            const char *text = cell_at(g, i, j);
            const bool last = j + 1 == used, number = j >= g->names && *text != '[';
            const int blank = width[j] - cli_name_width(text);
            printf("%*s", (j > g->names ? 3 : 1) + (number && i > 0 ? blank : 0), "");
            cli_print_name(text, 0);
            if (!last && !(number && i > 0)) printf("%*s", blank, "");
        }
        putchar('\n');
    }
}

/* ---- answers ---- */

static int heading(const cli_answers *a, const dlp_answer *first, bool changes, grid *g)
{
    const dlp_answers *of = a->answers;
    int j = 0;
    for (dlp_index k = 0; k < of->n_by; k++)
        snprintf(cell_at(g, 0, j++), CELL, "%s", of->by[k]);
    snprintf(cell_at(g, 0, j++), CELL, "%s",
             changes  ? ""
             : of->of ? of->of
                      : "combination");
    if (first->category)
        snprintf(cell_at(g, 0, j++), CELL, "%s",
                 dlp_regression_result_of(a->fit)->terms->response.variable);
    g->names = j;
    if (of->exponentiated) {
        snprintf(cell_at(g, 0, j++), CELL, "%s", changes ? "ratio" : "exp");
    } else {
        snprintf(cell_at(g, 0, j++), CELL, "%s", "mean");
        snprintf(cell_at(g, 0, j++), CELL, "%s", "sd");
    }
    for (dlp_index i = 0; i < of->n_intervals; i++)
        cli_interval_title(of->interval_level[i], "interval", cell_at(g, 0, j++), CELL);
    return j;
}

static void fill_row(const cli_answers *a, const dlp_answer *x, dlp_index row, grid *g)
{
    const dlp_answers *of = a->answers;
    int j = 0;
    for (dlp_index k = 0; k < of->n_by; k++)
        snprintf(cell_at(g, row, j++), CELL, "%s", x->by[k]);
    snprintf(cell_at(g, row, j++), CELL, "%s", x->label);
    if (x->category) snprintf(cell_at(g, row, j++), CELL, "%s", x->category);
    if (of->exponentiated) {
        snprintf(cell_at(g, row, j++), CELL, "%.4g", x->median);
    } else {
        snprintf(cell_at(g, row, j++), CELL, "%.4g", x->mean);
        snprintf(cell_at(g, row, j++), CELL, "%.3g", x->sd);
    }
    for (dlp_index i = 0; i < of->n_intervals; i++)
        snprintf(cell_at(g, row, j++), CELL, "[%.4g, %.4g]", x->lower[i], x->upper[i]);
    if (j < g->columns) {
        if (!strcmp(a->question, "contrast") && !x->compared) return;
        snprintf(cell_at(g, row, j), CELL, "%.4f", x->above);
    }
}

static dlp_status print_answers(const cli_answers *a, dlp_index n, const dlp_answer *x,
                                bool changes, const char *probability, dlp_error *error)
{
    const dlp_answers *of = a->answers;
    grid g = {.rows = n + 1};
    const double needed = (double)of->n_by + (double)of->n_intervals + 5;
    if (needed > MOST_CELLS)
        return dlp_fail(error, DLP_EINVAL, "there are too many columns to print");
    g.columns = MOST_CELLS;
    g.cell = calloc((size_t)g.rows, MOST_CELLS * sizeof *g.cell);
    if (!g.cell) return dlp_fail(error, DLP_ENOMEM, "not enough memory to print");
    g.columns = heading(a, x, changes, &g) + (probability != NULL);
    if (probability) snprintf(cell_at(&g, 0, g.columns - 1), CELL, "%s", probability);
    for (dlp_index i = 0; i < n; i++) fill_row(a, &x[i], i + 1, &g);
    print_grid(&g);
    free(g.cell);
    return DLP_OK;
}

/* ---- words ---- */

static void print_over(const cli_answers *a)
{
    const dlp_answers *of = a->answers;
    if (of->over == DLP_OVER_ROWS)
        printf(", averaged over %td row%s", of->averaged, cli_plural(of->averaged));
    else if (of->averaged > 1)
        printf(", averaged over %td combinations of levels", of->averaged);
}

static const char *groups_are(const cli_answers *a)
{
    const dlp_regression_result *r = dlp_regression_result_of(a->fit);
    const bool mixed = r->grouping == DLP_MIXED && r->n_random > 0;
    if (!mixed && !dlp_regression_is_grouped(r)) return NULL;
    switch (a->answers->effects) {
    case DLP_EFFECTS_OF_NONE:
        return mixed ? "For a typical group: random effects are 0."
                     : "With the mean of the groups' coefficients.";
    case DLP_EFFECTS_OF_NEW: return "Averaged over groups as the fit found them.";
    case DLP_EFFECTS_OF_LEVELS: break;
    }
    return "Each row has the coefficients of its own group.";
}

static void print_head(const cli_answers *a)
{
    const dlp_answers *of = a->answers;
    const char *response = dlp_regression_result_of(a->fit)->terms->response.variable;
    const dlp_levels *levels = &dlp_regression_result_of(a->fit)->terms->response;
    printf("%c%s of ", cli_answers_unit(a)[0] & ~0x20, cli_answers_unit(a) + 1);
    cli_print_name(response ? response : "the response", 0);
    if (levels->n == 2) {
        fputs(" = ", stdout);
        cli_print_name(levels->level[1], 0);
    }
    print_over(a);
    puts(":");
    if (groups_are(a)) puts(groups_are(a));
    if (of->dropped)
        printf("%td row%s with missing values left out.\n", of->dropped,
               cli_plural(of->dropped));
    putchar('\n');
}

static void title_changes(const cli_answers *a)
{
    const dlp_answers *of = a->answers;
    const bool slopes = of->slopes;
    const bool means = !strcmp(a->question, "means");
    if (slopes && of->exponentiated)
        printf("\nRatio per unit of %s:\n\n", of->of);
    else if (slopes)
        printf("\nAverage change per unit of %s:\n\n", of->of);
    else
        printf("\n%s:\n\n", of->exponentiated ? "Ratios"
                            : means           ? "Differences"
                                              : "Average differences");
}

static dlp_status print_effects(const cli_answers *a, dlp_error *error)
{
    const dlp_answers *of = a->answers;
    print_head(a);
    dlp_status status = print_answers(a, of->n_values, of->value, false, NULL, error);
    if (status != DLP_OK || of->n_changes == 0) return status;
    title_changes(a);
    return print_answers(a, of->n_changes, of->change, true,
                         of->exponentiated ? "P(> 1)" : "P(> 0)", error);
}

dlp_status cli_answers_print(const cli_answers *a, dlp_error *error)
{
    const dlp_answers *of = a->answers;
    bool compared = false;
    if (!strcmp(a->question, "effects") || !strcmp(a->question, "means"))
        return print_effects(a, error);
    for (dlp_index i = 0; i < of->n_values; i++) compared |= of->value[i].compared;
    const bool dose = !strcmp(a->question, "dose");
    if (dose && groups_are(a)) printf("%s\n\n", groups_are(a));
    return print_answers(a, of->n_values, of->value, false,
                         dose       ? "P(rises)"
                         : compared ? "probability"
                                    : NULL,
                         error);
}
