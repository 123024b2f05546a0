/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/log_curve.h"

#include <math.h>

/* ---- the spline ---- */

/* Second derivatives M: h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (s_i -
   s_(i-1)), with slopes s and M_0 = M_1, M_(n-1) = M_(n-2). */
static void bend(dlpi_log_curve *c)
{
    const int n = c->n;
    double upper[DLPI_LOG_CURVE_NODES], *M = c->bend;
    for (int i = 1; i < n - 1; i++) {
        const double h = c->u[i] - c->u[i - 1], k = c->u[i + 1] - c->u[i];
        const double right = 6 * ((c->log_p[i + 1] - c->log_p[i]) / k -
                                  (c->log_p[i] - c->log_p[i - 1]) / h);
        const double lower = i > 1 ? h : 0, above = i < n - 2 ? k : 0;
        double middle = 2 * (h + k) + (i == 1 ? h : 0) + (i == n - 2 ? k : 0);
        middle -= i > 1 ? lower * upper[i - 1] : 0;
        upper[i] = above / middle;
        M[i] = (right - (i > 1 ? lower * M[i - 1] : 0)) / middle;
    }
    for (int i = n - 3; i >= 1; i--) M[i] -= upper[i] * M[i + 1];
    M[0] = M[1];
    M[n - 1] = M[n - 2];
}

/* The spline between nodes i and i + 1, at fraction t of the way. */
static double log_at(const dlpi_log_curve *c, int i, double t)
{
    const double h = c->u[i + 1] - c->u[i], s = 1 - t;
    return s * c->log_p[i] + t * c->log_p[i + 1] +
           h * h / 6 * ((s * s * s - s) * c->bend[i] + (t * t * t - t) * c->bend[i + 1]);
}

/* ---- integrals ---- */

static double density_at(const dlpi_log_curve *c, int i, double t)
{
    return exp(log_at(c, i, t) - c->top);
}

/* The integrals of p, u p and u^2 p between nodes i and i + 1, up to fraction t of the
   way: Simpson's rule. */
static void add_space(const dlpi_log_curve *c, int i, double t, double *sum)
{
    const int parts = DLPI_LOG_CURVE_PARTS;
    const double h = c->u[i + 1] - c->u[i];
    for (int k = 0; k <= parts; k++) {
        const double at = t * k / parts, by = k == 0 || k == parts ? 1 : k % 2 ? 4 : 2;
        const double p = by * t * h / (3 * parts) * density_at(c, i, at),
                     u = c->u[i] + at * h;
        sum[0] += p;
        sum[1] += p * u;
        sum[2] += p * u * u;
    }
}

bool dlpi_log_curve_settle(dlpi_log_curve *c)
{
    double sum[3] = {0, 0, 0};
    const double origin =
        c->n > 0 ? c->u[c->n / 2] : 0; /* so that squares do not cancel */
    if (c->n < 5) return false;
    c->top = -INFINITY;
    for (int i = 0; i < c->n; i++) c->top = fmax(c->top, c->log_p[i]);
    if (!isfinite(c->top)) return false;
    bend(c);
    for (int i = 0; i < c->n; i++) c->u[i] -= origin;
    for (int i = 0; i + 1 < c->n; i++) add_space(c, i, 1, sum);
    for (int i = 0; i < c->n; i++) c->u[i] += origin;
    c->mass = sum[0];
    c->mean = origin + sum[1] / sum[0];
    c->sd = sqrt(sum[2] / sum[0] - (sum[1] / sum[0]) * (sum[1] / sum[0]));
    return isfinite(c->mean) && c->sd > 0;
}

void dlpi_log_curve_exp(const dlpi_log_curve *c, double *mean, double *sd)
{
    const int parts = DLPI_LOG_CURVE_PARTS;
    double sum = 0, square = 0;
    for (int i = 0; i + 1 < c->n; i++)
        for (int k = 0; k <= parts; k++) {
            const double h = c->u[i + 1] - c->u[i], t = (double)k / parts,
                         by = k == 0 || k == parts ? 1
                              : k % 2              ? 4
                                                   : 2;
            const double p = by * h / (3 * parts) * density_at(c, i, t) / c->mass,
                         g = exp(c->u[i] + t * h);
            sum += p * g;
            square += p * g * g;
        }
    *mean = sum;
    *sd = sqrt(fmax(square - sum * sum, 0));
}

double dlpi_log_curve_below(const dlpi_log_curve *c, double x)
{
    double sum[3] = {0, 0, 0};
    for (int i = 0; i + 1 < c->n && x > c->u[i]; i++)
        add_space(c, i, fmin((x - c->u[i]) / (c->u[i + 1] - c->u[i]), 1), sum);
    return fmin(sum[0] / c->mass, 1);
}

double dlpi_log_curve_quantile(const dlpi_log_curve *c, double share)
{
    double lo = c->u[0], hi = c->u[c->n - 1];
    for (int step = 0; step < 60; step++) {
        const double middle = 0.5 * (lo + hi);
        if (dlpi_log_curve_below(c, middle) < share)
            lo = middle;
        else
            hi = middle;
    }
    return 0.5 * (lo + hi);
}
