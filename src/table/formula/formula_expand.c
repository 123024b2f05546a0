/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Terms multiplied out, by the rules of R's terms.formula. A term is the ascending list
 * of its variables' numbers; variables are numbered in the order in which the formula
 * names them. Sets of terms remember the order in which terms came.
 */
#include "table/formula/formula.h"

#include <math.h>
#include <string.h>

struct expander {
    const dlp_formula *formula;
    const struct dlpi_dot *dot;
    struct dlpi_pool *pool;
    struct dlpi_name_index labels; /* of the variables, by number */
    struct dlpi_expansion *out;
    dlp_index variable_room, offset_room;
    bool is_removed; /* inside what a minus sign takes away */
    bool is_summand; /* only sums stand between here and the top */
    dlp_error *error;
};

typedef struct dlpi_name_index term_set;

#define FAIL_AT(e, node, ...)                                                            \
    dlpi_formula_fail((e)->formula->text, (node)->at, (e)->error, __VA_ARGS__)

static dlp_status expand(struct expander *e, const struct dlpi_node *node,
                         term_set *into);

static dlp_status no_memory(struct expander *e)
{
    return dlpi_no_memory(e->error, "the terms of a formula");
}

/* ---- sets of terms ---- */

static struct dlpi_term term_of(const term_set *set, dlp_index i)
{
    return (struct dlpi_term){.variable = set->key[i].bytes,
                              .order = (dlp_index)(set->key[i].size / sizeof(int32_t))};
}

static dlp_status add_term(struct expander *e, const struct dlpi_node *node,
                           const int32_t *variable, dlp_index order, term_set *set)
{
    const size_t size = (size_t)order * sizeof *variable;
    if (dlpi_name_index_find(set, variable, size) >= 0) return DLP_OK;
    if (set->n >= DLPI_MOST_TERMS)
        return FAIL_AT(e, node, "this makes more than %d terms; name the ones you need",
                       DLPI_MOST_TERMS);
    int32_t *copy = dlpi_pool_take(e->pool, order, sizeof *copy);
    if (!copy) return no_memory(e);
    memcpy(copy, variable, size);
    return dlpi_name_index_add(set, copy, size) < 0 ? no_memory(e) : DLP_OK;
}

static dlp_status add_set(struct expander *e, const struct dlpi_node *node,
                          const term_set *from, term_set *into)
{
    for (dlp_index i = 0; i < from->n; i++) {
        const struct dlpi_term term = term_of(from, i);
        if (from->key[i].removed) continue;
        DLP_TRY(add_term(e, node, term.variable, term.order, into));
    }
    return DLP_OK;
}

static void remove_set(const term_set *what, term_set *from)
{
    for (dlp_index i = 0; i < what->n; i++)
        if (!what->key[i].removed)
            dlpi_name_index_remove(from, what->key[i].bytes, what->key[i].size);
}

static bool is_empty(const term_set *set)
{
    for (dlp_index i = 0; i < set->n; i++)
        if (!set->key[i].removed) return false;
    return true;
}

/* The variables of either term; room for DLPI_MOST_ORDER in `both`. */
static dlp_status unite(struct expander *e, const struct dlpi_node *node,
                        struct dlpi_term a, struct dlpi_term b, int32_t *both,
                        dlp_index *order)
{
    dlp_index i = 0, j = 0, n = 0;
    if (++e->out->unions > DLPI_MOST_UNIONS)
        return FAIL_AT(e, node,
                       "this takes too many products of terms; name the ones you "
                       "need");
    while (i < a.order || j < b.order) {
        const int32_t next_a = i < a.order ? a.variable[i] : INT32_MAX;
        const int32_t next_b = j < b.order ? b.variable[j] : INT32_MAX;
        if (n == DLPI_MOST_ORDER)
            return FAIL_AT(e, node, "a term of more than %d variables", DLPI_MOST_ORDER);
        both[n++] = next_a < next_b ? next_a : next_b;
        i += next_a <= next_b;
        j += next_b <= next_a;
    }
    *order = n;
    return DLP_OK;
}

/* Every term of a with every term of b, those of a in the outer loop. */
static dlp_status add_products(struct expander *e, const struct dlpi_node *node,
                               const term_set *a, const term_set *b, term_set *into)
{
    for (dlp_index i = 0; i < a->n; i++) {
        for (dlp_index j = 0; j < b->n; j++) {
            int32_t both[DLPI_MOST_ORDER];
            dlp_index order;
            if (a->key[i].removed || b->key[j].removed) continue;
            DLP_TRY(unite(e, node, term_of(a, i), term_of(b, j), both, &order));
            DLP_TRY(add_term(e, node, both, order, into));
        }
    }
    return DLP_OK;
}

/* ---- variables ---- */

/* Room for one more element after n: the same array or a larger one; NULL without
   memory. */
