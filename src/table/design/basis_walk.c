/* SPDX-License-Identifier: BSD-3-Clause */
/* Random walks of the first and second order over the distinct values of a column. */
#include "table/design/basis.h"

#include "math/lapack.h"

#include <float.h>
#include <math.h>

/* S += w c c', c of m entries from `at` on. */
static void add_square(dlp_index n, dlp_index at, int m, const double *c, double w,
                       double *S)
{
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++) S[(at + a) * n + at + b] += w * c[a] * c[b];
}

/*
 * J = sum_i (f_{i+1} - f_i)^2 / h_i of the first order, of the second
 * sum_i ((f_{i+1} - f_i) / h_i - (f_i - f_{i-1}) / h_{i-1})^2 2 / (h_{i-1} + h_i),
 * h the steps in mean steps (Lindgren & Rue, Scand. J. Statist. 35, 2008)
 */
static void walk_penalty(dlp_index n, const double *t, int order, double *S)
{
    const double mean = (t[n - 1] - t[0]) / (double)(n - 1);
    for (dlp_index i = 0; i + 1 < n && order == 1; i++) {
        const double c[] = {-1, 1};
        add_square(n, i, 2, c, mean / (t[i + 1] - t[i]), S);
    }
    for (dlp_index i = 0; i + 2 < n && order == 2; i++) {
        const double h = (t[i + 1] - t[i]) / mean, k = (t[i + 2] - t[i + 1]) / mean;
        const double c[] = {1 / h, -1 / h - 1 / k, 1 / k};
        add_square(n, i, 3, c, 2 / (h + k), S);
    }
}

/* So that the geometric mean of the variances of the values is 1 (Sorbye & Rue, Spatial
   Statistics 8, 2014). */
static void scale_walk(const dlp_basis *out, double *V)
{
    const dlp_index n = out->n_knots, m = out->columns;
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) {
        double variance = DBL_MIN; /* so that it has a logarithm */
        for (dlp_index j = out->fixed; j < m; j++)
            variance += V[i * m + j] * V[i * m + j];
        sum += log(variance) / (double)n;
    }
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = out->fixed; j < m; j++) V[i * m + j] *= exp(-0.5 * sum);
}

dlp_status dlpi_basis_make_walk(const dlp_basis *out, int order, double *V,
                                struct dlpi_pool *pool)
{
    const dlp_index n = out->n_knots;
    double *S = dlpi_pool_take(pool, n * n, sizeof *S);
    double *lambda = dlpi_pool_take(pool, n, sizeof *lambda);
    if (!S || !lambda) return DLP_ENOMEM;
    walk_penalty(n, out->knot, order, S);
    DLP_TRY(dlpi_basis_eigen_status(dlpi_lapack_eigen_large(n, S, lambda, NULL)));
    for (dlp_index k = 0; k < n - order; k++) {
        const dlp_index row = n - 1 - k;
        if (!(lambda[row] > 0)) return DLP_EINPUT;
        for (dlp_index i = 0; i < n; i++)
            V[i * out->columns + out->fixed + k] = S[row * n + i] / sqrt(lambda[row]);
    }
    scale_walk(out, V);
    return DLP_OK;
}
