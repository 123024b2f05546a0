/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predictions of a generalised linear model: at the mean of q(theta), as the paper does,
 * and averaged over q(theta) (erratum E12). The linear predictor is Gaussian under q, so
 * an average is a one-dimensional sum for each row. With the logarithm of a scale, which
 * is correlated with it and may be poorly known, it is two-dimensional.
 */
#include "glm/predict/predict.h"
#include "core/core.h"
#include "glm/glm_state.h"
#include "glm/predict/mean_bounds.h"
#include "math/dense.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

double dlpi_node(int k)
{
    return 12.0 * k / (DLPI_NODES - 1) - 6;
}

double dlpi_node_weight(int k)
{
    const double root_2_pi = 2.5066282746310005024;
    return 12.0 / (DLPI_NODES - 1) / root_2_pi * exp(-0.5 * dlpi_node(k) * dlpi_node(k));
}

static double node_log_weight(int k)
{
    const double log_0_2 = -1.6094379124341003746, /* the log of the step */
        log_root_2_pi = 0.91893853320467274178;
    return log_0_2 - log_root_2_pi - 0.5 * dlpi_node(k) * dlpi_node(k);
}

void dlpi_load_row(const dlp_glm_data *d, dlp_index i, double *row)
{
    for (dlp_index j = 0; j < d->p; j++) row[j] = d->x[j][i];
}

double dlpi_quadratic(dlp_index p, const double *row, const double *S, dlp_index n)
{
    double sum = 0;
    for (dlp_index j = 0; j < p; j++) sum += row[j] * dlpi_dot(p, S + j * n, row);
    return sum;
}

static dlpi_predictor predictor_at_mean(const dlpi_family *family, const dlp_glm_data *d,
                                        dlp_index i, const double *row, const double *mu)
{
    return (dlpi_predictor){.eta =
                                (d->offset ? d->offset[i] : 0) + dlpi_dot(d->p, mu, row),
                            .tau = family->of->scale ? mu[d->p] : 0,
                            .second = family->of->second ? mu[d->p + 1] : 0};
}

static void add_spread(dlpi_predictor *q, bool scale, dlp_index p, const double *row,
                       const dlp_sym *Sigma, double more)
{
    const dlp_index n = Sigma->shape.n;
    const double *S = dlp_sym_block(Sigma, 0);
    q->eta_sd = q->given_sd = sqrt(fmax(dlpi_quadratic(p, row, S, n) + more, 0));
    if (!scale || !(S[p * n + p] > 0)) return;
    const double variance = S[p * n + p], both = dlpi_dot(p, S + p * n, row);
    q->tau_sd = sqrt(variance);
    q->slope = both / variance;
    q->given_sd = sqrt(fmax(q->eta_sd * q->eta_sd - both * q->slope, 0));
    if (n < p + 2) return;
    q->of_second[0] = dlpi_dot(p, S + (p + 1) * n, row);
    q->of_second[1] = S[(p + 1) * n + p];
    q->of_second[2] = S[(p + 1) * n + p + 1];
}

dlpi_predictor dlpi_predictor_of(const dlpi_family *family, const dlp_glm_data *d,
                                 dlp_index i, const double *row, const double *mu,
                                 const dlp_sym *Sigma, double more)
{
    dlpi_predictor q = predictor_at_mean(family, d, i, row, mu);
    add_spread(&q, family->of->scale, d->p, row, Sigma, more);
    return q;
}

static double df_of(const dlp_glm_data *d)
{
    return d->df > 0 ? d->df : DLP_GLM_DF;
}

static double log_density(const dlpi_family *family, const dlp_glm_data *d, dlp_index i,
                          double eta, double tau, dlpi_rows *rows)
{
    rows->n = 1;
    rows->y = d->y + i;
    rows->trials = d->trials ? d->trials + i : NULL;
    rows->df = df_of(d);
    rows->eta[0] = eta;
    family->evaluate(rows, tau, 0);
    return rows->l[0];
}

