/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of a mixed model when psi has been explored. Internal. */
#ifndef DLPI_MIXED_SUMMARY_H
#define DLPI_MIXED_SUMMARY_H

#include "infer/explore.h"
#include "mixed/block.h"
#include "mixed/fit.h"

dlp_status dlpi_mixed_result_alloc(const dlpi_mixed_data *data, dlpi_mixed_result *result,
                                   dlp_error *error);

/* beta and the effects of all levels: the mixture over the points of psi. */
dlp_status dlpi_summarise_effects(const dlpi_mixed *model, const dlpi_explore *e,
                                  dlpi_mixed_block *block, int threads,
                                  dlpi_mixed_result *result, dlp_error *error);
/* sds, correlations and the scale. */
dlp_status dlpi_summarise_hyper(const dlpi_mixed *model, const dlpi_explore *e,
                                dlpi_mixed_result *result, dlp_error *error);

#endif
