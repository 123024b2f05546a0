/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted regression on a screen. */
#include "cli/glm/view.h"
#include "cli/message.h"
#include "cli/method.h"
#include "cli/report.h"
#include "cli/screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256, LEAST_NAME = 12, MOST_NAME = 40, INTERVAL = 24 };
enum { MOST_PRIORS = 5 }; /* that are listed one by one */

/* ---- what was fitted, and how it ended ---- */

static const char next_line[] = "\n             "; /* of what stands under "prior" */

static void print_one_prior(const dlp_coefficient_prior *prior, const char *of)
{
    if (prior->df > 0)
        printf("Student-t with %g degrees of freedom, scaled by %g, on %s", prior->df,
               prior->sd, of);
    else
        printf("N(%g, %g^2) on %s", prior->mean, prior->sd, of);
}

/* Where the weak prior is wider: the intercept, or what stands for it. NULL: nowhere. */
static const char *wider_on(const dlp_regression_result *fit)
{
    if (fit->family->support == DLP_SUPPORT_ORDERED) return NULL; /* told apart */
    for (dlp_index j = 0; j < fit->p; j++)
        if (!strcmp(fit->column[j], "(Intercept)"))
            return fit->prior[j].weak ? "the intercept" : NULL;
    return fit->prior_covariance ? "the mean of all levels" : NULL;
}

/* Those of which nothing is said, which are in the units of their columns. */
static void print_weak_prior(const dlp_regression_result *fit, const char *of)
{
    const bool identity = fit->family->support == DLP_SUPPORT_REAL;
    const char *wider = wider_on(fit);
    char sd[32];
    snprintf(sd, sizeof sd, "%.3g", fit->prior_sd);
    fputs("weak: ", stdout);
    print_one_prior(&(dlp_coefficient_prior){0, strtod(sd, NULL), fit->prior_df, true},
                    of);
    printf(", in sds of %s", identity ? "column and response" : "its column");
    if (wider) printf(",%swider on %s", next_line, wider);
}

static bool is_usual(const dlp_regression_result *fit, const dlp_coefficient_prior *prior)
{
    return prior->weak ||
           (prior->mean == 0 && prior->sd == fit->prior_sd && prior->df == fit->prior_df);
}

/* The first few that are not like the others, a line each, and then those. */
static void print_own_prior(const dlp_regression_result *fit)
{
    const dlp_coefficient_prior usual = {0, fit->prior_sd, fit->prior_df, false};
    bool weak = false;
    dlp_index own = 0;
    for (dlp_index j = 0; j < fit->p; j++) {
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
    if (own == fit->p) return;
    if (own > 0) fputs(next_line, stdout);
    const bool levels =
        weak && own == 0 && fit->terms->n_factors > 0 && fit->prior_df == 0;
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

/* That of an ordinal regression's level. */
static void print_cut_prior(const dlp_regression_result *fit)
{
    if (fit->cut_sd > 0)
        printf(",%sN(0, %g^2) on the first cut point at the columns' means", next_line,
               fit->cut_sd);
}

/* What the mean of the response is about, where the levels have names. */
static void print_levels(const dlp_regression_result *fit)
{
    char *text = cli_glm_levels_text(fit);
    if (text && *text) {
        fputs("  levels     ", stdout);
        cli_print_name(text, 0);
        putchar('\n');
    }
    free(text);
}

static void print_method(const dlp_regression_result *fit)
{
    const char *name = cli_glm_method_used(fit), *meaning = cli_method_meaning(name);
    printf("\n  method     %s", name);
    if (meaning) printf(": %s", meaning);
}

static void print_head(const dlp_regression *regression, bool guessed)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    cli_print_name(fit->formula, 0);
    printf("\n\n  family     %s, link %s%s\n", fit->family->name, fit->link,
           guessed ? " (guessed from the response)" : "");
    print_levels(fit);
    fputs("  prior      ", stdout);
    print_prior(regression);
    print_cut_prior(fit);
    printf("\n  rows       %td", fit->rows);
    if (fit->dropped) printf(" (%td with missing values dropped)", fit->dropped);
    if (fit->weights) {
        fputs(", by '", stdout);
        cli_print_name(fit->weights, 0);
        printf("' as %.10g", fit->total_weight);
    }
    if (fit->grouping != DLP_UNGROUPED && fit->terms->group.variable) {
        printf("\n  groups     %td of '", fit->terms->group.n);
        cli_print_name(fit->terms->group.variable, 0);
        printf("', %s", dlp_grouping_name((int)fit->grouping));
    }
    print_method(fit);
    if (fit->estimated) printf("\n  evidence   %.8g (log, approximate)", fit->objective);
    fputs("\n\n", stdout);
}

/* Why it is not by delta; and how it would be, which with a scale and no more rows than
   columns is not to be had. */
static void print_propagation(const dlp_regression_result *fit)
{
    const bool saturated = fmin(fit->total_weight, (double)fit->rows) <= (double)fit->p;
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
            fit->family->scale && saturated ? "" : " (--method delta)");
}

