/* SPDX-License-Identifier: BSD-3-Clause */
/* What priors do to a fit that most people would not expect of them. */
#include "cli/glm/fit.h"
#include "cli/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 256 };

/* The Gaussian prior of a coefficient, or of the first cut point, which is where an
   intercept would be; false of other parameters. */
static bool gaussian_prior(const cli_glm_fit *fit, dlp_index i, cli_glm_prior *prior)
{
    const dlp_glm_prior usual = dlp_glm_prior_default();
    const cli_glm_kind kind = cli_glm_parameter(fit, i).kind;
    if (kind == CLI_COEFFICIENT)
        *prior = cli_glm_prior_of(fit, i % fit->p);
    else
        *prior = (cli_glm_prior){.mean = usual.scale_mean,
                                 .sd = fit->first_cut_sd > 0 ? fit->first_cut_sd
                                                             : usual.scale_sd,
                                 .weak = fit->first_cut_sd > 0};
    return kind == CLI_COEFFICIENT ? !(prior->df > 0) : kind == CLI_CUT && i == fit->p;
}

static bool is_intercept(const cli_glm_quantity *q)
{
    return q->kind == CLI_COEFFICIENT && !strcmp(q->term, "(Intercept)");
}

/* What to do about a prior that is too narrow. A weak one is so whatever the units. */
static void print_wider(const cli_glm_fit *fit, dlp_index i, const cli_glm_prior *prior)
{
    const cli_glm_quantity q = cli_glm_parameter(fit, i);
    const bool own = fit->own_prior || fit->prior_covariance;
    if (q.kind == CLI_CUT && prior->weak) /* no option is about it */
        printf("mind that its prior has an sd of %g.\n", prior->sd);
    else if (prior->weak)
        printf("state a wider one (--prior-file; its sd is %g).\n", prior->sd);
    else if (q.kind == CLI_CUT)
        puts("use scale(x) in the formula.");
    else if (is_intercept(&q) && own)
        printf("widen its prior (its sd is %g).\n", prior->sd);
    else if (is_intercept(&q))
        printf(
            "give it a wider one of its own (--intercept-sd %g), or leave\n--prior-sd "
            "out.\n",
            100 * prior->sd);
    else if (own)
        printf("widen it (its sd is %g) or use scale(x) in the formula.\n", prior->sd);
    else
        printf("widen it (--prior-sd %g) or use scale(x) in the formula.\n",
               10 * prior->sd);
}

/* Whether a prior has much to say in any case: ten rows a column are enough that the delta
   method needs no help. What rows of several trials count as is not kept; there it tells
   whether it had any. */
static bool rows_are_few(const cli_glm_fit *fit)
{
    const char *response = fit->terms->response.variable;
    const bool of_trials = response && !strncmp(response, "cbind(", 6);
    return fit->propagated || (!of_trials && fit->total_weight < 10 * (double)fit->p);
}

/* A parameter more than two sds from the mean of its prior: the data say something else,
   and the answer is a compromise. Names the farthest. */
static void print_prior_warning(const cli_glm_fit *fit)
{
    double most = 2;
    dlp_index farthest = -1;
    char name[NAME];
    cli_glm_prior prior;
    for (dlp_index i = 0; i < fit->n; i++) {
        if (!gaussian_prior(fit, i, &prior)) continue;
        const double away = fabs(fit->mu[i] - prior.mean) / prior.sd;
        if (!(away > most)) continue;
        most = away;
        farthest = i;
    }
    if (farthest < 0) return;
    const cli_glm_quantity q = cli_glm_parameter(fit, farthest);
    gaussian_prior(fit, farthest, &prior);
    cli_glm_quantity_name(&q, name, sizeof name);
    if (rows_are_few(fit)) {
        fputs("\nThere are few rows for the columns, so that the prior matters: '",
              stdout);
        cli_print_name(name, 0);
        printf("'\nlies %.1f prior sds from %g.\n", most, prior.mean);
        return;
    }
    fputs("\nThe prior holds '", stdout);
    cli_print_name(name, 0);
    printf("' back: it lies %.1f prior sds from %g. If that is not\nwhat you mean, ",
           most, prior.mean);
    print_wider(fit, farthest, &prior);
}

