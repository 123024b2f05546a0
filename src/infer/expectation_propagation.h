/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expectation propagation (Minka, UAI 2001) for a posterior
 *
 *     p(theta) prod_n exp l_n(eta_n),   eta_n linear in theta:
 *
 * each site, exp l_n, is replaced by the Gaussian of eta_n that has the same effect on
 * the posterior's moments. Where single sites matter much, as with as many parameters as
 * sites, this is far closer to the posterior than an expansion at one point. Internal.
 */
#ifndef DLPI_INFER_EXPECTATION_PROPAGATION_H
#define DLPI_INFER_EXPECTATION_PROPAGATION_H

#include <delaplace/fit.h>

#include "infer/listener.h"

/* The loop, whatever the sites are: damped sweeps over them until the moments agree, and
   smaller steps, from a fresh start, if they do not. */
typedef struct dlpi_ep_loop_type {
    /* Starts afresh. */
    void (*start)(void *state);
    /* Moves all Gaussians by this fraction; DLP_RUNNING, or why there is no posterior.
       *mismatch: how far the moments are from agreeing, in sds. */
    dlp_outcome (*sweep)(void *state, double damping, double *mismatch);
    /* After a sweep that did not end it: whether the caller asks to stop. The current state
       remains a valid posterior. */
    bool (*stopped)(void *state);
    /* 0: as usual. The moments count as equal within this many sds; how many sweeps at
       most at each pace. */
    double agreed;
    int most;
} dlpi_ep_loop_type;

/* started: the Gaussians come from a similar problem, so this is tried without a fresh start
   first. DLP_CONVERGED, DLP_CANCELLED, DLP_MAX_ITERATIONS or what sweep returned. */
dlp_outcome dlpi_ep_loop(const dlpi_ep_loop_type *type, void *state, bool started);

/* The moments of exp(l(eta)) N(eta; m, v). */
typedef struct dlpi_tilted {
    double log_z, mean, variance;
} dlpi_tilted;

/* The largest number of sites processed together. */
enum { DLPI_SITES_TOGETHER = 256 };

/* The model's side. Site n is replaced by exp(-a_n/2 eta^2 + b_n eta), with precisions a
   (N) and shifts b (N). */
typedef struct dlpi_sites_type {
    /* Adds the contribution of these Gaussians to the upper triangle of P (p, p) and to h
       (p); returns the part that does not depend on theta. mu is an approximate theta. */
    double (*add_sites)(void *model, const double *mu, const double *a, const double *b,
                        double *P, double *h);
    /* The same for the prior. */
    double (*add_prior)(void *model, double *P, double *h);
    /* Mean and variance of eta for theta ~ N(mu, C), for a batch of sites starting at
       `first`; returns the size of the batch. */
    dlp_index (*project)(void *model, const double *mu, const double *C, dlp_index first,
                         double *eta, double *variance);
    /* A site of weight 3 stands for three identical ones; a weight below 1 means
       exp(weight l). */
    double (*weight)(const void *model, dlp_index n);
    /* l of one copy of the site, and its moments. *mode is the first guess of the mode
       and then the mode found. false if the integral diverges. */
    double (*log_density)(void *model, dlp_index n, double eta);
    bool (*tilt)(void *model, dlp_index n, double m, double v, double *mode,
                 dlpi_tilted *tilted);
    /* Starts afresh with the prior as stated and, if theta (p) is roughly known, with
       Gaussians that match the sites' slopes and curvatures there. */
    void (*start)(void *model, const double *theta, double *a, double *b, double *mode);
    /* Optional: Gaussian sites need no approximation. Writes their a and b and returns
       the remaining constants of their densities. */
    double (*exact)(void *model, double *a, double *b);
    /* A site may make the posterior wider: l is not concave, as that of an outlier. */
    bool widens;
    /* Optional: l(eta) >= g(eta) = -a/2 eta^2 + b eta + constant. Returns, for the a and b
       given, what the site adds to the bound of the evidence, g - (eta - offset)/2 dg/deta
       at the mean, and moves them to where the bound is best for eta ~ N(mean, variance).
       Moving all of them at once, again and again, climbs the bound of the evidence: it
       always ends. */
    double (*bound)(void *model, dlp_index n, double mean, double variance, double *a,
                    double *b);
    void (*start_bounds)(void *model, double *a, double *b);
    /* Optional: updates priors that are approximated in the same way, given the posterior
       under their current approximations. Returns the gain in evidence; *mismatch as
       below. */
    double (*update_prior)(void *model, const double *mu, const double *C,
                           double *mismatch);
} dlpi_sites_type;

typedef struct dlpi_ep {
    const dlpi_sites_type *type;
    void *model;
    dlp_index N, p;
    bool started;            /* the Gaussians come from a similar model */
    bool bounds;             /* they are the sites' lower bounds */
    double *a, *b;           /* (N) */
    double *mode;            /* (N) of site times cavity, when last found */
    double *h, *mu;          /* (p) */
    double *U, *C, *work;    /* (p, p) */
    double log_evidence;     /* the objective of this method */
    double mismatch;         /* how far the moments are from agreeing, in sds */
    long sweeps;             /* so far */
    double damping;          /* of this run's steps */
    dlpi_listener *listener; /* may stop the run after a sweep; NULL: none */
    bool tells;              /* and is told about every sweep */
} dlpi_ep;

/* The caller owns the model and keeps it alive longer than the propagation. */
dlp_status dlpi_ep_alloc(dlpi_ep *e, const dlpi_sites_type *type, void *model,
                         dlp_index N, dlp_index p, dlp_error *error);
void dlpi_ep_free(dlpi_ep *e); /* fine on a zeroed or failed one */

/* Sets mu, C and log_evidence. Starts from the last state or, if that fails, from theta
   (p), which may be NULL. */
dlp_outcome dlpi_ep_run(dlpi_ep *e, const double *theta);

#endif
