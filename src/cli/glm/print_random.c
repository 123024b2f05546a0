/* SPDX-License-Identifier: BSD-3-Clause */
/* Random effects on a screen: how much levels differ, and the effects of one. */
#include "cli/glm/view.h"
#include "cli/message.h"
#include "cli/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_NAME = 12, MOST_NAME = 40, NAME = 256, MOST_SCALES = 5 };

static const char next_line[] = "\n             "; /* of what stands in the head */

/* ---- the head ---- */

static void print_units(const dlp_regression_result *fit)
{
    const bool identity = fit->family->support == DLP_SUPPORT_REAL;
    printf("half Student-t priors with 3 degrees of freedom, scaled by 2.5 in sds of%s%s",
           next_line, identity ? "column and response: " : "its column: ");
}

static bool has_correlations(const dlp_regression_result *fit)
{
    for (dlp_index t = 0; t < fit->n_random; t++)
        if (fit->random[t].q > 1) return true;
    return false;
}

static void print_scales(const dlp_regression_result *fit)
{
    dlp_index listed = 0, more = 0;
    for (dlp_index t = 0; t < fit->n_random; t++)
        for (dlp_index k = 0; k < fit->random[t].q; k++) {
            const dlp_random_effects *of = &fit->random[t];
            if (listed == MOST_SCALES) more++;
            if (listed == MOST_SCALES) continue;
            if (listed++ > 0) fputs(", ", stdout);
            printf("%.3g for ", of->prior_scale[k]);
            cli_print_name(of->name[k], 0);
            if (fit->n_random == 1) continue;
            fputs(" | ", stdout);
            cli_print_name(of->group, 0);
        }
    if (more > 0) printf(" and %td more", more);
}

void cli_glm_print_random_head(const dlp_regression_result *fit)
{
    fputs("\n  sds        ", stdout);
    print_units(fit);
    print_scales(fit);
    if (has_correlations(fit)) printf("%scorrelations uniform", next_line);
    for (dlp_index t = 0; t < fit->n_random; t++) {
        const dlp_random_effects *of = &fit->random[t];
        fputs(t == 0 ? "\n  random     (" : "\n             (", stdout);
        cli_print_name(of->label, 0);
        printf("): %td levels of '", of->levels);
        cli_print_name(of->group, 0);
        putchar('\'');
    }
}

void cli_glm_print_random_method(const dlp_regression_result *fit)
{
    static const char *const effects[] = {[DLP_EFFECTS_EXACT] =
                                              "exactly, given the scales",
                                          [DLP_EFFECTS_QUADRATURE] = "by quadrature",
                                          [DLP_EFFECTS_LAPLACE] = "by Laplace's method"};
    const dlp_effects_method method = dlp_regression_effects_method(fit);
    fputs("\n  method     scales integrated", stdout);
    if (fit->points > 0) printf(" at %d points", fit->points);
    printf(", effects %s", effects[method]);
    if (method == DLP_EFFECTS_QUADRATURE && fit->n_random > 1)
        fputs(" (one term) and Laplace's method", stdout);
}

/* ---- tables ---- */

static void print_title(int width, const char *title)
{
    printf("  %-*s %10s %10s   %s\n", width, title, "mean", "sd", "95 % interval");
}

static void print_margin(const char *name, int width, const dlp_margin *m)
{
    fputs("  ", stdout);
    cli_print_name(name, width);
    printf(" %10.4g %10.3g   [%.4g, %.4g]\n", m->mean, m->sd, m->lower, m->upper);
}

static void widen(const char *name, int *width)
{
    const int room = cli_name_width(name);
    if (room > *width) *width = room < MOST_NAME ? room : MOST_NAME;
}

static void pair_name(const dlp_random_effects *of, dlp_index j, dlp_index k, char *out)
{
    snprintf(out, NAME, "correlation %s, %s", of->name[j], of->name[k]);
}

static void sd_name(const dlp_random_effects *of, dlp_index k, char *out)
{
    snprintf(out, NAME, "sd %s", of->name[k]);
}

static int term_width(const dlp_random_effects *of)
{
    int width = LEAST_NAME;
    char name[NAME];
    for (dlp_index k = 0; k < of->q; k++) {
        sd_name(of, k, name);
        widen(name, &width);
        for (dlp_index j = 0; j < k; j++) {
            pair_name(of, j, k, name);
            widen(name, &width);
        }
    }
    return width;
}

static void print_term(const dlp_random_effects *of)
{
    const int width = term_width(of);
    const dlp_margin *correlation = of->correlation;
    char name[NAME];
    printf("\nBetween the %td levels of '", of->levels);
    cli_print_name(of->group, 0);
    puts("':");
    print_title(width, "term");
    for (dlp_index k = 0; k < of->q; k++) {
        sd_name(of, k, name);
        print_margin(name, width, &of->sd[k]);
    }
    for (dlp_index k = 1; k < of->q; k++)
        for (dlp_index j = 0; j < k; j++) {
            pair_name(of, j, k, name);
            print_margin(name, width, correlation++);
        }
}

void cli_glm_print_sds(const dlp_regression_result *fit)
{
    for (dlp_index t = 0; t < fit->n_random; t++) print_term(&fit->random[t]);
}

/* ---- a level ---- */

/* The effects of the level, of all terms that vary by its grouping, to be freed; their
   number is *n. */
static dlp_level_effect *effects_of(const dlp_regression *regression,
                                    const dlp_levels *group, dlp_index level,
                                    dlp_index *n)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    dlp_index room = 1; /* some, where no term varies */
    for (dlp_index t = 0; t < fit->n_random; t++) room += fit->random[t].q;
    dlp_level_effect *effect = calloc((size_t)room, sizeof *effect);
    *n = 0;
    for (dlp_index t = 0; effect && t < fit->n_random; t++) {
        if (strcmp(fit->random[t].group, group->variable) != 0) continue;
        dlp_regression_level(regression, t, level, effect + *n);
        *n += fit->random[t].q;
    }
    return effect;
}

static void print_effects(const dlp_level_effect *effect, dlp_index n)
{
    int width = LEAST_NAME;
    bool own = false;
    for (dlp_index k = 0; k < n; k++) widen(effect[k].name, &width);
    print_title(width, "effect");
    for (dlp_index k = 0; k < n; k++) {
        print_margin(effect[k].name, width, &effect[k].effect);
        own |= effect[k].column >= 0;
    }
    if (!own) return;
    puts("  and with the population's coefficients:");
    for (dlp_index k = 0; k < n; k++)
        if (effect[k].column >= 0) print_margin(effect[k].name, width, &effect[k].own);
}

dlp_status cli_glm_print_level(const dlp_regression *regression, dlp_index m,
                               dlp_error *error)
{
    const dlp_terms *terms = dlp_regression_result_of(regression)->terms;
    dlp_index grouping, level, n;
    if (!dlp_regression_level_at(regression, m, &grouping, &level)) return DLP_OK;
    const dlp_levels *group = &terms->grouping[grouping];
    dlp_level_effect *effect = effects_of(regression, group, level, &n);
    if (!effect) return dlp_fail(error, DLP_ENOMEM, "not enough memory to show the fit");
    fputs("\nLevel '", stdout);
    cli_print_name(group->level[level], 0);
    fputs("' of '", stdout);
    cli_print_name(group->variable, 0);
    puts("':");
    print_effects(effect, n);
    free(effect);
    return DLP_OK;
}
