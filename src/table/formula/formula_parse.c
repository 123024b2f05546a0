/* SPDX-License-Identifier: BSD-3-Clause */
/* Tokens become a tree, by recursive descent with R's precedence: ^, signs, :, * and /,
   + and -. */
#include "table/formula/formula_parser.h"

#include <math.h>
#include <string.h>

static dlpi_rule parse_unary;

/* ---- chains ---- */

static bool is_one_of(int kind, const char *operators)
{
    return kind < DLPI_TOKEN_END && strchr(operators, kind);
}

/* operand, or a chain of them with operators between. */
static dlp_status parse_chain(struct dlpi_parser *p, enum dlpi_mode mode,
                              enum dlpi_node_kind kind, const char *operators,
                              dlpi_rule *operand, struct dlpi_node **out)
{
    struct dlpi_node *last, *chain;
    DLP_TRY(operand(p, mode, out));
    if (!is_one_of(p->token.kind, operators)) return DLP_OK;
    chain = dlpi_parser_node(p, kind, (*out)->at);
    if (!chain) return dlpi_parser_no_memory(p);
    chain->first = last = *out;
    while (is_one_of(p->token.kind, operators)) {
        const char op = (char)p->token.kind;
        DLP_TRY(dlpi_parser_take(p));
        DLP_TRY(operand(p, mode, &last->next));
        last = last->next;
        last->op = op;
    }
    *out = chain;
    return DLP_OK;
}

/* ---- parentheses ---- */

static dlp_status parse_paren(struct dlpi_parser *p, enum dlpi_mode mode,
                              struct dlpi_node **out)
{
    const dlp_index bars = p->formula->n_bars;
    *out = dlpi_parser_node(p, DLPI_NODE_PAREN, p->token.at);
    if (!*out) return dlpi_parser_no_memory(p);
    DLP_TRY(dlpi_parser_enter(p));
    DLP_TRY(dlpi_parser_take(p));
    if (p->token.kind == '|' && mode == DLPI_MODE_TERMS)
        return DLPI_FAIL_AT(p, p->token.at,
                            "nothing precedes the bar; write what varies by group, as in "
                            "(1 | g) or (1 + x | g)");
    DLP_TRY(dlpi_parse_sum(
        p, mode == DLPI_MODE_TERMS ? DLPI_MODE_TERMS : DLPI_MODE_ARITHMETIC,
        &(*out)->first));
    if (p->token.kind == '|' && mode == DLPI_MODE_TERMS)
        DLP_TRY(dlpi_parse_bar(p, *out, bars));
    dlpi_parser_leave(p);
    return dlpi_parser_expect(p, mode, ')', "an operator or ')'");
}

/* ---- operators ---- */

static dlp_status parse_primary(struct dlpi_parser *p, enum dlpi_mode mode,
                                struct dlpi_node **out)
{
    switch (p->token.kind) {
    case DLPI_TOKEN_NAME: return dlpi_parse_name_or_call(p, mode, out);
    case DLPI_TOKEN_QUOTED: return dlpi_parse_name(p, out);
    case '(': return parse_paren(p, mode, out);
    case DLPI_TOKEN_DOT:
        if (mode != DLPI_MODE_TERMS) break;
        *out = dlpi_parser_node(p, DLPI_NODE_DOT, p->token.at);
        if (!*out) return dlpi_parser_no_memory(p);
        return dlpi_parser_take(p);
    case DLPI_TOKEN_NUMBER:
        if (mode == DLPI_MODE_TERMS && p->token.number != 0 && p->token.number != 1)
            return DLPI_FAIL_AT(p, p->token.at,
                                "a number as a term is 0 or 1, for the intercept; put "
                                "arithmetic in I(), as in I(2 * x)");
        *out = dlpi_parser_node(p, DLPI_NODE_NUMBER, p->token.at);
        if (!*out) return dlpi_parser_no_memory(p);
        (*out)->number = p->token.number;
        return dlpi_parser_take(p);
    default: break;
    }
    return dlpi_parser_unexpected(
        p, mode, mode == DLPI_MODE_TERMS ? "a variable" : "a column or a number");
}

