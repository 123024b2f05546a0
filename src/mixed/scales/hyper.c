/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/scales/hyper.h"

#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

dlp_status dlpi_hyper_layout_make(const dlpi_mixed_data *data, dlpi_hyper_layout *layout,
                                  dlp_error *error)
{
    for (dlp_index t = 0; t < data->n_terms; t++)
        if (data->term[t].q > DLPI_MOST_EFFECTS && data->predictors > 1)
            return dlp_fail(
                error, DLP_EINPUT,
                "each level of a random term has an effect for each of %td levels "
                "of the response and each column inside the bars, %td in all; "
                "at most %d are possible: merge levels of the response",
                data->predictors, data->term[t].q, DLPI_MOST_EFFECTS);
        else if (data->term[t].q > DLPI_MOST_EFFECTS)
            return dlp_fail(error, DLP_EINPUT,
                            "a random term with %td effects per level has too many "
                            "correlations; use || or fewer columns inside the bars",
                            data->term[t].q);
    const dlp_index T = data->n_terms + data->n_smooths;
    dlp_index *numbers = dlpi_calloc(2 * T, sizeof *numbers), m = 0;
    const dlpi_process **process = dlpi_calloc(T, sizeof *process);
    *layout =
        (dlpi_hyper_layout){.n_terms = T, .at = numbers, .process = process, .tau = -1};
    if (!numbers || !process) return dlpi_no_memory(error, "the random effects");
    layout->q = numbers + T;
    for (dlp_index t = 0; t < T; t++) {
        const dlp_index q = t < data->n_terms ? data->term[t].q : 1;
        process[t] = t < data->n_terms ? data->term[t].process : NULL;
        numbers[t] = m;
        numbers[T + t] = q;
        m += q + q * (q - 1) / 2 + (process[t] ? dlpi_process_more(process[t]) : 0);
        if (q > layout->largest) layout->largest = q;
    }
    if (data->scales > 0) layout->tau = m;
    layout->scales = data->scales;
    m += data->scales;
    layout->m = layout->all = m;
    layout->blocks = data->predictors > 1 ? data->predictors : 0;
    return DLP_OK;
}

void dlpi_hyper_layout_clear(dlpi_hyper_layout *layout)
{
    free((void *)layout->at);
    free(layout->process);
    free(layout->psi_of);
    free(layout->bound);
    *layout = (dlpi_hyper_layout){0};
}

/* ---- what is fixed ---- */

static bool is_restricted(const dlp_sd_prior *prior)
{
    return prior->distribution == DLP_SD_FIXED || prior->distribution == DLP_SD_UNIFORM;
}

/* Whether effects i and j of a level of term t may be correlated. */
static bool share_block(const dlpi_hyper_layout *layout, dlp_index t, dlp_index i,
                        dlp_index j)
{
    const dlp_index size = layout->q[t] / dlpi_hyper_blocks(layout, t);
    return i / size == j / size;
}

/* Correlations between blocks get -1 as their place in psi. */
static void leave_out_correlations(dlpi_hyper_layout *layout)
{
    for (dlp_index t = 0; t < layout->n_terms; t++) {
        dlp_index *at = layout->psi_of + layout->at[t] + layout->q[t];
        for (dlp_index j = 0; j < layout->q[t]; j++)
            for (dlp_index i = 0; i < j; i++) *at++ = -!share_block(layout, t, i, j);
    }
}

static void leave_out(dlpi_hyper_layout *layout, const dlpi_mixed_prior *prior)
{
    const dlp_sd_prior *sd = prior->sd;
    dlp_index m = 0;
    for (dlp_index t = 0; t < layout->n_terms && sd; t++)
        for (dlp_index i = 0; i < layout->q[t]; i++, sd++)
            if (is_restricted(sd)) layout->bound[layout->at[t] + i] = sd;
    leave_out_correlations(layout);
    for (dlp_index i = 0; i < layout->all; i++) {
        const dlp_sd_prior *bound = layout->bound[i];
        const bool fixed = bound && bound->distribution == DLP_SD_FIXED;
        layout->psi_of[i] = fixed || layout->psi_of[i] < 0 ? -1 : m++;
    }
    if (layout->tau >= 0) layout->tau = m - layout->scales;
    layout->m = m;
}

