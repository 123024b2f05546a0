/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A root of a covariance that does not depend on the coding or order of the columns, on
 * the order of the rows, or on units: it yields the same draws however the regression is
 * written. Internal.
 */
#ifndef DLPI_REGRESSION_ALIGN_H
#define DLPI_REGRESSION_ALIGN_H

#include <delaplace/glm.h>
#include <stdbool.h>

/* Whether glm has a single linear predictor, so that its rows can be used. */
bool dlpi_can_align(const dlp_glm *glm);

/* Rotates U (n, n), where U'U is the covariance of theta and stays the same. mu is the
   mean. Rows of U from *active on are axes that change no row's predictor and no scale, as
   the level of a combination without rows: how many there are depends on the coding. */
dlp_status dlpi_align(const dlp_glm *glm, const double *mu, double *U, dlp_index *active,
                      dlp_error *error);

#endif
