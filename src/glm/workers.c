/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/workers.h"

#include "comm/division.h"
#include "core/core.h"
#include "core/spill.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

_Static_assert((int)DLPI_TILE == (int)DLPI_ROW_TILE, "chunks are whole tiles");

static dlp_status alloc_worker(const dlp_glm *g, dlpi_worker *w, dlp_error *error)
{
    const dlp_index n = g->n, tile = dlpi_size(g->data.p, DLPI_TILE, 0);
    w->room = dlpi_calloc(dlpi_size(n, n, dlpi_size(2, tile, n)), sizeof *w->room);
    if (!w->room) return dlpi_no_memory(error, "the regression's threads");
    w->grad = w->room;
    w->H = w->grad + n;
    w->glm.tile = w->H + n * n;
    w->glm.half = w->glm.tile + tile;
    w->glm.extra =
        dlpi_calloc(g->family->extra(g->data.p, g->data.levels), sizeof *w->glm.extra);
    return w->glm.extra ? DLP_OK : dlpi_no_memory(error, "the regression's threads");
}

void dlpi_workers_free(dlp_glm *g)
{
    for (int t = 0; g->worker && t < g->workers; t++) {
        free(g->worker[t].room);
        free(g->worker[t].glm.extra);
    }
    free(g->worker);
    g->worker = NULL;
    g->workers = 0;
    if (g->sums) dlpi_tree_free(&g->sums->tree);
    free(g->sums);
    g->sums = NULL;
}

static dlp_index chunks_of(const dlp_glm *g)
{
    return g->data.division ? g->data.division->chunks : dlpi_row_chunks(g->data.N);
}

static dlp_status alloc_sums(dlp_glm *g, dlpi_comm *comm, int threads, dlp_error *error)
{
    const dlp_index n = g->n;
    dlpi_row_sums *sums = g->sums = dlpi_calloc(1, sizeof *sums);
    if (!sums) return dlpi_no_memory(error, "the regression's threads");
    sums->alone = dlpi_comm_serial();
    return dlpi_tree_alloc(&sums->tree, comm ? comm : &sums->alone,
                           dlpi_tree_parts(chunks_of(g)), dlpi_size(n, n, n + 1), threads,
                           error);
}

dlp_status dlpi_glm_use_workers(dlp_glm *g, dlpi_comm *comm, int threads,
                                dlp_error *error)
{
    if (threads < 1 || threads > 1024)
        return dlp_fail(error, DLP_EINVAL, "threads is %d; it must be between 1 and 1024",
                        threads);
    const dlp_index chunks = chunks_of(g);
    const int most = chunks < threads ? (int)chunks : threads;
    dlpi_workers_free(g);
    if (chunks == 1) return DLP_OK;
    g->worker = dlpi_calloc(most, sizeof *g->worker);
    if (!g->worker) return dlpi_no_memory(error, "the regression's threads");
    g->workers = most;
    for (int t = 0; t < most; t++) DLP_TRY(alloc_worker(g, &g->worker[t], error));
    return alloc_sums(g, comm, most, error);
}

dlp_status dlp_glm_use_threads(dlp_glm *g, int threads, dlp_error *error)
{
    return dlpi_glm_use_workers(g, NULL, threads, error);
}

dlp_status dlpi_glm_check_workers(const dlp_glm *g, dlp_error *error)
{
    if (!g->sums || g->sums->status == DLP_OK) return DLP_OK;
    return dlpi_advise(error, g->sums->error.remedy,
                       dlp_fail(error, g->sums->status, "%s", g->sums->error.message));
}

/* The regression may have changed since, for example by holding a scale. */
static void prepare(const dlp_glm *g, double *half, dlpi_worker *w)
{
    dlp_glm *own = &w->glm;
    own->family = g->family;
    own->data = g->data;
    own->n = g->n;
    own->n_coefs = g->n_coefs;
    own->held_tau = g->held_tau;
    if (half) own->half = half;
}

static void sum_chunk(dlpi_worker *w, dlpi_chunk_sum *sum, const void *what,
                      dlp_index from, dlp_index to, bool grad, bool H)
{
    const dlp_index n = w->glm.n;
    if (grad) memset(w->grad, 0, (size_t)n * sizeof *w->grad);
    if (H) memset(w->H, 0, (size_t)(n * n) * sizeof *w->H);
    w->value = sum(&w->glm, from, to, what, grad ? w->grad : NULL, H ? w->H : NULL);
}

static void add(dlp_index n, const double *x, double *to)
{
    for (dlp_index i = 0; i < n; i++) to[i] += x[i];
}

/* Where chunk c begins; the end for c = chunks. */
static dlp_index begin(const dlp_glm *g, dlp_index c)
{
    if (g->data.division) return g->data.division->begin[c];
    return dlpi_row_chunk_begins(g->data.N, chunks_of(g), c);
}

/* What is summed over rows. */
typedef struct task {
    dlp_glm *g;
    dlpi_chunk_sum *sum;
    const void *what;
    double *half;
    bool grad, H;
} task;

/* The chunks from `first` on, one per thread. */
static int sum_chunks(void *context, dlp_index first, dlp_index left)
{
    const task *t = context;
    dlp_glm *g = t->g;
    const int now = left < g->workers ? (int)left : g->workers;
#pragma omp parallel for schedule(static) num_threads(now) if (now > 1)
    for (int i = 0; i < now; i++) {
        dlpi_worker *w = &g->worker[i];
        double *own = w->glm.half;
        prepare(g, t->half, w);
        w->glm.data.N = begin(g, first + i + 1); /* where its last tile ends */
        sum_chunk(w, t->sum, t->what, begin(g, first + i), w->glm.data.N, t->grad, t->H);
        w->glm.half = own;
    }
    dlpi_spill_tend(g->spill);
    return now;
}

static void add_chunk(void *context, int i, double *to)
{
    const task *t = context;
    const dlpi_worker *w = &t->g->worker[i];
    const dlp_index n = t->g->n;
    to[0] += w->value;
    if (t->grad) add(n, w->grad, to + 1);
    if (t->H) add(n * n, w->H, to + 1 + n);
}

double dlpi_sum_rows(dlp_glm *g, dlpi_chunk_sum *sum, const void *what, double *half,
                     double *grad, double *H)
{
    const dlp_index n = g->n;
    dlpi_row_sums *sums = g->sums;
    if (!sums || chunks_of(g) == 1) return sum(g, 0, g->data.N, what, grad, H);
    if (sums->status != DLP_OK) return NAN;
    sums->tree.n = 1 + (grad || H ? n : 0) + (H ? n * n : 0);
    task t = {g, sum, what, half, grad != NULL, H != NULL};
    const dlpi_tree_chunks chunks = {chunks_of(g), sum_chunks, add_chunk, &t};
    dlpi_tree_sum_chunks(&sums->tree, &chunks);
    sums->status = dlpi_tree_collect_for_all(&sums->tree, &sums->error);
    if (sums->status != DLP_OK) return NAN;
    const double *all = sums->tree.slot[0];
    if (grad) add(n, all + 1, grad);
    if (H) add(n * n, all + 1 + n, H);
    return all[0];
}

void dlpi_sum_trace_grad(dlp_glm *g, dlpi_chunk_sum *sum, const dlpi_trace *of,
                         double *grad)
{
    memset(grad, 0, (size_t)g->n * sizeof *grad);
    (void)dlpi_sum_rows(g, sum, of, of->root ? g->half : NULL, grad, NULL);
    dlpi_prior_add_trace_grad(&g->prior, of->theta, of->S, grad);
}
