/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/hyper.h"

#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

dlp_status dlpi_hyper_layout_make(const dlpi_mixed_data *data, dlpi_hyper_layout *layout,
                                  dlp_error *error)
{
    for (dlp_index t = 0; t < data->n_terms; t++)
        if (data->term[t].q > DLPI_MOST_EFFECTS)
            return dlp_fail(error, DLP_EINPUT,
                            "a random term with %td effects a level has too many "
                            "correlations; use || or fewer columns inside the bars",
                            data->term[t].q);
    const dlp_index T = data->n_terms + data->n_smooths;
    dlp_index *numbers = dlpi_calloc(2 * T, sizeof *numbers), m = 0;
    if (!numbers) return dlpi_no_memory(error, "the random effects");
    *layout =
        (dlpi_hyper_layout){.n_terms = T, .at = numbers, .q = numbers + T, .tau = -1};
    for (dlp_index t = 0; t < T; t++) {
        const dlp_index q = t < data->n_terms ? data->term[t].q : 1;
        numbers[t] = m;
        numbers[T + t] = q;
        m += q + q * (q - 1) / 2;
        if (q > layout->largest) layout->largest = q;
    }
    if (data->has_scale) layout->tau = m++;
    layout->m = m;
    return DLP_OK;
}

void dlpi_hyper_layout_clear(dlpi_hyper_layout *layout)
{
    free((void *)layout->at);
    *layout = (dlpi_hyper_layout){0};
}

/* Columns of R are points of the unit sphere by their partial correlations:
   R_ij = w_ij sqrt(1 - sum_{k < i} R_kj^2) (Lewandowski, Kurowicka & Joe, 2009) */
void dlpi_hyper_term(dlp_index q, const double *psi, double *sd, double *R)
{
    const double *z = psi + q;
    for (dlp_index i = 0; i < q; i++) sd[i] = exp(psi[i]);
    memset(R, 0, (size_t)(q * q) * sizeof *R);
    for (dlp_index j = 0; j < q; j++) {
        double left = 1;
        for (dlp_index i = 0; i < j; i++) {
            const double w = tanh(*z++);
            R[i * q + j] = w * sqrt(left);
            left *= (1 - w) * (1 + w);
        }
        R[j * q + j] = sqrt(left);
    }
}

/* Lambda^-1 = D^-1 (R'R)^-1 D^-1 */
double dlpi_hyper_precision(dlp_index q, const double *psi, double *precision,
                            double *work)
{
    double sd[DLPI_MOST_EFFECTS], log_det = 0;
    double *U = precision + 0;
    dlpi_hyper_term(q, psi, sd, work);
    for (dlp_index i = 0; i < q; i++) log_det -= 2 * (psi[i] + log(work[i * q + i]));
    if (q == 1) {
        precision[0] = 1 / (sd[0] * sd[0]);
        return log_det;
    }
    /* columns of (R D)^-1 = D^-1 R^-1, by substitution into U, then U U' */
    memset(U, 0, (size_t)(q * q) * sizeof *U);
    for (dlp_index j = 0; j < q; j++)
        for (dlp_index i = j; i >= 0; i--) {
            double sum = i == j;
            for (dlp_index k = i + 1; k <= j; k++) sum -= work[i * q + k] * U[k * q + j];
            U[i * q + j] = sum / work[i * q + i];
        }
    for (dlp_index i = 0; i < q; i++)
        for (dlp_index j = 0; j < q; j++) work[i * q + j] = U[i * q + j] / sd[i];
    for (dlp_index i = 0; i < q; i++)
        for (dlp_index j = i; j < q; j++)
            precision[i * q + j] = precision[j * q + i] =
                dlpi_dot(q - j, work + i * q + j, work + j * q + j);
    return log_det;
}

/* Half Student-t of an sd with the Jacobian of its logarithm. */
static double log_prior_of_sd(double log_sd, double scale, double df)
{
    const double z = exp(log_sd) / scale;
    return lgamma((df + 1) / 2) - lgamma(df / 2) -
           0.5 * (log(df) + 1.1447298858494001741) + log(2 / scale) -
           (df + 1) / 2 * log1p(z * z / df) + log_sd;
}

/* LKJ: w_ij of column j given i before it is 2 Beta(b, b) - 1 with b = eta + (q - 2 - i)/2;
   by atanh w. */
static double log_prior_of_correlation(double z, double b)
{
    const double log_sech2 = -2 * (fabs(z) + log1p(exp(-2 * fabs(z))) - log(2));
    return b * log_sech2 - (2 * b - 1) * log(2) - 2 * lgamma(b) + lgamma(2 * b);
}

double dlpi_hyper_log_prior(const dlpi_hyper_layout *layout,
                            const dlpi_mixed_prior *prior, const double *psi)
{
    double sum = 0;
    const double *scale = prior->sd_scale;
    for (dlp_index t = 0; t < layout->n_terms; t++) {
        const dlp_index q = layout->q[t];
        const double *at = psi + layout->at[t], *z = at + q;
        for (dlp_index i = 0; i < q; i++)
            sum += log_prior_of_sd(at[i], *scale++, prior->sd_df);
        for (dlp_index j = 0; j < q; j++)
            for (dlp_index i = 0; i < j; i++)
                sum += log_prior_of_correlation(*z++, prior->correlation +
                                                          0.5 * (double)(q - 2 - i));
    }
    if (layout->tau >= 0) {
        const double z = (psi[layout->tau] - prior->tau_mean) / prior->tau_sd;
        sum -= 0.5 * z * z + log(prior->tau_sd) + 0.5 * 1.8378770664093454836;
    }
    return sum;
}
