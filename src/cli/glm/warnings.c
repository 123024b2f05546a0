/* SPDX-License-Identifier: BSD-3-Clause */
/* The diagnostics of a fit, in sentences that suggest what to type. */
#include "cli/glm/view.h"
#include "cli/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 256, MOST = 256 };

/* Whether the fit has a diagnostic of that kind; if so, stores it in *found. */
static bool has_diagnostic(const dlp_regression *fit, dlp_diagnostic_kind kind,
                           dlp_diagnostic *found)
{
    dlp_diagnostic all[MOST];
    const dlp_index n = dlp_regression_diagnose(fit, MOST, all);
    for (dlp_index i = 0; i < n && i < MOST; i++)
        if (all[i].kind == kind) {
            *found = all[i];
            return true;
        }
    return false;
}

static void print_parameter(const dlp_regression *fit, const dlp_diagnostic *d)
{
    char name[NAME];
    cli_glm_parameter_name(fit, d->parameter, name, sizeof name);
    cli_print_name(name, 0);
}

/* ---- how the fit ended ---- */

void cli_glm_print_end(const dlp_regression *regression)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    dlp_diagnostic d;
    if (has_diagnostic(regression, DLP_LINK_LEAVES_SUPPORT, &d))
        printf(
            "With link %s every mean must be positive, and some of the most likely ones "
            "are 0: use --link log.\n",
            fit->link);
    if (has_diagnostic(regression, DLP_SCALE_OF_GROUPS, &d))
        printf(
            "The groups have too few rows to estimate a %s each. Without --scale "
            "by-group they share one.\n",
            fit->family->scale);
    if (has_diagnostic(regression, DLP_SCALE_WITHOUT_MODE, &d))
        printf(
            "The search for a joint mode of all parameters failed. Without --method "
            "%s\nthe %s is integrated out, which needs none.\n",
            fit->method, fit->family->scale);
    if (has_diagnostic(regression, DLP_RESPONSE_EXPLAINED, &d))
        printf(
            "The columns explain every response exactly, so there is nothing to estimate "
            "the %s from:\nlook for a column that gives the response away.\n",
            fit->family->scale);
}

/* ---- priors ---- */

static bool is_cut(const dlp_regression_result *fit, dlp_index i)
{
    return fit->family->support == DLP_SUPPORT_ORDERED && i >= fit->p;
}

/* What to do about a prior that is too narrow. A weak prior adapts to the units, so they
   are not to blame. */
static void print_wider(const dlp_regression_result *fit, const dlp_diagnostic *d)
{
    const bool own = fit->prior || fit->prior_covariance;
    const bool cut = is_cut(fit, d->parameter),
               intercept = dlp_regression_is_intercept(fit, d->parameter);
    const double sd = d->prior.sd;
    if (cut && d->wider_sd > 0)
        printf("give it a wider one (--intercept-sd %g).\n", d->wider_sd);
    else if (cut)
        printf("note that its prior has an sd of %g.\n", sd);
    else if (d->prior.weak)
        printf("state a wider one (--prior-file; its sd is %g).\n", sd);
    else if (intercept && own)
        printf("widen its prior (its sd is %g).\n", sd);
    else if (intercept)
        printf(
            "give it a wider one of its own (--intercept-sd %g), or "
            "remove\n--prior-sd.\n",
            d->wider_sd);
    else if (own)
        printf("widen it (its sd is %g) or use scale(x) in the formula.\n", sd);
    else
        printf("widen it (--prior-sd %g) or use scale(x) in the formula.\n", d->wider_sd);
}

static void print_matters(const dlp_regression *fit, const dlp_diagnostic *d)
{
    fputs("\nThere are few rows per column, so the prior matters: '", stdout);
    print_parameter(fit, d);
    printf("'\nlies %.1f prior sds from %g.\n", d->value, d->prior.mean);
}

