/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues by operations in a fixed order, with the same bits on every machine.
   Nothing allocates. Internal. */
#ifndef DLPI_MATH_EIGEN_H
#define DLPI_MATH_EIGEN_H

#include <delaplace/status.h>
#include <stdbool.h>

/* Eigenvalues of the symmetric A (n, n), ascending, into w (n); A's rows become the
   eigenvectors. work (n). false if the iteration did not converge. */
bool dlpi_eigen(dlp_index n, double *A, double *w, double *work);

/* The singular values of F (r, n), r <= n, descending into sigma (r), small ones with
   full relative precision. The rows of V (n, n) become the vectors v with |F v| = sigma,
   followed by those with F v = 0. F is overwritten. */
bool dlpi_jacobi(dlp_index n, dlp_index r, double *F, double *sigma, double *V);

#endif
