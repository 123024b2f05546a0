/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inner loops of dense and sparse elimination, to be inlined into clones. A panel of
 * DLPI_PANEL rows shares what is loaded. Internal.
 */
#ifndef DLPI_MATH_ADD_ROWS_H
#define DLPI_MATH_ADD_ROWS_H

#include "math/clones.h"

enum { DLPI_PANEL = 4 };

/*
 * The inner loop of all: y[j] += sum over k < rows of sign c[k stride_c] X[k stride_x +
 * j], for j < n. Four rows of X per pass, so that y is loaded and stored once for four
 * multiply-adds.
 */
DLPI_INLINE void add_rows(dlp_index n, double *restrict y, dlp_index rows,
                          const double *c, dlp_index stride_c, const double *restrict X,
                          dlp_index stride_x, double sign)
{
    dlp_index k = 0;
    for (; k + 4 <= rows; k += 4) {
        const double c0 = sign * c[k * stride_c], c1 = sign * c[(k + 1) * stride_c];
        const double c2 = sign * c[(k + 2) * stride_c], c3 = sign * c[(k + 3) * stride_c];
        const double *restrict x0 = X + k * stride_x, *restrict x1 = x0 + stride_x;
        const double *restrict x2 = x1 + stride_x, *restrict x3 = x2 + stride_x;
#pragma omp simd
        for (dlp_index j = 0; j < n; j++)
            y[j] += (c0 * x0[j] + c1 * x1[j]) + (c2 * x2[j] + c3 * x3[j]);
    }
    for (; k < rows; k++) {
        const double ck = sign * c[k * stride_c];
        const double *restrict x = X + k * stride_x;
#pragma omp simd
        for (dlp_index j = 0; j < n; j++) y[j] += ck * x[j];
    }
}

/* Adds a multiple of one row of X to four rows y. */
typedef struct four {
    double a, b, c, d;
} four;

DLPI_INLINE four four_of(const double *c, double sign)
{
    return (four){sign * c[0], sign * c[1], sign * c[2], sign * c[3]};
}

/* The same for four rows y + t stride_y, with the coefficients c[k stride_c + t]; all
   four share the loads of X. */
DLPI_INLINE void add_rows_to_four(dlp_index n, double *restrict y, dlp_index stride_y,
                                  dlp_index rows, const double *c, dlp_index stride_c,
                                  const double *restrict X, dlp_index stride_x,
                                  double sign)
{
    double *y1 = y + stride_y, *y2 = y1 + stride_y, *y3 = y2 + stride_y;
    dlp_index k = 0;
    for (; k + 4 <= rows; k += 4, c += 4 * stride_c, X += 4 * stride_x) {
        const four p = four_of(c, sign), q = four_of(c + stride_c, sign);
        const four r = four_of(c + 2 * stride_c, sign),
                   s = four_of(c + 3 * stride_c, sign);
        const double *x1 = X + stride_x, *x2 = x1 + stride_x, *x3 = x2 + stride_x;
#pragma omp simd
        for (dlp_index j = 0; j < n; j++) {
            y[j] += (p.a * X[j] + q.a * x1[j]) + (r.a * x2[j] + s.a * x3[j]);
            y1[j] += (p.b * X[j] + q.b * x1[j]) + (r.b * x2[j] + s.b * x3[j]);
            y2[j] += (p.c * X[j] + q.c * x1[j]) + (r.c * x2[j] + s.c * x3[j]);
            y3[j] += (p.d * X[j] + q.d * x1[j]) + (r.d * x2[j] + s.d * x3[j]);
        }
    }
    for (; k < rows; k++, c += stride_c, X += stride_x) {
        const four p = four_of(c, sign);
#pragma omp simd
        for (dlp_index j = 0; j < n; j++) {
            y[j] += p.a * X[j];
            y1[j] += p.b * X[j];
            y2[j] += p.c * X[j];
            y3[j] += p.d * X[j];
        }
    }
}

/* The same for a panel of b rows, b <= DLPI_PANEL, of the matrix that contains X. */
DLPI_INLINE void add_rows_to_panel(dlp_index b, dlp_index n, double *y, dlp_index rows,
                                   const double *c, dlp_index stride_c, const double *X,
                                   dlp_index stride, double sign)
{
    if (b == DLPI_PANEL) {
        add_rows_to_four(n, y, stride, rows, c, stride_c, X, stride, sign);
        return;
    }
    for (dlp_index t = 0; t < b; t++)
        add_rows(n, y + t * stride, rows, c + t, stride_c, X, stride, sign);
}

DLPI_INLINE void scale_row(dlp_index n, double *row, double factor)
{
#pragma omp simd
    for (dlp_index j = 0; j < n; j++) row[j] *= factor;
}

#endif