static void print_held_back(const dlp_regression *fit, const dlp_diagnostic *d)
{
    fputs("\nThe prior holds '", stdout);
    print_parameter(fit, d);
    printf("' back: it lies %.1f prior sds from %g. If that is not\nwhat you intend, ",
           d->value, d->prior.mean);
    print_wider(dlp_regression_result_of(fit), d);
}

/* Names the stated priors that may be too narrow: for a column in small units, or for the
   intercept. */
static void print_prior_alone(const dlp_regression *fit, const dlp_diagnostic *d)
{
    fputs("\nThe data say next to nothing about '", stdout);
    print_parameter(fit, d);
    putchar('\'');
    if (d->count > 1) printf(" and %td more", d->count - 1);
    puts(": its posterior is its prior.");
    if (d->stated_column)
        puts("A column in small units needs a wider prior, or scale(x) in the formula.");
    if (d->stated_intercept)
        printf(
            "If the prior holds the intercept back, the slopes make up for it: widen "
            "it\n(--intercept-sd S)%s.\n",
            dlp_regression_result_of(fit)->prior ? "" : ", or remove --prior-sd");
}

static void print_few_rows(const dlp_regression *regression, const dlp_diagnostic *d)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    if (fit->weights)
        printf("\nWith a total weight of %.6g for %td column%s", d->value, fit->p,
               cli_plural(fit->p));
    else
        printf("\nWith %td row%s for %td column%s", fit->rows, cli_plural(fit->rows),
               fit->p, cli_plural(fit->p));
    puts(
        " the prior decides how wide the intervals are. State\nwhat you know: --prior-sd "
        "S, or --prior-df 1 if few columns matter.");
}

static void print_hyperprior(const dlp_regression *fit, const dlp_diagnostic *d)
{
    fputs("\nThe hyperprior holds the mean of '", stdout);
    print_parameter(fit, d);
    printf(
        "' back: that of the groups lies %.1f prior sds from 0.\nIf that is not what you "
        "intend, remove --hyperprior paper.\n",
        d->value);
}

/* ---- data ---- */

static void print_constant(const dlp_regression *fit, const dlp_diagnostic *d)
{
    fputs("\n'", stdout);
    cli_print_name(dlp_regression_result_of(fit)->column[d->parameter], 0);
    printf("' does not vary: it is %g in every row. The data %s; only the prior does.",
           d->value,
           d->value == 0 ? "say nothing\nabout its coefficient"
                         : "cannot tell\nits coefficient from the intercept");
    if (d->count > 1)
        printf(" %td more column%s do%s not vary either.", d->count - 1,
               cli_plural(d->count - 1), d->count == 2 ? "es" : "");
    putchar('\n');
}

static void print_separation(const dlp_regression *fit, const dlp_diagnostic *d)
{
    (void)fit, (void)d;
    puts(
        "\nThe columns separate the responses perfectly: larger coefficients would "
        "always fit better, and\nonly the prior limits them.");
}

/* ---- random effects ---- */

static const dlp_random_effects *term_of(const dlp_regression *fit, dlp_index t)
{
    return &dlp_regression_result_of(fit)->random[t];
}

static void print_quoted(const char *name)
{
    putchar('\'');
    cli_print_name(name, 0);
    putchar('\'');
}

static void print_one_row(const dlp_regression *fit, const dlp_diagnostic *d)
{
    const dlp_family *family = dlp_regression_result_of(fit)->family;
    const char *scale = family->scale;
    fputs("\nEach level of ", stdout);
    print_quoted(term_of(fit, d->random)->group);
    if (scale)
        printf(
            " has one row, so its effects cannot be told from the rest of the row:\nonly "
            "their priors decide how much of the variation is its sd and how much is the "
            "%s.\nLeave this term out.\n",
            scale);
    else
        printf(
            " has one row, and a single %s says nothing about an sd:\nwhat is "
            "reported follows from the priors alone. Leave this term out.\n",
            dlp_family_has_levels(family) ? "response" : "0 or 1");
}

