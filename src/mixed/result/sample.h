/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Weighted draws of x and psi, with the leaves integrated out: psi from the points that
 * were explored, x from its Gaussian given psi or, unless the response is Gaussian, from
 * a similar Student-t distribution, with the weights
 *
 *   log w = log p(y, x, psi) - log g(x) - log q(psi).
 *
 * Draws come in pairs that mirror each other in x. Internal.
 */
#ifndef DLPI_MIXED_SAMPLE_H
#define DLPI_MIXED_SAMPLE_H

#include "infer/explore.h"
#include "math/psis.h"
#include "mixed/block.h"
#include "mixed/tilt.h"

/* A finished fit, for as long as it exists. */
typedef struct dlpi_mixed_found {
    const dlpi_mixed *model;
    dlpi_explore *explore;
    dlpi_mixed_block *block; /* (threads) */
    int threads;
    dlpi_mixed_tilt tilt;
} dlpi_mixed_found;

/* Empty when zeroed. */
typedef struct dlpi_mixed_sample {
    dlp_index S;
    double *psi;            /* (S, m) */
    double *x;              /* (S, n) */
    double *log_weight;     /* (S) smoothed; exp of them adds up to 1 */
    struct dlpi_psis psis;  /* of the weights */
    double log_evidence;    /* from them, */
    double log_evidence_se; /* and its standard error */
} dlpi_mixed_sample;

/* S is rounded to an even number. */
dlp_status dlpi_mixed_sample_make(const dlpi_mixed_found *found, dlp_index S,
                                  unsigned long seed, dlpi_mixed_sample *sample,
                                  dlp_error *error);
void dlpi_mixed_sample_clear(dlpi_mixed_sample *sample);

#endif
