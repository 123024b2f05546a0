/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/predict/at_draws.h"

#include "core/core.h"
#include "glm/families/ordinal_link.h"
#include "math/products.h"
#include "math/symmetric/structure.h"

#include <delaplace/special.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum { TOGETHER = 64 }; /* draws at a time: their predictors stay in the cache */

static bool is_ordinal(const dlp_glm *g)
{
    return g->family->type == &dlpi_ordinal_type;
}

/* How many linear predictors a row has. */
static dlp_index predictors_of(const dlp_glm *g)
{
    return g->family->type == &dlpi_multinomial_type ? g->data.levels - 1 : 1;
}

dlp_status dlpi_draws_room_alloc(const dlp_glm *g, dlpi_draws_room *room,
                                 dlp_error *error)
{
    const size_t tile = DLPI_TILE * sizeof(double);
    room->x = dlpi_calloc(g->data.p, tile);
    room->eta = dlpi_calloc(dlpi_size(predictors_of(g), TOGETHER, 0), tile);
    room->t = dlpi_calloc(2, tile);
    room->rows = dlpi_calloc(1, sizeof *room->rows);
    if (room->x && room->eta && room->t && room->rows) return DLP_OK;
    return dlpi_no_memory(error, "the draws");
}

void dlpi_draws_room_clear(dlpi_draws_room *room)
{
    free(room->x);
    free(room->eta);
    free(room->t);
    free(room->rows);
    *room = (dlpi_draws_room){0};
}

/* ---- the families' likelihoods ---- */

/* tau is the last parameter, or held. */
static void single_rows(const dlp_glm *g, const dlpi_draws_room *room,
                        const double *theta, const double *eta, double *l)
{
    dlpi_rows *r = room->rows;
    memcpy(r->eta, eta, (size_t)r->n * sizeof *eta);
    r->df = dlpi_second_scale(g->family->of, theta, g->data.p, r->df);
    g->family->evaluate(r, g->n > g->data.p ? theta[g->data.p] : g->held_tau, 0);
    memcpy(l, r->l, (size_t)r->n * sizeof *l);
}

/* l = eta_y - log sum_k exp eta_k, eta_0 = 0 */
static void multinomial_rows(const dlp_glm *g, const dlpi_draws_room *room,
                             const double *eta, double *l)
{
    const dlpi_rows *r = room->rows;
    const dlp_index K1 = predictors_of(g);
    double *top = room->t, *sum = room->t + DLPI_TILE;
    for (dlp_index i = 0; i < r->n; i++) top[i] = 0;
    for (dlp_index k = 0; k < K1; k++)
        for (dlp_index i = 0; i < r->n; i++)
            top[i] = fmax(top[i], eta[k * DLPI_TILE + i]);
    for (dlp_index i = 0; i < r->n; i++) sum[i] = exp(-top[i]);
    for (dlp_index k = 0; k < K1; k++)
        for (dlp_index i = 0; i < r->n; i++)
            sum[i] += exp(eta[k * DLPI_TILE + i] - top[i]);
    for (dlp_index i = 0; i < r->n; i++) {
        const dlp_index y = (dlp_index)r->y[i];
        l[i] = (y > 0 ? eta[(y - 1) * DLPI_TILE + i] : 0) - top[i] - log(sum[i]);
    }
}

/* l = h(c_j - eta, delta_y), as in ordinal.c */
static void ordinal_rows(const dlp_glm *g, const dlpi_draws_room *room,
                         const double *theta, const double *eta, double *l)
{
    const dlpi_rows *r = room->rows;
    const dlp_index K = g->data.levels;
    const double *delta = theta + g->data.p;
    double *t = room->t, cut = delta[0];
    for (dlp_index j = 0; j < K - 1; j++) {
        if (j > 0) cut += exp(delta[j]);
        for (dlp_index i = 0; i < r->n; i++)
            if (dlpi_cut_of_level((dlp_index)r->y[i]) == j) t[i] = cut - eta[i];
    }
    for (dlp_index i = 0; i < r->n; i++) {
        const dlp_index y = (dlp_index)r->y[i];
        const double gap = y > 0 && y < K - 1 ? delta[y] : 0;
        dlpi_level_slopes unused;
        l[i] = dlpi_log_level(g->family->ordinal, y, K, t[i], gap, &unused);
    }
}

/* ---- a tile of rows ---- */

static dlp_index load_tile(const dlp_glm *g, const dlpi_draws_room *room, dlp_index at)
{
    const dlp_glm_data *d = &g->data;
    dlpi_rows *r = room->rows;
    r->n = d->N - at < DLPI_TILE ? d->N - at : DLPI_TILE;
    r->y = d->y + at;
    r->trials = d->trials ? d->trials + at : NULL;
    r->df = d->df;
    for (dlp_index j = 0; j < d->p; j++)
        memcpy(room->x + j * DLPI_TILE, d->x[j] + at, (size_t)r->n * sizeof *room->x);
    return r->n;
}

