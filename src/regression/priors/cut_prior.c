/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/priors/cut_prior.h"

#include "core/core.h"
#include "math/dense.h"
#include "regression/prepare/intercept.h"
#include "regression/prepare/moments.h"

#include <math.h>
#include <stdlib.h>

static const double LEVEL = 10;         /* odds from exp(-20) to exp(20) */
static const double MOST_LOG_UNIT = 95; /* of a response; glm_setup.c accepts 100 */

static double sd_of(const dlpi_prior_choice *prior, dlp_index j)
{
    return prior->each ? prior->each[j].sd : prior->sd;
}

/* The variance of the predictor at the means (p) of the columns. */
static double variance_at(dlp_index p, const double *mean, const dlpi_prior_choice *prior)
{
    const double *Sigma = prior->covariance;
    double sum = 0;
    for (dlp_index j = 0; j < p; j++) {
        const double move = mean[j] * sd_of(prior, j);
        sum += Sigma ? mean[j] * dlpi_dot(p, Sigma + j * p, mean) : move * move;
    }
    return fmax(sum, 0);
}

static dlp_status state_cut(const dlpi_prepared *p, dlpi_prior_choice *prior,
                            dlp_error *error)
{
    const dlp_glm_data *d = &p->data;
    double *mean = dlpi_calloc(d->p, sizeof *mean);
    if (!mean) return dlpi_no_memory(error, "the prior");
    for (dlp_index j = 0; j < d->p; j++) mean[j] = dlpi_column_mean(d, d->x[j]);
    prior->cut_sd = p->asked.intercept_sd > 0 ? p->asked.intercept_sd : LEVEL;
    prior->first_cut_sd = hypot(prior->cut_sd, sqrt(variance_at(d->p, mean, prior)));
    free(mean);
    return DLP_OK;
}

dlp_status dlpi_cut_prior(const dlpi_prepared *p, dlpi_prior_choice *prior,
                          dlp_error *error)
{
    double centre, unit;
    if (p->family->support == DLP_SUPPORT_ORDERED) return state_cut(p, prior, error);
    if (!dlpi_is_linear(p->family)) return DLP_OK;
    const dlpi_intercept intercept = dlpi_intercept_find(p);
    const dlp_index at = intercept.n > 0 ? intercept.first : -1;
    dlpi_response_measure(&p->data, at, &centre, &unit);
    prior->scale_mean = log(unit);
    if (fabs(prior->scale_mean) > MOST_LOG_UNIT)
        return dlp_fail(error, DLP_EINPUT,
                        "the numbers of '%.80s' are around %.3g; give it other units, so "
                        "that they are between 1e-40 and 1e40, as in I(y * 1e%.0f)",
                        p->terms->response.variable, unit, -round(log10(unit)));
    return DLP_OK;
}
