/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and functions in formulas: which are allowed where, with which arguments. */
#include "table/formula/formula_parser.h"

#include <string.h>

dlp_status dlpi_parse_name(struct dlpi_parser *p, struct dlpi_node **out)
{
    *out = dlpi_parser_node(p, DLPI_NODE_NAME, p->token.at);
    if (!*out) return dlpi_parser_no_memory(p);
    (*out)->name = p->token.name;
    return dlpi_parser_take(p);
}

static dlp_status fail_unknown_function(struct dlpi_parser *p,
                                        const struct dlpi_token *name)
{
    const struct dlpi_shown shown = dlpi_show(name->name);
    const char *suggested = dlpi_function_suggest(name->name);
    if (suggested)
        return DLPI_FAIL_AT(p, name->at, "unknown function '%s'; did you mean '%s'?",
                            shown.text, suggested);
    return DLPI_FAIL_AT(
        p, name->at,
        "unknown function '%s'; known are I, log, log2, log10, log1p, sqrt, exp, "
        "abs, factor, scale, poly, ns, bs, s, rw1, rw2, ar1, besag, bym2 and offset",
        shown.text);
}

/* Whether a function may be called here. */
static dlp_status check_function(struct dlpi_parser *p, enum dlpi_mode mode,
                                 const struct dlpi_token *name,
                                 const struct dlpi_function *function)
{
    if (!function) return fail_unknown_function(p, name);
    switch (function->role) {
    case DLPI_ROLE_MATH:
    case DLPI_ROLE_AS_IS: return DLP_OK;
    case DLPI_ROLE_REFUSED:
        return DLPI_FAIL_AT(p, name->at, "%s() is not supported; %s", function->name,
                            function->advice);
    case DLPI_ROLE_FACTOR:
        if (mode != DLPI_MODE_ARITHMETIC) return DLP_OK;
        break;
    case DLPI_ROLE_CBIND:
        if (mode == DLPI_MODE_RESPONSE) return DLP_OK;
        return DLPI_FAIL_AT(p, name->at,
                            "cbind() may only be the whole response: "
                            "cbind(successes, failures) ~ ...");
    case DLPI_ROLE_CENSORED:
        if (mode == DLPI_MODE_RESPONSE) return DLP_OK;
        return DLPI_FAIL_AT(p, name->at, "%s() may only be the whole response",
                            function->name);
    case DLPI_ROLE_SCALE:
    case DLPI_ROLE_BASIS:
    case DLPI_ROLE_SMOOTH:
    case DLPI_ROLE_OFFSET:
        if (mode == DLPI_MODE_TERMS) return DLP_OK;
        break;
    }
    return DLPI_FAIL_AT(p, name->at, "%s() must be a term of its own, not inside another",
                        function->name);
}

/* ar1(t | g): g as an option that is called "|". */
static dlp_status parse_series(struct dlpi_parser *p,
                               const struct dlpi_function *function,
                               struct dlpi_node **out)
{
    if (function->basis != DLP_BASIS_AR1)
        return DLPI_FAIL_AT(
            p, p->token.at,
            "%s() cannot be by group; ar1(t | g) can, and others take by = g",
            function->name);
    *out = dlpi_parser_node(p, DLPI_NODE_OPTION, p->token.at);
    if (!*out) return dlpi_parser_no_memory(p);
    (*out)->name = "|";
    DLP_TRY(dlpi_parser_take(p));
    if (p->token.kind != DLPI_TOKEN_NAME && p->token.kind != DLPI_TOKEN_QUOTED)
        return dlpi_parser_unexpected(p, DLPI_MODE_ARITHMETIC, "a column that groups");
    return dlpi_parse_name(p, &(*out)->first);
}

static dlp_status parse_arguments(struct dlpi_parser *p,
                                  const struct dlpi_function *function,
                                  struct dlpi_node **out)
{
    const bool censored = function->role == DLPI_ROLE_CENSORED;
    const bool surv = censored && !function->has_limits;
    const int wanted = function->role == DLPI_ROLE_CBIND || surv ? 2 : 1;
    for (int i = 0; i < wanted; i++) {
        if (i > 0)
            DLP_TRY(
                dlpi_parser_expect(p, DLPI_MODE_ARITHMETIC, ',',
                                   surv ? "',' and the status" : "',' and the failures"));
        DLP_TRY(dlpi_parse_sum(p, DLPI_MODE_ARITHMETIC, out));
        if (function->role == DLPI_ROLE_SMOOTH && p->token.kind == '|') {
            DLP_TRY(parse_series(p, function, &(*out)->next));
            return dlpi_parse_options(p, function, (*out)->next);
        }
        if (function->role == DLPI_ROLE_BASIS || function->role == DLPI_ROLE_SMOOTH)
            return dlpi_parse_options(p, function, *out);
        if (censored && i == wanted - 1) return dlpi_parse_options(p, function, *out);
        out = &(*out)->next;
    }
    if (p->token.kind == ',')
        return DLPI_FAIL_AT(p, p->token.at, "%s() takes %s", function->name,
                            wanted == 1 ? "one argument" : "two arguments");
    return DLP_OK;
}

/* name has been taken, and '(' is next. */
static dlp_status parse_call(struct dlpi_parser *p, enum dlpi_mode mode,
                             const struct dlpi_token *name, struct dlpi_node **out)
{
    const struct dlpi_function *function = dlpi_function_find(name->name);
    DLP_TRY(check_function(p, mode, name, function));
    *out = dlpi_parser_node(p, DLPI_NODE_CALL, name->at);
    if (!*out) return dlpi_parser_no_memory(p);
    (*out)->function = function;
    DLP_TRY(dlpi_parser_enter(p));
    DLP_TRY(dlpi_parser_take(p));
    DLP_TRY(parse_arguments(p, function, &(*out)->first));
    (*out)->end = p->token.at + p->token.size;
    DLP_TRY(dlpi_parser_expect(p, DLPI_MODE_ARITHMETIC, ')', "an operator or ')'"));
    dlpi_parser_leave(p);
    if (function->role == DLPI_ROLE_FACTOR && (*out)->first->kind != DLPI_NODE_NAME)
        return DLPI_FAIL_AT(p, (*out)->first->at, "%s() takes the name of a column",
                            function->name);
    return DLP_OK;
}

dlp_status dlpi_parse_name_or_call(struct dlpi_parser *p, enum dlpi_mode mode,
                                   struct dlpi_node **out)
{
    const struct dlpi_token name = p->token;
    DLP_TRY(dlpi_parse_name(p, out));
    return p->token.kind == '(' ? parse_call(p, mode, &name, out) : DLP_OK;
}
