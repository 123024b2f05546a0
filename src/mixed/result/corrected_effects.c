/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates the effects when the moments of beta are corrected. With V = Var[beta], C =
 * Cov[b, beta] and b = C V^-1 beta + what is independent of beta, replacing V by V' makes
 *
 *   E[b] += C V^-1 shift,  Cov[b, beta] = C V^-1 V',  Cov[b, b'] += C V^-1 (V' - V) V^-1 C'.
 *
 * A linear predictor that is known well, because beta and b only vary against each other,
 * stays so.
 */
#include "math/dense.h"
#include "mixed/leaves/pairs.h"

#include <string.h>

/* Adds C M C' for two levels to V (q, r); their rows have p numbers and are n apart. */
static void add_product(dlp_index p, dlp_index n, const double *M, dlp_index q,
                        const double *C, dlp_index r, const double *D, double *V)
{
    for (dlp_index i = 0; i < q; i++)
        for (dlp_index k = 0; k < p; k++) {
            if (C[i * n + k] == 0) continue;
            for (dlp_index j = 0; j < r; j++)
                V[i * r + j] += C[i * n + k] * dlpi_dot(p, M + k * p, D + j * n);
        }
}

static void change_pairs(dlp_index p, dlp_index n, const double *M,
                         const dlpi_mixed_pairs *pairs, const dlpi_mixed_effects *effects)
{
    const dlpi_mixed_effects *s = &effects[pairs->first], *t = &effects[pairs->second];
    for (dlp_index i = 0; i < pairs->n; i++)
        add_product(p, n, M, s->q, s->with_beta + pairs->level[2 * i] * s->q * n, t->q,
                    t->with_beta + pairs->level[2 * i + 1] * t->q * n,
                    pairs->covariance + i * s->q * t->q);
}

/* C := C + C change, row by row. */
static void change_term(dlp_index p, dlp_index n, const double *M, const double *change,
                        const double *move, double *row, const dlpi_mixed_effects *e)
{
    const dlp_index q = e->q;
    for (dlp_index l = 0; l < e->L; l++) {
        const double *C = e->with_beta + l * q * n;
        add_product(p, n, M, q, C, q, C, e->variance + l * q * q);
        if (e->next && l + 1 < e->L && e->next[l] != 0)
            add_product(p, n, M, 1, C, 1, C + n, e->next + l);
    }
    for (dlp_index i = 0; i < e->L * q; i++) {
        double *C = e->with_beta + i * n;
        e->mean[i] += dlpi_dot(p, C, move);
        memcpy(row, C, (size_t)p * sizeof *row);
        for (dlp_index k = 0; k < p; k++) dlpi_axpy(p, row[k], change + k * p, C);
    }
}

void dlpi_mixed_correct_effects(double *V, const double *after, const double *shift,
                                double *room, dlpi_mixed_result *result)
{
    const dlp_index p = result->p, n = result->n;
    double *M = room, *change = M + p * p, *move = change + p * p, *row = move + p;
    for (dlp_index i = 0; i < p * p; i++) M[i] = after[i] - V[i];
    if (dlpi_cholesky(p, V) >= 0) return;
    memcpy(move, shift, (size_t)p * sizeof *move);
    dlpi_cholesky_solve(p, V, move);
    for (dlp_index i = 0; i < p; i++) dlpi_cholesky_solve(p, V, M + i * p);
    for (dlp_index i = 0; i < p; i++) /* M is (V' - V) V^-1, change its transpose */
        for (dlp_index j = 0; j < p; j++) change[j * p + i] = M[i * p + j];
    memcpy(M, change, (size_t)(p * p) * sizeof *M);
    for (dlp_index i = 0; i < p; i++) dlpi_cholesky_solve(p, V, M + i * p);
    for (dlp_index k = 0; k < result->n_pairs; k++)
        change_pairs(p, n, M, &result->pairs[k], result->effects);
    for (dlp_index t = 0; t < result->n_terms; t++)
        change_term(p, n, M, change, move, row, &result->effects[t]);
}
