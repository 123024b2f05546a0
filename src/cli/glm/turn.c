/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/turn.h"

#include "cli/say.h"

#include <stdlib.h>
#include <string.h>

static dlp_status no_memory(dlp_error *error)
{
    return dlp_fail(error, DLP_ENOMEM, "not enough memory for the columns");
}

/* ---- columns ---- */

/* x'_j = sum_k R_jk x_k, its own column first. */
static void make_column(const dlp_glm_data *d, dlp_index j, const double *R, double *to)
{
    memcpy(to, d->x[j], (size_t)d->N * sizeof *to);
    for (dlp_index k = 0; k < d->p; k++) {
        if (k == j || R[k] == 0) continue;
        for (dlp_index i = 0; i < d->N; i++) to[i] += R[k] * d->x[k][i];
    }
}

dlp_status cli_glm_turn_take(const cli_glm_rows *rows, cli_glm_fit *fit,
                             cli_glm_turn *turn, dlp_error *error)
{
    const dlp_glm_data *d = &rows->data;
    const size_t p = (size_t)d->p, N = (size_t)d->N;
    *turn = (cli_glm_turn){
        .rows = *rows,
        .X = calloc(p, N * sizeof *turn->X),
        .x = calloc(p, sizeof *turn->x),
        .own = calloc(p, sizeof *turn->own),
        .own_prior = fit->own_prior,
        .prior_covariance = fit->prior_covariance,
    };
    if (!turn->X || !turn->x || !turn->own) return no_memory(error);
    for (dlp_index j = 0; j < d->p; j++) {
        double *to = turn->X + j * d->N;
        make_column(d, j, rows->freed + j * (d->p + 1), to);
        turn->x[j] = to;
        turn->own[j] = (cli_glm_prior){.sd = rows->freed_sd[j], .weak = true};
    }
    turn->rows.data.x = turn->x;
    fit->own_prior = turn->own;
    fit->prior_covariance = NULL;
    return DLP_OK;
}

void cli_glm_turn_give_back(const cli_glm_turn *turn, cli_glm_fit *fit)
{
    fit->own_prior = turn->own_prior;
    fit->prior_covariance = turn->prior_covariance;
}

/* ---- posteriors ---- */

/* An R_jk that is not 0, k != j. */
typedef struct entry {
    dlp_index j, k;
    double value;
} entry;

static entry *entries_of(const double *R, dlp_index p, size_t *count)
{
    *count = 0;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < p; k++) *count += k != j && R[j * (p + 1) + k] != 0;
    entry *entries = calloc(*count + 1, sizeof *entries);
    entry *at = entries;
    for (dlp_index j = 0; entries && j < p; j++)
        for (dlp_index k = 0; k < p; k++)
            if (k != j && R[j * (p + 1) + k] != 0)
                *at++ = (entry){j, k, R[j * (p + 1) + k]};
    return entries;
}

/* What it takes to turn n numbers, of which those up to `coefficients` are p a level. */
typedef struct turner {
    dlp_index p, n, coefficients;
    const entry *entries;
    size_t count;
    double *was; /* (n) */
} turner;

/* beta = R'beta', of each level, the numbers being `step` apart. */
static void turn_numbers(const turner *t, double *v, dlp_index step)
{
    for (dlp_index i = 0; i < t->n; i++) t->was[i] = v[i * step];
    for (dlp_index first = 0; first < t->coefficients; first += t->p)
        for (size_t e = 0; e < t->count; e++) {
            const entry *of = &t->entries[e];
            v[(first + of->k) * step] += of->value * t->was[first + of->j];
        }
}

static void turn_covariance(const turner *t, double *Sigma)
{
    const dlp_index n = t->n;
    for (dlp_index i = 0; i < n; i++) turn_numbers(t, Sigma + i * n, 1);
    for (dlp_index i = 0; i < n; i++) turn_numbers(t, Sigma + i, n);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index k = 0; k < i; k++) Sigma[i * n + k] = Sigma[k * n + i];
}

dlp_status cli_glm_turn_posterior(const cli_glm_turn *turn, cli_glm_fit *fit,
                                  dlp_error *error)
{
    const dlp_index p = fit->p, n = fit->n;
    const bool by_level = cli_glm_is_multinomial(fit->family);
    turner t = {.p = p, .n = n, .coefficients = by_level ? n : p};
    entry *entries = entries_of(turn->rows.freed, p, &t.count);
    t.entries = entries;
    t.was = calloc((size_t)n, sizeof *t.was);
    for (dlp_index m = 0; entries && t.was && m < fit->M; m++) {
        turn_numbers(&t, fit->mu + m * n, 1);
        turn_covariance(&t, fit->Sigma + m * n * n);
    }
    if (entries && t.was && fit->mu0) {
        turn_numbers(&t, fit->mu0, 1);
        turn_covariance(&t, fit->Sigma0);
        turn_covariance(&t, fit->mu0_covariance);
    }
    const dlp_status status = entries && t.was ? DLP_OK : no_memory(error);
    free(entries);
    free(t.was);
    return status;
}

void cli_glm_turn_clear(cli_glm_turn *turn)
{
    /* what parting the rows has made; the rest is the caller's */
    free(turn->rows.begin);
    free(turn->rows.count);
    free(turn->rows.place);
    free(turn->rows.x);
    free(turn->rows.moved);
    free(turn->X);
    free(turn->x);
    free(turn->own);
    *turn = (cli_glm_turn){0};
}
