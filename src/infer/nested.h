/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The posterior of (theta, tau), tau integrated over: at nodes of tau theta is fitted,
 * theta | tau ~ N(m, C) with log p(x | tau), and the posterior is the mixture of them (as in
 * the nested approximation of Rue, Martino & Chopin, JRSS B 71, 2009). Internal.
 */
#ifndef DLPI_INFER_NESTED_H
#define DLPI_INFER_NESTED_H

#include <delaplace/fit.h>

#include "infer/grid.h"
#include "infer/listener.h"
#include "infer/mixture.h"

/* theta for one tau. */
typedef struct dlpi_nested_fit {
    const double *mu, *C; /* (n-1), (n-1, n-1); the model's, until the next fit */
    double log_p;         /* log p(x | tau); -INFINITY where there is no fit */
    dlp_outcome outcome;
    bool fell_back; /* it is not by the method that was asked for */
} dlpi_nested_fit;

typedef struct dlpi_nested {
    /* The fit for tau; the nodes come in order, so that it may begin where its neighbour
       ended. Polls the listener. */
    dlpi_nested_fit (*fit_at)(void *model, double tau);
    void *model;
    dlpi_listener *listener; /* hears of every fit */
    dlp_index n;             /* theta and tau */
    double mean, sd;         /* of tau's prior, which is normal */
    bool downwards;          /* to less noise is to smaller tau */

    /* the result */
    dlp_outcome outcome; /* of the nodes that matter, the first that did not converge */
    int nodes;           /* values that matter: each weighs more than 0.001 */
    int fallbacks;       /* how many of these fell back */
    double log_evidence; /* of this method the objective */

    dlpi_grid grid;
    dlpi_mixture mixture;
    dlp_outcome outcome_at[DLPI_GRID_NODES]; /* of the last fit at each node */
    bool fell_back_at[DLPI_GRID_NODES];
    int fits;
} dlpi_nested;

dlp_status dlpi_nested_alloc(dlpi_nested *s, dlp_index n, dlp_error *error);
void dlpi_nested_free(dlpi_nested *s); /* fine on a zeroed or failed one */

/* Mean mu (n) and covariance Sigma (n, n), tau last. false where no tau has a fit, also
   when the listener was stopped before there was one; stopped later, it is about the taus up
   to then. */
bool dlpi_nested_run(dlpi_nested *s, double *mu, double *Sigma);

#endif
