/* SPDX-License-Identifier: BSD-3-Clause */
/* Smooth terms on a screen: a line of the head, and how far they bend. */
#include "cli/glm/view.h"
#include "cli/print.h"

#include <stdio.h>

enum { LEAST_NAME = 12, MOST_NAME = 40, MOST_SMOOTHS = 6 };

void cli_glm_print_smooth_head(const dlp_regression_result *fit)
{
    if (fit->n_smooths == 0) return;
    const dlp_index listed =
        fit->n_smooths <= MOST_SMOOTHS ? fit->n_smooths : MOST_SMOOTHS;
    for (dlp_index s = 0; s < listed; s++) {
        fputs(s == 0 ? "\n  smooths    " : ", ", stdout);
        cli_print_name(fit->smooth[s].label, 0);
    }
    if (listed < fit->n_smooths) printf(" and %td more", fit->n_smooths - listed);
    printf(
        "; %s half Student-t\n             prior with 3 degrees of freedom and scale "
        "%.3g",
        fit->n_smooths > 1 ? "their sds have each a" : "its sd has a",
        fit->smooth[0].prior_scale);
}

/* Of each the sd of what is not straight, on average over the rows. */
void cli_glm_print_smooths(const dlp_regression_result *fit)
{
    int width = LEAST_NAME;
    if (fit->n_smooths == 0) return;
    for (dlp_index s = 0; s < fit->n_smooths; s++) {
        const int room = cli_name_width(fit->smooth[s].label);
        if (room > width) width = room < MOST_NAME ? room : MOST_NAME;
    }
    puts("\nSmooth terms, their sds:");
    printf("  %-*s %10s %10s   %s\n", width, "term", "mean", "sd", "95 % interval");
    for (dlp_index s = 0; s < fit->n_smooths; s++) {
        const dlp_margin *m = &fit->smooth[s].sd;
        fputs("  ", stdout);
        cli_print_name(fit->smooth[s].label, width);
        printf(" %10.4g %10.3g   [%.4g, %.4g]\n", m->mean, m->sd, m->lower, m->upper);
    }
}
