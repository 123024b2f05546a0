/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The only access to BLAS and LAPACK. Matrices are row-major and symmetric; where only a
 * triangle is named, the other one is neither read nor written. Internal.
 *
 * Each call runs on one thread, and there may be no library to call: blas.h. Functions
 * that return bool return false, and change nothing, if there is none.
 */
#ifndef DLPI_MATH_LAPACK_H
#define DLPI_MATH_LAPACK_H

#include <delaplace/status.h>
#include <stdbool.h>

/* A = U'U, U over A's upper triangle. failed: -1, or the pivot that failed. */
bool dlpi_lapack_cholesky(dlp_index n, double *A, dlp_index *failed);
/* The same for a band of width b, (n, b+1): the diagonal, then what is beside it. */
bool dlpi_lapack_band_cholesky(dlp_index n, dlp_index b, double *A, dlp_index *failed);
/* From U to the upper triangle of (U'U)^-1, in place, rows ld apart; the lower one may be
   lost. */
bool dlpi_lapack_upper_inverse(dlp_index n, double *U, dlp_index ld);
/* Eigenvalues ascending into w (n); A's rows become the eigenvectors. work (3n). false if
   the iteration failed (NaN in A). */
int dlpi_lapack_eigen(dlp_index n, double *A, double *w, double *work);
/* The same by divide and conquer, faster from some tens of rows on; allocates its own
   memory. */
dlp_status dlpi_lapack_eigen_large(dlp_index n, double *A, double *w, dlp_error *error);

/* The singular values of F (r, n), r <= n, descending into sigma (r), small ones with
   full relative precision. The rows of V (n, n) become the vectors v with |F v| = sigma,
   followed by those with F v = 0. F is overwritten. */
dlp_status dlpi_lapack_jacobi(dlp_index n, dlp_index r, double *F, double *sigma,
                              double *V, dlp_error *error);

/* Up to this order we do not call BLAS and LAPACK: our own kernels give the same bits on
   every machine, are faster on small problems, and allocate no memory. */
enum { DLPI_OWN_KERNELS = 256 };
/* Up to this order a product by rows beats one by blocks. */
enum { DLPI_BLAS_SMALL = 32 };
/* The upper triangle of C (p, p), whose rows are `stride` apart, += alpha A A' with A (p,
   n). The lower triangle may be used as room and is overwritten. */
void dlpi_blas_syrk(dlp_index p, dlp_index n, double alpha, const double *A, double *C,
                    dlp_index stride);
/* B (p, n) = S A with S (p, p) symmetric, whose rows are `stride` apart, and A (p, n). */
void dlpi_blas_symm(dlp_index p, dlp_index n, const double *S, dlp_index stride,
                    const double *A, double *B);
/* A (p, n) = R A with R (p, p) upper triangular. */
void dlpi_blas_trmm(dlp_index p, dlp_index n, const double *R, double *A);

/* The BLAS versions of products.h. */
bool dlpi_blas_gram(dlp_index p, dlp_index q, dlp_index w, double sign, const double *X,
                    dlp_index ldx, double *C, dlp_index ldc);
bool dlpi_blas_product(dlp_index p, dlp_index q, dlp_index w, double sign,
                       const double *A, dlp_index lda, const double *B, dlp_index ldb,
                       double *C, dlp_index ldc);
bool dlpi_blas_product_transposed(dlp_index p, dlp_index q, dlp_index w, double sign,
                                  const double *A, dlp_index lda, const double *B,
                                  dlp_index ldb, double *C, dlp_index ldc);
/* X (w, m) := U^-1 X with U (w, w) upper triangular. */
bool dlpi_blas_back_substitute(dlp_index w, dlp_index m, const double *U, dlp_index ldu,
                               double *X, dlp_index ldx);

#endif
