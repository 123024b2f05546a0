/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * s(x) in a design. The columns of its straight part are variables in terms of their own,
 * after all other terms; those of its wiggly part come after the design's columns. Its
 * functions are made over the rows used.
 */
#include "table/design/basis.h"

#include <stdio.h>
#include <string.h>

#define FAIL_AT(b, node, ...)                                                            \
    dlpi_formula_fail((b)->formula->text, (node)->at, (b)->error, __VA_ARGS__)

static bool is_smooth(const struct dlpi_variable *variable)
{
    return variable->node->kind == DLPI_NODE_CALL &&
           variable->node->function->role == DLPI_ROLE_SMOOTH;
}

/* ---- terms ---- */

/* The first s() in a term, or NULL. */
static const struct dlpi_variable *smooth_in(const struct dlpi_expansion *x,
                                             const struct dlpi_term *term)
{
    for (dlp_index k = 0; k < term->order; k++)
        if (is_smooth(&x->variable[term->variable[k]]))
            return &x->variable[term->variable[k]];
    return NULL;
}

static dlp_status refuse_in_bars(struct dlpi_build *b)
{
    for (dlp_index e = 0; e < b->n_effects; e++) {
        const struct dlpi_expansion *x = &b->effects[e].terms;
        for (dlp_index t = 0; t < x->n_terms; t++)
            if (smooth_in(x, &x->term[t]))
                return FAIL_AT(b, smooth_in(x, &x->term[t])->node,
                               "smooths cannot be inside bars; for a curve for each "
                               "group write s(x, by = g), or (ns(x, 3) | g)");
    }
    return DLP_OK;
}

/* "s(x)", "s(x, z)" or "ar1(t | g)" */
static const char *short_name(const struct dlpi_build *b,
                              const struct dlpi_basis_spec *spec)
{
    struct dlpi_text text = {.pool = b->scratch};
    const struct dlpi_node *other = spec->second ? spec->second : spec->series;
    const char *x = dlpi_label(spec->node->first, b->scratch),
               *z = other ? dlpi_label(other, b->scratch) : NULL;
    const bool ok = x && (z || !other) &&
                    dlpi_text_add_string(&text, spec->node->function->name) &&
                    dlpi_text_add_string(&text, "(") && dlpi_text_add_string(&text, x) &&
                    (!z || (dlpi_text_add_string(&text, spec->second ? ", " : " | ") &&
                            dlpi_text_add_string(&text, z))) &&
                    dlpi_text_add_string(&text, ")");
    return ok ? text.data : NULL;
}

static dlp_status take_smooth(struct dlpi_build *b, const struct dlpi_variable *variable)
{
    struct dlpi_basis_spec *spec = dlpi_pool_take(b->scratch, 1, sizeof *spec);
    struct dlpi_bound_smooth *s = &b->smooth[b->n_smooths];
    if (!spec) return dlpi_build_no_memory(b);
    DLP_TRY(
        dlpi_smooth_spec_read(b->formula, variable->node, b->scratch, spec, b->error));
    *s = (struct dlpi_bound_smooth){.label = variable->label, .spec = spec};
    s->name = short_name(b, spec);
    s->by_label = spec->by ? dlpi_label(spec->by, b->scratch) : NULL;
    if (!s->name || (spec->by && !s->by_label)) return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < b->n_smooths; i++) {
        const char *by = b->smooth[i].by_label;
        if (strcmp(b->smooth[i].name, s->name) == 0 && !by == !s->by_label &&
            (!by || strcmp(by, s->by_label) == 0))
            return FAIL_AT(b, variable->node, "%s is here twice; keep one",
                           dlpi_show(s->name).text);
    }
    b->n_smooths++;
    return DLP_OK;
}

dlp_status dlpi_take_smooths(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    struct dlpi_expansion *x = &b->terms;
    dlp_index left = 0;
    DLP_TRY(refuse_in_bars(b));
    b->smooth = dlpi_pool_take(b->scratch, x->n_terms, sizeof *b->smooth);
    struct dlpi_term *term = dlpi_pool_take(b->scratch, x->n_terms, sizeof *term);
    if (!b->smooth || !term) return dlpi_build_no_memory(b);
    for (dlp_index t = 0; t < x->n_terms; t++) {
        const struct dlpi_variable *variable = smooth_in(x, &x->term[t]);
        if (variable && x->term[t].order > 1)
            return FAIL_AT(b, variable->node,
                           "smooths cannot be in a product; write s(x, by = z)");
        if (variable && !b->options.random && !b->fitted)
            return FAIL_AT(
                b, variable->node,
                "smooths are only for regressions without groups of their own, or "
                "with random effects; write ns(x, df = 5) here");
        if (variable)
            DLP_TRY(take_smooth(b, variable));
        else
            term[left++] = x->term[t];
    }
    x->term = term;
    x->n_terms = left;
    return DLP_OK;
}

