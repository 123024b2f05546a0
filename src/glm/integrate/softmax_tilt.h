/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How one row of a multinomial regression changes a Gaussian of its D = K - 1 linear
 * predictors: the moments of
 *
 *   exp(w l(eta)) N(eta; m, Q^-1),  l = eta_y - log sum_k exp eta_k,  eta_0 = 0,
 *
 * by Gauss-Hermite points about its mode. They lie along the principal axes of all K
 * utilities, measured from their mean, so that it does not matter which level is the
 * reference. Internal.
 */
#ifndef DLPI_GLM_SOFTMAX_TILT_H
#define DLPI_GLM_SOFTMAX_TILT_H

#include <delaplace/status.h>
#include <stdbool.h>

enum { DLPI_TILT_PREDICTORS = 4, DLPI_TILT_POINTS = 32 };

typedef struct dlpi_softmax_tilt {
    dlp_index D;
    int points; /* along an axis */
    double t[DLPI_TILT_POINTS], log_w[DLPI_TILT_POINTS];
} dlpi_softmax_tilt;

typedef struct dlpi_softmax_moments {
    double log_z, mean[DLPI_TILT_PREDICTORS],
        C[DLPI_TILT_PREDICTORS * DLPI_TILT_PREDICTORS];
} dlpi_softmax_moments;

/* 1 <= D <= DLPI_TILT_PREDICTORS */
double dlpi_softmax_tilt_points(dlp_index D); /* how many points a row takes */
void dlpi_softmax_tilt_make(dlpi_softmax_tilt *tilt, dlp_index D);

/* Q (D, D). *mode (D) is where to look for the mode first, and becomes the mode. false
   where none is found. */
bool dlpi_softmax_tilt_moments(const dlpi_softmax_tilt *tilt, dlp_index y, double weight,
                               const double *m, const double *Q, double *mode,
                               dlpi_softmax_moments *out);

#endif
