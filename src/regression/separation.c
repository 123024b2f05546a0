/* SPDX-License-Identifier: BSD-3-Clause */
/* Separation: a fit predicts the level of every response, so that larger coefficients
   would always fit a little better, and only the prior bounds them. */
#include "core/core.h"
#include "regression/predict/prediction.h"

static bool is_told(const dlp_glm_data *d, const dlp_glm_prediction *out, dlp_index i)
{
    if (out->probability)
        return (double)dlpi_best_level(d->levels, out->probability + i * d->levels) ==
               d->y[i];
    const double most = d->trials ? d->trials[i] : 1;
    return out->mean[i] < 0.5 ? d->y[i] == 0 : d->y[i] == most;
}

dlp_status dlpi_separates(const dlpi_prepared *p, const dlp_regression *r,
                          bool *separates, dlp_error *error)
{
    const dlp_support support = p->family->support;
    const int32_t *group = dlpi_is_grouped(p->grouping) ? p->design->group : NULL;
    dlpi_scores scores = {.memory = NULL};
    const dlpi_added nothing = {.mean = NULL};
    dlpi_grouped_rows rows;
    *separates = dlp_family_has_levels(p->family) || support == DLP_SUPPORT_BINARY ||
                 support == DLP_SUPPORT_TRIALS;
    if (!*separates) return DLP_OK;
    dlp_status status = dlpi_grouped_rows_make(&p->data, group, p->M, &rows, error);
    if (status == DLP_OK)
        status = dlpi_score(r, &rows, &nothing, DLP_PREDICT_SCORES, NULL, NULL, &scores,
                            error);
    for (dlp_index i = 0; status == DLP_OK && i < p->data.N && *separates; i++)
        *separates = is_told(&p->data, &scores.out, i);
    free(scores.memory);
    dlpi_grouped_rows_clear(&rows);
    return status;
}
