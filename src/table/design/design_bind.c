/* SPDX-License-Identifier: BSD-3-Clause */
/* What a formula names, found in a table: columns, factors, groups. */
#include "table/design/design.h"
#include "table/table.h"

#include <string.h>

#define FAIL_AT(b, node, ...)                                                            \
    dlpi_formula_fail((b)->formula->text, (node)->at, (b)->error, __VA_ARGS__)

/* ---- '.' ---- */

bool dlpi_add_names(const struct dlpi_node *node, struct dlpi_name_index *names)
{
    if (node->kind == DLPI_NODE_NAME)
        return dlpi_name_index_add_text(names, node->name) >= 0;
    for (const struct dlpi_node *part = node->first; part; part = part->next)
        if (!dlpi_add_names(part, names)) return false;
    return true;
}

/* '.' is every column but those of the response, of the groups and of the weights. A
   formula of a fit knows its columns, or has them written out. */
static dlp_status bind_dot(struct dlpi_build *b)
{
    const dlp_formula *f = b->formula;
    const dlp_table *table = b->columns.table;
    struct dlpi_name_index others = {.pool = b->scratch};
    b->dot = f->dot;
    if (b->fitted || f->dot.n > 0) return DLP_OK;
    const char **name = dlpi_pool_take(b->scratch, table->columns, sizeof *name);
    bool ok = name && (!f->response || dlpi_add_names(f->response, &others));
    if (b->options.group)
        ok = ok && dlpi_name_index_add_text(&others, b->options.group) >= 0;
    if (b->options.weight)
        ok = ok && dlpi_name_index_add_text(&others, b->options.weight) >= 0;
    if (b->options.precision)
        ok = ok && dlpi_name_index_add_text(&others, b->options.precision) >= 0;
    for (dlp_index i = 0; i < f->n_bars; i++)
        ok = ok && dlpi_add_names(f->bar[i]->first->next, &others);
    if (!ok) return dlpi_build_no_memory(b);
    b->dot.name = name;
    for (dlp_index j = 0; j < table->columns; j++)
        if (dlpi_name_index_find_text(&others, table->column[j].name) < 0)
            name[b->dot.n++] = table->column[j].name;
    return DLP_OK;
}

/* ---- factors ---- */

dlp_status dlpi_bind_factor(struct dlpi_build *build, const char *variable,
                            dlp_index column, const dlp_levels *fitted, dlp_unseen unseen,
                            struct dlpi_factor **out)
{
    struct dlpi_build *b = build;
    struct dlpi_factor *factor = dlpi_pool_take(b->scratch, 1, sizeof *factor);
    if (!factor) return dlpi_build_no_memory(b);
    *factor =
        (struct dlpi_factor){.variable = variable, .column = column, .unseen = unseen};
    factor->levels.variable = variable;
    b->columns.used[column] = true;
    b->factor[b->n_factors++] = *out = factor;
    DLP_TRY(dlpi_factor_find(b->columns.table, b->scratch, factor, b->error));
    return fitted ? dlpi_factor_take(fitted, b->scratch, factor, b->error) : DLP_OK;
}

/* Decimal commas, units and dates would each be a category of their own. */
static dlp_status check_notation(const struct dlpi_build *b, const char *label,
                                 const dlp_column *column)
{
    static const char *const has[] = {
        [DLPI_COMMAS] = "numbers with commas or gaps",
        [DLPI_UNITS] = "numbers with signs",
        [DLPI_DATES] = "dates",
    };
    static const char *const remedy[] = {
        [DLPI_COMMAS] =
            "write them with a decimal point, a plain minus and without separators",
        [DLPI_UNITS] = "write them without the sign and without separators",
        [DLPI_DATES] = "turn them into numbers of days or years",
    };
    const dlp_table *table = b->columns.table;
    const enum dlpi_notation notation = dlpi_column_notation(table, column);
    if (notation == DLPI_PLAIN) return DLP_OK;
    const dlp_index row = dlpi_column_first_text(table, column);
    if (row < 0) return DLP_OK; /* another process has it */
    return dlp_fail(b->error, DLP_EINPUT,
                    "column '%s' has %s, as '%s' in row %td (counted from 1); %s; write "
                    "factor(%s) if these are categories",
                    dlpi_show(column->name).text, has[notation],
                    dlpi_show(column->level[column->code[row]]).text, row + 1,
                    remedy[notation], dlpi_show(label).text);
}

