/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/scale_prior.h"

#include <math.h>

bool dlpi_scale_is_apart(const dlp_glm *glm)
{
    const dlp_index p = glm->data.p, n = glm->n;
    const double *precision = glm->prior.precision;
    for (dlp_index j = 0; precision && j < p; j++)
        if (precision[j * n + p] != 0) return false;
    return n == p + 1;
}

void dlpi_scale_prior(const dlp_glm *glm, double *mean, double *sd)
{
    const dlpi_prior *prior = &glm->prior;
    const dlp_index p = glm->data.p, n = p + 1;
    *mean = prior->mean[p];
    *sd = prior->precision ? 1 / sqrt(prior->precision[p * n + p]) : prior->sd[p];
}