/* E[y] over eta, which is N(eta, sd^2) given tau. */
static double mean_over_eta(const dlpi_family *family, double eta, double sd, double tau,
                            double df)
{
    double sum = 0;
    for (int k = 0; k < DLPI_NODES; k++)
        sum += dlpi_node_weight(k) *
               dlpi_family_mean(family, eta + sd * dlpi_node(k), tau, df);
    return sum;
}

/* The same over tau, where the mean depends on it. The mean of a log-normal or Weibull
   variable grows so fast with tau that under a Gaussian it has no average at all: the sum
   stops at `far` sds, which cuts off a probability of 1 in 16,000. */
static double mean_averaged(const dlpi_family *family, const dlpi_predictor *q, double df)
{
    const double far = 4;
    double sum = 0, weights = 0;
    if (!family->mean_given || q->tau_sd == 0)
        return mean_over_eta(family, q->eta, q->eta_sd, q->tau, df);
    for (int k = 0; k < DLPI_NODES; k++) {
        if (fabs(dlpi_node(k)) > far) continue;
        const double move = q->tau_sd * dlpi_node(k), weight = dlpi_node_weight(k);
        sum += weight * mean_over_eta(family, q->eta + q->slope * move, q->given_sd,
                                      q->tau + move, df);
        weights += weight;
    }
    return sum / weights;
}

/* The logarithm of E[p(y | eta, tau)] over eta given tau, with all nodes evaluated at
   once as if they were rows. */
static double log_density_given(const dlpi_family *family, const dlp_glm_data *d,
                                dlp_index i, const dlpi_predictor *q, double tau,
                                dlpi_rows *rows)
{
    const double eta = q->eta + q->slope * (tau - q->tau);
    double y[DLPI_NODES], trials[DLPI_NODES], terms[DLPI_NODES];
    for (int k = 0; k < DLPI_NODES; k++) {
        y[k] = d->y[i];
        trials[k] = dlpi_second_of(family, d->y, d->trials, i);
        rows->eta[k] = eta + q->given_sd * dlpi_node(k);
    }
    rows->n = DLPI_NODES;
    rows->y = y;
    rows->trials = d->trials ? trials : NULL;
    rows->df = df_of(d);
    family->evaluate(rows, tau, 0);
    for (int k = 0; k < DLPI_NODES; k++) terms[k] = node_log_weight(k) + rows->l[k];
    return dlp_logsumexp(DLPI_NODES, terms);
}

/* The same over tau, too, using only every `stride`-th node, since the density varies
   with tau on a scale of 1, or less where y is far out. */
double dlpi_log_density_averaged(const dlpi_family *family, const dlp_glm_data *d,
                                 dlp_index i, const dlpi_predictor *q, dlpi_rows *rows)
{
    const double farthest = 100; /* beyond, exp(tau) would overflow */
    if (q->tau_sd == 0) return log_density_given(family, d, i, q, q->tau, rows);
    const int stride = q->tau_sd < 0.05 ? 5 : q->tau_sd < 0.5 ? 2 : 1;
    double terms[DLPI_NODES];
    int n = 0;
    for (int k = 0; k < DLPI_NODES; k += stride) {
        const double tau = q->tau + q->tau_sd * dlpi_node(k);
        terms[n++] = node_log_weight(k) +
                     log_density_given(family, d, i, q,
                                       fmin(fmax(tau, -farthest), farthest), rows);
    }
    return dlp_logsumexp(n, terms) + log(stride);
}

