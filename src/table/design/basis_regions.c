/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of besag(): differences between neighbours are N(0, sd^2); the values within
 * each connected part of the map sum to 0 and are scaled to a generalised variance of 1;
 * a region without neighbours is N(0, sd^2) by itself (Freni-Sterrantino, Ventrucci &
 * Rue, Spatial and Spatio-temporal Epidemiology 26, 2018).
 */
#include "table/design/basis.h"

#include "math/lapack.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Marks the regions connected with region i as part c and lists them; returns how
   many. */
static dlp_index walk_part(const dlp_adjacency *a, dlp_index i, dlp_index c,
                           dlp_index *part, dlp_index *list)
{
    dlp_index n = 0;
    list[n++] = i;
    part[i] = c;
    for (dlp_index at = 0; at < n; at++)
        for (dlp_index k = a->begin[list[at]]; k < a->begin[list[at] + 1]; k++)
            if (part[a->neighbour[k]] < 0) {
                part[a->neighbour[k]] = c;
                list[n++] = a->neighbour[k];
            }
    return n;
}

/* Q = D - A of the listed regions; place[i] is the index of region i in the list. */
static void fill_precision(const dlp_adjacency *a, dlp_index n, const dlp_index *list,
                           dlp_index *place, double *Q)
{
    memset(Q, 0, (size_t)(n * n) * sizeof *Q);
    for (dlp_index r = 0; r < n; r++) place[list[r]] = r;
    for (dlp_index r = 0; r < n; r++)
        for (dlp_index k = a->begin[list[r]]; k < a->begin[list[r] + 1]; k++) {
            Q[r * n + r] += 1;
            Q[r * n + place[a->neighbour[k]]] -= 1;
        }
}

/* V V' = Q^-, scaled: n - 1 columns of V from `first` on. */
static dlp_status add_part(dlp_index n, const dlp_index *list, double *Q, double *lambda,
                           dlp_index columns, dlp_index first, double *V,
                           dlp_error *error)
{
    double sum = 0;
    DLP_TRY(dlpi_lapack_eigen_large(n, Q, lambda, error));
    for (dlp_index r = 0; r < n; r++) {
        double variance = DBL_MIN; /* so that it has a logarithm */
        for (dlp_index k = 1; k < n; k++) {
            const double v = Q[k * n + r] / sqrt(lambda[k]);
            V[list[r] * columns + first + k - 1] = v;
            variance += v * v;
        }
        sum += log(variance) / (double)n;
    }
    for (dlp_index r = 0; r < n; r++)
        for (dlp_index k = 1; k < n; k++)
            V[list[r] * columns + first + k - 1] *= exp(-0.5 * sum);
    return DLP_OK;
}

static dlp_index count_columns(const dlp_adjacency *a, dlp_index *part, dlp_index *list)
{
    dlp_index columns = 0;
    for (dlp_index i = 0; i < a->n; i++) part[i] = -1;
    for (dlp_index i = 0; i < a->n; i++) {
        if (part[i] >= 0) continue;
        const dlp_index n = walk_part(a, i, 0, part, list);
        columns += n > 1 ? n - 1 : 1;
    }
    return columns;
}

static dlp_status fill_parts(const dlp_adjacency *a, dlp_index *room, double *Q,
                             dlp_index columns, double *V, dlp_error *error)
{
    dlp_index *part = room, *list = room + a->n, *place = list + a->n, first = 0;
    for (dlp_index i = 0; i < a->n; i++) part[i] = -1;
    for (dlp_index i = 0; i < a->n; i++) {
        if (part[i] >= 0) continue;
        const dlp_index n = walk_part(a, i, i, part, list);
        if (n == 1) {
            V[i * columns + first++] = 1;
            continue;
        }
        fill_precision(a, n, list, place, Q);
        DLP_TRY(add_part(n, list, Q, Q + a->n * a->n, columns, first, V, error));
        first += n - 1;
    }
    return DLP_OK;
}

dlp_status dlpi_basis_make_regions(const dlp_adjacency *a, struct dlpi_pool *pool,
                                   dlp_basis *out, dlp_error *error)
{
    const dlp_index n = a->n;
    if (n > DLPI_MOST_STEPS)
        return dlp_fail(error, DLP_EINPUT,
                        "there are %td regions, and besag() takes at most %d", n,
                        DLPI_MOST_STEPS);
    dlp_index *room = dlpi_pool_take(pool, 3 * n, sizeof *room);
    double *Q = dlpi_pool_take(pool, n * n + n, sizeof *Q);
    double *knot = dlpi_pool_take(pool, n, sizeof *knot);
    if (!room || !Q || !knot) return dlpi_no_memory(error, "the regions");
    const dlp_index columns = count_columns(a, room, room + n);
    double *V = dlpi_pool_take(pool, n * columns, sizeof *V);
    if (!V) return dlpi_no_memory(error, "the regions");
    for (dlp_index i = 0; i < n; i++) knot[i] = (double)i;
    *out = (dlp_basis){.kind = DLP_BASIS_BESAG,
                       .d = 1,
                       .columns = columns,
                       .n_knots = n,
                       .knot = knot,
                       .n_weights = n * columns,
                       .weight = V};
    return fill_parts(a, room, Q, columns, V, error);
}
