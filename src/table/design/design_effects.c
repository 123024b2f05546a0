/* SPDX-License-Identifier: BSD-3-Clause */
/* The terms, variables and columns inside the bars of random effects. */
#include "table/design/design.h"

#include <string.h>

#define FAIL_AT(b, node, ...)                                                            \
    dlpi_formula_fail((b)->formula->text, (node)->at, (b)->error, __VA_ARGS__)

/* ---- terms ---- */

/* What all bars together have: each makes columns of every term for every grouping. */
struct total {
    dlp_index unions, effects, random;
};

static dlp_status fail_many(struct dlpi_build *b, dlp_index bar)
{
    return FAIL_AT(
        b, b->formula->bar[bar],
        "the bars have more than %d terms with this one; name the ones you need",
        DLPI_MOST_COLUMNS);
}

/* How many dlp_random's `effects` of the bar make, added to the others. */
static dlp_status count(struct dlpi_build *b, dlp_index bar, dlp_index effects,
                        struct total *total)
{
    const dlp_formula *f = b->formula;
    const dlp_index groups = f->group_begin[bar + 1] - f->group_begin[bar];
    if (effects > DLPI_MOST_COLUMNS || groups > DLPI_MOST_COLUMNS)
        return fail_many(b, bar);
    total->effects += effects;
    total->random += effects * groups;
    return total->random > DLPI_MOST_COLUMNS ? fail_many(b, bar) : DLP_OK;
}

static dlp_status expand_bar(struct dlpi_build *b, dlp_index bar, struct total *total,
                             struct dlpi_expansion *out)
{
    const struct dlpi_node *node = b->formula->bar[bar];
    DLP_TRY(dlpi_expand(b->formula, node->first, &b->dot, b->scratch, out, b->error));
    if (out->n_offsets > 0)
        return FAIL_AT(b, out->offset[0],
                       "offset() belongs outside the bars: offset(z) + (1 + x | g)");
    if (!out->intercept && out->n_terms == 0)
        return FAIL_AT(b, node,
                       "nothing varies by group here; write (1 | g) for an intercept, "
                       "(0 + x | g) for a slope, or take it out");
    total->unions += out->unions;
    if (total->unions > DLPI_MOST_UNIONS)
        return FAIL_AT(
            b, node,
            "the bars take too many products of terms up to this one; name the "
            "ones you need");
    return count(b, bar, node->is_split ? out->intercept + out->n_terms : 1, total);
}

/* "0 + x" of a term x of '||', with an expansion of its own. */
static dlp_status split_term(struct dlpi_build *b, const struct dlpi_expansion *whole,
                             dlp_index t, struct dlpi_effects *out)
{
    const struct dlpi_term *term = &whole->term[t];
    struct dlpi_expansion *x = &out->terms;
    struct dlpi_text label = {.pool = b->scratch};
    const char *text = dlpi_term_label(whole, term, b->scratch);
    int32_t *number = dlpi_pool_take(b->scratch, term->order, sizeof *number);
    *x = (struct dlpi_expansion){.pool = whole->pool, .n_terms = 1};
    x->variable = dlpi_pool_take(b->scratch, term->order, sizeof *x->variable);
    x->term = dlpi_pool_take(b->scratch, 1, sizeof *x->term);
    if (!text || !number || !x->variable || !x->term ||
        !dlpi_text_add_string(&label, "0 + ") || !dlpi_text_add_string(&label, text))
        return dlpi_build_no_memory(b);
    for (dlp_index k = 0; k < term->order; k++) {
        x->variable[k] = whole->variable[term->variable[k]];
        number[k] = (int32_t)k;
    }
    x->n_variables = term->order;
    x->term[0] = (struct dlpi_term){.variable = number, .order = term->order};
    out->label = label.data;
    return DLP_OK;
}

/* (1 + x || g) is (1 | g) + (0 + x | g). */
static dlp_status split_bar(struct dlpi_build *b, dlp_index bar,
                            const struct dlpi_expansion *whole)
{
    for (dlp_index i = 0; i < whole->n_variables && !b->fitted; i++)
        DLP_TRY(dlpi_bind_names(b, whole->variable[i].node));
    if (whole->intercept)
        b->effects[b->n_effects++] = (struct dlpi_effects){
            .bar = bar, .label = "1", .terms = {.pool = whole->pool, .intercept = true}};
    for (dlp_index t = 0; t < whole->n_terms; t++) {
        struct dlpi_effects *effects = &b->effects[b->n_effects++];
        effects->bar = bar;
        DLP_TRY(split_term(b, whole, t, effects));
    }
    return DLP_OK;
}

