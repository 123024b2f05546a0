/* SPDX-License-Identifier: BSD-3-Clause */
/* Conclusions from a result, for code that puts it into words. */
#include "regression/regression.h"

#include <math.h>
#include <string.h>

double dlp_regression_sd(const dlp_regression_result *r, dlp_index m, dlp_index i)
{
    return sqrt(r->Sigma[(m * r->n + i) * r->n + i]);
}

int dlp_regression_is_intercept(const dlp_regression_result *r, dlp_index i)
{
    const bool coefficient = i < r->p || r->family->support == DLP_SUPPORT_LEVELS;
    return coefficient && !strcmp(r->column[i % r->p], DLP_INTERCEPT);
}

double dlpi_counted_rows(const dlp_regression_result *r)
{
    return fmin(r->total_weight, (double)r->rows);
}

int dlp_regression_allows_delta(const dlp_regression_result *r)
{
    return !r->family->scale || dlpi_counted_rows(r) > (double)r->p;
}

dlp_wider_prior dlp_regression_wider_prior(const dlp_regression_result *r)
{
    if (!r->prior) return DLP_WIDER_NOWHERE;
    if (r->family->support == DLP_SUPPORT_ORDERED) return DLP_WIDER_NOWHERE; /* cut_sd */
    for (dlp_index j = 0; j < r->p; j++)
        if (!strcmp(r->column[j], DLP_INTERCEPT))
            return r->prior[j].weak ? DLP_WIDER_INTERCEPT : DLP_WIDER_NOWHERE;
    return r->prior_covariance ? DLP_WIDER_LEVELS : DLP_WIDER_NOWHERE;
}
