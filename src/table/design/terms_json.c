/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/design/terms_json.h"

#include "core/core.h"
#include "io/json.h"
#include "table/design/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- written ---- */

static json_t *string_at(const void *of, dlp_index i)
{
    return json_string(((const char *const *)of)[i]);
}

static json_t *levels_json(const dlp_levels *of)
{
    if (!of->variable) return json_null();
    return json_pack("{s:s, s:o}", "variable", of->variable, "levels",
                     dlpi_json_list(of->n, string_at, of->level));
}

static json_t *factor_at(const void *of, dlp_index i)
{
    return levels_json(&((const dlp_terms *)of)->factor[i]);
}

static json_t *grouping_at(const void *of, dlp_index i)
{
    return levels_json(&((const dlp_terms *)of)->grouping[i]);
}

static json_t *scaling_at(const void *of, dlp_index i)
{
    const dlp_scaling *s = &((const dlp_terms *)of)->scaling[i];
    return json_pack("{s:s, s:o, s:o}", "variable", s->variable, "centre",
                     dlpi_json_real(s->centre), "spread", dlpi_json_real(s->spread));
}

static json_t *number_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const double *)of)[i]);
}

static json_t *basis_at(const void *of, dlp_index i)
{
    const dlp_basis *b = &((const dlp_terms *)of)->basis[i];
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:o, s:o}", "variable", b->variable,
                     "kind", dlp_basis_name((int)b->kind), "variables", (json_int_t)b->d,
                     "degree", (json_int_t)b->degree, "columns", (json_int_t)b->columns,
                     "fixed", (json_int_t)b->fixed, "knots",
                     dlpi_json_list(b->n_knots * b->d, number_at, b->knot), "weights",
                     dlpi_json_list(b->n_weights, number_at, b->weight));
}

static json_t *centre_at(const void *of, dlp_index i)
{
    const dlp_centre *c = &((const dlp_terms *)of)->centre[i];
    return json_pack("{s:s, s:o}", "variable", c->variable, "centre",
                     dlpi_json_real(c->centre));
}

/* A list that only some terms have. */
static int add_list(json_t *json, const char *key, dlp_index n,
                    json_t *at(const void *, dlp_index), const dlp_terms *terms)
{
    return n == 0 ? 0 : json_object_set_new(json, key, dlpi_json_list(n, at, terms));
}

json_t *dlpi_terms_json(const dlp_terms *terms, dlp_index p, const char *const *column)
{
    json_t *json =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "formula", terms->formula, "response",
                  levels_json(&terms->response), "group", levels_json(&terms->group),
                  "factors", dlpi_json_list(terms->n_factors, factor_at, terms),
                  "scalings", dlpi_json_list(terms->n_scalings, scaling_at, terms),
                  "columns", dlpi_json_list(p, string_at, column));
    if (add_list(json, "groupings", terms->n_groupings, grouping_at, terms) == 0 &&
        add_list(json, "bases", terms->n_bases, basis_at, terms) == 0 &&
        add_list(json, "centres", terms->n_centres, centre_at, terms) == 0)
        return json;
    json_decref(json);
    return NULL;
}

/* ---- read back ---- */

/* Terms whose lists we own and whose texts belong to the JSON value. */
typedef struct borrowed {
    const char *name; /* of the file */
    dlp_error *error;
    dlp_terms terms;
    dlp_levels *factor, *grouping;
    dlp_scaling *scaling;
    dlp_basis *basis;
    dlp_centre *centre;
} borrowed;

static void free_levels(dlp_index n, dlp_levels *levels)
{
    for (dlp_index i = 0; levels && i < n; i++) free((void *)levels[i].level);
    free(levels);
}

static void free_borrowed(borrowed *b)
{
    free_levels(b->terms.n_factors, b->factor);
    free_levels(b->terms.n_groupings, b->grouping);
    free((void *)b->terms.response.level);
    free((void *)b->terms.group.level);
    free(b->scaling);
    free(b->centre);
    for (dlp_index i = 0; b->basis && i < b->terms.n_bases; i++) {
        free((void *)b->basis[i].knot);
        free((void *)b->basis[i].weight);
    }
    free(b->basis);
}

static dlp_status wrong(const borrowed *b, const char *key, const char *expected)
{
    return dlp_fail(b->error, DLP_EINPUT,
                    "%s: \"%s\" must be %s; the file is damaged or edited, fit again",
                    b->name, key, expected);
}

static dlp_status read_text(const borrowed *b, const json_t *object, const char *key,
                            const char **text)
{
    *text = json_string_value(json_object_get(object, key));
    return *text ? DLP_OK : wrong(b, key, "a text");
}