static void print_aliased_effect(const dlp_regression *fit, const dlp_diagnostic *d)
{
    const dlp_random_effects *of = term_of(fit, d->random);
    fputs("\nWithin the levels of ", stdout);
    print_quoted(of->group);
    fputs(" the effects of ", stdout);
    print_quoted(of->name[d->effect]);
    fputs(
        " cannot be told from those before it (its\ncolumn may not vary there): only the "
        "priors separate them. Leave it out of the bars.\n",
        stdout);
}

static void print_outside(const dlp_regression *fit, const dlp_diagnostic *d)
{
    const char *group = term_of(fit, d->random)->group;
    putchar('\n');
    print_quoted(group);
    puts(
        " is both a fixed effect and a grouping term: its coefficients and its effects "
        "explain the same,\nand the split depends on their priors. Keep one of them.");
}

static void print_few_levels(const dlp_regression *fit, const dlp_diagnostic *d)
{
    const dlp_random_effects *of = term_of(fit, d->random);
    printf("\nThe %td levels of ", d->count);
    print_quoted(of->group);
    printf(
        " say little about how much levels differ: the prior of %s matters\n(--prior "
        "'sd(",
        of->q == 1 ? "the sd" : "sds");
    cli_print_name(of->group, 0);
    puts(") ~ ...').");
}

static void print_aliased_terms(const dlp_regression *fit, const dlp_diagnostic *d)
{
    fputs("\nThe levels of ", stdout);
    print_quoted(term_of(fit, d->random)->group);
    fputs(" are those of ", stdout);
    print_quoted(term_of(fit, d->other)->group);
    puts(
        " by other names: the sum of their effects is known,\nbut its split depends on "
        "their priors. Leave one of them out.");
}

static void print_one_row_process(const dlp_regression *fit, const dlp_diagnostic *d)
{
    const dlp_random_effects *of = term_of(fit, d->random);
    const bool share = of->process->kind == DLP_BASIS_BYM2;
    putchar('\n');
    print_quoted(of->group);
    printf(
        " has one row per value, and its %s may be 0: then it cannot be told from "
        "the\nrest of a row, and only the priors separate the two. Leave it out, or "
        "state their priors.\n",
        share ? "share" : "correlation");
}

static void print_no_sd(const dlp_regression *fit, const dlp_diagnostic *d)
{
    const dlp_random_effects *of = term_of(fit, d->random);
    fputs("\nThe sd of ", stdout);
    if (!of->process) print_quoted(of->name[d->effect]);
    if (!of->process) fputs(" by ", stdout);
    print_quoted(of->group);
    puts(
        " may well be 0: the rows do not show that there is such variation.\nThe prior "
        "affects how small it is.");
}

/* ---- doubts ---- */

static void print_by_laplace(const dlp_regression *fit, const dlp_diagnostic *d)
{
    printf("\nThe %td effects of a level of ", d->count);
    print_quoted(term_of(fit, d->random)->group);
    puts(
        " are too many for quadrature and are treated by Laplace's "
        "method:\nwhere levels have few rows, coefficients and sds are too "
        "close to 0. Fewer columns inside the bars help.");
}

static void print_crossed(const dlp_regression *fit, const dlp_diagnostic *d)
{
    const dlp_regression_result *of = dlp_regression_result_of(fit);
    bool bars = false;
    for (dlp_index t = 0; t < of->n_random; t++) bars = bars || !of->random[t].process;
    printf(
        "\nDoubt: %s integrated by "
        "Laplace's method. Its error in\nthe log evidence varies by %.1f over the likely "
        "sds, and is corrected only to the next order: means\nof sds %smay "
        "still be off by %s of an sd, and intervals a few percent too narrow.\n",
        bars ? "with several terms in bars, all but the largest are"
             : "the values of processes are",
        d->value, bars ? "between levels " : "",
        d->severe ? "several tenths" : "a tenth");
    if (dlp_regression_can_be_verified(of)) puts("'delaplace glm check' says how far.");
}

