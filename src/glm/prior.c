/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/prior.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836, LOG_PI = 1.1447298858494001741;

dlp_status dlpi_prior_alloc(dlpi_prior *prior, dlp_index n, dlp_error *error)
{
    memset(prior, 0, sizeof *prior);
    prior->n = n;
    prior->mean = dlpi_calloc(n, 5 * sizeof *prior->mean);
    if (!prior->mean) return dlpi_no_memory(error, "a prior");
    prior->sd = prior->mean + n;
    prior->df = prior->sd + n;
    prior->off = prior->df + n;
    for (dlp_index j = 0; j < n; j++) prior->sd[j] = 1;
    dlpi_prior_settle(prior);
    return DLP_OK;
}

void dlpi_prior_free(dlpi_prior *prior)
{
    free(prior->mean);
    free(prior->precision);
    memset(prior, 0, sizeof *prior);
}

/* The constant of one parameter's prior. */
static double constant_of(double df, double sd)
{
    if (df == 0) return -0.5 * LOG_2_PI - log(sd);
    return dlp_lgamma(0.5 * (df + 1)) - dlp_lgamma(0.5 * df) - 0.5 * (log(df) + LOG_PI) -
           log(sd);
}

void dlpi_prior_settle(dlpi_prior *prior)
{
    prior->constant = 0;
    for (dlp_index j = 0; j < prior->n; j++)
        prior->constant += constant_of(prior->df[j], prior->sd[j]);
}

dlp_status dlpi_prior_make_full(dlpi_prior *prior, dlp_error *error)
{
    const dlp_index size = dlpi_size(prior->n, prior->n, 0);
    if (!prior->precision) prior->precision = dlpi_calloc(size, sizeof *prior->precision);
    return prior->precision ? DLP_OK : dlpi_no_memory(error, "a prior covariance");
}

/* The constant of the other parameters, which are independent of one another, too. */
static double constant_of_rest(const dlpi_prior *from, dlp_index n)
{
    double constant = 0;
    for (dlp_index i = n; i < from->n; i++)
        constant += 0.5 * (log(from->precision[i * from->n + i]) - LOG_2_PI);
    return constant;
}

dlp_status dlpi_prior_take(dlpi_prior *prior, const dlpi_prior *from, dlp_index n,
                           dlp_error *error)
{
    const size_t bytes = (size_t)n * sizeof *prior->mean;
    DLP_TRY(dlpi_prior_alloc(prior, n, error));
    memcpy(prior->mean, from->mean, bytes);
    memcpy(prior->sd, from->sd, bytes);
    memcpy(prior->df, from->df, bytes);
    dlpi_prior_settle(prior);
    if (!from->precision) return DLP_OK;
    DLP_TRY(dlpi_prior_make_full(prior, error));
    for (dlp_index j = 0; j < n; j++)
        memcpy(prior->precision + j * n, from->precision + j * from->n, bytes);
    prior->constant = from->constant - constant_of_rest(from, n);
    return DLP_OK;
}

void dlpi_prior_share(dlpi_prior *prior, const double *mean, const double *precision,
                      double log_det)
{
    const dlp_index n = prior->n;
    memcpy(prior->mean, mean, (size_t)n * sizeof *mean);
    memcpy(prior->precision, precision, (size_t)(n * n) * sizeof *precision);
    prior->constant = -0.5 * ((double)n * LOG_2_PI + log_det);
}

dlp_status dlpi_prior_set_gaussian(dlpi_prior *prior, const double *mean,
                                   const double *covariance, dlp_error *error)
{
    const dlp_index n = prior->n, size = dlpi_size(n, n, 0);
    double *U = dlpi_calloc(size, 3 * sizeof *U);
    if (!U) return dlpi_no_memory(error, "a prior covariance");
    double *work = U + size, *precision = work + size;
    memcpy(U, covariance, (size_t)size * sizeof *U);
    const dlp_index failed = dlpi_cholesky(n, U);
    dlp_status status = DLP_OK;
    if (failed >= 0) {
        status = dlp_fail(
            error, DLP_EINVAL,
            "the prior covariance is not positive definite at parameter %td", failed + 1);
    } else {
        const double log_det = dlpi_cholesky_log_det(n, U);
        dlpi_cholesky_inverse(n, U, work, precision);
        status = dlpi_prior_make_full(prior, error);
        if (status == DLP_OK) dlpi_prior_share(prior, mean, precision, log_det);
    }
    free(U);
    return status;
}

/* log p without its constant, and its first three derivatives; u = (theta - mean)/sd */
static double log_density_1(const dlpi_prior *prior, dlp_index j, double theta,
                            double d[3])
{
    const double s = prior->sd[j], df = prior->df[j], u = (theta - prior->mean[j]) / s;
    if (df == 0) {
        d[0] = -u / s;
        d[1] = -1 / (s * s);
        d[2] = 0;
        return -0.5 * u * u;
    }
    const double w = df + u * u, c = df + 1;
    d[0] = -c * u / w / s;
    d[1] = -c * (df - u * u) / (w * w) / (s * s);
    d[2] = 2 * c * u * (3 * df - u * u) / (w * w * w) / (s * s * s);
    return -0.5 * c * log1p(u * u / df);
}

/* -1/2 (theta - mean)'P(theta - mean) */
static double add_full(dlpi_prior *prior, const double *theta, double *grad, double *H)
{
    const dlp_index n = prior->n;
    double *off = prior->off, *P_off = off + n;
    for (dlp_index j = 0; j < n; j++) off[j] = theta[j] - prior->mean[j];
    for (dlp_index j = 0; j < n; j++) {
        P_off[j] = dlpi_dot(n, prior->precision + j * n, off);
        if (grad) grad[j] -= P_off[j];
        for (dlp_index k = j; H && k < n; k++)
            H[j * n + k] -= prior->precision[j * n + k];
    }
    return -0.5 * dlpi_dot(n, off, P_off);
}

double dlpi_prior_add(dlpi_prior *prior, const double *theta, double *grad, double *H)
{
    double value = prior->constant, d[3];
    if (prior->precision) return value + add_full(prior, theta, grad, H);
    for (dlp_index j = 0; j < prior->n; j++) {
        value += log_density_1(prior, j, theta[j], d);
        if (grad) grad[j] += d[0];
        if (H) H[j * prior->n + j] += d[1];
    }
    return value;
}

void dlpi_prior_add_trace_grad(const dlpi_prior *prior, const double *theta,
                               const double *Sigma, double *grad)
{
    double d[3];
    if (prior->precision) return; /* a Gaussian has no third derivative */
    for (dlp_index j = 0; j < prior->n; j++) {
        log_density_1(prior, j, theta[j], d);
        grad[j] += d[2] * Sigma[j * prior->n + j];
    }
}

double dlpi_prior_add_natural(const dlpi_prior *prior, double *P, double *h)
{
    const dlp_index n = prior->n;
    double square = 0;
    for (dlp_index j = 0; j < n; j++) {
        const double *row = prior->precision ? prior->precision + j * n : NULL,
                     own = 1 / (prior->sd[j] * prior->sd[j]);
        const double P_m = row ? dlpi_dot(n, row, prior->mean) : own * prior->mean[j];
        h[j] += P_m;
        square += prior->mean[j] * P_m;
        if (!row) P[j * n + j] += own;
        for (dlp_index k = j; row && k < n; k++) P[j * n + k] += row[k];
    }
    return prior->constant - 0.5 * square;
}
