/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quantiles of a mean response m(theta), theta = (eta, log scales) ~ N(mu, V). With g the
 * gradient of m at mu, theta = mu + u_1 d_1 + u_2 d_2 + u_3 d_3, where d_1 = V g / (g'Vg)^1/2
 * and all u are independent and standard normal. m rises with u_1, so that
 *
 *   P(m < t) = E[Phi(u_1(t; u_2, u_3))],
 *
 * where m is t at u_1. It is tabulated in u_1, and the mean over u_2 and u_3 is a sum over
 * evenly spaced nodes.
 */
#include "glm/predict/mean_bounds.h"

#include <delaplace/special.h>
#include <float.h>
#include <math.h>

enum { ALONG = 33, ACROSS = 9, LINES = ACROSS * ACROSS, HALVINGS = 45 };
static const double REACH = 6; /* of u_1 */

typedef struct lines {
    int n;
    double weight[LINES];
    double log_mean[LINES][ALONG]; /* at values of u_1; rising */
} lines;

static double log_mean_at(const dlpi_family *family, const dlpi_predictor *q,
                          const double *by)
{
    const double second = exp(fmin(fmax(q->second + by[2], -100), 100));
    const double mean = dlpi_family_mean(family, q->eta + by[0], q->tau + by[1], second);
    return log(fmin(fmax(mean, DBL_MIN), DBL_MAX));
}

/* ---- directions ---- */

/* d_1; all 0 where the mean does not move. */
static void find_steepest(const dlpi_family *family, const dlpi_predictor *q,
                          double (*V)[3], double *d)
{
    const double small = 1e-5;
    double g[3], variance = 0;
    for (int i = 0; i < 3; i++) {
        double by[3] = {0}, back[3] = {0};
        by[i] = small;
        back[i] = -small;
        g[i] = log_mean_at(family, q, by) - log_mean_at(family, q, back);
    }
    for (int i = 0; i < 3; i++) {
        d[i] = 0;
        for (int j = 0; j < 3; j++) d[i] += V[i][j] * g[j];
        variance += g[i] * d[i];
    }
    for (int i = 0; i < 3; i++) d[i] = variance > 0 ? d[i] / sqrt(variance) : 0;
}

static void take_out(double (*V)[3], const double *d)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) V[i][j] -= d[i] * d[j];
}

/* A column of a root of what is left of V; all 0 where nothing is. */
static void find_rest(double (*V)[3], double least, double *d)
{
    int at = 0;
    for (int i = 1; i < 3; i++)
        if (V[i][i] > V[at][at]) at = i;
    const double most = V[at][at];
    for (int i = 0; i < 3; i++) d[i] = most > least ? V[i][at] / sqrt(most) : 0;
    take_out(V, d);
}

static void find_directions(const dlpi_family *family, const dlpi_predictor *q,
                            double (*d)[3])
{
    const double v = q->tau_sd * q->tau_sd, both = q->slope * v, *other = q->of_second;
    double V[3][3] = {{q->eta_sd * q->eta_sd, both, other[0]},
                      {both, v, other[1]},
                      {other[0], other[1], other[2]}};
    const double least = 1e-12 * (V[0][0] + V[1][1] + V[2][2]);
    find_steepest(family, q, V, d[0]);
    take_out(V, d[0]);
    find_rest(V, least, d[1]);
    find_rest(V, least, d[2]);
}

/* ---- the table ---- */

static void tabulate(const dlpi_family *family, const dlpi_predictor *q, double (*d)[3],
                     double u_2, double u_3, double *log_mean)
{
    for (int k = 0; k < ALONG; k++) {
        const double u_1 = REACH * (2.0 * k / (ALONG - 1) - 1);
        double by[3];
        for (int i = 0; i < 3; i++) by[i] = u_1 * d[0][i] + u_2 * d[1][i] + u_3 * d[2][i];
        log_mean[k] = log_mean_at(family, q, by);
        if (k > 0) log_mean[k] = fmax(log_mean[k], log_mean[k - 1]);
    }
}

static void draw_lines(const dlpi_family *family, const dlpi_predictor *q, lines *out)
{
    double d[3][3], sum = 0;
    find_directions(family, q, d);
    const int across = d[2][0] != 0 || d[2][1] != 0 || d[2][2] != 0 ? ACROSS : 1;
    out->n = ACROSS * across;
    for (int k = 0; k < out->n; k++) {
        const int second = k % ACROSS - ACROSS / 2, third = k / ACROSS - across / 2;
        const double u_2 = second, u_3 = third;
        out->weight[k] = exp(-0.5 * (u_2 * u_2 + u_3 * u_3));
        sum += out->weight[k];
        tabulate(family, q, d, u_2, u_3, out->log_mean[k]);
    }
    for (int k = 0; k < out->n; k++) out->weight[k] /= sum;
}

/* Phi(u_1) where the logarithm of the mean is x. */
static double below_on(const double *log_mean, double x)
{
    if (x < log_mean[0]) return 0;
    if (x >= log_mean[ALONG - 1]) return 1;
    int low = 0, high = ALONG - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (log_mean[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    const double at = low + (x - log_mean[low]) / (log_mean[high] - log_mean[low]);
    return dlp_normal_cdf(REACH * (2 * at / (ALONG - 1) - 1));
}

static double quantile(const lines *of, double p)
{
    double low = of->log_mean[0][0], high = of->log_mean[0][ALONG - 1];
    for (int k = 1; k < of->n; k++) {
        low = fmin(low, of->log_mean[k][0]);
        high = fmax(high, of->log_mean[k][ALONG - 1]);
    }
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        double below = 0;
        for (int k = 0; k < of->n; k++)
            below += of->weight[k] * below_on(of->log_mean[k], middle);
        if (below < p)
            low = middle;
        else
            high = middle;
    }
    return exp(0.5 * (low + high));
}

void dlpi_mean_bounds(const dlpi_family *family, const dlpi_predictor *q, double z,
                      double *lower, double *upper)
{
    lines table;
    draw_lines(family, q, &table);
    *lower = quantile(&table, dlp_normal_cdf(-z));
    *upper = quantile(&table, dlp_normal_cdf(z));
}