/* Without factor() around it, a column of numbers with a typing error in one was not meant
   as categories. */
static dlp_status check_mistyped(const struct dlpi_build *b, const char *label,
                                 const dlp_column *column)
{
    const dlp_table *table = b->columns.table;
    if (b->fitted) return DLP_OK;
    if (!dlpi_column_has_slips(table, column)) return check_notation(b, label, column);
    const dlp_index row = dlpi_column_first_text(table, column);
    if (row < 0) return DLP_OK; /* another process has it */
    return dlp_fail(b->error, DLP_EINPUT,
                    "column '%s' holds numbers, and '%s' in row %td (counted from 1); "
                    "correct it, or leave it empty where the value is missing; write "
                    "factor(%s) if these are categories",
                    dlpi_show(column->name).text,
                    dlpi_show(column->level[column->code[row]]).text, row + 1,
                    dlpi_show(label).text);
}

static const dlp_levels *fitted_factor(const struct dlpi_build *b, const char *variable)
{
    const dlp_index i = dlpi_name_index_find_text(&b->fitted_factors, variable);
    return b->fitted && i >= 0 ? &b->fitted->factor[i] : NULL;
}

/* ---- groups and terms ---- */

/* The labels and the terms inside the bars. */
struct inside {
    struct dlpi_name_index labels, terms;
};

static bool list_inside(const struct dlpi_expansion *terms, struct inside *in)
{
    for (dlp_index i = 0; i < terms->n_variables; i++)
        if (dlpi_name_index_add_text(&in->labels, terms->variable[i].label) < 0)
            return false;
    for (dlp_index t = 0; t < terms->n_terms; t++) {
        const struct dlpi_term *term = &terms->term[t];
        const size_t size = (size_t)term->order * sizeof *term->variable;
        if (dlpi_name_index_add(&in->terms, term->variable, size) < 0) return false;
    }
    return true;
}

/* Whether a term outside the bars is inside too, where its variables may have other
   numbers. */
static bool is_inside(const struct inside *in, const struct dlpi_expansion *outer,
                      const struct dlpi_term *term)
{
    int32_t variable[DLPI_MOST_ORDER];
    for (dlp_index k = 0; k < term->order; k++) {
        const char *label = outer->variable[term->variable[k]].label;
        const int32_t number = (int32_t)dlpi_name_index_find_text(&in->labels, label);
        dlp_index at = k;
        if (number < 0) return false;
        for (; at > 0 && variable[at - 1] > number; at--) variable[at] = variable[at - 1];
        variable[at] = number;
    }
    return dlpi_name_index_find(&in->terms, variable,
                                (size_t)term->order * sizeof *variable) >= 0;
}

/* Every term outside the bars must be inside too: all vary by group. */
static dlp_status check_outer_terms(struct dlpi_build *b,
                                    const struct dlpi_expansion *outer)
{
    struct inside in = {.labels = {.pool = b->scratch}, .terms = {.pool = b->scratch}};
    if (!list_inside(&b->terms, &in)) return dlpi_build_no_memory(b);
    for (dlp_index t = 0; t < outer->n_terms; t++) {
        const struct dlpi_term *term = &outer->term[t];
        if (is_inside(&in, outer, term)) continue;
        const char *label = dlpi_term_label(outer, term, b->scratch);
        if (!label) return dlpi_build_no_memory(b);
        return FAIL_AT(b, outer->variable[term->variable[0]].node,
                       "'%s' does not vary by '%s', and in a hierarchy everything does: "
                       "put it inside the bars too, or fit a mixed model, where it need "
                       "not",
                       dlpi_show(label).text,
                       dlpi_show(dlp_formula_group(b->formula, 0)).text);
    }
    return DLP_OK;
}

/* So must the intercept; alone outside, it counts only where it is written. */
static dlp_status check_outer_intercept(struct dlpi_build *b,
                                        const struct dlpi_expansion *outer)
{
    const struct dlpi_shown group = dlpi_show(dlp_formula_group(b->formula, 0));
    const bool counts = outer->intercept_written || outer->n_terms > 0;
    if (!outer->intercept || !counts || b->terms.intercept) return DLP_OK;
    return FAIL_AT(b, b->formula->bar[0],
                   "the intercept is outside the bars, so it does not vary by '%s', but "
                   "in a hierarchy everything varies: write (1 + ... | %s), or 0 + "
                   "outside for no intercept, or fit a mixed model",
                   group.text, group.text);
}

