/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/workers.h"

#include "core/core.h"
#include "core/spill.h"
#include "math/symmetric/structure.h"

#include <string.h>

enum { CHUNK = 64 * DLPI_TILE };

static dlp_status alloc_worker(const dlp_glm *g, dlpi_worker *w, dlp_error *error)
{
    const dlp_index n = g->n, tile = dlpi_size(g->data.p, DLPI_TILE, 0);
    w->room = dlpi_calloc(dlpi_size(n, n, dlpi_size(2, tile, n)), sizeof *w->room);
    if (!w->room) return dlpi_no_memory(error, "the regression's threads");
    w->grad = w->room;
    w->H = w->grad + n;
    w->glm.tile = w->H + n * n;
    w->glm.half = w->glm.tile + tile;
    return DLP_OK;
}

void dlpi_workers_free(dlp_glm *g)
{
    for (int t = 0; g->worker && t < g->workers; t++) free(g->worker[t].room);
    free(g->worker);
    g->worker = NULL;
    g->workers = 0;
}

dlp_status dlp_glm_use_threads(dlp_glm *g, int threads, dlp_error *error)
{
    if (threads < 1 || threads > 1024)
        return dlp_fail(error, DLP_EINVAL, "threads is %d; it must be between 1 and 1024",
                        threads);
    const dlp_index chunks = (g->data.N + CHUNK - 1) / CHUNK;
    const int most = chunks < threads ? (int)chunks : threads;
    dlpi_workers_free(g);
    if (chunks == 1) return DLP_OK;
    g->worker = dlpi_calloc(most, sizeof *g->worker);
    if (!g->worker) return dlpi_no_memory(error, "the regression's threads");
    g->workers = most;
    for (int t = 0; t < most; t++) DLP_TRY(alloc_worker(g, &g->worker[t], error));
    return DLP_OK;
}

/* The regression may have changed since: a scale may be held, say. */
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
    for (dlp_index i = 0; to && i < n; i++) to[i] += x[i];
}

/* Where chunk c begins, a multiple of tiles; the end for c = chunks. */
static dlp_index begin(dlp_index N, dlp_index chunks, dlp_index c)
{
    const dlp_index tiles = (N + DLPI_TILE - 1) / DLPI_TILE;
    return c < chunks ? tiles * c / chunks * DLPI_TILE : N;
}

double dlpi_sum_rows(dlp_glm *g, dlpi_chunk_sum *sum, const void *what, double *half,
                     double *grad, double *H)
{
    const dlp_index N = g->data.N, n = g->n, chunks = (N + CHUNK - 1) / CHUNK;
    const int threads = g->workers;
    double value = 0;
    if (chunks == 1 || threads == 0) return sum(g, 0, N, what, grad, H);
    for (dlp_index first = 0; first < chunks; first += threads) {
        const int now = chunks - first < threads ? (int)(chunks - first) : threads;
#pragma omp parallel for schedule(static) num_threads(now) if (now > 1)
        for (int t = 0; t < now; t++) {
            dlpi_worker *w = &g->worker[t];
            double *own = w->glm.half;
            prepare(g, half, w);
            sum_chunk(w, sum, what, begin(N, chunks, first + t),
                      begin(N, chunks, first + t + 1), grad != NULL, H != NULL);
            w->glm.half = own;
        }
        for (int t = 0; t < now; t++) {
            value += g->worker[t].value;
            add(n, g->worker[t].grad, grad);
            add(n * n, g->worker[t].H, H);
        }
        dlpi_spill_tend(g->spill);
    }
    return value;
}
