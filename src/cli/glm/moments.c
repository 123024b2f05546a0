/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/moments.h"

#include "cli/glm/rows.h"

#include <math.h>

enum { LANES = 4 }; /* sums that do not wait for one another */

/* sum_i w_i (x_i - centre), or of its square; w may be NULL. It is inlined, so that what is
   constant is not asked for at every row. */
static inline double sum_off(dlp_index N, const double *x, const double *w, double centre,
                             bool square)
{
    double sum[LANES] = {0};
    for (dlp_index at = 0; at < N; at += LANES) {
        const int n = N - at < LANES ? (int)(N - at) : LANES;
        for (int k = 0; k < n; k++) {
            const double off = x[at + k] - centre, v = square ? off * off : off;
            sum[k] += w ? w[at + k] * v : v;
        }
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double cli_glm_mean(const dlp_glm_data *d, const double *x)
{
    if (d->weight) return sum_off(d->N, x, d->weight, 0, false) / cli_glm_total_weight(d);
    return sum_off(d->N, x, NULL, 0, false) / (double)d->N;
}

double cli_glm_variance(const dlp_glm_data *d, const double *x, double centre)
{
    if (d->weight)
        return sum_off(d->N, x, d->weight, centre, true) / cli_glm_total_weight(d);
    return sum_off(d->N, x, NULL, centre, true) / (double)d->N;
}

/* The first row from i on that counts and differs from both values. */
static dlp_index next_other(const dlp_glm_data *d, const double *x, dlp_index i,
                            double one, double other)
{
    while (i < d->N && (x[i] == one || x[i] == other || !(cli_glm_weight(d, i) > 0))) i++;
    return i;
}

double cli_glm_step(const dlp_glm_data *d, const double *x, bool centred)
{
    const dlp_index first = next_other(d, x, 0, NAN, NAN);
    if (first == d->N) return 0;
    const double one = x[first];
    const dlp_index second = next_other(d, x, first, one, one);
    if (second == d->N) return 0;
    const double other = x[second];
    if (!centred && one != 0 && other != 0) return 0;
    return next_other(d, x, second, one, other) < d->N ? 0 : fabs(other - one);
}
