/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/moments.h"

#include <math.h>

enum { LANES = 4 }; /* independent partial sums */

/* sum_i w_i (x_i - centre), or of its square; w may be NULL. Inlined, so that constant
   conditions are not tested for every row. */
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

double dlpi_total_weight(const dlp_glm_data *data)
{
    double sum = 0;
    for (dlp_index i = 0; i < data->N; i++) sum += dlpi_row_weight(data, i);
    return sum;
}

double dlpi_column_mean(const dlp_glm_data *d, const double *x)
{
    if (d->weight) return sum_off(d->N, x, d->weight, 0, false) / dlpi_total_weight(d);
    return sum_off(d->N, x, NULL, 0, false) / (double)d->N;
}

double dlpi_column_variance(const dlp_glm_data *d, const double *x, double centre)
{
    if (d->weight)
        return sum_off(d->N, x, d->weight, centre, true) / dlpi_total_weight(d);
    return sum_off(d->N, x, NULL, centre, true) / (double)d->N;
}

/* The first row from i on that counts and differs from both values. */
static dlp_index next_other(const dlp_glm_data *d, const double *x, dlp_index i,
                            double one, double other)
{
    while (i < d->N && (x[i] == one || x[i] == other || !(dlpi_row_weight(d, i) > 0)))
        i++;
    return i;
}

double dlpi_column_step(const dlp_glm_data *d, const double *x, bool centred)
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

dlpi_column_units dlpi_column_measure(const dlp_glm_data *d, dlp_index j,
                                      dlp_index intercept)
{
    const double *x = d->x[j];
    const bool centred = intercept >= 0;
    const double mean = centred ? dlpi_column_mean(d, x) : 0;
    const double sd = sqrt(dlpi_column_variance(d, x, mean));
    const double step = dlpi_column_step(d, x, centred), size = step > 0 ? step : sd;
    const bool varies = j != intercept && isfinite(size) && size > 1e-12 * fabs(mean);
    return (dlpi_column_units){varies ? mean : 0, varies ? size : 1, sd};
}

/* A rough value for a censored response: its limit, or the middle between two. Among
   families whose mean is linear, only censored ones have a second number. */
static double known_of(const dlp_glm_data *d, dlp_index i)
{
    const double lower = d->y[i], upper = d->trials ? d->trials[i] : lower;
    if (isinf(lower)) return isinf(upper) ? 0 : upper;
    return isinf(upper) ? lower : 0.5 * (lower + upper);
}

void dlpi_response_measure(const dlp_glm_data *d, dlp_index intercept, double *centre,
                           double *unit)
{
    double sum = 0, squares = 0, largest = 0;
    const double N = dlpi_total_weight(d);
    for (dlp_index i = 0; i < d->N; i++)
        sum += dlpi_row_weight(d, i) * (known_of(d, i) - (d->offset ? d->offset[i] : 0));
    *centre = intercept >= 0 ? sum / N : 0;
    for (dlp_index i = 0; i < d->N; i++) {
        const double off = known_of(d, i) - (d->offset ? d->offset[i] : 0) - *centre;
        squares += dlpi_row_weight(d, i) * off * off / N;
        largest = fmax(largest, fabs(off));
    }
    /* squares of numbers such as 1e-160 underflow, and those of 1e160 overflow */
    const bool lost = !(squares > 1e-290 && isfinite(squares));
    *unit = !lost ? sqrt(squares) : largest > 0 ? largest : 1;
}
