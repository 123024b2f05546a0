/* SPDX-License-Identifier: BSD-3-Clause */
/* How well a regression predicts rows whose response is known. */
#include "core/core.h"
#include "regression/predict/prediction.h"
#include "regression/prepare/moments.h"
#include "regression/prepare/prepare.h"

#include <math.h>

/* All means are over rows, weighted, in the order of the groups. */
static double mean_of(const dlp_prediction *p, const double *x)
{
    double sum = 0;
    for (dlp_index i = 0; i < p->data.N; i++) { /* with weight 0, x may be -infinity */
        const dlp_index row = dlpi_row_at(p, i);
        const double w = dlpi_row_weight(&p->data, row);
        if (w > 0) sum += w * x[row];
    }
    return sum / p->result.total_weight;
}

static double share_right(const dlp_prediction *p)
{
    double right = 0;
    for (dlp_index i = 0; i < p->data.N; i++) {
        const dlp_index row = dlpi_row_at(p, i);
        const dlp_index level = dlp_prediction_level(p, row);
        if ((double)level == p->data.y[row]) right += dlpi_row_weight(&p->data, row);
    }
    return right / p->result.total_weight;
}

/* For binomial responses, errors of counts, not of proportions. */
static void measure_errors(const dlp_prediction *p, dlp_evaluation *e)
{
    const dlp_glm_data *d = &p->data;
    double squares = 0, sizes = 0;
    for (dlp_index i = 0; i < d->N; i++) {
        const dlp_index row = dlpi_row_at(p, i);
        const double expected =
            p->result.mean[row] * dlpi_trials_of(p->regression->result.family, d, row);
        const double w = dlpi_row_weight(d, row), off = d->y[row] - expected;
        squares += w * off * off;
        sizes += w * fabs(off);
    }
    e->rmse = sqrt(squares / p->result.total_weight);
    e->mae = sizes / p->result.total_weight;
}

dlp_status dlp_prediction_evaluate(const dlp_prediction *p, dlp_evaluation *e,
                                   dlp_error *error)
{
    const dlp_family *family = p->regression->result.family;
    if (p->what != DLP_PREDICT_SCORES)
        return dlp_fail(error, DLP_EINVAL,
                        "an evaluation needs the responses: predict with "
                        "DLP_PREDICT_SCORES");
    *e = (dlp_evaluation){.log_likelihood = mean_of(p, p->result.log_density),
                          .log_likelihood_averaged =
                              mean_of(p, p->result.log_density_averaged),
                          .accuracy = NAN,
                          .rmse = NAN,
                          .mae = NAN};
    if (dlp_family_has_levels(family) || family->support == DLP_SUPPORT_BINARY)
        e->accuracy = share_right(p);
    else if (!(family->censored && p->data.trials))
        measure_errors(p, e);
    return DLP_OK;
}
