/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Anderson acceleration of a fixed-point iteration mu <- G(mu): the loop of Figure 1 seen
 * from outside, or EM (infer/em.h). It changes how fast the fixed point is reached, not where
 * it is. Whoever iterates decides whether a step is kept: infer/loop.c, infer/em.c. Internal.
 */
#ifndef DLPI_INFER_ANDERSON_H
#define DLPI_INFER_ANDERSON_H

#include <delaplace/status.h>
#include <stdbool.h>

/* How many differences at the most can be remembered. */
enum { DLPI_ANDERSON_DEEPEST = 32 };

typedef struct dlpi_anderson {
    dlp_index n;
    int depth;    /* differences remembered */
    int seen;     /* pairs (mu, G(mu)) since the last reset */
    double *unit; /* (n) of mu; 1 unless dlpi_anderson_measure was told others */
    double *r;    /* (n) the last residual G(mu) - mu, in these units */
    double *g;    /* (n) the last G(mu) */
    double *dR;   /* (depth, n) differences of residuals, in units, a ring */
    double *dG;   /* (depth, n) differences of G(mu) */
} dlpi_anderson;

/* More depth finds more directions in which the iteration is slow, and takes more memory. */
dlp_status dlpi_anderson_alloc(dlpi_anderson *a, dlp_index n, int depth,
                               dlp_error *error);
void dlpi_anderson_free(dlpi_anderson *a);

/* Forgets the past. */
void dlpi_anderson_reset(dlpi_anderson *a);
/* Residuals are compared in these units of mu (n) from the next first pair on, where the
   units are far apart. */
void dlpi_anderson_measure(dlpi_anderson *a, const double *unit);
/* Takes the pair (mu, g = G(mu)) and writes to next (n) where the fixed point seems to
   be. false, with next untouched, while the past does not tell. */
bool dlpi_anderson_next(dlpi_anderson *a, const double *mu, const double *g,
                        double *next);

#endif
