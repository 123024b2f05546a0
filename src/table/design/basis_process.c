/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The nodes of processes: ar1(t | g), bym2(region), and walks and regions that are too
 * many for columns. knot holds their positions, series by series and ascending in each,
 * or the regions from 0. For ar1, weight holds the series of each node, then the distance
 * that its correlation refers to, then 1 if all distances are multiples of that, or 0.
 * For a long rw2 it holds the straight column.
 */
#include "math/distinct.h"
#include "table/design/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- ar1 ---- */

typedef struct node {
    int32_t series;
    double x;
} node;

static int compare_nodes(const void *a, const void *b)
{
    const node *p = a, *q = b;
    if (p->series != q->series) return p->series < q->series ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

/* The distances between successive nodes; returns how many. */
static dlp_index list_gaps(dlp_index n, const node *nodes, double *gap)
{
    dlp_index gaps = 0;
    for (dlp_index i = 1; i < n; i++)
        if (nodes[i].series == nodes[i - 1].series)
            gap[gaps++] = nodes[i].x - nodes[i - 1].x;
    qsort(gap, (size_t)gaps, sizeof *gap, dlpi_ascending);
    return gaps;
}

/* The smallest distance, where all are multiples of it; else the median one. */
static double choose_step(dlp_index gaps, const double *gap, bool *whole)
{
    *whole = true;
    for (dlp_index i = 0; i < gaps && *whole; i++) {
        const double steps = gap[i] / gap[0];
        *whole = fabs(steps - round(steps)) < 1e-6 * steps;
    }
    return *whole ? gap[0] : gap[gaps / 2];
}

/* The distinct nodes, in order; returns how many. */
static dlp_index list_nodes(dlp_index n, const double *x, const int32_t *series,
                            node *nodes)
{
    dlp_index found = 0;
    for (dlp_index i = 0; i < n; i++) nodes[i] = (node){series ? series[i] : 0, x[i]};
    qsort(nodes, (size_t)n, sizeof *nodes, compare_nodes);
    for (dlp_index i = 0; i < n; i++)
        if (i == 0 || compare_nodes(&nodes[i], &nodes[found - 1]) != 0)
            nodes[found++] = nodes[i];
    return found;
}

dlp_status dlpi_basis_make_ar1(dlp_index n, const double *x, const int32_t *series,
                               struct dlpi_pool *pool, dlp_basis *out, dlp_error *error)
{
    node *nodes = dlpi_pool_take(pool, n, sizeof *nodes);
    double *gap = dlpi_pool_take(pool, n, sizeof *gap);
    bool whole;
    if (!nodes || !gap) return dlpi_no_memory(error, "an autoregression");
    const dlp_index found = list_nodes(n, x, series, nodes);
    if (found > DLPI_MOST_NODES)
        return dlp_fail(
            error, DLP_EINPUT,
            "there are %td distinct values%s, and ar1() takes up to %d; round "
            "them, or write s()",
            found, series ? " over all groups" : "", DLPI_MOST_NODES);
    const dlp_index gaps = list_gaps(found, nodes, gap);
    if (gaps < 2)
        return dlp_fail(error, DLP_EINPUT,
                        "%s; an autoregression needs three successive values",
                        series ? "at most one group has two successive values"
                               : "there are too few distinct values");
    double *knot = dlpi_pool_take(pool, found, sizeof *knot);
    double *weight = dlpi_pool_take(pool, found + 2, sizeof *weight);
    if (!knot || !weight) return dlpi_no_memory(error, "an autoregression");
    for (dlp_index i = 0; i < found; i++) {
        knot[i] = nodes[i].x;
        weight[i] = nodes[i].series;
    }
    weight[found] = choose_step(gaps, gap, &whole);
    weight[found + 1] = whole;
    *out = (dlp_basis){.kind = DLP_BASIS_AR1,
                       .d = 1,
                       .n_knots = found,
                       .knot = knot,
                       .n_weights = found + 2,
                       .weight = weight};
    return DLP_OK;
}

/* ---- walks and regions ---- */

dlp_status dlpi_basis_make_long_walk(dlp_basis_kind kind, dlp_index found,
                                     const double *t, double mean, struct dlpi_pool *pool,
                                     dlp_basis *out, dlp_error *error)
{
    const bool second = kind == DLP_BASIS_RW2;
    const int most = second ? DLPI_MOST_BENDS : DLPI_MOST_NODES;
    if (found > most)
        return dlp_fail(error, DLP_EINPUT,
                        "there are %td distinct values, and %s() takes up to %d; round "
                        "them%s",
                        found, dlp_basis_name((int)kind), most,
                        second ? ", or write rw1() or s()" : "");
    double *knot = dlpi_pool_take(pool, found, sizeof *knot);
    double *weight = dlpi_pool_take(pool, second ? found : 0, sizeof *weight);
    if (!knot || !weight) return dlpi_no_memory(error, "a random walk");
    memcpy(knot, t, (size_t)found * sizeof *knot);
    for (dlp_index i = 0; second && i < found; i++) weight[i] = t[i] - mean;
    *out = (dlp_basis){.kind = kind,
                       .d = 1,
                       .columns = second,
                       .fixed = second,
                       .n_knots = found,
                       .knot = knot,
                       .n_weights = second ? found : 0,
                       .weight = weight};
    return DLP_OK;
}

/* Each pair of neighbours once, ascending; returns how many numbers there are. */
static dlp_index list_pairs(const dlp_adjacency *a, double *to)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < a->n; i++)
        for (dlp_index k = a->begin[i]; k < a->begin[i + 1]; k++) {
            if (a->neighbour[k] <= i) continue;
            if (to) to[n] = (double)i;
            if (to) to[n + 1] = (double)a->neighbour[k];
            n += 2;
        }
    return n;
}

