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
    const dlp_parameter *quantity;
    dlp_index count;      /* how many to show, from the first */
    dlp_index total;      /* how many there are */
    const char *interval; /* follows the level in the title */
    bool plot;
    const dlp_verified *verified; /* (total) or NULL */
    const cli_glm_view *view;
    const double *bound; /* (levels, 2, stride) lower and upper */
    dlp_index stride;
} listing;

/* A value of parameter i, transformed if the view asks for it. */
static double value_shown(const listing *l, dlp_index i, double x)
{
    return l->view->exponentiate ? dlp_parameter_ratio(&l->quantity[i], x) : x;
}

/* Pads all intervals but the last; returns the length of the last. */
static int print_intervals(const listing *l, dlp_index i)
{
    int length = 0;
    const int n = l->view->intervals.n;
    for (int k = 0; k < n; k++) {
        const double *lower = l->bound + (dlp_index)2 * k * l->stride,
                     *upper = lower + l->stride;
        char text[64];
        length = snprintf(text, sizeof text, "[%.4g, %.4g]", value_shown(l, i, lower[i]),
                          value_shown(l, i, upper[i]));
        printf("   %s", text);
        if (k + 1 < n) printf("%*s", length < INTERVAL ? INTERVAL - length : 0, "");
    }
    return length;
}

static void print_row(const listing *l, dlp_index i, const char *name, int width,
                      const cli_axis *a, const dlp_verified *verified)
{
    const dlp_parameter *e = &l->quantity[i];
    char remark[64] = "";
    fputs("  ", stdout);
    cli_print_name(name, width);
    if (isnan(e->sd)) { /* a mode: nothing else is known */
        printf(" %10.4g %10s   -\n", e->mean, "-");
        return;
    }
    printf(" %10.4g", value_shown(l, i, e->mean));
    if (!l->view->exponentiate) printf(" %10.3g", e->sd);
    const int length = print_intervals(l, i);
    if (verified) dlp_verified_remark(verified, remark, sizeof remark);
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
        dlp_parameter_name(&l->quantity[i], name, sizeof name);
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
        if (l->quantity[i].kind == DLP_SCALE) continue;
        a.low = fmin(a.low, l->quantity[i].lower);
        a.high = fmax(a.high, l->quantity[i].upper);
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
        const dlp_parameter *q = &l->quantity[i];
        char name[NAME];
        dlp_parameter_name(q, name, sizeof name);
        print_row(l, i, name, width, plot && q->kind != DLP_SCALE ? &a : NULL,
                  l->verified ? &l->verified[i] : NULL);
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

/* Bounds at all levels, (levels, 2, n), for the parameters that are shown; to be
   freed. */
static dlp_status find_bounds(const dlp_regression *fit, const cli_intervals *levels,
                              dlp_index whose, dlp_index n, const dlp_parameter *all,
                              double **out, dlp_error *error)
{
    const dlp_index total = dlp_regression_result_of(fit)->n;
    double *bound = calloc((size_t)(2 * (dlp_index)levels->n * total), sizeof *bound);
    *out = bound;
    if (!bound) return dlp_fail(error, DLP_ENOMEM, "not enough memory to show the fit");
    for (int k = 0; k < levels->n; k++) {
        double *lower = bound + (dlp_index)2 * k * total, *upper = lower + total;
        dlp_index shown = 0;
        CLI_TRY(
            dlp_regression_intervals(fit, whose, levels->level[k], lower, upper, error));
        for (dlp_index i = 0; i < n; i++)
            if (!all[i].penalised) {
                lower[shown] = lower[i];
                upper[shown++] = upper[i];
            }
    }
    return DLP_OK;
}

/* Prints the first n parameters. */
static dlp_status print_parameters(const dlp_regression *fit, const cli_glm_view *view,
                                   dlp_index whose, dlp_index n, const char *interval,
                                   dlp_error *error)
{
    dlp_parameter *all;
    double *bound;
    const dlp_index total = dlp_regression_result_of(fit)->n;
    cli_glm_view usual = *view;
    if (usual.intervals.n == 0) usual.intervals = (cli_intervals){1, {0.95}};
    CLI_TRY(cli_glm_parameters(fit, whose, &all, error));
    dlp_status status = find_bounds(fit, &usual.intervals, whose, n, all, &bound, error);
    dlp_index shown = 0;
    for (dlp_index i = 0; i < n; i++)
        if (!all[i].penalised) all[shown++] = all[i];
    const dlp_verification *v = dlp_regression_result_of(fit)->verification;
    n = shown;
    const listing l = {.quantity = all,
                       .count = view->most && view->most < n ? view->most : n,
                       .total = n,
                       .view = &usual,
                       .bound = bound,
                       .stride = total,
                       .interval = interval,
                       .plot = view->plot,
                       .verified = v && whose >= 0 ? v->fit[whose].parameter : NULL};
    if (status == DLP_OK) print_listing(&l);
    free(bound);
    free(all);
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