/* What was done instead of an expansion at one point. */
static void print_solution(const dlp_regression_result *fit)
{
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

static void print_outcome(const dlp_regression_result *fit)
{
    printf("The fit %s after %d iteration%s (%ld evaluation%s of the log posterior).\n",
           cli_outcome_sentence(fit->outcome), fit->iterations,
           cli_plural(fit->iterations), fit->evaluations, cli_plural(fit->evaluations));
    print_solution(fit);
    if (fit->unsettled && dlp_regression_is_grouped(fit))
        printf("The fit of %d of the groups did not converge.\n", fit->unsettled);
}

/* ---- the table ---- */

static void print_row(const char *name, int width, const dlp_parameter *e,
                      const cli_axis *a)
{
    char interval[64];
    const int length =
        snprintf(interval, sizeof interval, "[%.4g, %.4g]", e->lower, e->upper);
    fputs("  ", stdout);
    cli_print_name(name, width);
    printf(" %10.4g %10.3g   %s", e->mean, e->sd, interval);
    if (a) {
        printf("%*s", length < INTERVAL ? INTERVAL - length : 0, "");
        cli_print_plot(a, e->lower, e->mean, e->upper);
    }
    putchar('\n');
}

/* One posterior, and how much of it to show. */
typedef struct listing {
    const dlp_parameter *quantity;
    dlp_index count;      /* to show, from the first */
    dlp_index total;      /* that there are */
    const char *interval; /* its title */
    bool plot;
} listing;

static int name_width(const listing *l)
{
    int width = LEAST_NAME;
    char name[NAME];
    for (dlp_index i = 0; i < l->count; i++) {
        dlp_parameter_name(&l->quantity[i], name, sizeof name);
        const int room = cli_name_width(name);
        if (room > width) width = room;
    }
    return width < MOST_NAME ? width : MOST_NAME;
}

/* All of the intervals, and zero. A scale is not about zero, so it has no part. */
static cli_axis axis_of(const listing *l)
{
    cli_axis a = {0, 0, CLI_PLOT_WIDTH};
    for (dlp_index i = 0; i < l->count; i++) {
        if (l->quantity[i].kind == DLP_SCALE) continue;
        a.low = fmin(a.low, l->quantity[i].lower);
        a.high = fmax(a.high, l->quantity[i].upper);
    }
    return a;
}

static void print_listing(const listing *l)
{
    const cli_axis a = axis_of(l);
    const bool plot = l->plot && isfinite(a.high - a.low) && a.high > a.low;
    const int width = name_width(l);
    printf("  %-*s %10s %10s   %s\n", width, "term", "mean", "sd", l->interval);
    for (dlp_index i = 0; i < l->count; i++) {
        const dlp_parameter *q = &l->quantity[i];
        char name[NAME];
        dlp_parameter_name(q, name, sizeof name);
        print_row(name, width, q, plot && q->kind != DLP_SCALE ? &a : NULL);
    }
    if (l->count < l->total)
        printf("  ... and %td more; 'delaplace glm show' lists them all\n",
               l->total - l->count);
}

/* ---- groups ---- */

dlp_status cli_glm_parameters(const dlp_regression *fit, dlp_index whose,
                              dlp_parameter **parameters, dlp_error *error)
{
    const dlp_index n = dlp_regression_result_of(fit)->n;
    *parameters = calloc((size_t)n, sizeof **parameters);
    if (!*parameters)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory to show the fit");
    const dlp_status status = dlp_regression_parameters(fit, whose, *parameters, error);
    if (status == DLP_OK) return DLP_OK;
    free(*parameters);
    *parameters = NULL;
    return status;
}

void cli_glm_parameter_name(const dlp_regression *fit, dlp_index i, char *out,
                            size_t room)
{
    dlp_parameter *all;
    *out = '\0';
    if (cli_glm_parameters(fit, 0, &all, NULL) != DLP_OK) return;
    dlp_parameter_name(&all[i], out, room);
    free(all);
}

/* The first n parameters. */
static dlp_status print_parameters(const dlp_regression *fit, const cli_glm_view *view,
                                   dlp_index whose, dlp_index n, const char *interval,
                                   dlp_error *error)
{
    dlp_parameter *all;
    CLI_TRY(cli_glm_parameters(fit, whose, &all, error));
    const listing l = {.quantity = all,
                       .count = view->most && view->most < n ? view->most : n,
                       .total = n,
                       .interval = interval,
                       .plot = view->plot};
    print_listing(&l);
    free(all);
    return DLP_OK;
}

static dlp_status print_group(const dlp_regression *fit, const cli_glm_view *view,
                              dlp_index m, dlp_error *error)
{
    const char *name = dlp_regression_group(fit, m);
    putchar('\n');
    if (name) {
        fputs("Group '", stdout);
        cli_print_name(name, 0);
        fputs("':\n", stdout);
    }
    return print_parameters(fit, view, m, dlp_regression_result_of(fit)->n,
                            "95 % interval", error);
}

/* The mean of the groups with its own uncertainty, then how the groups lie around it. Of
   separate fits the latter alone. */
static dlp_status print_population(const dlp_regression *regression,
                                   const cli_glm_view *view, dlp_error *error)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    const dlp_index vary = fit->mu0 && fit->shared_scale ? fit->p : fit->n;
    if (fit->mu0) {
        printf("\nThe mean of the %td group%s:\n", fit->M, cli_plural(fit->M));
        CLI_TRY(print_parameters(regression, view, DLP_MEAN_OF_GROUPS, fit->n,
                                 "95 % interval", error));
        puts("\nThe groups around it:");
    } else {
        printf("\nOver the %td group%s, the means of their fits:\n", fit->M,
               cli_plural(fit->M));
    }
    return print_parameters(regression, view, DLP_SPREAD_OF_GROUPS, vary,
                            "95 % of groups", error);
}

