/* SPDX-License-Identifier: BSD-3-Clause */
/* Random effects on a screen: how much levels differ, and the effects of one. */
#include "cli/glm/view.h"
#include "cli/message.h"
#include "cli/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_NAME = 12, MOST_NAME = 40, NAME = 256, MOST_PRIORS = 6 };

static const char next_line[] = "\n             "; /* aligned with the text of the head */

/* ---- the head ---- */

static bool is_process(const dlp_random_effects *of, dlp_basis_kind kind)
{
    return of->process && of->process->kind == kind;
}

/* sd(g, x) ~ half_t(3, 12), in the form that --prior accepts */
static void print_sd_prior(const dlp_random_effects *of, dlp_index k)
{
    char text[NAME];
    dlp_sd_prior_text(&of->prior[k], 3, text, sizeof text);
    fputs("sd(", stdout);
    cli_print_name(of->group, 0);
    if (!of->process) fputs(", ", stdout);
    if (!of->process) cli_print_name(of->name[k], 0);
    printf(") ~ %s%s", text, of->prior[k].stated ? ", stated" : "");
}

static void print_correlation_prior(const dlp_random_effects *of)
{
    fputs("cor(", stdout);
    cli_print_name(of->group, 0);
    printf(") ~ lkj(%.3g)%s", of->lkj, of->lkj_stated ? ", stated" : "");
}

/* The prior of a process's second parameter. */
static void print_second_prior(const dlp_random_effects *of)
{
    const bool share = is_process(of, DLP_BASIS_BYM2);
    if (!share) {
        print_correlation_prior(of);
        return;
    }
    fputs("share(", stdout);
    cli_print_name(of->group, 0);
    printf(") ~ beta(%.3g, %.3g)%s", of->share[0], of->share[1],
           of->share_stated ? ", stated" : "");
}

static bool has_second(const dlp_random_effects *of)
{
    return of->process && dlp_basis_has_second(of->process);
}

/* Whether to print this term: a multinomial regression repeats its terms for every level,
   with the same priors. */
static bool is_told(const dlp_regression_result *fit, const dlp_random_effects *of)
{
    return !of->category || !strcmp(of->category, fit->terms->response.level[1]);
}

/* Prints the priors, one per line; returns whether some are weak defaults. */
static bool print_sd_priors(const dlp_regression_result *fit)
{
    dlp_index listed = 0, more = 0;
    bool weak = false;
    for (dlp_index t = 0; t < fit->n_random; t++) {
        const dlp_random_effects *of = &fit->random[t];
        for (dlp_index k = 0; k <= of->q && is_told(fit, of); k++) {
            if (k < of->q) weak = weak || !of->prior[k].stated;
            if (k == of->q && of->q == 1 && !has_second(of)) continue;
            if (listed == MOST_PRIORS) more++;
            if (listed == MOST_PRIORS) continue;
            if (listed++ > 0) fputs(next_line, stdout);
            if (k < of->q)
                print_sd_prior(of, k);
            else if (of->process)
                print_second_prior(of);
            else
                print_correlation_prior(of);
        }
    }
    if (more > 0) printf("%sand %td more", next_line, more);
    return weak;
}

/* "160 values in 20 series" */
static void print_nodes(const dlp_random_effects *of)
{
    const dlp_basis *b = of->process;
    const bool regions = dlp_basis_is_regional(b);
    printf("%td %s", of->levels, regions ? "regions" : "values");
    if (!is_process(of, DLP_BASIS_AR1)) return;
    const dlp_index series = dlp_basis_series(b);
    if (series > 1) printf(" in %td series", series);
}

