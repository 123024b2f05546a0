/* SPDX-License-Identifier: BSD-3-Clause */
/* FIT.json: fit_write.c writes it, fit_read.c reads it back. Internal. */
#ifndef DLPI_REGRESSION_FIT_FILE_H
#define DLPI_REGRESSION_FIT_FILE_H

#include <jansson.h>

#include "regression/regression.h"

#define DLPI_FIT_FORMAT "delaplace-glm"
enum { DLPI_FIT_VERSION = 1 };

/* fit_random_write.c. For a mixed model, adds to the object: sds and correlations; the
   effects of the levels from first up to last, numbered over all terms, after the
   "coefficients" there; and the posterior in the engine's form. -1 when out of memory. */
int dlpi_fit_add_sds(const dlp_regression *r, json_t *root);
int dlpi_fit_add_levels(const dlp_regression *r, dlp_index first, dlp_index last,
                        json_t *root);
int dlpi_fit_add_margins(const dlp_regression *r, json_t *root);
int dlpi_fit_add_random(const dlp_regression *r, json_t *root);
/* And the variance explained, where it is known. */
int dlpi_fit_add_variance(const dlp_regression *r, json_t *root);
/* fit_verification.c. How good the fit is, where that was checked. */
int dlpi_fit_add_verification(const dlp_regression *r, json_t *root);
/* fit_smooths.c. Its smooth terms, with their curves. */
int dlpi_fit_add_smooths(const dlp_regression *r, json_t *root);
/* fit_written.c. For powers about a centre, how to get the coefficients as they are
   written. */
int dlpi_fit_add_written(const dlp_regression *r, json_t *root);

#endif
