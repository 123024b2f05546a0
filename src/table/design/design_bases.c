/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * poly(x, 2), ns(x, df = 3) and bs(x, df = 4) in a design: each column becomes a variable
 * of its own, with terms of its own, so that readers of the design need not know about
 * bases. The constants are found over all rows that have a value, like those of scale().
 */
#include "table/design/basis.h"

#include <stdio.h>
#include <string.h>

#define FAIL_AT(b, node, ...)                                                            \
    dlpi_formula_fail((b)->formula->text, (node)->at, (b)->error, __VA_ARGS__)

static bool is_basis(const struct dlpi_node *node)
{
    return node->kind == DLPI_NODE_CALL && node->function->role == DLPI_ROLE_BASIS;
}

/* ---- terms ---- */

/* What becomes of the variables of an expansion. */
struct split {
    const struct dlpi_expansion *from;
    struct dlpi_expansion *to;
    dlp_index *first,
        *columns; /* (from->n_variables) where each begins, and how many columns */
};

/* "ns(x, df = 3)2"; R gives a basis of one column no number. */
static const char *column_label(const struct dlpi_build *b, const char *whole,
                                dlp_index columns, dlp_index k)
{
    struct dlpi_text text = {.pool = b->scratch};
    char number[32];
    snprintf(number, sizeof number, "%td", k + 1);
    const bool ok = dlpi_text_add_string(&text, whole) &&
                    (columns == 1 || dlpi_text_add_string(&text, number));
    return ok ? text.data : NULL;
}

static dlp_status split_variables(struct dlpi_build *b, struct split *s)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < s->from->n_variables; i++) {
        const struct dlpi_node *node = s->from->variable[i].node;
        struct dlpi_basis_spec spec = {.columns = 1};
        if (is_basis(node))
            DLP_TRY(dlpi_basis_spec_read(b->formula, node, b->scratch, &spec, b->error));
        s->first[i] = n;
        s->columns[i] = spec.columns;
        n += spec.columns;
        if (n > DLPI_MOST_COLUMNS) return FAIL_AT(b, node, "too many columns");
    }
    struct dlpi_variable *variable = dlpi_pool_take(b->scratch, n, sizeof *variable);
    if (!variable) return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < s->from->n_variables; i++) {
        const struct dlpi_variable *was = &s->from->variable[i];
        for (dlp_index k = 0; k < s->columns[i]; k++) {
            struct dlpi_variable *v = &variable[s->first[i] + k];
            *v = *was;
            if (!is_basis(was->node)) continue;
            v->whole = was->label;
            v->column = k;
            v->label = column_label(b, was->label, s->columns[i], k);
            if (!v->label) return dlpi_build_no_memory(b);
        }
    }
    s->to->variable = variable;
    s->to->n_variables = n;
    return DLP_OK;
}

static dlp_index count_products(const struct split *s, const struct dlpi_term *term)
{
    dlp_index n = 1;
    for (dlp_index k = 0; k < term->order && n <= DLPI_MOST_COLUMNS; k++)
        n *= s->columns[term->variable[k]];
    return n;
}

/* One term for each column of its bases; those of the first change fastest. */
static bool split_term(struct dlpi_build *b, const struct split *s,
                       const struct dlpi_term *term, dlp_index n)
{
    for (dlp_index i = 0; i < n; i++) {
        int32_t *variable = dlpi_pool_take(b->scratch, term->order, sizeof *variable);
        dlp_index rest = i;
        if (!variable) return false;
        for (dlp_index k = 0; k < term->order; k++) {
            const dlp_index v = term->variable[k];
            variable[k] = (int32_t)(s->first[v] + rest % s->columns[v]);
            rest /= s->columns[v];
        }
        s->to->term[s->to->n_terms++] =
            (struct dlpi_term){.variable = variable, .order = term->order};
    }
    return true;
}

static dlp_status split_terms(struct dlpi_build *b, const struct split *s)
{
    const struct dlpi_expansion *from = s->from;
    dlp_index n = 0;
    for (dlp_index t = 0; t < from->n_terms; t++) {
        n += count_products(s, &from->term[t]);
        if (n > DLPI_MOST_COLUMNS)
            return FAIL_AT(b, from->variable[from->term[t].variable[0]].node,
                           "the design has more than %d columns with this term",
                           DLPI_MOST_COLUMNS);
    }
    s->to->n_terms = 0;
    s->to->term = dlpi_pool_take(b->scratch, n, sizeof *s->to->term);
    if (!s->to->term) return dlpi_build_no_memory(b);
    for (dlp_index t = 0; t < from->n_terms; t++)
        if (!split_term(b, s, &from->term[t], count_products(s, &from->term[t])))
            return dlpi_build_no_memory(b);
    return DLP_OK;
}

static dlp_status split(struct dlpi_build *b, struct dlpi_expansion *terms)
{
    const struct dlpi_expansion from = *terms;
    bool any = false;
    for (dlp_index i = 0; i < from.n_variables; i++)
        any |= is_basis(from.variable[i].node);
    if (!any) return DLP_OK;
    struct split s = {.from = &from, .to = terms};
    s.first = dlpi_pool_take(b->scratch, 2 * from.n_variables, sizeof *s.first);
    if (!s.first) return dlpi_build_no_memory(b);
    s.columns = s.first + from.n_variables;
    DLP_TRY(split_variables(b, &s));
    return split_terms(b, &s);
}

