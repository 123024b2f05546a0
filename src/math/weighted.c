/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/weighted.h"
#include "math/distinct.h"

#include <stdbool.h>
#include <stdlib.h>

/* Two values, such as 0 and 1, take no sorting. false: there are more. */
static bool part_two(dlp_index n, dlpi_weighted *w)
{
    dlp_index first = 1, low = 0;
    while (first < n && w[first].value == w[0].value) first++;
    if (first >= n) return true;
    const double a = w[0].value, b = w[first].value, least = a < b ? a : b;
    for (dlp_index i = first; i < n; i++)
        if (w[i].value != a && w[i].value != b) return false;
    for (dlp_index i = 0; i < n; i++)
        if (w[i].value == least) {
            const dlpi_weighted other = w[low];
            w[low++] = w[i];
            w[i] = other;
        }
    return true;
}

void dlpi_weighted_sort(dlp_index n, dlpi_weighted *w)
{
    if (n > 1 && part_two(n, w)) return;
    qsort(w, (size_t)n, sizeof *w, dlpi_ascending); /* the value comes first */
}

double dlpi_weighted_quantile(dlp_index n, const dlpi_weighted *w, double p)
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
