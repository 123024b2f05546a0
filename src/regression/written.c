/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/written.h"

#include <math.h>

/* The parameter that an entry adds to parameter i; -1: none. */
static dlp_index source(const dlp_regression_result *r, dlp_index i, dlp_index e)
{
    const bool by_level = r->family->support == DLP_SUPPORT_LEVELS;
    const dlp_index first = by_level ? i / r->p * r->p : 0;
    return r->written[e].to == i - first ? first + r->written[e].from : -1;
}

bool dlpi_is_written(const dlp_regression_result *r, dlp_index i)
{
    for (dlp_index e = 0; e < r->n_written; e++)
        if (source(r, i, e) >= 0) return true;
    return false;
}

double dlpi_written_value(const dlp_regression_result *r, dlp_index i,
                          const double *theta)
{
    double sum = theta[i];
    for (dlp_index e = 0; e < r->n_written; e++) {
        const dlp_index from = source(r, i, e);
        if (from >= 0) sum += r->written[e].value * theta[from];
    }
    return sum;
}

double dlpi_written_variance(const dlp_regression_result *r, dlp_index i,
                             const double *Sigma)
{
    const dlp_index n = r->n;
    double sum = dlpi_written_value(r, i, Sigma + i * n);
    for (dlp_index e = 0; e < r->n_written; e++) {
        const dlp_index from = source(r, i, e);
        if (from >= 0)
            sum += r->written[e].value * dlpi_written_value(r, i, Sigma + from * n);
    }
    return sum;
}

void dlpi_written_weights(const dlp_regression_result *r, dlp_index i, double *a)
{
    a[i] = 1;
    for (dlp_index e = 0; e < r->n_written; e++) {
        const dlp_index from = source(r, i, e);
        if (from >= 0) a[from] += r->written[e].value;
    }
}

/* The coefficient that contributes most to its sd, and with which sign. */
static dlp_index most_of(const dlp_regression_result *r, dlp_index i, double *sign)
{
    dlp_index at = i;
    double most = r->margin[i].sd;
    *sign = 1;
    for (dlp_index e = 0; e < r->n_written; e++) {
        const dlp_index from = source(r, i, e);
        const double sd = from >= 0 ? fabs(r->written[e].value) * r->margin[from].sd : 0;
        if (!(sd > most)) continue;
        most = sd;
        at = from;
        *sign = r->written[e].value < 0 ? -1 : 1;
    }
    return at;
}

dlp_margin dlpi_written_margin(const dlp_regression_result *r, dlp_index i)
{
    double sign;
    const dlp_margin *of = &r->margin[most_of(r, i, &sign)];
    const double mean = dlpi_written_value(r, i, r->mu),
                 sd = sqrt(dlpi_written_variance(r, i, r->Sigma)),
                 by = sign * sd / of->sd;
    const double one = mean + by * (of->lower - of->mean),
                 other = mean + by * (of->upper - of->mean);
    return (dlp_margin){mean, sd, fmin(one, other), mean + by * (of->median - of->mean),
                        fmax(one, other)};
}
