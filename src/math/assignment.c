/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Kuhn-Munkres method by shortest augmenting paths: potentials u of rows and v of
 * columns keep cost_ij - u_i - v_j >= 0, with 0 where i and j are matched; rows are
 * matched one by one. Columns and rows count from 1 here; 0 is where a path begins.
 */
#include "math/assignment.h"

#include "core/core.h"

#include <math.h>

typedef struct work {
    dlp_index n;
    const double *gain;
    double *u, *v;   /* (n + 1) */
    double *slack;   /* (n + 1) of each column, over the rows of the path's tree */
    dlp_index *row;  /* (n + 1) that a column is matched with; 0: none */
    dlp_index *from; /* (n + 1) the column before it on the path */
    bool *reached;   /* (n + 1) */
} work;

/* Adds the row of column j to the tree; returns the nearest column outside it. */
static dlp_index reach(const work *w, dlp_index j)
{
    const dlp_index i = w->row[j];
    dlp_index next = 0;
    double least = INFINITY;
    w->reached[j] = true;
    for (dlp_index k = 1; k <= w->n; k++) {
        if (w->reached[k]) continue;
        const double cost = -w->gain[(i - 1) * w->n + k - 1] - w->u[i] - w->v[k];
        if (cost < w->slack[k]) {
            w->slack[k] = cost;
            w->from[k] = j;
        }
        if (w->slack[k] < least) {
            least = w->slack[k];
            next = k;
        }
    }
    for (dlp_index k = 0; k <= w->n; k++)
        if (w->reached[k]) {
            w->u[w->row[k]] += least;
            w->v[k] -= least;
        } else {
            w->slack[k] -= least;
        }
    return next;
}

static void match_row(const work *w, dlp_index i)
{
    dlp_index j = 0;
    w->row[0] = i;
    for (dlp_index k = 0; k <= w->n; k++) {
        w->slack[k] = INFINITY;
        w->reached[k] = false;
    }
    do j = reach(w, j);
    while (w->row[j] != 0);
    for (; j != 0; j = w->from[j]) w->row[j] = w->row[w->from[j]];
}

dlp_status dlpi_assign(dlp_index n, const double *gain, dlp_index *match,
                       dlp_error *error)
{
    double *numbers = dlpi_calloc(3 * (n + 1), sizeof *numbers);
    dlp_index *places = dlpi_calloc(2 * (n + 1), sizeof *places);
    bool *reached = dlpi_calloc(n + 1, sizeof *reached);
    const bool held = numbers && places && reached;
    if (held) {
        const work w = {
            n,      gain,           numbers, numbers + n + 1, numbers + 2 * (n + 1),
            places, places + n + 1, reached};
        for (dlp_index i = 1; i <= n; i++) match_row(&w, i);
        for (dlp_index j = 1; j <= n; j++) match[w.row[j] - 1] = j - 1;
    }
    free(numbers);
    free(places);
    free(reached);
    return held ? DLP_OK : dlpi_no_memory(error, "matching");
}
