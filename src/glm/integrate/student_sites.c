/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/student_sites.h"

#include <math.h>

/* The integral over log lambda leaves out densities below exp(-DEEP) of the highest. */
static const double DEEP = 35;
/* Sites move only this share of the way: all of them move at once, and would
   overshoot. */
static const double DAMPING = 0.7;
/* Site and cavity keep at least this share of the prior's precision, so that both remain
   Gaussians. */
static const double LEAST_PRECISION = 1e-6;
/* With fewer degrees of freedom than two and this, the first Gaussian is that of these. */
static const double LEAST_OVER_TWO = 0.5;
static const double LOG_2_PI = 1.8378770664093454836;

bool dlpi_student_sites_any(const dlpi_prior *stated)
{
    for (dlp_index j = 0; !stated->precision && j < stated->n; j++)
        if (stated->df[j] > 0) return true;
    return false;
}

void dlpi_student_sites_start(dlpi_student_sites *sites, const dlpi_prior *stated,
                              dlpi_prior *prior)
{
    *sites = (dlpi_student_sites){
        .mean = stated->mean, .sd = stated->sd, .df = stated->df, .prior = prior};
    for (dlp_index j = 0; j < prior->n; j++) {
        const double df = stated->df[j];
        if (df > 0)
            prior->sd[j] = stated->sd[j] * sqrt(df / fmax(df - 2, LEAST_OVER_TWO));
        prior->df[j] = 0;
    }
    dlpi_prior_settle(prior);
}

/* ---- a Student-t as a mixture of Gaussians ---- */

/* The log density of l = log lambda, lambda ~ Gamma(df/2, df/2), relative to its
   maximum */
static double log_density(double df, double l)
{
    return 0.5 * df * (l - expm1(l));
}

/* Where the density is exp(-DEEP) of the maximum, in the direction of the sign. */
static double end_of_density(double df, double sign)
{
    double near = 0, far = sign;
    while (log_density(df, far) > -DEEP) far *= 2;
    for (int i = 0; i < 50; i++) {
        const double middle = 0.5 * (near + far);
        if (log_density(df, middle) > -DEEP)
            near = middle;
        else
            far = middle;
    }
    return far;
}

static void spread_nodes(dlpi_student_sites *sites, double df)
{
    const double lo = end_of_density(df, -1), hi = end_of_density(df, 1);
    double sum = 0;
    for (int i = 0; i < DLPI_SITE_NODES; i++) {
        const double l = lo + (hi - lo) * i / (DLPI_SITE_NODES - 1);
        sites->variance[i] = exp(-l);
        sites->log_weight[i] = log_density(df, l);
        sum += exp(sites->log_weight[i]);
    }
    for (int i = 0; i < DLPI_SITE_NODES; i++) sites->log_weight[i] -= log(sum);
    sites->of_df = df;
}

/* ---- one coefficient ---- */

typedef struct moments {
    double log_z, mean, variance;
} moments;

/* N(m, v) times the Student-t prior of coefficient j: the log of its integral, and the
   moments. */
static moments tilt(const dlpi_student_sites *sites, dlp_index j, double m, double v)
{
    const double sd = sites->sd[j], off = m - sites->mean[j];
    double w[DLPI_SITE_NODES], to[DLPI_SITE_NODES], most = -INFINITY, sum = 0;
    moments t = {0};
    for (int i = 0; i < DLPI_SITE_NODES; i++) {
        const double all = v + sd * sd * sites->variance[i];
        w[i] = sites->log_weight[i] - 0.5 * (log(all) + off * off / all);
        to[i] = -off * v / all; /* from m */
        most = fmax(most, w[i]);
    }
    for (int i = 0; i < DLPI_SITE_NODES; i++) {
        sum += w[i] = exp(w[i] - most);
        t.mean += w[i] * to[i];
    }
    t.mean /= sum;
    for (int i = 0; i < DLPI_SITE_NODES; i++) {
        const double own = sd * sd * sites->variance[i], off_mean = to[i] - t.mean;
        t.variance += w[i] / sum * (own / (v + own) * v + off_mean * off_mean);
    }
    t.mean += m;
    t.log_z = most + log(sum) - 0.5 * LOG_2_PI;
    return t;
}

static double log_normal_density(double off, double variance)
{
    return -0.5 * (LOG_2_PI + log(variance) + off * off / variance);
}

/* The Gaussian that replaces prior j, given the coefficient's posterior N(mu, c) under
   the current one. */
static void update_site(dlpi_student_sites *sites, dlp_index j, double mu, double c)
{
    double *mean = &sites->prior->mean[j], *sd = &sites->prior->sd[j];
    const double least = LEAST_PRECISION / (sites->sd[j] * sites->sd[j]);
    const double site = 1 / (*sd * *sd), rest = fmax(1 / c - site, least);
    const double rest_mean = (mu / c - *mean * site) / rest; /* of all but prior j */
    const moments t = tilt(sites, j, rest_mean, 1 / rest);
    /* where the site cannot have the variance, it has the mean */
    const double wanted = 1 / t.variance - rest, next = fmax(wanted, least),
                 next_shift = t.mean * (rest + next) - rest_mean * rest;
    sites->log_ratio +=
        t.log_z - log_normal_density(rest_mean - *mean, 1 / rest + 1 / site);
    sites->mismatch = fmax(sites->mismatch, fabs(t.mean - mu) / sqrt(t.variance));
    if (wanted >= least || site > 2 * least)
        sites->mismatch = fmax(sites->mismatch, 0.5 * fabs(log(t.variance / c)));
    const double moved = site + DAMPING * (next - site),
                 shift = *mean * site + DAMPING * (next_shift - *mean * site);
    *mean = shift / moved;
    *sd = 1 / sqrt(moved);
}

void dlpi_student_sites_update(dlpi_student_sites *sites, const double *mu,
                               const double *C)
{
    const dlp_index n = sites->prior->n;
    sites->log_ratio = sites->mismatch = 0;
    for (dlp_index j = 0; j < n; j++) {
        if (sites->df[j] == 0) continue;
        if (sites->df[j] != sites->of_df) spread_nodes(sites, sites->df[j]);
        update_site(sites, j, mu[j], C[j * n + j]);
    }
    dlpi_prior_settle(sites->prior);
}