/* ---- variables ---- */

/* A column next to its own smooth would say the same twice. */
static dlp_status check_beside(struct dlpi_build *b, const struct dlpi_bound_smooth *s)
{
    const struct dlpi_node *node = s->spec->node;
    const bool level_alone = s->spec->kind == DLP_BASIS_CC ||
                             s->spec->kind == DLP_BASIS_RW1 ||
                             s->spec->kind == DLP_BASIS_AR1;
    if (b->fitted || s->by_label || level_alone) return DLP_OK;
    for (int l = 0; l < s->spec->d; l++) {
        const char *label = dlpi_label(l ? s->spec->second : node->first, b->scratch);
        if (!label) return dlpi_build_no_memory(b);
        if (dlpi_name_index_find_text(&b->labels, label) >= 0)
            return FAIL_AT(
                b, node, "%s has the straight part of '%s' in it; leave '%s' out",
                dlpi_show(s->name).text, dlpi_show(label).text, dlpi_show(label).text);
    }
    return DLP_OK;
}

static dlp_status find_fitted(struct dlpi_build *b, struct dlpi_bound_smooth *s)
{
    const dlp_terms *fitted = b->fitted;
    for (dlp_index i = 0; fitted && i < fitted->n_bases; i++)
        if (strcmp(fitted->basis[i].variable, s->label) == 0) s->basis = fitted->basis[i];
    if (!fitted) return DLP_OK;
    const dlp_basis_kind kind = s->basis.kind;
    const bool same =
        s->basis.d == s->spec->d && (kind == DLP_BASIS_TP || kind == DLP_BASIS_CR ||
                                     kind == DLP_BASIS_CC || kind == s->spec->kind);
    return same ? DLP_OK
                : FAIL_AT(b, s->spec->node,
                          "the fit has no constants for this; fit again");
}

/* besag(region), bym2(region): the column of a factor. */
static dlp_status bind_region(struct dlpi_build *b, struct dlpi_bound_smooth *s)
{
    const struct dlpi_node *name = s->spec->node->first;
    struct dlpi_variable *variable = dlpi_pool_take(b->scratch, 1, sizeof *variable);
    if (!variable) return dlpi_build_no_memory(b);
    if (name->kind != DLPI_NODE_NAME)
        return FAIL_AT(b, name, "%s() takes the name of a column of regions",
                       dlp_basis_name((int)s->spec->kind));
    *variable = (struct dlpi_variable){.label = s->label, .node = s->spec->node};
    return dlpi_bind_region(b, variable, name, &s->region);
}

static dlp_status bind_x(struct dlpi_build *b, struct dlpi_bound_smooth *s)
{
    const struct dlpi_basis_spec *spec = s->spec;
    if (spec->kind == DLP_BASIS_BESAG || spec->kind == DLP_BASIS_BYM2)
        return bind_region(b, s);
    if (spec->series) DLP_TRY(dlpi_bind_series(b, s));
    DLP_TRY(dlpi_expression_make(b->formula, spec->node->first, &b->columns, b->scratch,
                                 &s->x[0], b->error));
    if (spec->second)
        DLP_TRY(dlpi_expression_make(b->formula, spec->second, &b->columns, b->scratch,
                                     &s->x[1], b->error));
    return check_beside(b, s);
}

static dlp_status bind_smooth(struct dlpi_build *b, struct dlpi_bound_smooth *s)
{
    const struct dlpi_basis_spec *spec = s->spec;
    DLP_TRY(bind_x(b, s));
    DLP_TRY(find_fitted(b, s));
    if (!spec->by) return DLP_OK;
    struct dlpi_variable *by = dlpi_pool_take(b->scratch, 1, sizeof *by);
    if (!by) return dlpi_build_no_memory(b);
    *by = (struct dlpi_variable){.label = s->by_label, .node = spec->by};
    return dlpi_bind_variable(b, by, &s->by);
}

