/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/trials.h"

#include "core/core.h"

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

dlp_status dlpi_formula_of_trials(const char *formula, const char *trials, char **made,
                                  dlp_error *error)
{
    const char *tilde = strchr(formula, '~');
    if (!tilde)
        return dlp_fail(error, DLP_EINPUT, "the formula has no response; write y ~ ...");
    size_t length = (size_t)(tilde - formula);
    while (length > 0 && formula[length - 1] == ' ') length--;
    for (const char *at = formula; at + 5 < tilde; at++)
        if (!strncmp(at, "cbind(", 6))
            return dlp_fail(error, DLP_EINVAL,
                            "trials are of a response that is a share, and cbind() has "
                            "its own: leave one of them out");
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
