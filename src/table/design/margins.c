/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/design/margins.h"

#include "core/core.h"

#include <stdlib.h>
#include <string.h>

/* A term as the design has it. */
typedef struct product {
    const dlp_index *variable; /* (n) */
    dlp_index n, functions;
} product;

static product term_at(const dlp_design *d, dlp_index t)
{
    product p = {.variable = d->term_variable + d->term_begin[t],
                 .n = d->term_begin[t + 1] - d->term_begin[t]};
    for (dlp_index i = 0; i < p.n; i++)
        p.functions += d->variable[p.variable[i]].is_function != 0;
    return p;
}

/* ---- terms ---- */

static bool has_variable(const product *t, dlp_index variable)
{
    for (dlp_index i = 0; i < t->n; i++)
        if (t->variable[i] == variable) return true;
    return false;
}

/* Whether a function in the term uses that column, perhaps with others. */
static bool has_column_within(const dlp_design *d, const product *t, dlp_index column)
{
    for (dlp_index i = 0; i < t->n; i++) {
        const dlp_variable *v = &d->variable[t->variable[i]];
        for (dlp_index k = 0; k < v->n_columns && v->is_function; k++)
            if (v->column[k] == column) return true;
    }
    return false;
}

/* Whether functions in the term have all columns that the variable has. */
static bool has_columns_within(const dlp_design *d, const product *t, dlp_index variable)
{
    const dlp_variable *v = &d->variable[variable];
    for (dlp_index k = 0; k < v->n_columns; k++)
        if (!has_column_within(d, t, v->column[k])) return false;
    return v->n_columns > 0;
}

static bool is_shorter(const char *a, const char *b)
{
    const size_t m = strlen(a), n = strlen(b);
    return m != n ? m < n : strcmp(a, b) < 0;
}

/* The label of the k-th variable, from the longest. */
static const char *label_of_rank(const dlp_design *d, const product *t, dlp_index k)
{
    for (dlp_index i = 0;; i++) {
        const char *label = d->variable[t->variable[i]].label;
        dlp_index longer = 0;
        for (dlp_index j = 0; j < t->n; j++)
            longer += is_shorter(label, d->variable[t->variable[j]].label);
        if (longer == k) return label;
    }
}

/* The order of terms in which parents come first. Functions of the same variables go by
   their labels, the shorter first, so that I(x^2) is a parent of I(x^3) and of I(x^10)
   whatever their order in the formula. */
static bool comes_before(const dlp_design *d, const product *term, dlp_index a,
                         dlp_index b)
{
    const product *u = &term[a], *t = &term[b];
    if (u->n != t->n) return u->n < t->n;
    if (u->functions != t->functions) return u->functions < t->functions;
    for (dlp_index k = 0; u->functions > 0 && k < u->n; k++) {
        const char *one = label_of_rank(d, u, k), *other = label_of_rank(d, t, k);
        if (strcmp(one, other) != 0) return is_shorter(one, other);
    }
    return a < b;
}

static bool is_parent(const dlp_design *d, const product *term, dlp_index a, dlp_index b)
{
    const product *u = &term[a], *t = &term[b];
    if (!comes_before(d, term, a, b)) return false;
    for (dlp_index i = 0; i < u->n; i++)
        if (!has_variable(t, u->variable[i]) && !has_columns_within(d, t, u->variable[i]))
            return false;
    return true;
}

static bool has_parents(const product *t)
{
    return t->n > 1 || t->functions > 0;
}

/* ---- columns ---- */

/* Whether column j has that variable, at that level. */
static bool has_part(const dlp_design *d, dlp_index j, dlp_index variable,
                     dlp_index level)
{
    const product t = term_at(d, d->assign[j]);
    for (dlp_index i = 0; i < t.n; i++)
        if (t.variable[i] == variable) return d->level[j][i] == level;
    return false;
}

bool dlpi_is_margin_of(const dlp_design *design, dlp_index k, dlp_index j)
{
    if (design->assign[k] < 0 || design->assign[j] < 0) return k == j;
    const product t = term_at(design, design->assign[k]);
    for (dlp_index i = 0; i < t.n; i++)
        if (!has_part(design, j, t.variable[i], design->level[k][i])) return false;
    return true;
}

/* ---- the whole ---- */

/* Puts the parents of each term in its place; with parent NULL it only counts them. */
static void find_parents(const dlp_design *d, const product *term, dlpi_term_margins *l)
{
    dlp_index found = 0;
    for (dlp_index b = 0; b < l->terms; b++) {
        l->begin[b] = found;
        for (dlp_index i = 0; i < l->terms && has_parents(&term[b]); i++) {
            const dlp_index a = l->order[i];
            if (!is_parent(d, term, a, b)) continue;
            if (l->parent) l->parent[found] = a;
            found++;
        }
    }
    l->begin[l->terms] = found;
}

/* Moves the last of order (n) to its place among those from `first` on. */
static void put_in_place(const dlp_design *d, const product *term, dlp_index first,
                         dlp_index n, dlp_index *order)
{
    const dlp_index t = order[n - 1];
    dlp_index at = n - 1;
    for (; at > first && comes_before(d, term, t, order[at - 1]); at--)
        order[at] = order[at - 1];
    order[at] = t;
}

/* By their numbers of variables, which are few, then of functions. */
static void put_in_order(const dlp_design *d, const product *term, dlpi_term_margins *l)
{
    dlp_index placed = 0;
    for (dlp_index n = 0; placed < l->terms; n++)
        for (dlp_index functions = 0; functions <= n; functions++) {
            const dlp_index first = placed;
            for (dlp_index t = 0; t < l->terms; t++) {
                if (term[t].n != n || term[t].functions != functions) continue;
                l->order[placed++] = t;
                if (functions > 0) put_in_place(d, term, first, placed, l->order);
            }
        }
}

static dlp_status trace(const dlp_design *d, product *term, dlpi_term_margins *l,
                        dlp_error *error)
{
    for (dlp_index t = 0; t < l->terms; t++) term[t] = term_at(d, t);
    put_in_order(d, term, l);
    find_parents(d, term, l);
    l->parent = calloc((size_t)l->begin[l->terms] + 1, sizeof *l->parent);
    if (!l->parent) return dlpi_no_memory(error, "the terms");
    find_parents(d, term, l);
    return DLP_OK;
}

dlp_status dlpi_margins_find(const dlp_design *design, dlpi_term_margins *margins,
                             dlp_error *error)
{
    const dlp_index terms = design->n_terms;
    product *term = calloc((size_t)terms + 1, sizeof *term);
    *margins = (dlpi_term_margins){
        .terms = terms,
        .order = calloc((size_t)terms + 1, sizeof *margins->order),
        .begin = calloc((size_t)terms + 1, sizeof *margins->begin),
    };
    const bool room = term && margins->order && margins->begin;
    const dlp_status status =
        room ? trace(design, term, margins, error) : dlpi_no_memory(error, "the terms");
    free(term);
    return status;
}

void dlpi_margins_clear(dlpi_term_margins *margins)
{
    free(margins->order);
    free(margins->begin);
    free(margins->parent);
    *margins = (dlpi_term_margins){0};
}
