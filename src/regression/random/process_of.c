/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes: from the constants of the formula to the engine, and predicted at new places
   from the nodes. */
#include "regression/random/process_of.h"

#include "core/core.h"

#include <math.h>
#include <string.h>

/* ---- to the engine ---- */

static double step_of(const dlp_basis *ar1)
{
    return ar1->weight[ar1->n_knots];
}

static bool is_whole(const dlp_basis *ar1)
{
    return ar1->weight[ar1->n_knots + 1] != 0;
}

/* A distance in steps: whole if all of them are. */
static double steps(const dlp_basis *ar1, double distance)
{
    const double n = distance / step_of(ar1);
    return is_whole(ar1) ? round(n) : n;
}

static dlp_status make_ar1(const dlp_basis *b, dlpi_process *out, dlp_error *error)
{
    const dlp_index n = b->n_knots;
    double *gap = dlpi_calloc(n, sizeof *gap);
    if (!gap) return dlpi_no_memory(error, "an autoregression");
    for (dlp_index i = 1; i < n; i++)
        if (b->weight[i] == b->weight[i - 1])
            gap[i] = steps(b, b->knot[i] - b->knot[i - 1]);
    const dlp_status status = dlpi_process_ar1(n, gap, !is_whole(b), out, error);
    free(gap);
    return status;
}

double dlpi_process_second_of(const dlp_basis *b, double number)
{
    const dlpi_process like = {.kind = b->kind == DLP_BASIS_AR1 ? DLPI_AR1 : DLPI_BYM2,
                               .positive = b->kind == DLP_BASIS_AR1 && !is_whole(b)};
    return dlpi_process_second(&like, number);
}

bool dlpi_process_is_positive(const dlp_basis *b)
{
    return b->kind != DLP_BASIS_AR1 || !is_whole(b);
}

/* The neighbours of each region, from the pairs of the basis, which ascend: begin (n + 1)
   and neighbour (2 pairs). */
static void list_neighbours(const dlp_basis *b, dlp_index *begin, dlp_index *neighbour)
{
    const dlp_index n = b->n_knots, numbers = b->n_weights;
    for (dlp_index k = 0; k < numbers; k++) begin[(dlp_index)b->weight[k] + 1]++;
    for (dlp_index i = 0; i < n; i++) begin[i + 1] += begin[i];
    /* first those before a region, which ascend with the pairs, then those after it */
    for (int after = 0; after < 2; after++)
        for (dlp_index k = 0; k < numbers; k += 2) {
            const dlp_index of = (dlp_index)b->weight[k + !after],
                            other = (dlp_index)b->weight[k + after];
            neighbour[begin[of]++] = other;
        }
    for (dlp_index i = n; i > 0; i--) begin[i] = begin[i - 1];
    begin[0] = 0;
}

static dlp_status make_graph(const dlp_basis *b, dlpi_process *out, dlp_error *error)
{
    const dlp_index n = b->n_knots;
    if (b->n_weights == 0)
        return dlp_fail(error, DLP_EINVAL, "the regions have no neighbours");
    dlp_index *begin = dlpi_calloc(n + 1 + b->n_weights, sizeof *begin);
    if (!begin) return dlpi_no_memory(error, "the regions");
    list_neighbours(b, begin, begin + n + 1);
    const dlp_status status = dlpi_process_graph(n, begin, begin + n + 1,
                                                 b->kind == DLP_BASIS_BYM2, out, error);
    free(begin);
    return status;
}

dlp_status dlpi_process_of(const dlp_basis *b, const dlp_adjacency *a, dlpi_process *out,
                           dlp_error *error)
{
    if (b->kind == DLP_BASIS_AR1) return make_ar1(b, out, error);
    if (dlp_basis_is_walk(b))
        return dlpi_process_walk(b->n_knots, b->knot, b->kind == DLP_BASIS_RW1 ? 1 : 2,
                                 out, error);
    if (!a || a->n != b->n_knots) return make_graph(b, out, error);
    return dlpi_process_graph(a->n, a->begin, a->neighbour, b->kind == DLP_BASIS_BYM2,
                              out, error);
}

/* ---- at other places ---- */

static int32_t series_of(const dlp_basis *b, dlp_index i)
{
    return b->kind == DLP_BASIS_AR1 ? (int32_t)b->weight[i] : 0;
}

