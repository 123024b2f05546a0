/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of poly(), ns(), bs() and s(). */
#include "table/design/basis.h"

#include <math.h>
#include <string.h>

struct reader {
    const dlp_formula *formula;
    struct dlpi_pool *pool;
    struct dlpi_basis_spec *spec;
    dlp_index df; /* -1: not stated */
    dlp_error *error;
};

#define FAIL_AT(r, node, ...)                                                            \
    dlpi_formula_fail((r)->formula->text, (node)->at, (r)->error, __VA_ARGS__)

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- values ---- */

static dlp_status whole_number(const struct reader *r, const struct dlpi_node *value,
                               const char *name, dlp_index least, dlp_index most,
                               dlp_index *out)
{
    const double x = value->number;
    if (value->kind != DLPI_NODE_NUMBER || value->name || x != floor(x) ||
        !(x >= (double)least && x <= (double)most))
        return FAIL_AT(r, value, "%s must be a whole number from %td to %td", name, least,
                       most);
    *out = (dlp_index)x;
    return DLP_OK;
}

static dlp_status truth(const struct reader *r, const struct dlpi_node *value,
                        const char *name, bool *out)
{
    if (value->kind != DLPI_NODE_NUMBER || !value->name)
        return FAIL_AT(r, value, "%s must be TRUE or FALSE", name);
    *out = value->number != 0;
    return DLP_OK;
}

/* One number or c(...), ascending. */
static dlp_status numbers(const struct reader *r, const struct dlpi_node *value,
                          const char *name, dlp_index *n, const double **out)
{
    const struct dlpi_node *first = value->kind == DLPI_NODE_LIST ? value->first : value;
    const bool alone = first == value;
    *n = 0;
    for (const struct dlpi_node *at = first; at; at = alone ? NULL : at->next) ++*n;
    double *x = dlpi_pool_take(r->pool, *n, sizeof *x);
    if (!x) return dlpi_no_memory(r->error, "a formula");
    *out = x;
    dlp_index i = 0;
    for (const struct dlpi_node *at = first; at; at = alone ? NULL : at->next, i++) {
        if (at->kind != DLPI_NODE_NUMBER || at->name || (i > 0 && at->number < x[i - 1]))
            return FAIL_AT(r, value, "%s must be ascending numbers: c(1, 2.5)", name);
        x[i] = at->number;
    }
    return *n <= DLPI_MOST_BASIS ? DLP_OK : FAIL_AT(r, value, "too many knots");
}

/* ---- options ---- */

static dlp_status read_ends(struct reader *r, const struct dlpi_node *value)
{
    const double *ends;
    dlp_index n;
    DLP_TRY(numbers(r, value, "Boundary.knots", &n, &ends));
    if (n != 2 || !(ends[0] < ends[1]))
        return FAIL_AT(r, value, "Boundary.knots must be two numbers: c(0, 10)");
    memcpy(r->spec->ends, ends, sizeof r->spec->ends);
    r->spec->has_ends = true;
    return DLP_OK;
}

static dlp_status read_kind(struct reader *r, const struct dlpi_node *value)
{
    for (int i = DLP_BASIS_TP; i <= DLP_BASIS_CC && value->kind == DLPI_NODE_TEXT; i++)
        if (is(value->name, dlp_basis_name(i))) {
            r->spec->kind = (dlp_basis_kind)i;
            return DLP_OK;
        }
    return FAIL_AT(r, value,
                   "bs must be \"tp\" (thin plate), \"cr\" (cubic) or \"cc\" (cyclic)");
}

static dlp_status read_smooth_option(struct reader *r, const struct dlpi_node *at)
{
    struct dlpi_basis_spec *s = r->spec;
    if (is(at->name, "|")) {
        s->series = at->first;
        return DLP_OK;
    }
    if (s->kind == DLP_BASIS_AR1 || s->kind == DLP_BASIS_BYM2)
        return FAIL_AT(r, at, "%s() has no options%s", s->node->function->name,
                       s->kind == DLP_BASIS_AR1 ? "; a series of each group is ar1(t | g)"
                                                : "");
    if (s->node->function->basis != DLP_BASIS_TP && !is(at->name, "by"))
        return FAIL_AT(r, at, "%s() has no option '%s'; it has by",
                       s->node->function->name, dlpi_show(at->name).text);
    if (is(at->name, "k"))
        return whole_number(r, at->first, "k", 3, DLPI_MOST_SMOOTH, &s->k);
    if (is(at->name, "bs")) return read_kind(r, at->first);
    if (is(at->name, "knots"))
        return numbers(r, at->first, "knots", &s->n_knots, &s->knot);
    if (!is(at->name, "by"))
        return FAIL_AT(r, at, "s() has no option '%s'; it has k, bs, by and knots",
                       dlpi_show(at->name).text);
    if (at->first->kind != DLPI_NODE_NAME)
        return FAIL_AT(r, at->first, "by must be the name of a column");
    s->by = at->first;
    return DLP_OK;
}

