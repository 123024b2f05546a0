/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/trials.h"

#include "core/core.h"
#include "table/formula/formula.h"

#include <string.h>

/* ---- the tree ---- */

/* A node that does not occur in the text; NULL when out of memory. */
static struct dlpi_node *make(dlp_formula *f, enum dlpi_node_kind kind, char op,
                              struct dlpi_node *first)
{
    struct dlpi_node *node = dlpi_pool_take(&f->pool, 1, sizeof *node);
    if (node)
        *node = (struct dlpi_node){
            .kind = kind, .op = op, .at = DLPI_NOWHERE, .first = first};
    return node;
}

/* (inner) * trials */
static struct dlpi_node *times_trials(dlp_formula *f, struct dlpi_node *inner,
                                      const char *trials)
{
    struct dlpi_node *paren = make(f, DLPI_NODE_PAREN, 0, inner),
                     *name = make(f, DLPI_NODE_NAME, '*', NULL),
                     *product = make(f, DLPI_NODE_PRODUCT, 0, paren);
    if (!paren || !name || !product) return NULL;
    name->name = trials;
    paren->next = name;
    return product;
}

/* 1 - (share) */
static struct dlpi_node *one_minus(dlp_formula *f, struct dlpi_node *share)
{
    struct dlpi_node *one = make(f, DLPI_NODE_NUMBER, 0, NULL),
                     *paren = make(f, DLPI_NODE_PAREN, '-', share),
                     *sum = make(f, DLPI_NODE_SUM, 0, one);
    if (!one || !paren || !sum) return NULL;
    one->number = 1;
    one->next = paren;
    return sum;
}

/* The response becomes cbind((share) * trials, (1 - (share)) * trials). */
static bool bind_share(dlp_formula *f, const char *trials)
{
    struct dlpi_node *share = f->response, *rest = one_minus(f, share),
                     *won = times_trials(f, share, trials),
                     *lost = rest ? times_trials(f, rest, trials) : NULL,
                     *call = make(f, DLPI_NODE_CALL, 0, won);
    if (!won || !lost || !call) return false;
    won->next = lost;
    call->function = dlpi_function_find("cbind");
    f->response = call;
    return true;
}

/* ---- the text ---- */

/* A name in backquotes, as formulas write it. */
static bool add_quoted(struct dlpi_text *text, const char *name)
{
    bool ok = dlpi_text_add(text, "`", 1);
    for (; ok && *name; name++) {
        if (*name == '`' || *name == '\\') ok = dlpi_text_add(text, "\\", 1);
        ok = ok && dlpi_text_add(text, name, 1);
    }
    return ok && dlpi_text_add(text, "`", 1);
}

/* Users of the fit see the share as it was typed. */
static bool note_share(dlp_formula *f, const char *trials)
{
    struct dlpi_text text = {.pool = &f->pool};
    size_t size = f->tilde;
    while (size > 0 && f->text[size - 1] == ' ') size--;
    return dlpi_text_add_string(&text, "cbind((") &&
           dlpi_text_add(&text, f->text, size) && dlpi_text_add_string(&text, ") * ") &&
           add_quoted(&text, trials) && dlpi_text_add_string(&text, ", (1 - (") &&
           dlpi_text_add(&text, f->text, size) && dlpi_text_add_string(&text, ")) * ") &&
           add_quoted(&text, trials) && dlpi_text_add_string(&text, ") ") &&
           dlpi_formula_edit(f, 0, f->tilde, text.data);
}

/* ---- the whole ---- */

static dlp_status check_share(const dlp_formula *formula, dlp_error *error)
{
    const struct dlpi_node *share = formula->response;
    if (!share)
        return dlp_fail(error, DLP_EINPUT, "the formula has no response; write y ~ ...");
    if (share->kind != DLPI_NODE_CALL) return DLP_OK;
    switch (share->function->role) {
    case DLPI_ROLE_CBIND:
        return dlp_fail(error, DLP_EINVAL,
                        "trials belong to a response that is a share, and cbind() has "
                        "its own: leave one of them out");
    case DLPI_ROLE_CENSORED:
    case DLPI_ROLE_FACTOR:
        return dlp_fail(error, DLP_EINVAL,
                        "trials belong to a response that is a share, and %s() is none: "
                        "leave one of them out",
                        share->function->name);
    default: return DLP_OK;
    }
}

dlp_status dlpi_formula_of_trials(const dlp_formula *formula, const char *trials,
                                  dlp_formula **made, dlp_error *error)
{
    *made = NULL;
    DLP_TRY(check_share(formula, error));
    dlp_formula *copy = dlpi_formula_duplicate(formula);
    const char *name = copy ? dlpi_pool_copy(&copy->pool, trials, strlen(trials)) : NULL;
    if (name && bind_share(copy, name) && note_share(copy, name)) {
        *made = copy;
        return DLP_OK;
    }
    dlp_formula_free(copy);
    return dlpi_no_memory(error, "the formula");
}
