/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/student_sites.h"

#include "glm/integrate/student_tilt.h"

#include <math.h>

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
    *sites = (dlpi_student_sites){.mean = stated->mean,
                                  .sd = stated->sd,
                                  .df = stated->df,
                                  .prior = prior,
                                  .damping = DAMPING};
    for (dlp_index j = 0; j < prior->n; j++) {
        const double df = stated->df[j];
        if (df > 0)
            prior->sd[j] = stated->sd[j] * sqrt(df / fmax(df - 2, LEAST_OVER_TWO));
        prior->df[j] = 0;
    }
    dlpi_prior_settle(prior);
}

/* ---- one coefficient ---- */

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
    dlpi_tilted t;
    if (!dlpi_student_tilt(sites->mean[j], log(sites->sd[j]), sites->df[j], 1, rest_mean,
                           1 / rest, &t)) {
        sites->mismatch = INFINITY;
        return;
    }
    /* where the site cannot have the variance, it has the mean */
    const double wanted = 1 / t.variance - rest, next = fmax(wanted, least),
                 next_shift = t.mean * (rest + next) - rest_mean * rest;
    sites->log_ratio +=
        t.log_z - log_normal_density(rest_mean - *mean, 1 / rest + 1 / site);
    sites->mismatch = fmax(sites->mismatch, fabs(t.mean - mu) / sqrt(t.variance));
    if (wanted >= least || site > 2 * least)
        sites->mismatch = fmax(sites->mismatch, 0.5 * fabs(log(t.variance / c)));
    const double moved = site + sites->damping * (next - site),
                 shift = *mean * site + sites->damping * (next_shift - *mean * site);
    *mean = shift / moved;
    *sd = 1 / sqrt(moved);
}

void dlpi_student_sites_update(dlpi_student_sites *sites, const double *mu,
                               const double *C)
{
    const dlp_index n = sites->prior->n;
    sites->log_ratio = sites->mismatch = 0;
    for (dlp_index j = 0; j < n; j++) {
        if (sites->df[j] > 0) update_site(sites, j, mu[j], C[j * n + j]);
    }
    dlpi_prior_settle(sites->prior);
}
