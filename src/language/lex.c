/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/lex.h"

#include "core/text.h"
#include "io/number.h"

#include <string.h>

struct lexer {
    const dlpi_source *source;
    dlpi_names *names;
    dlpi_diagnostics *found;
    const char *at, *end, *line_start;
    int32_t line;
    bool begins_line;
    dlp_index room;
    dlpi_tokens *tokens;
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool in_name(char c)
{
    return is_letter(c) || is_digit(c) || c == '.' || c == '_';
}

static dlpi_position place_of(const struct lexer *l, const char *at, size_t length)
{
    return (dlpi_position){l->line, (int32_t)(at - l->line_start) + 1, (int32_t)length};
}

static dlpi_bugs_token *add(struct lexer *l, dlpi_token_kind kind, const char *from)
{
    dlpi_tokens *const t = l->tokens;
    if (t->n >= l->room) {
        const dlp_index room = l->room ? 2 * l->room : 256;
        dlpi_bugs_token *more = realloc(t->token, (size_t)room * sizeof *more);
        if (!more) return NULL;
        t->token = more;
        l->room = room;
    }
    dlpi_bugs_token *const token = &t->token[t->n++];
    *token = (dlpi_bugs_token){.kind = kind, .begins_line = l->begins_line};
    token->place = place_of(l, from, (size_t)(l->at - from));
    l->begins_line = false;
    return token;
}

static void new_line(struct lexer *l)
{
    l->line++;
    l->line_start = l->at;
    l->begins_line = true;
}

static void skip_comment(struct lexer *l)
{
    const char *const from = l->at;
    const dlpi_position place = place_of(l, from, 2);
    for (l->at += 2; l->at < l->end; l->at++) {
        if (*l->at == '*' && l->at + 1 < l->end && l->at[1] == '/') {
            l->at += 2;
            return;
        }
        if (*l->at == '\n') {
            l->at++;
            new_line(l);
            l->at--;
        }
    }
    dlpi_report(l->found, true, l->source, place,
                "the comment that begins here does not end; close it with */");
}

/* Blanks, line ends and comments. */
static void skip_blanks(struct lexer *l)
{
    while (l->at < l->end) {
        const char c = *l->at;
        if (c == '\n') {
            l->at++;
            new_line(l);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            l->at++;
        } else if (c == '#') {
            while (l->at < l->end && *l->at != '\n') l->at++;
        } else if (c == '/' && l->at + 1 < l->end && l->at[1] == '*') {
            skip_comment(l);
        } else {
            return;
        }
    }
}

/* A name is a function's only if '(' follows. */
static bool is_called(const struct lexer *l)
{
    const char *p = l->at;
    while (p < l->end && (*p == ' ' || *p == '\t')) p++;
    return p < l->end && *p == '(';
}

static bool lex_name(struct lexer *l)
{
    const char *const from = l->at;
    while (l->at < l->end && in_name(*l->at)) l->at++;
    dlpi_bugs_token *const token = add(l, DLPI_TOKEN_NAME, from);
    if (!token) return false;
    token->called = is_called(l);
    token->name = dlpi_name(l->names, from, (size_t)(l->at - from));
    return token->name != NULL;
}

static bool lex_number(struct lexer *l)
{
    const char *const from = l->at;
    double number = 0;
    const char *end = dlpi_number_scan(from, l->end, &number);
    l->at = end ? end : from + 1;
    dlpi_bugs_token *const token = add(l, DLPI_TOKEN_NUMBER, from);
    if (!token) return false;
    token->number = number;
    if (number - number != 0)
        dlpi_report(l->found, true, l->source, token->place,
                    "this number is too large to compute with");
    return true;
}

static bool lex_sign(struct lexer *l)
{
    static const struct {
        const char *text;
        int sign;
    } signs[] = {{"%*%", DLPI_SIGN_MATMUL}, {"**", '^'},          {">=", DLPI_SIGN_GE},
                 {"<=", DLPI_SIGN_LE},      {"==", DLPI_SIGN_EQ}, {"!=", DLPI_SIGN_NE},
                 {"&&", DLPI_SIGN_AND},     {"||", DLPI_SIGN_OR}};
    const char *const from = l->at;
    const size_t left = (size_t)(l->end - from);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t size = strlen(signs[i].text);
        if (left < size || memcmp(from, signs[i].text, size) != 0) continue;
        l->at += size;
        dlpi_bugs_token *const token = add(l, DLPI_TOKEN_SIGN, from);
        if (token) token->sign = signs[i].sign;
        return token != NULL;
    }
    if (left >= 2 && from[0] == '<' && from[1] == '-') {
        l->at += 2;
        return add(l, DLPI_TOKEN_ARROW, from) != NULL;
    }
    l->at++;
    if (*from == '=') return add(l, DLPI_TOKEN_ARROW, from) != NULL;
    dlpi_bugs_token *const token = add(l, DLPI_TOKEN_SIGN, from);
    if (token) token->sign = (unsigned char)*from;
    return token != NULL;
}

/* A run of characters that belong to no word. */
static void refuse(struct lexer *l)
{
    const char *const from = l->at;
    size_t size = dlpi_utf8_size(from, l->end);
    if (size == 0) size = 1;
    l->at += size;
    dlpi_report(l->found, true, l->source, place_of(l, from, size),
                "'%s' is not part of the BUGS language; remove it",
                dlpi_show_bytes(from, size).text);
}

static bool lex_next(struct lexer *l)
{
    const char c = *l->at;
    if (is_letter(c)) return lex_name(l);
    if (is_digit(c) || (c == '.' && l->at + 1 < l->end && is_digit(l->at[1])))
        return lex_number(l);
    if (c != '\0' && strchr("+-*/^%()[]{},;:<>=!~&|", c)) {
        const bool lone = (c == '&' || c == '|' || c == '%') &&
                          !(l->end - l->at >= 2 && l->at[1] == (c == '%' ? '*' : c));
        if (!lone) return lex_sign(l);
    }
    refuse(l);
    return true;
}

dlp_status dlpi_bugs_lex(const dlpi_source *source, dlpi_names *names,
                         dlpi_tokens *tokens, dlpi_diagnostics *found, dlp_error *error)
{
    struct lexer l = {
        source, names, found, source->text, source->text + source->size, NULL,
        1,      true,  0,     tokens};
    *tokens = (dlpi_tokens){0};
    if (source->size >= 3 && memcmp(l.at, "\xEF\xBB\xBF", 3) == 0) l.at += 3;
    l.line_start = l.at;
    for (skip_blanks(&l); l.at < l.end; skip_blanks(&l))
        if (!lex_next(&l)) return dlpi_no_memory_to_read(error, source->name);
    return add(&l, DLPI_TOKEN_END, l.at) ? DLP_OK
                                         : dlpi_no_memory_to_read(error, source->name);
}
