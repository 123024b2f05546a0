/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/products.h"

#include "math/add_rows.h"
#include "math/dense.h"
#include "math/gemm.h"
#include "math/lapack.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Products with this many multiply-adds are computed by blocks (bench_sparse). A
   trapezoid of 48 rows reaches it, so that the inverses of smaller ones fit into
   DLPI_TRAPEZOID_ROOM. */
static const double BLOCKS_FROM = 48.0 * 48 * 48;
/* A trapezoid is factored in panels of this many rows, whose updates are products. */
enum { STRIPE = 48 };

static bool is_large(dlp_index p, dlp_index q, dlp_index w)
{
    return (double)p * (double)q * (double)w >= BLOCKS_FROM && p >= 8 && q >= 8 && w >= 8;
}

/* Of those, the ones that a BLAS computes if there is one. */
static bool is_for_blas(dlp_index p, dlp_index q, dlp_index w)
{
    const double ours = DLPI_OWN_KERNELS;
    return is_large(p, q, w) && (double)p * (double)q * (double)w > ours * ours * ours;
}

DLPI_CLONES
static void gram(dlp_index p, dlp_index q, dlp_index w, double sign, const double *X,
                 dlp_index ldx, double *C, dlp_index ldc)
{
    dlp_index i = 0;
    for (; i + DLPI_PANEL <= p; i += DLPI_PANEL)
        add_rows_to_four(q - i, C + i * ldc + i, ldc, w, X + i, ldx, X + i, ldx, sign);
    for (; i < p; i++) add_rows(q - i, C + i * ldc + i, w, X + i, ldx, X + i, ldx, sign);
}

void dlpi_add_gram(dlp_index p, dlp_index q, dlp_index w, double sign, const double *X,
                   dlp_index ldx, double *C, dlp_index ldc)
{
    if (is_for_blas(p, q, w) && dlpi_blas_gram(p, q, w, sign, X, ldx, C, ldc)) return;
    if (is_large(p, q, w))
        dlpi_gemm(p, q, w, sign, (dlpi_matrix){X, 1, ldx}, (dlpi_matrix){X, ldx, 1}, C,
                  ldc, true);
    else
        gram(p, q, w, sign, X, ldx, C, ldc);
}

DLPI_CLONES
static void product(dlp_index p, dlp_index q, dlp_index w, double sign, const double *A,
                    dlp_index lda, const double *B, dlp_index ldb, double *C,
                    dlp_index ldc)
{
    for (dlp_index i = 0; i < p; i++)
        add_rows(q, C + i * ldc, w, A + i * lda, 1, B, ldb, sign);
}

void dlpi_add_product(dlp_index p, dlp_index q, dlp_index w, double sign, const double *A,
                      dlp_index lda, const double *B, dlp_index ldb, double *C,
                      dlp_index ldc)
{
    if (is_for_blas(p, q, w) && dlpi_blas_product(p, q, w, sign, A, lda, B, ldb, C, ldc))
        return;
    if (is_large(p, q, w))
        dlpi_gemm(p, q, w, sign, (dlpi_matrix){A, lda, 1}, (dlpi_matrix){B, ldb, 1}, C,
                  ldc, false);
    else
        product(p, q, w, sign, A, lda, B, ldb, C, ldc);
}

void dlpi_rows_product(dlp_index p, dlp_index q, dlp_index w, double sign,
                       const double *A, dlp_index lda, const double *B, dlp_index ldb,
                       double *C, dlp_index ldc)
{
    product(p, q, w, sign, A, lda, B, ldb, C, ldc);
}

void dlpi_add_product_transposed(dlp_index p, dlp_index q, dlp_index w, double sign,
                                 const double *A, dlp_index lda, const double *B,
                                 dlp_index ldb, double *C, dlp_index ldc)
{
    if (!is_for_blas(p, q, w) ||
        !dlpi_blas_product_transposed(p, q, w, sign, A, lda, B, ldb, C, ldc))
        dlpi_dots(p, q, w, sign, A, lda, B, ldb, C, ldc, false);
}

/* Row i of a block needs the original rows from i on: so row by row within the block,
   then the rows after it. */
