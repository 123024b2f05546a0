/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a fit: the table of its nodes, and its plan. */
#include "cli/print.h"
#include "cli/bugs/view.h"
#include "cli/outcome.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void print_factors(FILE *out, const dlp_bugs_result *r)
{
    fprintf(out, "  method     %td factor%s of q", r->n_factors,
            cli_plural(r->n_factors));
    if (r->n_conjugate == r->n_factors)
        fputs(r->n_factors == 1 ? ", exact" : ", each exact given the others", out);
    else if (r->n_conjugate > 0)
        fprintf(out, ", %td exact given the others", r->n_conjugate);
    fprintf(out, "; %d sweep%s\n", r->sweeps, cli_plural(r->sweeps));
    if (r->sweeps > 0)
        fprintf(out, "  objective  %.10g%s\n", r->objective[r->sweeps - 1],
                r->n_conjugate == r->n_factors ? " <= log p(data)"
                                               : ", about a lower bound on log p(data)");
    if (r->fallbacks)
        fprintf(out,
                "  fallbacks  %td updates by the delta method fell back to Laplace's\n",
                r->fallbacks);
}

/* Whether the fit sums over discrete unknowns. */
static bool sums(const dlp_bugs_result *r)
{
    for (int i = 0; i < r->n_plans; i++)
        if (r->plan[i].summed) return true;
    return false;
}

static void print_method(FILE *out, const dlp_bugs_result *r)
{
    const char *sign = "";
    if (r->n_factors) {
        print_factors(out, r);
        return;
    }
    if (r->n_points + r->n_quadrature + r->n_gaussian == 0) {
        fputs(sums(r)
                  ? "  method     exact: a sum over all values of the discrete unknowns\n"
                  : "  method     no data depend on an unknown: drawn from the prior\n",
              out);
        return;
    }
    fputs("  method     ", out);
    if (r->n_states)
        fprintf(out, "fitted for each of %d states of discrete unknowns:\n             ",
                r->n_states);
    if (r->n_points) {
        fprintf(out, "%td unknown%s integrated over at %d points", r->n_points,
                cli_plural(r->n_points), r->points);
        sign = ", ";
    }
    if (r->n_quadrature) {
        fprintf(out, "%s%td integrated out one by one", sign, r->n_quadrature);
        sign = ", ";
    }
    if (r->n_gaussian)
        fprintf(out, "%s%td in a Gaussian%s", sign, r->n_gaussian,
                r->exact ? " that is exact" : "");
    fputc('\n', out);
}

/* Says whether there are other maxima. */
static void print_modes(FILE *out, const dlp_bugs_result *r)
{
    if (r->switched)
        fputs(
            "  doubt      label switching: log p is as high with the nodes of an array "
            "in another order.\n             The answer is for one order; fix it in the "
            "model, with T(,) or sort\n",
            out);
    else if (r->modes)
        fprintf(out,
                "  doubt      log p has %d other maxim%s nearly as high. The answer is "
                "for the highest; --inits\n             chooses where to start\n",
                r->modes, r->modes == 1 ? "um" : "a");
}

/* Limits a confirmation: draws around the answer cannot show what lies elsewhere. */
static const char *within(const dlp_bugs_result *r)
{
    return r->n_states               ? ",\n             in the likeliest states"
           : r->modes || r->switched ? ",\n             near this maximum"
           : r->doubt_tail           ? ",\n             as far as the points reach"
                                     : "";
}

/* The verdict of importance sampling. */
static void print_verdict(FILE *out, const dlp_bugs_result *r)
{
    if (r->verdict == DLP_BUGS_CONFIRMED || r->verdict == DLP_BUGS_CONFIRMED_HERE)
        fprintf(
            out,
            "  verified   by %td weighted draws, worth %.0f (Pareto k %.2f): all nodes "
            "agree%s\n",
            r->verified, r->effective, r->pareto_k, within(r));
    if (r->verdict == DLP_BUGS_CORRECTED)
        fprintf(
            out,
            "  corrected  by %td weighted draws, worth %.0f (Pareto k %.2f): means have "
            "a standard error of\n"
            "             about %.3f sd\n",
            r->verified, r->effective, r->pareto_k, r->mean_error);
}

