/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/units.h"

#include "cli/glm/columns.h"
#include "cli/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_glm_measure_response(const dlp_glm_data *d, dlp_index intercept, double *centre,
                              double *unit)
{
    double sum = 0, squares = 0;
    const double N = cli_glm_total_weight(d);
    for (dlp_index i = 0; i < d->N; i++)
        sum += cli_glm_weight(d, i) * (d->y[i] - (d->offset ? d->offset[i] : 0));
    *centre = intercept >= 0 ? sum / N : 0;
    for (dlp_index i = 0; i < d->N; i++) {
        const double off = d->y[i] - (d->offset ? d->offset[i] : 0) - *centre;
        squares += cli_glm_weight(d, i) * off * off / N;
    }
    *unit = squares > 0 ? sqrt(squares) : 1;
}

dlp_status cli_glm_units_take(const cli_glm_fit *fit, dlp_glm_data *data,
                              cli_glm_units *units, dlp_error *error)
{
    const dlp_index N = data->N;
    *units = (cli_glm_units){.intercept = cli_glm_intercept(fit)};
    if (strcmp(fit->link, "identity") != 0) return DLP_OK;
    cli_glm_measure_response(data, units->intercept, &units->centre, &units->unit);
    units->y = calloc((size_t)N, sizeof *units->y);
    if (data->offset) units->offset = calloc((size_t)N, sizeof *units->offset);
    if (!units->y || (data->offset && !units->offset))
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the response");
    for (dlp_index i = 0; i < N; i++) {
        units->y[i] = (data->y[i] - units->centre) / units->unit;
        if (data->offset) units->offset[i] = data->offset[i] / units->unit;
    }
    data->y = units->y;
    data->offset = units->offset;
    return DLP_OK;
}

/* N(mu, Sigma) of (beta, tau): beta = unit beta', the intercept from the centre on, and
   tau = tau' + log unit. */
static void turn_back_covariance(const cli_glm_units *units, dlp_index p, double *Sigma)
{
    const dlp_index n = p + 1;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < n; k++) {
            Sigma[j * n + k] *= units->unit;
            Sigma[k * n + j] *= units->unit;
        }
}

static void turn_back(const cli_glm_units *units, dlp_index p, double *mu, double *Sigma)
{
    for (dlp_index j = 0; j < p; j++) mu[j] *= units->unit;
    turn_back_covariance(units, p, Sigma);
    if (units->intercept >= 0) mu[units->intercept] += units->centre;
    mu[p] += log(units->unit);
}

void cli_glm_units_give_back(const cli_glm_units *units, cli_glm_fit *fit)
{
    const dlp_index n = fit->n;
    if (units->unit == 0) return;
    /* the density of y is that of y', over the unit */
    const double shift = fit->total_weight * log(units->unit);
    turn_back(units, fit->p, fit->mu0, fit->Sigma0);
    turn_back_covariance(units, fit->p, fit->mu0_covariance);
    for (dlp_index m = 0; m < fit->M; m++)
        turn_back(units, fit->p, fit->mu + m * n, fit->Sigma + m * n * n);
    fit->objective -= shift;
    for (int i = 0; i < fit->n_trace; i++) fit->trace[i].objective -= shift;
}

void cli_glm_units_clear(cli_glm_units *units)
{
    free(units->y);
    free(units->offset);
    *units = (cli_glm_units){0};
}
