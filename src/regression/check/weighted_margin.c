/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/check/weighted_margin.h"
#include "math/distinct.h"

#include <math.h>
#include <stdlib.h>

void dlpi_twice_weighted_sort(dlp_index S, dlpi_twice_weighted *draw)
{
    qsort(draw, (size_t)S, sizeof *draw, dlpi_ascending);
}

/* The quantiles p (3), ascending: each draw is placed in the middle of its weight, with
   linear interpolation in between. */
static void find_quantiles(dlp_index S, const dlpi_twice_weighted *draw, int which,
                           const double *p, double *q)
{
    double before = 0, last_at = 0, last = draw[0].value;
    int k = 0;
    for (dlp_index s = 0; s < S && k < 3; s++) {
        const double w = draw[s].weight[which], at = before + 0.5 * w;
        for (; k < 3 && p[k] <= at; k++) {
            const double part = at > last_at ? (p[k] - last_at) / (at - last_at) : 1;
            q[k] = last + part * (draw[s].value - last);
        }
        before += w;
        last_at = at;
        last = draw[s].value;
    }
    for (; k < 3; k++) q[k] = last;
}

dlpi_weighted_margin dlpi_weighted_margin_of(dlp_index S, const dlpi_twice_weighted *draw,
                                             int which)
{
    static const double p[3] = {0.025, 0.5, 0.975};
    dlpi_weighted_margin m = {0};
    double q[3], square = 0, cube = 0, fourth = 0;
    for (dlp_index s = 0; s < S; s++) m.mean += draw[s].weight[which] * draw[s].value;
    for (dlp_index s = 0; s < S; s++) {
        const double w = draw[s].weight[which], off = draw[s].value - m.mean;
        square += w * off * off;
        cube += w * off * off * off;
        fourth += w * off * off * off * off;
    }
    m.sd = sqrt(square);
    m.skewness = m.sd > 0 ? cube / (square * m.sd) : 0;
    m.kurtosis = m.sd > 0 ? fourth / (square * square) - 3 : 0;
    find_quantiles(S, draw, which, p, q);
    m.lower = q[0];
    m.median = q[1];
    m.upper = q[2];
    return m;
}