static void print_drift(FILE *out, const dlp_bugs_result *r)
{
    if (r->doubt_drift == DLP_BUGS_DRIFTS)
        fprintf(out,
                "  doubt      means and sds have not settled: a quarter of the draws "
                "gives values up to %.2f sd away.\n             The posterior has a long "
                "tail; --verify N makes more draws\n",
                r->drift);
    else if (r->doubt_drift == DLP_BUGS_FEW_DRAWS)
        fputs(
            "  doubt      draws so few or so uneven may have missed part of the "
            "posterior; --verify N makes more\n",
            out);
}

static void print_refutation(FILE *out, const dlp_bugs_result *r)
{
    if (r->verdict == DLP_BUGS_NOT_CONFIRMED && r->differ)
        fprintf(out,
                "  doubt      weighted draws disagree with the answer in %td node%s, and "
                "either may be wrong: the\n             posterior has a long tail, or a "
                "part that was not found. --verify N shows both\n",
                r->differ, cli_plural(r->differ));
    else if (r->verdict == DLP_BUGS_NOT_CONFIRMED)
        fprintf(
            out,
            "  doubt      weighted draws around the answer do not confirm it: %td are "
            "worth %.0f (Pareto k %.2f,\n"
            "             good below %g)\n",
            r->verified, r->effective, r->pareto_k, DLP_TAIL_K_FAIR);
}

/* Where the method makes the answer rough. */
static void print_approximations(FILE *out, const dlp_bugs_result *r)
{
    if (r->doubt_omitted)
        fprintf(out,
                "  doubt      the Gaussian part has too few data per unknown: what it "
                "leaves out would move scales\n             by %.1f sd or more, and "
                "what depends on them\n",
                r->omitted);
    if (r->doubt_gaussian)
        fprintf(out,
                "  doubt      part of the posterior is not Gaussian: means lie up to "
                "%.1f sd from modes, and two sds\n             out the log density is "
                "off by up to %.1f; sds and intervals there are rough\n",
                r->shift, r->roughness);
    if (r->doubt_design)
        fprintf(out,
                "  doubt      %td unknowns are integrated over at only %d points: sds of "
                "those with long tails\n             may be too small\n",
                r->n_points, r->points);
    if (r->doubt_tail)
        fputs(
            "  doubt      a density is still nearly flat where the points of integration "
            "end, as with a spiked\n             prior such as dgamma(0.01, 0.01) on a "
            "shape or size. What lies beyond is left out;\n             a less extreme "
            "prior helps\n",
            out);
    if (r->kinks && !r->doubt_maximum)
        fputs(
            "  doubt      a density has a kink (abs, max, min, sort or ddexp), which the "
            "Gaussian part smooths\n             over: answers near it are rough\n",
            out);
}

/* Why there is no answer, and what to do about it. */
static void print_trouble(FILE *out, const dlp_bugs_result *r)
{
    fputs(
        "  trouble    no maximum of log p was found, so there is no answer. Likely "
        "reasons:\n",
        out);
    if (r->kinks)
        fputs(
            "             - a kink (abs, max, min, sort or ddexp) at the maximum: write "
            "a "
            "smooth function,\n"
            "               c + (1 - c) * f for min(1, c + f), ilogit() for max() and "
            "min()\n",
            out);
    fputs(
        "             - an improper posterior: give every unknown a proper prior\n"
        "             - effects that go to 0 together with a scale of their own, as in a "
        "horseshoe:\n"
        "               give them one scale, beta[j] ~ dt(0, pow(tau, -2), 3)\n"
        "             - a start too far away: say where to begin, with --inits\n",
        out);
}

