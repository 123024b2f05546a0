/* SPDX-License-Identifier: BSD-3-Clause */
/* The prior of the columns that smooths have behind the others. Internal. */
#ifndef DLPI_REGRESSION_SMOOTH_PRIOR_H
#define DLPI_REGRESSION_SMOOTH_PRIOR_H

#include "regression/prepare/prepare.h"

/* The scale of the prior of each smooth's sd: 2.5, with an identity link in sds of the
   response. */
double dlpi_smooth_scale(const dlpi_prepared *prepared);

/* From a prior of the first `fixed` of the columns to one of all. Those of smooths are
   N(0, scale^2) there, which says where to look for them first; the fit takes their own
   sds. */
dlp_status dlpi_smooth_prior(const dlpi_prepared *prepared, dlp_index fixed,
                             dlpi_prior_choice *prior, dlp_error *error);

#endif
