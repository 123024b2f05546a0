/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted regression on a screen: the table of its parameters, and the whole report. */
#include "cli/print.h"
#include "cli/glm/view.h"
#include "cli/message.h"
#include "cli/method.h"
#include "cli/outcome.h"
#include "cli/screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 256, LEAST_NAME = 12, MOST_NAME = 40, INTERVAL = 24 };
/* ---- the table ---- */

/* One posterior, and how much of it to show. */
typedef struct listing {
    cli_glm_list_of of;
    dlp_index count;      /* how many to show, from the first */
    const char *interval; /* follows the level in the title */
    bool plot;
    const cli_glm_view *view;
    const double *bound; /* (levels, 2, n) lower and upper, of all n parameters */
    dlp_index n;
} listing;

/* A value of a parameter, transformed if the view asks for it. */
static double value_shown(const listing *l, const dlp_parameter *q, double x)
{
    return l->view->exponentiate ? dlp_parameter_ratio(q, x) : x;
}

/* Pads all intervals but the last; returns the length of the last. */
static int print_intervals(const listing *l, const cli_glm_listed *item)
{
    const dlp_parameter *q = &item->parameter;
    const dlp_index i = item->number;
    int length = 0;
    const int n = l->view->intervals.n;
    for (int k = 0; k < n; k++) {
        const double *lower = l->bound + (dlp_index)2 * k * l->n, *upper = lower + l->n;
        char text[64];
        length = snprintf(text, sizeof text, "[%.4g, %.4g]", value_shown(l, q, lower[i]),
                          value_shown(l, q, upper[i]));
        printf("   %s", text);
        if (k + 1 < n) printf("%*s", length < INTERVAL ? INTERVAL - length : 0, "");
    }
    return length;
}

static void print_row(const listing *l, const cli_glm_listed *item, int width,
                      const cli_axis *a)
{
    const dlp_parameter *e = &item->parameter;
    char name[NAME], remark[64] = "";
    dlp_parameter_name(e, name, sizeof name);
    fputs("  ", stdout);
    cli_print_name(name, width);
    if (isnan(e->sd)) { /* a mode: nothing else is known */
        printf(" %10.4g %10s   -\n", e->mean, "-");
        return;
    }
    printf(" %10.4g", value_shown(l, e, e->mean));
    if (!l->view->exponentiate) printf(" %10.3g", e->sd);
    const int length = print_intervals(l, item);
    if (item->verified) dlp_verified_remark(item->verified, remark, sizeof remark);
    if (a || remark[0]) printf("%*s", length < INTERVAL ? INTERVAL - length : 0, "");
    if (a) cli_print_plot(a, e->lower, e->mean, e->upper);
    if (remark[0]) printf("  %s", remark);
    putchar('\n');
}

static int name_width(const listing *l)
{
    int width = LEAST_NAME;
    char name[NAME];
    for (dlp_index i = 0; i < l->count; i++) {
        dlp_parameter_name(&l->of.item[i].parameter, name, sizeof name);
        const int room = cli_name_width(name);
        if (room > width) width = room;
    }
    return width < MOST_NAME ? width : MOST_NAME;
}

/* Covers all intervals and zero, but not scales: those are not compared with zero. */
static cli_axis axis_of(const listing *l)
{
    cli_axis a = {0, 0, CLI_PLOT_WIDTH};
    for (dlp_index i = 0; i < l->count; i++) {
        const dlp_parameter *q = &l->of.item[i].parameter;
        if (q->kind == DLP_SCALE) continue;
        a.low = fmin(a.low, q->lower);
        a.high = fmax(a.high, q->upper);
    }
    return a;
}

static void print_titles(const listing *l, int width)
{
    const int n = l->view->intervals.n;
    printf("  %-*s %10s", width, "term", l->view->exponentiate ? "exp(mean)" : "mean");
    if (!l->view->exponentiate) printf(" %10s", "sd");
    for (int k = 0; k < n; k++) {
        char title[64];
        cli_interval_title(l->view->intervals.level[k], l->interval, title, sizeof title);
        printf("   %-*s", k + 1 < n ? INTERVAL : 0, title);
    }
    putchar('\n');
}

static void print_listing(const listing *l)
{
    const cli_axis a = axis_of(l);
    const bool plot = l->plot && isfinite(a.high - a.low) && a.high > a.low &&
                      !l->view->exponentiate && l->view->intervals.n == 1;
    const int width = name_width(l);
    print_titles(l, width);
    for (dlp_index i = 0; i < l->count; i++) {
        const cli_glm_listed *item = &l->of.item[i];
        print_row(l, item, width, plot && item->parameter.kind != DLP_SCALE ? &a : NULL);
    }
    if (l->count < l->of.n)
        printf("  ... and %td more; 'delaplace glm show' lists them all\n",
               l->of.n - l->count);
}

/* ---- groups ---- */

