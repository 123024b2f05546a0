/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the search for the sds of a Gaussian response starts. Internal. */
#ifndef DLPI_MIXED_MOMENTS_START_H
#define DLPI_MIXED_MOMENTS_START_H

#include "mixed/block.h"

/* Sets psi from how much the levels differ, for terms with one effect per level, given
   the coefficients at which the model starts; tau is that of a model without terms. Other
   numbers stay as they are. */
dlp_status dlpi_moments_start(const dlpi_mixed *model, double *psi, dlp_error *error);

#endif
