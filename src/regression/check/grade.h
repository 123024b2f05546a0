/* SPDX-License-Identifier: BSD-3-Clause */
/* Grades that nobody asked for. Internal. */
#ifndef DLPI_REGRESSION_GRADE_H
#define DLPI_REGRESSION_GRADE_H

#include <delaplace/regression.h>

/* Verifies a regression of one level, fitted to the table, where that takes a few
   hundredths of a second; threads as in dlp_regression_settings. Where the weights cannot
   tell, it stays without a verification. */
dlp_status dlpi_grade_fit(dlp_regression *regression, const dlp_table *table, int threads,
                          dlp_error *error);

#endif
