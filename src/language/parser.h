/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the parser share. Internal to parse*.c. */
#ifndef DLPI_BUGS_PARSER_H
#define DLPI_BUGS_PARSER_H

#include "language/lex.h"
#include "language/parse.h"

struct dlpi_parser {
    const dlpi_source *source;
    dlpi_names *names;
    dlpi_diagnostics *found;
    dlpi_model_syntax *model;
    const dlpi_bugs_token *at, *last; /* last: DLPI_TOKEN_END */
    const dlpi_loop *loop;            /* the innermost loop here; NULL: none */
    bool in_data;
    bool no_memory;
    bool loose_ranges;             /* + and - bind tighter than : */
    const dlpi_syntax *made_range; /* the last range, unless brackets closed around it */
    int nesting;                   /* nesting of the expressions being read */
    dlp_index relation_room, declaration_room;
};

/* Reads an expression; NULL: something is wrong, and was reported. */
dlpi_syntax *dlpi_parse_expression(struct dlpi_parser *p);
/* name, or name[index, ...]. */
dlpi_syntax *dlpi_parse_variable(struct dlpi_parser *p);
/* f(arg, ...), where the word is the name of f. */
dlpi_syntax *dlpi_parse_call(struct dlpi_parser *p);
/* A new node at the place, its arguments set. */
dlpi_syntax *dlpi_parse_node(struct dlpi_parser *p, dlpi_syntax_kind kind,
                             dlpi_position place, const char *name, int n_args,
                             dlpi_syntax *const *arg);

static inline bool dlpi_at_sign(const struct dlpi_parser *p, int sign)
{
    return p->at->kind == DLPI_TOKEN_SIGN && p->at->sign == sign;
}
/* Skips a sign if it comes next. */
static inline bool dlpi_pass_sign(struct dlpi_parser *p, int sign)
{
    if (!dlpi_at_sign(p, sign)) return false;
    p->at++;
    return true;
}
/* Reports "expected WHAT, found ...". */
void dlpi_parse_expected(struct dlpi_parser *p, const char *what);
/* From the beginning of one place to the end of another, on one line. */
dlpi_position dlpi_place_to(dlpi_position from, dlpi_position to);

#endif
