/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/predict/predict_random.h"

#include "core/core.h"
#include "math/dense.h"
#include "regression/random/process_of.h"
#include "regression/regression.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool is_same(const dlp_random_effects *fitted, const dlp_random *random)
{
    bool same = fitted->q == random->q && fitted->levels == random->group.n &&
                !fitted->process == !random->process &&
                !strcmp(fitted->group, random->group.variable);
    for (dlp_index k = 0; k < fitted->q && same; k++)
        same = !strcmp(fitted->name[k], random->name[k]);
    return same;
}

dlp_status dlpi_check_random(const dlp_regression_result *fit, const dlp_design *design,
                             dlp_error *error)
{
    const dlp_index D = dlpi_predictors(fit);
    bool same = fit->n_random == D * design->n_random;
    for (dlp_index t = 0; t < fit->n_random && same; t++)
        same = is_same(&fit->random[t], &design->random[t / D]);
    if (same) return DLP_OK;
    return dlp_fail(
        error, DLP_EINPUT,
        "the formula and levels of the fit do not give the random effects that "
        "it has; its file was edited: fit again");
}

/* ---- where a row is ---- */

/* Only autoregressions by group are effects of the group's levels: without them a row
   belongs to another group. Processes over time or regions alone are treated like
   smooths. */
static bool varies_by_group(const dlp_random_effects *e)
{
    const dlp_basis *b = e->process;
    return !b || (b->kind == DLP_BASIS_AR1 && b->weight[b->n_knots - 1] > 0);
}

/* A row's effects of a term as a sum over levels, weight z, and the share of Lambda that
   remains. For independent levels it is a single level, or none if the level is new. */
dlpi_process_place dlpi_place_of(const dlp_random_effects *e, const dlp_random *random,
                                 dlp_effects_of effects, dlp_index i)
{
    const bool as_new = effects == DLP_EFFECTS_OF_NEW && varies_by_group(e);
    if (as_new || (!e->process && random->code[i] < 0))
        return (dlpi_process_place){.variance = 1};
    if (!e->process) return (dlpi_process_place){1, {random->code[i], 0}, {1, 0}, 0};
    const int32_t series = random->series ? random->series[i] : 0;
    if (series < 0) return (dlpi_process_place){.variance = 1};
    return dlpi_place_in(e->process, series, random->at[i], e->second.mean, e->reference);
}

/* ---- a term ---- */

/* z'Cov[b, beta] of a level in row i, added to sum (p). */
static void add_with_beta(const dlp_random_effects *e, const dlp_random *random,
                          dlp_index level, dlp_index i, double weight, dlp_index p,
                          double *sum)
{
    const double *C = e->with_beta + level * e->q * p;
    for (dlp_index k = 0; k < e->q; k++)
        dlpi_axpy(p, weight * random->x[k][i], C + k * p, sum);
}

/* z'V z */
static double quadratic(const dlp_random *random, const double *V, dlp_index i)
{
    const dlp_index q = random->q;
    double sum = 0;
    for (dlp_index k = 0; k < q; k++)
        for (dlp_index l = 0; l < q; l++)
            sum += random->x[k][i] * V[k * q + l] * random->x[l][i];
    return sum;
}

/* Adds c to Cov[eta_k, eta_l] of a row, V (D, D), and to its mirror image: each
   predictor's effects covary with the other's coefficients. */
static void add_covariance(dlp_index D, dlp_index k, dlp_index l, double c, double *V)
{
    V[k * D + l] += c;
    V[l * D + k] += c;
}

/* E[z'b], Var[z'b], Cov[z'b, x'beta_l] for all predictors l, and Cov[z'b, delta], where b
   belongs to predictor k. What remains beside the levels has mean 0 and the variance
   z'E[Lambda]z. room (wide) */