static void *grow(struct dlpi_pool *pool, void *array, size_t size, dlp_index n,
                  dlp_index *room)
{
    if (n < *room) return array;
    void *larger = dlpi_pool_take(pool, 2 * n + 8, size);
    if (!larger) return NULL;
    if (n > 0) memcpy(larger, array, (size_t)n * size);
    *room = 2 * n + 8;
    return larger;
}

/* The number of a variable, which is added to the list if it is new; -1 without
   memory. */
static dlp_index number_of(struct expander *e, const struct dlpi_node *node)
{
    struct dlpi_expansion *out = e->out;
    const char *label = dlpi_label(node, e->pool);
    const dlp_index number = label ? dlpi_name_index_add_text(&e->labels, label) : -1;
    if (number < out->n_variables) return number;
    out->variable =
        grow(e->pool, out->variable, sizeof *out->variable, number, &e->variable_room);
    if (!out->variable) return -1;
    out->variable[number] = (struct dlpi_variable){.label = label, .node = node};
    out->n_variables++;
    return number;
}

static dlp_status add_variable(struct expander *e, const struct dlpi_node *node,
                               term_set *into)
{
    const int32_t number = (int32_t)number_of(e, node);
    return number < 0 ? no_memory(e) : add_term(e, node, &number, 1, into);
}

/* '.' stands for names of columns, each where the dot is. */
static dlp_status expand_dot(struct expander *e, const struct dlpi_node *dot,
                             term_set *into)
{
    if (e->dot->n == 0)
        return FAIL_AT(e, dot, "'.' means no column: the table has no other");
    for (dlp_index i = 0; i < e->dot->n; i++) {
        struct dlpi_node *name = dlpi_pool_take(e->pool, 1, sizeof *name);
        if (!name) return no_memory(e);
        *name = (struct dlpi_node){
            .kind = DLPI_NODE_NAME, .name = e->dot->name[i], .at = dot->at};
        DLP_TRY(add_variable(e, name, into));
    }
    return DLP_OK;
}

static dlp_status add_offset(struct expander *e, const struct dlpi_node *node)
{
    struct dlpi_expansion *out = e->out;
    if (!e->is_summand)
        return FAIL_AT(e, node,
                       "offset() can only be added to the terms: "
                       "... + offset(z)");
    out->offset = grow(e->pool, out->offset, sizeof(struct dlpi_node *), out->n_offsets,
                       &e->offset_room);
    if (!out->offset) return no_memory(e);
    out->offset[out->n_offsets++] = node;
    return DLP_OK;
}

/* ---- operators ---- */

static dlp_status expand_summand(struct expander *e, const struct dlpi_node *node,
                                 term_set *sum)
{
    if (node->op == '+') return expand(e, node, sum);
    term_set removed = {.pool = e->pool};
    const bool was_summand = e->is_summand;
    e->is_summand = false;
    e->is_removed = !e->is_removed;
    DLP_TRY(expand(e, node, &removed));
    e->is_removed = !e->is_removed;
    e->is_summand = was_summand;
    remove_set(&removed, sum);
    return DLP_OK;
}

/* 1 asks for the intercept and 0 for none; a minus sign reverses that. A minus sign
   removes terms that come before it in its own sum only. */
static dlp_status expand_sum(struct expander *e, const struct dlpi_node *sum,
                             term_set *into)
{
    term_set own = {.pool = e->pool};
    for (const struct dlpi_node *part = sum->first; part; part = part->next) {
        if (part->kind == DLPI_NODE_NUMBER) {
            const bool is_removed = e->is_removed != (part->op == '-');
            e->out->intercept = (part->number == 1) != is_removed;
            e->out->intercept_written = true;
        } else {
            DLP_TRY(expand_summand(e, part, &own));
        }
    }
    return add_set(e, sum, &own, into);
}

/* left becomes left + right + left:right. */
static dlp_status cross(struct expander *e, const struct dlpi_node *node, term_set *left,
                        const term_set *right)
{
    term_set both = {.pool = e->pool};
    DLP_TRY(add_products(e, node, left, right, &both));
    DLP_TRY(add_set(e, node, right, left));
    return add_set(e, node, &both, left);
}

/* left becomes left + right within all variables of left. */
static dlp_status nest(struct expander *e, const struct dlpi_node *node, term_set *left,
                       const term_set *right)
{
    int32_t variable[2][DLPI_MOST_ORDER];
    struct dlpi_term outer = {.variable = variable[0]};
    const dlp_index n = left->n;
    for (dlp_index i = 0; i < n; i++) {
        int32_t *both = variable[outer.variable == variable[0]];
        if (left->key[i].removed) continue;
        DLP_TRY(unite(e, node, outer, term_of(left, i), both, &outer.order));
        outer.variable = both;
    }
    for (dlp_index i = 0; i < right->n; i++) {
        int32_t *both = variable[outer.variable == variable[0]];
        dlp_index order;
        if (right->key[i].removed) continue;
        DLP_TRY(unite(e, node, outer, term_of(right, i), both, &order));
        DLP_TRY(add_term(e, node, both, order, left));
    }
    return DLP_OK;
}

