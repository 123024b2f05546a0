/* SPDX-License-Identifier: BSD-3-Clause */
/* The prior of the columns of smooths, which come after the others. Internal. */
#ifndef DLPI_REGRESSION_SMOOTH_PRIOR_H
#define DLPI_REGRESSION_SMOOTH_PRIOR_H

#include "regression/prepare/prepare.h"

/* The scale of the prior of each smooth's sd: 2.5, with an identity link in sds of the
   response. */
double dlpi_smooth_scale(const dlpi_prepared *prepared);

/* Extends a prior of the first `fixed` columns to all. Those of smooths get N(0,
   scale^2), which only says where to start the search for them; the fit uses their own
   sds. */
dlp_status dlpi_smooth_prior(const dlpi_prepared *prepared, dlp_index fixed,
                             dlpi_prior_choice *prior, dlp_error *error);

#endif
