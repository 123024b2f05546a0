/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows to look at, and the settings. */
#include "core/settings.h"
#include "regression/look/look.h"

#include <math.h>

void dlp_look_settings_init(dlp_look_settings *settings, size_t size)
{
    const dlp_look_settings defaults = {
        .size = sizeof defaults, .seed = 1, .parts = 10, .draws = 400};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

dlp_status dlpi_look_settings(const dlp_look_settings *given, dlp_look_settings *full,
                              dlp_error *error)
{
    *full = dlp_look_settings_default();
    DLP_TRY(dlpi_settings_take(full, sizeof *full, given, error));
    if (full->parts < 2 || full->parts > 1000)
        return dlp_fail(error, DLP_EINVAL,
                        "%td parts are asked for; there must be 2 to 1000", full->parts);
    if (full->draws < 20 || full->draws > 1000000)
        return dlp_fail(error, DLP_EINVAL,
                        "%td draws are asked for; there must be 20 to 1,000,000",
                        full->draws);
    return DLP_OK;
}

static dlp_status check_rows(const dlp_prediction *p, dlp_error *error)
{
    const dlp_regression_result *r = &p->regression->result;
    const double total = p->result.total_weight;
    if (p->data.N != r->rows)
        return dlp_fail(error, DLP_EINPUT,
                        "has %td rows that the regression can use, and the fit had %td; "
                        "give the table that was fitted",
                        p->data.N, r->rows);
    if (fabs(total - r->total_weight) <= 1e-9 * fabs(r->total_weight)) return DLP_OK;
    return dlp_fail(
        error, DLP_EINPUT,
        "the weights of the rows add up to %g, but to %g in the fit; give the "
        "table that was fitted",
        total, r->total_weight);
}

dlp_status dlpi_look_rows(const dlp_regression *regression, const dlp_table *table,
                          const dlp_look_settings *s, bool any_rows,
                          dlp_prediction **prediction, dlp_error *error)
{
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    settings.what = DLP_PREDICT_SCORES;
    settings.problem = s->problem;
    settings.progress = s->progress;
    settings.context = s->context;
    DLP_TRY(dlp_regression_predict(regression, table, &settings, prediction, error));
    if (any_rows) return DLP_OK;
    const dlp_status status = dlpi_in_table(table, check_rows(*prediction, error), error);
    if (status == DLP_OK) return DLP_OK;
    dlp_prediction_free(*prediction);
    *prediction = NULL;
    return status;
}

void dlpi_look_responses(const dlp_prediction *p, double *response)
{
    const dlp_glm_data *d = &p->data;
    const dlp_family *family = p->regression->result.family;
    for (dlp_index i = 0; i < d->N; i++) {
        response[i] = d->y[i];
        if (dlp_family_has_levels(family)) response[i] += 1;
        if (family->censored && d->trials && !isfinite(response[i]))
            response[i] = d->trials[i];
        if (family->support == DLP_SUPPORT_TRIALS && d->trials)
            response[i] = d->trials[i] > 0 ? d->y[i] / d->trials[i] : NAN;
    }
}
