/* SPDX-License-Identifier: BSD-3-Clause */
/* Terms as plain data: copies, and whether they are sound. */
#include "table/design/basis.h"
#include "table/formula/formula.h"

#include <math.h>
#include <string.h>

struct owned_terms {
    dlp_terms terms;
    struct dlpi_pool pool;
};

static bool copy_string(const char *string, struct dlpi_pool *pool, const char **copy)
{
    if (string) *copy = dlpi_pool_copy(pool, string, strlen(string));
    return !string || *copy;
}

static bool copy_levels(const dlp_levels *levels, struct dlpi_pool *pool,
                        dlp_levels *copy)
{
    const char **level = dlpi_pool_take(pool, levels->n, sizeof *level);
    if (!level || !copy_string(levels->variable, pool, &copy->variable)) return false;
    for (dlp_index i = 0; i < levels->n; i++)
        if (!copy_string(levels->level[i], pool, &level[i])) return false;
    copy->n = levels->n;
    copy->level = level;
    return true;
}

static bool copy_numbers(const double *x, dlp_index n, struct dlpi_pool *pool,
                         const double **copy)
{
    double *to = dlpi_pool_take(pool, n, sizeof *to);
    if (to && n > 0) memcpy(to, x, (size_t)n * sizeof *to);
    *copy = to;
    return to != NULL;
}

static bool copy_bases(const dlp_terms *terms, struct dlpi_pool *pool, dlp_basis *basis)
{
    bool ok = basis != NULL;
    for (dlp_index i = 0; ok && i < terms->n_bases; i++) {
        const dlp_basis *of = &terms->basis[i];
        basis[i] = *of;
        basis[i].of = NULL;
        ok = copy_string(of->variable, pool, &basis[i].variable) &&
             copy_numbers(of->knot, of->n_knots * of->d, pool, &basis[i].knot) &&
             copy_numbers(of->weight, of->n_weights, pool, &basis[i].weight);
    }
    return ok;
}

const dlp_formula *dlpi_terms_formula(const dlp_terms *terms)
{
    const dlp_formula *parsed = terms->parsed;
    const bool same =
        parsed && parsed->written && !strcmp(parsed->written, terms->formula);
    return same ? parsed : NULL;
}

/* If the text is not a formula, dlp_design_rebuild says why. */
static bool copy_formula(const dlp_terms *terms, struct dlpi_pool *pool, dlp_terms *copy)
{
    const dlp_formula *known = dlpi_terms_formula(terms);
    dlp_formula *parsed = NULL;
    if (!known) {
        const dlp_status status = dlp_formula_parse(terms->formula, &parsed, NULL);
        if (status != DLP_OK) return status != DLP_ENOMEM;
    }
    copy->parsed = dlpi_formula_copy(known ? known : parsed, pool);
    dlp_formula_free(parsed);
    return copy->parsed != NULL;
}

static bool copy_centres(const dlp_terms *terms, struct dlpi_pool *pool, dlp_terms *copy)
{
    dlp_centre *centre = dlpi_pool_take(pool, terms->n_centres, sizeof *centre);
    bool ok = centre != NULL;
    for (dlp_index i = 0; ok && i < terms->n_centres; i++) {
        centre[i] = terms->centre[i];
        ok = copy_string(terms->centre[i].variable, pool, &centre[i].variable);
    }
    copy->n_centres = terms->n_centres;
    copy->centre = centre;
    return ok;
}

/* The argument of each basis: the first one of its call in the formula. */
static bool find_arguments(const struct dlpi_node *node, const dlp_terms *terms,
                           dlp_basis *basis, struct dlpi_pool *pool)
{
    for (const struct dlpi_node *part = node->first; part; part = part->next) {
        const bool is_basis =
            part->kind == DLPI_NODE_CALL && (part->function->role == DLPI_ROLE_BASIS ||
                                             part->function->role == DLPI_ROLE_SMOOTH);
        if (!find_arguments(part, terms, basis, pool)) return false;
        if (!is_basis) continue;
        const char *call = dlpi_label(part, pool), *of = dlpi_label(part->first, pool);
        if (!call || !of) return false;
        for (dlp_index i = 0; i < terms->n_bases; i++)
            if (!strcmp(basis[i].variable, call)) basis[i].of = of;
    }
    return true;
}