static void add_row(const dlp_regression_result *fit, dlp_index t,
                    const dlp_random *random, const dlpi_process_place *place,
                    const dlpi_random_rows *rows, dlp_index i, double *room)
{
    const dlp_random_effects *e = &fit->random[t];
    const dlp_index q = e->q, p = fit->p, D = dlpi_predictors(fit), k = t % D,
                    wide = dlpi_effects_width(fit), cuts = wide - D * p;
    double *V = rows->variance + i * D * D, *own = V + k * (D + 1);
    memset(room, 0, (size_t)wide * sizeof *room);
    for (int a = 0; a < place->n; a++) {
        const dlp_index level = place->node[a];
        const double w = place->weight[a];
        for (dlp_index c = 0; c < q; c++)
            rows->mean[i * D + k] += w * random->x[c][i] * e->mean[level * q + c];
        *own += w * w * quadratic(random, e->variance + level * q * q, i);
        add_with_beta(e, random, level, i, w, wide, room);
    }
    if (place->n == 2)
        *own += 2 * place->weight[0] * place->weight[1] * e->next[place->node[0]];
    for (dlp_index l = 0; place->n > 0 && l < D; l++) {
        double sum = 0;
        for (dlp_index j = 0; j < p; j++) sum += room[l * p + j] * rows->x[j][i];
        add_covariance(D, k, l, sum, V);
    }
    if (cuts > 0) dlpi_axpy(cuts, 1, room + p, rows->with_cuts + i * cuts);
    if (place->variance > 0)
        *own += place->variance * quadratic(random, e->covariance, i);
}

/* ---- two terms ---- */

/* What two terms add beyond their own variances. */
typedef struct both {
    const dlp_regression_result *fit;
    const dlp_design *design;
    dlp_effects_of effects;
    dlp_index s, t, D;             /* terms, and linear predictors */
    const dlp_effect_pairs *pairs; /* NULL: the fit has none */
    dlp_index p;                   /* coefficients, with delta */
    double *U;                     /* (p, p) the factor of their variance, or NULL */
    double *room;                  /* (2, p) */
} both;

/* Cov[b_s, b_t] (q_s, q_t) of a pair of levels, or NULL. */
static const double *find_pair(const both *b, dlp_index l, dlp_index m)
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
    const dlp_random *s = &b->design->random[b->s / b->D],
                     *t = &b->design->random[b->t / b->D];
    double sum = 0;
    for (dlp_index k = 0; k < s->q; k++)
        for (dlp_index l = 0; l < t->q; l++)
            sum += s->x[k][i] * C[k * t->q + l] * t->x[l][i];
    return sum;
}

/* The same for two levels that were not seen together: taken as independent given beta,
   Cov[b_s, b_t] = Cov[b_s, beta] Var[beta]^-1 Cov[beta, b_t]. */
static double covary_by_beta(const both *b, dlp_index l, dlp_index m, dlp_index i)
{
    const dlp_index p = b->p, D = b->D;
    const dlp_random *random = b->design->random;
    if (!b->U) return 0;
    memset(b->room, 0, (size_t)(2 * p) * sizeof *b->room);
    add_with_beta(&b->fit->random[b->s], &random[b->s / D], l, i, 1, p, b->room);
    add_with_beta(&b->fit->random[b->t], &random[b->t / D], m, i, 1, p, b->room + p);
    dlpi_cholesky_solve(p, b->U, b->room);
    return dlpi_dot(p, b->room, b->room + p);
}

/* What remains beside the levels is independent of all else. */
static void add_both(const both *b, double *variance, bool *apart)
{
    const dlp_regression_result *fit = b->fit;
    const dlp_index D = b->D;
    const dlp_random *first = &b->design->random[b->s / D],
                     *second = &b->design->random[b->t / D];
    for (dlp_index i = 0; i < b->design->N; i++) {
        const dlpi_process_place s =
            dlpi_place_of(&fit->random[b->s], first, b->effects, i);
        const dlpi_process_place t =
            dlpi_place_of(&fit->random[b->t], second, b->effects, i);
        for (int a = 0; a < s.n; a++)
            for (int c = 0; c < t.n; c++) {
                const dlp_index l = s.node[a], m = t.node[c];
                const double *C = find_pair(b, l, m);
                const double sum = C ? covary(b, C, i) : covary_by_beta(b, l, m, i);
                add_covariance(D, b->s % D, b->t % D, s.weight[a] * t.weight[c] * sum,
                               variance + i * D * D);
                apart[i] = apart[i] || !C;
            }
    }
}

