/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/link_units.h"

#include "regression/prepare/moments.h"

#include <math.h>

void dlpi_link_measure(const dlpi_prepared *p, const dlp_glm_data *rows,
                       dlp_index intercept, double *centre, double *unit)
{
    const bool positive = p->linked->positive;
    *centre = 0;
    *unit = 1;
    if (dlpi_is_linear(p->family) || positive)
        dlpi_response_measure(rows, intercept, centre, unit);
    if (!positive || p->linked->linear) return;
    const double root = sqrt(fmax(fabs(*centre), *unit));
    *centre = root;
    *unit /= 2 * root;
}
