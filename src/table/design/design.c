/* SPDX-License-Identifier: BSD-3-Clause */
/* Designs: the steps from a formula and a table to columns. */
#include "table/design/design.h"

#include "core/settings.h"

#include <math.h>

static const dlp_design_options defaults = {.unseen_level = DLP_UNSEEN_ERROR};

void dlp_design_options_init(dlp_design_options *options, size_t size)
{
    dlpi_settings_give(options, size, &defaults, sizeof defaults);
}

static dlp_design_options take_options(const dlp_design_options *given)
{
    dlp_design_options options = defaults;
    dlpi_settings_merge(&options, sizeof options, given);
    return options;
}

dlp_status dlpi_build_no_memory(const struct dlpi_build *build)
{
    return dlpi_no_memory(build->error, "a design");
}

dlp_status dlpi_build_agree(const struct dlpi_build *build, dlp_status mine)
{
    return dlpi_division_agree(build->columns.table->division, mine, build->error);
}

dlp_index dlpi_row_number(const dlp_design *design, dlp_index i)
{
    return (design->row ? design->row[i] : i) + 1;
}

dlp_status dlpi_build_check(const struct dlpi_build *build, const char *label,
                            const double *x)
{
    const dlp_design *d = build->design;
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++)
        if (!isfinite(x[i]))
            return dlp_fail(build->error, DLP_EINPUT,
                            "'%s' is too large in row %td (counted from 1); check the "
                            "values there, or use other units",
                            dlpi_show(label).text, dlpi_row_number(d, i));
    return DLP_OK;
}

/* ---- what it takes to build it again ---- */

static dlp_status describe(struct dlpi_build *b, dlp_terms *terms)
{
    const dlp_index n = b->labels.n;
    dlp_levels *grouping =
        dlpi_pool_take(b->scratch, b->n_groupings + b->n_smooths, sizeof *grouping);
    dlp_levels *factor = dlpi_pool_take(b->scratch, n, sizeof *factor);
    dlp_scaling *scaling = dlpi_pool_take(b->scratch, n, sizeof *scaling);
    dlp_basis *basis =
        dlpi_pool_take(b->scratch, b->n_bases + b->n_smooths, sizeof *basis);
    *terms = (dlp_terms){.formula = dlpi_formula_write(b->formula, &b->dot, b->scratch),
                         .response = {.variable = b->response.label},
                         .factor = factor,
                         .scaling = scaling,
                         .n_groupings = b->n_groupings,
                         .grouping = grouping,
                         .basis = basis,
                         .n_centres = b->options.n_centres,
                         .centre = b->options.centre};
    if (!factor || !scaling || !basis || !grouping || !terms->formula)
        return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < n; i++) {
        const struct dlpi_input *input = b->labelled[i];
        if (input->factor) factor[terms->n_factors++] = input->factor->levels;
        if (input->scaling.variable) scaling[terms->n_scalings++] = input->scaling;
    }
    for (const struct dlpi_bound_basis *at = b->bases; at; at = at->next)
        basis[terms->n_bases++] = at->basis;
    for (dlp_index i = 0; i < b->n_smooths; i++)
        basis[terms->n_bases++] = b->smooth[i].basis;
    for (dlp_index i = 0; i < b->n_groupings; i++) grouping[i] = b->grouping[i]->levels;
    for (dlp_index i = 0; i < b->n_smooths; i++)
        if (dlp_basis_is_process(&b->smooth[i].basis))
            DLP_TRY(dlpi_name_nodes(b, &b->smooth[i], &grouping[terms->n_groupings++]));
    if (b->response.factor) terms->response = b->response.factor->levels;
    if (b->group) terms->group = b->group->levels;
    return DLP_OK;
}

static dlp_status keep_terms(struct dlpi_build *b)
{
    dlp_terms now, *copy = dlpi_pool_take(b->pool, 1, sizeof *copy);
    dlp_formula bound = *b->formula;
    if (!copy) return dlpi_build_no_memory(b);
    if (b->fitted) {
        b->design->terms = copy;
        return dlpi_terms_copy(b->fitted, b->pool, copy, b->error);
    }
    DLP_TRY(describe(b, &now));
    bound.dot = b->dot;
    bound.written = now.formula;
    now.parsed = &bound;
    b->design->terms = copy;
    return dlpi_terms_copy(&now, b->pool, copy, b->error);
}

/* ---- the steps ---- */

