/* SPDX-License-Identifier: BSD-3-Clause */
/* The priors of sds, correlations and shares between levels, and of the sds of smooths. Internal. */
#ifndef DLPI_REGRESSION_RANDOM_PRIOR_H
#define DLPI_REGRESSION_RANDOM_PRIOR_H

#include "regression/prepare/prepare.h"

typedef struct dlpi_random_priors {
    dlp_sd_prior *sd;   /* (sum of q, then n_smooths) term by term */
    double *lkj;        /* (n_random, then n_smooths) LKJ's eta, for correlations */
    double *share;      /* (n_random, 2) a and b of Beta, for the share of bym2 */
    bool *lkj_stated;   /* (n_random) whether the user stated each of the two */
    bool *share_stated; /* (n_random) */
} dlpi_random_priors;

/* Priors that nobody stated are weak: in sds of the column, and with an identity link in
   `unit`, an sd of the response; correlations and shares are uniform. */
dlp_status dlpi_random_prior(const dlpi_prepared *prepared, const dlp_glm_data *rows,
                             double unit, const dlpi_random_priors *out,
                             dlp_error *error);

/* Whether it is bym2, whose share has a prior; or ar1, whose correlation has one. */
bool dlpi_has_share(const dlp_basis *process);
bool dlpi_has_correlation(const dlp_basis *process);

#endif
