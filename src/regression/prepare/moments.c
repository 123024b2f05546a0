/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/moments.h"

#include "comm/division.h"

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

static void add_weights(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const dlp_glm_data *d = context;
    for (dlp_index i = from; i < to; i++) *sum += dlpi_row_weight(d, i);
}

double dlpi_total_weight(const dlp_glm_data *data)
{
    double sum;
    dlpi_division_sum(data->division, data->N, 1, add_weights, data, &sum);
    return sum;
}

/* What is summed. */
typedef struct off_centre {
    const double *x, *w;
    double centre;
} off_centre;

static void add_off(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const off_centre *of = context;
    const double *x = of->x + from;
    *sum += of->w ? sum_off(to - from, x, of->w + from, of->centre, false)
                  : sum_off(to - from, x, NULL, of->centre, false);
}

static void add_squares(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const off_centre *of = context;
    const double *x = of->x + from;
    *sum += of->w ? sum_off(to - from, x, of->w + from, of->centre, true)
                  : sum_off(to - from, x, NULL, of->centre, true);
}

static double average(const dlp_glm_data *d, dlpi_rows_add *add, const double *x,
                      double centre)
{
    const off_centre of = {x, d->weight, centre};
    double sum;
    dlpi_division_sum(d->division, d->N, 1, add, &of, &sum);
    return sum / (d->weight ? dlpi_total_weight(d) : (double)d->N);
}

double dlpi_column_mean(const dlp_glm_data *d, const double *x)
{
    return average(d, add_off, x, 0);
}

double dlpi_column_variance(const dlp_glm_data *d, const double *x, double centre)
{
    return average(d, add_squares, x, centre);
}

/* The first row from i on that counts and differs from both values. */
static dlp_index next_other(const dlp_glm_data *d, const double *x, dlp_index i,
                            double one, double other)
{
    while (i < d->N && (x[i] == one || x[i] == other || !(dlpi_row_weight(d, i) > 0)))
        i++;
    return i;
}

/* Two values are the least and the largest. */
static double divided_step(const dlp_glm_data *d, const double *x, bool centred)
{
    dlpi_division *division = d->division;
    double least = INFINITY, most = -INFINITY;
    bool others = false;
    for (dlp_index i = division->from; i < division->to; i++) {
        if (!(dlpi_row_weight(d, i) > 0)) continue;
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    least = -dlpi_division_most(division, -least);
    most = dlpi_division_most(division, most);
    for (dlp_index i = division->from; i < division->to && !others; i++)
        others = x[i] != least && x[i] != most && dlpi_row_weight(d, i) > 0;
    others = dlpi_division_any(division, others);
    const bool away = !centred && least != 0 && most != 0;
    return others || away || !(least < most) ? 0 : most - least;
}

double dlpi_column_step(const dlp_glm_data *d, const double *x, bool centred)
{
    if (dlpi_is_divided(d->division)) return divided_step(d, x, centred);
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

/* What is summed: of rows that weigh N together. */
typedef struct response {
    const dlp_glm_data *d;
    double centre, N;
} response;

static double off_response(const response *of, dlp_index i)
{
    const double *offset = of->d->offset;
    return known_of(of->d, i) - (offset ? offset[i] : 0) - of->centre;
}

static void add_response(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const response *of = context;
    for (dlp_index i = from; i < to; i++)
        *sum += dlpi_row_weight(of->d, i) * off_response(of, i);
}

static void add_response_squares(const void *context, dlp_index from, dlp_index to,
                                 double *sum)
{
    const response *of = context;
    for (dlp_index i = from; i < to; i++) {
        const double off = off_response(of, i);
        *sum += dlpi_row_weight(of->d, i) * off * off / of->N;
    }
}

void dlpi_response_measure(const dlp_glm_data *d, dlp_index intercept, double *centre,
                           double *unit)
{
    response of = {.d = d, .N = dlpi_total_weight(d)};
    double sum, squares, largest = 0;
    dlpi_division_sum(d->division, d->N, 1, add_response, &of, &sum);
    *centre = of.centre = intercept >= 0 ? sum / of.N : 0;
    dlpi_division_sum(d->division, d->N, 1, add_response_squares, &of, &squares);
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++)
        largest = fmax(largest, fabs(off_response(&of, i)));
    largest = dlpi_division_most(d->division, largest);
    /* squares of numbers such as 1e-160 underflow, and those of 1e160 overflow */
    const bool lost = !(squares > 1e-290 && isfinite(squares));
    *unit = !lost ? sqrt(squares) : largest > 0 ? largest : 1;
}
