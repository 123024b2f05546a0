/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Anderson acceleration of a fixed-point iteration mu <- G(mu): the loop of Figure 1 as
 * a whole, or EM (infer/em.h). It changes how fast the fixed point is reached, not where
 * it is. The caller decides whether to keep a step: see infer/loop.c and infer/em.c.
 * Internal.
 */
#ifndef DLPI_INFER_ANDERSON_H
#define DLPI_INFER_ANDERSON_H

#include <delaplace/status.h>
#include <stdbool.h>

/* The largest number of differences that can be stored. */
enum { DLPI_ANDERSON_DEEPEST = 32 };

typedef struct dlpi_anderson {
    dlp_index n;
    int depth;    /* differences remembered */
    int seen;     /* pairs (mu, G(mu)) since the last reset */
    double *unit; /* (n) of mu; 1 unless set by dlpi_anderson_measure */
    double *r;    /* (n) the last residual G(mu) - mu, in these units */
    double *g;    /* (n) the last G(mu) */
    double *dR;   /* (depth, n) differences of residuals, in units, a ring */
    double *dG;   /* (depth, n) differences of G(mu) */
} dlpi_anderson;

/* A greater depth captures more of the slow directions and takes more memory. */
dlp_status dlpi_anderson_alloc(dlpi_anderson *a, dlp_index n, int depth,
                               dlp_error *error);
void dlpi_anderson_free(dlpi_anderson *a);

/* Forgets the past. */
void dlpi_anderson_reset(dlpi_anderson *a);
/* From the next first pair on, measures residuals in these units of mu (n), provided that
   the units differ enough to matter. */
void dlpi_anderson_measure(dlpi_anderson *a, const double *unit);
/* Takes the pair (mu, g = G(mu)) and writes an estimate of the fixed point to next (n).
   Returns false, with next untouched, while there is too little history. */
bool dlpi_anderson_next(dlpi_anderson *a, const double *mu, const double *g,
                        double *next);

#endif
