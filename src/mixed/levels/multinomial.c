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

/* How many terms become of one: a process is one for each predictor. */
static dlp_index copies(const dlpi_mixed_term *term, dlp_index D)
{
    return term->process ? D : 1;
}

/* Terms with columns for all predictors, from `next` on; returns how many there are. */
static dlp_index repeat_terms(const dlpi_mixed_data *of, dlp_index D, const double **next,
                              dlpi_mixed_term *to)
{
    dlp_index n = 0;
    for (dlp_index t = 0; t < of->n_terms; t++) {
        const dlpi_mixed_term *from = &of->term[t];
        repeat(D, from->q, from->x, next);
        for (dlp_index k = 0; k < copies(from, D); k++) {
            to[n] = *from;
            to[n].q = from->process ? 1 : D * from->q;
            to[n++].x = next + k;
        }
        next += D * from->q;
    }
    return n;
}

static bool alloc_rows(const dlpi_mixed_data *of, dlp_index D,
                       dlpi_multinomial_rows *rows)
{
    dlp_index columns = D * of->p, terms = 0, smooths = D * of->n_smooths;
    for (dlp_index t = 0; t < of->n_terms; t++) {
        columns += D * of->term[t].q;
        terms += copies(&of->term[t], D);
    }
    rows->term = dlpi_calloc(terms, sizeof *rows->term);
    rows->column = dlpi_calloc(columns, sizeof *rows->column);
    rows->smooth = dlpi_calloc(smooths, sizeof *rows->smooth);
    rows->lkj = dlpi_calloc(3 * terms + smooths, sizeof *rows->lkj);
    if (!rows->term || !rows->column || !rows->smooth || !rows->lkj) return false;
    rows->share = rows->lkj + terms + smooths;
    return true;
}

dlp_status dlpi_multinomial_rows_make(const dlpi_mixed_data *of, dlp_index levels,
                                      dlpi_multinomial_rows *rows, dlp_error *error)
{
    const dlp_index D = levels - 1;
    *rows = (dlpi_multinomial_rows){.data = *of};
    rows->data.predictors = D;
    if (!alloc_rows(of, D, rows))
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
    rows->data.n_terms = repeat_terms(of, D, next + D * of->p, rows->term);
    rows->data.likelihood = NULL;
    rows->data.p = D * of->p;
    rows->data.X = rows->column;
    rows->data.term = rows->term;
    rows->data.n_smooths = D * of->n_smooths;
    rows->data.smooth = rows->smooth;
    return DLP_OK;
}

void dlpi_multinomial_priors(const dlpi_mixed_data *of, const double *lkj,
                             const double *share, dlpi_multinomial_rows *rows)
{
    dlp_index to = 0;
    for (dlp_index t = 0; t < of->n_terms; t++)
        for (dlp_index k = 0; k < copies(&of->term[t], rows->data.predictors);
             k++, to++) {
            rows->lkj[to] = lkj[t];
            memcpy(rows->share + 2 * to, share + 2 * t, 2 * sizeof *share);
        }
    for (dlp_index s = 0; s < rows->data.n_smooths; s++) rows->lkj[to + s] = 1;
}

void dlpi_multinomial_rows_clear(dlpi_multinomial_rows *rows)
{
    free(rows->term);
    free((void *)rows->column);
    free(rows->smooth);
    free(rows->lkj);
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

/* For two terms with Q and R effects: q of them from i on, and r from j on. */
static bool take_pairs(const dlpi_mixed_pairs *from, dlp_index Q, dlp_index R,
                       dlp_index i, dlp_index j, dlp_index q, dlp_index r,
                       dlpi_mixed_pairs *to)
{
    if (!alloc_pairs(from->n, q * r, to)) return false;
    memcpy(to->level, from->level, (size_t)(2 * from->n) * sizeof *to->level);
    for (dlp_index a = 0; a < from->n; a++)
        copy_block(from->covariance + a * Q * R, R, i, j, q, r,
                   to->covariance + a * q * r);
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

/* Where the effects of a term that was split are: part k of term t, or all of it. */
typedef struct part {
    dlp_index t, k;
} part;

/* to: of each term that there will be. */
static void find_parts(const dlpi_mixed_data *data, part *to)
{
    for (dlp_index t = 0; t < data->n_terms; t++)
        for (dlp_index k = 0; k < (data->term[t].process ? 1 : data->predictors); k++)
            *to++ = (part){t, k};
}

static bool split_pairs(dlp_index D, const part *parts, const dlpi_mixed_result *found,
                        dlpi_mixed_result *apart)
{
    const dlp_index T = apart->n_terms;
    apart->pairs = dlpi_calloc(T * (T - 1) / 2, sizeof *apart->pairs);
    bool there = apart->pairs != NULL;
    for (dlp_index b = 1; b < T; b++)
        for (dlp_index a = 0; a < b && there; a++) {
            const part of = parts[a], with = parts[b];
            const dlp_index q = apart->effects[a].q, r = apart->effects[b].q;
            const dlpi_mixed_pairs *from = find_pairs(found, of.t, with.t);
            dlpi_mixed_pairs *to = &apart->pairs[apart->n_pairs++];
            *to = (dlpi_mixed_pairs){.first = a, .second = b};
            if (of.t == with.t)
                there = take_own_pairs(&found->effects[of.t], D, of.k, with.k, to);
            else if (from)
                there = take_pairs(from, found->effects[of.t].q, found->effects[with.t].q,
                                   of.k * q, with.k * r, q, r, to);
        }
    return there;
}

/* Those of processes are separate already, and are copied whole. */
static bool split_terms(const dlpi_mixed_data *data, const part *parts, dlp_index T,
                        const dlpi_mixed_result *found, dlpi_mixed_result *apart)
{
    for (dlp_index a = 0; a < T; a++) {
        const dlpi_mixed_term *term = &data->term[parts[a].t];
        const dlpi_mixed_effects *from = &found->effects[parts[a].t];
        const dlpi_mixed_term like = {.L = from->L,
                                      .q = term->process ? 1 : from->q / data->predictors,
                                      .process = term->process};
        dlpi_mixed_effects *to = &apart->effects[a];
        apart->n_terms = a + 1;
        if (!dlpi_mixed_effects_alloc(&like, found->p, to)) return false;
        take_effects(from, parts[a].k, found->p, to);
        to->second = from->second;
        if (term->process)
            memcpy(to->next, from->next, (size_t)from->L * sizeof *to->next);
    }
    return split_pairs(data->predictors, parts, found, apart);
}

/* Smooths are separate, too, and are moved. */
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
    dlp_index T = 0;
    for (dlp_index t = 0; t < data->n_terms; t++)
        T += data->term[t].process ? 1 : data->predictors;
    dlpi_mixed_result apart = *found, old = *found;
    apart.effects = dlpi_calloc(T + data->n_smooths, sizeof *apart.effects);
    apart.pairs = NULL;
    apart.n_terms = apart.n_pairs = 0;
    part *parts = dlpi_calloc(T, sizeof *parts);
    if (parts) find_parts(data, parts);
    const bool there =
        parts && apart.effects && split_terms(data, parts, T, found, &apart);
    free(parts);
    if (there) move_smooths(T, data->n_terms, &old, &apart);
    dlpi_mixed_result *away = there ? &old : &apart;
    away->beta = NULL; /* both have it */
    away->margin = NULL;
    away->scale_mixture = (dlpi_scale_mixture){0};
    dlpi_mixed_result_clear(away);
    if (there) *found = apart;
    return there ? DLP_OK : dlpi_no_memory(error, "the effects of a mixed model");
}
