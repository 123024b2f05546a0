/* SPDX-License-Identifier: BSD-3-Clause */
/* Smooth terms on a screen: a line of the head, and how far each is from straight. */
#include "cli/glm/view.h"
#include "cli/print.h"

#include <math.h>
#include <stdio.h>

enum { LEAST_NAME = 12, MOST_NAME = 40, MOST_SMOOTHS = 6 };

void cli_glm_print_smooth_head(const dlp_regression_result *fit)
{
    if (fit->n_smooths == 0) return;
    const dlp_index listed =
        fit->n_smooths <= MOST_SMOOTHS ? fit->n_smooths : MOST_SMOOTHS;
    for (dlp_index s = 0; s < listed; s++) {
        const dlp_smooth_effect *of = &fit->smooth[s];
        char prior[128];
        dlp_sd_prior_text(&of->prior, 3, prior, sizeof prior);
        fputs(s == 0 ? "\n  smooths    sd(" : "\n             sd(", stdout);
        cli_print_name(of->label, 0);
        printf(") ~ %s%s", prior, of->prior.stated ? ", stated" : "");
    }
    if (listed < fit->n_smooths)
        printf("\n             and %td more", fit->n_smooths - listed);
}

/* For each smooth, the sd of its part that is not straight, on average over the rows. */
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
        if (isnan(m->sd)) { /* a mode */
            printf(" %10.4g %10s   -\n", m->mean, "-");
            continue;
        }
        printf(" %10.4g %10.3g   [%.4g, %.4g]\n", m->mean, m->sd, m->lower, m->upper);
    }
}