/* eta (S predictors, DLPI_TILE) = offset + beta X', for no more than TOGETHER draws. */
static void find_eta(const dlp_glm *g, const dlpi_draws_room *room, dlp_index at,
                     dlp_index S, const double *theta)
{
    const dlp_index K1 = predictors_of(g), p = g->data.p, n = room->rows->n;
    const double *offset = g->data.offset;
    for (dlp_index k = 0; k < S * K1; k++) {
        double *eta = room->eta + k * DLPI_TILE;
        if (offset)
            memcpy(eta, offset + at, (size_t)n * sizeof *eta);
        else
            memset(eta, 0, (size_t)n * sizeof *eta);
    }
    dlpi_add_product(S * K1, n, p, 1, theta, K1 > 1 ? p : g->n, room->x, DLPI_TILE,
                     room->eta, DLPI_TILE);
}

static void evaluate(const dlp_glm *g, const dlpi_draws_room *room, dlp_index S,
                     const double *theta, double *l)
{
    const dlp_index K1 = predictors_of(g), n = room->rows->n;
    for (dlp_index s = 0; s < S; s++) {
        const double *eta = room->eta + s * K1 * DLPI_TILE, *at = theta + s * g->n;
        double *out = l + s * DLPI_TILE;
        if (g->family->evaluate)
            single_rows(g, room, at, eta, out);
        else if (is_ordinal(g))
            ordinal_rows(g, room, at, eta, out);
        else
            multinomial_rows(g, room, eta, out);
        for (dlp_index i = 0; i < n; i++)
            if (!(out[i] < INFINITY)) out[i] = -INFINITY;
    }
}

static void tile_at_draws(const dlp_glm *g, dlpi_draws_room *room, dlp_index at,
                          dlp_index S, const double *theta, double *l)
{
    for (dlp_index s = 0; s < S; s += TOGETHER) {
        const dlp_index count = S - s < TOGETHER ? S - s : TOGETHER;
        find_eta(g, room, at, count, theta + s * g->n);
        evaluate(g, room, count, theta + s * g->n, l + s * DLPI_TILE);
    }
}

dlp_index dlpi_rows_at_draws(const dlp_glm *g, dlpi_draws_room *room, dlp_index at,
                             dlp_index S, const double *theta, double *l)
{
    const dlp_index n = load_tile(g, room, at);
    tile_at_draws(g, room, at, S, theta, l);
    return n;
}

/* ---- all rows ---- */

static double weighted_sum(const dlp_glm *g, dlp_index at, dlp_index n, const double *l)
{
    const double *weight = g->data.weight;
    double sum = 0;
    for (dlp_index i = 0; !weight && i < n; i++) sum += l[i];
    for (dlp_index i = 0; weight && i < n; i++)
        if (weight[at + i] > 0) sum += weight[at + i] * l[i];
    return sum;
}

/* A few draws and all rows per task, so that threads have sums of their own. */
static void add_rows(const dlp_glm *g, dlpi_draws_room *room, dlp_index S,
                     const double *theta, double *l, double *f)
{
    for (dlp_index s = 0; s < S; s++) f[s] = 0;
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        const dlp_index n = dlpi_rows_at_draws(g, room, at, S, theta, l);
        for (dlp_index s = 0; s < S; s++)
            f[s] += weighted_sum(g, at, n, l + s * DLPI_TILE);
    }
}

static dlp_status add_part(const dlp_glm *g, dlp_index first, dlp_index step, dlp_index S,
                           const double *theta, double *f)
{
    dlpi_draws_room room = {0};
    double *l = dlpi_calloc(TOGETHER, DLPI_TILE * sizeof *l);
    const dlp_status status = l ? dlpi_draws_room_alloc(g, &room, NULL) : DLP_ENOMEM;
    for (dlp_index s = first; status == DLP_OK && s < S; s += step) {
        const dlp_index count = S - s < TOGETHER ? S - s : TOGETHER;
        add_rows(g, &room, count, theta + s * g->n, l, f + s);
    }
    dlpi_draws_room_clear(&room);
    free(l);
    return status;
}

dlp_status dlpi_glm_at_draws(dlp_glm *g, int threads, dlp_index S, const double *theta,
                             double *f, dlp_error *error)
{
    int failed = 0;
#pragma omp parallel num_threads(threads) reduction(| : failed)
    {
        const dlp_index each = TOGETHER, step = each * omp_get_num_threads();
        failed |= add_part(g, each * omp_get_thread_num(), step, S, theta, f) != DLP_OK;
    }
    if (failed) return dlpi_no_memory(error, "the draws");
    for (dlp_index s = 0; s < S; s++) { /* serially: the prior has one scratch space */
        f[s] += dlpi_prior_add(&g->prior, theta + s * g->n, NULL, NULL);
        if (!(f[s] < INFINITY)) f[s] = -INFINITY;
    }
    return DLP_OK;
}
