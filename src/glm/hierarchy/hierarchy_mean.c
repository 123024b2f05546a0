/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/hierarchy/hierarchy_mean.h"

#include "math/dense.h"

#include <string.h>

/* C' := A B' for a symmetric A (n, n), a row of B and of C at a time */
static void multiply(dlp_index n, const double *A, const double *B, double *C)
{
    for (dlp_index j = 0; j < n; j++) dlpi_symmetric_multiply(n, A, B + j * n, C + j * n);
}

static void set_diagonal(dlp_index n, double value, double *A)
{
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (dlp_index j = 0; j < n; j++) A[j * (n + 1)] = value;
}

void dlpi_shared_mean_covariance(dlp_index n, dlp_index M, const double *P,
                                 const double *Sigma, double phi1, double *work,
                                 double *C)
{
    const dlp_index square = n * n;
    double *sum = C, *SP = work, *U = work + square;
    memset(sum, 0, (size_t)square * sizeof *sum);
    for (dlp_index m = 0; m < M; m++)
        for (dlp_index i = 0; i < square; i++) sum[i] += Sigma[m * square + i];
    multiply(n, sum, P, SP); /* row j is column j of (sum Sigma_m) P */
    multiply(n, P, SP, U);   /* P (sum Sigma_m) P */
    for (dlp_index i = 0; i < square; i++) U[i] = (double)M * P[i] - U[i];
    for (dlp_index j = 0; j < n; j++) U[j * (n + 1)] += 1 / phi1;
    if (dlpi_cholesky(n, U) < 0)
        dlpi_cholesky_inverse(n, U, SP, C);
    else /* the data say less than rounding errors would hide: the hyperprior remains */
        set_diagonal(n, phi1, C);
}
