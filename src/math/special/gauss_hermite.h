/* SPDX-License-Identifier: BSD-3-Clause */
/* The Gauss-Hermite rule. Internal. */
#ifndef DLPI_MATH_GAUSS_HERMITE_H
#define DLPI_MATH_GAUSS_HERMITE_H

/* Nodes t (n), ascending, and the logarithms of the weights w (n) by which the integral of
   f(t) exp(-t^2) is the sum of w f(t), exactly for polynomials of degree below 2n. 1 <= n
   <= 64. */
void dlpi_gauss_hermite(int n, double *t, double *log_w);

#endif
