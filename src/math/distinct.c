/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/distinct.h"

#include <stdlib.h>

int dlpi_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

dlp_index dlpi_distinct(dlp_index n, double *x)
{
    dlp_index kept = 0;
    if (n > 0) qsort(x, (size_t)n, sizeof *x, dlpi_ascending);
    for (dlp_index i = 0; i < n; i++)
        if (kept == 0 || x[i] != x[kept - 1]) x[kept++] = x[i];
    return kept;
}