dlp_status dlpi_smooth_spec_read(const dlp_formula *formula, const struct dlpi_node *call,
                                 struct dlpi_pool *pool, struct dlpi_basis_spec *spec,
                                 dlp_error *error)
{
    struct reader r = {
        .formula = formula, .pool = pool, .spec = spec, .df = -1, .error = error};
    const struct dlpi_function *function = call->function;
    *spec = (struct dlpi_basis_spec){
        .node = call, .kind = function->basis, .d = 1, .columns = -1};
    for (const struct dlpi_node *at = call->first->next; at; at = at->next) {
        if (at->kind == DLPI_NODE_OPTION) {
            DLP_TRY(read_smooth_option(&r, at));
            continue;
        }
        if (function->basis != DLP_BASIS_TP)
            return FAIL_AT(&r, at, "%s() takes one variable", function->name);
        if (at->kind != DLPI_NODE_NAME || spec->second)
            return FAIL_AT(&r, at,
                           "s() takes one or two variables; name anything else: "
                           "name = value");
        spec->second = at;
        spec->d = 2;
    }
    if (spec->d == 2 && spec->kind != DLP_BASIS_TP)
        return FAIL_AT(&r, call,
                       "a smooth of two variables must be a thin plate: bs = \"tp\"");
    if (spec->knot && spec->kind == DLP_BASIS_TP)
        return FAIL_AT(&r, call, "a thin plate has no knots; take bs = \"cr\" or \"cc\"");
    if (spec->knot && spec->n_knots != 2 && spec->k > 0 && spec->k != spec->n_knots)
        return FAIL_AT(&r, call, "k and the number of knots do not agree: leave k out");
    return DLP_OK;
}

static dlp_status read_option(struct reader *r, const char *name,
                              const struct dlpi_node *at, const struct dlpi_node *value)
{
    struct dlpi_basis_spec *s = r->spec;
    const bool poly = s->kind == DLP_BASIS_POLY || s->kind == DLP_BASIS_RAW;
    if (is(name, "degree") && s->kind != DLP_BASIS_NS)
        return whole_number(r, value, name, 1, DLPI_MOST_DEGREE, &s->degree);
    if (is(name, "raw") && poly) {
        bool raw = false;
        DLP_TRY(truth(r, value, name, &raw));
        s->kind = raw ? DLP_BASIS_RAW : DLP_BASIS_POLY;
        return DLP_OK;
    }
    if (is(name, "df") && !poly)
        return whole_number(r, value, name, 1, DLPI_MOST_BASIS, &r->df);
    if (is(name, "intercept") && !poly) return truth(r, value, name, &s->intercept);
    if (is(name, "knots") && !poly) return numbers(r, value, name, &s->n_knots, &s->knot);
    if (is(name, "Boundary.knots") && !poly) return read_ends(r, value);
    return FAIL_AT(r, at, "%s() has no option '%s'; it has %s", s->node->function->name,
                   dlpi_show(name).text,
                   poly ? "degree and raw"
                   : s->kind == DLP_BASIS_NS
                       ? "df, knots, intercept and Boundary.knots"
                       : "df, knots, degree, intercept and Boundary.knots");
}

/* By their places: poly(x, degree), ns(x, df), bs(x, df). */
static dlp_status read_options(struct reader *r)
{
    struct dlpi_basis_spec *s = r->spec;
    const struct dlpi_node *first = s->node->first->next;
    for (const struct dlpi_node *at = first; at; at = at->next) {
        if (at->kind == DLPI_NODE_OPTION)
            DLP_TRY(read_option(r, at->name, at, at->first));
        else if (at == first)
            DLP_TRY(read_option(r, s->kind == DLP_BASIS_POLY ? "degree" : "df", at, at));
        else
            return FAIL_AT(r, at, "say what this is: name = value");
    }
    return DLP_OK;
}

/* ---- how many columns ---- */

/* How many inner knots the data have to place, given the degrees of freedom. */
static dlp_status count_columns(struct reader *r)
{
    struct dlpi_basis_spec *s = r->spec;
    if (s->kind == DLP_BASIS_POLY || s->kind == DLP_BASIS_RAW) {
        s->columns = s->degree;
        return DLP_OK;
    }
    const dlp_index least = s->kind == DLP_BASIS_NS
                                ? 1 + s->intercept
                                : s->degree + s->intercept; /* no knots */
    if (s->knot && r->df >= 0 && r->df != least + s->n_knots)
        return FAIL_AT(r, s->node,
                       "df and the number of knots do not agree: leave df out");
    if (!s->knot && r->df < 0) r->df = least;
    if (!s->knot && r->df < least)
        return FAIL_AT(r, s->node, "df must be %td or more here", least);
    s->columns = s->knot ? least + s->n_knots : r->df;
    if (!s->knot) s->n_knots = r->df - least;
    return DLP_OK;
}

dlp_status dlpi_basis_spec_read(const dlp_formula *formula, const struct dlpi_node *call,
                                struct dlpi_pool *pool, struct dlpi_basis_spec *spec,
                                dlp_error *error)
{
    struct reader r = {
        .formula = formula, .pool = pool, .spec = spec, .df = -1, .error = error};
    *spec = (struct dlpi_basis_spec){.node = call, .kind = call->function->basis, .d = 1};
    spec->degree = spec->kind == DLP_BASIS_POLY ? 1 : 3;
    DLP_TRY(read_options(&r));
    return count_columns(&r);
}
