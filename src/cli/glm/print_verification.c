/* SPDX-License-Identifier: BSD-3-Clause */
/* How accurate a fit is, in words. */
#include "cli/glm/view.h"
#include "cli/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME = 256, LEAST_NAME = 12, MOST_NAME = 40, INTERVAL = 24 };

static const dlp_verification *verification_of(const dlp_regression *fit)
{
    return dlp_regression_result_of(fit)->verification;
}

static void print_shape(double k)
{
    static const char *const worth[] = {
        [DLP_TAIL_LIGHT] = "",
        [DLP_TAIL_FAIR] = ", which is enough",
        [DLP_TAIL_HEAVY] = ": the tail is too heavy to rely on the weights",
    };
    if (k == -INFINITY)
        fputs("none, the weights are all alike", stdout);
    else if (k == INFINITY)
        fputs("unknown", stdout);
    else
        printf("%.2f%s", k, worth[dlp_tail_of(k)]);
}

void cli_glm_print_grades(const dlp_regression *fit)
{
    const dlp_verification *v = verification_of(fit);
    if (!v || (v->automatic && v->grade == DLP_GRADE_GOOD)) return;
    const dlp_regression_result *r = dlp_regression_result_of(fit);
    const dlp_index fair = dlp_verification_count(r, DLP_GRADE_FAIR),
                    poor = dlp_verification_count(r, DLP_GRADE_POOR),
                    unknown = dlp_verification_count(r, DLP_GRADE_UNKNOWN);
    printf("\nVerified by %td weighted draws: ", v->draws);
    if (v->grade == DLP_GRADE_GOOD) {
        puts("means, sds and intervals are within 0.1 sd.");
    } else if (unknown > 0) {
        printf("%td number%s could not be verified, since the weights are too\nuneven",
               unknown, cli_plural(unknown));
        if (poor > 0) printf("; %td seem%s far off", poor, poor == 1 ? "s" : "");
        puts(". 'delaplace glm check' says more.");
    } else {
        if (fair > 0)
            printf("%td number%s off by as much as %s", fair, fair == 1 ? " is" : "s are",
                   fair == 1 ? "its line says" : "their lines say");
        if (fair > 0 && poor > 0) fputs(", and ", stdout);
        if (poor > 0)
            printf("%td%s by more than 0.5 sd", poor,
                   fair > 0    ? ""
                   : poor == 1 ? " number is off"
                               : " numbers are off");
        puts(".\n'delaplace glm check' prints better ones.");
    }
}

static int name_width(const dlp_parameter *q, dlp_index n)
{
    int width = LEAST_NAME;
    char name[NAME];
    for (dlp_index i = 0; i < n; i++) {
        dlp_parameter_name(&q[i], name, sizeof name);
        if (cli_name_width(name) > width) width = cli_name_width(name);
    }
    return width < MOST_NAME ? width : MOST_NAME;
}

static void print_row(const char *name, const dlp_verified *v, dlp_range range, int width,
                      const cli_intervals *levels)
{
    char interval[64], remark[64];
    dlp_verified_remark(v, remark, sizeof remark);
    fputs("  ", stdout);
    cli_print_name(name, width);
    printf(" %10.4g %10.3g  ", v->mean, v->sd);
    for (int k = 0; k < levels->n; k++) {
        double lower, upper;
        dlp_verified_interval(v, range, levels->level[k], &lower, &upper);
        snprintf(interval, sizeof interval, "[%.4g, %.4g]", lower, upper);
        printf(" %-*s", INTERVAL, interval);
    }
    printf(" %8.2f   %s\n", fabs(v->skewness) < 0.005 ? 0 : v->skewness,
           remark[0] ? remark : "good");
}

static void print_heads(int width, const cli_intervals *levels)
{
    printf("  %-*s %10s %10s  ", width, "term", "mean", "sd");
    for (int k = 0; k < levels->n; k++) {
        char title[64];
        cli_interval_title(levels->level[k], "interval", title, sizeof title);
        printf(" %-*s", INTERVAL, title);
    }
    printf(" %8s   %s\n", "skewness", "the fit's");
}

dlp_status cli_glm_print_verified(const dlp_regression *fit, dlp_index m,
                                  const cli_intervals *levels, dlp_error *error)
{
    const dlp_index n = dlp_regression_result_of(fit)->n;
    const dlp_verified_fit *v = &verification_of(fit)->fit[m];
    const char *group = dlp_regression_group(fit, m);
    dlp_parameter *all;
    const dlp_status status = cli_glm_parameters(fit, m, &all, error);
    if (status != DLP_OK) return status;
    int width = name_width(all, n);
    for (dlp_index i = 0; i < v->n_scales; i++)
        if (cli_name_width(v->scale_name[i]) > width)
            width = cli_name_width(v->scale_name[i]);
    if (width > MOST_NAME) width = MOST_NAME;
    if (group) {
        fputs("Group '", stdout);
        cli_print_name(group, 0);
        fputs("':\n", stdout);
    }
    fputs("  tail k        ", stdout);
    print_shape(v->k);
    printf("\n  draws         %td, worth %.0f of the posterior's own%s\n",
           verification_of(fit)->draws, v->effective,
           v->rounds > 1 ? "; moved to where the posterior is" : "");
    printf("  log evidence  %.3f (%.1g)\n\n", v->log_evidence, v->log_evidence_se);
    print_heads(width, levels);
    for (dlp_index i = 0; i < n; i++) {
        char name[NAME];
        dlp_parameter_name(&all[i], name, sizeof name);
        print_row(name, &v->parameter[i],
                  all[i].kind == DLP_SCALE ? DLP_RANGE_POSITIVE : DLP_RANGE_REAL, width,
                  levels);
    }
    for (dlp_index i = 0; i < v->n_scales; i++)
        print_row(v->scale_name[i], &v->scale[i], v->scale_range[i], width, levels);
    free(all);
    return DLP_OK;
}

/* One line per group: the problem with the worst of its parameters. */
void cli_glm_print_verified_groups(const dlp_regression *fit)
{
    const dlp_regression_result *r = dlp_regression_result_of(fit);
    printf("  %-*s %8s %8s   %s\n", LEAST_NAME, "group", "tail k", "draws",
           "the fit's worst");
    for (dlp_index m = 0; m < r->M; m++) {
        const dlp_verified_fit *v = &r->verification->fit[m];
        const dlp_index worst = dlp_verified_worst(v, r->n);
        char name[NAME], remark[64];
        dlp_verified_remark(&v->parameter[worst], remark, sizeof remark);
        cli_glm_parameter_name(fit, worst, name, sizeof name);
        fputs("  ", stdout);
        cli_print_name(dlp_regression_group(fit, m), LEAST_NAME);
        printf(" %8.2f %8.0f   %s", v->k, v->effective, remark[0] ? remark : "good");
        if (remark[0]) {
            fputs(", ", stdout);
            cli_print_name(name, 0);
        }
        putchar('\n');
    }
    if (r->mu0)
        puts(
            "\nEach group given the mean of the groups and how they differ, which are "
            "not verified: "
            "a mixed\nmodel (--groups mixed) integrates over these.");
}
