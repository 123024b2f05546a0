/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/result/sample.h"

#include "core/core.h"
#include "infer/psi_points.h"
#include "math/dense.h"

#include <delaplace/random.h>
#include <delaplace/special.h>
#include <float.h>
#include <math.h>
#include <omp.h>
#include <string.h>

void dlpi_mixed_sample_clear(dlpi_mixed_sample *s)
{
    free(s->psi);
    free(s->x);
    free(s->log_weight);
    *s = (dlpi_mixed_sample){0};
}

/* ---- psi ---- */

/* Picks a point of psi for each n-th part of the total weight, in shuffled order; log_q
   (n). */
static void choose_psi(const dlpi_psi_points *c, dlp_index n, dlp_rng *rng, double *psi,
                       dlp_index stride, double *log_q)
{
    const double from = dlp_draw_uniform(rng);
    double sum = 0;
    dlp_index next = 0;
    for (dlp_index i = 0; i < c->n; i++) {
        sum += c->weight[i];
        for (; next < n && (((double)next + from) / (double)n < sum || i == c->n - 1);
             next++) {
            memcpy(psi + next * stride, c->psi + i * c->m, (size_t)c->m * sizeof *psi);
            log_q[next * 2] = c->log_p[i];
        }
    }
}

/* ---- x ---- */

/* A step from the mode into x: H^-1/2 z or, where x is not normal given psi, one with the
   longer tails of a Student-t distribution. Returns minus its log density, up to (2
   pi)^-n/2 |H|^1/2. */
static double draw_step(const dlpi_mixed *of, dlpi_mixed_block *k, dlp_rng *rng,
                        double *x)
{
    const dlp_index n = of->rows.n;
    const double d = (double)(n - of->constraints.k), df = fmax(8, d);
    double by = 1;
    for (dlp_index j = 0; j < n; j++) x[j] = dlp_draw_normal(rng);
    if (of->skewed) by = sqrt(df / fmax(2 * dlp_draw_gamma(rng, 0.5 * df), 1e-12));
    for (dlp_index j = 0; j < n; j++) x[j] *= by;
    const double half = dlpi_mixed_block_draw(k, x);
    if (!of->skewed) return half;
    return 0.5 * (df + d) * log1p(2 * half / df) - dlp_lgamma(0.5 * (df + d)) +
           dlp_lgamma(0.5 * df) + 0.5 * d * log(0.5 * df);
}

/* Draws 2i and 2i + 1, which have the same psi. */
static void draw_pair(const dlpi_mixed_found *found, dlpi_mixed_block *k,
                      unsigned long seed, dlp_index i, const double *log_q,
                      dlpi_mixed_sample *to)
{
    const dlpi_mixed *of = found->model;
    const dlp_index n = of->rows.n, m = of->layout.m;
    const double *psi = to->psi + 2 * i * m;
    double *x = to->x + 2 * i * n, *mode = k->mode, *w = to->log_weight + 2 * i;
    w[0] = w[1] = -INFINITY;
    if (!isfinite(dlpi_mixed_block_at(k, psi))) return;
    const double log_det = dlpi_mixed_block_log_det(k),
                 prior = dlpi_hyper_log_prior(&of->layout, of->prior, psi);
    memcpy(mode, k->x, (size_t)n * sizeof *mode);
    dlp_rng rng = dlp_rng_at(seed, (uint64_t)i + 1);
    const double half = draw_step(of, k, &rng, x);
    for (int side = 0; side < 2; side++) {
        double *at = x + (1 - side) * n; /* the second first, since the first holds the
                                            step */
        for (dlp_index j = 0; j < n; j++)
            at[j] = k->x[j] = mode[j] + (side ? x[j] : -x[j]);
        dlpi_mixed_block_expand(k);
        double log_p = isfinite(k->f) ? k->log_integrals : -INFINITY;
        if (found->tilt.log_ratio)
            log_p += found->tilt.log_ratio(found->tilt.context, k->x + n - of->rows.p);
        w[1 - side] = log_p + prior + half - 0.5 * log_det - found->explore->log_mode -
                      log_q[2 * i];
        if (isnan(w[1 - side])) w[1 - side] = -INFINITY;
    }
}

/* ---- weights ---- */

static dlp_status weigh(const dlpi_explore *e, dlpi_mixed_sample *s, dlp_error *error)
{
    double most = -INFINITY, sum = 0, squares = 0;
    for (dlp_index i = 0; i < s->S; i++) most = fmax(most, s->log_weight[i]);
    if (!(most > -INFINITY))
        return dlp_fail(
            error, DLP_EINPUT,
            "the posterior cannot be computed where the fit says it is; was the "
            "model fitted to these data?");
    for (dlp_index i = 0; i < s->S; i++) {
        const double w = exp(s->log_weight[i] - most);
        sum += w;
        squares += w * w;
    }
    const double S = (double)s->S;
    s->log_evidence = e->log_evidence + most + log(fmax(sum, DBL_MIN) / S);
    s->log_evidence_se = sqrt(fmax(squares / (sum * sum) - 1 / S, 0));
    return dlpi_psis(s->log_weight, (size_t)s->S, &s->psis) == DLP_OK
               ? DLP_OK
               : dlpi_no_memory(error, "the weights");
}

static dlp_status draw(const dlpi_mixed_found *found, const dlpi_psi_points *psi_points,
                       unsigned long seed, double *log_q, dlpi_mixed_sample *s,
                       dlp_error *error)
{
    const dlp_index m = found->model->layout.m, pairs = s->S / 2;
    dlp_rng rng = dlp_rng_at(seed, 0);
    choose_psi(psi_points, pairs, &rng, s->psi, 2 * m, log_q);
    for (dlp_index i = 0; i < pairs; i++)
        memcpy(s->psi + (2 * i + 1) * m, s->psi + 2 * i * m, (size_t)m * sizeof *s->psi);
#pragma omp parallel for schedule(dynamic) num_threads(found->threads)
    for (dlp_index i = 0; i < pairs; i++)
        draw_pair(found, &found->block[omp_get_thread_num()], seed, i, log_q, s);
    dlpi_listener *listener = found->model->listener;
    if (listener && dlpi_listener_stopped(listener))
        return dlp_fail(error, DLP_ECANCELLED, "cancelled");
    return weigh(found->explore, s, error);
}

dlp_status dlpi_mixed_sample_make(const dlpi_mixed_found *found, dlp_index S,
                                  unsigned long seed, dlpi_mixed_sample *s,
                                  dlp_error *error)
{
    const dlp_index n = found->model->rows.n, m = found->model->layout.m;
    dlpi_psi_points psi_points = {0};
    *s = (dlpi_mixed_sample){.S = S + S % 2};
    s->psi = dlpi_calloc(s->S, (size_t)(m + 1) * sizeof *s->psi);
    s->x = dlpi_calloc(s->S, (size_t)n * sizeof *s->x);
    s->log_weight = dlpi_calloc(s->S, sizeof *s->log_weight);
    double *log_q = dlpi_calloc(s->S, sizeof *log_q);
    dlp_status status = s->psi && s->x && s->log_weight && log_q
                            ? dlpi_psi_points_make(found->explore, &psi_points, error)
                            : dlpi_no_memory(error, "the draws");
    if (status == DLP_OK) status = draw(found, &psi_points, seed, log_q, s, error);
    dlpi_psi_points_free(&psi_points);
    free(log_q);
    if (status != DLP_OK) dlpi_mixed_sample_clear(s);
    return status;
}
