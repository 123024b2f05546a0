/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expectation propagation (Minka, UAI 2001) for a regression with one linear predictor,
 * its scale held: each response, and each Student-t prior, is replaced by the Gaussian
 * that has the same effect on the posterior's moments. Where every row has much to say of
 * its own, as with as many columns as rows, it is far nearer to the posterior than an
 * expansion at one point. Internal.
 */
#ifndef DLPI_GLM_PROPAGATION_H
#define DLPI_GLM_PROPAGATION_H

#include "glm/glm_state.h"
#include "glm/row_sites.h"
#include "glm/student_sites.h"
#include "infer/infer.h"

typedef struct dlpi_propagation {
    dlp_glm *g;
    bool gaussian; /* the rows need no others in their places */
    bool student;  /* there are Student-t priors */
    bool started;  /* the Gaussians are those of a regression like this one */
    dlpi_student_sites sites;
    dlpi_prior prior;          /* (p) with Gaussians in their places */
    double *precision, *shift; /* (N) of the Gaussians in the places of the rows */
    double *mode;              /* (N) of the row times the rest, where it was last */
    double *h, *mu;            /* (p) */
    double *U, *C, *work;      /* (p, p) */
    double log_evidence;       /* log p(y | tau) */
    double mismatch;           /* how far the moments are from agreeing, in sds */
    long sweeps;               /* so far */
    double damping;            /* of this run's steps */
    dlpi_watch *watch;         /* who may say stop after a sweep; NULL: nobody */
    bool tells;                /* and hears of every one */
    dlpi_row_tilt tilt;
} dlpi_propagation;

/* Whether it can: there is one predictor, and priors have variances. */
bool dlpi_propagation_fits(const dlp_glm *glm);
/* g's parameters are the coefficients alone; it outlives the propagation. */
dlp_status dlpi_propagation_alloc(dlpi_propagation *e, dlp_glm *g, dlp_error *error);
void dlpi_propagation_free(dlpi_propagation *e); /* fine on a zeroed or failed one */

/* Sets mu, C and log_evidence for g->held_tau, from where it was last or, where that leads
   nowhere, from beta (p), which may be NULL. */
dlp_outcome dlpi_propagate(dlpi_propagation *e, const double *beta);

#endif
