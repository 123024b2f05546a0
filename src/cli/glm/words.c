/* SPDX-License-Identifier: BSD-3-Clause */
/* Phrases about a regression that several pictures and pages share. */
#include "cli/glm/view.h"
#include "cli/method.h"
#include "cli/outcome.h"
#include "cli/print.h"
#include "io/print_file.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_LEVELS = 12 }; /* how many to list */

/* Separate fits may use different methods; for them, this is the method asked for. */
const char *cli_glm_method_used(const dlp_regression_result *fit)
{
    if (fit->grouping == DLP_MIXED) return "nested integration";
    return fit->propagated && !dlp_regression_is_grouped(fit) ? "expectation propagation"
                                                              : fit->method;
}

static void write_levels(FILE *out, const dlp_regression_result *fit)
{
    const dlp_levels *r = &fit->terms->response;
    const bool binary = !dlp_family_has_levels(fit->family) && r->n == 2;
    const bool ordered = fit->family->support == DLP_SUPPORT_ORDERED;
    for (dlp_index k = 0; k < r->n && k < MOST_LEVELS; k++) {
        if (k > 0) fputs(ordered ? " < " : ", ", out);
        fputs(r->level[k], out);
        if (binary) fprintf(out, " (%td)", k);
    }
    if (r->n > MOST_LEVELS) fputs(", ...", out);
    if (fit->family->support == DLP_SUPPORT_LEVELS)
        fputs("; the first is the reference", out);
}

char *cli_levels_text(const dlp_regression_result *fit)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = dlpi_open_text(&text, &size);
    if (!out) return NULL;
    if (fit->terms->response.n > 0) write_levels(out, fit);
    if (dlpi_close_text(out, &text)) return text;
    free(text);
    return NULL;
}

void cli_glm_warn(const dlp_regression_result *fit, char *out, size_t room)
{
    *out = '\0';
    if (!fit->estimated)
        snprintf(out, room, "%s estimated: these are only starting values.",
                 fit->grouping == DLP_SEPARATE ? "Some groups were not" : "Nothing was");
    else if (fit->outcome != DLP_CONVERGED && fit->grouping == DLP_MIXED)
        snprintf(out, room, "The fit %s.", cli_outcome_sentence(fit->outcome));
    else if (fit->outcome != DLP_CONVERGED)
        snprintf(out, room, "The fit by %s %s (%d iteration%s).",
                 cli_method_phrase(cli_glm_method_used(fit)),
                 cli_outcome_sentence(fit->outcome), fit->iterations,
                 cli_plural(fit->iterations));
    else if (fit->unsettled && dlp_regression_is_grouped(fit))
        snprintf(out, room, "The fit of %d of the groups did not converge.",
                 fit->unsettled);
}