/* The ends of the interval of the mean response. */
static void bounds_of_mean(const dlpi_family *family, const dlpi_predictor *q, double df,
                           double z, const dlp_glm_prediction *out, dlp_index i)
{
    double lower, upper;
    if (!out->lower && !out->upper) return;
    if (family->mean_given && q->tau_sd > 0)
        dlpi_mean_bounds(family, q, z, &lower, &upper);
    else {
        lower = dlpi_family_mean(family, q->eta - z * q->eta_sd, q->tau, df);
        upper = dlpi_family_mean(family, q->eta + z * q->eta_sd, q->tau, df);
    }
    if (out->lower) out->lower[i] = lower;
    if (out->upper) out->upper[i] = upper;
}

/* Computes row i of the outputs that were asked for. */
static void predict_row(const dlpi_family *family, const dlp_glm_data *d, dlp_index i,
                        const dlpi_predictor *q, double z, dlpi_rows *rows,
                        const dlp_glm_prediction *out)
{
    const double eta = q->eta;
    if (out->eta) out->eta[i] = eta;
    if (out->eta_sd) out->eta_sd[i] = q->eta_sd;
    if (out->mean) out->mean[i] = dlpi_family_mean(family, eta, q->tau, df_of(d));
    if (out->mean_averaged) out->mean_averaged[i] = mean_averaged(family, q, df_of(d));
    bounds_of_mean(family, q, df_of(d), z, out, i);
    if (out->log_density)
        out->log_density[i] = log_density(family, d, i, eta, q->tau, rows);
    if (out->log_density_averaged)
        out->log_density_averaged[i] = dlpi_log_density_averaged(family, d, i, q, rows);
}

/* A second scale is held at its mean. */
static dlp_glm_data with_second(const dlpi_family *family, const dlp_glm_data *d,
                                const double *mu)
{
    dlp_glm_data with = *d;
    with.df = dlpi_second_scale(family->of, mu, d->p, d->df);
    return with;
}

dlp_status dlpi_glm_predict(const char *family_name, const char *link,
                            const dlp_glm_data *data, const double *mu,
                            const dlp_sym *Sigma, const dlpi_added *added,
                            const dlp_glm_prediction *out, dlp_error *error)
{
    const double *more = added->variance;
    const dlpi_family *family = dlpi_family_named(family_name, link, error);
    if (!family) return DLP_EINVAL;
    const dlp_glm_data with = with_second(family, data, mu), *d = &with;
    DLP_TRY(dlpi_glm_check_x(d, error));
    const bool scored = out->log_density || out->log_density_averaged;
    if (scored) DLP_TRY(dlpi_glm_check_y(family, d, error));
    if (out->observed_lower || out->observed_upper)
        DLP_TRY(dlpi_predict_observed(family, d, mu, Sigma, more, out, error));
    if (!family->evaluate)
        return dlpi_predict_levels(family, d, mu, Sigma, added, out, error);
    const bool spread = out->eta_sd || out->mean_averaged || out->lower || out->upper ||
                        out->log_density_averaged;
    const double z = dlp_normal_quantile(dlpi_upper_quantile(out));
    dlpi_rows *rows = dlpi_calloc(1, sizeof *rows);
    double *row = dlpi_calloc(d->p, sizeof *row);
    if (!rows || !row) {
        free(rows);
        free(row);
        return dlpi_no_memory(error, "predictions");
    }
    for (dlp_index i = 0; i < d->N; i++) {
        dlpi_load_row(d, i, row);
        dlpi_predictor q = predictor_at_mean(family, d, i, row, mu);
        if (spread)
            add_spread(&q, family->of->scale, d->p, row, Sigma, more ? more[i] : 0);
        predict_row(family, d, i, &q, z, rows, out);
    }
    free(rows);
    free(row);
    return DLP_OK;
}

dlp_status dlp_glm_predict(const char *family, const char *link, const dlp_glm_data *d,
                           const double *mu, const dlp_sym *Sigma,
                           const dlp_glm_prediction *out, dlp_error *error)
{
    const dlpi_added nothing = {.mean = NULL};
    return dlpi_glm_predict(family, link, d, mu, Sigma, &nothing, out, error);
}
