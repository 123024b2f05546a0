/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "math/distinct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <delaplace/special.h>

dlp_status dlp_median(dlp_index n, const double *x, double *median, dlp_error *error)
{
    if (n < 1) return dlp_fail(error, DLP_EINVAL, "the median needs at least one number");
    double *sorted = dlpi_calloc(n, sizeof *sorted);
    if (!sorted) return dlpi_no_memory(error, "the median");
    memcpy(sorted, x, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, dlpi_ascending);
    *median = 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
    free(sorted);
    return DLP_OK;
}

double dlp_mean(dlp_index n, const double *x)
{
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += x[i] / (double)n;
    return n < 1 ? NAN : sum;
}
