/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws of the effects of a mixed model's levels. Sds and correlations come from
 * draw_points.c or, where a file has no points, from their margins. The effects b of a
 * level are normal given the coefficients:
 *
 *   b | beta ~ N(E[b] + C S^-1 (beta - E[beta]), V - C S^-1 C'),
 *
 * with C their covariance with beta, and S that of beta. For a process over time, each
 * value is also conditional on the one before it; values of regions are drawn one by one,
 * like levels of groups.
 */
#include "core/core.h"
#include "glm/predict/predict.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "regression/draw/draws.h"
#include "regression/draw/scale_points.h"

#include <delaplace/random.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 1024, SHORT = 256, SD_STREAM = 1 << 27, EFFECT_STREAM = 1 << 26 };

dlp_index dlpi_count_random(const dlpi_drawing *d)
{
    const dlp_regression_result *r = &d->of->result;
    dlp_index count = dlpi_scale_numbers(r);
    for (dlp_index t = 0; d->s.effects && t < r->n_random; t++)
        count += r->random[t].q * r->random[t].levels;
    return count;
}

/* ---- sds and correlations ---- */

/* The i-th number of a point, or a draw from its margin. */
static bool draw_scale(dlpi_drawing *d, const dlpi_scale *c, dlp_index i)
{
    const dlp_index m = d->scale ? d->of->scales->m : 0;
    dlp_rng rng = dlp_rng_at(d->s.seed, SD_STREAM + (uint64_t)i + 1);
    double *value = dlpi_drawing_column(d, c->name);
    for (dlp_index k = 0; value && k < d->s.n; k++) {
        const double z = m ? 0 : dlp_draw_normal(&rng);
        value[k] = m ? dlpi_scale_value(c, d->scale[k * m + i])
                     : dlpi_within_at(c->margin, dlpi_scale_range(c), z);
    }
    return value != NULL;
}

/* ---- effects ---- */

typedef struct effects {
    dlpi_drawing *d;
    dlp_index p;
    double *U;    /* (p, p) of the coefficients' covariance */
    double *A;    /* (q, p) C S^-1 */
    double *root; /* (q, q) */
    double *z;    /* (q) */
    double *
        before; /* (draws) for a process: the previous value, without what beta says about
                   it, or 0 where a series begins */
} effects;

/* A = C S^-1, and the root of what is left. */
static void condition(const effects *w, const dlp_random_effects *of, dlp_index level)
{
    const dlp_index p = w->p, q = of->q;
    const double *C = of->with_beta + level * q * p;
    memcpy(w->A, C, (size_t)(q * p) * sizeof *w->A);
    for (dlp_index k = 0; k < q; k++) dlpi_cholesky_solve(p, w->U, w->A + k * p);
    for (dlp_index k = 0; k < q; k++)
        for (dlp_index j = 0; j < q; j++)
            w->root[k * q + j] = of->variance[(level * q + k) * q + j] -
                                 dlpi_dot(p, w->A + k * p, C + j * p);
    dlpi_root(q, w->root);
}

/* For a process at node l, given beta: how much of the previous value, `before`, enters,
   and the sd that is left; A and root are those of l. */
static double follow(const effects *w, const dlp_random_effects *of, dlp_index l,
                     double *left)
{
    const dlp_index p = w->p;
    if (!of->process || l == 0 || !of->next || of->next[l - 1] == 0) return 0;
    const double *C = of->with_beta + (l - 1) * p;
    double *B = w->A + p; /* after A, which has one row */
    memcpy(B, C, (size_t)p * sizeof *B);
    dlpi_cholesky_solve(p, w->U, B);
    const double V = of->variance[l - 1] - dlpi_dot(p, B, C),
                 both = of->next[l - 1] - dlpi_dot(p, w->A, C), own = *left * *left;
    if (!(V > 0)) return 0;
    *left = sqrt(fmax(own - both * both / V, 0));
    return both / V;
}

static bool draw_level(const effects *w, const dlp_random_effects *of, dlp_index level,
                       dlp_rng *rng)
{
    dlpi_drawing *d = w->d;
    const dlp_regression_result *r = &d->of->result;
    const dlp_index p = w->p, q = of->q, n = r->n, N = d->s.n;
    double *first = NULL;
    for (dlp_index k = 0; k < q; k++) {
        char name[NAME], effect[SHORT];
        dlpi_scale_effect(of, k, effect);
        snprintf(name, sizeof name, "b[%s %s:%s]", effect, of->group, of->level[level]);
        double *column = dlpi_drawing_column(d, name);
        if (!column) return false;
        if (k == 0) first = column;
    }
    condition(w, of, level);
    const double goes_on = follow(w, of, level, &w->root[0]);
    for (dlp_index s = 0; s < N; s++) {
        for (dlp_index k = 0; k < q; k++) w->z[k] = dlp_draw_normal(rng);
        for (dlp_index k = 0; k < q; k++) {
            double b = of->mean[level * q + k];
            for (dlp_index j = 0; j < p; j++)
                b += w->A[k * p + j] * (d->theta[s * n + j] - r->mu[j]);
            double rest = goes_on * w->before[s];
            for (dlp_index j = 0; j <= k; j++) rest += w->root[k * q + j] * w->z[j];
            if (of->process) w->before[s] = rest;
            first[k * N + s] = b + rest;
        }
    }
    return true;
}

static dlp_status draw_levels(effects *w, dlp_error *error)
{
    const dlp_regression_result *r = &w->d->of->result;
    for (dlp_index i = 0; i < w->p; i++)
        memcpy(w->U + i * w->p, r->Sigma + i * r->n, (size_t)w->p * sizeof *w->U);
    if (dlpi_cholesky(w->p, w->U) >= 0)
        return dlp_fail(error, DLP_EINPUT,
                        "the covariance of the coefficients is not positive definite; "
                        "draw without effects, or use scale() in the formula");
    dlp_rng rng = dlp_rng_at(w->d->s.seed, EFFECT_STREAM);
    for (dlp_index t = 0; t < r->n_random; t++)
        for (dlp_index level = 0; level < r->random[t].levels; level++)
            if (!draw_level(w, &r->random[t], level, &rng))
                return dlpi_no_memory(error, "the draws");
    return DLP_OK;
}

static dlp_status draw_effects(dlpi_drawing *d, dlp_error *error)
{
    const dlp_regression_result *r = &d->of->result;
    const dlp_index p = dlpi_effects_width(r);
    dlp_index q = 1;
    for (dlp_index t = 0; t < r->n_random; t++)
        if (r->random[t].q > q) q = r->random[t].q;
    const dlp_index most = q + 1; /* rows of A, and one more for a process */
    double *memory = dlpi_calloc(
        dlpi_size(p, p, dlpi_size(most, p, dlpi_size(q, q, q + d->s.n))), sizeof *memory);
    if (!memory) return dlpi_no_memory(error, "the draws");
    effects w = {.d = d, .p = p, .U = memory, .A = memory + p * p};
    w.root = w.A + most * p;
    w.z = w.root + q * q;
    w.before = w.z + q;
    const dlp_status status = draw_levels(&w, error);
    free(memory);
    return status;
}

dlp_status dlpi_draw_random(dlpi_drawing *d, dlp_error *error)
{
    const dlp_regression_result *r = &d->of->result;
    dlpi_scale_place at = {0};
    dlpi_scale scale;
    bool made = true;
    for (dlp_index i = 0; made && dlpi_scale_next(r, &at, &scale); i++)
        made = draw_scale(d, &scale, i);
    if (!made) return dlpi_no_memory(error, "the draws");
    return d->s.effects ? draw_effects(d, error) : DLP_OK;
}
