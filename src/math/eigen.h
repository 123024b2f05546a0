/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues by operations in one order, so that they have the same bits on every machine.
   Nothing allocates. Internal. */
#ifndef DLPI_MATH_EIGEN_H
#define DLPI_MATH_EIGEN_H

#include <delaplace/status.h>
#include <stdbool.h>

/* Eigenvalues of the symmetric A (n, n), ascending, into w (n); A's rows become the
   eigenvectors. work (n). false when the iteration did not end. */
bool dlpi_eigen(dlp_index n, double *A, double *w, double *work);

/* The singular values of F (r, n), r <= n, descending into sigma (r), small ones to their own
   digits; the rows of V (n, n) become the vectors v with |F v| = sigma, and behind them those
   with F v = 0. F is lost. */
bool dlpi_jacobi(dlp_index n, dlp_index r, double *F, double *sigma, double *V);

#endif