static dlp_status expand(struct dlpi_build *b, const struct dlpi_node *terms,
                         struct dlpi_expansion *out)
{
    return dlpi_expand(b->formula, terms, &b->dot, b->scratch, out, b->error);
}

/* Refuses bars that only random effects may have. */
static dlp_status check_bars(struct dlpi_build *b)
{
    const dlp_formula *f = b->formula;
    if (f->n_bars > 1)
        return FAIL_AT(b, f->bar[1],
                       "a hierarchy has one grouping term: keep one of them, or fit a "
                       "mixed model, which may have several");
    if (f->n_bars > 0 && f->bar[0]->is_split)
        return FAIL_AT(b, f->bar[0],
                       "'||' is not supported: the coefficients of a group "
                       "may depend on each other; write one '|'");
    if (f->n_bars > 0 && !dlpi_factor_name(f->bar[0]->first->next))
        return FAIL_AT(b, f->bar[0]->first->next,
                       "group by one column: (1 + x | g); for nested groups "
                       "make a column that names each group");
    return DLP_OK;
}

static dlp_status bind_terms(struct dlpi_build *b)
{
    const dlp_formula *f = b->formula;
    struct dlpi_expansion outer;
    if (!b->options.random) DLP_TRY(check_bars(b));
    if (f->n_bars > 0 && b->options.group)
        return FAIL_AT(b, f->bar[0],
                       "the formula has a grouping term, so the option that "
                       "groups by '%s' cannot be used; keep one of them",
                       dlpi_show(b->options.group).text);
    DLP_TRY(expand(b, f->terms, &outer));
    b->terms = outer;
    if (f->n_bars == 0) return DLP_OK;
    if (b->options.random) return dlpi_expand_effects(b);
    DLP_TRY(expand(b, f->bar[0]->first, &b->terms));
    if (b->terms.n_offsets > 0)
        return FAIL_AT(b, b->terms.offset[0],
                       "offset() belongs outside the bars: offset(z) + (1 + x | g)");
    b->terms.offset = outer.offset;
    b->terms.n_offsets = outer.n_offsets;
    DLP_TRY(check_outer_terms(b, &outer));
    return check_outer_intercept(b, &outer);
}

/* A name that is not from the formula. */
static const struct dlpi_node *name_from_outside(struct dlpi_build *b, const char *text)
{
    struct dlpi_node *name = dlpi_pool_take(b->scratch, 1, sizeof *name);
    if (name)
        *name =
            (struct dlpi_node){.kind = DLPI_NODE_NAME, .at = DLPI_NOWHERE, .name = text};
    return name;
}

/* The column to group by, from the bars, the option, or the fit; NULL without groups. */
static const struct dlpi_node *group_name(struct dlpi_build *b)
{
    const dlp_formula *f = b->formula;
    if (f->n_bars > 0) return dlpi_factor_name(f->bar[0]->first->next);
    return name_from_outside(b, b->fitted ? b->fitted->group.variable : b->options.group);
}

static dlp_status bind_group(struct dlpi_build *b)
{
    const dlp_levels *fitted = b->fitted ? &b->fitted->group : NULL;
    const struct dlpi_node *name = group_name(b);
    dlp_index column;
    if (!name) return dlpi_build_no_memory(b);
    if (!name->name) return DLP_OK;
    if (fitted && !fitted->variable)
        return FAIL_AT(b, name, "the fit has no levels of '%s'; fit again",
                       dlpi_show(name->name).text);
    DLP_TRY(dlpi_columns_find(&b->columns, b->formula, name, &column, b->error));
    for (dlp_index i = 0; i < b->terms.n_variables; i++) {
        const struct dlpi_node *node = dlpi_factor_name(b->terms.variable[i].node);
        if (node && b->input[i].is_used && strcmp(node->name, name->name) == 0)
            return FAIL_AT(b, node,
                           "'%s' groups the rows, so it cannot be a term as well",
                           dlpi_show(name->name).text);
    }
    DLP_TRY(dlpi_bind_factor(b, b->columns.table->column[column].name, column, fitted,
                             b->options.unseen_group, &b->group));
    b->group->is_group = true;
    return DLP_OK;
}

/* ---- variables ---- */