static dlp_status read_real(const borrowed *b, const json_t *object, const char *key,
                            double *real)
{
    const json_t *value = json_object_get(object, key);
    *real = json_number_value(value);
    return json_is_number(value) && isfinite(*real) ? DLP_OK : wrong(b, key, "a number");
}

/* The texts of a list, to be freed as one; they stay the list's. */
static dlp_status list_texts(const borrowed *b, const char *key, const json_t *list,
                             const char *const **texts)
{
    const size_t n = json_array_size(list);
    if (!json_is_array(list)) return wrong(b, key, "a list of texts");
    const char **text = calloc(n + 1, sizeof *text);
    if (!text) return dlpi_no_memory_to_read(b->error, b->name);
    *texts = text;
    for (size_t i = 0; i < n; i++) {
        text[i] = json_string_value(json_array_get(list, i));
        if (!text[i]) return wrong(b, key, "a list of texts");
    }
    return DLP_OK;
}

static dlp_status borrow_levels(const borrowed *b, const char *key, const json_t *object,
                                dlp_levels *levels)
{
    const json_t *list = json_object_get(object, "levels");
    if (json_is_null(object)) return DLP_OK;
    DLP_TRY(read_text(b, object, "variable", &levels->variable));
    levels->n = (dlp_index)json_array_size(list);
    return list_texts(b, key, list, &levels->level);
}

/* A list of variables with their levels. */
static dlp_status borrow_list(const borrowed *b, const char *key, const json_t *list,
                              dlp_levels **levels, dlp_index *count)
{
    const size_t n = json_array_size(list);
    if (!json_is_array(list)) return wrong(b, key, "a list");
    *levels = calloc(n + 1, sizeof **levels);
    if (!*levels) return dlpi_no_memory_to_read(b->error, b->name);
    *count = (dlp_index)n;
    for (size_t i = 0; i < n; i++) {
        DLP_TRY(borrow_levels(b, key, json_array_get(list, i), &(*levels)[i]));
        if (!(*levels)[i].variable) return wrong(b, key, "a list of variables");
    }
    return DLP_OK;
}

static dlp_status borrow_factors(borrowed *b, const json_t *list)
{
    const dlp_status status =
        borrow_list(b, "factors", list, &b->factor, &b->terms.n_factors);
    b->terms.factor = b->factor;
    return status;
}

/* Fits without random effects have none. */
static dlp_status borrow_groupings(borrowed *b, const json_t *list)
{
    if (!list) return DLP_OK;
    const dlp_status status =
        borrow_list(b, "groupings", list, &b->grouping, &b->terms.n_groupings);
    b->terms.grouping = b->grouping;
    return status;
}

static dlp_status borrow_scalings(borrowed *b, const json_t *list)
{
    const size_t n = json_array_size(list);
    if (!json_is_array(list)) return wrong(b, "scalings", "a list");
    b->scaling = calloc(n + 1, sizeof *b->scaling);
    if (!b->scaling) return dlpi_no_memory_to_read(b->error, b->name);
    b->terms.scaling = b->scaling;
    b->terms.n_scalings = (dlp_index)n;
    for (size_t i = 0; i < n; i++) {
        const json_t *scaling = json_array_get(list, i);
        DLP_TRY(read_text(b, scaling, "variable", &b->scaling[i].variable));
        DLP_TRY(read_real(b, scaling, "centre", &b->scaling[i].centre));
        DLP_TRY(read_real(b, scaling, "spread", &b->scaling[i].spread));
    }
    return DLP_OK;
}

/* Numbers of a list, to be freed; *n of them. */
static dlp_status list_numbers(const borrowed *b, const json_t *object, const char *key,
                               dlp_index *n, const double **numbers)
{
    const json_t *list = json_object_get(object, key);
    const size_t size = json_array_size(list);
    if (!json_is_array(list)) return wrong(b, key, "a list of numbers");
    double *x = calloc(size + 1, sizeof *x);
    if (!x) return dlpi_no_memory_to_read(b->error, b->name);
    *numbers = x;
    *n = (dlp_index)size;
    for (size_t i = 0; i < size; i++) {
        const json_t *value = json_array_get(list, i);
        x[i] = json_number_value(value);
        if (!json_is_number(value)) return wrong(b, key, "a list of numbers");
    }
    return DLP_OK;
}

static dlp_status read_size(const borrowed *b, const json_t *object, const char *key,
                            dlp_index *size)
{
    const json_t *value = json_object_get(object, key);
    const json_int_t n = json_integer_value(value);
    *size = (dlp_index)n;
    return json_is_integer(value) && n >= 0 && n <= INT32_MAX
               ? DLP_OK
               : wrong(b, key, "a whole number");
}