/* What may be too narrow of the priors that were stated: that of a column in small units,
   or the intercept's. */
static void print_idle_advice(const cli_glm_fit *fit, bool column, bool intercept)
{
    if (column)
        puts("A column in small units needs a wider one, or scale(x) in the formula.");
    if (intercept)
        printf(
            "Where the prior holds the intercept back, slopes make up for it: widen it\n"
            "(--intercept-sd S)%s.\n",
            fit->own_prior ? "" : ", or leave --prior-sd out");
}

/* A posterior that is the prior: the data say nothing, or the units of a column keep it
   from saying more. Names the first. */
static void print_idle_warning(const cli_glm_fit *fit)
{
    const double idle = 0.99; /* of the prior's sd is left */
    dlp_index count = 0;
    bool column = false, intercept = false; /* of which the prior is stated */
    char name[NAME] = "";
    for (dlp_index i = 0; i < fit->n; i++) {
        cli_glm_prior prior;
        const double sd = sqrt(fit->Sigma[i * (fit->n + 1)]);
        if (!gaussian_prior(fit, i, &prior) || !(sd > idle * prior.sd)) continue;
        const cli_glm_quantity q = cli_glm_parameter(fit, i);
        if (count++ == 0) cli_glm_quantity_name(&q, name, sizeof name);
        column = column || !(prior.weak || is_intercept(&q));
        intercept = intercept || (!prior.weak && is_intercept(&q));
    }
    if (count == 0) return;
    fputs("\nThe data say next to nothing of '", stdout);
    cli_print_name(name, 0);
    putchar('\'');
    if (count > 1) printf(" and %td more", count - 1);
    puts(": what is known is the prior.");
    print_idle_advice(fit, column, intercept);
}

/* What data cannot tell, the prior does. A weak one says next to nothing. */
static void print_wide_warning(const cli_glm_fit *fit)
{
    const double rows = fmin(fit->total_weight, (double)fit->rows);
    if (rows > (double)fit->p || fit->prior_df > 0 || !cli_glm_is_weak(fit)) return;
    if (fit->weights)
        printf("\nWith rows of a total weight of %.6g for %td column%s", rows, fit->p,
               cli_plural(fit->p));
    else
        printf("\nWith %td row%s for %td column%s", fit->rows, cli_plural(fit->rows),
               fit->p, cli_plural(fit->p));
    puts(
        " the intervals are as wide as the prior lets them be. State\nwhat you know: "
        "--prior-sd S, or --prior-df 1 where few columns matter.");
}

static double mean_of_groups(const cli_glm_fit *fit, dlp_index i)
{
    double sum = 0;
    for (dlp_index m = 0; m < fit->M; m++) sum += fit->mu[m * fit->n + i];
    return sum / (double)fit->M;
}

/* Groups that lie far from where the paper's hyperprior has their mean, which is near 0. */
static void print_shared_prior_warning(const cli_glm_fit *fit)
{
    double most = 2 * sqrt(fit->phi1);
    char name[NAME] = "";
    if (fit->grouping != CLI_HIERARCHICAL || !fit->paper_hyperprior) return;
    for (dlp_index i = 0; i < fit->n; i++) {
        const double away = fabs(mean_of_groups(fit, i));
        if (!(away > most)) continue;
        most = away;
        const cli_glm_quantity q = cli_glm_parameter(fit, i);
        cli_glm_quantity_name(&q, name, sizeof name);
    }
    if (!*name) return;
    fputs("\nThe hyperprior holds the mean of '", stdout);
    cli_print_name(name, 0);
    printf(
        "' back: the groups' lies %.1f prior sds from 0.\nIf that is not what you mean, "
        "leave out --hyperprior paper.\n",
        most / sqrt(fit->phi1));
}

void cli_glm_print_warnings(const cli_glm_fit *fit)
{
    if (!cli_glm_is_grouped(fit)) {
        print_prior_warning(fit);
        print_idle_warning(fit);
        print_wide_warning(fit);
    }
    print_shared_prior_warning(fit);
}
