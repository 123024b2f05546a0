/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted regression on a screen. */
#include "cli/glm/fit.h"
#include "cli/report.h"
#include "cli/say.h"
#include "cli/screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256, LEAST_NAME = 12, MOST_NAME = 40, INTERVAL = 24 };
enum { MOST_PRIORS = 5 }; /* that are listed one by one */

/* ---- what was fitted, and how it ended ---- */

static const char next_line[] = "\n             "; /* of what stands under "prior" */

static void print_one_prior(const cli_glm_prior *prior, const char *of)
{
    if (prior->df > 0)
        printf("Student-t with %g degrees of freedom, scaled by %g, on %s", prior->df,
               prior->sd, of);
    else
        printf("N(%g, %g^2) on %s", prior->mean, prior->sd, of);
}

/* Where the weak prior is wider: the intercept, or what stands for it. NULL: nowhere. */
static const char *wider_on(const cli_glm_fit *fit)
{
    if (cli_glm_is_ordinal(fit->family)) return "the first cut point";
    for (dlp_index j = 0; j < fit->p; j++)
        if (!strcmp(fit->column[j], "(Intercept)"))
            return fit->own_prior[j].weak ? "the intercept" : NULL;
    return fit->prior_covariance ? "the levels that stand for an intercept" : NULL;
}

/* Those of which nothing is said, which are in the units of their columns. */
static void print_weak_prior(const cli_glm_fit *fit, const char *of)
{
    const bool identity = !strcmp(fit->link, "identity");
    const char *wider = wider_on(fit);
    char sd[32];
    snprintf(sd, sizeof sd, "%.3g", fit->prior_sd);
    fputs("weak: ", stdout);
    print_one_prior(&(cli_glm_prior){0, strtod(sd, NULL), fit->prior_df, true}, of);
    printf(", in sds of %s", identity ? "column and response" : "its column");
    if (wider) printf(",%swider on %s", next_line, wider);
}

static bool is_usual(const cli_glm_fit *fit, const cli_glm_prior *prior)
{
    return prior->weak ||
           (prior->mean == 0 && prior->sd == fit->prior_sd && prior->df == fit->prior_df);
}

/* The first few that are not like the others, a line each, and then those. */
static void print_own_prior(const cli_glm_fit *fit)
{
    const cli_glm_prior usual = {0, fit->prior_sd, fit->prior_df, false};
    bool weak = false;
    dlp_index own = 0;
    for (dlp_index j = 0; j < fit->p; j++) {
        const cli_glm_prior *prior = &fit->own_prior[j];
        weak = weak || prior->weak;
        if (is_usual(fit, prior)) continue;
        if (++own > MOST_PRIORS) continue;
        if (own > 1) fputs(next_line, stdout);
        print_one_prior(prior, "'");
        cli_print_name(fit->column[j], 0);
        putchar('\'');
    }
    if (own > MOST_PRIORS)
        printf("%sand others of their own on %td more", next_line, own - MOST_PRIORS);
    if (own == fit->p) return;
    if (own > 0) fputs(next_line, stdout);
    const char *others = own > 0 ? "each other coefficient" : "each coefficient";
    if (weak)
        print_weak_prior(fit, others);
    else
        print_one_prior(&usual, others);
}

static void print_prior(const cli_glm_fit *fit)
{
    if (fit->grouping == CLI_HIERARCHICAL)
        printf(
            "shared by the groups: N(mu0, Sigma0), with nu = %g, phi0 = %g, phi1 = %g%s",
            fit->nu, fit->phi0, fit->phi1,
            fit->paper_sigma0 ? ", Sigma0 as printed" : "");
    else if (fit->prior_covariance && !cli_glm_is_weak(fit))
        fputs("normal, with the covariance stated for all coefficients", stdout);
    else if (fit->own_prior)
        print_own_prior(fit);
    else
        print_one_prior(&(cli_glm_prior){0, fit->prior_sd, fit->prior_df, false},
                        "each coefficient");
}

