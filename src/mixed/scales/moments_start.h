/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the search of the sds of a Gaussian response begins. Internal. */
#ifndef DLPI_MIXED_MOMENTS_START_H
#define DLPI_MIXED_MOMENTS_START_H

#include "mixed/block.h"

/* psi by how much levels differ, of terms with one effect a level, about the coefficients
   where the model
   begins; tau is that of a model without terms. Others stay as they are. */
dlp_status dlpi_moments_start(const dlpi_mixed *model, double *psi, dlp_error *error);

#endif
