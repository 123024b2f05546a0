/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of small row-major matrices, and trapezoids: the first rows of a triangular
 * factor, U = [U1 U2] (w, m) with U1 (w, w) upper triangular. Rows are `ld` apart. Small
 * matrices use hand-written loops, large ones BLAS. Nothing allocates. Internal.
 */
#ifndef DLPI_MATH_PRODUCTS_H
#define DLPI_MATH_PRODUCTS_H

#include <delaplace/status.h>

/* C (p, q) += sign X'X with X (w, q) and the first p of its columns, on and above the
   diagonal; entries below it may be overwritten. */
void dlpi_add_gram(dlp_index p, dlp_index q, dlp_index w, double sign, const double *X,
                   dlp_index ldx, double *C, dlp_index ldc);
/* C (p, q) += sign A B with A (p, w) and B (w, q). */
void dlpi_add_product(dlp_index p, dlp_index q, dlp_index w, double sign, const double *A,
                      dlp_index lda, const double *B, dlp_index ldb, double *C,
                      dlp_index ldc);
/* C (p, q) += sign A B' with A (p, w) and B (q, w). */
void dlpi_add_product_transposed(dlp_index p, dlp_index q, dlp_index w, double sign,
                                 const double *A, dlp_index lda, const double *B,
                                 dlp_index ldb, double *C, dlp_index ldc);

/* The same row by row of C: for small p. */
void dlpi_rows_product(dlp_index p, dlp_index q, dlp_index w, double sign,
                       const double *A, dlp_index lda, const double *B, dlp_index ldb,
                       double *C, dlp_index ldc);
/* A (p, n) = R A with R (p, p) upper triangular; rows are ldr and lda apart. */
void dlpi_triangle_product(dlp_index p, dlp_index n, const double *R, dlp_index ldr,
                           double *A, dlp_index lda);

/* From [A B] to [U U'^-1 B] with A = U'U, in place; the lower triangle of A is neither
   read nor preserved. -1, or the first pivot that is not positive and finite. */
dlp_index dlpi_trapezoid_factor(dlp_index w, dlp_index m, double *T);
enum { DLPI_TRAPEZOID_ROOM = 48 * 48 };
/* Z (w, w) = (U1'U1)^-1, on and above the diagonal, and Y (w, m-w) = U1^-1 U2, from a
   trapezoid T; the rows of Z and Y are m apart. room (DLPI_TRAPEZOID_ROOM) */
void dlpi_trapezoid_invert(dlp_index w, dlp_index m, const double *T, double *Z,
                           double *Y, double *room);

#endif
