/* SPDX-License-Identifier: BSD-3-Clause */
/* Separation: a fit tells the level of every response, so that larger coefficients would
   always fit a little better, and only the prior holds them. */
#include "cli/glm/score.h"

#include <stdlib.h>
#include <string.h>

static bool is_told(const dlp_glm_data *d, const dlp_glm_prediction *out, dlp_index i)
{
    if (out->probability)
        return (double)cli_glm_best_level(d->levels, out->probability + i * d->levels) ==
               d->y[i];
    const double most = d->trials ? d->trials[i] : 1;
    return out->mean[i] < 0.5 ? d->y[i] == 0 : d->y[i] == most;
}

dlp_status cli_glm_separates(const cli_glm_fit *fit, const cli_glm_rows *rows,
                             bool *separates, dlp_error *error)
{
    const bool of_levels = cli_glm_has_levels(fit->family) ||
                           !strcmp(fit->family, "bernoulli") ||
                           !strcmp(fit->family, "binomial");
    cli_glm_scores scores = {.memory = NULL};
    *separates = of_levels;
    if (!of_levels) return DLP_OK;
    const dlp_status status = cli_glm_score(fit, rows, CLI_WANT_SCORES, &scores, error);
    for (dlp_index i = 0; status == DLP_OK && i < rows->data.N && *separates; i++)
        *separates = is_told(&rows->data, &scores.out, i);
    free(scores.memory);
    return status;
}