/* The exponent of terms: how many of them an interaction may hold. */
static dlp_status parse_degree(struct dlpi_parser *p, struct dlpi_node **out)
{
    const double n = p->token.number;
    if (p->token.kind != DLPI_TOKEN_NUMBER || n < 1 || n != floor(n))
        return DLPI_FAIL_AT(p, p->token.at,
                            "between terms '^' takes a whole number, as in "
                            "(a + b)^2; a power of numbers is I(x^2)");
    *out = dlpi_parser_node(p, DLPI_NODE_NUMBER, p->token.at);
    if (!*out) return dlpi_parser_no_memory(p);
    (*out)->number = n;
    return dlpi_parser_take(p);
}

static dlp_status parse_power(struct dlpi_parser *p, enum dlpi_mode mode,
                              struct dlpi_node **out)
{
    DLP_TRY(parse_primary(p, mode, out));
    if (p->token.kind != '^') return DLP_OK;
    struct dlpi_node *power = dlpi_parser_node(p, DLPI_NODE_POWER, (*out)->at);
    if (!power) return dlpi_parser_no_memory(p);
    power->first = *out;
    DLP_TRY(dlpi_parser_enter(p));
    DLP_TRY(dlpi_parser_take(p));
    DLP_TRY(mode == DLPI_MODE_TERMS
                ? parse_degree(p, &power->first->next)
                : parse_unary(p, DLPI_MODE_ARITHMETIC, &power->first->next));
    dlpi_parser_leave(p);
    *out = power;
    return DLP_OK;
}

/* Signs bind more loosely than powers: -x^2 is -(x^2). */
static dlp_status parse_unary(struct dlpi_parser *p, enum dlpi_mode mode,
                              struct dlpi_node **out)
{
    if (!is_one_of(p->token.kind, "+-")) return parse_power(p, mode, out);
    *out = dlpi_parser_node(p, DLPI_NODE_SIGN, p->token.at);
    if (!*out) return dlpi_parser_no_memory(p);
    (*out)->op = (char)p->token.kind;
    DLP_TRY(dlpi_parser_enter(p));
    DLP_TRY(dlpi_parser_take(p));
    DLP_TRY(parse_unary(p, DLPI_MODE_ARITHMETIC, &(*out)->first));
    dlpi_parser_leave(p);
    return DLP_OK;
}

static dlp_status parse_interaction(struct dlpi_parser *p, enum dlpi_mode mode,
                                    struct dlpi_node **out)
{
    return parse_chain(p, mode, DLPI_NODE_COLON, ":", parse_power, out);
}

static dlp_status parse_product(struct dlpi_parser *p, enum dlpi_mode mode,
                                struct dlpi_node **out)
{
    return parse_chain(p, mode, DLPI_NODE_PRODUCT, "*/",
                       mode == DLPI_MODE_TERMS ? parse_interaction : parse_unary, out);
}

/* The sign of a term: the operator before it, and for numbers, as in "x + -1", one more.
 */
static dlp_status parse_term_sign(struct dlpi_parser *p, char *sign)
{
    if (!is_one_of(p->token.kind, "+-")) return DLP_OK;
    const struct dlpi_token second = p->token;
    DLP_TRY(dlpi_parser_take(p));
    if (*sign && p->token.kind != DLPI_TOKEN_NUMBER) {
        p->token = second;
        return dlpi_parser_unexpected(p, DLPI_MODE_TERMS, "a variable");
    }
    if (!*sign || second.kind == '-') *sign = *sign == '-' ? '+' : (char)second.kind;
    return DLP_OK;
}

/* Terms, each with its sign: always a DLPI_NODE_SUM, also of one. */
static dlp_status parse_sum_of_terms(struct dlpi_parser *p, struct dlpi_node **out)
{
    *out = dlpi_parser_node(p, DLPI_NODE_SUM, p->token.at);
    if (!*out) return dlpi_parser_no_memory(p);
    char sign = '\0';
    for (struct dlpi_node **link = &(*out)->first;; link = &(*link)->next) {
        DLP_TRY(parse_term_sign(p, &sign));
        DLP_TRY(parse_product(p, DLPI_MODE_TERMS, link));
        (*link)->op = sign == '-' ? '-' : '+';
        if (!is_one_of(p->token.kind, "+-")) return DLP_OK;
        sign = (char)p->token.kind;
        DLP_TRY(dlpi_parser_take(p));
    }
}

dlp_status dlpi_parse_sum(struct dlpi_parser *p, enum dlpi_mode mode,
                          struct dlpi_node **out)
{
    if (mode == DLPI_MODE_TERMS) return parse_sum_of_terms(p, out);
    return parse_chain(p, mode, DLPI_NODE_SUM, "+-", parse_product, out);
}
