/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a formula with the columns written out that '.' stands for. Everything else
   stays as it was written, so that terms keep their order and columns their names. */
#include "table/formula.h"

#include <string.h>

/* True when a sum between these tokens needs no parentheses. */
static bool stands_free(int before, int after)
{
    const bool left = before == '~' || before == '+' || before == '(';
    return left && (after == DLPI_TOKEN_END || after == '+' || after == '-' ||
                    after == ')' || after == '|');
}

static bool add_names(struct dlpi_text *text, const struct dlpi_dot *dot, bool is_free)
{
    if (!is_free && !dlpi_text_add_string(text, "(")) return false;
    for (dlp_index i = 0; i < dot->n; i++) {
        if (i > 0 && !dlpi_text_add_string(text, " + ")) return false;
        if (!dlpi_text_add_name(text, dot->name[i])) return false;
    }
    return is_free || dlpi_text_add_string(text, ")");
}

const char *dlpi_write_dots(const dlp_formula *formula, const struct dlpi_dot *dot,
                            struct dlpi_pool *pool)
{
    struct dlpi_text text = {.pool = pool};
    struct dlpi_lexer lexer = {.text = formula->text};
    struct dlpi_token token = {.kind = 0}, next;
    size_t copied = 0; /* bytes of the old text that the new one has */
    int before = 0;
    lexer.names = dlpi_pool_take(pool, (dlp_index)strlen(formula->text) + 2, 1);
    if (!lexer.names) return NULL;
    while (token.kind != DLPI_TOKEN_END) {
        if (dlpi_lex(&lexer, &next, NULL) != DLP_OK) return NULL;
        if (token.kind == DLPI_TOKEN_DOT) {
            if (!dlpi_text_add(&text, formula->text + copied, token.at - copied) ||
                !add_names(&text, dot, stands_free(before, next.kind)))
                return NULL;
            copied = token.at + token.size;
        }
        before = token.kind;
        token = next;
    }
    return dlpi_text_add_string(&text, formula->text + copied) ? text.data : NULL;
}
