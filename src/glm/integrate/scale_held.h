/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The coefficients of a regression for one value of its scale: beta | tau ~ N(mu, C) and
 * log p(y | tau). Laplace's method is left to the engine. Where the delta method is asked
 * for, expectation propagation is used, and the engine where that does not converge. Of
 * a student response, whose density has many modes where there is little noise, the engine
 * would find one or another as rounding decides: there a bound of the evidence is climbed
 * instead. Internal.
 */
#ifndef DLPI_GLM_SCALE_HELD_H
#define DLPI_GLM_SCALE_HELD_H

#include "glm/integrate/glm_sites.h"
#include "infer/infer.h"

typedef struct dlpi_scale_held {
    dlp_glm given; /* the regression, without tau among its parameters */
    bool propagates, bounds;
    dlpi_glm_sites sites;
    dlpi_ep propagation;
    dlpi_ep bounded; /* for a student response, where that does not converge */
    double lost;     /* the largest tau at which it did not; -INFINITY at first */
    double last_tau, last_log_p; /* of propagation, where it last converged */
    double gap;                  /* what the bound lacks there */
    bool joined;                 /* and that is known */
    dlp_fit *fit;
    dlpi_listener *listener;
    bool started;         /* there is a fit to start from */
    dlpi_warm_start warm; /* of the engine's last fit */
    double *C_fit;        /* (p, p) the engine's covariance */
    double *work;         /* for its evidence */

    const double *mu, *C; /* of the last fit */
    double log_p;         /* log p(y | tau); -INFINITY where there is no fit, as when it
                             was stopped on the way */
    dlp_outcome outcome;
    bool fell_back; /* fell back from propagation to delta, or from delta to Laplace */
    long evaluations;
} dlpi_scale_held;

/* Uses the method of the settings and polls the listener. glm must not be used for
   anything else meanwhile. */
dlp_status dlpi_scale_held_alloc(dlpi_scale_held *held, const dlp_glm *glm,
                                 const dlp_settings *settings, dlpi_listener *listener,
                                 dlp_error *error);
void dlpi_scale_held_free(dlpi_scale_held *held); /* fine on a zeroed or failed one */

/* The fit for tau, starting where the last one ended. */
void dlpi_scale_held_fit(dlpi_scale_held *held, double tau);

#endif
