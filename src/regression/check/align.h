/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A root of a covariance that does not depend on how columns are coded, on their order or that of
 * rows, nor on units: the same draws then come out of it whichever way a regression is
 * written down. Internal.
 */
#ifndef DLPI_REGRESSION_ALIGN_H
#define DLPI_REGRESSION_ALIGN_H

#include <delaplace/glm.h>
#include <stdbool.h>

/* Whether glm has one linear predictor, whose rows can be looked at. */
bool dlpi_can_align(const dlp_glm *glm);

/* U (n, n), with U'U the covariance of theta, is turned; U'U stays. mu is the mean. */
dlp_status dlpi_align(const dlp_glm *glm, const double *mu, double *U, dlp_error *error);

#endif
