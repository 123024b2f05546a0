/* SPDX-License-Identifier: BSD-3-Clause */
#include "topics/effects/effects_prior.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

/* Sigma_0 is fitted in so many rounds, as in the end of a fit. */
enum { SPREAD_ROUNDS = 6 };
/* Anderson steps remember so many differences. */
enum { DEPTH = 5 };
/* After so many rounds without a step shorter by this factor, Delta is taken to go back
   and forth. */
enum { PATIENCE = 4 };
static const double SHORTER = 0.7;
/* But a step of more sds than this is no matter of single documents. */
static const double LONGEST_JUMP = 0.5;

/* ---- sums over documents ---- */

dlp_index dlpi_effects_sums_size(dlp_index K, dlp_index p)
{
    return dlpi_size(2, dlpi_size(K, K, 0), dlpi_size(p, K, 0));
}

void dlpi_effects_add(dlp_index K, dlp_index p, const double *Sigma, const double *r,
                      const double *z, double *sums)
{
    double *scatter = sums + K * K, *cross = scatter + K * K;
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = i; j < K; j++) {
            sums[i * K + j] += Sigma[i * K + j];
            scatter[i * K + j] += r[i] * r[j];
        }
    for (dlp_index i = 0; i < p; i++)
        for (dlp_index k = 0; k < K; k++) cross[i * K + k] += z[i] * r[k];
}

/* ---- the prior ---- */

dlp_status dlpi_effects_prior_alloc(const dlp_topics *model, dlp_index p,
                                    dlpi_effects_prior *prior, dlp_error *error)
{
    const dlp_index K = model->K, square = dlpi_size(K, K, 0);
    const dlp_index gamma = dlpi_size(dlpi_size(model->p, 1, p), K, 0);
    *prior = (dlpi_effects_prior){.topics = *model, .p = p};
    prior->topics.p = model->p + p;
    prior->topics.Gamma = dlpi_calloc(gamma, sizeof(double));
    prior->topics.Sigma0 = dlpi_calloc(dlpi_size(3, square, 0), sizeof(double));
    prior->shift = dlpi_calloc(dlpi_size(2 * p + 1, K, p), sizeof(double));
    prior->least = INFINITY;
    if (!prior->topics.Gamma || !prior->topics.Sigma0 || !prior->shift)
        return dlpi_no_memory(error, "the effects");
    DLP_TRY(dlpi_anderson_alloc(&prior->steps, p * K, DEPTH, error));
    prior->S = prior->topics.Sigma0 + square;
    prior->factor = prior->S + square;
    prior->next = prior->shift + p * K;
    prior->mean = prior->next + p * K;
    prior->column = prior->mean + K;
    memcpy(prior->topics.Gamma, model->Gamma,
           (size_t)(model->p * K) * sizeof *model->Gamma);
    memcpy(prior->topics.Sigma0, model->Sigma0, (size_t)square * sizeof *model->Sigma0);
    return DLP_OK;
}

void dlpi_effects_prior_free(dlpi_effects_prior *prior)
{
    dlpi_anderson_free(&prior->steps);
    free(prior->topics.Gamma);
    free(prior->topics.Sigma0);
    free(prior->shift);
    *prior = (dlpi_effects_prior){0};
}

static double *delta_of(const dlpi_effects_prior *prior)
{
    return prior->topics.Gamma + (prior->topics.p - prior->p) * prior->topics.K;
}

void dlpi_effects_prior_mean(const dlpi_effects_prior *prior, const double *row,
                             double *mean)
{
    const dlp_index K = prior->topics.K;
    memset(mean, 0, (size_t)K * sizeof *mean);
    for (dlp_index j = 0; j < prior->topics.p; j++)
        for (dlp_index k = 0; k < K; k++)
            mean[k] += row[j] * prior->topics.Gamma[j * K + k];
}

/* ---- the M step ---- */

/* Shift = (Z'Z)^-1 Z'r, by which EM moves Delta. Returns its largest entry, in sds. */
static double find_shift(dlpi_effects_prior *prior, const dlpi_regression *regression,
                         const double *cross)
{
    const dlp_index K = prior->topics.K, p = prior->p, D = regression->covariates->D;
    double *column = prior->column, most = 0;
    for (dlp_index k = 0; k < K; k++) {
        for (dlp_index j = 0; j < p; j++) column[j] = cross[j * K + k];
        dlpi_cholesky_solve(p, regression->U, column);
        const double sd = sqrt(prior->topics.Sigma0[k * (K + 1)] / (double)D);
        for (dlp_index j = 0; j < p; j++) {
            prior->shift[j * K + k] = column[j];
            most = fmax(most, fabs(column[j]) / sd);
        }
    }
    return most;
}

/* S = (1/D) [sum_d r_d r_d' - Shift' Z'r] around the new mean, Sigma_0 = S + mean
   Sigma_d */
