/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/link_units.h"

#include "regression/prepare/moments.h"

#include <math.h>

static dlp_prior_units units_of(const dlp_family *family, const dlpi_family *linked)
{
    if (dlpi_is_linear(family)) return DLP_UNITS_OF_RESPONSE;
    if (!linked || !linked->positive) return DLP_UNITS_OF_PREDICTOR;
    return linked->linear ? DLP_UNITS_OF_RESPONSE : DLP_UNITS_OF_ROOT;
}

dlp_prior_units dlp_regression_prior_units(const dlp_regression_result *r)
{
    return units_of(r->family, dlpi_family_of(r->family, r->link_kind));
}

void dlpi_link_measure(const dlpi_prepared *p, const dlp_glm_data *rows,
                       dlp_index intercept, double *centre, double *unit)
{
    const dlp_prior_units units = units_of(p->family, p->linked);
    *centre = 0;
    *unit = 1;
    if (units != DLP_UNITS_OF_PREDICTOR)
        dlpi_response_measure(rows, intercept, centre, unit);
    if (units != DLP_UNITS_OF_ROOT) return;
    const double root = sqrt(fmax(fabs(*centre), *unit));
    *centre = root;
    *unit /= 2 * root;
}