dlp_status dlpi_bind_smooths(struct dlpi_build *build)
{
    for (dlp_index i = 0; i < build->n_smooths; i++)
        DLP_TRY(bind_smooth(build, &build->smooth[i]));
    return DLP_OK;
}

/* ---- columns ---- */

/* Each row's region, as a number. */
static dlp_status number_regions(struct dlpi_build *b, struct dlpi_bound_smooth *s,
                                 const double **out)
{
    const dlp_design *d = b->design;
    double *x = dlpi_pool_take(b->pool, d->N, sizeof *x);
    if (!x) return dlpi_build_no_memory(b);
    DLP_TRY(dlpi_factor_code(b->columns.table, d->row, d->N, d->division, b->pool,
                             s->region, b->error));
    for (dlp_index i = 0; i < d->N; i++) x[i] = s->region->code[i];
    *out = x;
    if (!b->fitted || s->basis.n_knots == s->region->levels.n) return DLP_OK;
    return FAIL_AT(b, s->spec->node,
                   "the regions of the fit do not match its values; fit again");
}

/* Finds its constants from the rows used. */
static dlp_status make_basis(struct dlpi_build *b, struct dlpi_bound_smooth *s,
                             const double *const *x, dlp_error *why)
{
    const dlp_index N = b->design->N;
    const bool mixed = s->spec->kind == DLP_BASIS_BYM2;
    if (s->region && (mixed || s->region->levels.n > DLPI_MOST_STEPS))
        return dlpi_basis_make_region_nodes(s->spec->kind, b->options.adjacency,
                                            b->scratch, &s->basis, why);
    if (s->region)
        return dlpi_basis_make_regions(b->options.adjacency, b->scratch, &s->basis, why);
    if (s->spec->kind != DLP_BASIS_AR1)
        return dlpi_basis_make_smooth(s->spec, N, x, b->scratch, &s->basis, why);
    if (s->series && s->series->levels.n < 2)
        return dlp_fail(why, DLP_EINPUT,
                        "there is one group, '%s', in all rows; write ar1(%s)",
                        dlpi_show(s->series->levels.level[0]).text,
                        dlpi_label(s->spec->node->first, b->scratch));
    return dlpi_basis_make_ar1(N, x[0], s->series ? s->series->code : NULL, b->scratch,
                               &s->basis, why);
}

static dlp_status make_values(struct dlpi_build *b, struct dlpi_bound_smooth *s)
{
    const dlp_index N = b->design->N;
    const double *x[2] = {NULL, NULL};
    dlp_error why = {0};
    for (dlp_index l = 0; l < s->spec->d && !s->region; l++)
        DLP_TRY(dlpi_build_values(b, &s->x[l], b->pool, &x[l]));
    if (s->region) DLP_TRY(number_regions(b, s, &x[0]));
    if (s->series)
        DLP_TRY(dlpi_factor_code(b->columns.table, b->design->row, N, b->design->division,
                                 b->pool, s->series, b->error));
    s->at = x[0];
    if (!b->fitted) {
        const dlp_status status = make_basis(b, s, x, &why);
        if (status != DLP_OK)
            return dlp_fail(b->error, status, "%s: %s", dlpi_show(s->label).text,
                            why.message);
        s->basis.variable = s->label;
        if (s->by && dlp_basis_is_process(&s->basis))
            return FAIL_AT(
                b, s->spec->node,
                "%s has more than %d values, and then it cannot be by a column; "
                "round them, or write s()",
                dlpi_show(s->name).text, DLPI_MOST_STEPS);
    }
    double *value = dlpi_pool_take(b->scratch, s->basis.columns * N, sizeof *value);
    double *room = dlpi_pool_take(b->scratch, dlpi_basis_room(&s->basis), sizeof *room);
    if (!value || !room) return dlpi_build_no_memory(b);
    dlpi_basis_values(&s->basis, N, x, value, room);
    s->value = value;
    for (dlp_index j = 0; j < s->basis.columns; j++)
        DLP_TRY(dlpi_build_check(b, s->label, value + j * N));
    return DLP_OK;
}

/* Copies of the smooth: one for each level of a factor `by`. */
static dlp_index copies_of(const struct dlpi_bound_smooth *s)
{
    return s->by && s->by->factor ? s->by->factor->levels.n : 1;
}

static bool is_by_numbers(const struct dlpi_bound_smooth *s)
{
    return s->by && !s->by->factor;
}