static bool copy_terms(const dlp_terms *terms, struct dlpi_pool *pool, dlp_terms *copy)
{
    dlp_levels *factor = dlpi_pool_take(pool, terms->n_factors, sizeof *factor);
    dlp_scaling *scaling = dlpi_pool_take(pool, terms->n_scalings, sizeof *scaling);
    dlp_levels *grouping = dlpi_pool_take(pool, terms->n_groupings, sizeof *grouping);
    dlp_basis *basis = dlpi_pool_take(pool, terms->n_bases, sizeof *basis);
    if (!factor || !scaling || !grouping) return false;
    for (dlp_index i = 0; i < terms->n_factors; i++)
        if (!copy_levels(&terms->factor[i], pool, &factor[i])) return false;
    for (dlp_index i = 0; i < terms->n_groupings; i++)
        if (!copy_levels(&terms->grouping[i], pool, &grouping[i])) return false;
    for (dlp_index i = 0; i < terms->n_scalings; i++) {
        scaling[i] = terms->scaling[i];
        if (!copy_string(terms->scaling[i].variable, pool, &scaling[i].variable))
            return false;
    }
    *copy = (dlp_terms){.n_factors = terms->n_factors,
                        .factor = factor,
                        .n_scalings = terms->n_scalings,
                        .scaling = scaling,
                        .n_groupings = terms->n_groupings,
                        .grouping = grouping,
                        .n_bases = terms->n_bases,
                        .basis = basis};
    return copy_bases(terms, pool, basis) && copy_centres(terms, pool, copy) &&
           copy_string(terms->formula, pool, &copy->formula) &&
           copy_formula(terms, pool, copy) &&
           (!copy->parsed || find_arguments(copy->parsed->terms, copy, basis, pool)) &&
           copy_levels(&terms->response, pool, &copy->response) &&
           copy_levels(&terms->group, pool, &copy->group);
}

dlp_status dlpi_terms_copy(const dlp_terms *terms, struct dlpi_pool *pool,
                           dlp_terms *copy, dlp_error *error)
{
    return copy_terms(terms, pool, copy) ? DLP_OK : dlpi_no_memory(error, "terms");
}

dlp_status dlp_terms_copy(const dlp_terms *terms, dlp_terms **copy, dlp_error *error)
{
    if (!copy) return dlp_fail(error, DLP_EINVAL, "dlp_terms_copy: copy is NULL");
    *copy = NULL;
    if (!terms) return DLP_OK;
    DLP_TRY(dlpi_terms_check(terms, error));
    struct owned_terms *owned = dlpi_calloc(1, sizeof *owned);
    if (!owned) return dlpi_no_memory(error, "terms");
    const dlp_status status = dlpi_terms_copy(terms, &owned->pool, &owned->terms, error);
    if (status == DLP_OK)
        *copy = &owned->terms;
    else
        dlp_terms_free(&owned->terms);
    return status;
}

void dlp_terms_free(dlp_terms *copy)
{
    struct owned_terms *owned = (struct owned_terms *)copy;
    if (!owned) return;
    dlpi_pool_free(&owned->pool);
    free(owned);
}

dlp_status dlp_terms_features(const dlp_terms *terms, dlp_index *features,
                              dlp_error *error)
{
    dlp_formula *formula = NULL;
    if (!terms || !features)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_terms_features: terms or features is NULL");
    *features = 0;
    const dlp_formula *known = dlpi_terms_formula(terms);
    if (!known) DLP_TRY(dlp_formula_parse(terms->formula, &formula, error));
    *features = dlpi_formula_features(known ? known : formula);
    dlp_formula_free(formula);
    return DLP_OK;
}

/* ---- checks ---- */

static dlp_status fail_terms(dlp_error *error, const char *variable, const char *what)
{
    return dlp_fail(error, DLP_EINPUT,
                    "the terms of the fit are damaged: '%s' %s; fit again",
                    variable ? dlpi_show(variable).text : "", what);
}

/* Adds a name that must be there and new; `of` is what it belongs to. */
static dlp_status check_name(struct dlpi_name_index *names, const char *name,
                             const char *of, dlp_error *error)
{
    const dlp_index before = names->n;
    if (!name) return fail_terms(error, of, "has a part without a name");
    if (dlpi_name_index_add_text(names, name) < 0) return dlpi_no_memory(error, "terms");
    return names->n > before ? DLP_OK : fail_terms(error, name, "is there twice");
}

