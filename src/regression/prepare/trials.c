/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/trials.h"

#include "core/core.h"
#include "table/formula.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name in backquotes, as formulas have it. Returns behind it. */
static char *put_name(char *at, const char *name)
{
    *at++ = '`';
    for (; *name; name++) {
        if (*name == '`' || *name == '\\') *at++ = '\\';
        *at++ = *name;
    }
    *at++ = '`';
    return at;
}

/* Where the response ends: at the '~', or SIZE_MAX where there is none. cbind() in it is refused. */
static dlp_status find_tilde(const char *formula, char *names, size_t *tilde,
                             dlp_error *error)
{
    struct dlpi_lexer lexer = {.text = formula, .names = names};
    struct dlpi_token token = {0}, next;
    *tilde = SIZE_MAX;
    for (;;) {
        DLP_TRY(dlpi_lex(&lexer, &next, error));
        if (next.kind == '(' && token.kind == DLPI_TOKEN_NAME &&
            !strcmp(token.name, "cbind"))
            return dlp_fail(error, DLP_EINVAL,
                            "trials are of a response that is a share, and cbind() has "
                            "its own: leave one of them out");
        if (next.kind == '~') *tilde = next.at;
        if (next.kind == '~' || next.kind == DLPI_TOKEN_END) return DLP_OK;
        token = next;
    }
}

dlp_status dlpi_formula_of_trials(const char *formula, const char *trials, char **made,
                                  dlp_error *error)
{
    char *names = malloc(strlen(formula) + 2);
    size_t length;
    *made = NULL;
    if (!names) return dlpi_no_memory(error, "the formula");
    const dlp_status status = find_tilde(formula, names, &length, error);
    free(names);
    if (status != DLP_OK) return status;
    if (length == SIZE_MAX)
        return dlp_fail(error, DLP_EINPUT, "the formula has no response; write y ~ ...");
    const char *tilde = formula + length;
    while (length > 0 && formula[length - 1] == ' ') length--;
    const size_t name = 2 * strlen(trials) + 3, all = 2 * length + 2 * name + 40;
    char *quoted = malloc(name), *out = malloc(all + strlen(tilde));
    if (quoted && out) {
        *put_name(quoted, trials) = '\0';
        snprintf(out, all + strlen(tilde), "cbind((%.*s) * %s, (1 - (%.*s)) * %s) %s",
                 (int)length, formula, quoted, (int)length, formula, quoted, tilde);
    }
    free(quoted);
    *made = out;
    if (quoted && out) return DLP_OK;
    free(out);
    *made = NULL;
    return dlpi_no_memory(error, "the formula");
}