/* Bounds of all parameters at all levels, (levels, 2, n); to be freed. */
static dlp_status find_bounds(const dlp_regression *fit, const cli_intervals *levels,
                              dlp_index whose, double **out, dlp_error *error)
{
    const dlp_index total = dlp_regression_result_of(fit)->n;
    double *bound = calloc((size_t)(2 * (dlp_index)levels->n * total), sizeof *bound);
    *out = bound;
    if (!bound) return dlp_fail(error, DLP_ENOMEM, "not enough memory to show the fit");
    for (int k = 0; k < levels->n; k++) {
        double *lower = bound + (dlp_index)2 * k * total, *upper = lower + total;
        CLI_TRY(
            dlp_regression_intervals(fit, whose, levels->level[k], lower, upper, error));
    }
    return DLP_OK;
}

/* Prints the first n parameters. */
static dlp_status print_parameters(const dlp_regression *fit, const cli_glm_view *view,
                                   dlp_index whose, dlp_index n, const char *interval,
                                   dlp_error *error)
{
    listing l = {
        .interval = interval, .plot = view->plot, .n = dlp_regression_result_of(fit)->n};
    double *bound = NULL;
    cli_glm_view usual = *view;
    if (usual.intervals.n == 0)
        usual.intervals = (cli_intervals){1, {DLP_INTERVAL_LEVEL}};
    CLI_TRY(cli_glm_list(fit, whose, n, &l.of, error));
    const dlp_status status = find_bounds(fit, &usual.intervals, whose, &bound, error);
    l.view = &usual;
    l.bound = bound;
    l.count = view->most && view->most < l.of.n ? view->most : l.of.n;
    if (status == DLP_OK) print_listing(&l);
    free(bound);
    free(l.of.item);
    return status;
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
    return print_parameters(fit, view, m, dlp_regression_result_of(fit)->n, "interval",
                            error);
}

/* The mean of the groups with its uncertainty, then how the groups spread around it; for
   separate fits only the spread. */
static dlp_status print_population(const dlp_regression *regression,
                                   const cli_glm_view *view, dlp_error *error)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    const dlp_index vary = fit->mu0 && fit->shared_scale ? fit->p : fit->n;
    if (fit->mu0) {
        printf("\nThe mean of the %td group%s:\n", fit->M, cli_plural(fit->M));
        CLI_TRY(print_parameters(regression, view, DLP_MEAN_OF_GROUPS, fit->n, "interval",
                                 error));
        puts("\nThe groups around it:");
    } else {
        printf("\nOver the %td group%s, the means of their fits:\n", fit->M,
               cli_plural(fit->M));
    }
    return print_parameters(regression, view, DLP_SPREAD_OF_GROUPS, vary, "of groups",
                            error);
}

/* The population, then either how much the levels of each grouping differ, or one
   level. */
static dlp_status print_mixed(const dlp_regression *fit, const cli_glm_view *view,
                              dlp_error *error)
{
    dlp_index grouping, level;
    if (view->group >= 0) return cli_glm_print_level(fit, view->group, error);
    CLI_TRY(print_group(fit, view, 0, error));
    cli_glm_print_sds(dlp_regression_result_of(fit));
    cli_glm_print_smooths(dlp_regression_result_of(fit));
    for (dlp_index m = 0;
         view->every_group && dlp_regression_level_at(fit, m, &grouping, &level); m++)
        CLI_TRY(cli_glm_print_level(fit, m, error));
    return DLP_OK;
}

static dlp_status print_groups(const dlp_regression *fit, const cli_glm_view *view,
                               dlp_error *error)
{
    const dlp_regression_result *r = dlp_regression_result_of(fit);
    if (r->grouping == DLP_MIXED) return print_mixed(fit, view, error);
    if (!dlp_regression_is_grouped(r)) return print_group(fit, view, 0, error);
    if (view->group >= 0) return print_group(fit, view, view->group, error);
    dlp_status status = print_population(fit, view, error);
    for (dlp_index m = 0; view->every_group && m < r->M && status == DLP_OK; m++)
        status = print_group(fit, view, m, error);
    return status;
}

/* Says that there is no result: numbers that no iteration has computed would look like
   one. */
static void print_nothing(const dlp_regression_result *fit)
{
    if (fit->grouping == DLP_SEPARATE)
        puts(
            "\nSome groups were not estimated: no iteration succeeded there, and their "
            "numbers in the file\nare only starting values.");
    else
        puts(
            "\nNothing was estimated: no iteration succeeded, and the numbers in the "
            "file are only\nstarting values.");
}

dlp_status cli_glm_print(const dlp_regression *fit, const cli_glm_view *view,
                         dlp_error *error)
{
    cli_glm_print_head(fit, view->guessed);
    cli_glm_print_outcome(dlp_regression_result_of(fit));
    cli_glm_print_end(fit);
    if (!dlp_regression_result_of(fit)->estimated) {
        print_nothing(dlp_regression_result_of(fit));
        return DLP_OK;
    }
    const dlp_status status = print_groups(fit, view, error);
    if (status == DLP_OK) cli_glm_print_grades(fit);
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
