/* SPDX-License-Identifier: BSD-3-Clause */
/* What is printed above the parameters of a fitted regression: what was fitted, with
   which prior, and how it ended. */
#include "cli/glm/view.h"
#include "cli/message.h"
#include "cli/method.h"
#include "cli/outcome.h"
#include "cli/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PRIORS = 5 }; /* how many to list one by one */

/* ---- the prior ---- */

static const char next_line[] = "\n             "; /* below "prior" */

static void print_one_prior(const dlp_coefficient_prior *prior, const char *of)
{
    if (prior->df > 0)
        printf("Student-t with %g degrees of freedom, scaled by %g, on %s", prior->df,
               prior->sd, of);
    else
        printf("N(%g, %g^2) on %s", prior->mean, prior->sd, of);
}

static const char *wider_on(const dlp_regression_result *fit)
{
    static const char *const words[] = {
        [DLP_WIDER_NOWHERE] = NULL,
        [DLP_WIDER_INTERCEPT] = "the intercept",
        [DLP_WIDER_LEVELS] = "the mean of all levels",
    };
    return words[dlp_regression_wider_prior(fit)];
}

const char *cli_glm_prior_units(const dlp_regression_result *fit)
{
    static const char *const words[] = {
        [DLP_UNITS_OF_PREDICTOR] = "its column",
        [DLP_UNITS_OF_RESPONSE] = "column and response",
        [DLP_UNITS_OF_ROOT] = "column and root of the response",
    };
    return words[dlp_regression_prior_units(fit)];
}

/* The default priors, for coefficients without a stated one: in the units of their
   columns. */
static void print_weak_prior(const dlp_regression_result *fit, const char *of)
{
    const char *wider = wider_on(fit);
    char sd[32];
    snprintf(sd, sizeof sd, "%.3g", fit->prior_sd);
    fputs("weak: ", stdout);
    print_one_prior(&(dlp_coefficient_prior){0, strtod(sd, NULL), fit->prior_df, true},
                    of);
    printf(", in sds of %s", cli_glm_prior_units(fit));
    if (wider) printf(",%swider on %s", next_line, wider);
}

static bool is_usual(const dlp_regression_result *fit, const dlp_coefficient_prior *prior)
{
    return prior->weak ||
           (prior->mean == 0 && prior->sd == fit->prior_sd && prior->df == fit->prior_df);
}

/* Whether a factor has coefficients of its own; regions and series have a process
   instead. */
static bool has_levels(const dlp_terms *terms)
{
    dlp_index factors = terms->n_factors;
    for (dlp_index i = 0; i < terms->n_factors; i++)
        for (dlp_index k = 0; k < terms->n_bases; k++)
            factors -= !strcmp(terms->factor[i].variable, terms->basis[k].variable);
    return factors > 0;
}

/* Prints the first few priors that differ from the rest, one per line, then the rest. */
static void print_own_prior(const dlp_regression_result *fit)
{
    const dlp_coefficient_prior usual = {0, fit->prior_sd, fit->prior_df, false};
    bool weak = false;
    dlp_index own = 0;
    const dlp_index columns = dlp_regression_plain_columns(fit);
    for (dlp_index j = 0; j < columns; j++) {
        const dlp_coefficient_prior *prior = &fit->prior[j];
        weak = weak || prior->weak;
        if (is_usual(fit, prior)) continue;
        if (++own > MOST_PRIORS) continue;
        if (own > 1) fputs(next_line, stdout);
        print_one_prior(prior, "'");
        cli_print_name(fit->column[j], 0);
        putchar('\'');
    }
    if (own > MOST_PRIORS)
        printf("%sand others on %td more", next_line, own - MOST_PRIORS);
    if (own == columns) return;
    if (own > 0) fputs(next_line, stdout);
    const bool levels = weak && own == 0 && has_levels(fit->terms) && fit->prior_df == 0;
    const char *others = own > 0  ? "each other coefficient"
                         : levels ? "each slope and level"
                                  : "each coefficient";
    if (weak)
        print_weak_prior(fit, others);
    else
        print_one_prior(&usual, others);
}

