/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/predict_random.h"

#include "core/core.h"
#include "math/dense.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

static bool is_same(const dlp_random_effects *fitted, const dlp_random *random)
{
    bool same = fitted->q == random->q && fitted->levels == random->group.n &&
                !strcmp(fitted->group, random->group.variable);
    for (dlp_index k = 0; k < fitted->q && same; k++)
        same = !strcmp(fitted->name[k], random->name[k]);
    return same;
}

dlp_status dlpi_check_random(const dlp_regression_result *fit, const dlp_design *design,
                             dlp_error *error)
{
    bool same = fit->n_random == design->n_random;
    for (dlp_index t = 0; t < fit->n_random && same; t++)
        same = is_same(&fit->random[t], &design->random[t]);
    if (same) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the fit's formula and levels make other random effects than the fit "
                    "has; its file was edited, fit again");
}

/* E[z'b] and Var[z'b] + 2 Cov[z'b, x'beta], of a level that the fit knows. */
static void add_known(const dlp_random_effects *e, const dlp_design *d,
                      const dlp_random *random, dlp_index p, dlp_index i, double *mean,
                      double *variance)
{
    const dlp_index q = e->q, level = random->code[i];
    const double *b = e->mean + level * q, *V = e->variance + level * q * q,
                 *C = e->with_beta + level * q * p;
    for (dlp_index k = 0; k < q; k++) {
        const double z = random->x[k][i];
        double sum = 0;
        for (dlp_index l = 0; l < q; l++) sum += V[k * q + l] * random->x[l][i];
        for (dlp_index j = 0; j < p; j++) sum += 2 * C[k * p + j] * d->x[j][i];
        *mean += z * b[k];
        *variance += z * sum;
    }
}

/* z'E[Lambda]z, of a level that it does not know: its effects are 0 but for that. */
static void add_new(const dlp_random_effects *e, const dlp_random *random, dlp_index i,
                    double *variance)
{
    const dlp_index q = e->q;
    for (dlp_index k = 0; k < q; k++)
        for (dlp_index l = 0; l < q; l++)
            *variance += random->x[k][i] * e->covariance[k * q + l] * random->x[l][i];
}

/* ---- two terms ---- */

/* What two terms add beyond their own variances. */
typedef struct both {
    const dlp_regression_result *fit;
    const dlp_design *design;
    dlp_index s, t;
    const dlp_effect_pairs *pairs; /* NULL: the fit has none */
    double *U;                     /* (p, p) the factor of Var[beta], or NULL */
    double *room;                  /* (2, p) */
} both;

