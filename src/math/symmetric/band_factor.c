/* SPDX-License-Identifier: BSD-3-Clause */
/* P = U'U for a band: U has the same bandwidth and overwrites P row by row. */
#include "math/symmetric/band_factor.h"

#include "math/add_rows.h"
#include "math/dense.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

/* From this bandwidth on LAPACK, which works on blocks, is faster. */
enum { LAPACK_FROM = 64 };

/* U (n, b+1), then room for two rows. */
dlp_index dlpi_band_factor_size(const dlp_shape *shape)
{
    return dlpi_size(dlpi_size(1, shape->n, 2), dlpi_size(1, shape->bandwidth, 1), 0);
}

/* Finishes row i and subtracts it from the rows that it reaches. */
DLPI_CLONES
static dlp_index factor(dlp_index n, dlp_index b, double *U)
{
    for (dlp_index i = 0; i < n; i++) {
        double *row = U + i * (b + 1);
        const dlp_index w = n - 1 - i < b ? n - 1 - i : b;
        if (!(row[0] > 0 && isfinite(row[0]))) return i;
        const double root = sqrt(row[0]);
        row[0] = root;
        scale_row(w, row + 1, 1 / root);
        for (dlp_index k = 1; k <= w; k++) {
            double *reached = row + k * (b + 1);
            const double c = row[k];
#pragma omp simd
            for (dlp_index j = k; j <= w; j++) reached[j - k] -= c * row[j];
        }
    }
    return -1;
}

/* the same for two diagonals, without inner loops */
static dlp_index factor_tridiagonal(dlp_index n, double *U)
{
    double carried = 0; /* the previous row's contribution to the diagonal */
    for (dlp_index i = 0; i < n; i++) {
        const double pivot = U[2 * i] - carried;
        if (!(pivot > 0 && isfinite(pivot))) return i;
        carried = U[2 * i + 1] * U[2 * i + 1] / pivot;
        U[2 * i] = sqrt(pivot);
        U[2 * i + 1] /= U[2 * i];
    }
    return -1;
}

dlp_index dlpi_band_factor(dlp_cholesky *F, const dlp_sym *P)
{
    const dlp_index n = F->shape.n, b = F->shape.bandwidth;
    memcpy(F->a, P->a, (size_t)(n * (b + 1)) * sizeof *F->a);
    if (b == 1) {
        F->a[2 * n - 1] = 0; /* beyond the last column */
        return factor_tridiagonal(n, F->a);
    }
    dlp_index failed;
    if (b >= LAPACK_FROM && dlpi_lapack_band_cholesky(n, b, F->a, &failed)) return failed;
    return factor(n, b, F->a);
}

/* b := U'^-1 b */
static void forward(const dlp_cholesky *F, double *b)
{
    const dlp_index ld = F->shape.bandwidth + 1;
    for (dlp_index i = 0; i < F->shape.n; i++) {
        const double *row = F->a + i * ld;
        const dlp_index w = dlpi_band_width(&F->shape, i);
        b[i] /= row[0];
        for (dlp_index k = 1; k <= w; k++) b[i + k] -= b[i] * row[k];
    }
}

/* z := U^-1 z */
void dlpi_band_draw(const dlp_cholesky *F, double *z)
{
    const dlp_index ld = F->shape.bandwidth + 1;
    for (dlp_index i = F->shape.n - 1; i >= 0; i--) {
        const double *row = F->a + i * ld;
        const dlp_index w = dlpi_band_width(&F->shape, i);
        double sum = z[i];
        for (dlp_index k = 1; k <= w; k++) sum -= row[k] * z[i + k];
        z[i] = sum / row[0];
    }
}

void dlpi_band_solve(const dlp_cholesky *F, double *b)
{
    forward(F, b);
    dlpi_band_draw(F, b);
}

double dlpi_band_log_det(const dlp_cholesky *F)
{
    const dlp_index ld = F->shape.bandwidth + 1;
    double sum = 0;
    for (dlp_index i = 0; i < F->shape.n; i++) sum += log(F->a[i * ld]);
    return 2 * sum;
}

/* t (w) = S c for a symmetric S (w, w), row k of which begins at S[k ld] with its
   diagonal. */
DLPI_INLINE void multiply_window(dlp_index w, const double *S, dlp_index ld,
                                 const double *c, double *t)
{
    memset(t, 0, (size_t)w * sizeof *t);
    for (dlp_index l = 0; l < w; l++) {
        const double *row = S + l * ld - l, cl = c[l]; /* row[l] is (l, l) */
        t[l] += cl * row[l] + dlpi_dot(w - l - 1, c + l + 1, row + l + 1);
#pragma omp simd
        for (dlp_index k = l + 1; k < w; k++) t[k] += cl * row[k];
    }
}

/*
 * Takahashi's recursion (Takahashi, Fagan & Chen, 1973), from the last row up: with
 * c_k = U_{i,i+k} / U_ii, k = 1..w,
 *
 *     S_{i,i+k} = - sum_l c_l S_{i+l,i+k},   S_ii = 1/U_ii^2 - sum_l c_l S_{i,i+l}
 */
DLPI_CLONES
static void invert(dlp_index n, dlp_index b, const double *U, double *room, double *S)
{
    double *c = room, *t = room + b;
    for (dlp_index i = n - 1; i >= 0; i--) {
        const double *row = U + i * (b + 1);
        double *out = S + i * (b + 1);
        const dlp_index w = n - 1 - i < b ? n - 1 - i : b;
        double sum = 0;
        for (dlp_index k = 0; k < w; k++) c[k] = row[k + 1] / row[0];
        multiply_window(w, out + b + 1, b + 1, c, t);
        for (dlp_index k = 0; k < w; k++) {
            out[k + 1] = -t[k];
            sum += c[k] * t[k];
        }
        out[0] = 1 / (row[0] * row[0]) + sum;
    }
}

static void invert_tridiagonal(dlp_index n, const double *U, double *S)
{
    double below = 0; /* S_{i+1,i+1} */
    for (dlp_index i = n - 1; i >= 0; i--) {
        const double c = i < n - 1 ? U[2 * i + 1] / U[2 * i] : 0;
        S[2 * i + 1] = -c * below;
        S[2 * i] = below = 1 / (U[2 * i] * U[2 * i]) + c * c * below;
    }
}

void dlpi_band_inverse(const dlp_cholesky *F, dlp_sym *Sigma)
{
    const dlp_index n = F->shape.n, b = F->shape.bandwidth;
    if (b == 1)
        invert_tridiagonal(n, F->a, Sigma->a);
    else
        invert(n, b, F->a, F->a + n * (b + 1), Sigma->a);
}

/* z := U z */
void dlpi_band_whiten(const dlp_cholesky *F, double *z)
{
    const dlp_index ld = F->shape.bandwidth + 1;
    for (dlp_index i = 0; i < F->shape.n; i++)
        z[i] = dlpi_dot(1 + dlpi_band_width(&F->shape, i), F->a + i * ld, z + i);
}

/* z := U'z */
void dlpi_band_multiply_root(const dlp_cholesky *F, double *z)
{
    const dlp_index ld = F->shape.bandwidth + 1;
    for (dlp_index i = F->shape.n - 1; i >= 0; i--) {
        const double *row = F->a + i * ld, own = z[i];
        const dlp_index w = dlpi_band_width(&F->shape, i);
        for (dlp_index k = 1; k <= w; k++) z[i + k] += own * row[k];
        z[i] = own * row[0];
    }
}
