/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/dense.h"

#include "math/add_rows.h"
#include "math/clones.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

/* From this order on we use LAPACK. The break-even depends on the machine: about 400 with
   AVX2, 1000 with AVX-512, 200 with neither (bench_dense). */
enum { LAPACK_FROM = 400 };

/* Eight partial sums in a fixed shape: vectorises, and always the same bits. */
DLPI_CLONES
static double dot(dlp_index n, const double *x, const double *y)
{
    double s[8] = {0}, rest = 0;
    dlp_index i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) s[k] += x[i + k] * y[i + k];
    for (; i < n; i++) rest += x[i] * y[i];
    return rest + (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
}

double dlpi_dot(dlp_index n, const double *x, const double *y)
{
    DLPI_READS(x, n);
    DLPI_READS(y, n);
    return dot(n, x, y);
}

DLPI_CLONES
static void axpy(dlp_index n, double a, const double *x, double *y)
{
    DLPI_SIMD()
    for (dlp_index i = 0; i < n; i++) y[i] += a * x[i];
}

void dlpi_axpy(dlp_index n, double a, const double *x, double *y)
{
    DLPI_READS(x, n);
    DLPI_WRITES(y, n);
    axpy(n, a, x, y);
}

void dlpi_subtract_gram(dlp_index n, dlp_index count, dlp_index stride, const double *w,
                        const double *D, double *room, double *A)
{
    DLPI_READS(w, count);
    DLPI_WRITES(room, count);
    DLPI_WRITES(A, n * n);
    for (dlp_index i = 0; i < n; i++) {
        DLPI_READS(D + i * stride, count);
        for (dlp_index k = 0; k < count; k++) room[k] = w[k] * D[i * stride + k];
        for (dlp_index j = i; j < n; j++)
            A[i * n + j] -= dlpi_dot(count, room, D + j * stride);
    }
}

DLPI_CLONES
static void add_squares(dlp_index n, dlp_index count, const double *w, const double *D,
                        double *A)
{
    for (dlp_index i = 0; i < n; i++) {
        double *row = A + i * n;
        for (dlp_index k = 0; k < count; k++) {
            const double *d = D + k * n, by = w[k] * d[i];
            DLPI_SIMD()
            for (dlp_index j = i; j < n; j++) row[j] += by * d[j];
        }
    }
}

