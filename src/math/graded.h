/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eigenvalues of a Gram matrix whose columns differ in size by orders of magnitude.
 * LAPACK's usual routines are exact only relative to the largest eigenvalue, so the
 * constant column would drown beside a column of millions. Internal.
 */
#ifndef DLPI_MATH_GRADED_H
#define DLPI_MATH_GRADED_H

#include <delaplace/status.h>

/*
 * A (n, n), symmetric and positive semidefinite: its eigenvalues, ascending, go to w
 * (n), and the rows of V (n, n) become the eigenvectors. Scaling a row and its column
 * does not change the relative error, which grows with the condition of A with a unit
 * diagonal. A row that depends on others to 1e-13 of its own size contributes an
 * eigenvalue 0.
 */
dlp_status dlpi_graded_eigen(dlp_index n, const double *A, double *V, double *w,
                             dlp_error *error);

#endif
