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

void dlpi_scale_priors(const dlp_glm *glm, dlp_index first, dlp_index n, double *out)
{
    const dlpi_prior *prior = &glm->prior;
    for (dlp_index i = first; i < first + n; i++) {
        *out++ = prior->mean[i];
        *out++ = prior->precision ? 1 / sqrt(prior->precision[i * (glm->n + 1)])
                                  : prior->sd[i];
    }
}

void dlpi_scale_prior(const dlp_glm *glm, double *mean, double *sd)
{
    double both[2] = {0};
    dlpi_scale_priors(glm, glm->data.p, 1, both);
    *mean = both[0];
    *sd = both[1];
}
