/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a formula as tokens. */
#include "io/number.h"
#include "table/formula/formula.h"

#include <math.h>
#include <string.h>

/* Letters and digits of ASCII, whatever the locale; a byte above belongs to a letter. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
           (unsigned char)c >= 0x80;
}

static bool continues_name(char c)
{
    return begins_name(c) || is_digit(c);
}

static void skip_blanks_and_comments(struct dlpi_lexer *l)
{
    for (;;) {
        l->at += strspn(l->text + l->at, " \t\r\n");
        if (l->text[l->at] != '#') return;
        l->at += strcspn(l->text + l->at, "\n");
    }
}

/* Gives the token a name of its own bytes. */
static void set_name(struct dlpi_lexer *l, struct dlpi_token *t, const char *bytes,
                     size_t size)
{
    memcpy(l->names, bytes, size);
    l->names[size] = '\0';
    t->name = l->names;
    l->names += size + 1;
}

static void lex_name(struct dlpi_lexer *l, struct dlpi_token *t)
{
    const char *start = l->text + t->at;
    size_t size = 1;
    while (continues_name(start[size])) size++;
    t->kind = size == 1 && *start == '.' ? DLPI_TOKEN_DOT : DLPI_TOKEN_NAME;
    t->size = size;
    set_name(l, t, start, size);
}

/* Inside backquotes a backslash takes the next backquote or backslash as it is. */
static dlp_status lex_quoted(struct dlpi_lexer *l, struct dlpi_token *t, dlp_error *error)
{
    const char *start = l->text + t->at, *from = start + 1;
    size_t size = 0;
    t->kind = DLPI_TOKEN_QUOTED;
    t->name = l->names;
    for (; *from != '`'; from++) {
        if (*from == '\\' && (from[1] == '`' || from[1] == '\\')) from++;
        if (*from == '\0')
            return dlpi_formula_fail(l->text, t->at, error,
                                     "this backquote is not closed; end the name with `");
        l->names[size++] = *from;
    }
    if (size == 0)
        return dlpi_formula_fail(l->text, t->at, error, "a name in backquotes is empty");
    l->names[size] = '\0';
    l->names += size + 1;
    t->size = (size_t)(from + 1 - start);
    return DLP_OK;
}

static dlp_status lex_number(struct dlpi_lexer *l, struct dlpi_token *t, dlp_error *error)
{
    const char *start = l->text + t->at;
    const char *end = dlpi_number_scan(start, start + strlen(start), &t->number);
    t->kind = DLPI_TOKEN_NUMBER;
    t->size = (size_t)(end - start);
    if (continues_name(*end))
        return dlpi_formula_fail(l->text, t->at, error,
                                 "a name cannot start with a digit, and a number cannot "
                                 "end with a letter; put such names in backquotes");
    if (!isfinite(t->number))
        return dlpi_formula_fail(l->text, t->at, error, "this number is too large");
    return DLP_OK;
}

/* What is neither a name nor a number. */
static void lex_mark(const char *start, struct dlpi_token *t)
{
    t->kind = (unsigned char)*start;
    t->size = 1;
    if (*start == '\0') {
        t->kind = DLPI_TOKEN_END;
        t->size = 0;
    } else if (start[0] == '*' && start[1] == '*') {
        t->kind = '^';
        t->size = 2;
    } else if (*start == '%') {
        t->kind = DLPI_TOKEN_PERCENT;
        t->size = 1 + strcspn(start + 1, "% \t\r\n");
        if (start[t->size] == '%') t->size++;
    } else if (strchr("<>=!", *start)) {
        t->kind = DLPI_TOKEN_COMPARE;
        t->size = start[1] == '=' ? 2 : 1;
    } else if (*start == '"' || *start == '\'') {
        t->kind = DLPI_TOKEN_STRING;
        const char *end = strchr(start + 1, *start);
        if (end) t->size = (size_t)(end - start) + 1;
    } else if (!strchr("+-*/^:~(),|", *start)) {
        t->kind = DLPI_TOKEN_OTHER;
    }
}

dlp_status dlpi_lex(struct dlpi_lexer *lexer, struct dlpi_token *token, dlp_error *error)
{
    skip_blanks_and_comments(lexer);
    const char *start = lexer->text + lexer->at;
    *token = (struct dlpi_token){.at = lexer->at};
    if (is_digit(*start) || (*start == '.' && is_digit(start[1])))
        DLP_TRY(lex_number(lexer, token, error));
    else if (*start == '`')
        DLP_TRY(lex_quoted(lexer, token, error));
    else if (begins_name(*start))
        lex_name(lexer, token);
    else
        lex_mark(start, token);
    if (token->kind == DLPI_TOKEN_STRING && token->size > 1)
        set_name(lexer, token, start + 1, token->size - 2);
    lexer->at += token->size;
    return DLP_OK;
}
