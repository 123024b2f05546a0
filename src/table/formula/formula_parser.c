/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rules of the parser share. */
#include "table/formula/formula_parser.h"

#include <string.h>

dlp_status dlpi_parser_take(struct dlpi_parser *p)
{
    return dlpi_lex(&p->lexer, &p->token, p->error);
}

struct dlpi_node *dlpi_parser_node(struct dlpi_parser *p, enum dlpi_node_kind kind,
                                   size_t at)
{
    struct dlpi_node *node = dlpi_pool_take(p->pool, 1, sizeof *node);
    if (!node) return NULL;
    node->kind = kind;
    node->at = at;
    return node;
}

dlp_status dlpi_parser_enter(struct dlpi_parser *p)
{
    if (++p->nesting > DLPI_MOST_NESTING)
        return DLPI_FAIL_AT(p, p->token.at,
                            "nested more than %d deep; write it more simply",
                            DLPI_MOST_NESTING);
    return DLP_OK;
}

void dlpi_parser_leave(struct dlpi_parser *p)
{
    p->nesting--;
}

dlp_status dlpi_parser_unexpected(struct dlpi_parser *p, enum dlpi_mode mode,
                                  const char *expected)
{
    const struct dlpi_token *t = &p->token;
    const struct dlpi_shown found = dlpi_show_bytes(p->lexer.text + t->at, t->size);
    switch (t->kind) {
    case DLPI_TOKEN_END:
        return DLPI_FAIL_AT(p, t->at, "expected %s, found the end", expected);
    case DLPI_TOKEN_PERCENT:
        return DLPI_FAIL_AT(
            p, t->at, "%s is not supported; write nested terms as a + a:b", found.text);
    case DLPI_TOKEN_COMPARE:
        if (!strcmp(found.text, "="))
            return DLPI_FAIL_AT(
                p, t->at, "'=' is not supported; write '~' between response and terms");
        return DLPI_FAIL_AT(p, t->at,
                            "'%s' is not supported; make the column in the data first",
                            found.text);
    case DLPI_TOKEN_STRING:
        return DLPI_FAIL_AT(
            p, t->at, "formulas have no strings; put the name of a column in backquotes");
    case '|':
        return DLPI_FAIL_AT(p, t->at, "put grouping terms in parentheses: (1 + x | g)");
    case ':':
        if (mode != DLPI_MODE_TERMS)
            return DLPI_FAIL_AT(p, t->at,
                                "inside a function ':' is not supported; a product "
                                "of numbers is a * b");
        break;
    case DLPI_TOKEN_DOT:
        return DLPI_FAIL_AT(p, t->at, "'.' means all other columns, and only as a term");
    default: break;
    }
    return DLPI_FAIL_AT(p, t->at, "expected %s, found '%s'", expected, found.text);
}

dlp_status dlpi_parser_expect(struct dlpi_parser *p, enum dlpi_mode mode, char mark,
                              const char *expected)
{
    if (p->token.kind != mark) return dlpi_parser_unexpected(p, mode, expected);
    return dlpi_parser_take(p);
}
