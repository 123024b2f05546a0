/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations of categorical variables, as a:b: the levels that occur, and their
   codes. */
#include "table/design/design.h"

static const char what[] = "a combination of groups"; /* when memory is short */

/* Two codes as one number, and the index it got when it was first met. */
struct pair {
    int64_t key;
    int32_t number;
};

static int compare_pairs(const void *a, const void *b)
{
    const int64_t x = ((const struct pair *)a)->key, y = ((const struct pair *)b)->key;
    return (x > y) - (x < y);
}

/* rank[number]: the place of each distinct pair in their order. */
static bool rank_pairs(const struct dlpi_name_index *distinct, struct dlpi_pool *pool,
                       int32_t **rank)
{
    struct pair *pair = dlpi_pool_take(pool, distinct->n, sizeof *pair);
    *rank = dlpi_pool_take(pool, distinct->n, sizeof **rank);
    if (!pair || !*rank) return false;
    for (dlp_index i = 0; i < distinct->n; i++)
        pair[i] = (struct pair){.key = *(const int64_t *)distinct->key[i].bytes,
                                .number = (int32_t)i};
    qsort(pair, (size_t)distinct->n, sizeof *pair, compare_pairs);
    for (dlp_index i = 0; i < distinct->n; i++) (*rank)[pair[i].number] = (int32_t)i;
    return true;
}

/* Replaces code by the index of the pair (code, next) among those that occur, ordered by
   code first; there are *n of them. -1 where either is missing. pool is temporary
   memory. */
static bool pair_codes(const struct dlpi_factor *next, dlp_index rows,
                       struct dlpi_pool *pool, int32_t *code, dlp_index *n)
{
    struct dlpi_name_index distinct = {.pool = pool};
    int64_t *key = dlpi_pool_take(pool, rows, sizeof *key);
    int32_t *rank;
    if (!key) return false;
    for (dlp_index i = 0; i < rows; i++) {
        if (code[i] < 0 || next->found_code[i] < 0) {
            code[i] = -1;
            continue;
        }
        key[i] = (int64_t)code[i] * next->n_found + next->found_code[i];
        code[i] = (int32_t)dlpi_name_index_add(&distinct, &key[i], sizeof key[i]);
        if (code[i] < 0) return false;
    }
    if (!rank_pairs(&distinct, pool, &rank)) return false;
    for (dlp_index i = 0; i < rows; i++)
        if (code[i] >= 0) code[i] = rank[code[i]];
    *n = distinct.n;
    return true;
}

/* The separator of levels is escaped with a backslash inside a level. */
static bool add_level(struct dlpi_text *text, const char *level)
{
    bool ok = true;
    for (; *level && ok; level++)
        ok = ((*level != ':' && *level != '\\') || dlpi_text_add(text, "\\", 1)) &&
             dlpi_text_add(text, level, 1);
    return ok;
}

/* The level of the combination in a row that has one; NULL without memory. */
static const char *name_level(const struct dlpi_factor *part, dlp_index n, dlp_index row,
                              struct dlpi_pool *pool)
{
    struct dlpi_text text = {.pool = pool};
    for (dlp_index k = 0; k < n; k++)
        if ((k > 0 && !dlpi_text_add_string(&text, ":")) ||
            !add_level(&text, part[k].found[part[k].found_code[row]]))
            return NULL;
    return text.data ? text.data : dlpi_pool_copy(pool, "", 0);
}

dlp_status dlpi_factor_combine(const struct dlpi_factor *part, dlp_index n,
                               dlp_index rows, struct dlpi_pool *pool,
                               struct dlpi_factor *factor, dlp_error *error)
{
    int32_t *code = dlpi_pool_take(pool, rows, sizeof *code);
    if (!code) return dlpi_no_memory(error, what);
    for (dlp_index i = 0; i < rows; i++) code[i] = part[0].found_code[i];
    factor->n_found = part[0].n_found;
    for (dlp_index k = 1; k < n; k++) {
        struct dlpi_pool now = {0};
        const bool ok = pair_codes(&part[k], rows, &now, code, &factor->n_found);
        dlpi_pool_free(&now);
        if (!ok) return dlpi_no_memory(error, what);
    }
    const char **found = dlpi_pool_take(pool, factor->n_found, sizeof *found);
    factor->level_of = dlpi_pool_take(pool, factor->n_found, sizeof *factor->level_of);
    if (!found || !factor->level_of) return dlpi_no_memory(error, what);
    for (dlp_index i = 0; i < rows; i++) {
        if (code[i] < 0 || found[code[i]]) continue;
        found[code[i]] = name_level(part, n, i, pool);
        if (!found[code[i]]) return dlpi_no_memory(error, what);
    }
    factor->found = found;
    factor->found_code = code;
    return DLP_OK;
}
