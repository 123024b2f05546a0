/* SPDX-License-Identifier: BSD-3-Clause */
/* A regression as a picture for a paper: coefficients with their intervals; for groups,
   their mean and spread, with the single groups behind. */
#include "cli/glm/view.h"
#include "cli/print.h"
#include "io/print_file.h"
#include "report/plot_forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 512 };

/* The data that the plot points to. */
typedef struct drawing {
    const dlp_regression *regression;
    const dlp_regression_result *fit;
    dlp_index group; /* this one alone; -1: all as one */
    char **row;      /* (n) names */
    dlpi_estimate *estimate;
    bool *aside;
    dlpi_spread *spread; /* (n) of the groups of a hierarchy */
    double *point;       /* (n, M) */
    char title[NAME], caption[NAME], warning[NAME];
} drawing;

static bool shows_population(const drawing *d)
{
    return dlp_regression_is_grouped(d->fit) && d->group < 0;
}

/* Whether it also shows how certain the population mean is. */
static bool shows_mean(const drawing *d)
{
    return shows_population(d) && d->fit->mu0;
}

/* ---- words ---- */

static void write_words(drawing *d)
{
    const dlp_regression_result *fit = d->fit;
    const char *shown =
        "Posterior means with 95 % intervals, a filled dot where they exclude 0";
    if (d->group >= 0)
        snprintf(d->title, NAME, "%s, group %s", fit->formula,
                 dlp_regression_group(d->regression, d->group));
    else
        snprintf(d->title, NAME, "%s", fit->formula);
    if (shows_mean(d))
        shown =
            "The mean of the groups with its 95 % interval (thick), a filled dot where "
            "that excludes 0; where 95 % of groups lie (thin); pale, the groups' "
            "posterior means";
    else if (shows_population(d))
        shown =
            "Means over groups and where 95 % of them lie, a filled dot where that "
            "excludes 0; pale, the groups' own means";
    snprintf(d->caption, NAME, "%s. Family %s, link %s, %td row%s.", shown,
             fit->family->name, fit->link, fit->rows, cli_plural(fit->rows));
    cli_glm_warn(fit, d->warning, sizeof d->warning);
}

/* ---- numbers ---- */

static bool is_intercept(const dlp_parameter *q)
{
    return !strcmp(q->term, DLP_INTERCEPT);
}

/* The name, of any length; to be freed. */
static char *name_of(const dlp_parameter *q)
{
    const size_t room = strlen(q->term) + (q->level ? strlen(q->level) : 0) + 16;
    char *name = malloc(room);
    if (name) dlp_parameter_name(q, name, room);
    return name;
}

static dlp_parameter *parameters_of(const drawing *d, dlp_index whose)
{
    dlp_parameter *all = NULL;
    (void)cli_glm_parameters(d->regression, whose, &all, NULL);
    return all;
}

static bool fill_rows(drawing *d, dlp_index whose)
{
    dlp_parameter *q = parameters_of(d, whose);
    bool named = true;
    if (!q) return false;
    for (dlp_index i = 0; i < d->fit->n; i++) {
        d->row[i] = name_of(&q[i]);
        named &= d->row[i] != NULL;
        d->estimate[i] = (dlpi_estimate){q[i].mean, q[i].lower, q[i].upper};
        d->aside[i] = q[i].kind != DLP_COEFFICIENT || is_intercept(&q[i]);
    }
    free(q);
    return named;
}

static bool fill_spread(drawing *d)
{
    dlp_parameter *q = parameters_of(d, DLP_SPREAD_OF_GROUPS);
    if (!q) return false;
    for (dlp_index i = 0; i < d->fit->n; i++)
        d->spread[i] = q[i].shared ? (dlpi_spread){NAN, NAN} /* no spread */
                                   : (dlpi_spread){q[i].lower, q[i].upper};
    free(q);
    return true;
}

static bool fill_points(drawing *d)
{
    const dlp_index n = d->fit->n, M = d->fit->M;
    for (dlp_index m = 0; m < M; m++) {
        dlp_parameter *q = parameters_of(d, m);
        if (!q) return false;
        for (dlp_index i = 0; i < n; i++)
            d->point[i * M + m] = q[i].shared ? NAN : q[i].mean;
        free(q);
    }
    return true;
}

static bool fill(drawing *d)
{
    if (!shows_population(d)) return fill_rows(d, d->group > 0 ? d->group : 0);
    if (!fill_points(d)) return false;
    if (shows_mean(d)) return fill_rows(d, DLP_MEAN_OF_GROUPS) && fill_spread(d);
    return fill_rows(d, DLP_SPREAD_OF_GROUPS);
}

static bool allocate(drawing *d)
{
    const size_t n = (size_t)d->fit->n, M = (size_t)d->fit->M;
    const bool population = shows_population(d), mean = shows_mean(d);
    d->row = calloc(n, sizeof *d->row);
    d->estimate = calloc(n, sizeof *d->estimate);
    d->aside = calloc(n, sizeof *d->aside);
    if (population) d->point = calloc(n * M, sizeof *d->point);
    if (mean) d->spread = calloc(n, sizeof *d->spread);
    return d->row && d->estimate && d->aside && (!population || d->point) &&
           (!mean || d->spread);
}

/* ---- the picture ---- */

static void print_svg(FILE *out, const void *what)
{
    const drawing *d = what;
    const dlpi_forest plot = {.page = {.title = d->title,
                                       .kind = "Forest plot of the coefficients",
                                       .caption = d->caption,
                                       .warning = d->warning,
                                       .width = DLPI_SVG_PAPER},
                              .rows_are = "terms",
                              .mean_is = "mean",
                              .interval_is = shows_population(d) && !shows_mean(d)
                                                 ? "95 % of groups"
                                                 : "95 % interval",
                              .spread_is = "95 % of groups",
                              .rows = d->fit->n,
                              .panels = 1,
                              .row = (const char *const *)d->row,
                              .estimate = d->estimate,
                              .aside = d->aside,
                              .spread = d->spread,
                              .points = d->point ? d->fit->M : 0,
                              .point = d->point};
    dlpi_plot_forest(out, &plot);
}

dlp_status cli_glm_write_svg(const dlp_regression *fit, dlp_index group, const char *path,
                             dlp_error *error)
{
    drawing d = {.regression = fit, .fit = dlp_regression_result_of(fit), .group = group};
    dlp_status status = DLP_ENOMEM;
    write_words(&d);
    if (allocate(&d) && fill(&d))
        status = dlpi_print_file(path, print_svg, &d, error);
    else
        (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    for (dlp_index i = 0; d.row && i < d.fit->n; i++) free(d.row[i]);
    free(d.row);
    free(d.estimate);
    free(d.aside);
    free(d.spread);
    free(d.point);
    return status;
}