/* Cov[b_s, b_t] (q_s, q_t) of a pair of levels, or NULL. */
static const double *find_pair(const both *b, int32_t l, int32_t m)
{
    const dlp_effect_pairs *pairs = b->pairs;
    dlp_index low = 0, high = pairs ? pairs->n : 0;
    while (low < high) {
        const dlp_index mid = (low + high) / 2;
        const int32_t *at = pairs->level + 2 * mid;
        if (at[0] == l && at[1] == m)
            return pairs->covariance +
                   mid * b->fit->random[b->s].q * b->fit->random[b->t].q;
        if (at[0] < l || (at[0] == l && at[1] < m))
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* z_s' C z_t of row i */
static double covary(const both *b, const double *C, dlp_index i)
{
    const dlp_random *s = &b->design->random[b->s], *t = &b->design->random[b->t];
    double sum = 0;
    for (dlp_index k = 0; k < s->q; k++)
        for (dlp_index l = 0; l < t->q; l++)
            sum += s->x[k][i] * C[k * t->q + l] * t->x[l][i];
    return sum;
}

/* z'Cov[b, beta] of term t in row i, into sum (p). */
static void with_beta(const both *b, dlp_index t, dlp_index i, double *sum)
{
    const dlp_random_effects *e = &b->fit->random[t];
    const dlp_random *random = &b->design->random[t];
    const dlp_index p = b->fit->p;
    const double *C = e->with_beta + random->code[i] * e->q * p;
    memset(sum, 0, (size_t)p * sizeof *sum);
    for (dlp_index k = 0; k < e->q; k++) dlpi_axpy(p, random->x[k][i], C + k * p, sum);
}

/* The same where the two were not seen together: as if independent given beta,
   Cov[b_s, b_t] = Cov[b_s, beta] Var[beta]^-1 Cov[beta, b_t]. */
static double covary_by_beta(const both *b, dlp_index i)
{
    const dlp_index p = b->fit->p;
    if (!b->U) return 0;
    with_beta(b, b->s, i, b->room);
    with_beta(b, b->t, i, b->room + p);
    dlpi_cholesky_solve(p, b->U, b->room);
    return dlpi_dot(p, b->room, b->room + p);
}

static void add_both(const both *b, double *variance, bool *apart)
{
    const int32_t *l = b->design->random[b->s].code, *m = b->design->random[b->t].code;
    for (dlp_index i = 0; i < b->design->N; i++) {
        if (l[i] < 0 || m[i] < 0) continue; /* a new level is independent of all else */
        const double *C = find_pair(b, l[i], m[i]);
        variance[i] += 2 * (C ? covary(b, C, i) : covary_by_beta(b, i));
        apart[i] = apart[i] || !C;
    }
}

/* The factor of Var[beta], into U (p, p). */
static bool factor_beta(const dlp_regression_result *fit, double *U)
{
    const dlp_index p = fit->p;
    for (dlp_index i = 0; i < p; i++)
        memcpy(U + i * p, fit->Sigma + i * fit->n, (size_t)p * sizeof *U);
    return dlpi_cholesky(p, U) < 0;
}

static dlp_status add_all_pairs(const dlp_regression_result *fit, const dlp_design *d,
                                double *variance, int *apart, dlp_error *error)
{
    const dlp_index p = fit->p;
    double *U = dlpi_calloc(p * (p + 2) + 1, sizeof *U);
    bool *unseen = dlpi_calloc(d->N + 1, sizeof *unseen);
    if (U && unseen) {
        both b = {.fit = fit, .design = d, .room = U + p * p};
        b.U = factor_beta(fit, U) ? U : NULL;
        for (b.t = 1; b.t < fit->n_random; b.t++)
            for (b.s = 0; b.s < b.t; b.s++) {
                b.pairs = NULL;
                for (dlp_index k = 0; k < fit->n_pairs; k++)
                    if (fit->pairs[k].first == b.s && fit->pairs[k].second == b.t)
                        b.pairs = &fit->pairs[k];
                add_both(&b, variance, unseen);
            }
        for (dlp_index i = 0; i < d->N; i++) *apart += unseen[i] && *apart < INT_MAX;
    }
    const bool there = U && unseen;
    free(U);
    free(unseen);
    return there ? DLP_OK : dlpi_no_memory(error, "the random effects");
}

dlp_status dlpi_add_random(const dlp_regression_result *fit, const dlp_design *d,
                           dlp_effects_of effects, double *mean, double *variance,
                           int *apart, dlp_error *error)
{
    *apart = 0;
    if (effects == DLP_EFFECTS_OF_NONE) return DLP_OK;
    for (dlp_index t = 0; t < fit->n_random; t++) {
        const dlp_random *random = &d->random[t];
        for (dlp_index i = 0; i < d->N; i++)
            if (effects == DLP_EFFECTS_OF_NEW || random->code[i] < 0)
                add_new(&fit->random[t], random, i, &variance[i]);
            else
                add_known(&fit->random[t], d, random, fit->p, i, &mean[i], &variance[i]);
    }
    if (effects == DLP_EFFECTS_OF_NEW || fit->n_random < 2) return DLP_OK;
    return add_all_pairs(fit, d, variance, apart, error);
}
