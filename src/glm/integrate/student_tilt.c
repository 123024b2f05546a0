/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/student_tilt.h"

#include <delaplace/special.h>
#include <math.h>

/* The trapezoidal rule over log lambda ends where the integrand is this many nats below
   its highest, and has nodes this far apart, or this share of the width of a peak. */
static const double DEEP = 22, APART = 0.6, OF_WIDTH = 0.8;
static const double LOG_PI = 1.1447298858494001741;

/* log t(y; y, e^tau, df) */
static double log_highest(double tau, double df)
{
    return dlp_lgamma(0.5 * (df + 1)) - dlp_lgamma(0.5 * df) - 0.5 * (log(df) + LOG_PI) -
           tau;
}

typedef struct sums {
    double top, weight; /* of which e^top is the unit */
    double share, square, rest;
} sums;

/* Adds a node with this share of qv/(1 + qv), relative to the highest so far. */
static void add_node(sums *s, double log_w, double share)
{
    const double by = log_w > s->top ? exp(s->top - log_w) : 1;
    s->top = fmax(s->top, log_w);
    const double w = exp(log_w - s->top);
    s->weight = s->weight * by + w;
    s->share = s->share * by + w * share;
    s->square = s->square * by + w * share * share;
    s->rest = s->rest * by + w * (1 - share);
}

/*
 * With r = y - eta, s = e^tau and k = weight (df + 1)/2,
 *
 *   (1 + r^2/(df s^2))^-k = 1/Gamma(k) int lambda^k exp(-lambda - q r^2/2) d log lambda,
 *   q = 2 lambda / (df s^2),
 *
 * and times N(eta; m, v), with d = y - m, the integral over eta is
 * (1 + q v)^-1/2 exp(-q d^2 / (2 (1 + q v))), about m + d q v / (1 + q v) with the variance
 * v / (1 + q v). The density of eta may have two modes, the integrand is smooth all the
 * same.
 */
bool dlpi_student_tilt(double y, double tau, double df, double weight, double m, double v,
                       dlpi_tilted *out)
{
    const double k = 0.5 * weight * (df + 1), d = y - m, unit = df * exp(2 * tau);
    const double width = 1 / sqrt(k), space = fmin(APART, OF_WIDTH * width);
    /* lambda is about k, or where all of d is the row's own about k / (1 + d^2/unit) */
    const double below = log1p(d * d / unit) + DEEP / k + 4 * width;
    const double above = log1p(4 * sqrt(2 / k) + DEEP / k);
    sums s = {.top = -INFINITY};
    for (double at = -ceil(below / space); at * space < above + space; at++) {
        const double u = log(k) + at * space, lambda = exp(u), qv = 2 * lambda * v / unit;
        const double share = qv / (1 + qv);
        add_node(&s, k * u - lambda - 0.5 * (log1p(qv) + share * d * d / v), share);
    }
    const double mean = s.share / s.weight, square = s.square / s.weight;
    *out = (dlpi_tilted){
        .log_z =
            weight * log_highest(tau, df) - dlp_lgamma(k) + s.top + log(s.weight * space),
        .mean = m + d * mean,
        .variance = v * s.rest / s.weight + d * d * fmax(square - mean * mean, 0)};
    return isfinite(out->log_z) && out->variance > 0;
}

/*
 * log1p(r^2/unit) is concave in r^2, and so below its tangent at any rho:
 *
 *   -k log1p(r^2/unit) >= -k log1p(rho/unit) - a/2 (r^2 - rho),  a = 2 k / (unit + rho),
 *
 * best on average at rho = E[r^2].
 */
double dlpi_student_bound(double y, double tau, double df, double weight, double mean,
                          double variance, double *a)
{
    const double k = 0.5 * weight * (df + 1), unit = df * exp(2 * tau), off = y - mean;
    const double rho = 2 * k / *a - unit;
    const double log_p = weight * log_highest(tau, df) - k * log1p(rho / unit) -
                         0.5 * *a * (off * off - rho);
    *a = 2 * k / (unit + off * off + variance);
    return log_p;
}