/* a*b is a + b + a:b, and a/b is a + a:b. As in R, an empty left side, as in (a - a)*b,
   gives nothing. */
static dlp_status expand_product(struct expander *e, const struct dlpi_node *product,
                                 term_set *into)
{
    term_set left = {.pool = e->pool};
    DLP_TRY(expand(e, product->first, &left));
    for (const struct dlpi_node *part = product->first->next; part; part = part->next) {
        term_set right = {.pool = e->pool};
        DLP_TRY(expand(e, part, &right));
        if (is_empty(&left)) continue;
        DLP_TRY(part->op == '*' ? cross(e, part, &left, &right)
                                : nest(e, part, &left, &right));
    }
    return add_set(e, product, &left, into);
}

static dlp_status expand_interaction(struct expander *e, const struct dlpi_node *chain,
                                     term_set *into)
{
    term_set left = {.pool = e->pool};
    DLP_TRY(expand(e, chain->first, &left));
    for (const struct dlpi_node *part = chain->first->next; part; part = part->next) {
        term_set right = {.pool = e->pool}, both = {.pool = e->pool};
        DLP_TRY(expand(e, part, &right));
        DLP_TRY(add_products(e, part, &left, &right, &both));
        left = both;
    }
    return add_set(e, chain, &left, into);
}

/* (a + b)^n: the sum times itself, until that makes nothing new. */
static dlp_status expand_power(struct expander *e, const struct dlpi_node *power,
                               term_set *into)
{
    const double degree = fmin(power->first->next->number, DLPI_MOST_TERMS);
    term_set base = {.pool = e->pool};
    DLP_TRY(expand(e, power->first, &base));
    term_set product = base;
    for (int i = 1; i < (int)degree; i++) {
        term_set next = {.pool = e->pool};
        DLP_TRY(add_products(e, power, &base, &product, &next));
        const bool is_complete = next.n == product.n;
        product = next;
        if (is_complete) break;
    }
    return add_set(e, power, &product, into);
}

static dlp_status expand_operator(struct expander *e, const struct dlpi_node *node,
                                  term_set *into)
{
    const bool was_summand = e->is_summand;
    e->is_summand = false;
    DLP_TRY(node->kind == DLPI_NODE_PRODUCT ? expand_product(e, node, into)
            : node->kind == DLPI_NODE_COLON ? expand_interaction(e, node, into)
                                            : expand_power(e, node, into));
    e->is_summand = was_summand;
    return DLP_OK;
}

static dlp_status expand(struct expander *e, const struct dlpi_node *node, term_set *into)
{
    switch (node->kind) {
    case DLPI_NODE_NAME: return add_variable(e, node, into);
    case DLPI_NODE_DOT: return expand_dot(e, node, into);
    case DLPI_NODE_CALL:
        return node->function->role == DLPI_ROLE_OFFSET ? add_offset(e, node)
                                                        : add_variable(e, node, into);
    case DLPI_NODE_PAREN: return expand(e, node->first, into);
    case DLPI_NODE_SUM: return expand_sum(e, node, into);
    case DLPI_NODE_PRODUCT:
    case DLPI_NODE_COLON:
    case DLPI_NODE_POWER: return expand_operator(e, node, into);
    case DLPI_NODE_BAR:
        if (e->is_summand) return DLP_OK;
        return FAIL_AT(e, node,
                       "grouping terms can only be added to the others: "
                       "... + (1 + x | g)");
    case DLPI_NODE_NUMBER:
    case DLPI_NODE_OPTION:
    case DLPI_NODE_TEXT:
    case DLPI_NODE_LIST:
    case DLPI_NODE_SIGN: break; /* the parser puts signs into arithmetic only */
    }
    return FAIL_AT(e, node, "0 and 1 can only be added or subtracted");
}

/* The terms of order 1 first, then those of order 2, ... */
static dlp_status sort_terms(struct expander *e, const term_set *set)
{
    struct dlpi_expansion *out = e->out;
    out->term = dlpi_pool_take(e->pool, set->n, sizeof *out->term);
    if (!out->term) return no_memory(e);
    for (dlp_index order = 1; order <= DLPI_MOST_ORDER; order++)
        for (dlp_index i = 0; i < set->n; i++)
            if (!set->key[i].removed && term_of(set, i).order == order)
                out->term[out->n_terms++] = term_of(set, i);
    return DLP_OK;
}

dlp_status dlpi_expand(const dlp_formula *formula, const struct dlpi_node *terms,
                       const struct dlpi_dot *dot, struct dlpi_pool *pool,
                       struct dlpi_expansion *out, dlp_error *error)
{
    struct expander e = {.formula = formula,
                         .dot = dot,
                         .pool = pool,
                         .labels = {.pool = pool},
                         .out = out,
                         .is_summand = true,
                         .error = error};
    term_set set = {.pool = pool};
    *out = (struct dlpi_expansion){.pool = pool, .intercept = true};
    DLP_TRY(expand(&e, terms, &set));
    return sort_terms(&e, &set);
}
