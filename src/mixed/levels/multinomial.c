/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/levels/multinomial.h"

#include "core/core.h"
#include "mixed/result/summary.h"

#include <string.h>

/* ---- repeating ---- */

static void repeat(dlp_index D, dlp_index n, const double *const *x, const double **to)
{
    for (dlp_index k = 0; k < D; k++)
        for (dlp_index j = 0; j < n; j++) *to++ = x[j];
}

dlp_status dlpi_multinomial_rows_make(const dlpi_mixed_data *of, dlp_index levels,
                                      dlpi_multinomial_rows *rows, dlp_error *error)
{
    const dlp_index D = levels - 1;
    dlp_index columns = D * of->p;
    for (dlp_index t = 0; t < of->n_terms; t++) columns += D * of->term[t].q;
    *rows = (dlpi_multinomial_rows){.data = *of};
    rows->term = dlpi_calloc(of->n_terms, sizeof *rows->term);
    rows->column = dlpi_calloc(columns, sizeof *rows->column);
    rows->smooth = dlpi_calloc(D * of->n_smooths, sizeof *rows->smooth);
    if (!rows->term || !rows->column || !rows->smooth)
        return dlpi_no_memory(error, "the rows of a multinomial regression");
    const double **next = rows->column;
    const dlp_index fixed = dlpi_mixed_fixed(of);
    repeat(D, fixed, of->X, next);
    for (dlp_index s = 0; s < of->n_smooths; s++) {
        const dlpi_mixed_smooth *from = &of->smooth[s];
        repeat(D, from->n, of->X + from->first, next + D * from->first);
        for (dlp_index k = 0; k < D; k++)
            rows->smooth[s * D + k] =
                (dlpi_mixed_smooth){D * from->first + k * from->n, from->n};
    }
    next += D * of->p;
    for (dlp_index t = 0; t < of->n_terms; t++) {
        rows->term[t] = of->term[t];
        rows->term[t].q = D * of->term[t].q;
        rows->term[t].x = next;
        repeat(D, of->term[t].q, of->term[t].x, next);
        next += D * of->term[t].q;
    }
    rows->data.likelihood = NULL;
    rows->data.p = D * of->p;
    rows->data.X = rows->column;
    rows->data.term = rows->term;
    rows->data.n_smooths = D * of->n_smooths;
    rows->data.smooth = rows->smooth;
    rows->data.predictors = D;
    return DLP_OK;
}

void dlpi_multinomial_rows_clear(dlpi_multinomial_rows *rows)
{
    free(rows->term);
    free((void *)rows->column);
    free(rows->smooth);
    *rows = (dlpi_multinomial_rows){.term = NULL};
}

void dlpi_multinomial_places(const dlpi_mixed_data *data, dlp_index *place)
{
    const dlp_index D = data->predictors, p = data->p / D,
                    fixed = dlpi_mixed_fixed(data) / D;
    for (dlp_index k = 0; k < D; k++)
        for (dlp_index j = 0; j < fixed; j++) place[k * fixed + j] = k * p + j;
    for (dlp_index s = 0; s < data->n_smooths; s++) {
        const dlpi_mixed_smooth *of = &data->smooth[s];
        const dlp_index k = s % D, first = (of->first - k * of->n) / D;
        for (dlp_index j = 0; j < of->n; j++) place[of->first + j] = k * p + first + j;
    }
}

/* ---- splitting ---- */

/* Rows i to i + n, columns j to j + m of A (Q, R), into (n, m). */
static void copy_block(const double *A, dlp_index R, dlp_index i, dlp_index j,
                       dlp_index n, dlp_index m, double *to)
{
    for (dlp_index a = 0; a < n; a++, to += m)
        memcpy(to, A + (i + a) * R + j, (size_t)m * sizeof *to);
}

/* The effects on predictor k of D. */
static void take_effects(const dlpi_mixed_effects *from, dlp_index k, dlp_index p,
                         dlpi_mixed_effects *to)
{
    const dlp_index Q = from->q, q = to->q, at = k * q;
    for (dlp_index l = 0; l < from->L; l++) {
        memcpy(to->mean + l * q, from->mean + l * Q + at, (size_t)q * sizeof *to->mean);
        copy_block(from->variance + l * Q * Q, Q, at, at, q, q, to->variance + l * q * q);
        memcpy(to->with_beta + l * q * p, from->with_beta + (l * Q + at) * p,
               (size_t)(q * p) * sizeof *to->with_beta);
    }
    copy_block(from->covariance, Q, at, at, q, q, to->covariance);
    memcpy(to->sd, from->sd + at, (size_t)q * sizeof *to->sd);
    dlp_margin *correlation = to->correlation;
    for (dlp_index j = 0; j < q; j++)
        for (dlp_index i = 0; i < j; i++)
            *correlation++ = from->correlation[(at + j) * (at + j - 1) / 2 + at + i];
}