static void print_prior(const dlp_regression *regression)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    if (fit->grouping == DLP_HIERARCHICAL)
        printf(
            "shared by the groups: N(mu0, Sigma0), with nu = %g, phi0 = %g, phi1 = %g%s",
            fit->nu, fit->phi0, fit->phi1,
            fit->paper_sigma0 ? ", Sigma0 as published" : "");
    else if (fit->prior_covariance && !dlp_regression_is_weak(regression))
        fputs("normal, with the given covariance of all coefficients", stdout);
    else if (fit->prior)
        print_own_prior(fit);
    else
        print_one_prior(&(dlp_coefficient_prior){0, fit->prior_sd, fit->prior_df, false},
                        "each coefficient");
}

/* The prior of an ordinal regression's first cut point. */
static void print_cut_prior(const dlp_regression_result *fit)
{
    if (!(fit->cut_sd > 0)) return;
    if (fit->p > 0) printf(",%s", next_line);
    printf("N(0, %g^2) on the first cut point%s", fit->cut_sd,
           fit->p > 0 ? " at the columns' means" : "");
}

/* ---- what was fitted ---- */

/* The levels of the response, if they have names. */
static void print_levels(const dlp_regression_result *fit)
{
    char *text = cli_levels_text(fit);
    if (!text) cli_output_is_short();
    if (text && *text) {
        fputs("  levels     ", stdout);
        cli_print_name(text, 0);
        putchar('\n');
    }
    free(text);
}

/* Whether another reference level would change the prior. It does if some prior is
   stated: each level of a factor then has its own, on its difference from the
   reference. */
static bool does_reference_matter(const dlp_regression *regression)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    return fit->grouping != DLP_HIERARCHICAL && !dlp_regression_is_weak(regression);
}

/* The reference levels of factors, several per line. */
static void print_references(const dlp_regression *regression)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    const int room = 84;
    int used = 0;
    for (dlp_index f = 0; f < fit->terms->n_factors; f++) {
        const char *level = dlp_regression_reference(fit, f),
                   *variable = fit->terms->factor[f].variable;
        if (!level) continue;
        const int width = cli_name_width(variable) + cli_name_width(level) + 5;
        if (used == 0)
            fputs("  reference  ", stdout);
        else if (used + width > room)
            printf(",%s", next_line);
        else
            fputs(", ", stdout);
        used = used == 0 || used + width > room ? width : used + width;
        cli_print_name(variable, 0);
        fputs(" = ", stdout);
        cli_print_name(level, 0);
    }
    if (used > 0 && does_reference_matter(regression))
        printf(",%swhich the prior depends on, as it was stated", next_line);
    if (used > 0) putchar('\n');
}

/* Where cut points and effects of levels are those of a centre, not of 0. */
static void print_centres(const dlp_regression_result *fit)
{
    const bool cuts = fit->family->support == DLP_SUPPORT_ORDERED;
    const dlp_terms *terms = fit->terms;
    if (terms->n_centres == 0 || (!cuts && fit->n_random == 0)) return;
    fputs("  centre     ", stdout);
    for (dlp_index i = 0; i < terms->n_centres; i++) {
        if (i > 0) fputs(", ", stdout);
        cli_print_name(terms->centre[i].variable, 0);
        printf(" = %.10g", terms->centre[i].centre);
    }
    printf(": %s given there\n", !cuts ? "effects of levels are"
                                 : fit->n_random == 0
                                     ? "cut points are"
                                     : "cut points and effects of levels are");
}

static void print_method(const dlp_regression_result *fit)
{
    const char *name = cli_glm_method_used(fit), *meaning = cli_method_meaning(name);
    printf("\n  method     %s", name);
    if (meaning) printf(": %s", meaning);
}

