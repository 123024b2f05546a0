/* SPDX-License-Identifier: BSD-3-Clause */
/* Points to plot with the curve of a smooth: its value plus the residual of the whole
   regression. */
#include "regression/predict/prediction.h"

#include <string.h>

/* sum_j beta_j x_ij over the columns of the smooth. */
static double value_of(const dlp_prediction *p, const dlp_smooth_effect *s, dlp_index i)
{
    const double *beta = p->regression->result.mu;
    double sum = 0;
    for (dlp_index j = s->fixed; j < s->fixed + s->n_fixed; j++)
        sum += beta[j] * p->data.x[j][i];
    for (dlp_index j = s->first; j < s->first + s->n; j++)
        sum += beta[j] * p->data.x[j][i];
    return sum;
}

dlp_index dlp_prediction_partial(const dlp_prediction *p, dlp_index s, dlp_index room,
                                 double *x, double *partial)
{
    const dlp_regression_result *r = &p->regression->result;
    if (s < 0 || s >= r->n_smooths || s >= p->design->n_smooths || room < 1 ||
        p->what != DLP_PREDICT_SCORES || !dlpi_is_linear(r->family) || !p->data.y)
        return 0;
    const dlp_smooth *of = &p->design->smooth[s];
    const dlp_index N = p->data.N, each = (N + room - 1) / room;
    dlp_index n = 0;
    for (dlp_index i = 0; of->at && i<N; i += each> 0 ? each : 1) {
        if (of->times && of->times[i] != 1) continue; /* of another level */
        x[n] = of->at[i];
        partial[n++] = p->data.y[i] - p->result.mean[i] + value_of(p, &r->smooth[s], i);
    }
    return n;
}
