/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The posterior of the cut points c_j = delta_0 + sum of g_i, 1 <= i <= j, where g_i =
 * exp(delta_i) and delta ~ N(m, S). Their means and sds are exact, since
 *
 *   E[g_i] = exp(m_i + S_ii/2),  cov(delta_0, g_i) = S_0i E[g_i],
 *   cov(g_i, g_k) = E[g_i] E[g_k] (exp(S_ik) - 1).
 *
 * A cut point above an uncertain gap is far from normal, so the bounds of the intervals
 * are quantiles of points that fill the distribution evenly.
 */
#include "math/distinct.h"
#include "regression/regression.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdlib.h>

enum { POINTS = 4096 };

/* The mean and the sd of each, with a normal interval, which is right for the first. */
static void set_moments(dlp_index n, dlp_index J, const double *m, const double *S,
                        dlp_margin *out)
{
    double mean = m[0], variance = S[0];
    for (dlp_index j = 0; j < J; j++) {
        if (j > 0) {
            const double g_j = exp(m[j] + 0.5 * S[j * n + j]);
            mean += g_j;
            variance += 2 * S[j] * g_j + g_j * g_j * expm1(S[j * n + j]);
            for (dlp_index i = 1; i < j; i++)
                variance +=
                    2 * g_j * exp(m[i] + 0.5 * S[i * n + i]) * expm1(S[i * n + j]);
        }
        const double sd = sqrt(fmax(variance, 0)), half = dlp_normal_quantile(0.975) * sd;
        out[j] = (dlp_margin){mean, sd, mean - half, mean, mean + half};
    }
}

/* The lower triangular L with L L' = S; directions that rounding makes indefinite are
   left out. */
static void find_root(dlp_index n, dlp_index J, const double *S, double *L)
{
    for (dlp_index i = 0; i < J; i++)
        for (dlp_index j = 0; j <= i; j++) {
            double left = S[i * n + j];
            for (dlp_index k = 0; k < j; k++) left -= L[i * J + k] * L[j * J + k];
            if (i == j)
                L[i * J + i] = sqrt(fmax(left, 0));
            else
                L[i * J + j] = L[j * J + j] > 0 ? left / L[j * J + j] : 0;
        }
}

/* The root above 1 of x^(J+1) = x + 1: its powers make the multiples of a point (modulo
   1) fill the cube of J dimensions evenly. */
static double even_ratio(dlp_index J)
{
    double x = 2;
    for (int step = 0; step < 64; step++) x = pow(1 + x, 1 / (double)(J + 1));
    return x;
}

/* c (J, POINTS) at each point; z (J) is scratch. */
static void fill_points(dlp_index J, const double *m, const double *L, double *z,
                        double *c)
{
    const double ratio = even_ratio(J);
    for (int t = 0; t < POINTS; t++) {
        double step = 1, cut = 0;
        for (dlp_index j = 0; j < J; j++) {
            double delta = m[j];
            step /= ratio;
            z[j] = dlp_normal_quantile(fmod(0.5 + (t + 1) * step, 1));
            for (dlp_index k = 0; k <= j; k++) delta += L[j * J + k] * z[k];
            cut += j == 0 ? delta : exp(delta);
            c[j * POINTS + t] = cut;
        }
    }
}

bool dlpi_cut_points(dlp_index n, dlp_index J, const double *m, const double *S,
                     dlp_margin *out)
{
    double *c = malloc((size_t)(J * (POINTS + J + 1)) * sizeof *c);
    if (!c) return false;
    double *L = c + J * POINTS, *z = L + J * J;
    set_moments(n, J, m, S, out);
    find_root(n, J, S, L);
    fill_points(J, m, L, z, c);
    for (dlp_index j = 1; j < J; j++) {
        double *points = c + j * POINTS;
        qsort(points, POINTS, sizeof *points, dlpi_ascending);
        out[j].lower = points[POINTS / 40];
        out[j].median = 0.5 * (points[POINTS / 2 - 1] + points[POINTS / 2]);
        out[j].upper = points[POINTS - 1 - POINTS / 40];
    }
    free(c);
    return true;
}