static dlp_status check_levels(const dlp_levels *levels, dlp_index least,
                               dlp_error *error)
{
    struct dlpi_pool pool = {0};
    struct dlpi_name_index names = {.pool = &pool};
    dlp_status status = DLP_OK;
    if (levels->n < least || levels->n > INT32_MAX || (levels->n > 0 && !levels->level))
        return fail_terms(error, levels->variable, "has too few levels");
    for (dlp_index i = 0; i < levels->n && status == DLP_OK; i++)
        status = check_name(&names, levels->level[i], levels->variable, error);
    dlpi_pool_free(&pool);
    return status;
}

static dlp_status check_parts(const dlp_terms *terms, struct dlpi_name_index *names,
                              dlp_error *error)
{
    for (dlp_index i = 0; i < terms->n_factors; i++) {
        DLP_TRY(check_name(names, terms->factor[i].variable, "factors", error));
        DLP_TRY(check_levels(&terms->factor[i], 2, error));
    }
    for (dlp_index i = 0; i < terms->n_scalings; i++) {
        const dlp_scaling *s = &terms->scaling[i];
        DLP_TRY(check_name(names, s->variable, "scalings", error));
        if (!isfinite(s->centre) || !isfinite(s->spread) || s->spread <= 0)
            return fail_terms(error, s->variable, "has no centre and spread");
    }
    return DLP_OK;
}

/* The regions of besag() are a factor of the same name. */
static dlp_status check_bases(const dlp_terms *terms, struct dlpi_name_index *names,
                              dlp_error *error)
{
    for (dlp_index i = 0; i < terms->n_bases; i++) {
        DLP_TRY(check_name(names, terms->basis[i].variable, "bases", error));
        if (!dlpi_basis_is_sound(&terms->basis[i]))
            return fail_terms(error, terms->basis[i].variable, "has no constants");
    }
    return DLP_OK;
}

/* A grouping may be a factor of the terms, too. */
static dlp_status check_groupings(const dlp_terms *terms, struct dlpi_name_index *names,
                                  dlp_error *error)
{
    for (dlp_index i = 0; i < terms->n_groupings; i++) {
        DLP_TRY(check_name(names, terms->grouping[i].variable, "groupings", error));
        DLP_TRY(check_levels(&terms->grouping[i], 2, error));
    }
    return DLP_OK;
}

static dlp_status check_centres(const dlp_terms *terms, struct dlpi_name_index *names,
                                dlp_error *error)
{
    for (dlp_index i = 0; i < terms->n_centres; i++) {
        DLP_TRY(check_name(names, terms->centre[i].variable, "centres", error));
        if (!isfinite(terms->centre[i].centre))
            return fail_terms(error, terms->centre[i].variable, "has no centre");
    }
    return DLP_OK;
}

static dlp_status check_lists(const dlp_terms *terms, dlp_error *error)
{
    struct dlpi_pool pool = {0};
    struct dlpi_name_index names = {.pool = &pool}, groupings = {.pool = &pool},
                           bases = {.pool = &pool}, centres = {.pool = &pool};
    dlp_status status = check_parts(terms, &names, error);
    if (status == DLP_OK) status = check_bases(terms, &bases, error);
    if (status == DLP_OK) status = check_groupings(terms, &groupings, error);
    if (status == DLP_OK) status = check_centres(terms, &centres, error);
    dlpi_pool_free(&pool);
    return status;
}

dlp_status dlpi_terms_check(const dlp_terms *terms, dlp_error *error)
{
    if (!terms->formula) return fail_terms(error, "formula", "is absent");
    if (terms->n_factors < 0 || (terms->n_factors > 0 && !terms->factor))
        return fail_terms(error, "factors", "are absent");
    if (terms->n_scalings < 0 || (terms->n_scalings > 0 && !terms->scaling))
        return fail_terms(error, "scalings", "are absent");
    if (terms->n_bases < 0 || (terms->n_bases > 0 && !terms->basis))
        return fail_terms(error, "bases", "are absent");
    if (terms->n_centres < 0 || (terms->n_centres > 0 && !terms->centre))
        return fail_terms(error, "centres", "are absent");
    DLP_TRY(check_levels(&terms->response, 0, error));
    DLP_TRY(check_levels(&terms->group, terms->group.variable != NULL, error));
    if (terms->n_groupings < 0 || (terms->n_groupings > 0 && !terms->grouping))
        return fail_terms(error, "groupings", "are absent");
    if (terms->n_groupings > 0 && terms->group.variable)
        return fail_terms(error, terms->group.variable, "groups beside random effects");
    return check_lists(terms, error);
}
