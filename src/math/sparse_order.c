/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of elimination: that of AMD, an approximate minimum degree. Rows that are
   nearly full come last by its own rule. */
#include "core/core.h"
#include "math/sparse.h"

#include <amd.h>

dlp_status dlpi_sparse_order(const dlp_pattern *pattern, int32_t *order, dlp_error *error)
{
    const dlp_index n = pattern->n;
    int32_t *start = dlpi_calloc(n + 1, sizeof *start);
    if (!start) return dlpi_no_memory(error, "the order of elimination");
    for (dlp_index i = 0; i <= n; i++) start[i] = (int32_t)pattern->start[i];
    const int outcome = amd_order((int32_t)n, start, pattern->column, order, NULL, NULL);
    free(start);
    return outcome == AMD_OK || outcome == AMD_OK_BUT_JUMBLED
               ? DLP_OK
               : dlpi_no_memory(error, "the order of elimination");
}