static void print_by_design(const dlp_regression *fit, const dlp_diagnostic *d)
{
    (void)fit;
    printf(
        "\nDoubt: the %td sds, correlations and scales are integrated over at a few "
        "points, and their density is\nnot normal: their own means and intervals may be "
        "off by %s of an sd. Coefficients\nare hardly affected. Fewer correlations, with "
        "||, help.\n",
        d->count, d->severe ? "several tenths" : "a tenth");
}

static void print_cut(const dlp_regression *fit, const dlp_diagnostic *d)
{
    (void)fit;
    printf(
        "\nDoubt: no fit was found for some sds next to likely ones (to %.1g), and these "
        "are left out: intervals of\nthe sds may be too short. A narrower --prior for "
        "the sds helps.\n",
        d->value);
}

static void print_alphabet(const dlp_regression *fit, const dlp_diagnostic *d)
{
    const dlp_levels *levels = &dlp_regression_result_of(fit)->terms->response;
    (void)d;
    fputs("\nThe levels are taken in alphabetical order, ", stdout);
    for (dlp_index i = 0; i < levels->n; i++) {
        if (i > 0) fputs(" < ", stdout);
        print_quoted(levels->level[i]);
    }
    puts(".\nIf that is not their order, state it: --levels LOWEST,...,HIGHEST.");
}

static void print_counts(const dlp_regression *fit, const dlp_diagnostic *d)
{
    (void)d;
    fputs("\nThe response ", stdout);
    print_quoted(dlp_regression_result_of(fit)->terms->response.variable);
    puts(
        " looks like counts, which are not Gaussian. If so, use --family poisson, "
        "or\nnegative-binomial where they vary more.");
}

static void print_collinear(const dlp_regression *fit, const dlp_diagnostic *d)
{
    const dlp_regression_result *r = dlp_regression_result_of(fit);
    const dlp_index shown = d->count < 4 ? d->count : 4;
    fputs("\nThe column ", stdout);
    print_quoted(r->column[d->parameter]);
    fputs(d->count == 1 ? " is a multiple of " : " is a combination of ", stdout);
    for (dlp_index i = 0; i < shown; i++) {
        if (i > 0) fputs(i == d->count - 1 ? " and " : ", ", stdout);
        print_quoted(r->column[d->column[i]]);
    }
    if (shown < d->count) printf(" and %td more", d->count - shown);
    puts(
        ":\nthe data cannot tell their coefficients apart; only the prior "
        "does. Leave one of them out.");
}

static void print_near_zero(const dlp_regression *fit, const dlp_diagnostic *d)
{
    (void)fit;
    printf(
        "\nAccording to this fit the mean of %td row%s may be below 0 (probability up to "
        "%.2g), impossible for\ncounts: 'delaplace glm check' says how good the fit is, "
        "and --link log has no such limit.\n",
        d->count, d->count == 1 ? "" : "s", d->value);
}

static void print_cuts(const dlp_regression *fit, const dlp_diagnostic *d)
{
    printf(
        "\nGaps between cut points are taken as log-normal, which with few rows in a "
        "level "
        "(sds of\nlogarithms up to %.2g) makes their intervals too narrow on one "
        "side%s.\n",
        d->value,
        dlp_regression_is_grouped(dlp_regression_result_of(fit))
            ? ""
            : ": 'delaplace glm check'\nsays how good they are");
}

static void print_unpropagated(const dlp_regression *fit, const dlp_diagnostic *d)
{
    (void)fit;
    printf(
        "\nThere are few rows per column. With %td levels the delta method, or "
        "Laplace's, is used: means may be off\nby 0.2 sd, and sds by 20 %%. With five "
        "levels or fewer, expectation propagation does better.\n",
        d->count);
}