dlp_status dlpi_basis_make_region_nodes(dlp_basis_kind kind, const dlp_adjacency *a,
                                        struct dlpi_pool *pool, dlp_basis *out,
                                        dlp_error *error)
{
    if (a->n > DLPI_MOST_REGIONS)
        return dlp_fail(
            error, DLP_EINPUT,
            "there are %td regions, and %s() takes up to %d; join small ones, or "
            "write (1 | region)",
            a->n, dlp_basis_name((int)kind), DLPI_MOST_REGIONS);
    const dlp_index numbers = list_pairs(a, NULL);
    double *knot = dlpi_pool_take(pool, a->n, sizeof *knot),
           *weight = dlpi_pool_take(pool, numbers, sizeof *weight);
    if (!knot || !weight) return dlpi_no_memory(error, "the regions");
    for (dlp_index i = 0; i < a->n; i++) knot[i] = (double)i;
    (void)list_pairs(a, weight);
    *out = (dlp_basis){.kind = kind,
                       .d = 1,
                       .n_knots = a->n,
                       .knot = knot,
                       .n_weights = numbers,
                       .weight = weight};
    return DLP_OK;
}

/* ---- where a row is ---- */

static int32_t series_of(const dlp_basis *b, dlp_index i)
{
    return b->kind == DLP_BASIS_AR1 ? (int32_t)b->weight[i] : 0;
}

int32_t dlpi_process_node(const dlp_basis *b, int32_t series, double x)
{
    const node wanted = {series, x};
    dlp_index low = 0, high = b->n_knots;
    while (low < high) {
        const dlp_index middle = (low + high) / 2;
        const node at = {series_of(b, middle), b->knot[middle]};
        const int order = compare_nodes(&at, &wanted);
        if (order == 0) return (int32_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* ---- checks ---- */

static bool is_ar1_sound(const dlp_basis *b)
{
    const dlp_index n = b->n_knots;
    if (n < 3 || n > DLPI_MOST_NODES || b->n_weights != n + 2 || !(b->weight[n] > 0) ||
        (b->weight[n + 1] != 0 && b->weight[n + 1] != 1))
        return false;
    for (dlp_index i = 0; i < n; i++) {
        const double series = b->weight[i];
        if (!(series >= 0 && series <= INT32_MAX && series == floor(series)))
            return false;
        const node at = {(int32_t)series, b->knot[i]};
        if (i == 0) continue;
        const node before = {series_of(b, i - 1), b->knot[i - 1]};
        if (compare_nodes(&before, &at) >= 0) return false;
    }
    return true;
}

/* Pairs of regions, each once, ascending; none in older files. */
static bool are_neighbours_sound(const dlp_basis *b)
{
    if (b->n_weights % 2 != 0) return false;
    for (dlp_index k = 0; k < b->n_weights; k += 2) {
        const double *pair = b->weight + k, i = pair[0], j = pair[1];
        if (!(i >= 0 && i < j && j < (double)b->n_knots) || i != floor(i) ||
            j != floor(j))
            return false;
        if (k > 0 && !(pair[-2] < i || (pair[-2] == i && pair[-1] < j))) return false;
    }
    return true;
}

bool dlpi_process_is_sound(const dlp_basis *b)
{
    const bool regions = dlp_basis_is_regional(b);
    if (b->d != 1 || b->columns != b->fixed ||
        b->columns != (b->kind == DLP_BASIS_RW2 ? 1 : 0))
        return false;
    if (b->kind == DLP_BASIS_AR1) return is_ar1_sound(b);
    if (b->n_knots < 2 || b->n_knots > DLPI_MOST_NODES ||
        (regions ? !are_neighbours_sound(b) : b->n_weights != b->n_knots * b->columns))
        return false;
    for (dlp_index i = 0; i < b->n_knots; i++)
        if (regions ? b->knot[i] != (double)i : i > 0 && !(b->knot[i] > b->knot[i - 1]))
            return false;
    return regions || b->n_knots > 3;
}