static dlp_status print_groups(const dlp_regression *fit, const cli_glm_view *view,
                               dlp_error *error)
{
    const dlp_regression_result *r = dlp_regression_result_of(fit);
    if (!dlp_regression_is_grouped(r)) return print_group(fit, view, 0, error);
    if (view->group >= 0) return print_group(fit, view, view->group, error);
    dlp_status status = print_population(fit, view, error);
    for (dlp_index m = 0; view->every_group && m < r->M && status == DLP_OK; m++)
        status = print_group(fit, view, m, error);
    return status;
}

/* Numbers that no iteration made would look like an answer. */
static void print_nothing(const dlp_regression_result *fit)
{
    if (fit->grouping == DLP_SEPARATE)
        puts(
            "\nSome groups were not estimated: no iteration succeeded there, and their "
            "numbers in the file\nare those that the fit began with.");
    else
        puts(
            "\nNothing was estimated: no iteration succeeded, and the numbers in the "
            "file "
            "are those\nthat the fit began with.");
}

dlp_status cli_glm_print(const dlp_regression *fit, const cli_glm_view *view,
                         dlp_error *error)
{
    print_head(fit, view->guessed);
    print_outcome(dlp_regression_result_of(fit));
    cli_glm_print_end(fit);
    if (!dlp_regression_result_of(fit)->estimated) {
        print_nothing(dlp_regression_result_of(fit));
        return DLP_OK;
    }
    const dlp_status status = print_groups(fit, view, error);
    if (status == DLP_OK) cli_glm_print_warnings(fit);
    return status;
}

dlp_status cli_glm_print_json(const dlp_regression *fit, const cli_glm_view *view,
                              dlp_error *error)
{
    const dlp_regression_part part = view->every_group  ? DLP_PART_GROUPS
                                     : view->group >= 0 ? DLP_PART_GROUP
                                                        : DLP_PART_POPULATION;
    char *text;
    size_t size;
    CLI_TRY(dlp_regression_json(fit, part, view->group, &text, &size, error));
    fwrite(text, 1, size, stdout); /* cli_close_output checks what was written */
    free(text);
    return DLP_OK;
}
