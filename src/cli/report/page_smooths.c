/* SPDX-License-Identifier: BSD-3-Clause */
/* The smooth terms of a regression for its report: curves with their bands, or
   regions. */
#include "cli/report/page.h"
#include "io/json.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 600, POINTS = 101, MOST_RUG = 500, MOST_SMOOTHS = 60 };

static const dlp_basis *basis_of(const dlp_regression_result *fit, dlp_index s)
{
    return &fit->terms->basis[fit->smooth[s].basis];
}

static json_t *mean_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const dlp_margin *)of)[i].mean);
}

static json_t *sd_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const dlp_margin *)of)[i].sd);
}

static json_t *text_at(const void *of, dlp_index i)
{
    return dlpi_json_text(((const char *const *)of)[i]);
}

static json_t *margin_json(const dlp_margin *m)
{
    return json_pack("{s:o, s:o, s:o}", "mean", dlpi_json_real(m->mean), "lower",
                     dlpi_json_real(m->lower), "upper", dlpi_json_real(m->upper));
}

/* The regions of besag(); NULL for other smooths. */
static const dlp_levels *regions_of(const dlp_regression_result *fit, dlp_index s)
{
    const dlp_basis *basis = basis_of(fit, s);
    if (basis->kind != DLP_BASIS_BESAG) return NULL;
    for (dlp_index i = 0; i < fit->terms->n_factors; i++)
        if (strcmp(fit->terms->factor[i].variable, basis->variable) == 0 &&
            fit->terms->factor[i].n == basis->n_knots)
            return &fit->terms->factor[i];
    return NULL;
}

/* Marks where there are rows: the knots of random walks are the values of the data. */
static json_t *rug_json(const dlp_basis *basis)
{
    const bool walk = dlp_basis_is_walk(basis);
    const dlp_index n = walk && basis->n_knots <= MOST_RUG ? basis->n_knots : 0;
    return cli_page_reals(n, basis->knot);
}

/* For the rows: x, and the curve plus the residual. */
static json_t *points_json(const dlp_prediction *prediction, dlp_index s)
{
    double x[MOST_POINTS], y[MOST_POINTS];
    const dlp_index n =
        prediction ? dlp_prediction_partial(prediction, s, MOST_POINTS, x, y) : 0;
    return json_pack("[o, o]", cli_page_reals(n, x), cli_page_reals(n, y));
}

/* A surface has no x, mean or sd. */
static json_t *smooth_json(const dlp_regression *regression,
                           const dlp_prediction *prediction, dlp_index s)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    const dlp_smooth_effect *e = &fit->smooth[s];
    const dlp_basis *basis = basis_of(fit, s);
    const dlp_levels *regions = regions_of(fit, s);
    const dlp_index n = basis->d != 1 ? 0 : regions ? regions->n : POINTS;
    char prior[128];
    double *x = calloc((size_t)n + 1, sizeof *x);
    dlp_margin *f = calloc((size_t)n + 1, sizeof *f);
    json_t *json = NULL;
    dlp_sd_prior_text(&e->prior, 3, prior, sizeof prior);
    if (x && f &&
        (n == 0 || dlp_regression_curve(regression, s, n, x, f, NULL) == DLP_OK))
        json = json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "label",
                         dlpi_json_text(e->label), "spread", margin_json(&e->sd), "prior",
                         prior, "x", cli_page_reals(n, x), "mean",
                         dlpi_json_list(n, mean_at, f), "sd", dlpi_json_list(n, sd_at, f),
                         "rug", n == POINTS ? rug_json(basis) : json_null(), "region",
                         regions ? dlpi_json_list(regions->n, text_at, regions->level)
                                 : json_null(),
                         "points", points_json(prediction, s));
    free(x);
    free(f);
    return json;
}

json_t *cli_page_smooths(const dlp_regression *regression,
                         const dlp_prediction *prediction)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    json_t *list = json_array();
    for (dlp_index s = 0; list && s < fit->n_smooths && s < MOST_SMOOTHS; s++)
        if (json_array_append_new(list, smooth_json(regression, prediction, s)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}
