/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm_weak.h"

#include "cli/glm_columns.h"
#include "cli/glm_units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* exp(2.5) = 12 times the odds or the count for one sd of a column is a large effect, and
   a predictor that has an sd of 5 leaves little to chance. A mean is anywhere from exp(-20)
   to exp(20). */
static const double SLOPE = 2.5, LEVEL = 10, FEW = 4;

static double within_limits(double sd)
{
    return fmin(fmax(sd, 1 / DLP_GLM_LARGEST), DLP_GLM_LARGEST);
}

/* Leaves the centre and the spread of each column in the place of its prior, and returns
   as how many columns they count: of an indicator, whose spread is the distance of its
   values, the variance is less than its square. */
static double measure(const dlp_glm_data *d, dlp_index intercept, cli_glm_fit *fit)
{
    double count = 0;
    for (dlp_index j = 0; j < fit->p; j++) {
        double sd;
        cli_glm_prior *of = &fit->own_prior[j];
        cli_glm_measure(d, j, intercept, &of->mean, &of->sd, &sd);
        if (j != intercept) count += (sd / of->sd) * (sd / of->sd);
    }
    return count;
}

/* Returns sqrt(sum_j (centre_j sd_j)^2): how far slopes move the predictor between the
   columns' means and 0. */
static double state_slopes(double unit, dlp_index intercept, cli_glm_fit *fit)
{
    double lever = 0;
    for (dlp_index j = 0; j < fit->p; j++) {
        cli_glm_prior *of = &fit->own_prior[j];
        const double sd = within_limits(fit->prior_sd * unit / of->sd);
        if (j != intercept) lever = hypot(lever, of->mean * sd);
        *of = (cli_glm_prior){0, sd, fit->prior_df, true};
    }
    return lever;
}

dlp_status cli_glm_weak_prior(const dlp_glm_data *data, cli_glm_fit *fit,
                              dlp_error *error)
{
    const bool ordinal = cli_glm_is_ordinal(fit->family);
    const dlp_index column = cli_glm_intercept(fit),
                    intercept = ordinal ? fit->p : column; /* its cut points are one */
    double centre = 0, unit = 1;
    fit->own_prior = calloc((size_t)fit->p + 1, sizeof *fit->own_prior);
    if (!fit->own_prior)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the prior");
    if (!strcmp(fit->link, "identity"))
        cli_glm_measure_response(data, intercept, &centre, &unit);
    const double count = measure(data, intercept, fit);
    /* without an intercept, columns tell means */
    fit->prior_sd = (intercept >= 0 ? SLOPE : LEVEL) * fmin(1, sqrt(FEW / count));
    const double lever = state_slopes(unit, intercept, fit);
    /* so wide that it says nothing of slopes either, which move it far from the data */
    const double level_sd = within_limits(LEVEL * hypot(hypot(centre, unit), lever));
    if (column >= 0) fit->own_prior[column].sd = level_sd;
    if (ordinal) fit->first_cut_sd = level_sd;
    return DLP_OK;
}