/* What the mean of the response is about, where the levels have names. */
static void print_levels(const cli_glm_fit *fit)
{
    char *text = cli_glm_levels_text(fit);
    if (text && *text) {
        fputs("  levels     ", stdout);
        cli_print_name(text, 0);
        putchar('\n');
    }
    free(text);
}

static void print_head(const cli_glm_fit *fit, bool guessed)
{
    cli_print_name(fit->formula, 0);
    printf("\n\n  family     %s, link %s%s\n", fit->family, fit->link,
           guessed ? " (guessed from the response)" : "");
    print_levels(fit);
    fputs("  prior      ", stdout);
    print_prior(fit);
    printf("\n  rows       %td", fit->rows);
    if (fit->dropped) printf(" (%td with missing values left out)", fit->dropped);
    if (fit->weights) {
        fputs(", by '", stdout);
        cli_print_name(fit->weights, 0);
        printf("' as %.10g", fit->total_weight);
    }
    if (fit->grouping != CLI_UNGROUPED && fit->terms->group.variable) {
        printf("\n  groups     %td of '", fit->terms->group.n);
        cli_print_name(fit->terms->group.variable, 0);
        printf("', %s", cli_grouping_name((int)fit->grouping));
    }
    printf("\n  objective  %.8g\n\n", fit->objective);
}

/* Why it is not by delta; and how it would be, which with a scale and no more rows than
   columns is not to be had. */
static void print_propagation(const cli_glm_fit *fit)
{
    const bool saturated = fmin(fit->total_weight, (double)fit->rows) <= (double)fit->p;
    if (cli_glm_is_grouped(fit))
        puts(
            "Groups with few rows for the columns were fitted by expectation "
            "propagation, which comes\nnearer to the posterior there.");
    else
        printf(
            "There are few rows for the columns: it comes nearer to the posterior than "
            "the paper's\ndelta method%s.\n",
            fit->scale && saturated ? "" : " (--method delta)");
}

/* What was done instead of an expansion at one point. */
static void print_solution(const cli_glm_fit *fit)
{
    if (fit->scale_summed && fit->scale)
        printf("The %s was summed over, the coefficients fitted given each value.\n",
               fit->scale);
    if (fit->propagated) print_propagation(fit);
    if (fit->fallbacks && fit->propagated)
        printf(
            "In %d of the fits propagation did not converge, and there delta is "
            "used.\n",
            fit->fallbacks);
    else if (fit->fallbacks)
        printf("In %d iteration%s the delta method fell back to Laplace.\n",
               fit->fallbacks, cli_plural(fit->fallbacks));
}

static void print_outcome(const cli_glm_fit *fit)
{
    printf("The fit by %s %s after %d iteration%s (%ld evaluations).\n",
           cli_glm_method_used(fit), cli_outcome_sentence(fit->outcome), fit->iterations,
           cli_plural(fit->iterations), fit->evaluations);
    print_solution(fit);
    if (fit->unsettled && cli_glm_is_grouped(fit))
        printf("In %d of the groups the fit did not converge.\n", fit->unsettled);
}

/* The usual reason why a regression with a scale finds no maximum. The default method needs
   none of all parameters together, so that there is one reason less. */
static void print_scale_hint(const cli_glm_fit *fit)
{
    const bool by_group = fit->mu0 && !fit->shared_scale;
    const bool ended = fit->outcome == DLP_CONVERGED || fit->outcome == DLP_CANCELLED;
    if (!fit->scale || ended || !(by_group || cli_glm_is_lost(fit))) return;
    if (by_group)
        printf(
            "Groups need rows enough to tell their own %s. Without --scale "
            "by-group "
            "they share one.\n",
            fit->scale);
    else if (strcmp(fit->method, "delta") != 0)
        printf(
            "The search for the mode of all parameters together lost its way. Without "
            "--method %s\nthe %s is summed over, and none is needed.\n",
            fit->method, fit->scale);
    else
        printf(
            "Where the columns explain every response exactly, nothing is left to tell "
            "the %s from,\nand it has no maximum: look for a column that gives the "
            "response away.\n",
            fit->scale);
}

/* ---- the table ---- */

