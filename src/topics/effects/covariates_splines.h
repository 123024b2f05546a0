/* SPDX-License-Identifier: BSD-3-Clause */
/* s() in the formula of covariates. Internal. */
#ifndef DLPI_TOPICS_COVARIATES_SPLINES_H
#define DLPI_TOPICS_COVARIATES_SPLINES_H

#include <delaplace/formula.h>
#include <delaplace/table.h>

/*
 * Makes each s(x) of the formula what it is in stm: bs(x, df = 10), or fewer where x has
 * fewer values, or so many equal ones that quantiles would not be distinct knots; poly()
 * for three or four values, and x itself for two. s(x, 5) is bs(x, 5). Rows of the table
 * count where keep is non-zero; NULL: all do.
 */
dlp_status dlpi_covariates_splines(dlp_formula *formula, const dlp_table *table,
                                   const unsigned char *keep, dlp_error *error);

#endif
