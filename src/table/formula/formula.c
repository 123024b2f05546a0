/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas as a whole: response, if there is one, '~', terms. */
#include "table/formula/formula_parser.h"

#include <string.h>

const struct dlpi_node *dlpi_factor_name(const struct dlpi_node *node)
{
    if (node->kind == DLPI_NODE_CALL && node->function->role == DLPI_ROLE_FACTOR)
        node = node->first;
    return node->kind == DLPI_NODE_NAME ? node : NULL;
}

/* cbind() or factor() below the top of the response, or NULL. */
static const struct dlpi_node *find_misplaced(const struct dlpi_node *node)
{
    for (const struct dlpi_node *part = node->first; part; part = part->next) {
        const bool is_whole =
            part->kind == DLPI_NODE_CALL && (part->function->role == DLPI_ROLE_CBIND ||
                                             part->function->role == DLPI_ROLE_CENSORED ||
                                             part->function->role == DLPI_ROLE_FACTOR);
        const struct dlpi_node *found = is_whole ? part : find_misplaced(part);
        if (found) return found;
    }
    return NULL;
}

static dlp_status parse_response(struct dlpi_parser *p)
{
    p->formula->tilde = p->token.at;
    if (p->token.kind == '~') return dlpi_parser_take(p); /* a formula with one side */
    if (p->token.kind == DLPI_TOKEN_END)
        return DLPI_FAIL_AT(p, p->token.at,
                            "a formula starts with the response: y ~ ...");
    DLP_TRY(dlpi_parse_sum(p, DLPI_MODE_RESPONSE, &p->formula->response));
    const struct dlpi_node *misplaced = find_misplaced(p->formula->response);
    if (misplaced)
        return DLPI_FAIL_AT(p, misplaced->at, "%s() must be the whole response",
                            misplaced->function->name);
    p->formula->tilde = p->token.at;
    return dlpi_parser_expect(p, DLPI_MODE_RESPONSE, '~', "an operator or '~'");
}

static void list_bars(dlp_formula *f, const struct dlpi_node *node, dlp_index *n)
{
    for (struct dlpi_node *part = node->first; part; part = part->next) {
        if (part->kind == DLPI_NODE_BAR) f->bar[(*n)++] = part;
        list_bars(f, part, n);
    }
}

dlp_status dlpi_list_bars(struct dlpi_parser *p)
{
    dlp_formula *f = p->formula;
    dlp_index listed = 0;
    f->bar = dlpi_pool_take(p->pool, f->n_bars, sizeof *f->bar);
    if (!f->bar) return dlpi_parser_no_memory(p);
    list_bars(f, f->terms, &listed);
    return dlpi_list_groups(p);
}

static dlp_status parse(struct dlpi_parser *p)
{
    dlp_formula *f = p->formula;
    DLP_TRY(dlpi_parser_take(p));
    DLP_TRY(parse_response(p));
    DLP_TRY(dlpi_parse_sum(p, DLPI_MODE_TERMS, &f->terms));
    if (p->token.kind != DLPI_TOKEN_END)
        return dlpi_parser_unexpected(p, DLPI_MODE_TERMS, "an operator or the end");
    return dlpi_list_bars(p);
}

static dlp_status start(struct dlpi_parser *p, const char *text)
{
    const size_t size = strlen(text);
    if (size > DLPI_MOST_TEXT)
        return dlp_fail(
            p->error, DLP_EINPUT,
            "the formula has %zu bytes, more than %d; use '.' for all columns", size,
            DLPI_MOST_TEXT);
    p->pool = &p->formula->pool;
    p->formula->text = dlpi_pool_copy(p->pool, text, size);
    p->lexer.text = p->formula->written = p->formula->text;
    p->lexer.names = dlpi_pool_take(p->pool, (dlp_index)size + 2, 1);
    if (!p->lexer.text || !p->lexer.names) return dlpi_parser_no_memory(p);
    return DLP_OK;
}

dlp_status dlp_formula_parse(const char *text, dlp_formula **formula, dlp_error *error)
{
    dlp_status status;
    if (!formula)
        return dlp_fail(error, DLP_EINVAL, "dlp_formula_parse: formula is NULL");
    *formula = NULL;
    if (!text) return dlp_fail(error, DLP_EINVAL, "dlp_formula_parse: text is NULL");
    struct dlpi_parser p = {.formula = dlpi_calloc(1, sizeof *p.formula), .error = error};
    if (!p.formula) return dlpi_no_memory(error, "a formula");
    DLP_TRY_OR(failed, start(&p, text));
    DLP_TRY_OR(failed, parse(&p));
    *formula = p.formula;
    return DLP_OK;
failed:
    dlp_formula_free(p.formula);
    return status;
}

void dlp_formula_free(dlp_formula *formula)
{
    if (!formula) return;
    dlpi_pool_free(&formula->pool);
    free(formula);
}

const char *dlpi_formula_text(const dlp_formula *formula)
{
    return formula->text;
}

dlp_index dlp_formula_groups(const dlp_formula *formula)
{
    return formula->n_groups;
}

const char *dlp_formula_group(const dlp_formula *formula, dlp_index i)
{
    return i < 0 || i >= formula->n_groups ? NULL : formula->group[i].name;
}

static dlp_index count_smooths(const struct dlpi_node *node)
{
    dlp_index n =
        node->kind == DLPI_NODE_CALL && node->function->role == DLPI_ROLE_SMOOTH;
    for (const struct dlpi_node *part = node->first; part; part = part->next)
        n += count_smooths(part);
    return n;
}

dlp_index dlpi_formula_smooths(const dlp_formula *formula)
{
    return count_smooths(formula->terms);
}

/* The k of a name xk, or 0; also 0 if k exceeds the features that a table may have. */
static dlp_index feature_of(const char *name)
{
    dlp_index k = 0;
    if (name[0] != 'x' || name[1] == '0') return 0;
    for (const char *at = name + 1; *at; at++) {
        if (*at < '0' || *at > '9') return 0;
        k = 10 * k + (*at - '0');
        if (k > INT32_MAX) return 0;
    }
    return k;
}

static dlp_index largest_feature(const struct dlpi_node *node)
{
    dlp_index most = node->kind == DLPI_NODE_NAME ? feature_of(node->name) : 0;
    for (const struct dlpi_node *part = node->first; part; part = part->next) {
        const dlp_index k = largest_feature(part);
        if (k > most) most = k;
    }
    return most;
}

dlp_index dlpi_formula_features(const dlp_formula *formula)
{
    const dlp_index left = formula->response ? largest_feature(formula->response) : 0;
    const dlp_index right = largest_feature(formula->terms);
    return left > right ? left : right;
}