static bool alloc_pairs(dlp_index n, dlp_index square, dlpi_mixed_pairs *pairs)
{
    pairs->n = n;
    pairs->level = dlpi_calloc(n, 2 * sizeof *pairs->level);
    pairs->covariance = dlpi_calloc(n, (size_t)square * sizeof *pairs->covariance);
    return pairs->level && pairs->covariance;
}

/* For one term: predictors k and l of each level. */
static bool take_own_pairs(const dlpi_mixed_effects *from, dlp_index D, dlp_index k,
                           dlp_index l, dlpi_mixed_pairs *to)
{
    const dlp_index Q = from->q, q = Q / D;
    if (!alloc_pairs(from->L, q * q, to)) return false;
    for (dlp_index i = 0; i < from->L; i++) {
        to->level[2 * i] = to->level[2 * i + 1] = (int32_t)i;
        copy_block(from->variance + i * Q * Q, Q, k * q, l * q, q, q,
                   to->covariance + i * q * q);
    }
    return true;
}

/* For two terms with Q and R effects. */
static bool take_pairs(const dlpi_mixed_pairs *from, dlp_index Q, dlp_index R,
                       dlp_index D, dlp_index k, dlp_index l, dlpi_mixed_pairs *to)
{
    const dlp_index q = Q / D, r = R / D;
    if (!alloc_pairs(from->n, q * r, to)) return false;
    memcpy(to->level, from->level, (size_t)(2 * from->n) * sizeof *to->level);
    for (dlp_index i = 0; i < from->n; i++)
        copy_block(from->covariance + i * Q * R, R, k * q, l * r, q, r,
                   to->covariance + i * q * r);
    return true;
}

static const dlpi_mixed_pairs *find_pairs(const dlpi_mixed_result *found, dlp_index s,
                                          dlp_index t)
{
    for (dlp_index i = 0; i < found->n_pairs; i++)
        if (found->pairs[i].first == s && found->pairs[i].second == t)
            return &found->pairs[i];
    return NULL;
}

static bool split_pairs(dlp_index D, const dlpi_mixed_result *found,
                        dlpi_mixed_result *apart)
{
    const dlp_index T = apart->n_terms;
    apart->pairs = dlpi_calloc(T * (T - 1) / 2, sizeof *apart->pairs);
    bool there = apart->pairs != NULL;
    for (dlp_index b = 1; b < T; b++)
        for (dlp_index a = 0; a < b && there; a++) {
            const dlp_index s = a / D, t = b / D;
            const dlpi_mixed_pairs *from = find_pairs(found, s, t);
            dlpi_mixed_pairs *to = &apart->pairs[apart->n_pairs++];
            *to = (dlpi_mixed_pairs){.first = a, .second = b};
            if (s == t)
                there = take_own_pairs(&found->effects[t], D, a % D, b % D, to);
            else if (from)
                there = take_pairs(from, found->effects[s].q, found->effects[t].q, D,
                                   a % D, b % D, to);
        }
    return there;
}

/* Smooths are separate already, and are moved. */
static bool split_terms(dlp_index D, dlp_index terms, const dlpi_mixed_result *found,
                        dlpi_mixed_result *apart)
{
    const dlp_index T = D * terms, smooths = found->n_terms - terms;
    apart->effects = dlpi_calloc(T + smooths, sizeof *apart->effects);
    if (!apart->effects) return false;
    for (dlp_index t = 0; t < T; t++) {
        const dlpi_mixed_effects *from = &found->effects[t / D];
        const dlpi_mixed_term like = {.L = from->L, .q = from->q / D};
        apart->n_terms = t + 1;
        if (!dlpi_mixed_effects_alloc(&like, found->p, &apart->effects[t])) return false;
        take_effects(from, t % D, found->p, &apart->effects[t]);
    }
    return split_pairs(D, found, apart);
}

static void move_smooths(dlp_index T, dlp_index terms, dlpi_mixed_result *found,
                         dlpi_mixed_result *apart)
{
    for (dlp_index t = terms; t < found->n_terms; t++)
        apart->effects[T + t - terms] = found->effects[t];
    apart->n_terms = T + found->n_terms - terms;
    found->n_terms = terms;
}

dlp_status dlpi_multinomial_split(const dlpi_mixed_data *data, dlpi_mixed_result *found,
                                  dlp_error *error)
{
    const dlp_index D = data->predictors, terms = data->n_terms;
    dlpi_mixed_result apart = *found, old = *found;
    apart.effects = NULL;
    apart.pairs = NULL;
    apart.n_terms = apart.n_pairs = 0;
    const bool there = split_terms(D, terms, found, &apart);
    if (there) move_smooths(D * terms, terms, &old, &apart);
    dlpi_mixed_result *away = there ? &old : &apart;
    away->beta = NULL; /* both have it */
    away->margin = NULL;
    away->scale_mixture = (dlpi_scale_mixture){0};
    dlpi_mixed_result_clear(away);
    if (there) *found = apart;
    return there ? DLP_OK : dlpi_no_memory(error, "the effects of a mixed model");
}
