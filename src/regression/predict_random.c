/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/predict_random.h"

#include <stdbool.h>
#include <string.h>

static bool is_same(const dlp_random_effects *fitted, const dlp_random *random)
{
    bool same = fitted->q == random->q && fitted->levels == random->group.n &&
                !strcmp(fitted->group, random->group.variable);
    for (dlp_index k = 0; k < fitted->q && same; k++)
        same = !strcmp(fitted->name[k], random->name[k]);
    return same;
}

dlp_status dlpi_check_random(const dlp_regression_result *fit, const dlp_design *design,
                             dlp_error *error)
{
    bool same = fit->n_random == design->n_random;
    for (dlp_index t = 0; t < fit->n_random && same; t++)
        same = is_same(&fit->random[t], &design->random[t]);
    if (same) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the fit's formula and levels make other random effects than the fit "
                    "has; its file was edited, fit again");
}

/* E[z'b] and Var[z'b] + 2 Cov[z'b, x'beta], of a level that the fit knows. */
static void add_known(const dlp_random_effects *e, const dlp_design *d,
                      const dlp_random *random, dlp_index p, dlp_index i, double *mean,
                      double *variance)
{
    const dlp_index q = e->q, level = random->code[i];
    const double *b = e->mean + level * q, *V = e->variance + level * q * q,
                 *C = e->with_beta + level * q * p;
    for (dlp_index k = 0; k < q; k++) {
        const double z = random->x[k][i];
        double sum = 0;
        for (dlp_index l = 0; l < q; l++) sum += V[k * q + l] * random->x[l][i];
        for (dlp_index j = 0; j < p; j++) sum += 2 * C[k * p + j] * d->x[j][i];
        *mean += z * b[k];
        *variance += z * sum;
    }
}

/* z'E[Lambda]z, of a level that it does not know: its effects are 0 but for that. */
static void add_new(const dlp_random_effects *e, const dlp_random *random, dlp_index i,
                    double *variance)
{
    const dlp_index q = e->q;
    for (dlp_index k = 0; k < q; k++)
        for (dlp_index l = 0; l < q; l++)
            *variance += random->x[k][i] * e->covariance[k * q + l] * random->x[l][i];
}

void dlpi_add_random(const dlp_regression_result *fit, const dlp_design *d,
                     dlp_effects_of effects, double *mean, double *variance)
{
    if (effects == DLP_EFFECTS_OF_NONE) return;
    for (dlp_index t = 0; t < fit->n_random; t++) {
        const dlp_random *random = &d->random[t];
        for (dlp_index i = 0; i < d->N; i++)
            if (effects == DLP_EFFECTS_OF_NEW || random->code[i] < 0)
                add_new(&fit->random[t], random, i, &variance[i]);
            else
                add_known(&fit->random[t], d, random, fit->p, i, &mean[i], &variance[i]);
    }
}
