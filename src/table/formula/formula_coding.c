/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How factors are coded in terms, by the rules of R's terms.formula and model.matrix. A
 * factor has a column for every level but the first where the columns of the first would
 * repeat what other terms already span: where the term without the factor is the
 * intercept, or lies within a term before it. Else it has a column for every level. In a
 * model without intercept the first factor has all its columns too.
 */
#include "table/formula/formula.h"

#include <string.h>

/* A term without its k-th variable; returns the size in bytes. */
static size_t take_margin(const struct dlpi_term *term, dlp_index k, int32_t *margin)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < term->order; i++)
        if (i != k) margin[n++] = term->variable[i];
    return (size_t)n * sizeof *margin;
}

/* True when the term without its k-th variable is the intercept or was met before. */
static bool is_margin_known(const struct dlpi_name_index *met,
                            const struct dlpi_term *term, dlp_index k)
{
    int32_t margin[DLPI_MOST_ORDER];
    const size_t size = take_margin(term, k, margin);
    return size == 0 || dlpi_name_index_find(met, margin, size) >= 0;
}

/*
 * Notes a term and its margins. That is enough to tell whether the margin of a later term
 * lies within this one: the later has at least as many variables, so its margin has one
 * fewer than this at the most, and within this it can only be this or a margin of it.
 */
static bool meet(struct dlpi_name_index *met, const struct dlpi_term *term)
{
    const size_t whole = (size_t)term->order * sizeof *term->variable;
    if (dlpi_name_index_add(met, term->variable, whole) < 0) return false;
    for (dlp_index k = 0; k < term->order; k++) {
        int32_t margin[DLPI_MOST_ORDER], *copy;
        const size_t size = take_margin(term, k, margin);
        if (size == 0 || dlpi_name_index_find(met, margin, size) >= 0) continue;
        copy = dlpi_pool_take(met->pool, 1, size);
        if (!copy) return false;
        memcpy(copy, margin, size);
        if (dlpi_name_index_add(met, copy, size) < 0) return false;
    }
    return true;
}

static void code_first_factor(const struct dlpi_expansion *x, const bool *is_factor,
                              bool **full)
{
    for (dlp_index t = 0; t < x->n_terms; t++)
        for (dlp_index k = 0; k < x->term[t].order; k++)
            if (is_factor[x->term[t].variable[k]]) {
                full[t][k] = true;
                return;
            }
}

bool **dlpi_full_coding(const struct dlpi_expansion *expansion, const bool *is_factor,
                        struct dlpi_pool *pool)
{
    const struct dlpi_expansion *x = expansion;
    struct dlpi_name_index met = {.pool = pool};
    bool **full = dlpi_pool_take(pool, x->n_terms, sizeof *full);
    if (!full) return NULL;
    for (dlp_index t = 0; t < x->n_terms; t++) {
        const struct dlpi_term *term = &x->term[t];
        full[t] = dlpi_pool_take(pool, term->order, sizeof *full[t]);
        if (!full[t]) return NULL;
        for (dlp_index k = 0; k < term->order; k++)
            full[t][k] = is_factor[term->variable[k]] && !is_margin_known(&met, term, k);
        if (!meet(&met, term)) return NULL;
    }
    if (!x->intercept) code_first_factor(x, is_factor, full);
    return full;
}