static void print_row(const char *name, int width, const cli_estimate *e,
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
    const cli_glm_quantity *quantity;
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
        cli_glm_quantity_name(&l->quantity[i], name, sizeof name);
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
        if (l->quantity[i].kind == CLI_SCALE) continue;
        a.low = fmin(a.low, l->quantity[i].estimate.lower);
        a.high = fmax(a.high, l->quantity[i].estimate.upper);
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
        const cli_glm_quantity *q = &l->quantity[i];
        char name[NAME];
        cli_glm_quantity_name(q, name, sizeof name);
        print_row(name, width, &q->estimate, plot && q->kind != CLI_SCALE ? &a : NULL);
    }
    if (l->count < l->total)
        printf("  ... and %td more; 'delaplace glm show' lists them all\n",
               l->total - l->count);
}

/* ---- blocks ---- */

static dlp_status no_memory(dlp_error *error)
{
    return dlp_fail(error, DLP_ENOMEM, "not enough memory to show the fit");
}

/* Of the first n parameters. */
static dlp_status print_posterior(const cli_glm_fit *fit, const cli_glm_view *view,
                                  dlp_index n, const double *mu, const double *Sigma,
                                  const char *interval, dlp_error *error)
{
    cli_glm_quantity *quantities = cli_glm_quantities(fit, mu, Sigma);
    if (!quantities) return no_memory(error);
    const listing l = {.quantity = quantities,
                       .count = view->most && view->most < n ? view->most : n,
                       .total = n,
                       .interval = interval,
                       .plot = view->plot};
    print_listing(&l);
    free(quantities);
    return DLP_OK;
}

static dlp_status print_block(const cli_glm_fit *fit, const cli_glm_view *view,
                              dlp_index m, dlp_error *error)
{
    const dlp_index n = fit->n;
    putchar('\n');
    if (cli_glm_is_grouped(fit)) {
        fputs("Group '", stdout);
        cli_print_name(cli_glm_group(fit, m), 0);
        fputs("':\n", stdout);
    }
    return print_posterior(fit, view, n, fit->mu + m * n, fit->Sigma + m * n * n,
                           "95 % interval", error);
}

/* The mean of the groups with its own uncertainty, then how the groups lie around it. Of
   separate fits the latter alone. */
static dlp_status print_population(const cli_glm_fit *fit, const cli_glm_view *view,
                                   dlp_error *error)
{
    const dlp_index n = fit->n;
    if (fit->mu0) {
        printf("\nThe mean of the %td group%s:\n", fit->M, cli_plural(fit->M));
        CLI_TRY(print_posterior(fit, view, n, fit->mu0, fit->mu0_covariance,
                                "95 % interval", error));
    }
    double *mean = calloc((size_t)(n + n * n), sizeof *mean);
    if (!mean) return no_memory(error);
    cli_glm_population(fit, mean, mean + n);
    if (fit->mu0)
        puts("\nThe groups around it:");
    else
        printf("\nOver the %td group%s, the means of their fits:\n", fit->M,
               cli_plural(fit->M));
    const dlp_index vary = fit->mu0 && fit->shared_scale ? fit->p : n;
    const dlp_status status =
        print_posterior(fit, view, vary, mean, mean + n, "95 % of groups", error);
    free(mean);
    return status;
}

static dlp_status print_blocks(const cli_glm_fit *fit, const cli_glm_view *view,
                               dlp_error *error)
{
    if (!cli_glm_is_grouped(fit)) return print_block(fit, view, 0, error);
    if (view->block >= 0) return print_block(fit, view, view->block, error);
    dlp_status status = print_population(fit, view, error);
    for (dlp_index m = 0; view->every_block && m < fit->M && status == DLP_OK; m++)
        status = print_block(fit, view, m, error);
    return status;
}

dlp_status cli_glm_print(const cli_glm_fit *fit, const cli_glm_view *view,
                         dlp_error *error)
{
    print_head(fit, view->guessed);
    print_outcome(fit);
    print_scale_hint(fit);
    const dlp_status status = print_blocks(fit, view, error);
    if (status == DLP_OK) cli_glm_print_warnings(fit);
    return status;
}