/* "s(x)", "s(x):ga" or "s(x):z", followed by what is added. */
static const char *label_of(const struct dlpi_bound_smooth *s, dlp_index copy,
                            const char *added, struct dlpi_pool *pool)
{
    struct dlpi_text text = {.pool = pool};
    bool ok = dlpi_text_add_string(&text, s->name);
    if (s->by)
        ok = ok && dlpi_text_add_string(&text, ":") &&
             dlpi_text_add_string(&text, s->by_label);
    if (s->by && s->by->factor)
        ok = ok && dlpi_text_add_string(&text, s->by->factor->levels.level[copy]);
    return ok && dlpi_text_add_string(&text, added) ? text.data : NULL;
}

/* Column j of the functions, j < 0: ones, times `by`. */
static const double *make_column(struct dlpi_build *b, const struct dlpi_bound_smooth *s,
                                 dlp_index copy, dlp_index j)
{
    const dlp_index N = b->design->N;
    double *x = dlpi_pool_take(b->pool, N, sizeof *x);
    for (dlp_index i = 0; x && i < N; i++) {
        const double f = j < 0 ? 1 : s->value[j * N + i];
        x[i] = !s->by          ? f
               : s->by->factor ? (s->by->factor->code[i] == copy ? f : 0)
                               : f * s->by->value[i];
    }
    return x;
}

/* What the straight parts add to variables, inputs and terms. */
struct added {
    struct dlpi_variable *variable;
    struct dlpi_input *input;
    struct dlpi_term *term;
    dlp_index n; /* variables so far */
    dlp_index n_terms;
};

/* A column as a variable in a term of its own. */
static dlp_status add_column(struct dlpi_build *b, const struct dlpi_bound_smooth *s,
                             dlp_index copy, dlp_index j, const char *suffix,
                             struct added *to)
{
    int32_t *number = dlpi_pool_take(b->scratch, 1, sizeof *number);
    struct dlpi_variable *v = &to->variable[to->n];
    *v = (struct dlpi_variable){.node = s->spec->node,
                                .label = label_of(s, copy, suffix, b->scratch),
                                .whole = label_of(s, copy, "", b->scratch)};
    to->input[to->n] = (struct dlpi_input){
        .variable = v, .is_used = true, .value = make_column(b, s, copy, j)};
    if (!number || !v->label || !v->whole || !to->input[to->n].value)
        return dlpi_build_no_memory(b);
    *number = (int32_t)to->n++;
    to->term[to->n_terms++] = (struct dlpi_term){.variable = number, .order = 1};
    return DLP_OK;
}

static dlp_status add_straight(struct dlpi_build *b, const struct dlpi_bound_smooth *s,
                               struct added *to)
{
    for (dlp_index copy = 0; copy < copies_of(s); copy++) {
        if (is_by_numbers(s)) DLP_TRY(add_column(b, s, copy, -1, "", to));
        for (dlp_index j = 0; j < s->basis.fixed; j++) {
            const char *x =
                dlpi_label(j ? s->spec->second : s->spec->node->first, b->scratch);
            struct dlpi_text suffix = {.pool = b->scratch};
            if (!x || !dlpi_text_add_string(&suffix, ".") ||
                !dlpi_text_add_string(&suffix, x))
                return dlpi_build_no_memory(b);
            DLP_TRY(add_column(b, s, copy, j, suffix.data, to));
        }
    }
    return DLP_OK;
}

/* Before the variables are listed, and once rows and levels are known. */
dlp_status dlpi_build_smooths(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    struct dlpi_expansion *x = &b->terms;
    dlp_index more = 0, columns = 0;
    if (b->n_smooths == 0) return DLP_OK;
    for (dlp_index i = 0; i < b->n_smooths; i++) {
        struct dlpi_bound_smooth *s = &b->smooth[i];
        if (s->by) DLP_TRY(dlpi_make_input(b, s->by));
        DLP_TRY(make_values(b, s));
        more += copies_of(s) * (s->basis.fixed + is_by_numbers(s));
        columns += copies_of(s) * s->basis.columns;
        if (columns > DLPI_MOST_COLUMNS)
            return FAIL_AT(b, s->spec->node, "too many columns with this smooth");
    }
    struct added to = {.n = x->n_variables, .n_terms = x->n_terms};
    to.variable = dlpi_pool_take(b->scratch, to.n + more, sizeof *to.variable);
    to.input = dlpi_pool_take(b->scratch, to.n + more, sizeof *to.input);
    to.term = dlpi_pool_take(b->scratch, to.n_terms + more, sizeof *to.term);
    if (!to.variable || !to.input || !to.term) return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < to.n; i++) {
        to.variable[i] = x->variable[i];
        to.input[i] = b->input[i];
    }
    for (dlp_index t = 0; t < to.n_terms; t++) to.term[t] = x->term[t];
    for (dlp_index i = 0; i < b->n_smooths; i++)
        DLP_TRY(add_straight(b, &b->smooth[i], &to));
    x->variable = to.variable;
    x->n_variables = to.n;
    x->term = to.term;
    x->n_terms = to.n_terms;
    b->input = to.input;
    return DLP_OK;
}

