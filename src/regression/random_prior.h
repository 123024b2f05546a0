/* SPDX-License-Identifier: BSD-3-Clause */
/* The priors of sds and correlations between levels. Internal. */
#ifndef DLPI_REGRESSION_RANDOM_PRIOR_H
#define DLPI_REGRESSION_RANDOM_PRIOR_H

#include "regression/prepare.h"

/* Of each sd (sum of q), term by term, and of each term's correlations: eta (n_random) of
   LKJ, and whether it was stated. What nobody stated is weak: in sds of the column, and with
   an identity link in `unit`, one of the response. */
dlp_status dlpi_random_prior(const dlpi_prepared *prepared, const dlp_glm_data *rows,
                             double unit, dlp_sd_prior *sd, double *lkj, bool *lkj_stated,
                             dlp_error *error);

#endif
