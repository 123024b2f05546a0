/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/weighed.h"
#include "math/distinct.h"

#include <stdlib.h>

void dlpi_weighed_sort(dlp_index n, dlpi_weighed *w)
{
    qsort(w, (size_t)n, sizeof *w, dlpi_ascending); /* the value comes first */
}

double dlpi_weighed_quantile(dlp_index n, const dlpi_weighed *w, double p)
{
    double sum = 0.5 * w[0].weight;
    if (p <= sum) return w[0].value;
    for (dlp_index i = 1; i < n; i++) {
        const double step = 0.5 * (w[i - 1].weight + w[i].weight);
        if (sum + step >= p && step > 0)
            return w[i - 1].value + (p - sum) / step * (w[i].value - w[i - 1].value);
        sum += step;
    }
    return w[n - 1].value;
}