dlp_status dlpi_split_bases(struct dlpi_build *build)
{
    DLP_TRY(split(build, &build->terms));
    for (dlp_index e = 0; e < build->n_effects; e++)
        DLP_TRY(split(build, &build->effects[e].terms));
    return DLP_OK;
}

/* ---- variables ---- */

static dlp_status find_fitted(struct dlpi_build *b, const struct dlpi_variable *variable,
                              struct dlpi_bound_basis *bound)
{
    const dlp_terms *fitted = b->fitted;
    for (dlp_index i = 0; fitted && i < fitted->n_bases; i++)
        if (strcmp(fitted->basis[i].variable, variable->whole) == 0)
            bound->basis = fitted->basis[i];
    const bool same =
        bound->basis.kind == bound->kind && bound->basis.columns == bound->columns;
    if (!fitted || same) return DLP_OK;
    return FAIL_AT(b, variable->node, "the fit has no constants for this; fit again");
}

static dlp_status bind_basis(struct dlpi_build *b, const struct dlpi_variable *variable,
                             struct dlpi_bound_basis **out)
{
    struct dlpi_basis_spec *spec = dlpi_pool_take(b->scratch, 1, sizeof *spec);
    struct dlpi_bound_basis *bound = dlpi_pool_take(b->scratch, 1, sizeof *bound);
    if (!spec || !bound) return dlpi_build_no_memory(b);
    *out = bound;
    DLP_TRY(dlpi_basis_spec_read(b->formula, variable->node, b->scratch, spec, b->error));
    bound->label = variable->whole;
    bound->spec = spec;
    bound->kind = spec->kind;
    bound->columns = spec->columns;
    DLP_TRY(dlpi_expression_make(b->formula, variable->node, &b->columns, b->scratch,
                                 &bound->x, b->error));
    return find_fitted(b, variable, bound);
}

dlp_status dlpi_bind_basis(struct dlpi_build *build, const struct dlpi_variable *variable,
                           struct dlpi_input *input)
{
    struct dlpi_build *b = build;
    for (struct dlpi_bound_basis *at = b->bases; at && !input->basis; at = at->next)
        if (strcmp(at->label, variable->whole) == 0) input->basis = at;
    if (!input->basis) {
        struct dlpi_bound_basis **end = &b->bases;
        while (*end) end = &(*end)->next;
        DLP_TRY(bind_basis(b, variable, &input->basis));
        *end = input->basis;
        b->n_bases++;
    }
    input->basis_column = variable->column;
    return DLP_OK;
}

/* ---- columns ---- */

/* Finds the constants over all rows that have a value. */
static dlp_status find_constants(struct dlpi_build *b, struct dlpi_bound_basis *bound)
{
    const dlp_index rows = b->columns.table->rows;
    const unsigned char *keep = b->options.keep;
    dlp_index *row = dlpi_pool_take(b->scratch, rows, sizeof *row), n = 0;
    double *x = dlpi_pool_take(b->scratch, rows, sizeof *x);
    if (!row || !x) return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < rows; i++)
        if ((!keep || keep[i]) && !dlpi_expression_is_missing(&bound->x, i)) row[n++] = i;
    DLP_TRY(dlpi_expression_evaluate(&bound->x, row, n, x, b->error));
    const bool poly = bound->kind == DLP_BASIS_POLY || bound->kind == DLP_BASIS_RAW;
    dlp_error why = {0};
    const dlp_status status =
        poly
            ? dlpi_basis_make_poly(bound->spec, n, x, b->scratch, &bound->basis, &why)
            : dlpi_basis_make_splines(bound->spec, n, x, b->scratch, &bound->basis, &why);
    bound->basis.variable = bound->label;
    if (status == DLP_OK) return DLP_OK;
    return dlp_fail(b->error, status, "%s: %s", dlpi_show(bound->label).text,
                    why.message);
}

static dlp_status make_basis(struct dlpi_build *b, struct dlpi_bound_basis *bound)
{
    const dlp_index N = b->design->N;
    const double *x;
    if (!b->fitted) DLP_TRY(find_constants(b, bound));
    double *value = dlpi_pool_take(b->pool, bound->columns * N, sizeof *value);
    double *room =
        dlpi_pool_take(b->scratch, dlpi_basis_room(&bound->basis), sizeof *room);
    if (!value || !room) return dlpi_build_no_memory(b);
    DLP_TRY(dlpi_build_values(b, &bound->x, b->scratch, &x));
    dlpi_basis_values(&bound->basis, N, &x, value, room);
    for (dlp_index k = 0; k < bound->columns; k++)
        DLP_TRY(dlpi_build_check(b, bound->label, value + k * N));
    bound->value = value;
    return DLP_OK;
}

dlp_status dlpi_build_bases(struct dlpi_build *build)
{
    for (struct dlpi_bound_basis *at = build->bases; at; at = at->next)
        DLP_TRY(make_basis(build, at));
    return DLP_OK;
}