/* Where processes have different rows, one may fail alone. */
static dlp_status take_steps(struct dlpi_build *b)
{
    static dlp_status (*const step[])(struct dlpi_build *) = {
        dlpi_build_bind,     dlpi_build_rows,    dlpi_build_references,
        dlpi_build_response, dlpi_build_smooths, dlpi_build_variables,
        dlpi_build_bases,    dlpi_build_columns, dlpi_build_penalised,
        dlpi_build_offset,   dlpi_build_weight,  dlpi_build_group,
        keep_terms,          dlpi_build_random};
    for (size_t i = 0; i < sizeof step / sizeof *step; i++)
        DLP_TRY(dlpi_build_agree(b, step[i](b)));
    return DLP_OK;
}

static dlp_status build_design(const dlp_formula *formula, const dlp_terms *fitted,
                               const dlp_table *table, const dlp_design_options *options,
                               dlp_design **design, dlp_error *error)
{
    struct dlpi_pool scratch = {.spill = table->spill};
    struct dlpi_owned_design *owned = dlpi_calloc(1, sizeof *owned);
    if (!owned) return dlpi_no_memory(error, "a design");
    owned->pool.spill = table->spill;
    struct dlpi_build build = {.formula = formula,
                               .fitted = fitted,
                               .options = *options,
                               .columns.table = table,
                               .scratch = &scratch,
                               .pool = &owned->pool,
                               .design = &owned->design,
                               .error = error};
    const dlp_status status = take_steps(&build);
    dlpi_pool_free(&scratch);
    if (status == DLP_OK)
        *design = &owned->design;
    else
        dlp_design_free(&owned->design);
    return status;
}

static void clear_problem(const dlp_design_options *options)
{
    if (options->problem)
        *options->problem = (dlp_design_problem){.column = -1, .row = -1};
}

static dlp_status check_table(const dlp_table *table, dlp_error *error)
{
    if (table->columns > 0) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT, "the table has no columns");
}

dlp_status dlp_design_build(const dlp_formula *formula, const dlp_table *table,
                            const dlp_design_options *options, dlp_design **design,
                            dlp_error *error)
{
    const dlp_design_options chosen = take_options(options);
    clear_problem(&chosen);
    if (!design) return dlp_fail(error, DLP_EINVAL, "dlp_design_build: design is NULL");
    *design = NULL;
    if (!formula || !table)
        return dlp_fail(error, DLP_EINVAL, "dlp_design_build: formula or table is NULL");
    DLP_TRY(dlpi_settings_check(options, error));
    if (chosen.random && chosen.group)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_design_build: every term varies by options.group, or bars "
                        "are random effects, not both; set group to NULL or random to 0");
    DLP_TRY(check_table(table, error));
    return build_design(formula, NULL, table, &chosen, design, error);
}

dlp_status dlp_design_rebuild(const dlp_terms *terms, const dlp_table *table,
                              const dlp_design_options *options, dlp_design **design,
                              dlp_error *error)
{
    dlp_design_options as_fitted = take_options(options);
    dlp_formula *formula = NULL;
    as_fitted.group = NULL; /* the terms say it */
    clear_problem(&as_fitted);
    if (!design) return dlp_fail(error, DLP_EINVAL, "dlp_design_rebuild: design is NULL");
    *design = NULL;
    DLP_TRY(dlpi_settings_check(options, error));
    if (!terms || !table)
        return dlp_fail(error, DLP_EINVAL, "dlp_design_rebuild: terms or table is NULL");
    if (as_fitted.unseen_level == DLP_UNSEEN_POPULATION ||
        as_fitted.unseen_level == DLP_UNSEEN_AUTO)
        return dlp_fail(error, DLP_EINVAL,
                        "unseen_level: DLP_UNSEEN_POPULATION and DLP_UNSEEN_AUTO are for "
                        "unseen_group only; choose DLP_UNSEEN_ERROR or DLP_UNSEEN_DROP");
    if (as_fitted.unseen_group == DLP_UNSEEN_AUTO)
        as_fitted.unseen_group = DLP_UNSEEN_ERROR;
    DLP_TRY(check_table(table, error));
    DLP_TRY(dlpi_terms_check(terms, error));
    as_fitted.random = terms->n_groupings > 0;
    const dlp_formula *known = dlpi_terms_formula(terms);
    if (!known) DLP_TRY(dlp_formula_parse(terms->formula, &formula, error));
    const dlp_status status =
        build_design(known ? known : formula, terms, table, &as_fitted, design, error);
    dlp_formula_free(formula);
    return status;
}

void dlp_design_free(dlp_design *design)
{
    struct dlpi_owned_design *owned = (struct dlpi_owned_design *)design;
    if (!owned) return;
    dlpi_division_free(owned->design.division);
    dlpi_pool_free(&owned->pool);
    free(owned);
}
