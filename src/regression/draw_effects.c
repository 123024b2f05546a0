/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of a mixed model, draws of what levels have. Sds and correlations are those of draw_points.c, or,
 * where a file has no points, by their margins. The effects b of a level are normal given the coefficients:
 *
 *   b | beta ~ N(E[b] + C S^-1 (beta - E[beta]), V - C S^-1 C'),
 *
 * with C their covariance with beta, and S that of beta. Of a process over time, each is given
 * the value before it, too; values of regions are drawn one by one, as levels of groups are.
 */
#include "core/core.h"
#include "glm/predict.h"
#include "math/dense.h"
#include "math/structure.h"
#include "regression/draws.h"
#include "regression/process_of.h"
#include "regression/scale_points.h"

#include <delaplace/random.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 1024, SHORT = 256, SD_STREAM = 1 << 27, EFFECT_STREAM = 1 << 26 };

/* What a process has beside its sd, or NULL. */
static const char *second_name(const dlp_random_effects *of)
{
    if (!of->process) return NULL;
    return !strcmp(of->process->kind, "ar1")    ? "cor"
           : !strcmp(of->process->kind, "bym2") ? "share"
                                                : NULL;
}

dlp_index dlpi_count_random(const dlpi_drawing *d)
{
    const dlp_regression_result *r = &d->of->result;
    dlp_index count = 0;
    for (dlp_index t = 0; t < r->n_random; t++) {
        const dlp_index q = r->random[t].q;
        count += q + q * (q - 1) / 2 + (second_name(&r->random[t]) != NULL);
        if (d->s.effects) count += q * r->random[t].levels;
    }
    return count + r->n_smooths;
}

/* ---- sds and correlations ---- */

/* A correlation is drawn by its atanh. */
static double correlation_at(const dlp_margin *m, double z)
{
    const dlp_margin on = {.mean = atanh(m->mean),
                           .lower = atanh(m->lower),
                           .median = atanh(m->median),
                           .upper = atanh(m->upper)};
    return isfinite(on.lower) && isfinite(on.upper) ? tanh(dlpi_margin_at(&on, z))
                                                    : m->mean;
}

/* What a column has: an sd, a correlation, or the second number of a process. */
typedef struct drawn {
    const dlp_margin *margin;
    bool is_sd;
    const dlp_basis *process; /* of the second number, else NULL */
} drawn;

static double take_number(const drawn *c, double x)
{
    return c->process ? dlpi_second_of(c->process, x) : c->is_sd ? exp(x) : tanh(x);
}

/* The next of the numbers that points have, or by its margin. */
static bool draw_column(dlpi_drawing *d, const char *name, drawn c, dlp_index *next)
{
    const dlp_index m = d->scale ? d->of->scales->m : 0, at = (*next)++;
    dlp_rng rng = dlp_rng_at(d->s.seed, SD_STREAM + (uint64_t)*next);
    double *value = dlpi_drawing_column(d, name);
    for (dlp_index k = 0; value && k < d->s.n; k++) {
        const double z = m ? 0 : dlp_draw_normal(&rng);
        value[k] = m         ? take_number(&c, d->scale[k * m + at])
                   : c.is_sd ? dlpi_positive_at(c.margin, z)
                             : correlation_at(c.margin, z);
    }
    return value != NULL;
}

/* "x", of a multinomial regression "level: x". */
static void name_effect(const dlp_random_effects *of, dlp_index k, char *out)
{
    const char *category = of->category;
    snprintf(out, SHORT, "%s%s%s", category ? category : "", category ? ": " : "",
             of->name[k]);
}

static bool draw_term(dlpi_drawing *d, const dlp_random_effects *of, dlp_index *stream)
{
    char name[NAME], effect[SHORT], other[SHORT];
    bool made = true;
    for (dlp_index k = 0; made && k < of->q; k++) {
        name_effect(of, k, effect);
        snprintf(name, sizeof name, "sd(%s: %s)", of->group, effect);
        made = draw_column(d, name, (drawn){&of->sd[k], true, NULL}, stream);
    }
    for (dlp_index k = 0, at = 0; k < of->q; k++)
        for (dlp_index j = 0; made && j < k; j++, at++) {
            name_effect(of, j, effect);
            name_effect(of, k, other);
            snprintf(name, sizeof name, "cor(%s: %s; %s)", of->group, effect, other);
            made =
                draw_column(d, name, (drawn){&of->correlation[at], false, NULL}, stream);
        }
    if (!made || !second_name(of)) return made;
    snprintf(name, sizeof name, "%s(%s)", second_name(of), of->group);
    return draw_column(d, name, (drawn){&of->second, false, of->process}, stream);
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
        before; /* (draws) of a process: the value before, without what beta says of it, or
                       0 where a series begins */
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

/* Of a process at node l: how much of the one before, `before`, goes into it given beta, and what
   sd is left; what A and root say is of l. */
static double follow(const effects *w, const dlp_random_effects *of, dlp_index l,
                     double *left)
{
    const dlp_index p = w->p;
    if (!of->process || l == 0 || !of->next || of->next[l - 1] == 0) return 0;
    const double *C = of->with_beta + (l - 1) * p;
    double *B = w->A + p; /* behind A, which has one row */
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
        name_effect(of, k, effect);
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
    const dlp_index most = q + 1; /* rows of A, and one more of a process */
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
    dlp_index stream = 0;
    bool made = true;
    for (dlp_index t = 0; made && t < r->n_random; t++)
        made = draw_term(d, &r->random[t], &stream);
    for (dlp_index i = 0; made && i < r->n_smooths; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "sd(%s)", r->smooth[i].label);
        made = draw_column(d, name, (drawn){&r->smooth[i].sd, true, NULL}, &stream);
    }
    if (!made) return dlpi_no_memory(error, "the draws");
    return d->s.effects ? draw_effects(d, error) : DLP_OK;
}
