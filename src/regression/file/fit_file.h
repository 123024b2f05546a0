/* SPDX-License-Identifier: BSD-3-Clause */
/* FIT.json: fit_write.c writes it, fit_read.c reads it back. Internal. */
#ifndef DLPI_REGRESSION_FIT_FILE_H
#define DLPI_REGRESSION_FIT_FILE_H

#include <jansson.h>

#include "regression/regression.h"

#define DLPI_FIT_FORMAT "delaplace-glm"
enum { DLPI_FIT_VERSION = 1 };

/* fit_random_write.c. Of a mixed model, into the object: sds and correlations; the effects of
   the levels from first up to last, counted through, behind the "coefficients" there; and the
   posterior as the engine has it. -1 without memory. */
int dlpi_fit_add_sds(const dlp_regression *r, json_t *root);
int dlpi_fit_add_levels(const dlp_regression *r, dlp_index first, dlp_index last,
                        json_t *root);
int dlpi_fit_add_margins(const dlp_regression *r, json_t *root);
int dlpi_fit_add_random(const dlp_regression *r, json_t *root);
/* And what is explained, where that is known. */
int dlpi_fit_add_variance(const dlp_regression *r, json_t *root);
/* fit_verification.c. How good it is, where that was looked at. */
int dlpi_fit_add_verification(const dlp_regression *r, json_t *root);
/* fit_smooths.c. Its smooth terms, with their curves. */
int dlpi_fit_add_smooths(const dlp_regression *r, json_t *root);
/* fit_written.c. Of powers about a centre, what makes the coefficients as they are written. */
int dlpi_fit_add_written(const dlp_regression *r, json_t *root);

#endif