static void mark_used(struct dlpi_build *b)
{
    for (dlp_index t = 0; t < b->terms.n_terms; t++) {
        const struct dlpi_term *term = &b->terms.term[t];
        for (dlp_index k = 0; k < term->order; k++)
            b->input[term->variable[k]].is_used = true;
    }
}

dlp_status dlpi_bind_names(struct dlpi_build *build, const struct dlpi_node *node)
{
    dlp_index column;
    if (node->kind == DLPI_NODE_NAME)
        return dlpi_columns_find(&build->columns, build->formula, node, &column,
                                 build->error);
    for (const struct dlpi_node *part = node->first; part; part = part->next)
        DLP_TRY(dlpi_bind_names(build, part));
    return DLP_OK;
}

static dlp_status bind_scaling(struct dlpi_build *b, const struct dlpi_variable *variable,
                               struct dlpi_input *input)
{
    input->scaling.variable = variable->label;
    if (!b->fitted)
        return dlpi_find_scaling(&input->expression, b->scratch, &input->scaling,
                                 b->error);
    const dlp_index i = dlpi_name_index_find_text(&b->fitted_scalings, variable->label);
    if (i < 0)
        return FAIL_AT(b, variable->node, "the fit has no constants for this; fit again");
    input->scaling = b->fitted->scaling[i];
    return DLP_OK;
}

static dlp_status bind_input(struct dlpi_build *b, const struct dlpi_variable *variable,
                             struct dlpi_input *input)
{
    const struct dlpi_node *node = variable->node;
    const struct dlpi_node *name = dlpi_factor_name(node);
    const dlp_levels *fitted = fitted_factor(b, variable->label);
    dlp_index column;
    input->variable = variable;
    if (b->response.label && strcmp(variable->label, b->response.label) == 0)
        return FAIL_AT(b, node,
                       "the response is also on the right side; remove it there");
    if (variable->whole) return dlpi_bind_basis(b, variable, input);
    if (name) {
        DLP_TRY(dlpi_columns_find(&b->columns, b->formula, name, &column, b->error));
        const dlp_column *found = &b->columns.table->column[column];
        const bool is_category =
            b->fitted ? fitted != NULL : found->kind == DLP_CATEGORICAL;
        if (node == name)
            DLP_TRY(dlpi_build_agree(b, check_mistyped(b, variable->label, found)));
        if (is_category || (node != name && !b->fitted))
            return dlpi_bind_factor(b, variable->label, column, fitted,
                                    b->options.unseen_level, &input->factor);
        if (node != name)
            return FAIL_AT(b, node, "the fit has no levels of this; fit again");
    }
    DLP_TRY(dlpi_expression_make(b->formula, node, &b->columns, b->scratch,
                                 &input->expression, b->error));
    if (node->kind == DLPI_NODE_CALL && node->function->role == DLPI_ROLE_SCALE)
        DLP_TRY(bind_scaling(b, variable, input));
    return DLP_OK;
}

static dlp_status bind_labelled(struct dlpi_build *b,
                                const struct dlpi_variable *variable,
                                struct dlpi_input *input)
{
    DLP_TRY(bind_input(b, variable, input));
    const dlp_index number = dlpi_name_index_add_text(&b->labels, variable->label);
    if (number < 0) return dlpi_build_no_memory(b);
    b->labelled[number] = input;
    return DLP_OK;
}

dlp_status dlpi_bind_variable(struct dlpi_build *build,
                              const struct dlpi_variable *variable,
                              struct dlpi_input **input)
{
    struct dlpi_build *b = build;
    const dlp_index known = dlpi_name_index_find_text(&b->labels, variable->label);
    *input = known >= 0 ? b->labelled[known] : NULL;
    if (known >= 0) return DLP_OK;
    *input = dlpi_pool_take(b->scratch, 1, sizeof **input);
    if (!*input) return dlpi_build_no_memory(b);
    (*input)->is_used = true;
    return bind_labelled(b, variable, *input);
}

const dlp_levels *dlpi_fitted_factor(const struct dlpi_build *build, const char *label)
{
    return fitted_factor(build, label);
}

