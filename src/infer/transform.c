/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms to constrained parameters, with their Jacobians (Section 2.2, item 1). */
#include <delaplace/special.h>
#include <delaplace/transform.h>
#include <math.h>
#include <stdbool.h>

dlp_index dlp_transform_dimension(const dlp_transform *t)
{
    return t->kind == DLP_SIMPLEX ? t->n - 1 : t->n;
}

/* psi_k = exp(theta_k) / (1 + sum_j exp(theta_j)): softmax with a last component of 0 */
static void apply_simplex(dlp_index n, const double *theta, double *psi)
{
    double largest = 0, sum = 0;
    for (dlp_index k = 0; k < n - 1; k++) largest = fmax(largest, theta[k]);
    for (dlp_index k = 0; k < n; k++)
        sum += psi[k] = exp((k < n - 1 ? theta[k] : 0) - largest);
    for (dlp_index k = 0; k < n; k++) psi[k] /= sum;
}

/* lower + (upper - lower) sigma(theta), computed from the nearer end so that rounding
   never leads outside. */
static double apply_interval(const dlp_transform *t, double theta)
{
    const double width = t->upper - t->lower;
    return theta < 0 ? t->lower + width * dlp_logistic(theta)
                     : t->upper - width * dlp_logistic(-theta);
}

void dlp_transform_apply(const dlp_transform *t, const double *theta, double *psi)
{
    if (t->kind == DLP_SIMPLEX) {
        apply_simplex(t->n, theta, psi);
        return;
    }
    for (dlp_index i = 0; i < t->n; i++) {
        if (t->kind == DLP_POSITIVE)
            psi[i] = t->lower + exp(theta[i]);
        else if (t->kind == DLP_INTERVAL)
            psi[i] = apply_interval(t, theta[i]);
        else
            psi[i] = theta[i];
    }
}

void dlp_transform_invert(const dlp_transform *t, const double *psi, double *theta)
{
    if (t->kind == DLP_SIMPLEX) {
        double sum = 0;
        for (dlp_index k = 0; k < t->n; k++) sum += psi[k] >= 0 ? psi[k] : NAN;
        const bool on_simplex = fabs(sum - 1) < 1e-8;
        for (dlp_index k = 0; k < t->n - 1; k++)
            theta[k] = on_simplex ? log(psi[k]) - log(psi[t->n - 1]) : NAN;
        return;
    }
    for (dlp_index i = 0; i < t->n; i++) {
        const double above = psi[i] - t->lower, below = t->upper - psi[i];
        if (t->kind == DLP_POSITIVE)
            theta[i] = above >= 0 ? log(above) : NAN;
        else if (t->kind == DLP_INTERVAL)
            theta[i] = above >= 0 && below >= 0 ? log(above) - log(below) : NAN;
        else
            theta[i] = psi[i];
    }
}

double dlp_transform_log_jacobian(const dlp_transform *t, const double *theta)
{
    double sum = 0;
    if (t->kind == DLP_SIMPLEX) { /* |dpsi/dtheta| = prod_{k<=n} psi_k */
        double all = 0;
        const double most = t->n > 1 ? dlp_logsumexp(t->n - 1, theta) : -INFINITY;
        for (dlp_index k = 0; k < t->n - 1; k++) all += theta[k];
        return all - (double)t->n * dlp_log1pexp(most);
    }
    for (dlp_index i = 0; i < t->n; i++) {
        if (t->kind == DLP_POSITIVE)
            sum += theta[i];
        else if (t->kind == DLP_INTERVAL) /* (upper-lower) sigma(theta) sigma(-theta) */
            sum += log(t->upper - t->lower) + dlp_log_logistic(theta[i]) +
                   dlp_log_logistic(-theta[i]);
    }
    return sum;
}
