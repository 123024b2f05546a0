/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The elimination order: AMD, approximate minimum degree. By its own rule, nearly full
 * rows come last.
 *
 * AMD is slow where a few coordinates have very many neighbours, as the items of a
 * crossed design do, though the result is obvious: coordinates with few neighbours, and
 * not adjacent to each other, go first, and each leaves its neighbours connected. So in
 * that case we eliminate those first, and AMD orders only the rest.
 */
#include "core/core.h"
#include "math/symmetric/sparse.h"

#include <amd.h>
#include <math.h>
#include <string.h>

/* AMD treats a row as dense from this times sqrt(n) on; and the steps it may take, about
   a second. */
static const double AMD_DENSE_ROW = 10, AMD_SLOW = 1e8;
/* The most pairs of neighbours that we connect. */
static const double MOST_PAIRS = 4e8;

/* Both triangles without the diagonal, and the data derived from them. */
typedef struct graph {
    dlp_index n;
    const dlp_pattern *pattern;
    dlp_index *start; /* (n+1) */
    int32_t *neighbour;
    int32_t *rank;      /* (n) new number of each remaining coordinate; or one of these */
    int32_t *by_degree; /* (n) */
    dlp_index *rest_start; /* (left+1) the upper triangle of what is left, */
    int32_t *rest;         /* (room) */
    int32_t *rest_order;   /* (left) and its order */
    dlp_index room;
} graph;
enum { UNSEEN = -1, FIRST = -2, DENSE = -3, LEFT = -4 };

static void graph_free(graph *g)
{
    free(g->start);
    free(g->neighbour);
    free(g->rank);
    free(g->by_degree);
    free(g->rest_start);
    free(g->rest);
    free(g->rest_order);
}

static dlp_index degree(const graph *g, dlp_index i)
{
    return g->start[i + 1] - g->start[i];
}

static dlp_status graph_alloc(graph *g, const dlp_pattern *p, dlp_error *error)
{
    const dlp_index n = p->n, off = p->start[n] - n;
    *g = (graph){.n = n, .pattern = p};
    g->start = dlpi_calloc(n + 1, sizeof *g->start);
    g->neighbour = dlpi_calloc(dlpi_size(2, off, 0), sizeof *g->neighbour);
    g->rank = dlpi_calloc(n, sizeof *g->rank);
    g->by_degree = dlpi_calloc(n, sizeof *g->by_degree);
    if (!g->start || !g->neighbour || !g->rank || !g->by_degree)
        return dlpi_no_memory(error, "the order of elimination");
    for (int pass = 0; pass < 2; pass++) { /* count, then fill */
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index e = p->start[i] + 1; e < p->start[i + 1]; e++) {
                const int32_t j = p->column[e];
                if (pass == 0) {
                    g->start[i + 1]++;
                    g->start[j + 1]++;
                } else {
                    g->neighbour[g->start[i]++] = j;
                    g->neighbour[g->start[j]++] = (int32_t)i;
                }
            }
        for (dlp_index i = 0; i < n && pass == 0; i++) g->start[i + 1] += g->start[i];
    }
    memmove(g->start + 1, g->start, (size_t)n * sizeof *g->start);
    g->start[0] = 0;
    return DLP_OK;
}

/* The coordinates by degree: a counting sort, with room for the counts in rank. */
static void sort_by_degree(graph *g)
{
    int32_t *at = g->rank;
    memset(at, 0, (size_t)g->n * sizeof *at);
    for (dlp_index i = 0; i < g->n; i++)
        if (degree(g, i) + 1 < g->n) at[degree(g, i) + 1]++;
    for (dlp_index d = 1; d < g->n; d++) at[d] += at[d - 1];
    for (dlp_index i = 0; i < g->n; i++) g->by_degree[at[degree(g, i)]++] = (int32_t)i;
}

/* Chooses the coordinates that go first: by ascending degree, skipping neighbours of
   those chosen. Returns how many; *pairs is the number of pairs of neighbours they
   leave. */
static dlp_index choose_first(graph *g, double *pairs)
{
    const double dense = fmax(16, AMD_DENSE_ROW * sqrt((double)g->n));
    dlp_index first = 0;
    *pairs = 0;
    sort_by_degree(g);
    for (dlp_index i = 0; i < g->n; i++)
        g->rank[i] = (double)degree(g, i) > dense ? DENSE : UNSEEN;
    for (dlp_index k = 0; k < g->n; k++) {
        const int32_t i = g->by_degree[k];
        const double d = (double)degree(g, i);
        if (g->rank[i] != UNSEEN) continue;
        g->rank[i] = FIRST;
        first++;
        *pairs += d * d;
        for (dlp_index e = g->start[i]; e < g->start[i + 1]; e++)
            if (g->rank[g->neighbour[e]] == UNSEEN) g->rank[g->neighbour[e]] = LEFT;
    }
    return first;
}

static dlp_status grow(graph *g, dlp_index used, dlp_index left, dlp_error *error)
{
    if (g->room - used >= left) return DLP_OK;
    const dlp_index room = dlpi_size(2, g->room, left);
    int32_t *rest = room < 0 || room >= INT32_MAX
                        ? NULL
                        : realloc(g->rest, (size_t)room * sizeof *rest);
    if (!rest) return dlpi_no_memory(error, "the order of elimination");
    g->rest = rest;
    g->room = room;
    return DLP_OK;
}