dlp_status dlpi_bind_labelled(struct dlpi_build *build,
                              const struct dlpi_variable *variable,
                              const struct dlpi_node *name, const dlp_levels *levels,
                              dlp_unseen unseen, struct dlpi_factor **out)
{
    struct dlpi_build *b = build;
    struct dlpi_input *input = dlpi_pool_take(b->scratch, 1, sizeof *input);
    dlp_index column;
    if (!input) return dlpi_build_no_memory(b);
    DLP_TRY(dlpi_columns_find(&b->columns, b->formula, name, &column, b->error));
    DLP_TRY(dlpi_bind_factor(b, variable->label, column, levels, unseen, out));
    *input = (struct dlpi_input){.variable = variable, .factor = *out};
    const dlp_index number = dlpi_name_index_add_text(&b->labels, variable->label);
    if (number < 0) return dlpi_build_no_memory(b);
    b->labelled[number] = input;
    return DLP_OK;
}

dlp_status dlpi_bind_region(struct dlpi_build *build,
                            const struct dlpi_variable *variable,
                            const struct dlpi_node *name, struct dlpi_factor **out)
{
    struct dlpi_build *b = build;
    const dlp_adjacency *a = b->options.adjacency;
    const dlp_levels *fitted = fitted_factor(b, variable->label);
    if (b->fitted && !fitted)
        return FAIL_AT(b, variable->node, "the fit has no regions of this; fit again");
    if (!b->fitted && !a)
        return dlpi_advise(
            b->error, DLP_REMEDY_ADJACENCY,
            FAIL_AT(b, variable->node,
                    "a term of regions needs to know which of them are neighbours"));
    const dlp_levels levels =
        fitted ? *fitted
               : (dlp_levels){.variable = variable->label, .n = a->n, .level = a->name};
    DLP_TRY(dlpi_bind_labelled(b, variable, name, &levels, b->options.unseen_level, out));
    (*out)->of_graph = true;
    return DLP_OK;
}

static dlp_status bind_inputs(struct dlpi_build *b)
{
    for (dlp_index i = 0; i < b->terms.n_variables; i++) {
        const struct dlpi_variable *variable = &b->terms.variable[i];
        if (b->input[i].is_used)
            DLP_TRY(bind_labelled(b, variable, &b->input[i]));
        else if (!b->fitted)
            DLP_TRY(dlpi_bind_names(b, variable->node));
    }
    return DLP_OK;
}

static dlp_status bind_offsets(struct dlpi_build *b)
{
    b->n_offsets = b->terms.n_offsets;
    b->offset = dlpi_pool_take(b->scratch, b->n_offsets, sizeof *b->offset);
    if (!b->offset) return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < b->n_offsets; i++)
        DLP_TRY(dlpi_expression_make(b->formula, b->terms.offset[i], &b->columns,
                                     b->scratch, &b->offset[i], b->error));
    return DLP_OK;
}

static dlp_status bind_number(struct dlpi_build *b, const char *column,
                              struct dlpi_expression *expression)
{
    if (!column) return DLP_OK;
    const struct dlpi_node *name = name_from_outside(b, column);
    if (!name) return dlpi_build_no_memory(b);
    return dlpi_expression_make(b->formula, name, &b->columns, b->scratch, expression,
                                b->error);
}

/* ---- the response ---- */

static bool has_columns(const struct dlpi_build *b, const struct dlpi_node *node)
{
    if (node->kind == DLPI_NODE_NAME)
        return dlpi_name_index_find_text(&b->columns.names, node->name) >= 0;
    for (const struct dlpi_node *part = node->first; part; part = part->next)
        if (!has_columns(b, part)) return false;
    return true;
}

static dlp_status bind_numbers(struct dlpi_build *b, const struct dlpi_node *node,
                               struct dlpi_expression *out)
{
    return dlpi_expression_make(b->formula, node, &b->columns, b->scratch, out, b->error);
}

