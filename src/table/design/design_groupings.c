/* SPDX-License-Identifier: BSD-3-Clause */
/* What groups the rows of random effects: columns, and combinations of them. */
#include "table/design/design.h"

#include <math.h>

#define FAIL_AT(b, node, ...)                                                            \
    dlpi_formula_fail((b)->formula->text, (node)->at, (b)->error, __VA_ARGS__)

/* ---- columns ---- */

/* Users who group by measurements most likely meant them for a slope. */
static dlp_status check_whole(const struct dlpi_build *b, const struct dlpi_node *name,
                              const dlp_column *column)
{
    const dlp_table *table = b->columns.table;
    for (dlp_index i = 0; column->kind == DLP_NUMERIC && i < table->rows; i++) {
        const double x = column->number[i];
        char value[DLPI_NUMBER_TEXT];
        if (!isfinite(x) || x == floor(x)) continue;
        if (b->options.keep && !b->options.keep[i]) continue;
        dlpi_number_text(x, value);
        const struct dlpi_shown shown = dlpi_show(column->name);
        return FAIL_AT(b, name,
                       "column '%s' is %s in row %td (counted from 1), and groups are "
                       "names or whole numbers; write factor(%s) if each number is a "
                       "group",
                       shown.text, value, i + 1, shown.text);
    }
    return DLP_OK;
}

/* Where groupings are looked up. */
struct known {
    struct dlpi_name_index response; /* the names of columns in it */
    struct dlpi_name_index fitted;   /* the groupings of the fit */
    struct dlpi_name_index names;    /* the groupings so far, */
    dlp_index *first;                /* and the place of each in the formula */
};

static dlp_status find_column(struct dlpi_build *b, const struct known *known,
                              const struct dlpi_node *part, dlp_index *column)
{
    const struct dlpi_node *name = dlpi_factor_name(part);
    DLP_TRY(dlpi_columns_find(&b->columns, b->formula, name, column, b->error));
    if (b->fitted) return DLP_OK;
    if (dlpi_name_index_find_text(&known->response, name->name) >= 0)
        return FAIL_AT(b, part,
                       "the response has '%s' in it, so it cannot group the rows; group "
                       "by another column",
                       dlpi_show(name->name).text);
    return part == name ? check_whole(b, name, &b->columns.table->column[*column])
                        : DLP_OK;
}

/* ---- combinations ---- */

static dlp_status combine(struct dlpi_build *b, const struct known *known,
                          const struct dlpi_grouping *group, struct dlpi_factor *factor)
{
    struct dlpi_factor *part = dlpi_pool_take(b->scratch, group->n, sizeof *part);
    if (!part) return dlpi_build_no_memory(b);
    for (dlp_index k = 0; k < group->n; k++) {
        DLP_TRY(find_column(b, known, group->part[k], &part[k].column));
        b->columns.used[part[k].column] = true;
        DLP_TRY(dlpi_factor_find(b->columns.table, b->scratch, &part[k], b->error));
    }
    factor->column = part[0].column;
    return dlpi_factor_combine(part, group->n, b->columns.table->rows, b->scratch, factor,
                               b->error);
}

static dlp_status bind_combination(struct dlpi_build *b, const struct known *known,
                                   const struct dlpi_grouping *group,
                                   const dlp_levels *fitted, struct dlpi_factor **out)
{
    struct dlpi_factor *factor = dlpi_pool_take(b->scratch, 1, sizeof *factor);
    if (!factor) return dlpi_build_no_memory(b);
    *factor = (struct dlpi_factor){.variable = group->name,
                                   .unseen = b->options.unseen_group,
                                   .levels = {.variable = group->name}};
    DLP_TRY(combine(b, known, group, factor));
    b->factor[b->n_factors++] = *out = factor;
    return fitted ? dlpi_factor_take(fitted, b->scratch, factor, b->error) : DLP_OK;
}

/* ---- the list ---- */

/* A grouping with the levels of the fit, and no codes of rows. */
static dlp_status skip_grouping(struct dlpi_build *b, const dlp_levels *fitted,
                                struct dlpi_factor **out)
{
    struct dlpi_factor *factor = dlpi_pool_take(b->scratch, 1, sizeof *factor);
    if (!factor) return dlpi_build_no_memory(b);
    *factor = (struct dlpi_factor){.variable = fitted->variable, .levels = *fitted};
    *out = factor;
    return DLP_OK;
}

