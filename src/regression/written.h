/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Powers of a variable that lies far from 0 are fitted about a centre c
 * (centre_powers.h), and their coefficients told of the columns as they are written: from
 *
 *     (x - c)^k = sum_j binomial(k, j) (-c)^(k - j) x^j
 *
 * beta_j = beta'_j + sum over k > j of binomial(k, j) (-c)^(k - j) beta'_k. Each has all
 * its digits, but sums of them, as predictions are, would not: these are made of beta'.
 * Internal.
 */
#ifndef DLPI_REGRESSION_WRITTEN_H
#define DLPI_REGRESSION_WRITTEN_H

#include <delaplace/regression.h>
#include <stdbool.h>

/* Whether parameter i as written differs from that of the fit. */
bool dlpi_is_written(const dlp_regression_result *r, dlp_index i);
/* Parameter i as written, at parameters theta (n) of the fit. */
double dlpi_written_value(const dlp_regression_result *r, dlp_index i,
                          const double *theta);
double dlpi_written_variance(const dlp_regression_result *r, dlp_index i,
                             const double *Sigma);
/* Its margin, of a fit with margins. */
dlp_margin dlpi_written_margin(const dlp_regression_result *r, dlp_index i);
/* a (n), zeroed: parameter i as written is a'theta. */
void dlpi_written_weights(const dlp_regression_result *r, dlp_index i, double *a);

#endif