/* How many rows there are, what they count and how they are grouped. */
static void print_rows(const dlp_regression_result *fit)
{
    printf("\n  rows       %td", fit->rows);
    if (fit->dropped) printf(" (%td with missing values dropped)", fit->dropped);
    if (fit->weights) {
        fputs(", by '", stdout);
        cli_print_name(fit->weights, 0);
        printf("' as %.10g", fit->total_weight);
    }
    if (fit->precision) {
        fputs(", with the precision '", stdout);
        cli_print_name(fit->precision, 0);
        putchar('\'');
    }
    if (fit->grouping != DLP_UNGROUPED && fit->terms->group.variable) {
        printf("\n  groups     %td of '", fit->terms->group.n);
        cli_print_name(fit->terms->group.variable, 0);
        printf("', %s", dlp_grouping_name((int)fit->grouping));
    }
}

void cli_glm_print_head(const dlp_regression *regression, bool guessed)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    cli_print_name(fit->formula, 0);
    printf("\n\n  family     %s, link %s%s\n", fit->family->name, fit->link,
           guessed ? " (guessed from the response)" : "");
    if (fit->family->df)
        printf(fit->df_chosen ? "             with about %.3g degree%s of freedom, which "
                                "are integrated over\n"
                              : "             with %g degree%s of freedom, held fixed\n",
               fit->df, fit->df == 1 ? "" : "s");
    print_levels(fit);
    print_references(regression);
    print_centres(fit);
    fputs("  prior      ", stdout);
    print_prior(regression);
    print_cut_prior(fit);
    if (fit->n_random > 0) cli_glm_print_random_head(fit);
    cli_glm_print_smooth_head(fit);
    print_rows(fit);
    if (fit->grouping == DLP_MIXED)
        cli_glm_print_random_method(fit);
    else
        print_method(fit);
    if (fit->estimated && isfinite(fit->objective))
        printf("\n  evidence   %.8g (log, approximate)", fit->objective);
    fputs("\n\n", stdout);
}

/* ---- how it ended ---- */

/* Why the delta method was not used, and how to ask for it if it is available. */
static void print_propagation(const dlp_regression_result *fit)
{
    if (dlp_regression_is_grouped(fit))
        puts(
            "Groups with few rows per column were fitted by expectation propagation, "
            "which is more\naccurate there.");
    else if (!fit->few_rows)
        puts("The delta method had no solution; expectation propagation has one.");
    else
        printf(
            "There are few rows per column: expectation propagation is more accurate "
            "here than the\npaper's delta method%s.\n",
            dlp_regression_allows_delta(fit) ? " (--method delta)" : "");
}

/* Says what was done instead of an expansion at one point. */
static void print_solution(const dlp_regression_result *fit)
{
    if (fit->family->df && !fit->verification)
        puts(
            "With long tails there may be several modes, and this is one: 'delaplace glm "
            "check' finds out.");
    if (fit->scale_integrated && fit->family->scale)
        printf("The %s was integrated out, not fixed at its mode.\n", fit->family->scale);
    if (fit->propagated) print_propagation(fit);
    if (fit->fallbacks && fit->propagated)
        printf(
            "In %d of the fits expectation propagation did not converge; these are by "
            "the delta method.\n",
            fit->fallbacks);
    else if (fit->fallbacks)
        printf(
            "In %d iteration%s the delta method had no solution; Laplace's method was "
            "used instead.\n",
            fit->fallbacks, cli_plural(fit->fallbacks));
}

void cli_glm_print_outcome(const dlp_regression_result *fit)
{
    if (fit->grouping == DLP_MIXED) {
        printf("The fit %s.\n", cli_outcome_sentence(fit->outcome));
        if (fit->hyper == DLP_HYPER_MAP)
            puts(
                "Sds and correlations between levels, and scales, are fixed at their "
                "mode (--hyper map): their\nuncertainty is not known, and the intervals "
                "of all other parameters are too narrow.");
        return;
    }
    printf("The fit %s after %d iteration%s.\n", cli_outcome_sentence(fit->outcome),
           fit->iterations, cli_plural(fit->iterations));
    print_solution(fit);
    if (fit->unsettled && dlp_regression_is_grouped(fit))
        printf("The fit of %d of the groups did not converge.\n", fit->unsettled);
}