/* ---- the wiggly parts ---- */

/* The arrays of the design, with room for more columns. */
struct wider {
    const double **x;
    const char **name;
    dlp_smooth *smooth;
    dlp_index fixed; /* the next of the straight columns */
};

static dlp_status add_wiggly(struct dlpi_build *b, const struct dlpi_bound_smooth *s,
                             dlp_index copy, dlp_index basis, struct wider *to)
{
    dlp_design *d = b->design;
    if (dlp_basis_is_process(&s->basis)) { /* its straight columns come before */
        to->fixed += s->basis.fixed;
        return DLP_OK;
    }
    dlp_smooth *out = &to->smooth[d->n_smooths++];
    *out = (dlp_smooth){.label = label_of(s, copy, "", b->pool),
                        .term = dlpi_pool_copy(b->pool, s->name, strlen(s->name)),
                        .basis = basis,
                        .level = s->by && s->by->factor ? copy : -1,
                        .fixed = to->fixed,
                        .n_fixed = s->basis.fixed + is_by_numbers(s),
                        .first = d->p + d->n_penalised,
                        .n = s->basis.columns - s->basis.fixed};
    if (s->basis.d == 1 && !s->region) {
        out->at = s->at;
        out->times = s->by ? make_column(b, s, copy, -1) : NULL;
        if (s->by && !out->times) return dlpi_build_no_memory(b);
    }
    if (!out->label || !out->term) return dlpi_build_no_memory(b);
    if (s->by) {
        out->by = dlpi_pool_copy(b->pool, s->by_label, strlen(s->by_label));
        if (!out->by) return dlpi_build_no_memory(b);
    }
    to->fixed += out->n_fixed;
    for (dlp_index j = 0; j < out->n; j++) {
        char suffix[32];
        snprintf(suffix, sizeof suffix, ".%td", j + 1);
        to->x[out->first + j] = make_column(b, s, copy, s->basis.fixed + j);
        to->name[out->first + j] = label_of(s, copy, suffix, b->pool);
        if (!to->x[out->first + j] || !to->name[out->first + j])
            return dlpi_build_no_memory(b);
    }
    d->n_penalised += out->n;
    return out->label ? DLP_OK : dlpi_build_no_memory(b);
}

dlp_status dlpi_build_penalised(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    dlp_design *d = b->design;
    dlp_index columns = d->p, copies = 0, straight = 0;
    if (b->n_smooths == 0) return DLP_OK;
    for (dlp_index i = 0; i < b->n_smooths; i++) {
        const struct dlpi_bound_smooth *s = &b->smooth[i];
        copies += copies_of(s);
        columns += copies_of(s) * (s->basis.columns - s->basis.fixed);
        straight += copies_of(s) * (s->basis.fixed + is_by_numbers(s));
    }
    struct wider to = {.x = dlpi_pool_take(b->pool, columns, sizeof *to.x),
                       .name = dlpi_pool_take(b->pool, columns, sizeof *to.name),
                       .smooth = dlpi_pool_take(b->pool, copies, sizeof *to.smooth),
                       .fixed = d->p - straight};
    if (!to.x || !to.name || !to.smooth) return dlpi_build_no_memory(b);
    for (dlp_index j = 0; j < d->p; j++) {
        to.x[j] = d->x[j];
        to.name[j] = d->name[j];
    }
    for (dlp_index i = 0; i < b->n_smooths; i++)
        for (dlp_index copy = 0; copy < copies_of(&b->smooth[i]); copy++)
            DLP_TRY(add_wiggly(b, &b->smooth[i], copy, b->n_bases + i, &to));
    d->x = to.x;
    d->name = to.name;
    d->smooth = to.smooth;
    return DLP_OK;
}
