/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eigenvalues of a Gram matrix whose columns have sizes of many orders. LAPACK's usual
 * routines are exact to rounding of the largest eigenvalue, so that a constant beside a
 * column of millions would drown. Internal.
 */
#ifndef DLPI_MATH_GRADED_H
#define DLPI_MATH_GRADED_H

#include <delaplace/status.h>

/*
 * A (n, n), symmetric and without negative eigenvalues: those, ascending, into w (n), and
 * the rows of V (n, n) become the eigenvectors. Scaling a row and its column does not
 * change the relative error, which grows with the condition of A with a unit diagonal. A
 * row that depends on others to 1e-13 of its own size adds an eigenvalue 0.
 */
dlp_status dlpi_graded_eigen(dlp_index n, const double *A, double *V, double *w,
                             dlp_error *error);

#endif