dlp_status dlpi_hyper_restrict(dlpi_hyper_layout *layout, const dlpi_mixed_prior *prior,
                               dlp_error *error)
{
    dlp_index effects = 0, restricted = 0;
    for (dlp_index t = 0; t < layout->n_terms; t++) effects += layout->q[t];
    for (dlp_index k = 0; prior->sd && k < effects; k++)
        restricted += is_restricted(&prior->sd[k]);
    layout->is_restricted = restricted > 0;
    if (restricted == 0 && layout->blocks == 0) return DLP_OK;
    layout->psi_of = dlpi_calloc(layout->all, sizeof *layout->psi_of);
    layout->bound = dlpi_calloc(layout->all, sizeof *layout->bound);
    if (!layout->psi_of || !layout->bound)
        return dlpi_no_memory(error, "the priors of sds");
    leave_out(layout, prior);
    return DLP_OK;
}

/* log(a + (b - a) / (1 + exp(-psi))) */
static double log_between(const dlp_sd_prior *of, double psi)
{
    const double log_share = psi > 0 ? -log1p(exp(-psi)) : psi - log1p(exp(psi));
    if (of->a == 0) return log(of->b) + log_share;
    return log(of->a + (of->b - of->a) * exp(log_share));
}

const double *dlpi_hyper_all(const dlpi_hyper_layout *layout, const double *psi,
                             double *room)
{
    if (!layout->psi_of) return psi;
    for (dlp_index i = 0; i < layout->all; i++) {
        const dlp_sd_prior *bound = layout->bound[i];
        const dlp_index at = layout->psi_of[i];
        room[i] = at < 0  ? (bound ? log(bound->a) : 0) /* no correlation */
                  : bound ? log_between(bound, psi[at])
                          : psi[at];
    }
    return room;
}

/* Below what the prior expects, where the likelihood is rarely flat: for small sds it is,
   so a prior that allows any order of magnitude begins near the default's scale. */
static double low_sd(const dlp_sd_prior *prior)
{
    const double weak = 0.2 * prior->weak, a = prior->a, b = prior->b;
    switch (prior->distribution) {
    case DLP_SD_HALF_T: return fmax(0.2 * b, 0.5 * weak);
    case DLP_SD_HALF_NORMAL: return 0.2 * a;
    case DLP_SD_EXPONENTIAL: return 0.3 / a;
    case DLP_SD_LOG_NORMAL:
        return weak > 0 ? exp(fmin(fmax(log(weak), a - b), a + b)) : exp(a);
    case DLP_SD_UNIFORM:
    case DLP_SD_FIXED: break;
    }
    return 0;
}

void dlpi_hyper_start(const dlpi_hyper_layout *layout, const dlpi_mixed_prior *prior,
                      const double *tau, double *psi)
{
    dlp_index k = 0;
    for (dlp_index t = 0; t < layout->n_terms; t++)
        for (dlp_index i = 0; i < layout->q[t]; i++, k++) {
            const dlp_index all = layout->at[t] + i,
                            at = layout->psi_of ? layout->psi_of[all] : all;
            const double low =
                prior->sd ? low_sd(&prior->sd[k]) : 0.2 * prior->sd_scale[k];
            if (at >= 0) psi[at] = low > 0 ? log(low) : -1; /* between bounds */
        }
    for (dlp_index i = 0; i < layout->scales; i++)
        psi[layout->tau + i] = tau ? tau[i] : 0;
}

/* ---- precisions ---- */

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

/* ---- priors ---- */

