/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What follows the first argument of poly(), ns(), bs() and s(): numbers and names by their
 * place, then options: df = 4, knots = c(1, 2), by = g, bs = "cc". Which of them a function
 * has is for basis_spec.c to say.
 */
#include "table/formula/formula_parser.h"

#include <string.h>

static dlp_status parse_number(struct dlpi_parser *p, struct dlpi_node **out)
{
    const size_t at = p->token.at;
    double sign = 1;
    if (p->token.kind == '-') {
        sign = -1;
        DLP_TRY(dlpi_parser_take(p));
    }
    if (p->token.kind != DLPI_TOKEN_NUMBER)
        return dlpi_parser_unexpected(p, DLPI_MODE_ARITHMETIC, "a number");
    *out = dlpi_parser_node(p, DLPI_NODE_NUMBER, at);
    if (!*out) return dlpi_parser_no_memory(p);
    (*out)->number = sign * p->token.number;
    return dlpi_parser_take(p);
}

/* 'c' has been taken: (1, 2, 3) */
static dlp_status parse_list(struct dlpi_parser *p, size_t at, struct dlpi_node **out)
{
    *out = dlpi_parser_node(p, DLPI_NODE_LIST, at);
    if (!*out) return dlpi_parser_no_memory(p);
    struct dlpi_node **link = &(*out)->first;
    DLP_TRY(dlpi_parser_expect(p, DLPI_MODE_ARITHMETIC, '(', "'(' and numbers"));
    for (;; link = &(*link)->next) {
        DLP_TRY(parse_number(p, link));
        if (p->token.kind != ',') break;
        DLP_TRY(dlpi_parser_take(p));
    }
    return dlpi_parser_expect(p, DLPI_MODE_ARITHMETIC, ')', "',' or ')'");
}

/* A name, TRUE, FALSE or c(...). */
static dlp_status parse_word(struct dlpi_parser *p, struct dlpi_node **out)
{
    const struct dlpi_token word = p->token;
    DLP_TRY(dlpi_parse_name(p, out));
    if (word.kind == DLPI_TOKEN_QUOTED) return DLP_OK;
    if (p->token.kind == '(' && !strcmp(word.name, "c"))
        return parse_list(p, word.at, out);
    const bool yes = !strcmp(word.name, "TRUE") || !strcmp(word.name, "T");
    if (!yes && strcmp(word.name, "FALSE") != 0 && strcmp(word.name, "F") != 0)
        return DLP_OK;
    (*out)->kind = DLPI_NODE_NUMBER;
    (*out)->name = yes ? "TRUE" : "FALSE";
    (*out)->number = yes;
    return DLP_OK;
}

static dlp_status parse_value(struct dlpi_parser *p, struct dlpi_node **out)
{
    switch (p->token.kind) {
    case DLPI_TOKEN_NAME:
    case DLPI_TOKEN_QUOTED: return parse_word(p, out);
    case DLPI_TOKEN_STRING:
        if (!p->token.name)
            return DLPI_FAIL_AT(p, p->token.at, "this quote is not closed");
        *out = dlpi_parser_node(p, DLPI_NODE_TEXT, p->token.at);
        if (!*out) return dlpi_parser_no_memory(p);
        (*out)->name = p->token.name;
        return dlpi_parser_take(p);
    default: return parse_number(p, out);
    }
}

static bool is_equals(const struct dlpi_parser *p)
{
    return p->token.kind == DLPI_TOKEN_COMPARE && p->token.size == 1 &&
           p->lexer.text[p->token.at] == '=';
}

/* A value, or name = value. */
static dlp_status parse_option(struct dlpi_parser *p, struct dlpi_node **out)
{
    DLP_TRY(parse_value(p, out));
    if (!is_equals(p)) return DLP_OK;
    if ((*out)->kind != DLPI_NODE_NAME)
        return dlpi_parser_unexpected(p, DLPI_MODE_ARITHMETIC, "',' or ')'");
    (*out)->kind = DLPI_NODE_OPTION;
    DLP_TRY(dlpi_parser_take(p));
    return parse_value(p, &(*out)->first);
}

dlp_status dlpi_parse_options(struct dlpi_parser *p, const struct dlpi_function *function,
                              struct dlpi_node *last)
{
    bool named = false;
    while (p->token.kind == ',') {
        DLP_TRY(dlpi_parser_take(p));
        DLP_TRY(parse_option(p, &last->next));
        last = last->next;
        if (named && last->kind != DLPI_NODE_OPTION)
            return DLPI_FAIL_AT(p, last->at,
                                "%s(): only options can follow an option: name = value",
                                function->name);
        named = last->kind == DLPI_NODE_OPTION;
    }
    return DLP_OK;
}
