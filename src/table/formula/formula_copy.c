/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of formulas, for those who keep one or change it. */
#include "table/formula/formula_parser.h"

#include <string.h>

/* ---- trees ---- */

static bool copy_text(const char *text, struct dlpi_pool *pool, const char **copy)
{
    *copy = text ? dlpi_pool_copy(pool, text, strlen(text)) : NULL;
    return !text || *copy;
}

/* A node and what follows it. */
static bool copy_nodes(const struct dlpi_node *from, struct dlpi_pool *pool,
                       struct dlpi_node **to)
{
    *to = NULL;
    for (; from; from = from->next, to = &(*to)->next) {
        struct dlpi_node *node = dlpi_pool_take(pool, 1, sizeof *node);
        if (!node) return false;
        *to = node;
        *node = *from;
        node->next = NULL;
        if (!copy_text(from->name, pool, &node->name) ||
            !copy_nodes(from->first, pool, &node->first))
            return false;
    }
    return true;
}

static bool copy_dot(const struct dlpi_dot *from, struct dlpi_pool *pool,
                     struct dlpi_dot *to)
{
    const char **name = dlpi_pool_take(pool, from->n, sizeof *name);
    bool ok = name != NULL;
    for (dlp_index i = 0; ok && i < from->n; i++)
        ok = copy_text(from->name[i], pool, &name[i]);
    *to = (struct dlpi_dot){.n = from->n, .name = name};
    return ok;
}

/* ---- edits ---- */

bool dlpi_formula_edit(dlp_formula *formula, size_t at, size_t end, const char *written)
{
    struct dlpi_edit **last = &formula->edits;
    struct dlpi_edit *edit = dlpi_pool_take(&formula->pool, 1, sizeof *edit);
    if (!edit || !copy_text(written, &formula->pool, &edit->written)) return false;
    edit->at = at;
    edit->end = end;
    formula->written = NULL;
    while (*last) last = &(*last)->next;
    *last = edit;
    return true;
}

static bool copy_edits(const struct dlpi_edit *from, struct dlpi_pool *pool,
                       struct dlpi_edit **to)
{
    *to = NULL;
    for (; from; from = from->next, to = &(*to)->next) {
        struct dlpi_edit *edit = dlpi_pool_take(pool, 1, sizeof *edit);
        if (!edit || !copy_text(from->written, pool, &edit->written)) return false;
        edit->at = from->at;
        edit->end = from->end;
        *to = edit;
    }
    return true;
}

/* ---- the whole ---- */

static bool copy_formula(const dlp_formula *from, struct dlpi_pool *pool, dlp_formula *to)
{
    struct dlpi_parser lists = {.formula = to, .pool = pool};
    to->tilde = from->tilde;
    to->n_bars = from->n_bars;
    return copy_text(from->text, pool, &to->text) &&
           copy_text(from->written, pool, &to->written) &&
           copy_edits(from->edits, pool, &to->edits) &&
           copy_dot(&from->dot, pool, &to->dot) &&
           copy_nodes(from->response, pool, &to->response) &&
           copy_nodes(from->terms, pool, &to->terms) && dlpi_list_bars(&lists) == DLP_OK;
}

dlp_formula *dlpi_formula_copy(const dlp_formula *formula, struct dlpi_pool *pool)
{
    dlp_formula *copy = dlpi_pool_take(pool, 1, sizeof *copy);
    return copy && copy_formula(formula, pool, copy) ? copy : NULL;
}

dlp_formula *dlpi_formula_duplicate(const dlp_formula *formula)
{
    dlp_formula *copy = dlpi_calloc(1, sizeof *copy);
    if (copy && copy_formula(formula, &copy->pool, copy)) return copy;
    dlp_formula_free(copy);
    return NULL;
}
