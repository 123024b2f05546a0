/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/levels/gaps.h"

#include "math/special/log_gap.h"

#include <math.h>
#include <string.h>

/* Where in x the gaps begin. */
static dlp_index first_gap(const dlpi_mixed_block *k)
{
    return k->of->rows.n - k->of->rows.p + k->of->data->gaps.first;
}

void dlpi_gaps_open(dlpi_mixed_block *k)
{
    const dlp_index first = first_gap(k);
    memcpy(k->linear, k->x, (size_t)k->of->rows.n * sizeof *k->x);
    for (dlp_index i = first; i < first + k->of->data->gaps.n; i++)
        k->linear[i] = exp(k->x[i]);
}

/* Row and column i of H, times g. All of x is linked with beta. */
static void scale_curvature(dlpi_mixed_block *k, dlp_index i, double g)
{
    for (dlp_index j = 0; j < k->of->rows.n; j++)
        *dlpi_mixed_entry(&k->H, i, j) *= i == j ? g * g : g;
}

double dlpi_gaps_close(dlpi_mixed_block *k)
{
    const dlpi_mixed_gaps *gaps = &k->of->data->gaps;
    double sum = 0, A[3];
    for (dlp_index j = 0; j < gaps->n; j++) {
        const dlp_index i = first_gap(k) + j;
        const double g = k->linear[i], times = gaps->times[j];
        scale_curvature(k, i, g);
        k->gradient[i] *= g;
        *dlpi_mixed_entry(&k->H, i, i) -= k->gradient[i];
        if (!(times > 0)) continue;
        sum += times * dlpi_log_gap(k->x[i], A);
        k->gradient[i] += times * A[0];
        *dlpi_mixed_entry(&k->H, i, i) -= times * A[1];
    }
    return sum;
}

void dlpi_gaps_scale(const dlpi_mixed_block *k, dlp_index q, dlp_index m, double *slope)
{
    const dlpi_mixed_gaps *gaps = &k->of->data->gaps;
    const dlp_index at = m - k->of->rows.p + gaps->first;
    for (dlp_index a = 0; a < q; a++)
        for (dlp_index j = 0; j < gaps->n; j++)
            slope[a * m + at + j] *= k->linear[first_gap(k) + j];
}

/* E[g] / exp(d) - 1 to first order, which is 0 for a gamma variable; for one that is known by
   hardly any row the order is not enough. */
static double off_gamma(double moved, double sd)
{
    const double most = 0.2, by = moved + 0.5 * sd * sd;
    return moved != 0 && fabs(by) <= most ? by : 0;
}

/* For coefficient j at a point: its mean, and the factor for its deviations. */
static double unlog(const dlpi_mixed_gaps *gaps, dlp_index j, double m, double variance,
                    const double *shift, const double *stretch, double *by)
{
    *by = 1;
    if (j < gaps->first || j >= gaps->first + gaps->n) return m;
    const double width = shift ? stretch[j] : 1, sd = sqrt(variance) / width,
                 moved = shift ? shift[j] * sd : 0, g = exp(m - moved);
    *by = g / width;
    return g * (1 + off_gamma(moved, sd));
}

void dlpi_gaps_summarise(const dlpi_mixed_gaps *gaps, int n, const double *w,
                         const double *m, const double *S, const double *shift,
                         const double *stretch, dlpi_mixed_result *result)
{
    const dlp_index p = result->p;
    double *mean = result->linear, a, b;
    double *V = mean + p;
    for (int i = 0; i < n; i++)
        for (dlp_index j = 0; j < p; j++)
            mean[j] += w[i] * unlog(gaps, j, m[i * p + j], S[(i * p + j) * p + j], shift,
                                    stretch, &a);
    for (int i = 0; i < n; i++)
        for (dlp_index j = 0; j < p; j++) {
            const double *row = S + (i * p + j) * p,
                         x = unlog(gaps, j, m[i * p + j], row[j], shift, stretch, &a);
            for (dlp_index k = 0; k < p; k++) {
                const double y = unlog(gaps, k, m[i * p + k], S[(i * p + k) * p + k],
                                       shift, stretch, &b);
                V[j * p + k] += w[i] * (a * b * row[k] + (x - mean[j]) * (y - mean[k]));
            }
        }
}