/* Everything to consider before believing the answer. */
static void print_doubts(FILE *out, const dlp_bugs_result *r)
{
    if (r->doubt_maximum) print_trouble(out, r);
    print_modes(out, r);
    print_verdict(out, r);
    print_drift(out, r);
    print_refutation(out, r);
    print_approximations(out, r);
    if (r->doubt_states)
        fprintf(out,
                "  doubt      only %d joint states of the discrete unknowns were fitted, "
                "the likeliest; others may\n             have a twentieth of the "
                "probability or more\n",
                r->n_states);
    if (r->chose_factors)
        fputs(
            "  doubt      discrete nodes have many unknown probabilities, so --hyper "
            "factor was used;\n             --hyper integrate overrides this\n",
            out);
    if (r->doubt_factors)
        fputs(
            "  doubt      the factors of q are independent: sds are too small where "
            "unknowns are correlated\n",
            out);
    if (r->rare)
        fprintf(out,
                "  rare       one of the two values of %s%s occurs in few of %td draws: "
                "its sd is rough; --draws N\n             makes more\n",
                r->rarest, r->rare > 1 ? " and of others" : "", r->n_draws);
    if (r->long_tails)
        fprintf(out,
                "  long tail  the sd of %s%s rests on rare values far out, and is rough, "
                "as it would be by\n             chains; the quantiles are not\n",
                r->longest, r->long_tails > 1 ? " and of others" : "");
    if (r->not_summarised)
        fprintf(out,
                "  left out   %td nodes of large arrays; choose them with --monitor\n",
                r->not_summarised);
}

static void print_node(const dlp_bugs_node *node, int width, bool graded)
{
    const dlp_margin *m = &node->margin, *by = &node->sampled;
    cli_print_name(node->name, width);
    if (!isfinite(m->mean)) {
        puts("  not finite for some values of what it is computed from");
        return;
    }
    printf("%12.5g%12.4g%12.5g%12.5g%12.5g", m->mean, m->sd, m->lower, m->median,
           m->upper);
    if (graded)
        printf("%12.5g%12.4g  %s", by->mean, by->sd, dlp_bugs_grade_name(node->grade));
    putchar('\n');
}

void cli_bugs_print_head(FILE *out, const dlp_bugs *model)
{
    const dlp_bugs_result *r = dlp_bugs_result_of(model);
    fprintf(out, "the fit %s\n", cli_outcome_sentence(r->outcome));
    print_method(out, r);
    print_doubts(out, r);
}

void cli_bugs_print(const dlp_bugs *model, const char *path, bool graded)
{
    const dlp_bugs_result *r = dlp_bugs_result_of(model);
    const int width = name_width(r);
    fputs("Posterior of ", stdout);
    cli_print_name(path, 0);
    fputs(": ", stdout);
    cli_bugs_print_head(stdout, model);
    if (graded && r->verdict == DLP_BUGS_NOT_VERIFIED)
        puts(r->exact
                 ? "  verified   nothing is approximate, so there is nothing to verify"
                 : "  verified   no: the answer only sums over discrete nodes, or no "
                   "check was possible");
    if (r->n_nodes == 0) return;
    printf("\n%*s%12s%12s%12s%12s%12s", width, "", "mean", "sd", "2.5 %", "50 %",
           "97.5 %");
    graded = graded && r->verdict != DLP_BUGS_NOT_VERIFIED;
    puts(graded ? "  draws: mean          sd  grade" : "");
    for (dlp_index i = 0; i < r->n_nodes; i++) print_node(&r->node[i], width, graded);
}

void cli_bugs_print_plan(const dlp_bugs *model)
{
    const dlp_bugs_result *r = dlp_bugs_result_of(model);
    printf("%-6s%-16s%9s  %-12s%s%s\n", "line", "variable", "unknown",
           r->n_factors ? "factor" : "how", r->n_factors ? "method     " : "", "why");
    for (int i = 0; i < r->n_plans; i++) {
        printf("%-6d", r->plan[i].line);
        cli_print_name(r->plan[i].name, 16);
        printf("%9td  %-12s", r->plan[i].unknown, r->plan[i].how);
        if (r->n_factors) printf("%-11s", r->plan[i].method ? r->plan[i].method : "");
        puts(r->plan[i].reason);
    }
    putchar('\n');
}