static dlp_status borrow_basis(const borrowed *b, const json_t *object, dlp_basis *basis)
{
    const char *kind;
    DLP_TRY(read_text(b, object, "variable", &basis->variable));
    DLP_TRY(read_text(b, object, "kind", &kind));
    basis->kind = dlpi_basis_kind_of(kind);
    DLP_TRY(read_size(b, object, "variables", &basis->d));
    DLP_TRY(read_size(b, object, "degree", &basis->degree));
    DLP_TRY(read_size(b, object, "columns", &basis->columns));
    DLP_TRY(read_size(b, object, "fixed", &basis->fixed));
    DLP_TRY(list_numbers(b, object, "weights", &basis->n_weights, &basis->weight));
    DLP_TRY(list_numbers(b, object, "knots", &basis->n_knots, &basis->knot));
    if (basis->d < 1 || basis->n_knots % basis->d != 0)
        return wrong(b, "knots", "a list of one number for each of \"variables\"");
    basis->n_knots /= basis->d;
    return DLP_OK;
}

/* Only formulas with poly(), splines or smooths have any. */
static dlp_status borrow_bases(borrowed *b, const json_t *list)
{
    const size_t n = json_array_size(list);
    if (!list) return DLP_OK;
    if (!json_is_array(list)) return wrong(b, "bases", "a list");
    b->basis = calloc(n + 1, sizeof *b->basis);
    if (!b->basis) return dlpi_no_memory_to_read(b->error, b->name);
    b->terms.basis = b->basis;
    b->terms.n_bases = (dlp_index)n;
    for (size_t i = 0; i < n; i++)
        DLP_TRY(borrow_basis(b, json_array_get(list, i), &b->basis[i]));
    return DLP_OK;
}

/* Few fits have any. */
static dlp_status borrow_centres(borrowed *b, const json_t *list)
{
    const size_t n = json_array_size(list);
    if (!list) return DLP_OK;
    if (!json_is_array(list)) return wrong(b, "centres", "a list");
    b->centre = calloc(n + 1, sizeof *b->centre);
    if (!b->centre) return dlpi_no_memory_to_read(b->error, b->name);
    b->terms.centre = b->centre;
    b->terms.n_centres = (dlp_index)n;
    for (size_t i = 0; i < n; i++) {
        const json_t *centre = json_array_get(list, i);
        DLP_TRY(read_text(b, centre, "variable", &b->centre[i].variable));
        DLP_TRY(read_real(b, centre, "centre", &b->centre[i].centre));
    }
    return DLP_OK;
}

static dlp_status borrow_terms(borrowed *b, const json_t *object)
{
    DLP_TRY(read_text(b, object, "formula", &b->terms.formula));
    DLP_TRY(borrow_levels(b, "response", json_object_get(object, "response"),
                          &b->terms.response));
    DLP_TRY(borrow_levels(b, "group", json_object_get(object, "group"), &b->terms.group));
    DLP_TRY(borrow_factors(b, json_object_get(object, "factors")));
    DLP_TRY(borrow_groupings(b, json_object_get(object, "groupings")));
    DLP_TRY(borrow_bases(b, json_object_get(object, "bases")));
    DLP_TRY(borrow_centres(b, json_object_get(object, "centres")));
    return borrow_scalings(b, json_object_get(object, "scalings"));
}

static dlp_status copy_columns(const borrowed *b, const json_t *list,
                               dlpi_read_columns *columns)
{
    const size_t n = json_array_size(list);
    if (!json_is_array(list)) return wrong(b, "columns", "a list of texts");
    columns->column = calloc(n + 1, sizeof *columns->column);
    if (!columns->column) return dlpi_no_memory_to_read(b->error, b->name);
    for (; (size_t)columns->p < n; columns->p++) {
        const char *text = json_string_value(json_array_get(list, (size_t)columns->p));
        if (!text) return wrong(b, "columns", "a list of texts");
        columns->column[columns->p] = strdup(text);
        if (!columns->column[columns->p])
            return dlpi_no_memory_to_read(b->error, b->name);
    }
    return DLP_OK;
}

dlp_status dlpi_terms_parse(const char *name, const json_t *object,
                            dlpi_read_columns *columns, dlp_error *error)
{
    borrowed b = {.name = name, .error = error};
    *columns = (dlpi_read_columns){0};
    dlp_status status = borrow_terms(&b, object);
    if (status == DLP_OK) status = dlp_terms_copy(&b.terms, &columns->terms, error);
    if (status == DLP_OK)
        status = copy_columns(&b, json_object_get(object, "columns"), columns);
    free_borrowed(&b);
    if (status != DLP_OK) dlpi_read_columns_clear(columns);
    return status;
}

void dlpi_read_columns_clear(dlpi_read_columns *columns)
{
    for (dlp_index j = 0; j < columns->p; j++) free(columns->column[j]);
    free(columns->column);
    dlp_terms_free(columns->terms);
    *columns = (dlpi_read_columns){0};
}
