/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of FIT.json, checked as they are read. Internal. */
#ifndef DLPI_REGRESSION_FIT_VALUES_H
#define DLPI_REGRESSION_FIT_VALUES_H

#include <jansson.h>

#include "regression/regression.h"

typedef struct dlpi_fit_reader {
    const char *name; /* of the file */
    const json_t *root;
    dlp_regression *of;
    dlp_regression_result *fit; /* its result */
    dlp_error *error;
} dlpi_fit_reader;

/* DLP_EINPUT, saying that the file is damaged: the key must hold what was expected. */
dlp_status dlpi_fit_wrong(const dlpi_fit_reader *r, const char *key,
                          const char *expected);

dlp_status dlpi_fit_text(const dlpi_fit_reader *r, const json_t *object, const char *key,
                         const char **text);
/* A finite number. */
dlp_status dlpi_fit_real(const dlpi_fit_reader *r, const json_t *object, const char *key,
                         double *real);
bool dlpi_is_list(const json_t *value, dlp_index size);
/* n finite numbers of a list. */
dlp_status dlpi_fit_numbers(const dlpi_fit_reader *r, const char *key, const json_t *list,
                            dlp_index n, double *out);
/* (n, n) numbers: a covariance. */
dlp_status dlpi_fit_square(const dlpi_fit_reader *r, const char *key, const json_t *rows,
                           dlp_index n, double *out);

/* fit_random_read.c. The random effects of a mixed model, once its terms and shape are
   known. */
dlp_status dlpi_fit_read_margins(const dlpi_fit_reader *r);
dlp_status dlpi_fit_read_random(const dlpi_fit_reader *r);
/* fit_verification.c. Its verification, likewise. */
dlp_status dlpi_fit_read_verification(const dlpi_fit_reader *r);
/* fit_written.c. Its coefficients as they are written, likewise. */
dlp_status dlpi_fit_read_written(const dlpi_fit_reader *r);
/* fit_smooths.c. Its smooth terms, likewise. */
dlp_status dlpi_fit_read_smooths(const dlpi_fit_reader *r);

#endif
