/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/columns.h"

#include "cli/glm/moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dlp_index cli_glm_intercept(const cli_glm_fit *fit)
{
    for (dlp_index j = 0; j < fit->p; j++)
        if (!strcmp(fit->column[j], "(Intercept)")) return j;
    return -1;
}

void cli_glm_measure(const dlp_glm_data *d, dlp_index j, dlp_index intercept,
                     double *centre, double *spread, double *sd)
{
    const double *x = d->x[j];
    const bool centred = intercept >= 0;
    const double mean = centred ? cli_glm_mean(d, x) : 0;
    *sd = sqrt(cli_glm_variance(d, x, mean));
    const double step = cli_glm_step(d, x, centred), size = step > 0 ? step : *sd;
    const bool varies = j != intercept && isfinite(size) && size > 1e-12 * fabs(mean);
    *centre = varies ? mean : 0;
    *spread = varies ? size : 1;
}

static void fill(const cli_glm_rows *rows, cli_glm_columns *columns)
{
    const dlp_glm_data *d = &rows->data;
    for (dlp_index j = 0; j < d->p; j++) {
        double sd, *to = columns->X + j * d->N;
        cli_glm_measure(d, j, columns->intercept, &columns->centre[j],
                        &columns->spread[j], &sd);
        for (dlp_index i = 0; i < d->N; i++)
            to[i] = (d->x[j][i] - columns->centre[j]) / columns->spread[j];
        for (dlp_index m = 0; m < rows->blocks; m++)
            columns->x[m * d->p + j] = to + rows->begin[m];
    }
}

dlp_status cli_glm_columns_take(const cli_glm_fit *fit, cli_glm_rows *rows,
                                cli_glm_columns *columns, dlp_error *error)
{
    const size_t p = (size_t)rows->data.p, N = (size_t)rows->data.N;
    *columns = (cli_glm_columns){.intercept = cli_glm_intercept(fit)};
    if (fit->paper_hyperprior) return DLP_OK;
    columns->centre = calloc(p, sizeof *columns->centre);
    columns->spread = calloc(p, sizeof *columns->spread);
    columns->X = calloc(N, p * sizeof *columns->X);
    columns->x = calloc((size_t)rows->blocks, p * sizeof *columns->x);
    if (!columns->centre || !columns->spread || !columns->X || !columns->x)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the columns");
    fill(rows, columns);
    rows->x = columns->x;
    return DLP_OK;
}

/* Sigma (n, n) of beta' to that of beta, p coefficients from `first` on: beta_j = beta'_j /
   spread_j, and the intercept is less by sum_j centre_j beta_j. */
static void turn_covariance(const cli_glm_columns *columns, dlp_index p, dlp_index first,
                            dlp_index n, double *Sigma)
{
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < n; k++) {
            Sigma[(first + j) * n + k] /= columns->spread[j];
            Sigma[k * n + first + j] /= columns->spread[j];
        }
    const dlp_index at = first + columns->intercept;
    for (dlp_index j = 0; j < p && columns->intercept >= 0; j++)
        for (dlp_index k = 0; k < n; k++)
            Sigma[at * n + k] -= columns->centre[j] * Sigma[(first + j) * n + k];
    for (dlp_index j = 0; j < p && columns->intercept >= 0; j++)
        for (dlp_index k = 0; k < n; k++)
            Sigma[k * n + at] -= columns->centre[j] * Sigma[k * n + first + j];
}

static void turn_mean(const cli_glm_columns *columns, dlp_index p, double *mu)
{
    for (dlp_index j = 0; j < p; j++) mu[j] /= columns->spread[j];
    for (dlp_index j = 0; j < p && columns->intercept >= 0; j++)
        mu[columns->intercept] -= columns->centre[j] * mu[j];
}

static void turn(const cli_glm_columns *columns, const cli_glm_fit *fit, double *mu,
                 double *Sigma)
{
    const bool by_level = !strcmp(fit->family, "multinomial");
    const dlp_index p = fit->p, n = fit->n, coefficients = by_level ? n : p;
    for (dlp_index first = 0; first < coefficients; first += p) {
        if (mu) turn_mean(columns, p, mu + first);
        turn_covariance(columns, p, first, n, Sigma);
    }
}

void cli_glm_columns_give_back(const cli_glm_columns *columns, cli_glm_fit *fit)
{
    const dlp_index n = fit->n;
    if (!columns->x) return;
    turn(columns, fit, fit->mu0, fit->Sigma0);
    turn(columns, fit, NULL, fit->mu0_covariance);
    for (dlp_index m = 0; m < fit->M; m++)
        turn(columns, fit, fit->mu + m * n, fit->Sigma + m * n * n);
}

void cli_glm_columns_clear(cli_glm_columns *columns)
{
    free(columns->centre);
    free(columns->spread);
    free(columns->X);
    free(columns->x);
    *columns = (cli_glm_columns){0};
}