static dlp_status bind_response(struct dlpi_build *b)
{
    struct dlpi_response *r = &b->response;
    const struct dlpi_node *node = b->formula->response;
    const dlp_levels *fitted = b->fitted ? &b->fitted->response : NULL;
    dlp_index column;
    if (!node) return DLP_OK;
    const struct dlpi_node *name = dlpi_factor_name(node);
    if (fitted && (b->options.skip_response || !has_columns(b, node))) return DLP_OK;
    if (node->kind == DLPI_NODE_CALL && node->function->role == DLPI_ROLE_CBIND) {
        r->kind = DLP_RESPONSE_BINOMIAL;
        DLP_TRY(bind_numbers(b, node->first, &r->first));
        return bind_numbers(b, node->first->next, &r->second);
    }
    if (node->kind == DLPI_NODE_CALL && node->function->role == DLPI_ROLE_CENSORED)
        return dlpi_bind_censored(b, node);
    if (name) {
        DLP_TRY(dlpi_columns_find(&b->columns, b->formula, name, &column, b->error));
        const dlp_column *found = &b->columns.table->column[column];
        const bool is_category = node != name || b->options.response_is_factor ||
                                 found->kind == DLP_CATEGORICAL;
        if (node == name) DLP_TRY(check_mistyped(b, r->label, found));
        if (fitted ? fitted->n > 0 : is_category) {
            r->kind = DLP_RESPONSE_CATEGORICAL;
            return dlpi_bind_factor(b, r->label, column, fitted, b->options.unseen_level,
                                    &r->factor);
        }
    }
    r->kind = DLP_RESPONSE_NUMERIC;
    return bind_numbers(b, node, &r->first);
}

/* ---- the step ---- */

/* The variables that the fit has levels or constants of. */
static dlp_status bind_fitted(struct dlpi_build *b)
{
    const dlp_terms *fitted = b->fitted;
    bool ok = true;
    b->fitted_factors.pool = b->fitted_scalings.pool = b->scratch;
    for (dlp_index i = 0; fitted && i < fitted->n_factors; i++)
        ok = ok && dlpi_name_index_add_text(&b->fitted_factors,
                                            fitted->factor[i].variable) >= 0;
    for (dlp_index i = 0; fitted && i < fitted->n_scalings; i++)
        ok = ok && dlpi_name_index_add_text(&b->fitted_scalings,
                                            fitted->scaling[i].variable) >= 0;
    return ok ? DLP_OK : dlpi_build_no_memory(b);
}

static dlp_status bind_columns(struct dlpi_build *b)
{
    const dlp_table *table = b->columns.table;
    b->columns.names.pool = b->scratch;
    b->columns.used = dlpi_pool_take(b->scratch, table->columns, sizeof(bool));
    const struct dlpi_node *response = b->formula->response;
    if (response) b->response.label = dlpi_label(response, b->scratch);
    if (!b->columns.used || (response && !b->response.label))
        return dlpi_build_no_memory(b);
    for (dlp_index j = 0; j < table->columns; j++) {
        const dlp_index number =
            dlpi_name_index_add_text(&b->columns.names, table->column[j].name);
        if (number < 0) return dlpi_build_no_memory(b);
        if (number < j)
            return dlp_fail(b->error, DLP_EINPUT, "the table has two columns '%s'",
                            dlpi_show(table->column[j].name).text);
    }
    return DLP_OK;
}

/* Room for what the expansions name, the response and what groups. */
static dlp_status make_room(struct dlpi_build *b)
{
    dlp_index n = b->terms.n_variables;
    b->input = dlpi_pool_take(b->scratch, n, sizeof *b->input);
    for (dlp_index e = 0; e < b->n_effects; e++) n += b->effects[e].terms.n_variables;
    n += 2 * b->n_smooths; /* by = g, and regions */
    b->labels.pool = b->scratch;
    b->labelled = dlpi_pool_take(b->scratch, n, sizeof *b->labelled);
    n += b->formula->n_groups + 2;
    b->factor = dlpi_pool_take(b->scratch, n, sizeof *b->factor);
    return b->input && b->labelled && b->factor ? DLP_OK : dlpi_build_no_memory(b);
}

dlp_status dlpi_build_bind(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    DLP_TRY(bind_columns(b));
    DLP_TRY(bind_fitted(b));
    DLP_TRY(bind_dot(b));
    DLP_TRY(bind_terms(b));
    DLP_TRY(dlpi_take_smooths(b));
    DLP_TRY(dlpi_split_bases(b));
    DLP_TRY(make_room(b));
    mark_used(b);
    DLP_TRY(bind_response(b));
    DLP_TRY(bind_inputs(b));
    DLP_TRY(dlpi_bind_smooths(b));
    DLP_TRY(dlpi_bind_effects(b));
    DLP_TRY(bind_offsets(b));
    DLP_TRY(bind_number(b, b->options.weight, &b->weight));
    DLP_TRY(bind_number(b, b->options.precision, &b->precision));
    return b->options.random ? dlpi_bind_groupings(b) : bind_group(b);
}