static dlp_status bind_grouping(struct dlpi_build *b, const struct known *known,
                                const struct dlpi_grouping *group,
                                const dlp_levels *fitted, struct dlpi_factor **out)
{
    dlp_index column;
    if (fitted && b->options.skip_groupings) return skip_grouping(b, fitted, out);
    if (group->n > 1) {
        DLP_TRY(bind_combination(b, known, group, fitted, out));
    } else {
        DLP_TRY(find_column(b, known, group->part[0], &column));
        DLP_TRY(dlpi_bind_factor(b, group->name, column, fitted, b->options.unseen_group,
                                 out));
    }
    (*out)->is_group = true;
    return DLP_OK;
}

/* Checks that two groupings with one name are the same. */
static dlp_status check_same(struct dlpi_build *b, const struct dlpi_grouping *group,
                             const struct dlpi_grouping *before)
{
    if (group->n == before->n) return DLP_OK;
    return FAIL_AT(b, group->part[0],
                   "'%s' is a column, and a combination of columns as well; rename the "
                   "column",
                   dlpi_show(group->name).text);
}

/* The levels of the fit, or NULL where this is the fit. */
static dlp_status find_fitted(struct dlpi_build *b, const struct known *known,
                              const struct dlpi_grouping *group, const dlp_levels **out)
{
    *out = NULL;
    if (!b->fitted) return DLP_OK;
    const dlp_index i = dlpi_name_index_find_text(&known->fitted, group->name);
    if (i < 0)
        return FAIL_AT(b, group->part[0], "the fit has no levels of '%s'; fit again",
                       dlpi_show(group->name).text);
    *out = &b->fitted->grouping[i];
    return DLP_OK;
}

static dlp_status bind_group(struct dlpi_build *b, struct known *known, dlp_index i)
{
    const struct dlpi_grouping *group = &b->formula->group[i];
    const dlp_levels *levels;
    const dlp_index number = dlpi_name_index_add_text(&known->names, group->name);
    if (number < 0) return dlpi_build_no_memory(b);
    b->grouping_of[i] = number;
    if (number < b->n_groupings)
        return check_same(b, group, &b->formula->group[known->first[number]]);
    known->first[number] = i;
    DLP_TRY(find_fitted(b, known, group, &levels));
    return bind_grouping(b, known, group, levels, &b->grouping[b->n_groupings++]);
}

static dlp_status make_room(struct dlpi_build *b, struct known *known)
{
    const dlp_index n = b->formula->n_groups;
    const struct dlpi_node *response = b->formula->response;
    known->response.pool = known->fitted.pool = known->names.pool = b->scratch;
    known->first = dlpi_pool_take(b->scratch, n, sizeof *known->first);
    b->grouping = dlpi_pool_take(b->scratch, n, sizeof(struct dlpi_factor *));
    b->grouping_of = dlpi_pool_take(b->scratch, n, sizeof *b->grouping_of);
    bool ok = known->first && b->grouping && b->grouping_of &&
              (!response || dlpi_add_names(response, &known->response));
    for (dlp_index i = 0; b->fitted && i < b->fitted->n_groupings; i++)
        ok = ok && dlpi_name_index_add_text(&known->fitted,
                                            b->fitted->grouping[i].variable) >= 0;
    return ok ? DLP_OK : dlpi_build_no_memory(b);
}

/* The nodes of each process are a grouping, too. */
static dlp_index count_processes(const dlp_terms *terms)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < terms->n_bases; i++)
        n += dlp_basis_is_process(&terms->basis[i]);
    return n;
}

dlp_status dlpi_bind_groupings(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    struct known known = {.first = NULL};
    DLP_TRY(make_room(b, &known));
    for (dlp_index i = 0; i < b->formula->n_groups; i++)
        DLP_TRY(bind_group(b, &known, i));
    if (b->fitted &&
        b->n_groupings + count_processes(b->fitted) != b->fitted->n_groupings)
        return dlp_fail(b->error, DLP_EINPUT,
                        "the terms of the fit are damaged: they have groupings that "
                        "their formula does not; fit again");
    return DLP_OK;
}
