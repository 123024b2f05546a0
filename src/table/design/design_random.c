/* SPDX-License-Identifier: BSD-3-Clause */
/* The random effects of a design: the effects inside each bar with each of its groupings. */
#include "table/design/design.h"

#include <stdio.h>

#define FAIL_AT(b, node, ...)                                                            \
    dlpi_formula_fail((b)->formula->text, (node)->at, (b)->error, __VA_ARGS__)

/* ---- groupings ---- */

static dlp_status check_levels(const struct dlpi_build *b,
                               const struct dlpi_factor *grouping)
{
    if (b->fitted || grouping->levels.n > 1) return DLP_OK;
    return dlp_fail(b->error, DLP_EINPUT,
                    "'%s' is '%s' in each of the %td rows used, and effects that vary by "
                    "group need two groups; take its bars out of the formula",
                    dlpi_show(grouping->variable).text,
                    dlpi_show(grouping->levels.level[0]).text, b->design->N);
}

static dlp_status code_as_new(struct dlpi_build *b, struct dlpi_factor *grouping)
{
    const dlp_index N = b->design->N;
    int32_t *code = dlpi_pool_take(b->pool, N, sizeof *code);
    if (!code) return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < N; i++) code[i] = -1;
    grouping->code = code;
    return DLP_OK;
}

static dlp_status code_groupings(struct dlpi_build *b)
{
    const dlp_design *d = b->design;
    for (dlp_index i = 0; i < b->n_groupings; i++) {
        DLP_TRY(check_levels(b, b->grouping[i]));
        if (b->fitted && b->options.skip_groupings) {
            DLP_TRY(code_as_new(b, b->grouping[i]));
            continue;
        }
        DLP_TRY(dlpi_factor_code(b->columns.table, d->row, d->N, d->division, b->pool,
                                 b->grouping[i], b->error));
    }
    return DLP_OK;
}

/* The levels of a grouping, in the design's own memory. */
static dlp_levels levels_of(const struct dlpi_build *b, dlp_index grouping,
                            const struct dlpi_name_index *kept)
{
    const char *name = b->grouping[grouping]->variable;
    return b->design->terms->grouping[dlpi_name_index_find_text(kept, name)];
}

/* ---- effects ---- */

/* Checks that no effect varies by the same groups twice: the sum of two is one. */
static dlp_status check_once(struct dlpi_build *b, const struct dlpi_node *bar,
                             dlp_index grouping, const dlp_design *columns,
                             struct dlpi_name_index *met)
{
    for (dlp_index j = 0; j < columns->p && !b->fitted; j++) {
        struct dlpi_text key = {.pool = b->scratch};
        char number[32];
        const dlp_index before = met->n;
        snprintf(number, sizeof number, "%td ", grouping);
        if (!dlpi_text_add_string(&key, number) ||
            !dlpi_text_add_string(&key, columns->name[j]) ||
            dlpi_name_index_add(met, key.data, key.size) < 0)
            return dlpi_build_no_memory(b);
        if (met->n > before) continue;
        return FAIL_AT(
            b, bar,
            "%s varies by '%s' in an earlier term, too; keep it in one of them, "
            "as in (1 | g) + (0 + x | g)",
            dlpi_show(columns->name[j]).text,
            dlpi_show(b->grouping[grouping]->variable).text);
    }
    return DLP_OK;
}

static const char *label_of(const struct dlpi_build *b, const char *effects,
                            const char *grouping)
{
    struct dlpi_text text = {.pool = b->pool};
    const bool ok = dlpi_text_add_string(&text, effects) &&
                    dlpi_text_add_string(&text, " | ") &&
                    dlpi_text_add_string(&text, grouping);
    return ok ? text.data : NULL;
}

/* The columns of a grouping that the table has. */
static bool list_columns(const struct dlpi_build *b, const struct dlpi_grouping *group,
                         dlp_random *out)
{
    dlp_index *column = dlpi_pool_take(b->pool, group->n, sizeof *column);
    for (dlp_index k = 0; column && k < group->n; k++) {
        const dlp_index j = dlpi_name_index_find_text(
            &b->columns.names, dlpi_factor_name(group->part[k])->name);
        if (j >= 0) column[out->n_columns++] = j;
    }
    out->column = column;
    return column != NULL;
}

/* Lists the table's columns in each effect, or counts them if `column` is NULL. */
static void list_effect_columns(const struct dlpi_build *b,
                                const struct dlpi_expansion *x, const dlp_design *effects,
                                dlp_index *begin, dlp_index *column)
{
    dlp_index n = 0;
    for (dlp_index j = 0; j < effects->p; j++) {
        begin[j] = n;
        const dlp_index t = effects->assign[j];
        for (dlp_index k = 0; t >= 0 && k < x->term[t].order; k++)
            dlpi_list_columns(b, x->variable[x->term[t].variable[k]].node, column, &n);
    }
    begin[effects->p] = n;
}

