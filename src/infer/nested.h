/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The posterior of (theta, tau) with tau integrated over. At each node of tau we fit
 * theta | tau ~ N(m, C) with log p(x | tau); the posterior is the mixture of these fits
 * (as in the nested approximation of Rue, Martino & Chopin, JRSS B 71, 2009). Internal.
 */
#ifndef DLPI_INFER_NESTED_H
#define DLPI_INFER_NESTED_H

#include <delaplace/fit.h>

#include "infer/grid.h"
#include "infer/listener.h"
#include "infer/mixture.h"

/* theta for one tau. */
typedef struct dlpi_nested_fit {
    const double *mu, *C; /* (n-1), (n-1, n-1); owned by the model, valid until the next
                             fit */
    double log_p;         /* log p(x | tau); -INFINITY without a fit */
    dlp_outcome outcome;
    bool fell_back; /* it used another method than the one requested */
} dlpi_nested_fit;

typedef struct dlpi_nested {
    /* The fit for tau. Nodes come in order, so it may start from its neighbour's result.
       Polls the listener. */
    dlpi_nested_fit (*fit_at)(void *model, double tau);
    void *model;
    dlpi_listener *listener; /* is told about every fit */
    dlp_index n;             /* theta and tau */
    double mean, sd;         /* of tau's normal prior */
    bool downwards;          /* smaller tau means less noise */

    /* the result */
    dlp_outcome outcome; /* the first outcome among the nodes that matter other than
                            converged */
    int nodes;           /* nodes that matter: each weighs more than 0.001 */
    int fallbacks;       /* how many of these fell back */
    double log_evidence; /* the objective of this method */

    dlpi_grid grid;
    dlpi_mixture mixture;
    dlp_outcome outcome_at[DLPI_GRID_NODES]; /* of the last fit at each node */
    bool fell_back_at[DLPI_GRID_NODES];
    int fits;
} dlpi_nested;

dlp_status dlpi_nested_alloc(dlpi_nested *s, dlp_index n, dlp_error *error);
void dlpi_nested_free(dlpi_nested *s); /* fine on a zeroed or failed one */

/* Mean mu (n) and covariance Sigma (n, n), tau last. false if no tau has a fit, including
   when the listener was stopped before the first. If stopped later, the result covers the
   taus so far. */
bool dlpi_nested_run(dlpi_nested *s, double *mu, double *Sigma);

#endif