DLPI_CLONES
static void multiply_block(dlp_index b, dlp_index n, const double *R, dlp_index ldr,
                           double *A, dlp_index lda)
{
    for (dlp_index i = 0; i < b; i++) {
        double *row = A + i * lda;
        scale_row(n, row, R[i * ldr + i]);
        add_rows(n, row, b - i - 1, R + i * ldr + i + 1, 1, row + lda, lda, 1);
    }
}

void dlpi_triangle_product(dlp_index p, dlp_index n, const double *R, dlp_index ldr,
                           double *A, dlp_index lda)
{
    for (dlp_index i = 0; i < p; i += STRIPE) {
        const dlp_index b = p - i < STRIPE ? p - i : STRIPE, rest = p - i - b;
        const double *r = R + i * (ldr + 1);
        double *a = A + i * lda;
        multiply_block(b, n, r, ldr, a, lda);
        if (rest > 0)
            dlpi_add_product(b, n, rest, 1, r + b, ldr, a + b * lda, lda, a, lda);
    }
}

/* X (w, m) := U^-1 X, from below: X_I = U_II^-1 (X_I - U_IJ X_J) */
DLPI_CLONES
static void substitute_block(dlp_index b, dlp_index m, const double *U, dlp_index ldu,
                             double *X, dlp_index ldx)
{
    for (dlp_index i = b - 1; i >= 0; i--) {
        double *row = X + i * ldx;
        add_rows(m, row, b - i - 1, U + i * ldu + i + 1, 1, row + ldx, ldx, -1);
        scale_row(m, row, 1 / U[i * ldu + i]);
    }
}

static void back_substitute(dlp_index w, dlp_index m, const double *U, dlp_index ldu,
                            double *X, dlp_index ldx)
{
    for (dlp_index end = w; end > 0;) {
        const dlp_index b = end < STRIPE ? end : STRIPE, i = end - b, rest = w - end;
        const double *u = U + i * (ldu + 1);
        double *x = X + i * ldx;
        if (rest > 0)
            dlpi_add_product(b, m, rest, -1, u + b, ldu, x + b * ldx, ldx, x, ldx);
        substitute_block(b, m, u, ldu, x, ldx);
        end = i;
    }
}

/* V = U^-1 within a block, in place: V[i,j] = -(sum_{i<=k<j} V[i,k] U[k,j]) V[j,j] */
static void invert_block(dlp_index b, double *U, dlp_index ld)
{
    for (dlp_index j = 0; j < b; j++) {
        const double pivot = U[j * ld + j] = 1 / U[j * ld + j];
        for (dlp_index i = 0; i < j; i++) {
            double sum = 0;
            for (dlp_index k = i; k < j; k++) sum += U[i * ld + k] * U[k * ld + j];
            U[i * ld + j] = -sum * pivot;
        }
    }
}

/* x := -x V, a row times an upper triangle, from its end */
static void times_block(dlp_index b, const double *V, dlp_index ld, double *x)
{
    for (dlp_index j = b - 1; j >= 0; j--) {
        double sum = 0;
        for (dlp_index k = 0; k <= j; k++) sum += x[k] * V[k * ld + j];
        x[j] = -sum;
    }
}

/* V = U^-1, one stripe of columns after the other: V_0J = -V_00 U_0J V_JJ */
static void invert_upper(dlp_index n, double *U, dlp_index ld)
{
    for (dlp_index j = 0; j < n; j += STRIPE) {
        const dlp_index b = n - j < STRIPE ? n - j : STRIPE;
        double *block = U + j * (ld + 1);
        invert_block(b, block, ld);
        dlpi_triangle_product(j, b, U, ld, U + j, ld);
        for (dlp_index i = 0; i < j; i++) times_block(b, block, ld, U + i * ld + j);
    }
}

/* x := x V', a row times a lower triangle, from its beginning */
static void times_block_transposed(dlp_index first, dlp_index b, const double *V,
                                   dlp_index ld, double *x)
{
    for (dlp_index j = first; j < b; j++) x[j] = dlpi_dot(b - j, x + j, V + j * ld + j);
}

/* The upper triangle of V V', in place: stripe I of its columns from that stripe and
   those to its right, which still hold V */
