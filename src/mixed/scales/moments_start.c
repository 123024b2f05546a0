/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/scales/moments_start.h"

#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

/* y less what is predicted without effects. */
static void fill_residuals(const dlpi_mixed *model, double *r)
{
    const dlpi_mixed_data *data = model->data;
    const double *beta = model->x + model->rows.n - model->rows.p;
    memcpy(r, data->y, (size_t)data->N * sizeof *r);
    if (data->offset) dlpi_axpy(data->N, -1, data->offset, r);
    for (dlp_index j = 0; j < data->p; j++) dlpi_axpy(data->N, -beta[j], data->X[j], r);
}

/*
 * For levels l with the slopes b_l = sum z r / sum z^2, each with the variance v + noise
 * / sum z^2: v = mean b_l^2 - noise mean 1 / sum z^2. room (2 L).
 */
static double variance_between(const dlpi_mixed_data *data, const dlpi_mixed_term *term,
                               double noise, const double *r, double *room)
{
    double *product = room, *square = room + term->L, sum = 0, expected = 0, n = 0;
    memset(room, 0, (size_t)(2 * term->L) * sizeof *room);
    for (dlp_index i = 0; i < data->N; i++) {
        const double z = term->x && term->x[0] ? term->x[0][i] : 1,
                     w = data->weight ? data->weight[i] : 1;
        product[term->code[i]] += w * z * r[i];
        square[term->code[i]] += w * z * z;
    }
    for (dlp_index l = 0; l < term->L; l++) {
        if (!(square[l] > 0)) continue;
        const double b = product[l] / square[l];
        sum += b * b;
        expected += noise / square[l];
        n++;
    }
    return n > 0 ? (sum - expected) / n : 0;
}

dlp_status dlpi_moments_start(const dlpi_mixed *model, double *psi, dlp_error *error)
{
    const dlpi_mixed_data *data = model->data;
    const dlpi_hyper_layout *layout = &model->layout;
    const double least = 0.02; /* of a variance, as a share of all */
    dlp_index most = 0;
    for (dlp_index t = 0; t < data->n_terms; t++)
        most = data->term[t].L > most ? data->term[t].L : most;
    double *r = dlpi_calloc(data->N + 2 * most, sizeof *r);
    if (!r) return dlpi_no_memory(error, "a mixed model");
    const double all = exp(2 * psi[layout->tau]);
    double left = all;
    fill_residuals(model, r);
    for (dlp_index t = 0; t < data->n_terms; t++) {
        const double v = variance_between(data, &data->term[t], all, r, r + data->N);
        if (!isfinite(v)) continue;
        psi[layout->at[t]] = 0.5 * log(fmax(v, least * all));
        left -= fmax(v, 0);
    }
    psi[layout->tau] = 0.5 * log(fmax(left, 0.2 * all));
    free(r);
    return DLP_OK;
}