void dlpi_add_squares(dlp_index n, dlp_index count, const double *w, const double *D,
                      double *A)
{
    DLPI_READS(w, count);
    DLPI_READS(D, count * n);
    DLPI_WRITES(A, n * n);
    add_squares(n, count, w, D, A);
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
    DLPI_READS(x, n);
    for (dlp_index i = 0; i < n; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

void dlpi_mirror(dlp_index n, double *A)
{
    DLPI_WRITES(A, n * n);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < i; j++) A[i * n + j] = A[j * n + i];
}

DLPI_CLONES
static void symmetric_multiply(dlp_index n, const double *A, const double *x, double *y)
{
    memset(y, 0, (size_t)n * sizeof *y);
    add_rows(n, y, n, x, 1, A, n, 1);
}

void dlpi_symmetric_multiply(dlp_index n, const double *A, const double *x, double *y)
{
    DLPI_READS(A, n * n);
    DLPI_READS(x, n);
    DLPI_WRITES(y, n);
    symmetric_multiply(n, A, x, y);
}

/* U[i, i:] = (A[i, i:] - sum_{k<i} U[k,i] U[k, i:]) / U[i,i]. Static, as all clones that
   are not public: gcc exports the others, whatever their visibility. */
DLPI_CLONES
static dlp_index factor(dlp_index n, double *A)
{
    for (dlp_index i = 0; i < n; i += DLPI_PANEL) {
        const dlp_index b = n - i < DLPI_PANEL ? n - i : DLPI_PANEL;
        double *panel = A + i * n + i;
        add_rows_to_panel(b, n - i, panel, i, A + i, n, A + i, n, -1);
        for (dlp_index t = 0; t < b; t++) {
            double *row = panel + t * n + t;
            add_rows(n - i - t, row, t, panel + t, n, panel + t, n, -1);
            if (!(row[0] > 0 && isfinite(row[0]))) return i + t;
            scale_row(n - i - t, row, 1 / sqrt(row[0]));
        }
    }
    return -1;
}

dlp_index dlpi_cholesky_by_loops(dlp_index n, double *A)
{
    DLPI_WRITES(A, n * n);
    return factor(n, A);
}

dlp_index dlpi_cholesky(dlp_index n, double *A)
{
    DLPI_WRITES(A, n * n);
    if (n == 1) { /* many blocks have size 1: the same operations, without the calls */
        if (!(A[0] > 0 && isfinite(A[0]))) return 0;
        A[0] *= 1 / sqrt(A[0]);
        return -1;
    }
    dlp_index failed;
    if (n >= LAPACK_FROM && dlpi_lapack_cholesky(n, A, &failed)) return failed;
    return dlpi_cholesky_by_loops(n, A);
}

double dlpi_cholesky_log_det(dlp_index n, const double *U)
{
    DLPI_READS(U, n * n);
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += log(U[i * n + i]);
    return 2 * sum;
}

void dlpi_cholesky_draw(dlp_index n, const double *U, double *z)
{
    DLPI_READS(U, n * n);
    DLPI_WRITES(z, n);
    for (dlp_index i = n - 1; i >= 0; i--) {
        const double *row = U + i * n;
        z[i] = (z[i] - dlpi_dot(n - i - 1, row + i + 1, z + i + 1)) / row[i];
    }
}

void dlpi_cholesky_forward(dlp_index n, const double *U, double *b)
{
    DLPI_READS(U, n * n);
    DLPI_WRITES(b, n);
    for (dlp_index i = 0; i < n; i++) {
        const double *row = U + i * n;
        b[i] /= row[i];
#pragma omp simd
        for (dlp_index j = i + 1; j < n; j++) b[j] -= b[i] * row[j];
    }
}

void dlpi_cholesky_solve(dlp_index n, const double *U, double *b)
{
    dlpi_cholesky_forward(n, U, b); /* U'y = b */
    dlpi_cholesky_draw(n, U, b);    /* U x = y */
}

/* W (n, ld) = U'^-1, lower triangular: W[i, :i] = -sum_{k<i} U[k,i] W[k, :] / U[i,i]. */
DLPI_INLINE void invert_triangle(dlp_index n, const double *U, dlp_index ld, double *W)
{
    enum {
        DEPTH = 16
    }; /* rows of W processed together, though the first ones end
                            earlier */
    memset(W, 0, (size_t)(n * ld) * sizeof *W);
    for (dlp_index i = 0; i < n; i += DLPI_PANEL) {
        const dlp_index b = n - i < DLPI_PANEL ? n - i : DLPI_PANEL;
        for (dlp_index k = 0; k < i; k += DEPTH) {
            const dlp_index rows = i - k < DEPTH ? i - k : DEPTH;
            add_rows_to_panel(b, k + rows, W + i * ld, rows, U + k * n + i, n, W + k * ld,
                              ld, -1);
        }
        for (dlp_index t = i; t < i + b; t++) {
            double *row = W + t * ld;
            add_rows(t, row, t - i, U + i * n + t, n, W + i * ld, ld, -1);
            row[t] = 1;
            scale_row(t + 1, row, 1 / U[t * n + t]);
        }
    }
}

DLPI_CLONES
static void invert_factor(dlp_index n, const double *U, dlp_index ld, double *W)
{
    invert_triangle(n, U, ld, W);
}

void dlpi_cholesky_invert_factor(dlp_index n, const double *U, dlp_index ld, double *W)
{
    DLPI_READS(U, n * n);
    DLPI_WRITES(W, n * ld);
    invert_factor(n, U, ld, W);
}

/* (U'U)^-1 = W'W: row i is sum_{k>=i} W[k,i] W[k, :]. */
DLPI_CLONES
static void invert(dlp_index n, const double *U, double *W, double *inverse)
{
    invert_triangle(n, U, n, W);
    memset(inverse, 0, (size_t)(n * n) * sizeof *inverse);
    for (dlp_index i = 0; i < n; i += DLPI_PANEL) {
        const dlp_index b = n - i < DLPI_PANEL ? n - i : DLPI_PANEL;
        add_rows_to_panel(b, i + b, inverse + i * n, n - i, W + i * n + i, n, W + i * n,
                          n, 1);
    }
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < i; j++) inverse[j * n + i] = inverse[i * n + j];
}

void dlpi_cholesky_inverse_by_loops(dlp_index n, const double *U, double *work,
                                    double *inverse)
{
    DLPI_READS(U, n * n);
    DLPI_WRITES(work, n * n);
    DLPI_WRITES(inverse, n * n);
    invert(n, U, work, inverse);
}

void dlpi_cholesky_inverse(dlp_index n, const double *U, double *work, double *inverse)
{
    DLPI_READS(U, n * n);
    DLPI_WRITES(inverse, n * n);
    if (n == 1) {
        inverse[0] = 1 / U[0] * (1 / U[0]);
        return;
    }
    if (n >= LAPACK_FROM) {
        memcpy(inverse, U, (size_t)(n * n) * sizeof *inverse);
        if (dlpi_lapack_upper_inverse(n, inverse, n)) {
            dlpi_mirror(n, inverse);
            return;
        }
    }
    dlpi_cholesky_inverse_by_loops(n, U, work, inverse);
}
