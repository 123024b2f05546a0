/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The product of matrices of any layout, by a kernel of one fixed shape: each element is
 * a sum in the order of k, in runs of DLPI_GEMM_RUN, so that it has the same bits on
 * every machine. Nothing allocates. Internal.
 */
#ifndef DLPI_MATH_GEMM_H
#define DLPI_MATH_GEMM_H

#include <delaplace/status.h>
#include <stdbool.h>

enum { DLPI_GEMM_RUN = 128 };

/* A matrix whose element (i, j) is at[i row + j column]. */
typedef struct dlpi_matrix {
    const double *at;
    dlp_index row, column;
} dlpi_matrix;

/* C (m, n), whose rows are ldc apart, += alpha A B with A (m, w) and B (w, n). upper: on
   and above the diagonal; entries below it may be overwritten. */
void dlpi_gemm(dlp_index m, dlp_index n, dlp_index w, double alpha, dlpi_matrix A,
               dlpi_matrix B, double *C, dlp_index ldc, bool upper);

/* C (m, n) += alpha A B' with A (m, w) and B (n, w), rows lda, ldb and ldc apart: each
   element is four sums, over every fourth k, plus the remainder. */
void dlpi_dots(dlp_index m, dlp_index n, dlp_index w, double alpha, const double *A,
               dlp_index lda, const double *B, dlp_index ldb, double *C, dlp_index ldc,
               bool upper);

#endif
