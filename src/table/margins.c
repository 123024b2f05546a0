/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/margins.h"

#include "core/core.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text of a term ---- */

/* Part of a text. */
typedef struct piece {
    const char *at;
    size_t size;
} piece;

static bool same(piece a, piece b)
{
    return a.size == b.size && !memcmp(a.at, b.at, a.size);
}

/* The end of a name in backquotes that begins here. */
static const char *after_quotes(const char *at)
{
    for (at++; *at && *at != '`'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* The variable that begins here, up to a colon outside of parentheses and quotes. */
static piece next_variable(const char *text)
{
    int depth = 0;
    const char *at = text;
    while (*at && !(*at == ':' && depth == 0)) {
        if (*at == '`') {
            at = after_quotes(at);
            continue;
        }
        depth += (*at == '(') - (*at == ')');
        at++;
    }
    return (piece){text, (size_t)(at - text)};
}

static bool begins_name(char c)
{
    return isalpha((unsigned char)c) || c == '.' || c == '_' || c == '`' ||
           (unsigned char)c >= 0x80;
}

/* The next name at or after `at` that is not one of a function; size 0: none. */
static piece next_name(const char *at, const char *end)
{
    while (at < end) {
        const char *start = at;
        if (isdigit((unsigned char)*at)) { /* 1e5 has no name in it */
            while (at < end && (isalnum((unsigned char)*at) || *at == '.')) at++;
            continue;
        }
        if (!begins_name(*at)) {
            at++;
            continue;
        }
        if (*at == '`')
            at = after_quotes(at);
        else
            while (at < end && (begins_name(*at) || isdigit((unsigned char)*at)) &&
                   *at != '`')
                at++;
        if (at >= end || *at != '(') return (piece){start, (size_t)(at - start)};
    }
    return (piece){end, 0};
}

/* A function of numbers: I(x^2), log(x). A factor is what it is. */
static bool is_function(piece variable)
{
    static const char factor[] = "factor(";
    return variable.at[variable.size - 1] == ')' &&
           strncmp(variable.at, factor, sizeof factor - 1) != 0;
}

/* ---- terms ---- */

typedef struct product {
    piece *variable; /* (n) */
    dlp_index n, functions;
} product;

static bool has_variable(const product *t, piece variable)
{
    for (dlp_index i = 0; i < t->n; i++)
        if (same(t->variable[i], variable)) return true;
    return false;
}

/* Whether a function in the term is one of that name, among others. */
static bool has_name_within(const product *t, piece name)
{
    for (dlp_index i = 0; i < t->n; i++) {
        const piece v = t->variable[i];
        if (!is_function(v)) continue;
        for (piece of = next_name(v.at, v.at + v.size); of.size > 0;
             of = next_name(of.at + of.size, v.at + v.size))
            if (same(of, name)) return true;
    }
    return false;
}

/* Whether functions in the term have all names that the variable has. */
static bool has_names_within(const product *t, piece variable)
{
    const char *end = variable.at + variable.size;
    piece name = next_name(variable.at, end);
    if (name.size == 0) return false;
    for (; name.size > 0; name = next_name(name.at + name.size, end))
        if (!has_name_within(t, name)) return false;
    return true;
}

/* The order of terms in which parents come first; those that tie, as they stand. */
static bool comes_before(const product *term, dlp_index a, dlp_index b)
{
    const product *u = &term[a], *t = &term[b];
    if (u->n != t->n) return u->n < t->n;
    if (u->functions != t->functions) return u->functions < t->functions;
    return a < b;
}

static bool is_parent(const product *term, dlp_index a, dlp_index b)
{
    const product *u = &term[a], *t = &term[b];
    if (!comes_before(term, a, b)) return false;
    for (dlp_index i = 0; i < u->n; i++)
        if (!has_variable(t, u->variable[i]) && !has_names_within(t, u->variable[i]))
            return false;
    return true;
}

static bool has_parents(const product *t)
{
    return t->n > 1 || t->functions > 0;
}

/* ---- columns ---- */

static bool has_piece(const char *name, piece wanted)
{
    while (*name) {
        const piece p = next_variable(name);
        if (same(p, wanted)) return true;
        name += p.size;
        name += *name == ':';
    }
    return false;
}

bool dlpi_is_margin_of(const char *name, const char *of)
{
    while (*name) {
        const piece p = next_variable(name);
        if (!has_piece(of, p)) return false;
        name += p.size;
        name += *name == ':';
    }
    return true;
}

/* ---- the whole ---- */

static dlp_index count_variables(const char *text)
{
    dlp_index n = 0;
    while (*text) {
        text += next_variable(text).size;
        text += *text == ':';
        n++;
    }
    return n;
}

static void split(const char *text, product *term)
{
    for (term->n = 0; *text; term->n++) {
        const piece variable = next_variable(text);
        term->variable[term->n] = variable;
        term->functions += is_function(variable);
        text += variable.size;
        text += *text == ':';
    }
}

/* Puts the parents of each term in its place; with parent NULL it only counts them. */
static void find_parents(const product *term, dlpi_margins *l)
{
    dlp_index found = 0;
    for (dlp_index b = 0; b < l->terms; b++) {
        l->begin[b] = found;
        for (dlp_index i = 0; i < l->terms && has_parents(&term[b]); i++) {
            const dlp_index a = l->order[i];
            if (!is_parent(term, a, b)) continue;
            if (l->parent) l->parent[found] = a;
            found++;
        }
    }
    l->begin[l->terms] = found;
}

/* By their numbers of variables, which are few, then of functions. */
static void put_in_order(const product *term, dlpi_margins *l)
{
    dlp_index placed = 0;
    for (dlp_index n = 0; placed < l->terms; n++)
        for (dlp_index functions = 0; functions <= n; functions++)
            for (dlp_index t = 0; t < l->terms; t++)
                if (term[t].n == n && term[t].functions == functions)
                    l->order[placed++] = t;
}

static dlp_status no_memory(dlp_error *error)
{
    return dlp_fail(error, DLP_ENOMEM, "not enough memory for the terms");
}

static dlp_status trace(const product *term, dlpi_margins *l, dlp_error *error)
{
    put_in_order(term, l);
    find_parents(term, l);
    l->parent = calloc((size_t)l->begin[l->terms] + 1, sizeof *l->parent);
    if (!l->parent) return no_memory(error);
    find_parents(term, l);
    return DLP_OK;
}

dlp_status dlpi_margins_find(const dlp_design *design, dlpi_margins *margins,
                             dlp_error *error)
{
    dlp_index variables = 0, used = 0;
    const dlp_index terms = design->n_terms;
    for (dlp_index t = 0; t < terms; t++) variables += count_variables(design->term[t]);
    piece *variable = calloc((size_t)variables + 1, sizeof *variable);
    product *term = calloc((size_t)terms + 1, sizeof *term);
    *margins = (dlpi_margins){
        .terms = terms,
        .order = calloc((size_t)terms + 1, sizeof *margins->order),
        .begin = calloc((size_t)terms + 1, sizeof *margins->begin),
    };
    const bool room = variable && term && margins->order && margins->begin;
    for (dlp_index t = 0; room && t < terms; t++) {
        term[t].variable = variable + used;
        split(design->term[t], &term[t]);
        used += term[t].n;
    }
    const dlp_status status = room ? trace(term, margins, error) : no_memory(error);
    free(variable);
    free(term);
    return status;
}

void dlpi_margins_clear(dlpi_margins *margins)
{
    free(margins->order);
    free(margins->begin);
    free(margins->parent);
    *margins = (dlpi_margins){0};
}