/* The factor of Var[beta], into U (p, p). */
static bool factor_beta(const dlp_regression_result *fit, dlp_index p, double *U)
{
    for (dlp_index i = 0; i < p; i++)
        memcpy(U + i * p, fit->Sigma + i * fit->n, (size_t)p * sizeof *U);
    return dlpi_cholesky(p, U) < 0;
}

static dlp_status add_all_pairs(const dlp_regression_result *fit, const dlp_design *d,
                                dlp_effects_of effects, double *variance, int *apart,
                                dlp_error *error)
{
    const dlp_index p = dlpi_effects_width(fit);
    double *U = dlpi_calloc(p * (p + 2) + 1, sizeof *U);
    bool *unseen = dlpi_calloc(d->N + 1, sizeof *unseen);
    if (U && unseen) {
        both b = {.fit = fit,
                  .design = d,
                  .effects = effects,
                  .D = dlpi_predictors(fit),
                  .p = p,
                  .room = U + p * p};
        b.U = factor_beta(fit, p, U) ? U : NULL;
        for (b.t = 1; b.t < fit->n_random; b.t++)
            for (b.s = 0; b.s < b.t; b.s++) {
                if (effects == DLP_EFFECTS_OF_NONE &&
                    (varies_by_group(&fit->random[b.s]) ||
                     varies_by_group(&fit->random[b.t])))
                    continue;
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

/* ---- walks ---- */

/* How much a walk that has columns may vary between and beyond the values of the fit. */
static dlp_status add_walks(const dlp_regression_result *fit, const dlp_design *d,
                            double *variance, dlp_error *error)
{
    const dlp_index D = dlpi_predictors(fit);
    for (dlp_index s = 0; s < D * d->n_smooths && s < fit->n_smooths; s++) {
        const dlp_smooth *of = &d->smooth[s / D];
        const dlp_index own = s % D * (D + 1);
        const dlp_basis *basis = &d->terms->basis[of->basis];
        if (!of->at || !dlp_basis_is_walk(basis)) continue;
        const double reference = dlpi_basis_reference(basis);
        if (isnan(reference)) return dlpi_no_memory(error, "a random walk");
        for (dlp_index i = 0; i < d->N; i++) {
            const double times = of->times ? of->times[i] : 1;
            if (times != 0)
                variance[i * D * D + own] += times * times * fit->smooth[s].square *
                                             dlpi_walk_left(basis, reference, of->at[i]);
        }
    }
    return DLP_OK;
}

/* ---- the whole ---- */

dlp_status dlpi_add_random(const dlp_regression_result *fit, const dlp_design *d,
                           dlp_effects_of effects, const dlpi_random_rows *rows,
                           int *apart, dlp_error *error)
{
    const dlp_index D = dlpi_predictors(fit);
    dlp_index counted = 0;
    *apart = 0;
    double *room = dlpi_calloc(dlpi_effects_width(fit) + 1, sizeof *room);
    if (!room) return dlpi_no_memory(error, "the random effects");
    for (dlp_index t = 0; t < fit->n_random; t++) {
        const dlp_random_effects *e = &fit->random[t];
        const dlp_random *random = &d->random[t / D];
        if (effects == DLP_EFFECTS_OF_NONE && varies_by_group(e)) continue;
        counted += effects == DLP_EFFECTS_OF_LEVELS || !varies_by_group(e);
        for (dlp_index i = 0; i < d->N; i++) {
            const dlpi_process_place place = dlpi_place_of(e, random, effects, i);
            add_row(fit, t, random, &place, rows, i, room);
        }
    }
    free(room);
    DLP_TRY(add_walks(fit, d, rows->variance, error)); /* of one linear predictor */
    if (counted < 2) return DLP_OK;
    return add_all_pairs(fit, d, effects, rows->variance, apart, error);
}