static void print_skewed(const dlp_regression *fit, const dlp_diagnostic *d)
{
    const bool can_be = dlp_regression_can_be_verified(dlp_regression_result_of(fit));
    if (isinf(d->value))
        puts(
            "\nDoubt: the posterior is far from normal, as where a column separates the "
            "responses. Means and sds of\ncoefficients may be off by a third of an sd or "
            "more. A narrower prior helps, such as 'b ~ normal(0, 2)'.");
    else if (d->value < 0.5)
        puts(
            "\nDoubt: with so few rows, coefficients are not close to normal even if the "
            "sds of smooths are known.\nTheir means and sds may be off by a tenth of an "
            "sd.");
    else
        printf(
            "\nDoubt: the posterior is not close to normal, as where a column nearly "
            "separates the responses: the skewness\nof a coefficient is about %.1g, and "
            "its mean and sd may be off by a tenth of an sd.\n",
            d->value);
    if (can_be)
        puts("'delaplace glm check' says how far, and takes longer than the fit.");
}

static void print_ungraded(const dlp_regression *fit, const dlp_diagnostic *d)
{
    if (d->value > 0 && dlp_regression_result_of(fit)->grouping == DLP_MIXED)
        print_skewed(fit, d);
    else if (d->value > 0)
        printf(
            "\nThe posterior is not close to normal: coefficients are up to %.1g sds "
            "from the "
            "mode. To check these numbers\nwould take longer than the fit: 'delaplace "
            "glm check' grades them.\n",
            d->value);
    else
        puts(
            "\nWeighted draws could not tell how good these numbers are: there are too "
            "many parameters for them, or\nthe tails are too long.");
}

void cli_glm_print_warnings(const dlp_regression *fit)
{
    static void (*const print[])(const dlp_regression *, const dlp_diagnostic *) = {
        [DLP_PRIOR_MATTERS] = print_matters,
        [DLP_PRIOR_HOLDS_BACK] = print_held_back,
        [DLP_PRIOR_ALONE] = print_prior_alone,
        [DLP_FEW_ROWS] = print_few_rows,
        [DLP_HYPERPRIOR_HOLDS_BACK] = print_hyperprior,
        [DLP_CONSTANT_COLUMN] = print_constant,
        [DLP_SEPARATION] = print_separation,
        [DLP_LEVELS_OF_ONE_ROW] = print_one_row,
        [DLP_EFFECT_ALIASED] = print_aliased_effect,
        [DLP_LEVELS_OUTSIDE] = print_outside,
        [DLP_FEW_LEVELS] = print_few_levels,
        [DLP_TERMS_ALIASED] = print_aliased_terms,
        [DLP_PROCESS_OF_ONE_ROW] = print_one_row_process,
        [DLP_SD_NEAR_ZERO] = print_no_sd,
        [DLP_EFFECTS_BY_LAPLACE] = print_by_laplace,
        [DLP_EFFECTS_CROSSED] = print_crossed,
        [DLP_SCALES_BY_DESIGN] = print_by_design,
        [DLP_SCALES_CUT] = print_cut,
        [DLP_LEVELS_BY_ALPHABET] = print_alphabet,
        [DLP_COUNTS_AS_NUMBERS] = print_counts,
        [DLP_COLLINEAR] = print_collinear,
        [DLP_MEAN_NEAR_ZERO] = print_near_zero,
        [DLP_CUTS_BY_LOGARITHMS] = print_cuts,
        [DLP_LEVELS_NOT_PROPAGATED] = print_unpropagated,
        [DLP_UNGRADED] = print_ungraded,
    };
    dlp_diagnostic all[MOST];
    const dlp_index n = dlp_regression_diagnose(fit, MOST, all);
    for (dlp_index i = 0; i < n && i < MOST; i++)
        if (print[all[i].kind]) print[all[i].kind](fit, &all[i]);
}