/* The log prior of an sd as a function of its logarithm, or its logit between bounds,
   with the Jacobian. */
static double log_prior_of_sd(const dlp_sd_prior *prior, double psi)
{
    if (prior->distribution == DLP_SD_UNIFORM)
        return -fabs(psi) - 2 * log1p(exp(-fabs(psi)));
    return dlp_sd_prior_log_density(prior, exp(psi)) + psi;
}

/* LKJ: w_ij of column j given i before it is 2 Beta(b, b) - 1 with b = eta + (q - 2 - i)/2;
   by atanh w. */
static double log_prior_of_correlation(double z, double b)
{
    const double log_sech2 = -2 * (fabs(z) + log1p(exp(-2 * fabs(z))) - log(2));
    return b * log_sech2 - (2 * b - 1) * log(2) - 2 * lgamma(b) + lgamma(2 * b);
}

/* The log prior of a correlation, LKJ's between two or restricted to above 0, or of a
   share, Beta(a, b), as a function of the number that represents it, with the
   Jacobian. */
static double log_prior_of_second(const dlpi_process *process, double number, double eta,
                                  const double *share)
{
    const double log_2 = 0.69314718055994530942;
    if (process->kind == DLPI_AR1 && !process->positive)
        return log_prior_of_correlation(number, eta);
    const double log_p = number > 0 ? -log1p(exp(-number)) : number - log1p(exp(number)),
                 log_1_p = log_p - number;
    if (process->kind == DLPI_AR1)
        return (eta - 1) * (log_1_p + log1p(exp(log_p))) + log_p + log_1_p + log_2 -
               (2 * eta - 1) * log_2 + lgamma(2 * eta) - 2 * lgamma(eta);
    const double a = share ? share[0] : 1, b = share ? share[1] : 1;
    return a * log_p + b * log_1_p + lgamma(a + b) - lgamma(a) - lgamma(b);
}

double dlpi_hyper_log_prior(const dlpi_hyper_layout *layout,
                            const dlpi_mixed_prior *prior, const double *psi)
{
    double sum = 0;
    dlp_index k = 0;
    for (dlp_index t = 0; t < layout->n_terms; t++) {
        const dlp_index q = layout->q[t];
        const double eta = prior->lkj ? prior->lkj[t] : prior->correlation;
        dlp_index all = layout->at[t];
        for (dlp_index i = 0; i < q; i++, k++, all++) {
            const dlp_sd_prior usual = {DLP_SD_HALF_T, prior->sd_df,
                                        prior->sd ? 0 : prior->sd_scale[k], 0, 0};
            const dlp_index at = layout->psi_of ? layout->psi_of[all] : all;
            if (at >= 0)
                sum += log_prior_of_sd(prior->sd ? &prior->sd[k] : &usual, psi[at]);
        }
        const dlp_index size = q / dlpi_hyper_blocks(layout, t);
        for (dlp_index j = 0; j < q; j++)
            for (dlp_index i = 0; i < j; i++, all++)
                if (share_block(layout, t, i, j))
                    sum += log_prior_of_correlation(
                        psi[layout->psi_of ? layout->psi_of[all] : all],
                        eta + 0.5 * (double)(size - 2 - i % size));
        const dlpi_process *process = dlpi_hyper_process(layout, t);
        if (process && dlpi_process_more(process) > 0)
            sum += log_prior_of_second(process,
                                       psi[layout->psi_of ? layout->psi_of[all] : all],
                                       eta, prior->share ? prior->share + 2 * t : NULL);
    }
    for (dlp_index i = 0; i < layout->scales; i++) {
        const double mean = prior->tau ? prior->tau[2 * i] : prior->tau_mean,
                     sd = prior->tau ? prior->tau[2 * i + 1] : prior->tau_sd,
                     z = (psi[layout->tau + i] - mean) / sd;
        sum -= 0.5 * z * z + log(sd) + 0.5 * 1.8378770664093454836;
    }
    return sum;
}
