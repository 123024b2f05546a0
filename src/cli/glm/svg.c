/* SPDX-License-Identifier: BSD-3-Clause */
/* A regression as a picture for a paper: its coefficients with their intervals, and of
   groups their mean and where they lie, with the groups behind it. */
#include "cli/glm/fit.h"
#include "cli/report.h"
#include "cli/text_file.h"
#include "report/plot_forest.h"

#include <stdlib.h>
#include <string.h>

enum { NAME = 512 };

/* What the plot points to. */
typedef struct drawing {
    const cli_glm_fit *fit;
    dlp_index block; /* this group alone; -1: all as one */
    char **row;      /* (n) names */
    dlpi_estimate *estimate;
    bool *aside;
    dlpi_spread *spread; /* (n) of the groups of a hierarchy */
    double *point;       /* (n, M) */
    double *population;  /* (n + n^2) of separate fits */
    char title[NAME], caption[NAME], warning[NAME];
} drawing;

static bool shows_population(const drawing *d)
{
    return cli_glm_is_grouped(d->fit) && d->block < 0;
}

/* And how sure its mean is. */
static bool shows_mean(const drawing *d)
{
    return shows_population(d) && d->fit->mu0;
}

/* ---- words ---- */

void cli_glm_warn(const cli_glm_fit *fit, char *out, size_t room)
{
    *out = '\0';
    if (fit->outcome != DLP_CONVERGED)
        snprintf(out, room, "The fit by %s %s (%d iteration%s).",
                 cli_glm_method_used(fit), cli_outcome_sentence(fit->outcome),
                 fit->iterations, cli_plural(fit->iterations));
    else if (fit->unsettled && cli_glm_is_grouped(fit))
        snprintf(out, room, "In %d of the groups the fit did not converge.",
                 fit->unsettled);
}

static void write_words(drawing *d)
{
    const cli_glm_fit *fit = d->fit;
    const char *shown =
        "Posterior means with 95 % intervals, a full dot where they leave out 0";
    if (d->block >= 0)
        snprintf(d->title, NAME, "%s, group %s", fit->formula,
                 cli_glm_group(fit, d->block));
    else
        snprintf(d->title, NAME, "%s", fit->formula);
    if (shows_mean(d))
        shown =
            "The mean of the groups with its 95 % interval (thick), a full dot where "
            "that leaves out 0; where 95 % of groups lie (thin); pale, the groups' "
            "posterior means";
    else if (shows_population(d))
        shown =
            "Means over groups and where 95 % of them lie, a full dot where that "
            "leaves out 0; pale, the groups' own means";
    snprintf(d->caption, NAME, "%s. Family %s, link %s, %td row%s.", shown, fit->family,
             fit->link, fit->rows, cli_plural(fit->rows));
    cli_glm_warn(fit, d->warning, sizeof d->warning);
}

/* ---- numbers ---- */

static bool is_intercept(const cli_glm_quantity *q)
{
    return !strcmp(q->term, "(Intercept)");
}

/* However long it is; to be freed. */
static char *name_of(const cli_glm_quantity *q)
{
    const size_t room = strlen(q->term) + (q->level ? strlen(q->level) : 0) + 16;
    char *name = malloc(room);
    if (name) cli_glm_quantity_name(q, name, room);
    return name;
}

static bool fill_rows(drawing *d, const double *mu, const double *Sigma)
{
    cli_glm_quantity *quantity = cli_glm_quantities(d->fit, mu, Sigma);
    bool named = true;
    if (!quantity) return false;
    for (dlp_index i = 0; i < d->fit->n; i++) {
        const cli_estimate *e = &quantity[i].estimate;
        d->row[i] = name_of(&quantity[i]);
        named &= d->row[i] != NULL;
        d->estimate[i] = (dlpi_estimate){e->mean, e->lower, e->upper};
        d->aside[i] = quantity[i].kind != CLI_COEFFICIENT || is_intercept(&quantity[i]);
    }
    free(quantity);
    return named;
}

static bool fill_spread(drawing *d)
{
    const cli_glm_fit *fit = d->fit;
    cli_glm_quantity *quantity = cli_glm_quantities(fit, fit->mu0, fit->Sigma0);
    if (!quantity) return false;
    for (dlp_index i = 0; i < fit->n; i++)
        d->spread[i] =
            (dlpi_spread){quantity[i].estimate.lower, quantity[i].estimate.upper};
    free(quantity);
    return true;
}

static bool fill_points(drawing *d)
{
    const dlp_index n = d->fit->n, M = d->fit->M;
    for (dlp_index m = 0; m < M; m++) {
        cli_glm_quantity *quantity =
            cli_glm_quantities(d->fit, d->fit->mu + m * n, d->fit->Sigma + m * n * n);
        if (!quantity) return false;
        for (dlp_index i = 0; i < n; i++) d->point[i * M + m] = quantity[i].estimate.mean;
        free(quantity);
    }
    return true;
}

static bool fill(drawing *d)
{
    const dlp_index n = d->fit->n, m = d->block > 0 ? d->block : 0;
    if (!shows_population(d))
        return fill_rows(d, d->fit->mu + m * n, d->fit->Sigma + m * n * n);
    if (!fill_points(d)) return false;
    if (shows_mean(d))
        return fill_rows(d, d->fit->mu0, d->fit->mu0_covariance) && fill_spread(d);
    cli_glm_population(d->fit, d->population, d->population + n);
    return fill_rows(d, d->population, d->population + n);
}

static bool allocate(drawing *d)
{
    const size_t n = (size_t)d->fit->n, M = (size_t)d->fit->M;
    const bool population = shows_population(d), mean = shows_mean(d);
    d->row = calloc(n, sizeof *d->row);
    d->estimate = calloc(n, sizeof *d->estimate);
    d->aside = calloc(n, sizeof *d->aside);
    if (population) d->point = calloc(n * M, sizeof *d->point);
    if (mean)
        d->spread = calloc(n, sizeof *d->spread);
    else if (population)
        d->population = calloc(n + n * n, sizeof *d->population);
    return d->row && d->estimate && d->aside &&
           (!population || (d->point && (d->spread || d->population)));
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

dlp_status cli_glm_write_svg(const cli_glm_fit *fit, dlp_index block, const char *path,
                             dlp_error *error)
{
    drawing d = {.fit = fit, .block = block};
    dlp_status status = DLP_ENOMEM;
    write_words(&d);
    if (allocate(&d) && fill(&d))
        status = cli_text_write(path, print_svg, &d, error);
    else
        (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    for (dlp_index i = 0; d.row && i < fit->n; i++) free(d.row[i]);
    free(d.row);
    free(d.estimate);
    free(d.aside);
    free(d.spread);
    free(d.point);
    free(d.population);
    return status;
}
