/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/dense.h"

#include "math/clones.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

/* From this order on OpenBLAS is faster (bench_dense). */
enum { LAPACK_FROM = 256 };

double dlpi_dot(dlp_index n, const double *x, const double *y)
{
    /* Four partial sums in a fixed shape: vectorises, and always the same bits. */
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    dlp_index i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++) s0 += x[i] * y[i];
    return (s0 + s1) + (s2 + s3);
}

double dlpi_norm(dlp_index n, const double *x)
{
    double square = dlpi_dot(n, x, x);
    if (square > 1e-280 && square < 1e280) return sqrt(square);
    double largest = 0;
    for (dlp_index i = 0; i < n; i++) {
        if (isnan(x[i])) return NAN;
        largest = fmax(largest, fabs(x[i]));
    }
    if (largest == 0 || isinf(largest)) return largest;
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += (x[i] / largest) * (x[i] / largest);
    return largest * sqrt(sum);
}

int dlpi_all_finite(dlp_index n, const double *x)
{
    for (dlp_index i = 0; i < n; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

/*
 * y[j] += sum over k < rows of c[k*stride_c] * X[k*stride_x + j], for j < n: the inner
 * loop of everything below. Four rows a pass, so that y is loaded and stored once for
 * four multiply-adds.
 */
static inline void add_rows(dlp_index n, double *restrict y, dlp_index rows,
                            const double *c, dlp_index stride_c, const double *restrict X,
                            dlp_index stride_x, double sign)
{
    dlp_index k = 0;
    for (; k + 4 <= rows; k += 4) {
        const double c0 = sign * c[k * stride_c], c1 = sign * c[(k + 1) * stride_c];
        const double c2 = sign * c[(k + 2) * stride_c], c3 = sign * c[(k + 3) * stride_c];
        const double *restrict x0 = X + k * stride_x, *restrict x1 = x0 + stride_x;
        const double *restrict x2 = x1 + stride_x, *restrict x3 = x2 + stride_x;
        DLPI_SIMD()
        for (dlp_index j = 0; j < n; j++)
            y[j] += (c0 * x0[j] + c1 * x1[j]) + (c2 * x2[j] + c3 * x3[j]);
    }
    for (; k < rows; k++) {
        const double ck = sign * c[k * stride_c];
        const double *restrict x = X + k * stride_x;
        DLPI_SIMD()
        for (dlp_index j = 0; j < n; j++) y[j] += ck * x[j];
    }
}

/* Row by row: U[i, i:] = (A[i, i:] - sum_{k<i} U[k,i] U[k, i:]) / U[i,i]. */
DLPI_CLONES
static dlp_index cholesky_small(dlp_index n, double *A)
{
    for (dlp_index i = 0; i < n; i++) {
        double *row = A + i * n;
        add_rows(n - i, row + i, i, A + i, n, A + i, n, -1);
        const double pivot = row[i];
        if (!(pivot > 0 && isfinite(pivot))) return i;
        const double scale = 1 / sqrt(pivot);
        for (dlp_index j = i; j < n; j++) row[j] *= scale;
    }
    return -1;
}

dlp_index dlpi_cholesky(dlp_index n, double *A)
{
    return n < LAPACK_FROM ? cholesky_small(n, A) : dlpi_lapack_cholesky(n, A);
}

double dlpi_cholesky_log_det(dlp_index n, const double *U)
{
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += log(U[i * n + i]);
    return 2 * sum;
}

void dlpi_cholesky_draw(dlp_index n, const double *U, double *z)
{
    for (dlp_index i = n - 1; i >= 0; i--) {
        const double *row = U + i * n;
        z[i] = (z[i] - dlpi_dot(n - i - 1, row + i + 1, z + i + 1)) / row[i];
    }
}

void dlpi_cholesky_solve(dlp_index n, const double *U, double *b)
{
    /* U'y = b, by rows of U */
    for (dlp_index i = 0; i < n; i++) {
        const double *row = U + i * n;
        b[i] /= row[i];
        for (dlp_index j = i + 1; j < n; j++) b[j] -= b[i] * row[j];
    }
    dlpi_cholesky_draw(n, U, b); /* U x = y */
}

/* W = U'^-1, lower triangular, row by row: W[i, :i] = -sum_{k<i} U[k,i] W[k, :] / U[i,i];
   then (U'U)^-1 = W'W. */
DLPI_CLONES
static void inverse_small(dlp_index n, const double *U, double *W, double *inverse)
{
    memset(W, 0, (size_t)(n * n) * sizeof *W);
    for (dlp_index i = 0; i < n; i++) {
        double *row = W + i * n;
        add_rows(i, row, i, U + i, n, W, n, -1);
        row[i] = 1;
        const double scale = 1 / U[i * n + i];
        for (dlp_index j = 0; j <= i; j++) row[j] *= scale;
    }
    for (dlp_index i = 0; i < n; i++) {
        double *row = inverse + i * n;
        memset(row, 0, (size_t)(i + 1) * sizeof *row);
        add_rows(i + 1, row, n - i, W + i * n + i, n, W + i * n, n, 1);
        for (dlp_index j = 0; j < i; j++) inverse[j * n + i] = row[j];
    }
}

void dlpi_cholesky_inverse(dlp_index n, const double *U, double *work, double *inverse)
{
    if (n < LAPACK_FROM) {
        inverse_small(n, U, work, inverse);
    } else {
        memcpy(inverse, U, (size_t)(n * n) * sizeof *inverse);
        dlpi_lapack_cholesky_inverse(n, inverse);
    }
}