static void square_upper(dlp_index n, double *V, dlp_index ld)
{
    for (dlp_index j = 0; j < n; j += STRIPE) {
        const dlp_index b = n - j < STRIPE ? n - j : STRIPE, rest = n - j - b;
        double *block = V + j * (ld + 1);
        for (dlp_index i = 0; i < j; i++)
            times_block_transposed(0, b, block, ld, V + i * ld + j);
        for (dlp_index i = 0; i < b; i++)
            times_block_transposed(i, b, block, ld, block + i * ld);
        if (rest == 0) continue;
        if (j > 0)
            dlpi_add_product_transposed(j, b, rest, 1, V + j + b, ld, block + b, ld,
                                        V + j, ld);
        dlpi_dots(b, b, rest, 1, block + b, ld, block + b, ld, block, ld, true);
    }
}

/* U[i, i:] = (A[i, i:] - sum_{k<i} U[k,i] U[k, i:]) / U[i,i], for w rows of length m, ld
   apart */
DLPI_CLONES
static dlp_index factor(dlp_index w, dlp_index m, dlp_index ld, double *T)
{
    for (dlp_index i = 0; i < w; i += DLPI_PANEL) {
        const dlp_index b = w - i < DLPI_PANEL ? w - i : DLPI_PANEL;
        double *panel = T + i * ld + i;
        add_rows_to_panel(b, m - i, panel, i, T + i, ld, T + i, ld, -1);
        for (dlp_index t = 0; t < b; t++) {
            double *row = panel + t * ld + t;
            add_rows(m - i - t, row, t, panel + t, ld, panel + t, ld, -1);
            if (!(row[0] > 0 && isfinite(row[0]))) return i + t;
            scale_row(m - i - t, row, 1 / sqrt(row[0]));
        }
    }
    return -1;
}

dlp_index dlpi_trapezoid_factor(dlp_index w, dlp_index m, double *T)
{
    for (dlp_index i = 0; i < w; i += STRIPE) {
        const dlp_index b = w - i < STRIPE ? w - i : STRIPE, rest = w - i - b;
        double *stripe = T + i * m + i;
        const dlp_index failed = factor(b, m - i, m, stripe);
        if (failed >= 0) return i + failed;
        if (rest > 0) /* updates the later rows from the finished ones */
            dlpi_add_gram(rest, m - i - b, b, -1, stripe + b, m, stripe + b * (m + 1), m);
    }
    return -1;
}

/* Y[i, :] = (U2[i, :] - sum_{k>i} U[i,k] Y[k, :]) / U[i,i], from below; and W = U1^-1
   likewise from I, whose row i begins with i zeros, for Z = W W' */
DLPI_CLONES
static void invert(dlp_index w, dlp_index m, const double *T, double *Z, double *Y,
                   double *W)
{
    const dlp_index r = m - w;
    for (dlp_index i = w - 1; i >= 0; i--) {
        const double *U = T + i * m + i, inverse = 1 / U[0];
        double *y = Y + i * m, *row = W + i * w + i;
        const dlp_index below = w - 1 - i;
        memcpy(y, T + i * m + w, (size_t)r * sizeof *y);
        add_rows(r, y, below, U + 1, 1, y + m, m, -1);
        scale_row(r, y, inverse);
        memset(W + i * w, 0, (size_t)w * sizeof *row);
        row[0] = 1;
        add_rows(w - i - 1, row + 1, below, U + 1, 1, row + w + 1, w, -1);
        scale_row(w - i, row, inverse);
    }
    for (dlp_index i = 0; i < w; i++)
        for (dlp_index j = i; j < w; j++)
            Z[i * m + j] = dlpi_dot(w - j, W + i * w + j, W + j * w + j);
}

void dlpi_trapezoid_invert(dlp_index w, dlp_index m, const double *T, double *Z,
                           double *Y, double *room)
{
    if (!is_large(w, m, w)) {
        invert(w, m, T, Z, Y, room);
        return;
    }
    for (dlp_index i = 0; i < w; i++) {
        memcpy(Z + i * m + i, T + i * m + i, (size_t)(w - i) * sizeof *Z);
        memcpy(Y + i * m, T + i * m + w, (size_t)(m - w) * sizeof *Y);
    }
    const bool large = w > DLPI_OWN_KERNELS;
    if (!large || !dlpi_lapack_upper_inverse(w, Z, m)) {
        invert_upper(w, Z, m);
        square_upper(w, Z, m);
    }
    if (m > w && (!large || !dlpi_blas_back_substitute(w, m - w, T, m, Y, m)))
        back_substitute(w, m - w, T, m, Y, m);
}