void cli_glm_print_random_head(const dlp_regression_result *fit)
{
    fputs("\n  sds        ", stdout);
    if (print_sd_priors(fit))
        printf("%sweak: scales of %g in sds of %s", next_line, DLP_WEAK_EFFECT,
               cli_glm_prior_units(fit));
    for (dlp_index t = 0; t < fit->n_random; t++) {
        const dlp_random_effects *of = &fit->random[t];
        if (!is_told(fit, of)) continue;
        fputs(t == 0 ? "\n  random     " : "\n             ", stdout);
        if (of->process) {
            cli_print_name(of->label, 0);
            fputs(": ", stdout);
            print_nodes(of);
            continue;
        }
        putchar('(');
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
    if (fit->hyper == DLP_HYPER_MAP)
        fputs("\n  method     scales at their mode", stdout);
    else if (fit->points == 1)
        fputs("\n  method     scales fixed", stdout);
    else
        fputs("\n  method     scales integrated", stdout);
    if (fit->hyper != DLP_HYPER_MAP && fit->points > 1)
        printf(" at %d points", fit->points);
    printf(", effects %s", effects[method]);
    dlp_index terms = 0;
    for (dlp_index t = 0; t < fit->n_random; t++) terms += is_told(fit, &fit->random[t]);
    if (method == DLP_EFFECTS_QUADRATURE && terms > 1)
        fputs(" (one term) and Laplace's method", stdout);
}

/* ---- tables ---- */

static void print_title(int width, const char *title)
{
    printf("  %-*s %10s %10s   %s\n", width, title, "mean", "sd", "95 % interval");
}

/* Without an sd, the mean is a mode, and there is no interval either. */
static void print_margin(const char *name, int width, const dlp_margin *m)
{
    fputs("  ", stdout);
    cli_print_name(name, width);
    if (isnan(m->sd)) {
        printf(" %10.4g %10s   -\n", m->mean, "-");
        return;
    }
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

/* How many rows the levels have. */
static void print_sizes(const dlp_random_effects *of)
{
    dlp_level_sizes rows;
    if (!dlp_random_effects_sizes(of, &rows)) return;
    if (rows.least == rows.most)
        printf(", of %td row%s each", rows.least, cli_plural(rows.least));
    else
        printf(", of %td to %td rows, %.3g on average", rows.least, rows.most, rows.mean);
}

/* Whose effects these are, of a response with levels. */
static void print_category(const dlp_random_effects *of)
{
    if (!of->category) return;
    fputs(", for '", stdout);
    cli_print_name(of->category, 0);
    putchar('\'');
}

/* A process has an sd, and perhaps one more parameter. */
static void print_process(const dlp_random_effects *of)
{
    const dlp_basis *b = of->process;
    char name[NAME];
    int width = LEAST_NAME;
    putchar('\n');
    cli_print_name(of->label, 0);
    fputs(", ", stdout);
    print_nodes(of);
    print_sizes(of);
    print_category(of);
    puts(":");
    snprintf(name, NAME, "share of neighbours");
    if (is_process(of, DLP_BASIS_AR1))
        snprintf(name, NAME, "correlation %.4g apart", dlp_basis_step(b));
    if (has_second(of)) widen(name, &width);
    print_title(width, "term");
    print_margin("sd", width, &of->sd[0]);
    if (has_second(of)) print_margin(name, width, &of->second);
}

static void print_term(const dlp_random_effects *of)
{
    if (of->process) {
        print_process(of);
        return;
    }
    const int width = term_width(of);
    const dlp_margin *correlation = of->correlation;
    char name[NAME];
    printf("\nBetween the %td levels of '", of->levels);
    cli_print_name(of->group, 0);
    putchar('\'');
    print_sizes(of);
    print_category(of);
    puts(":");
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

/* A percentage, without meaningless digits. */
static void print_share(const char *what, double share)
{
    const int digits = share > 0.0095 && share < 0.9905 ? 0 : 1;
    printf("  %-48s %4.*f %%\n", what, digits, 100 * share);
}

static void print_variance(const dlp_regression_result *fit)
{
    const dlp_variance_explained *v = &fit->variance;
    if (!v->known) return;
    printf("\nVariance explained%s:\n",
           fit->link_kind == DLP_LINK_IDENTITY ? "" : ", on the scale of the link");
    print_share("by coefficients (marginal R2)", v->marginal);
    print_share("and by the effects of levels (conditional R2)", v->conditional);
    print_share("by these, of what coefficients leave (ICC)", v->icc);
}

void cli_glm_print_sds(const dlp_regression_result *fit)
{
    for (dlp_index t = 0; t < fit->n_random; t++) print_term(&fit->random[t]);
    print_variance(fit);
}

/* ---- a level ---- */

/* The effects of the level in all terms that vary by its grouping, to be freed; stores
   their number in *n. */
static dlp_level_effect *effects_of(const dlp_regression *regression,
                                    const dlp_levels *group, dlp_index level,
                                    dlp_index *n)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    dlp_index room = 1; /* at least 1, even if no term varies */
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

static void effect_name(const dlp_level_effect *effect, char *out)
{
    const char *of = effect->category;
    snprintf(out, NAME, "%s%s%s", of ? of : "", of ? ": " : "", effect->name);
}

static void print_effects(const dlp_level_effect *effect, dlp_index n)
{
    int width = LEAST_NAME;
    bool own = false;
    char name[NAME];
    for (dlp_index k = 0; k < n; k++) {
        effect_name(&effect[k], name);
        widen(name, &width);
    }
    print_title(width, "effect");
    for (dlp_index k = 0; k < n; k++) {
        effect_name(&effect[k], name);
        print_margin(name, width, &effect[k].effect);
        own |= effect[k].column >= 0;
    }
    if (!own) return;
    puts("  and with the population's coefficients:");
    for (dlp_index k = 0; k < n; k++) {
        effect_name(&effect[k], name);
        if (effect[k].column >= 0) print_margin(name, width, &effect[k].own);
    }
}

/* How many rows the level has, or -1. */
static dlp_index rows_of(const dlp_regression_result *fit, const dlp_levels *group,
                         dlp_index level)
{
    for (dlp_index t = 0; t < fit->n_random; t++)
        if (!strcmp(fit->random[t].group, group->variable) && fit->random[t].rows)
            return fit->random[t].rows[level];
    return -1;
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
    putchar('\'');
    const dlp_index rows = rows_of(dlp_regression_result_of(regression), group, level);
    if (rows >= 0) printf(", %td row%s", rows, cli_plural(rows));
    puts(":");
    print_effects(effect, n);
    free(effect);
    return DLP_OK;
}
