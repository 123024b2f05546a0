/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parser of formulas: formula_parser.c has what its rules share, formula_parse.c the
 * rules for operators and parentheses, formula_calls.c those for names and functions,
 * formula_groups.c those for bars. Each rule takes the tokens of its construct and makes
 * its tree. Internal.
 */
#ifndef DLPI_TABLE_FORMULA_PARSER_H
#define DLPI_TABLE_FORMULA_PARSER_H

#include "table/formula/formula.h"

/* The same operators mean two things: between terms they build a model, inside I() and
   other functions they are arithmetic. */
enum dlpi_mode {
    DLPI_MODE_TERMS,      /* the right side */
    DLPI_MODE_ARITHMETIC, /* inside functions */
    DLPI_MODE_RESPONSE    /* arithmetic, or cbind() or factor() as the whole of it */
};

struct dlpi_parser {
    dlp_formula *formula;
    struct dlpi_pool *pool; /* the formula's memory */
    struct dlpi_lexer lexer;
    struct dlpi_token token; /* the next, not taken yet */
    int nesting;
    dlp_error *error;
};

/* A message that points at a byte of the text. */
#define DLPI_FAIL_AT(p, at, ...)                                                         \
    dlpi_formula_fail((p)->formula->text, (at), (p)->error, __VA_ARGS__)

/* Takes the next token. */
dlp_status dlpi_parser_take(struct dlpi_parser *p);
/* Takes the next token if it is `mark`; else the message says what was expected. */
dlp_status dlpi_parser_expect(struct dlpi_parser *p, enum dlpi_mode mode, char mark,
                              const char *expected);
/* Fails: the next token is not allowed here. */
dlp_status dlpi_parser_unexpected(struct dlpi_parser *p, enum dlpi_mode mode,
                                  const char *expected);
/* A node without parts; NULL without memory. */
struct dlpi_node *dlpi_parser_node(struct dlpi_parser *p, enum dlpi_node_kind kind,
                                   size_t at);
/* Inline, so that static analysis sees that it fails. */
static inline dlp_status dlpi_parser_no_memory(struct dlpi_parser *p)
{
    (void)dlpi_no_memory(p->error, "a formula");
    return DLP_ENOMEM;
}
/* Every recursion passes here, so that no text exhausts the stack. */
dlp_status dlpi_parser_enter(struct dlpi_parser *p);
void dlpi_parser_leave(struct dlpi_parser *p);

typedef dlp_status dlpi_rule(struct dlpi_parser *p, enum dlpi_mode mode,
                             struct dlpi_node **out);

dlpi_rule dlpi_parse_sum, dlpi_parse_name_or_call;
/* Parses '|' and what groups, in a parenthesis whose first part is parsed; there were
   `bars` before the parenthesis. */
dlp_status dlpi_parse_bar(struct dlpi_parser *p, struct dlpi_node *paren, dlp_index bars);
/* Lists the n_bars grouping terms in the order of the text, and what they group by. */
dlp_status dlpi_list_bars(struct dlpi_parser *p);
dlp_status dlpi_list_groups(struct dlpi_parser *p);
/* What follows the first argument of poly(), s() and the like, up to ')'. */
dlp_status dlpi_parse_options(struct dlpi_parser *p, const struct dlpi_function *function,
                              struct dlpi_node *last);
/* A name that no '(' may follow. */
dlp_status dlpi_parse_name(struct dlpi_parser *p, struct dlpi_node **out);

#endif
