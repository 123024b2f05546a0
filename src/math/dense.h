/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dense kernels: vectors, and the Cholesky factor P = U'U of a row-major matrix. Small
 * matrices use hand-written loops, large ones LAPACK. Nothing allocates. Internal.
 */
#ifndef DLPI_MATH_DENSE_H
#define DLPI_MATH_DENSE_H

#include <delaplace/status.h>

double dlpi_dot(dlp_index n, const double *x, const double *y);
double dlpi_norm(dlp_index n, const double *x); /* L2, without overflow */
/* y (n) = A x for a symmetric A (n, n). */
void dlpi_symmetric_multiply(dlp_index n, const double *A, const double *x, double *y);
/* y (n) += a x */
void dlpi_axpy(dlp_index n, double a, const double *x, double *y);
/* The upper triangle of A (n, n) -= sum_k w_k D_ik D_jk, D (n, count) with rows `stride`
   apart. room (count). */
void dlpi_subtract_gram(dlp_index n, dlp_index count, dlp_index stride, const double *w,
                        const double *D, double *room, double *A);
/* The upper triangle of A (n, n) += sum_k w_k d_k d_k', D (count, n) with rows d_k. */
void dlpi_add_squares(dlp_index n, dlp_index count, const double *w, const double *D,
                      double *A);
int dlpi_all_finite(dlp_index n, const double *x);
/* Copies the upper triangle of A (n, n) to the lower one. */
void dlpi_mirror(dlp_index n, double *A);

/* Factors A (n, n) in place: U over the upper triangle; the lower one is overwritten. -1,
   or the first pivot that is not positive and finite. */
dlp_index dlpi_cholesky(dlp_index n, double *A);
double dlpi_cholesky_log_det(dlp_index n, const double *U);
/* b := U'^-1 b. */
void dlpi_cholesky_forward(dlp_index n, const double *U, double *b);
/* b := (U'U)^-1 b. */
void dlpi_cholesky_solve(dlp_index n, const double *U, double *b);
/* z := U^-1 z, a draw from N(0, (U'U)^-1) when z is one from N(0, I). */
void dlpi_cholesky_draw(dlp_index n, const double *U, double *z);
/* W (n, ld) := U'^-1, lower triangular, with zeros beyond; (U'U)^-1 = W'W. */
void dlpi_cholesky_invert_factor(dlp_index n, const double *U, dlp_index ld, double *W);
/* inverse (n, n) := (U'U)^-1, both triangles. work (n, n). */
void dlpi_cholesky_inverse(dlp_index n, const double *U, double *work, double *inverse);

/* The hand-written versions of the two that LAPACK also provides, for any n. */
dlp_index dlpi_cholesky_by_loops(dlp_index n, double *A);
void dlpi_cholesky_inverse_by_loops(dlp_index n, const double *U, double *work,
                                    double *inverse);

#endif