/* The first node of the series that is at x or after it. */
static dlp_index find_behind(const dlp_basis *b, int32_t series, double x)
{
    dlp_index low = 0, high = b->n_knots;
    while (low < high) {
        const dlp_index middle = (low + high) / 2;
        const int32_t there = series_of(b, middle);
        if (there < series || (there == series && b->knot[middle] < x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Between steps, as in a continuous process; with a negative rho there is none, and the
   distance is rounded to whole steps. */
static double correlation_at(const dlp_basis *b, double rho, double distance)
{
    return pow(rho, rho < 0 ? steps(b, distance) : distance / step_of(b));
}

/* Between two nodes: with correlations r to the one before, s to the one after and r s
   between them, E = {r (1 - s^2) before + s (1 - r^2) after} / (1 - r^2 s^2). Beyond the
   last: r. */
static void place_ar1(const dlp_basis *b, double x, double rho, bool before, bool behind,
                      dlpi_process_place *p)
{
    const double r = before ? correlation_at(b, rho, x - b->knot[p->node[0]]) : 0,
                 s = behind ? correlation_at(b, rho, b->knot[p->node[before]] - x) : 0,
                 left = 1 - r * r * s * s;
    if (left <= 0) return;
    if (before) p->weight[0] = r * (1 - s * s) / left;
    if (behind) p->weight[before] = s * (1 - r * r) / left;
    p->variance = (1 - r * r) * (1 - s * s) / left;
}

/* On the line between two nodes; beyond the last, a walk of order 1 stays, one of order 2
   continues its line. */
double dlpi_walk_left(const dlp_basis *b, double reference, double x)
{
    const dlp_index n = b->n_knots;
    const double low = b->knot[0], high = b->knot[n - 1],
                 beyond = fmax(fmax(low - x, x - high), 0);
    if (beyond > 0 && b->kind == DLP_BASIS_RW1) return beyond / reference;
    if (beyond > 0) { /* sum_{j = 1}^k (j h)^2 h, with steps like the last */
        const double step = x > high ? high - b->knot[n - 2] : b->knot[1] - low,
                     k = beyond / step;
        return step * step * step * k * (k + 1) * (2 * k + 1) / (6 * reference);
    }
    const dlp_index behind = find_behind(b, 0, x), i = behind > 0 ? behind - 1 : 0;
    const double h = b->knot[i + 1] - b->knot[i], u = (x - b->knot[i]) / h,
                 v = u * (1 - u);
    return b->kind == DLP_BASIS_RW1 ? h * v / reference
                                    : h * h * h * v * v / (3 * reference);
}

dlpi_process_place dlpi_place_in(const dlp_basis *b, int32_t series, double x,
                                 double correlation, double reference)
{
    dlpi_process_place p = {.variance = 1};
    if (dlp_basis_is_regional(b)) { /* regions cannot be new */
        const bool known = x >= 0 && x < (double)b->n_knots;
        return (dlpi_process_place){known, {known ? (dlp_index)x : 0, 0}, {1, 0}, !known};
    }
    const dlp_index behind = find_behind(b, series, x);
    const bool has_before = behind > 0 && series_of(b, behind - 1) == series,
               has_behind = behind < b->n_knots && series_of(b, behind) == series;
    if (!has_before && !has_behind) return p; /* the series is new */
    if (has_behind && b->knot[behind] == x)
        return (dlpi_process_place){1, {behind, 0}, {1, 0}, 0};
    if (has_before) p.node[p.n++] = behind - 1;
    if (has_behind) p.node[p.n++] = behind;
    if (b->kind == DLP_BASIS_AR1) {
        place_ar1(b, x, correlation, has_before, has_behind, &p);
        return p;
    }
    p.variance = dlpi_walk_left(b, reference, x);
    p.weight[0] = 1;
    if (b->kind == DLP_BASIS_RW2 && p.n == 1) { /* the line continues */
        p.node[0] = has_before ? b->n_knots - 2 : 0;
        p.node[1] = p.node[0] + 1;
        p.n = 2;
    }
    if (p.n == 2) {
        const double h = b->knot[p.node[1]] - b->knot[p.node[0]];
        p.weight[1] = (x - b->knot[p.node[0]]) / h;
        p.weight[0] = 1 - p.weight[1];
    }
    return p;
}

double dlpi_basis_reference(const dlp_basis *walk)
{
    double *room = dlpi_calloc(2 * walk->n_knots, sizeof *room);
    if (!room) return NAN;
    const double reference = dlpi_walk_reference(
        walk->n_knots, walk->knot, walk->kind == DLP_BASIS_RW1 ? 1 : 2, room);
    free(room);
    return reference;
}
