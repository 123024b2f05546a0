/* SPDX-License-Identifier: BSD-3-Clause */
/* Thin plate regression splines (Wood, JRSS B 65, 2003). */
#include "table/design/basis.h"

#include "math/lapack.h"

#include <math.h>
#include <string.h>

double dlpi_thin_plate(dlp_index d, double r2)
{
    if (d == 1) return r2 * sqrt(r2) / 12;
    return r2 > 0 ? r2 * log(r2) / (16 * 3.14159265358979323846) : 0;
}

static double distance2(const double *a, const double *b, dlp_index d)
{
    double sum = 0;
    for (dlp_index i = 0; i < d; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* Householder's Q of T (k, M), as the k - M rows of Z (k - M, k) with Z T = 0. */
static void null_space(dlp_index k, dlp_index M, double *T, double *Z)
{
    double beta[4] = {0};
    for (dlp_index l = 0; l < M; l++) {
        double norm = 0;
        for (dlp_index i = l; i < k; i++) norm = hypot(norm, T[i * M + l]);
        if (norm == 0) continue;
        norm = copysign(norm, T[l * M + l]);
        T[l * M + l] += norm;
        beta[l] = 1 / (norm * T[l * M + l]);
        for (dlp_index j = l + 1; j < M; j++) {
            double sum = 0;
            for (dlp_index i = l; i < k; i++) sum += T[i * M + l] * T[i * M + j];
            for (dlp_index i = l; i < k; i++)
                T[i * M + j] -= beta[l] * sum * T[i * M + l];
        }
    }
    memset(Z, 0, (size_t)((k - M) * k) * sizeof *Z);
    for (dlp_index row = 0; row < k - M; row++) {
        double *z = Z + row * k;
        z[M + row] = 1;
        for (dlp_index l = M - 1; l >= 0; l--) {
            double sum = 0;
            for (dlp_index i = l; i < k; i++) sum += T[i * M + l] * z[i];
            for (dlp_index i = l; i < k; i++) z[i] -= beta[l] * sum * T[i * M + l];
        }
    }
}

/* What a thin plate regression spline is made from. */
struct plate {
    dlp_index n, d, k, M; /* points, variables, dimension, 1 + d */
    const double *knot;   /* (n, d) */
    double *E;            /* (n, n), then the eigenvectors as rows */
    double *lambda;       /* (n) */
    dlp_index *largest;   /* (k) rows of E */
    double *T;            /* (k, M) */
    double *Z;            /* (k - M, k) */
    double *S;            /* (k - M, k - M) */
    double *work;         /* (3 n) */
};

/* The k eigenvectors of the largest |lambda|. */
static void choose_largest(struct plate *p)
{
    dlp_index low = 0, high = p->n - 1;
    for (dlp_index i = 0; i < p->k; i++)
        p->largest[i] = fabs(p->lambda[low]) > fabs(p->lambda[high]) ? low++ : high--;
}

static dlp_status decompose(struct plate *p)
{
    for (dlp_index i = 0; i < p->n; i++)
        for (dlp_index j = 0; j < p->n; j++)
            p->E[i * p->n + j] = dlpi_thin_plate(
                p->d, distance2(p->knot + i * p->d, p->knot + j * p->d, p->d));
    DLP_TRY(
        dlpi_basis_eigen_status(dlpi_lapack_eigen_large(p->n, p->E, p->lambda, NULL)));
    choose_largest(p);
    for (dlp_index a = 0; a < p->k; a++) {
        const double *u = p->E + p->largest[a] * p->n;
        for (dlp_index l = 0; l < p->M; l++) {
            double sum = 0;
            for (dlp_index i = 0; i < p->n; i++)
                sum += u[i] * (l == 0 ? 1 : p->knot[i * p->d + l - 1] - p->knot[l - 1]);
            p->T[a * p->M + l] = sum;
        }
    }
    null_space(p->k, p->M, p->T, p->Z);
    const dlp_index m = p->k - p->M;
    for (dlp_index i = 0; i < m; i++) /* S = Z diag(lambda) Z' */
        for (dlp_index j = 0; j < m; j++) {
            double sum = 0;
            for (dlp_index a = 0; a < p->k; a++)
                sum += p->Z[i * p->k + a] * p->Z[j * p->k + a] * p->lambda[p->largest[a]];
            p->S[i * m + j] = sum;
        }
    return DLP_OK;
}

/* Weights of radial functions (n, m), or, of one variable, values at the knots: function
   j is sum_a U_a g_aj, with g = Z'V mu^-1/2, times lambda_a for values. */
static bool weigh(struct plate *p, bool values, dlp_index columns, double *out)
{
    const dlp_index m = p->k - p->M;
    double *mu = p->work, *g = p->work + m;
    if (!dlpi_lapack_eigen(m, p->S, mu, g)) return false;
    for (dlp_index j = 0; j < m; j++) {
        const dlp_index row = m - 1 - j;
        const double *v = p->S + row * m;
        if (!(mu[row] > 0)) return false;
        for (dlp_index a = 0; a < p->k; a++) {
            double sum = 0;
            for (dlp_index i = 0; i < m; i++) sum += p->Z[i * p->k + a] * v[i];
            const double weight =
                sum / sqrt(mu[row]) * (values ? p->lambda[p->largest[a]] : 1);
            const double *u = p->E + p->largest[a] * p->n;
            for (dlp_index i = 0; i < p->n; i++) out[i * columns + j] += weight * u[i];
        }
    }
    return true;
}

dlp_status dlpi_basis_make_plate(const dlp_basis *out, dlp_index k, double *weight,
                                 struct dlpi_pool *pool)
{
    const dlp_index n = out->n_knots, d = out->d, M = d + 1, m = k - M;
    struct plate p = {.n = n, .d = d, .k = k, .M = M, .knot = out->knot};
    p.E = dlpi_pool_take(pool, n * n, sizeof *p.E);
    p.lambda = dlpi_pool_take(pool, n, sizeof *p.lambda);
    p.largest = dlpi_pool_take(pool, k, sizeof *p.largest);
    p.T = dlpi_pool_take(pool, k * M, sizeof *p.T);
    p.Z = dlpi_pool_take(pool, m * k, sizeof *p.Z);
    p.S = dlpi_pool_take(pool, m * m, sizeof *p.S);
    p.work = dlpi_pool_take(pool, 3 * n + 4 * k, sizeof *p.work);
    if (!p.E || !p.lambda || !p.largest || !p.T || !p.Z || !p.S || !p.work)
        return DLP_ENOMEM;
    DLP_TRY(decompose(&p));
    return weigh(&p, d == 1, out->columns, weight + out->fixed) ? DLP_OK : DLP_EINPUT;
}
