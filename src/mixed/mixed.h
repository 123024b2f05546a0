/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mixed models: y_r ~ p(y | eta_r, tau), eta = X beta + sum_t Z_t b_t + offset, with the
 * effects of a level of term t drawn from N(0, Lambda_t). psi holds what the Lambdas and
 * the scale are made of (hyper.h).
 *
 * Given psi, the effects of one term, the leaves, are independent given all others, and are
 * integrated out one level at a time (leaves.h); the others and beta, x, are approximated
 * by a Gaussian at the mode of what is left (block.h). psi is integrated over by nodes
 * (infer/explore.h). Internal.
 */
#ifndef DLPI_MIXED_H
#define DLPI_MIXED_H

#include <delaplace/random_effects.h>
#include <stdint.h>

#include "infer/rows.h"

#include <stdbool.h>

/* Effects that vary by the levels of a factor, with one covariance matrix. */
typedef struct dlpi_mixed_term {
    dlp_index L;            /* levels */
    dlp_index q;            /* effects of a level */
    const int32_t *code;    /* (N) the level of each row */
    const double *const *x; /* (q) columns, each (N); NULL: ones */
} dlpi_mixed_term;

typedef struct dlpi_mixed_data {
    dlpi_likelihood *likelihood;
    bool has_scale; /* it depends on tau, the logarithm of a scale */
    bool is_linear; /* it is a Gaussian in eta */
    dlp_index N, p;
    const double *const *X; /* (p) columns, each (N) */
    const double *y;        /* (N) */
    const double *trials;   /* (N) or NULL: 1 each */
    const double *weight;   /* (N) or NULL: 1 each */
    const double *offset;   /* (N) or NULL: 0 each */
    dlp_index n_terms;      /* at least 1 */
    const dlpi_mixed_term *term;
} dlpi_mixed_data;

typedef struct dlpi_mixed_prior {
    const double *mean;      /* (p) of beta, or NULL: 0 */
    const double *precision; /* (p, p) of beta */
    /* (sum of q) of each sd, term by term, or NULL: half Student-t */
    const dlp_sd_prior *sd;
    const double *sd_scale; /* (sum of q) of that */
    double sd_df;
    const double *lkj;       /* (n_terms) eta of LKJ's prior, or NULL: */
    double correlation;      /* of all terms */
    double tau_mean, tau_sd; /* of the log of the scale, normal */
} dlpi_mixed_prior;

#endif
