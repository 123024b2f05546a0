/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/large_numbers.h"

#include "comm/division.h"
#include "core/core.h"

#include <math.h>

/* Of the rows that this process has. */
static double largest(const dlp_glm_data *d, const double *x)
{
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    double most = 0;
    for (dlp_index i = dlpi_rows_from(d->division); x && i < to; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

const char *dlpi_largest_column(const dlpi_prepared *p, const dlp_glm_data *d,
                                double *most)
{
    const char *name = p->terms->response.variable;
    *most = largest(d, d->y);
    for (dlp_index j = 0; j < d->p; j++) {
        if (largest(d, d->x[j]) <= *most) continue;
        *most = largest(d, d->x[j]);
        name = p->name[j];
    }
    if (largest(d, d->offset) <= *most) return name;
    *most = largest(d, d->offset);
    return "offset()";
}

dlp_status dlpi_fail_too_large(const dlpi_prepared *p, const dlp_glm_data *d,
                               dlp_error *error)
{
    double most;
    const char *name = dlpi_largest_column(p, d, &most);
    if (p->linked->positive)
        return dlp_fail(error, DLP_EINPUT,
                        "with link %s every row needs a positive mean, and no "
                        "coefficients were found that give one: add an intercept, or use "
                        "link log",
                        dlpi_link_of(p));
    return dlp_fail(error, DLP_EINPUT,
                    "the numbers are too large to compute with, most of all those of "
                    "'%.80s', up to %g; use other units, or scale() in the formula",
                    name, most);
}

bool dlpi_has_too_large(const dlp_glm_data *d)
{
    bool found = largest(d, d->offset) > DLP_GLM_LARGEST;
    for (dlp_index j = 0; j < d->p && !found; j++)
        found = largest(d, d->x[j]) > DLP_GLM_LARGEST;
    return found;
}

bool dlpi_has_large(const dlpi_prepared *p, const dlp_glm_data *d)
{
    const double large = 1e6, large_offset = 300;
    double most;
    (void)dlpi_largest_column(p, d, &most);
    return most > large || largest(d, d->offset) > large_offset;
}
