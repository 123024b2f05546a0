/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Importance sampling of a regression's posterior around its approximation q = N(mu,
 * Sigma). Draws come in pairs that mirror each other, each dimension meets each of S
 * equally probable cells once, and their distance from mu is that of a Student-t
 * distribution, so that no tail is missed. Where the weights show that q is far off, the
 * draws are repeated around the weighted moments. Internal.
 */
#ifndef DLPI_REGRESSION_IMPORTANCE_H
#define DLPI_REGRESSION_IMPORTANCE_H

#include <delaplace/glm.h>

#include "math/psis.h"

/* Empty when zeroed. */
typedef struct dlpi_sample {
    dlp_index n, S;
    double *theta;          /* (S, n) one row a draw */
    double *log_weight;     /* (S) of the posterior, smoothed; exp of them adds up to 1 */
    double *log_q;          /* (S) the same for q, not smoothed */
    double q_size;          /* the effective number of draws of q */
    struct dlpi_psis psis;  /* of the posterior's weights */
    double log_evidence;    /* log of the mean of p(y, theta) / g(theta) */
    double log_evidence_se; /* and its standard error */
    int rounds;             /* 1: from q itself */
} dlpi_sample;

/* S draws, rounded to an even number, for the posterior of glm. DLP_EINPUT: Sigma is not
   positive definite, or p(y, theta) is 0 at every draw. */
dlp_status dlpi_sample_make(dlp_glm *glm, const double *mu, const double *Sigma,
                            dlp_index S, unsigned long seed, int threads,
                            dlpi_sample *sample, dlp_error *error);
/* The same for a glm that can be aligned, with draws that do not depend on how its
   columns are coded (align.h). */
dlp_status dlpi_sample_make_aligned(dlp_glm *glm, const double *mu, const double *Sigma,
                                    dlp_index S, unsigned long seed, dlpi_sample *sample,
                                    dlp_error *error);
void dlpi_sample_clear(dlpi_sample *sample);

/* verification.c. How many threads to evaluate so many draws with; 0: none were asked for. */
int dlpi_threads_for_draws(int asked, dlp_index draws, dlp_index N, dlp_index p);

/* z (S, n), rows of N(0, I), S even: pairs 2i and 2i + 1 mirror each other. */
void dlpi_draw_cells(dlp_index S, dlp_index n, unsigned long seed, double *z,
                     dlp_index *order);

#endif
