/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/near_zero.h"

#include "comm/division.h"
#include "core/core.h"
#include "math/dense.h"
#include "regression/predict/predict_random.h"

#include <delaplace/special.h>
#include <float.h>
#include <math.h>

/* eta and its variance by the coefficients, row by row; row (p) is room. */
static void predict(const dlp_glm_data *d, const dlp_regression_result *fit, double *row,
                    double *eta, double *variance)
{
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++) {
        eta[i] = d->offset ? d->offset[i] : 0;
        for (dlp_index j = 0; j < d->p; j++) row[j] = d->x[j][i];
        for (dlp_index j = 0; j < d->p; j++) {
            eta[i] += row[j] * fit->mu[j];
            variance[i] += row[j] * dlpi_dot(d->p, fit->Sigma + j * fit->n, row);
        }
    }
}

static void count_below(const dlp_glm_data *d, const double *eta, const double *variance,
                        dlp_diagnostic *found)
{
    const double little = 0.01;
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++) {
        const double below = dlp_normal_cdf(-eta[i] / sqrt(fmax(variance[i], DBL_MIN)));
        found->count += below > little;
        found->value = fmax(found->value, below);
    }
    found->count = dlpi_division_count(d->division, found->count);
    found->value = dlpi_division_most(d->division, found->value);
}

dlp_status dlpi_find_near_zero(const dlpi_prepared *p, const dlp_regression_result *fit,
                               dlp_diagnostic *found, dlp_error *error)
{
    const dlp_glm_data *d = &p->data;
    *found = (dlp_diagnostic){.kind = DLP_MEAN_NEAR_ZERO, .parameter = -1};
    if (!p->linked->positive || dlpi_is_grouped(p->grouping) || !fit->estimated)
        return DLP_OK;
    double *eta = dlpi_calloc(2 * d->N + d->p, sizeof *eta), *variance = eta + d->N;
    const dlp_status room = eta ? DLP_OK : dlpi_no_memory(error, "the means of rows");
    DLP_TRY(dlpi_division_agree(d->division, room, error));
    if (!eta) return DLP_ENOMEM; /* which all know */
    predict(d, fit, variance + d->N, eta, variance);
    const dlpi_random_rows rows = {.x = d->x, .mean = eta, .variance = variance};
    int apart;
    const dlp_status status =
        fit->n_random > 0
            ? dlpi_add_random(fit, p->design, DLP_EFFECTS_OF_LEVELS, &rows, &apart, error)
            : DLP_OK;
    if (status == DLP_OK) count_below(d, eta, variance, found);
    free(eta);
    return status;
}