static dlp_status list_bar(struct dlpi_build *b, dlp_index bar,
                           const struct dlpi_expansion *whole)
{
    const struct dlpi_node *node = b->formula->bar[bar];
    if (node->is_split) return split_bar(b, bar, whole);
    const char *label = dlpi_bar_label(node->first, &b->dot, b->scratch);
    if (!label) return dlpi_build_no_memory(b);
    b->effects[b->n_effects++] =
        (struct dlpi_effects){.bar = bar, .label = label, .terms = *whole};
    return DLP_OK;
}

dlp_status dlpi_expand_effects(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    const dlp_index n = b->formula->n_bars;
    struct total total = {0};
    struct dlpi_expansion *whole = dlpi_pool_take(b->scratch, n, sizeof *whole);
    if (!whole) return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < n; i++) DLP_TRY(expand_bar(b, i, &total, &whole[i]));
    b->effects = dlpi_pool_take(b->scratch, total.effects, sizeof *b->effects);
    if (!b->effects) return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < n; i++) DLP_TRY(list_bar(b, i, &whole[i]));
    return DLP_OK;
}

/* ---- variables ---- */

/* A bar cannot group by the column that a variable of it is. */
static dlp_status check_own_group(struct dlpi_build *b, dlp_index bar,
                                  const struct dlpi_node *node)
{
    const struct dlpi_node *name = dlpi_factor_name(node);
    /* The last grouping of a/b has all columns. */
    const struct dlpi_grouping *group =
        &b->formula->group[b->formula->group_begin[bar + 1] - 1];
    for (dlp_index k = 0; k < group->n && name; k++)
        if (strcmp(dlpi_factor_name(group->part[k])->name, name->name) == 0)
            return FAIL_AT(b, node,
                           "'%s' groups the rows of this term, so it cannot vary by "
                           "group; take it out of the left side",
                           dlpi_show(name->name).text);
    return DLP_OK;
}

/* Takes the variables that the effects' terms have. */
static dlp_status bind_used(struct dlpi_build *b, const struct dlpi_effects *e)
{
    for (dlp_index t = 0; t < e->terms.n_terms; t++) {
        const struct dlpi_term *term = &e->terms.term[t];
        for (dlp_index k = 0; k < term->order; k++) {
            const dlp_index i = term->variable[k];
            const struct dlpi_variable *variable = &e->terms.variable[i];
            if (!e->input[i]) {
                DLP_TRY(check_own_group(b, e->bar, variable->node));
                DLP_TRY(dlpi_bind_variable(b, variable, &e->input[i]));
            }
        }
    }
    return DLP_OK;
}

dlp_status dlpi_bind_effects(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    for (dlp_index i = 0; i < b->n_effects; i++) {
        struct dlpi_effects *e = &b->effects[i];
        const dlp_index n = e->terms.n_variables;
        e->input = dlpi_pool_take(b->scratch, n, sizeof(struct dlpi_input *));
        if (!e->input) return dlpi_build_no_memory(b);
        DLP_TRY(bind_used(b, e));
        for (dlp_index k = 0; k < n && !b->fitted; k++)
            if (!e->input[k]) DLP_TRY(dlpi_bind_names(b, e->terms.variable[k].node));
    }
    return DLP_OK;
}

/* ---- columns ---- */

dlp_status dlpi_build_effects(struct dlpi_build *build, dlp_index e, dlp_design *out)
{
    const struct dlpi_effects *effects = &build->effects[e];
    const dlp_index n = effects->terms.n_variables;
    struct dlpi_build own = *build;
    *out = (dlp_design){.N = build->design->N,
                        .row = build->design->row,
                        .division = build->design->division};
    own.design = out;
    own.terms = effects->terms;
    own.input = dlpi_pool_take(build->scratch, n, sizeof *own.input);
    if (!own.input) return dlpi_build_no_memory(build);
    for (dlp_index i = 0; i < n; i++)
        if (effects->input[i]) own.input[i] = *effects->input[i];
    DLP_TRY(dlpi_build_columns(&own));
    for (dlp_index i = 0; i < n; i++) /* other effects may have the same numbers */
        if (effects->input[i]) effects->input[i]->value = own.input[i].value;
    return DLP_OK;
}
