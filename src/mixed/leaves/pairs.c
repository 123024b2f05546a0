/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves/pairs.h"

#include "core/core.h"

#include <string.h>

/* ---- where things are ---- */

dlp_index dlpi_leaf_wide(const dlpi_mixed *model, dlp_index g)
{
    const dlpi_mixed_rows *rows = &model->rows;
    return model->whole ? rows->n
                        : rows->support_begin[g + 1] - rows->support_begin[g] + rows->p;
}

dlp_index dlpi_leaf_place(const dlpi_mixed *model, dlp_index g)
{
    const dlpi_mixed_rows *rows = &model->rows;
    const dlp_index q = rows->q, before = model->whole
                                              ? g * rows->n
                                              : rows->support_begin[g] + g * rows->p;
    return q * (g * (1 + q) + before);
}

/* Where the effects of a term other than the leaves begin in x. */
static dlp_index start_of(const dlpi_mixed_rows *rows, dlp_index term)
{
    dlp_index o = 0;
    while (rows->term[o] != term) o++;
    return rows->start[o];
}

/* ---- which pairs ---- */

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The levels that occur together in some row, or all of them, as ascending numbers;
   returns how many. */
static dlp_index list_pairs(const dlpi_mixed *model, dlp_index s, dlp_index t,
                            int64_t *key)
{
    const dlpi_mixed_data *data = model->data;
    const dlp_index L = data->term[s].L, M = data->term[t].L;
    dlp_index n = 0;
    if (model->whole) {
        for (; n < L * M; n++) key[n] = n;
        return n;
    }
    for (dlp_index r = 0; r < data->N; r++)
        key[r] = (int64_t)data->term[s].code[r] * M + data->term[t].code[r];
    qsort(key, (size_t)data->N, sizeof *key, by_number);
    for (dlp_index r = 0; r < data->N; r++)
        if (r == 0 || key[r] != key[r - 1]) key[n++] = key[r];
    return n;
}

/* For each pair of the terms s and t, one of which is the leaves': where its leaf sees
   the other's level. */
static void find_slots(const dlpi_mixed *model, const int64_t *key,
                       const dlpi_mixed_pairs *pairs)
{
    const dlpi_mixed_rows *rows = &model->rows;
    const dlpi_mixed_term *s = &model->data->term[pairs->first],
                          *t = &model->data->term[pairs->second];
    const dlp_index other = pairs->first == rows->leaf ? pairs->second : pairs->first;
    dlp_index o = 0;
    while (rows->term[o] != other) o++;
    for (dlp_index r = 0; r < rows->N; r++) {
        const int64_t wanted =
            (int64_t)s->code[rows->row[r]] * t->L + t->code[rows->row[r]];
        const int64_t *at =
            bsearch(&wanted, key, (size_t)pairs->n, sizeof *key, by_number);
        pairs->slot[at - key] = rows->slot[r * rows->n_other + o];
    }
}

static dlp_status make_pairs(const dlpi_mixed *model, dlp_index s, dlp_index t,
                             int64_t *key, dlpi_mixed_pairs *pairs, dlp_error *error)
{
    const dlpi_mixed_term *term = model->data->term;
    *pairs =
        (dlpi_mixed_pairs){.first = s, .second = t, .n = list_pairs(model, s, t, key)};
    pairs->level = dlpi_calloc(pairs->n, 2 * sizeof *pairs->level);
    pairs->covariance = dlpi_calloc(pairs->n, (size_t)(term[s].q * term[t].q) *
                                                  sizeof *pairs->covariance);
    const bool by_slot =
        !model->whole && (s == model->rows.leaf || t == model->rows.leaf);
    if (by_slot) pairs->slot = dlpi_calloc(pairs->n, sizeof *pairs->slot);
    if (!pairs->level || !pairs->covariance || (by_slot && !pairs->slot))
        return dlpi_no_memory(error, "the effects of a mixed model");
    if (by_slot) find_slots(model, key, pairs);
    for (dlp_index i = 0; i < pairs->n; i++) {
        pairs->level[2 * i] = (int32_t)(key[i] / term[t].L);
        pairs->level[2 * i + 1] = (int32_t)(key[i] % term[t].L);
    }
    return DLP_OK;
}

