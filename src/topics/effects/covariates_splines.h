/* SPDX-License-Identifier: BSD-3-Clause */
/* s() in the formula of covariates. Internal. */
#ifndef DLPI_TOPICS_COVARIATES_SPLINES_H
#define DLPI_TOPICS_COVARIATES_SPLINES_H

#include <delaplace/table.h>

/*
 * The formula with s(x) written as what stm's s() is: bs(x, df = 10), or fewer where x has
 * fewer values; poly() of three or four values, and x itself of two. s(x, 5) is bs(x, 5).
 * *out is released by free(). What cannot be read stays as it is, for the parser to tell.
 */
dlp_status dlpi_covariates_splines(const char *formula, const dlp_table *table,
                                   char **out, dlp_error *error);

#endif
