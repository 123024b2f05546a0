/* SPDX-License-Identifier: BSD-3-Clause */
/* Separation: a fit predicts the level of every response, so that larger coefficients
   would always fit a little better, and only the prior bounds them. */
#include "comm/division.h"
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

/* Those that this process has; x (p). */
static dlp_glm_data rows_of(const dlp_glm_data *d, const double **x)
{
    const dlp_index from = d->division->from;
    dlp_glm_data own = *d;
    for (dlp_index j = 0; j < d->p; j++) x[j] = d->x[j] + from;
    own.N = d->division->to - from;
    own.division = NULL;
    own.x = x;
    own.y += from;
    if (own.trials) own.trials += from;
    if (own.offset) own.offset += from;
    if (own.weight) own.weight += from;
    return own;
}

dlp_status dlpi_separates(const dlpi_prepared *p, const dlp_regression *r,
                          bool *separates, dlp_error *error)
{
    const dlp_support support = p->family->support;
    const int32_t *group = dlpi_is_grouped(p->grouping) ? p->design->group : NULL;
    dlpi_scores scores = {.memory = NULL};
    const dlpi_added nothing = {.mean = NULL};
    dlpi_grouped_rows rows;
    const double **x = NULL;
    *separates = dlp_family_has_levels(p->family) || support == DLP_SUPPORT_BINARY ||
                 support == DLP_SUPPORT_TRIALS;
    if (!*separates) return DLP_OK;
    dlp_glm_data own = p->data;
    if (dlpi_is_divided(own.division)) {
        x = dlpi_calloc(own.p, sizeof *x);
        if (!x) return dlpi_no_memory(error, "the columns");
        own = rows_of(&p->data, x);
    }
    dlp_status status = dlpi_grouped_rows_make(&own, group, p->M, &rows, error);
    if (status == DLP_OK)
        status = dlpi_score(r, &rows, &nothing, DLP_PREDICT_SCORES, NULL, NULL, &scores,
                            error);
    for (dlp_index i = 0; status == DLP_OK && i < own.N && *separates; i++)
        *separates = is_told(&own, &scores.out, i);
    *separates = !dlpi_division_any(p->data.division, !*separates || status != DLP_OK);
    free(x);
    free(scores.memory);
    dlpi_grouped_rows_clear(&rows);
    return status;
}