dlp_status dlpi_mixed_pairs_make(const dlpi_mixed *model, dlpi_mixed_result *result,
                                 dlp_error *error)
{
    const dlp_index T = model->data->n_terms;
    dlp_index most = model->data->N, n = 0;
    if (T < 2) return DLP_OK;
    for (dlp_index t = 0; t < T && model->whole; t++)
        for (dlp_index s = 0; s < t; s++)
            if (model->data->term[s].L * model->data->term[t].L > most)
                most = model->data->term[s].L * model->data->term[t].L;
    result->pairs = dlpi_calloc(T * (T - 1) / 2, sizeof *result->pairs);
    int64_t *key = dlpi_calloc(most, sizeof *key);
    result->n_pairs = result->pairs ? T * (T - 1) / 2 : 0;
    dlp_status status =
        key && result->pairs ? DLP_OK : dlpi_no_memory(error, "the random effects");
    for (dlp_index t = 1; t < T; t++)
        for (dlp_index s = 0; s < t && status == DLP_OK; s++)
            status = make_pairs(model, s, t, key, &result->pairs[n++], error);
    free(key);
    return status;
}

/* ---- at a point ---- */

/* For a pair: both means, and where the covariances are. */
typedef struct found {
    const double *mean[2];
    const double *C;
    dlp_index stride; /* of C, from one effect of the first term to the next, */
    dlp_index step;   /*     and of the second */
} found;

/* Leaf g and the effects of x from `at` on, which the leaf sees in `slot`. */
static found find_with_leaf(const dlpi_mixed *model, const dlpi_mixed_block *k,
                            const double *leaves, dlp_index g, dlp_index at,
                            dlp_index slot, bool leaf_first)
{
    const double *of = leaves + dlpi_leaf_place(model, g);
    const dlp_index q = model->rows.q, wide = dlpi_leaf_wide(model, g);
    const double *C = of + q * (1 + q) + slot;
    if (leaf_first) return (found){{of, k->x + at}, C, wide, 1};
    return (found){{k->x + at, of}, C, 1, wide};
}

/* room (q_s, q_t) */
static found find_in_x(const dlpi_mixed_block *k, dlp_index i, dlp_index j, dlp_index q_s,
                       dlp_index q_t, double *room)
{
    for (dlp_index a = 0; a < q_s; a++)
        for (dlp_index b = 0; b < q_t; b++)
            room[a * q_t + b] = *dlpi_mixed_entry(&k->S, i + a, j + b);
    return (found){{k->x + i, k->x + j}, room, q_t, 1};
}

static void add_pairs(const dlpi_mixed *model, const dlpi_mixed_block *k,
                      const double *leaves, double weight, dlpi_mixed_pairs *pairs)
{
    const dlpi_mixed_rows *rows = &model->rows;
    const dlpi_mixed_term *s = &model->data->term[pairs->first],
                          *t = &model->data->term[pairs->second];
    const bool first = pairs->first == rows->leaf, second = pairs->second == rows->leaf;
    const dlp_index at_s = first ? 0 : start_of(rows, pairs->first),
                    at_t = second ? 0 : start_of(rows, pairs->second);
    double *C = pairs->covariance;
    for (dlp_index i = 0; i < pairs->n; i++, C += s->q * t->q) {
        const dlp_index l = pairs->level[2 * i], m = pairs->level[2 * i + 1],
                        x_s = at_s + l * s->q, x_t = at_t + m * t->q;
        const dlp_index slot = pairs->slot ? pairs->slot[i] : first ? x_t : x_s;
        const found f = first    ? find_with_leaf(model, k, leaves, l, x_t, slot, true)
                        : second ? find_with_leaf(model, k, leaves, m, x_s, slot, false)
                                 : find_in_x(k, x_s, x_t, s->q, t->q, k->pair);
        for (dlp_index a = 0; a < s->q; a++)
            for (dlp_index b = 0; b < t->q; b++)
                C[a * t->q + b] += weight * (f.C[a * f.stride + b * f.step] +
                                             f.mean[0][a] * f.mean[1][b]);
    }
}

void dlpi_mixed_pairs_add(const dlpi_mixed *model, const dlpi_mixed_block *block,
                          const double *leaves, double weight, dlpi_mixed_result *result)
{
    for (dlp_index i = 0; i < result->n_pairs; i++)
        add_pairs(model, block, leaves, weight, &result->pairs[i]);
}

void dlpi_mixed_pairs_centre(double weight, dlpi_mixed_result *result)
{
    for (dlp_index k = 0; k < result->n_pairs; k++) {
        dlpi_mixed_pairs *pairs = &result->pairs[k];
        const dlpi_mixed_effects *s = &result->effects[pairs->first],
                                 *t = &result->effects[pairs->second];
        double *C = pairs->covariance;
        for (dlp_index i = 0; i < pairs->n; i++, C += s->q * t->q)
            for (dlp_index a = 0; a < s->q; a++)
                for (dlp_index b = 0; b < t->q; b++)
                    C[a * t->q + b] = C[a * t->q + b] / weight -
                                      s->mean[pairs->level[2 * i] * s->q + a] *
                                          t->mean[pairs->level[2 * i + 1] * t->q + b];
    }
}
