/* SPDX-License-Identifier: BSD-3-Clause */
/* The nodes of a fit as a table, and its plan. */
#include "cli/print.h"
#include "cli/bugs/view.h"
#include "cli/outcome.h"

#include <math.h>
#include <stdio.h>

enum { LEAST_NAME = 8, MOST_NAME = 40 };

static int name_width(const dlp_bugs_result *r)
{
    int width = LEAST_NAME;
    for (dlp_index i = 0; i < r->n_nodes; i++) {
        const int here = cli_name_width(r->node[i].name);
        width = here > width ? here : width;
    }
    return width < MOST_NAME ? width : MOST_NAME;
}

static void print_factors(const dlp_bugs_result *r)
{
    printf("  method     %td factor%s of q", r->n_factors, cli_plural(r->n_factors));
    if (r->n_conjugate == r->n_factors)
        fputs(r->n_factors == 1 ? ", exact" : ", each exact given the others", stdout);
    else if (r->n_conjugate > 0)
        printf(", %td exact given the others", r->n_conjugate);
    printf("; %d sweep%s\n", r->sweeps, cli_plural(r->sweeps));
    if (r->sweeps > 0)
        printf("  bound      %.10g%s\n", r->bound[r->sweeps - 1],
               r->n_conjugate == r->n_factors ? " <= log p(data)"
                                              : ", about: eq. monitor of the paper");
    if (r->fallbacks)
        printf("  fallbacks  %td updates by the delta method fell back to Laplace's\n",
               r->fallbacks);
}

static void print_method(const dlp_bugs_result *r)
{
    const char *sign = "";
    if (r->n_factors) {
        print_factors(r);
        return;
    }
    if (r->n_points + r->n_quadrature + r->n_gaussian == 0) {
        puts("  method     no unknown depends on data: drawn from the prior");
        return;
    }
    fputs("  method     ", stdout);
    if (r->n_points) {
        printf("%td unknown%s integrated over at %d points", r->n_points,
               cli_plural(r->n_points), r->points);
        sign = ", ";
    }
    if (r->n_quadrature) {
        printf("%s%td integrated out one by one", sign, r->n_quadrature);
        sign = ", ";
    }
    if (r->n_gaussian)
        printf("%s%td in a Gaussian%s", sign, r->n_gaussian,
               r->exact ? " that is exact" : "");
    putchar('\n');
}

/* What to think of it before one believes it. */
static void print_doubts(const dlp_bugs_result *r)
{
    if (r->doubt_maximum)
        fputs(
            "  trouble    log p has no maximum that was found. An improper posterior has "
            "none: give every\n             unknown a proper prior; or say where to "
            "begin, by --inits\n",
            stdout);
    if (r->doubt_gaussian)
        printf(
            "  doubt      the part taken for Gaussian is not: means lie up to %.1f sd "
            "from "
            "modes, and two sds\n             out the log density is up to %.1f from "
            "where it should be; its sds and intervals are rough\n",
            r->shift, r->roughness);
    if (r->doubt_design)
        printf(
            "  doubt      %td unknowns are integrated over by a design of %d points: "
            "sds of those with long\n             tails may be too small\n",
            r->n_points, r->points);
    if (r->kinks)
        fputs(
            "  doubt      a density has a kink (abs, max, min, sort or ddexp), which the "
            "Gaussian part smooths\n             over: answers for what lies near it are "
            "rough\n",
            stdout);
    if (r->chose_factors)
        fputs(
            "  doubt      factors were chosen for the many unknown probabilities of "
            "discrete nodes; --hyper integrate\n             insists on the usual way\n",
            stdout);
    if (r->doubt_factors)
        fputs(
            "  doubt      factors of q are independent of each other: sds are too small "
            "where unknowns are not\n",
            stdout);
    if (r->not_summarised)
        printf("  left out   %td nodes of large arrays; name them by --monitor\n",
               r->not_summarised);
}

void cli_bugs_print(const dlp_bugs *model, const char *path)
{
    const dlp_bugs_result *r = dlp_bugs_result_of(model);
    const int width = name_width(r);
    fputs("Posterior of ", stdout);
    cli_print_name(path, 0);
    printf(": the fit %s\n", cli_outcome_sentence(r->outcome));
    print_method(r);
    print_doubts(r);
    if (r->n_nodes == 0) return;
    printf("\n%*s%12s%12s%12s%12s%12s\n", width, "", "mean", "sd", "2.5 %", "50 %",
           "97.5 %");
    for (dlp_index i = 0; i < r->n_nodes; i++) {
        const dlp_margin *m = &r->node[i].margin;
        cli_print_name(r->node[i].name, width);
        if (isfinite(m->mean))
            printf("%12.5g%12.4g%12.5g%12.5g%12.5g\n", m->mean, m->sd, m->lower,
                   m->median, m->upper);
        else
            puts("  not finite for some values of what it is computed from");
    }
}

void cli_bugs_print_plan(const dlp_bugs *model)
{
    const dlp_bugs_result *r = dlp_bugs_result_of(model);
    printf("%-6s%-16s%9s  %-12s%s%s\n", "line", "variable", "unknown",
           r->n_factors ? "factor" : "how", r->n_factors ? "method     " : "", "why");
    for (int i = 0; i < r->n_plans; i++) {
        printf("%-6d", r->plan[i].line);
        cli_print_name(r->plan[i].name, 16);
        printf("%9td  %-12s", r->plan[i].unknown, r->plan[i].factor);
        if (r->n_factors) printf("%-11s", r->plan[i].method ? r->plan[i].method : "");
        puts(r->plan[i].reason);
    }
    putchar('\n');
}
