/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting a run from the end of the last one of a similar model. */
#include "core/core.h"
#include "infer/infer.h"

#include <string.h>

void dlpi_fit_keep_warm(const dlp_fit *fit, dlpi_warm_start *warm)
{
    const size_t bytes = (size_t)fit->model.shape.n * sizeof *warm->start;
    warm->has_offset = fit->offset_is == DLPI_THIS_RUNS;
    memcpy(warm->start, warm->has_offset ? fit->laplace : fit->q.mu, bytes);
    if (warm->has_offset) memcpy(warm->offset, fit->offset, bytes);
}

dlp_status dlpi_fit_run_warm(dlp_fit *fit, const dlpi_warm_start *warm, dlp_error *error)
{
    const size_t bytes = (size_t)fit->model.shape.n * sizeof *warm->start;
    DLP_TRY(dlp_fit_init(fit, warm->start, error));
    if (warm->has_offset) {
        fit->offset_is = DLPI_LAST_RUNS;
        memcpy(fit->offset, warm->offset, bytes);
    }
    while (!dlp_fit_done(fit)) DLP_TRY(dlp_fit_step(fit, error));
    return DLP_OK;
}
