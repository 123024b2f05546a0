/* SPDX-License-Identifier: BSD-3-Clause */
/* The effects of levels that are divided among processes. */
#include "core/core.h"
#include "mixed/result/summary.h"

#include <string.h>

/* Rows of `wide` numbers, one for each level: own ones go to their place, and to all. */
static dlp_status gather(const dlpi_division *d, dlp_index wide, const double *own,
                         double *all, dlp_error *error)
{
    const dlp_index unit = wide * (dlp_index)sizeof *all;
    memcpy(all + d->from * wide, own, (size_t)((d->to - d->from) * unit));
    for (int rank = 0; rank < d->comm->size; rank++) {
        const dlp_index first = dlpi_division_first(d, rank),
                        end = dlpi_division_first(d, rank + 1);
        DLP_TRY(d->comm->ops->share(d->comm, rank, (end - first) * unit,
                                    all + first * wide, error));
    }
    return DLP_OK;
}

dlp_status dlpi_effects_gather(const dlpi_mixed_data *data, dlpi_mixed_effects *effects,
                               dlp_index n, dlp_error *error)
{
    const dlpi_division *d = data->division->leaves;
    const dlp_index q = effects->q, L = d->rows;
    double *mean = dlpi_calloc(L, (size_t)(q * (1 + q + n)) * sizeof *mean),
           *variance = mean + L * q, *with_beta = variance + L * q * q;
    if (!mean) return dlpi_no_memory(error, "the effects of a mixed model");
    dlp_status status = gather(d, q, effects->mean, mean, error);
    if (status == DLP_OK) status = gather(d, q * q, effects->variance, variance, error);
    if (status == DLP_OK) status = gather(d, q * n, effects->with_beta, with_beta, error);
    free(effects->mean);
    effects->mean = mean;
    effects->variance = variance;
    effects->with_beta = with_beta;
    effects->L = L;
    return status;
}
