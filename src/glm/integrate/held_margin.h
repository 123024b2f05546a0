/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The margin of a linear function u = a'theta of a regression's parameters, everything
 * else integrated out by Laplace's method (Tierney & Kadane, 1986): with theta_u the mode
 * among those theta whose a'theta is u, and P = -hess f there,
 *
 *   p(u | y) ~ exp f(theta_u) {det P a'P^-1 a}^(-1/2).
 *
 * It captures the skewness of a margin, for instance where few rows inform a gap between
 * cut points. Internal.
 */
#ifndef DLPI_GLM_HELD_MARGIN_H
#define DLPI_GLM_HELD_MARGIN_H

#include <delaplace/model.h>
#include <delaplace/random_effects.h>

#include "glm/glm_state.h"
#include "math/log_curve.h"

typedef struct dlpi_held {
    dlp_glm *glm;
    dlp_index n;
    dlp_index
        cut; /* of an ordinal regression: theta[p] is this cut point, not the first */
    dlp_sym hess;
    double *mode;                                     /* (n) */
    double *theta, *gradient, *step, *along, *before; /* (n) */
    double *P;                                        /* (n, n) its factor */
    double *at_mode;                                  /* (n, n) P at the mode */
    double f;
    bool settled; /* the mode is known */
    bool ridged;  /* a ridge was added to P */
    long evaluations;
} dlpi_held;

/* Starts from theta (n), a point not far from the mode. DLP_EINPUT: no mode was found. */
dlp_status dlpi_held_alloc(dlpi_held *held, dlp_glm *glm, const double *theta,
                           dlp_error *error);
void dlpi_held_free(dlpi_held *held); /* fine on a zeroed or failed one */

/* The margin of a'theta. With cut > 0, theta's first cut point is replaced by that one.
   false: the margin could not be followed to its ends. */
bool dlpi_held_margin(dlpi_held *held, dlp_index cut, const double *a,
                      dlpi_log_curve *margin);

dlp_margin dlpi_margin_of_curve(const dlpi_log_curve *curve);

#endif
