/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ar1(t | g), bym2(region) and the like in a design: random effects of one intercept for each
 * node, which are levels called by the series and t, "g1:3", or by the region.
 */
#include "table/design/basis.h"

#include <string.h>

#define FAIL_AT(b, node, ...)                                                            \
    dlpi_formula_fail((b)->formula->text, (node)->at, (b)->error, __VA_ARGS__)

/* ---- groups ---- */

/* Where the effects of groups are left out, only processes by group are. */
static bool is_skipped(const struct dlpi_build *b, const struct dlpi_bound_smooth *s)
{
    return b->fitted && b->options.skip_groupings && s->spec->series;
}

dlp_status dlpi_bind_series(struct dlpi_build *build, struct dlpi_bound_smooth *s)
{
    struct dlpi_build *b = build;
    struct dlpi_variable *variable = dlpi_pool_take(b->scratch, 1, sizeof *variable);
    const dlp_levels *fitted = dlpi_fitted_factor(b, s->label);
    if (is_skipped(b, s)) return DLP_OK;
    if (!variable) return dlpi_build_no_memory(b);
    if (b->fitted && !fitted)
        return FAIL_AT(b, s->spec->node, "the fit has no groups of this; fit again");
    *variable = (struct dlpi_variable){.label = s->label, .node = s->spec->node};
    return dlpi_bind_labelled(b, variable, s->spec->series, fitted,
                              b->options.unseen_group, &s->series);
}

/* ---- names ---- */

static const char *name_node(const struct dlpi_build *b,
                             const struct dlpi_bound_smooth *s, dlp_index i)
{
    const dlp_basis *basis = &s->basis;
    struct dlpi_text text = {.pool = b->scratch};
    char number[DLPI_NUMBER_TEXT];
    if (s->region) return s->region->levels.level[i];
    dlpi_number_text(basis->knot[i], number);
    if (s->series && (!dlpi_text_add_string(
                          &text, s->series->levels.level[(dlp_index)basis->weight[i]]) ||
                      !dlpi_text_add_string(&text, ":")))
        return NULL;
    return dlpi_text_add_string(&text, number) ? text.data : NULL;
}

dlp_status dlpi_name_nodes(struct dlpi_build *build, const struct dlpi_bound_smooth *s,
                           dlp_levels *levels)
{
    const dlp_index n = s->basis.n_knots;
    const char **name = dlpi_pool_take(build->scratch, n, sizeof *name);
    if (!name) return dlpi_build_no_memory(build);
    *levels = (dlp_levels){.variable = s->name, .n = n, .level = name};
    for (dlp_index i = 0; i < n; i++) {
        name[i] = name_node(build, s, i);
        if (!name[i]) return dlpi_build_no_memory(build);
    }
    return DLP_OK;
}

/* ---- random effects ---- */

dlp_index dlpi_count_processes(const struct dlpi_build *build)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < build->n_smooths; i++)
        n += dlp_basis_is_process(&build->smooth[i].basis);
    return n;
}

/* Each row's node. */
static const int32_t *code_rows(const struct dlpi_build *b,
                                const struct dlpi_bound_smooth *s)
{
    const dlp_index N = b->design->N;
    int32_t *code = dlpi_pool_take(b->pool, N, sizeof *code);
    for (dlp_index i = 0; code && i < N; i++) {
        const int32_t series = s->series ? s->series->code[i] : 0;
        code[i] = is_skipped(b, s) || series < 0
                      ? -1
                      : dlpi_process_node(&s->basis, series, s->at[i]);
    }
    return code;
}

static const dlp_basis *kept_basis(const struct dlpi_build *b, const char *label)
{
    const dlp_terms *terms = b->design->terms;
    for (dlp_index i = 0; i < terms->n_bases; i++)
        if (strcmp(terms->basis[i].variable, label) == 0) return &terms->basis[i];
    return NULL;
}

static const dlp_levels *kept_levels(const struct dlpi_build *b, const char *name)
{
    const dlp_terms *terms = b->design->terms;
    for (dlp_index i = 0; i < terms->n_groupings; i++)
        if (strcmp(terms->grouping[i].variable, name) == 0) return &terms->grouping[i];
    return NULL;
}

static dlp_status add_process(struct dlpi_build *b, const struct dlpi_bound_smooth *s,
                              dlp_random *out)
{
    static const char *const intercept[] = {"(Intercept)"};
    const dlp_index N = b->design->N;
    const double **x = dlpi_pool_take(b->pool, 1, sizeof *x);
    double *one = dlpi_pool_take(b->pool, N, sizeof *one);
    const dlp_basis *basis = kept_basis(b, s->label);
    const dlp_levels *levels = kept_levels(b, s->name);
    const int32_t *code = code_rows(b, s);
    dlp_index *column = dlpi_pool_take(b->pool, 1, sizeof *column);
    if (!x || !one || !code || !column) return dlpi_build_no_memory(b);
    if (!basis || !levels || levels->n != basis->n_knots)
        return FAIL_AT(b, s->spec->node,
                       "the levels of the fit do not match its nodes; fit again");
    for (dlp_index i = 0; i < N; i++) one[i] = 1;
    x[0] = one;
    column[0] = s->series ? s->series->column : -1;
    *out = (dlp_random){.label = levels->variable,
                        .group = *levels,
                        .code = code,
                        .q = 1,
                        .x = x,
                        .name = intercept,
                        .process = basis,
                        .at = s->at,
                        .series = s->series ? s->series->code : NULL,
                        .n_columns = s->series != NULL,
                        .column = column};
    return DLP_OK;
}

dlp_status dlpi_add_processes(struct dlpi_build *build, dlp_random *random)
{
    for (dlp_index i = 0; i < build->n_smooths; i++)
        if (dlp_basis_is_process(&build->smooth[i].basis))
            DLP_TRY(add_process(build, &build->smooth[i],
                                &random[build->design->n_random++]));
    return DLP_OK;
}
