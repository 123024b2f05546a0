/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What follows the bars of grouping terms: (1 | g), (1 | a:b), and (1 | a/b), which is
 * (1 | a) + (1 | a:b).
 */
#include "table/formula/formula_parser.h"

#include <string.h>

/* ---- one bar ---- */

static dlp_status fail_nested(struct dlpi_parser *p, size_t at)
{
    return DLPI_FAIL_AT(p, at,
                        "a grouping term cannot be inside another; add them: (1 | a) + "
                        "(1 | b), or nest groups: (1 | a/b)");
}

static dlp_status fail_group(struct dlpi_parser *p, size_t at)
{
    return DLPI_FAIL_AT(p, at,
                        "group by a column, (1 | g), by a combination, (1 | a:b), or by "
                        "nested ones, (1 | a/b); two groupings are two terms, "
                        "(1 | a) + (1 | b)");
}

/* The only part of a sum, without parentheses; NULL when there are more. */
static struct dlpi_node *only_part(struct dlpi_node *sum)
{
    struct dlpi_node *part = sum->first;
    while (!part->next && part->op == '+' && part->kind == DLPI_NODE_PAREN)
        part = part->first->first;
    return part->next || part->op != '+' ? NULL : part;
}

dlp_status dlpi_parse_bar(struct dlpi_parser *p, struct dlpi_node *paren, dlp_index bars)
{
    const size_t at = p->token.at;
    struct dlpi_node *group;
    if (p->formula->n_bars > bars) return fail_nested(p, at);
    DLP_TRY(dlpi_parser_take(p));
    if (p->token.kind == '|' && p->token.at == at + 1) {
        paren->is_split = true;
        DLP_TRY(dlpi_parser_take(p));
    }
    if (p->token.kind == ')' || p->token.kind == '|' || p->token.kind == DLPI_TOKEN_END)
        return DLPI_FAIL_AT(p, p->token.at,
                            "nothing follows the bar; name the column that groups the "
                            "rows, as in (1 | g)");
    DLP_TRY(dlpi_parse_sum(p, DLPI_MODE_TERMS, &group));
    if (p->formula->n_bars > bars) return fail_nested(p, group->at);
    if (p->token.kind == '|') return fail_nested(p, p->token.at);
    struct dlpi_node *only = only_part(group);
    if (!only) return fail_group(p, group->at);
    paren->kind = DLPI_NODE_BAR;
    paren->first->next = only;
    p->formula->n_bars++;
    return DLP_OK;
}

/* ---- the list ---- */

/* The columns that a bar groups by so far. */
struct parts {
    dlp_index n;
    const struct dlpi_node *part[DLPI_MOST_ORDER];
};

static dlp_status add_part(struct dlpi_parser *p, const struct dlpi_node *part,
                           struct parts *to)
{
    const struct dlpi_node *name = dlpi_factor_name(part);
    if (!name) return fail_group(p, part->at);
    for (dlp_index i = 0; i < to->n; i++)
        if (strcmp(dlpi_factor_name(to->part[i])->name, name->name) == 0)
            return DLPI_FAIL_AT(p, part->at, "'%s' follows the bar twice; once is enough",
                                dlpi_show(name->name).text);
    if (to->n == DLPI_MOST_ORDER)
        return DLPI_FAIL_AT(p, part->at, "groups of more than %d columns",
                            DLPI_MOST_ORDER);
    to->part[to->n++] = part;
    return DLP_OK;
}

/* A column's name as it is; those of several as R would write them. NULL without
   memory. */
static const char *name_parts(const struct parts *parts, struct dlpi_pool *pool)
{
    struct dlpi_text text = {.pool = pool};
    if (parts->n == 1) return dlpi_factor_name(parts->part[0])->name;
    for (dlp_index i = 0; i < parts->n; i++)
        if ((i > 0 && !dlpi_text_add_string(&text, ":")) ||
            !dlpi_text_add_name(&text, dlpi_factor_name(parts->part[i])->name))
            return NULL;
    return text.data;
}

static dlp_status add_group(struct dlpi_parser *p, const struct parts *parts)
{
    dlp_formula *f = p->formula;
    struct dlpi_grouping *group = &f->group[f->n_groups++];
    group->name = name_parts(parts, p->pool);
    group->n = parts->n;
    group->part = dlpi_pool_take(p->pool, parts->n, sizeof *group->part);
    if (!group->name || !group->part) return dlpi_parser_no_memory(p);
    memcpy(group->part, parts->part, (size_t)parts->n * sizeof *group->part);
    return DLP_OK;
}

static bool is_nested(const struct dlpi_node *group)
{
    return group->kind == DLPI_NODE_PRODUCT;
}

static dlp_index count_groups(const struct dlpi_node *group)
{
    dlp_index n = 0;
    if (!is_nested(group)) return 1;
    for (const struct dlpi_node *part = group->first; part; part = part->next) n++;
    return n;
}

/* Of a/b/c: a, a:b and a:b:c. */
static dlp_status list_bar(struct dlpi_parser *p, const struct dlpi_node *group)
{
    struct parts parts = {.n = 0};
    const struct dlpi_node *inner = is_nested(group) ? group->first : group;
    for (; inner; inner = inner->next) {
        if (inner != group && inner != group->first && inner->op != '/')
            return fail_group(p, group->at);
        const struct dlpi_node *part =
            inner->kind == DLPI_NODE_COLON ? inner->first : inner;
        for (; part; part = part == inner ? NULL : part->next)
            DLP_TRY(add_part(p, part, &parts));
        DLP_TRY(add_group(p, &parts));
    }
    return DLP_OK;
}

dlp_status dlpi_list_groups(struct dlpi_parser *p)
{
    dlp_formula *f = p->formula;
    dlp_index room = 0;
    for (dlp_index i = 0; i < f->n_bars; i++)
        room += count_groups(f->bar[i]->first->next);
    f->group = dlpi_pool_take(p->pool, room, sizeof *f->group);
    f->group_begin = dlpi_pool_take(p->pool, f->n_bars + 1, sizeof *f->group_begin);
    if (!f->group || !f->group_begin) return dlpi_parser_no_memory(p);
    for (dlp_index i = 0; i < f->n_bars; i++) {
        f->group_begin[i] = f->n_groups;
        DLP_TRY(list_bar(p, f->bar[i]->first->next));
    }
    f->group_begin[f->n_bars] = f->n_groups;
    return DLP_OK;
}
