/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expectation propagation (Minka, UAI 2001) for a posterior
 *
 *     p(theta) prod_n exp l_n(eta_n),   eta_n linear in theta:
 *
 * each site, exp l_n, is replaced by the Gaussian of eta_n that has the same effect on the
 * posterior's moments. Where single sites have much to say of their own, as with as many
 * parameters as sites, that is far nearer to the posterior than an expansion at one point.
 * Internal.
 */
#ifndef DLPI_INFER_EXPECTATION_PROPAGATION_H
#define DLPI_INFER_EXPECTATION_PROPAGATION_H

#include <delaplace/fit.h>

#include "infer/listener.h"

/* Of exp(l(eta)) N(eta; m, v). */
typedef struct dlpi_tilted {
    double log_z, mean, variance;
} dlpi_tilted;

/* So many sites at the most are looked at together. */
enum { DLPI_SITES_TOGETHER = 256 };

/* The model's side. In the place of site n stands exp(-a_n/2 eta^2 + b_n eta), of which a
   (N) are the precisions and b (N) the shifts. */
typedef struct dlpi_sites_type {
    /* Adds what these Gaussians say of theta to the upper triangle of P (p, p) and to h
       (p); returns what they say of no theta. mu is where theta is about. */
    double (*add_sites)(void *model, const double *mu, const double *a, const double *b,
                        double *P, double *h);
    /* The same of the prior. */
    double (*add_prior)(void *model, double *P, double *h);
    /* Mean and variance of eta for theta ~ N(mu, C), of the sites from the first on;
       returns how many there are together. */
    dlp_index (*project)(void *model, const double *mu, const double *C, dlp_index first,
                         double *eta, double *variance);
    /* A site of weight 3 stands for three that differ in nothing; below 1, exp(weight l). */
    double (*weight)(const void *model, dlp_index n);
    /* l of one of them, and its moments; *mode is where to look for the mode first, and
       then where it was. false where it has no end. */
    double (*log_density)(void *model, dlp_index n, double eta);
    bool (*tilt)(void *model, dlp_index n, double m, double v, double *mode,
                 dlpi_tilted *tilted);
    /* Begins anew: the prior as it is stated, and, where theta (p) is about known, the
       Gaussians that have the sites' slopes and curvatures there. */
    void (*start)(void *model, const double *theta, double *a, double *b, double *mode);

    /* Optional: sites that are Gaussian need no others in their places. Writes them, and
       returns what their densities have besides. */
    double (*exact)(void *model, double *a, double *b);
    /* Optional: priors that are replaced in the same way, given the posterior under those
       in their places. Returns what the evidence gains; *mismatch as below. */
    double (*update_prior)(void *model, const double *mu, const double *C,
                           double *mismatch);
} dlpi_sites_type;

typedef struct dlpi_ep {
    const dlpi_sites_type *type;
    void *model;
    dlp_index N, p;
    bool started;            /* the Gaussians are those of a model like this one */
    double *a, *b;           /* (N) */
    double *mode;            /* (N) of the site times the rest, where it was last */
    double *h, *mu;          /* (p) */
    double *U, *C, *work;    /* (p, p) */
    double log_evidence;     /* of this method the objective */
    double mismatch;         /* how far the moments are from agreeing, in sds */
    long sweeps;             /* so far */
    double damping;          /* of this run's steps */
    dlpi_listener *listener; /* who may say stop after a sweep; NULL: nobody */
    bool tells;              /* and hears of every one */
} dlpi_ep;

/* The model is the caller's and outlives the propagation. */
dlp_status dlpi_ep_alloc(dlpi_ep *e, const dlpi_sites_type *type, void *model,
                         dlp_index N, dlp_index p, dlp_error *error);
void dlpi_ep_free(dlpi_ep *e); /* fine on a zeroed or failed one */

/* Sets mu, C and log_evidence, from where it was last or, where that leads nowhere, from
   theta (p), which may be NULL. */
dlp_outcome dlpi_ep_run(dlpi_ep *e, const double *theta);

#endif