static void update_spread(dlpi_effects_prior *prior, double D, const double *sums)
{
    const dlp_index K = prior->topics.K, p = prior->p;
    const double *scatter = sums + K * K, *cross = scatter + K * K, *shift = prior->shift;
    const bool fitted = prior->rounds < SPREAD_ROUNDS;
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = i; j < K; j++) {
            double s = scatter[i * K + j];
            for (dlp_index a = 0; a < p; a++) s -= shift[a * K + i] * cross[a * K + j];
            prior->S[i * K + j] = s / D;
            if (fitted) prior->topics.Sigma0[i * K + j] = (s + sums[i * K + j]) / D;
        }
    dlpi_mirror(K, prior->S);
    if (fitted) dlpi_mirror(K, prior->topics.Sigma0);
}

/* Takes a part of EM's step. */
static void move_delta(dlpi_effects_prior *prior, double part)
{
    double *Delta = delta_of(prior);
    for (dlp_index i = 0; i < prior->p * prior->topics.K; i++)
        Delta[i] += part * prior->shift[i];
}

/* A longer step from those before, where there are some. */
static void move_farther(dlpi_effects_prior *prior)
{
    const dlp_index n = prior->p * prior->topics.K;
    double *Delta = delta_of(prior), *g = prior->shift;
    for (dlp_index i = 0; i < n; i++) g[i] += Delta[i];
    const bool known = dlpi_anderson_next(&prior->steps, Delta, g, prior->next);
    memcpy(Delta, known ? prior->next : g, (size_t)n * sizeof *Delta);
}

/* Under a Sigma_0 that stays steps get shorter until they jump: as Delta passes a point, a
   document that two topics fit goes from one mode to the other. Ever smaller parts of a
   step (Robbins and Monro 1951) find that point. */
static double move_to_rest(dlpi_effects_prior *prior, double most)
{
    if (most < SHORTER * prior->least) {
        prior->least = most;
        prior->least_round = prior->rounds;
    }
    const int jumping = prior->rounds - prior->least_round - PATIENCE;
    const double part = jumping > 0 ? 1.0 / (1 + jumping) : 1;
    if (jumping > 0)
        move_delta(prior, part);
    else
        move_farther(prior);
    return most > LONGEST_JUMP ? most : part * most;
}

double dlpi_effects_update(dlpi_effects_prior *prior, const dlpi_regression *regression,
                           const double *sums)
{
    const dlp_index K = prior->topics.K;
    const double most = find_shift(prior, regression, sums + 2 * K * K);
    double moved = most;
    update_spread(prior, (double)regression->covariates->D, sums);
    if (prior->rounds < SPREAD_ROUNDS)
        move_delta(prior, 1);
    else
        moved = move_to_rest(prior, most);
    prior->rounds++;
    return moved;
}

/* ---- draws ---- */

/* If the documents explain less than this share of the variance in a direction, they are
   taken to explain this share. */
static const double LEAST_TOLD = 1e-4;

/* C S C, with something of Sigma_0's size along 1, and LEAST_TOLD of it everywhere */
void dlpi_effects_factor(dlpi_effects_prior *prior)
{
    const dlp_index K = prior->topics.K;
    const double *S = prior->S;
    double size = 0, all = 0, *F = prior->factor, *mean = prior->mean;
    for (dlp_index k = 0; k < K; k++)
        size += prior->topics.Sigma0[k * (K + 1)] / (double)K;
    for (dlp_index i = 0; i < K * K; i++) all += S[i] / (double)(K * K);
    for (dlp_index i = 0; i < K; i++) {
        mean[i] = 0;
        for (dlp_index j = 0; j < K; j++) mean[i] += S[i * K + j] / (double)K;
    }
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = i; j < K; j++) {
            const double centred = S[i * K + j] - mean[i] - mean[j] + all;
            F[i * K + j] = centred + size / (double)K + (i == j ? LEAST_TOLD * size : 0);
        }
    dlpi_mirror(K, F);
    if (dlpi_cholesky(K, F) < 0) return;
    memset(F, 0,
           (size_t)(K * K) * sizeof *F); /* only by rounding: as if little were known */
    for (dlp_index k = 0; k < K; k++) F[k * (K + 1)] = sqrt(LEAST_TOLD * size);
}

void dlpi_effects_draw(const dlpi_effects_prior *prior, const dlpi_regression *regression,
                       dlp_rng *rng, double *G)
{
    const dlp_index K = prior->topics.K, p = prior->p;
    for (dlp_index j = 0; j < p; j++) {
        double *row = G + j * K, mean = 0;
        for (dlp_index k = 0; k < K; k++) row[k] = dlp_draw_normal(rng);
        dlpi_cholesky_draw(K, prior->factor, row);
        for (dlp_index k = 0; k < K; k++) mean += row[k] / (double)K;
        for (dlp_index k = 0; k < K; k++) row[k] -= mean;
    }
    for (dlp_index k = 0; k < K; k++) {
        for (dlp_index j = 0; j < p; j++) prior->column[j] = G[j * K + k];
        dlpi_cholesky_draw(p, regression->U, prior->column);
        for (dlp_index j = 0; j < p; j++) G[j * K + k] = prior->column[j];
    }
}
