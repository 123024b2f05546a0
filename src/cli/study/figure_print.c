/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures as text tables. */
#include "cli/study/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- convergence ---- */

static void print_document_curve(const cli_figure *figure, dlp_index begin, dlp_index end)
{
    const dlpi_figure_row *first = &figure->rows.row[begin],
                          *last = &figure->rows.row[end - 1];
    dlp_index decreases = 0, half = begin;
    for (dlp_index i = begin; i < end; i++) decreases += figure->rows.row[i].decreases;
    while (half + 1 < end && 2 * figure->rows.row[half].documents > first->documents)
        half++;
    printf("  %-14s %12.6f %12.6f %10d %10d %10td\n", first->method, first->log_evidence,
           last->log_evidence, figure->rows.row[half].iteration, last->iteration,
           decreases);
}

void cli_figure_print_convergence(const cli_figure *figure)
{
    printf("%-16s %25s %21s\n", "", "log evidence per word", "iterations until");
    printf("  %-14s %12s %12s %10s %10s %10s\n", "method", "at first", "at last",
           "half are", "all are", "decreases");
    for (dlp_index i = 0, end; i < figure->rows.n; i = end) {
        end = dlpi_figure_curve_end(&figure->rows, i);
        print_document_curve(figure, i, end);
    }
}

/* ---- topics ---- */

/* The fit at K with the same method and start as the curve; NULL: there is none. */
static const dlpi_figure_row *find_row(const cli_figure *figure,
                                       const dlpi_figure_row *curve, dlp_index K)
{
    for (dlp_index i = 0; i < figure->rows.n; i++) {
        const dlpi_figure_row *row = &figure->rows.row[i];
        if (row->K == K && !strcmp(row->method, curve->method) &&
            !strcmp(row->start, curve->start))
            return row;
    }
    return NULL;
}

static void print_by_topics(const cli_figure *figure, const char *title,
                            cli_figure_column *value)
{
    const dlp_index first_end = dlpi_figure_curve_end(&figure->rows, 0);
    printf("\n  %s\n  %8s", title, "topics");
    for (dlp_index i = 0; i < figure->rows.n; i = dlpi_figure_curve_end(&figure->rows, i))
        printf(" %13s", figure->rows.row[i].method);
    printf("\n  %8s", "");
    for (dlp_index i = 0; i < figure->rows.n; i = dlpi_figure_curve_end(&figure->rows, i))
        printf(" %13s", figure->rows.row[i].start);
    putchar('\n');
    for (dlp_index k = 0; k < first_end; k++) {
        printf("  %8td", figure->rows.row[k].K);
        for (dlp_index i = 0; i < figure->rows.n;
             i = dlpi_figure_curve_end(&figure->rows, i)) {
            const dlpi_figure_row *row =
                find_row(figure, &figure->rows.row[i], figure->rows.row[k].K);
            printf(" %13.4f", row ? value(row) : NAN);
        }
        putchar('\n');
    }
}

void cli_figure_print_topics(const cli_figure *figure)
{
    print_by_topics(figure, "log evidence per word", cli_figure_log_evidence);
    print_by_topics(figure, "held-out log likelihood per word", cli_figure_heldout);
}

/* ---- time ---- */

void cli_figure_print_time(const cli_figure *figure)
{
    printf("  %-14s %10s %12s %16s %18s %10s\n", "method", "iterations", "CPU seconds",
           "evidence/word", "held-out/word", "decreases");
    for (dlp_index i = 0, end; i < figure->rows.n; i = end) {
        end = dlpi_figure_curve_end(&figure->rows, i);
        const dlpi_figure_row *last = &figure->rows.row[end - 1];
        printf("  %-14s %10d %12.2f %16.4f %18.4f %10td\n", last->method, last->iteration,
               last->seconds, last->log_evidence, last->heldout, last->decreases);
    }
}
