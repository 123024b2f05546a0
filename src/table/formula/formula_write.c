/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a formula with its changes, and with '.' replaced by its columns.
   Everything else stays as it was written, so that terms keep their order and columns
   their names. */
#include "table/formula/formula.h"

#include <string.h>

struct writer {
    const dlp_formula *formula;
    const struct dlpi_dot *dot;
    const struct dlpi_edit *edit; /* the next */
    size_t copied;                /* bytes of the old text that the new one has */
    struct dlpi_text text;
};

/* Copies the old text up to a place. */
static bool copy_to(struct writer *w, size_t at)
{
    const bool ok = dlpi_text_add(&w->text, w->formula->text + w->copied, at - w->copied);
    w->copied = at;
    return ok;
}

/* The edits before a place. */
static bool add_edits(struct writer *w, size_t before)
{
    for (; w->edit && w->edit->at < before; w->edit = w->edit->next) {
        if (!copy_to(w, w->edit->at) || !dlpi_text_add_string(&w->text, w->edit->written))
            return false;
        w->copied = w->edit->end;
    }
    return true;
}

/* Alone in a sum the names need no parentheses. */
static bool add_dot(struct writer *w, size_t at, bool is_free)
{
    bool ok = add_edits(w, at) && copy_to(w, at) &&
              (is_free || dlpi_text_add_string(&w->text, "("));
    for (dlp_index i = 0; ok && i < w->dot->n; i++)
        ok = (i == 0 || dlpi_text_add_string(&w->text, " + ")) &&
             dlpi_text_add_name(&w->text, w->dot->name[i]);
    w->copied = at + 1;
    return ok && (is_free || dlpi_text_add_string(&w->text, ")"));
}

static bool add_dots(struct writer *w, const struct dlpi_node *node)
{
    for (const struct dlpi_node *part = node->first; part; part = part->next) {
        const bool is_free = node->kind == DLPI_NODE_SUM && part->op == '+';
        if (part->kind == DLPI_NODE_DOT ? !add_dot(w, part->at, is_free)
                                        : !add_dots(w, part))
            return false;
    }
    return true;
}

const char *dlpi_formula_write(const dlp_formula *formula, const struct dlpi_dot *dot,
                               struct dlpi_pool *pool)
{
    struct writer w = {
        .formula = formula, .dot = dot, .edit = formula->edits, .text = {.pool = pool}};
    const size_t size = strlen(formula->text);
    const bool ok = (!dot || add_dots(&w, formula->terms)) && add_edits(&w, SIZE_MAX) &&
                    copy_to(&w, size);
    return ok ? w.text.data : NULL;
}
