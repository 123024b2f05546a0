/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/products.h"

#include "math/add_rows.h"
#include "math/dense.h"
#include "math/lapack.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Products with this many multiply-adds are BLAS's (bench_sparse). A trapezoid of 48 rows
   is one, so that the inverses of smaller ones fit into DLPI_TRAPEZOID_ROOM. */
static const double BLAS_FROM = 48.0 * 48 * 48;
/* A trapezoid is factored in panels of this many rows, whose updates are products. */
enum { STRIPE = 48 };

static bool is_large(dlp_index p, dlp_index q, dlp_index w)
{
    return (double)p * (double)q * (double)w >= BLAS_FROM && p >= 8 && q >= 8 && w >= 8;
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
    if (is_large(p, q, w))
        dlpi_blas_gram(p, q, w, sign, X, ldx, C, ldc);
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
    if (is_large(p, q, w))
        dlpi_blas_product(p, q, w, sign, A, lda, B, ldb, C, ldc);
    else
        product(p, q, w, sign, A, lda, B, ldb, C, ldc);
}

void dlpi_add_product_transposed(dlp_index p, dlp_index q, dlp_index w, double sign,
                                 const double *A, dlp_index lda, const double *B,
                                 dlp_index ldb, double *C, dlp_index ldc)
{
    if (is_large(p, q, w)) {
        dlpi_blas_product_transposed(p, q, w, sign, A, lda, B, ldb, C, ldc);
        return;
    }
    for (dlp_index i = 0; i < p; i++)
        for (dlp_index j = 0; j < q; j++)
            C[i * ldc + j] += sign * dlpi_dot(w, A + i * lda, B + j * ldb);
}

/* U[i, i:] = (A[i, i:] - sum_{k<i} U[k,i] U[k, i:]) / U[i,i], for w rows of length m that
   stand ld apart */
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
        if (rest > 0) /* the rows behind, by what is done */
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
    dlpi_lapack_upper_inverse(w, Z, m);
    if (m > w) dlpi_blas_back_substitute(w, m - w, T, m, Y, m);
}
