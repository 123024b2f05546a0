/* SPDX-License-Identifier: BSD-3-Clause */
/* What the levels of a response are to the regression, in words. */
#include "cli/glm/fit.h"

#include <stdio.h>

enum { MOST_LEVELS = 12 }; /* that are listed */

static void write_levels(FILE *out, const cli_glm_fit *fit)
{
    const dlp_levels *r = &fit->terms->response;
    const bool binary = !cli_glm_has_levels(fit->family) && r->n == 2;
    for (dlp_index k = 0; k < r->n && k < MOST_LEVELS; k++) {
        if (k > 0) fputs(cli_glm_is_ordinal(fit->family) ? " < " : ", ", out);
        fputs(r->level[k], out);
        if (binary) fprintf(out, " (%td)", k);
    }
    if (r->n > MOST_LEVELS) fputs(", ...", out);
    if (cli_glm_is_multinomial(fit->family)) fputs("; the first is the reference", out);
}

char *cli_glm_levels_text(const cli_glm_fit *fit)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    if (fit->terms->response.n > 0) write_levels(out, fit);
    return fclose(out) == 0 ? text : NULL;
}
