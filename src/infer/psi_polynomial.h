/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The deviation of a log density from that of N(0, I) in u, between points where it is
 * known: a quadratic polynomial plus cubes, by weighted least squares. Internal.
 */
#ifndef DLPI_INFER_PSI_POLYNOMIAL_H
#define DLPI_INFER_PSI_POLYNOMIAL_H

#include <delaplace/status.h>
#include <stdbool.h>

/* 1, u_i, u_i u_j, u_i^3 */
static inline dlp_index dlpi_polynomial_terms(dlp_index m)
{
    return 1 + m + m * (m + 1) / 2 + m;
}

/* and on demand u_i^2 u_j */
static inline dlp_index dlpi_polynomial_crossed(dlp_index m)
{
    return dlpi_polynomial_terms(m) + m * (m - 1);
}

typedef struct dlpi_polynomial {
    dlp_index m, terms;
    bool crossed;
    double *coefficient; /* (terms) */
    double *term;        /* (terms) room */
    double least, most;  /* the range of the values at points with weight */
} dlpi_polynomial;

/* For n points u (n, m) with values (n), which may be -INFINITY where weight (n) is 0. */
dlp_status dlpi_polynomial_fit(dlp_index m, dlp_index n, const double *u,
                               const double *value, const double *weight, bool crossed,
                               dlpi_polynomial *p, dlp_error *error);
double dlpi_polynomial_at(const dlpi_polynomial *p, const double *u);
void dlpi_polynomial_free(dlpi_polynomial *p);

#endif