static int power_of(const struct dlpi_effects *e, dlp_index t)
{
    const struct dlpi_node *name;
    if (t < 0 || e->terms.term[t].order > 1) return 0;
    const dlp_index i = e->terms.term[t].variable[0];
    const struct dlpi_variable *v = &e->terms.variable[i];
    return e->input[i]->factor || v->whole ? 0 : dlpi_power_of(v->node, &name);
}

/* What effects are made of. */
static dlp_status describe_effects(const struct dlpi_build *b,
                                   const struct dlpi_effects *e,
                                   const dlp_design *effects, dlp_random *out)
{
    const dlp_index q = effects->p;
    dlp_index *begin = dlpi_pool_take(b->pool, q + 1, sizeof *begin);
    int *power = dlpi_pool_take(b->pool, q, sizeof *power);
    if (!begin || !power) return dlpi_build_no_memory(b);
    list_effect_columns(b, &e->terms, effects, begin, NULL);
    dlp_index *column = dlpi_pool_take(b->pool, begin[q], sizeof *column);
    if (!column) return dlpi_build_no_memory(b);
    list_effect_columns(b, &e->terms, effects, begin, column);
    for (dlp_index j = 0; j < q; j++) power[j] = power_of(e, effects->assign[j]);
    out->effect_begin = begin;
    out->effect_column = column;
    out->power = power;
    return DLP_OK;
}

/* What is known when the list is made. */
struct list {
    dlp_random *random;
    struct dlpi_name_index kept; /* the groupings of the design's terms */
    struct dlpi_name_index met;  /* effects with their groupings */
    dlp_index columns;
};

static dlp_status add_random(struct dlpi_build *b, const struct dlpi_effects *e,
                             const dlp_design *columns, dlp_index group,
                             struct list *list)
{
    const dlp_index grouping = b->grouping_of[group];
    const dlp_levels levels = levels_of(b, grouping, &list->kept);
    const char *label = label_of(b, e->label, levels.variable);
    if (!label) return dlpi_build_no_memory(b);
    dlp_random *random = &list->random[b->design->n_random++];
    *random = (dlp_random){.label = label,
                           .group = levels,
                           .code = b->grouping[grouping]->code,
                           .q = columns->p,
                           .x = columns->x,
                           .name = columns->name};
    if (!list_columns(b, &b->formula->group[group], random))
        return dlpi_build_no_memory(b);
    DLP_TRY(describe_effects(b, e, columns, random));
    return check_once(b, b->formula->bar[e->bar], grouping, columns, &list->met);
}

static dlp_status add_effects(struct dlpi_build *b, dlp_index i, struct list *list)
{
    const struct dlpi_effects *e = &b->effects[i];
    const dlp_index *begin = &b->formula->group_begin[e->bar];
    dlp_design columns;
    DLP_TRY(dlpi_build_effects(b, i, &columns));
    list->columns += columns.p;
    if (list->columns > DLPI_MOST_COLUMNS)
        return dlp_fail(b->error, DLP_EINPUT,
                        "the design has more than %d columns from '%s' inside bars on; "
                        "take out factors with many levels, or group by them",
                        DLPI_MOST_COLUMNS, dlpi_show(e->label).text);
    for (dlp_index g = begin[0]; g < begin[1]; g++)
        DLP_TRY(add_random(b, e, &columns, g, list));
    return DLP_OK;
}

/* ---- the step ---- */

static dlp_index count_random(const struct dlpi_build *b)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < b->n_effects; i++) {
        const dlp_index *begin = &b->formula->group_begin[b->effects[i].bar];
        n += begin[1] - begin[0];
    }
    return n;
}

dlp_status dlpi_build_random(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    const dlp_terms *terms = b->design->terms;
    struct list list = {.kept = {.pool = b->scratch},
                        .met = {.pool = b->scratch},
                        .columns = b->design->p};
    const dlp_index processes = dlpi_count_processes(b);
    if (b->n_effects == 0 && processes == 0) return DLP_OK;
    DLP_TRY(code_groupings(b));
    list.random =
        dlpi_pool_take(b->pool, count_random(b) + processes, sizeof *list.random);
    if (!list.random) return dlpi_build_no_memory(b);
    b->design->random = list.random;
    for (dlp_index i = 0; i < terms->n_groupings; i++)
        if (dlpi_name_index_add_text(&list.kept, terms->grouping[i].variable) < 0)
            return dlpi_build_no_memory(b);
    for (dlp_index i = 0; i < b->n_effects; i++) DLP_TRY(add_effects(b, i, &list));
    return dlpi_add_processes(b, list.random);
}
