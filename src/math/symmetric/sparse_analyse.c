/* SPDX-License-Identifier: BSD-3-Clause */
/* The analysis of elimination on a pattern, done once: order, tree, counts,
   supernodes. */
#include "core/core.h"
#include "math/symmetric/sparse.h"

#include <string.h>

typedef struct analysis {
    dlp_index *lower_start,
        *upper_start;        /* (n+1) strictly lower and upper triangle, in */
    int32_t *lower, *upper;  /* the order of elimination, by rows */
    int32_t *position;       /* (n) of a coordinate in that order */
    int32_t *parent, *count; /* (n) */
    int32_t *post;           /* (n) */
    int32_t *room;           /* (3n+2) */
} analysis;

static void analysis_free(analysis *a)
{
    free(a->lower_start);
    free(a->upper_start);
    free(a->lower);
    free(a->upper);
    free(a->position);
    free(a->parent);
    free(a->count);
    free(a->post);
    free(a->room);
}

static dlp_status allocate(analysis *a, dlp_pattern *p, dlp_error *error)
{
    const dlp_index n = p->n, off = p->start[n] - n;
    a->lower_start = dlpi_calloc(n + 1, sizeof *a->lower_start);
    a->upper_start = dlpi_calloc(n + 1, sizeof *a->upper_start);
    a->lower = dlpi_calloc(off, sizeof *a->lower);
    a->upper = dlpi_calloc(off, sizeof *a->upper);
    a->position = dlpi_calloc(n, sizeof *a->position);
    a->parent = dlpi_calloc(n, sizeof *a->parent);
    a->count = dlpi_calloc(n, sizeof *a->count);
    a->post = dlpi_calloc(n, sizeof *a->post);
    a->room = dlpi_calloc(dlpi_size(3, n, 2), sizeof *a->room);
    p->order = dlpi_calloc(n, sizeof *p->order);
    return a->lower_start && a->upper_start && a->lower && a->upper && a->position &&
                   a->parent && a->count && a->post && a->room && p->order
               ? DLP_OK
               : dlpi_no_memory(error, "the analysis of a pattern");
}

/* Both triangles in the order p->order. */
static void reorder(analysis *a, const dlp_pattern *p)
{
    const dlp_index n = p->n;
    dlp_index *at = a->upper_start;
    for (dlp_index k = 0; k < n; k++) a->position[p->order[k]] = (int32_t)k;
    memset(at, 0, (size_t)(n + 1) * sizeof *at);
    for (int pass = 0; pass < 2; pass++) { /* count, then fill */
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index e = p->start[i] + 1; e < p->start[i + 1]; e++) {
                const int32_t x = a->position[i], y = a->position[p->column[e]];
                const int32_t row = x < y ? x : y;
                if (pass == 0)
                    at[row + 1]++;
                else
                    a->upper[at[row]++] = x < y ? y : x;
            }
        for (dlp_index k = 0; k < n && pass == 0; k++) at[k + 1] += at[k];
    }
    memmove(at + 1, at, (size_t)n * sizeof *at);
    at[0] = 0;
    dlpi_sparse_transpose(n, a->upper_start, a->upper, a->lower_start, a->lower);
}

/* Changes the order to visit children before their parents; the fill-in stays the
   same. */
static void take_postorder(analysis *a, dlp_pattern *p)
{
    const dlp_index n = p->n;
    int32_t *new_of = a->room, *kept = new_of + n;
    dlpi_sparse_postorder(n, a->parent, a->count, a->post, a->room);
    for (dlp_index k = 0; k < n; k++) new_of[a->post[k]] = (int32_t)k;
    memcpy(kept, p->order, (size_t)n * sizeof *kept);
    for (dlp_index k = 0; k < n; k++) p->order[k] = kept[a->post[k]];
    memcpy(kept, a->count, (size_t)n * sizeof *kept);
    for (dlp_index k = 0; k < n; k++) a->count[k] = kept[a->post[k]];
    memcpy(kept, a->parent, (size_t)n * sizeof *kept);
    for (dlp_index k = 0; k < n; k++) {
        const int32_t parent = kept[a->post[k]];
        a->parent[k] = parent == -1 ? -1 : new_of[parent];
    }
    reorder(a, p);
}

/* Column j of L with c entries below the diagonal costs a square root, c divisions, and
   c (c+1) for its update of the rest. */
static void measure(const analysis *a, dlp_pattern *p)
{
    p->factor_count = 0;
    p->flops = 0;
    for (dlp_index k = 0; k < p->n; k++) {
        const double below = a->count[k] - 1;
        p->factor_count += a->count[k];
        p->flops += 1 + below + below * (below + 1);
    }
}

/* The cost of elimination in the order p->order. */
static void eliminate(analysis *a, dlp_pattern *p)
{
    reorder(a, p);
    dlpi_sparse_tree(p->n, a->lower_start, a->lower, a->parent, a->room);
    dlpi_sparse_counts(p->n, a->lower_start, a->lower, a->parent, a->count, a->room);
    measure(a, p);
}

#ifdef DLPI_HAVE_METIS
/* Below this much work another order cannot save the time it takes to find it. */
static const double WORTH_A_SECOND = 1e9;

/* METIS's order, if it needs less work. */
static dlp_status try_metis(analysis *a, dlp_pattern *p, dlp_error *error)
{
    const double flops = p->flops;
    if (flops < WORTH_A_SECOND) return DLP_OK;
    memcpy(a->post, p->order, (size_t)p->n * sizeof *a->post); /* still free */
    DLP_TRY(dlpi_sparse_order_metis(p, p->order, error));
    eliminate(a, p);
    if (p->flops < flops) return DLP_OK;
    memcpy(p->order, a->post, (size_t)p->n * sizeof *a->post);
    eliminate(a, p);
    return DLP_OK;
}
#else
static dlp_status try_metis(analysis *a, dlp_pattern *p, dlp_error *error)
{
    (void)a;
    (void)p;
    (void)error;
    return DLP_OK;
}
#endif

dlp_status dlpi_sparse_analyse(dlp_pattern *p, dlp_error *error)
{
    dlp_status status;
    analysis a = {0};
    DLP_TRY_OR(done, allocate(&a, p, error));
    DLP_TRY_OR(done, dlpi_sparse_order(p, p->order, error));
    eliminate(&a, p);
    DLP_TRY_OR(done, try_metis(&a, p, error));
    take_postorder(&a, p);
    status = dlpi_sparse_supernodes(p, a.parent, a.count, a.upper_start, a.upper, error);
done:
    analysis_free(&a);
    return status;
}