/* Appends the neighbours of i that remain and come after it; seen (left) marks them by
   i. */
static void add_neighbours(graph *g, int32_t of, int32_t row, int32_t *seen,
                           dlp_index *used)
{
    for (dlp_index e = g->start[of]; e < g->start[of + 1]; e++) {
        const int32_t j = g->rank[g->neighbour[e]];
        if (j <= row || seen[j] == row) continue;
        seen[j] = row;
        g->rest[(*used)++] = j;
    }
}

/* The remaining graph, with the neighbours of each eliminated coordinate connected;
   numbered as in rank. */
static dlp_status connect_rest(graph *g, dlp_index left, int32_t *seen, dlp_error *error)
{
    dlp_index used = 0;
    int32_t row = 0;
    for (dlp_index k = 0; k < left; k++) seen[k] = -1;
    for (dlp_index i = 0; i < g->n; i++)
        if (g->rank[i] == LEFT) g->rank[i] = row++;
    row = 0;
    for (dlp_index i = 0; i < g->n; i++) {
        if (g->rank[i] < 0) continue;
        DLP_TRY(grow(g, used, left, error));
        add_neighbours(g, (int32_t)i, row, seen, &used);
        for (dlp_index e = g->start[i]; e < g->start[i + 1]; e++)
            if (g->rank[g->neighbour[e]] == FIRST)
                add_neighbours(g, g->neighbour[e], row, seen, &used);
        g->rest_start[++row] = used;
    }
    return DLP_OK;
}

/* AMD's order of an upper triangle, start (n+1). */
static dlp_status order_by_amd(dlp_index n, const dlp_index *start, const int32_t *column,
                               int32_t *order, dlp_error *error)
{
    int32_t *begin = dlpi_calloc(n + 1, sizeof *begin);
    if (!begin) return dlpi_no_memory(error, "the order of elimination");
    for (dlp_index i = 0; i <= n; i++) begin[i] = (int32_t)start[i];
    const int outcome = amd_order((int32_t)n, begin, column, order, NULL, NULL);
    free(begin);
    return outcome == AMD_OK || outcome == AMD_OK_BUT_JUMBLED
               ? DLP_OK
               : dlpi_no_memory(error, "the order of elimination");
}

/* First the chosen ones, then the rest in AMD's order, then the dense ones. */
static void write_order(const graph *g, dlp_index left, int32_t *order)
{
    dlp_index at = 0;
    int32_t *which = g->by_degree; /* of each number of the rest */
    for (dlp_index i = 0; i < g->n; i++)
        if (g->rank[i] >= 0)
            which[g->rank[i]] = (int32_t)i;
        else if (g->rank[i] == FIRST)
            order[at++] = (int32_t)i;
    for (dlp_index k = 0; k < left; k++) order[at++] = which[g->rest_order[k]];
    for (dlp_index i = 0; i < g->n; i++)
        if (g->rank[i] == DENSE) order[at++] = (int32_t)i;
}

/* *done: whether this found the order. */
static dlp_status order_first_and_rest(const dlp_pattern *p, int32_t *order, bool *done,
                                       dlp_error *error)
{
    dlp_status status;
    graph g = {0};
    double pairs;
    *done = false;
    DLP_TRY_OR(out, graph_alloc(&g, p, error));
    const dlp_index first = choose_first(&g, &pairs);
    dlp_index left = 0;
    for (dlp_index i = 0; i < g.n; i++) left += g.rank[i] == LEFT;
    if (2 * first < g.n || pairs > MOST_PAIRS) goto out;
    g.rest_start = dlpi_calloc(left + 1, sizeof *g.rest_start);
    g.rest_order = dlpi_calloc(left, sizeof *g.rest_order);
    g.room = left + 1;
    g.rest = malloc((size_t)g.room * sizeof *g.rest);
    if (!g.rest_start || !g.rest_order || !g.rest) {
        status = dlpi_no_memory(error, "the order of elimination");
        goto out;
    }
    DLP_TRY_OR(out, connect_rest(&g, left, g.rest_order, error));
    if (left > 0)
        DLP_TRY_OR(out, order_by_amd(left, g.rest_start, g.rest, g.rest_order, error));
    write_order(&g, left, order);
    *done = true;
out:
    graph_free(&g);
    return status;
}

/* The sum of squared degrees of the rows that are not dense: the work for AMD. */
static double count_steps(const dlp_pattern *p, int32_t *degrees)
{
    const double dense = fmax(16, AMD_DENSE_ROW * sqrt((double)p->n));
    double steps = 0;
    memset(degrees, 0, (size_t)p->n * sizeof *degrees);
    for (dlp_index i = 0; i < p->n; i++)
        for (dlp_index e = p->start[i] + 1; e < p->start[i + 1]; e++) {
            degrees[i]++;
            degrees[p->column[e]]++;
        }
    for (dlp_index i = 0; i < p->n; i++)
        if (degrees[i] <= dense) steps += (double)degrees[i] * degrees[i];
    return steps;
}

dlp_status dlpi_sparse_order(const dlp_pattern *pattern, int32_t *order, dlp_error *error)
{
    bool done = false;
    if (count_steps(pattern, order) > AMD_SLOW) /* uses order's memory, which is still
                                                   free */
        DLP_TRY(order_first_and_rest(pattern, order, &done, error));
    return done ? DLP_OK
                : order_by_amd(pattern->n, pattern->start, pattern->column, order, error);
}
