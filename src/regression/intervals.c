/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals of parameters at any level, and the reference levels of factors. */
#include "core/core.h"
#include "regression/draw/draws.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Normal on each side of the median; for a scale, in its logarithm. */
static void by_margin(const dlp_parameter *q, double median, double z, double *lower,
                      double *upper)
{
    const dlp_margin m = {q->mean, q->sd, q->lower, median, q->upper};
    const bool scale = q->kind == DLP_SCALE;
    *lower = scale ? dlpi_positive_at(&m, -z) : dlpi_margin_at(&m, -z);
    *upper = scale ? dlpi_positive_at(&m, z) : dlpi_margin_at(&m, z);
    if (isnan(q->sd)) *lower = *upper = NAN;
}

/* mean -+ z sd; for a scale, in its logarithm, from its known ends. */
static void by_moments(const dlp_parameter *q, double z, double *lower, double *upper)
{
    const double end = dlp_normal_quantile(0.975);
    if (q->kind != DLP_SCALE) {
        *lower = q->mean - z * q->sd;
        *upper = q->mean + z * q->sd;
        return;
    }
    const double middle = 0.5 * (log(q->lower) + log(q->upper)),
                 sd = 0.5 * (log(q->upper) - log(q->lower)) / end;
    *lower = exp(middle - z * sd);
    *upper = exp(middle + z * sd);
}

dlp_status dlp_regression_intervals(const dlp_regression *regression, dlp_index whose,
                                    double interval_level, double *lower, double *upper,
                                    dlp_error *error)
{
    const dlp_regression_result *r = dlp_regression_result_of(regression);
    if (!(interval_level > 0 && interval_level < 1))
        return dlp_fail(error, DLP_EINVAL,
                        "the level %g of an interval must lie between 0 and 1",
                        interval_level);
    dlp_parameter *q = dlpi_calloc(r->n, sizeof *q);
    if (!q) return dlpi_no_memory(error, "the intervals");
    const dlp_status status = dlp_regression_parameters(regression, whose, q, error);
    const double z = dlp_normal_quantile(0.5 + 0.5 * interval_level);
    for (dlp_index i = 0; status == DLP_OK && i < r->n; i++)
        if (interval_level == DLP_INTERVAL_LEVEL) {
            lower[i] = q[i].lower;
            upper[i] = q[i].upper;
        } else if (r->margin && whose == 0) {
            by_margin(&q[i], r->margin[i].median, z, &lower[i], &upper[i]);
        } else if (q[i].kind == DLP_CUT_POINT) {
            by_margin(&q[i], q[i].mean, z, &lower[i], &upper[i]);
        } else {
            by_moments(&q[i], z, &lower[i], &upper[i]);
        }
    free(q);
    return status;
}

const char *dlp_regression_reference(const dlp_regression_result *result, dlp_index f)
{
    const dlp_terms *terms = result->terms;
    const bool known =
        f >= 0 && f < terms->n_factors && result->reference && result->reference[f] >= 0;
    return known ? terms->factor[f].level[result->reference[f]] : NULL;
}
