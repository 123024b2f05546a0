/* SPDX-License-Identifier: BSD-3-Clause */
/* All distributions, by name, and the probability of an interval. */
#include "density/distribution_tables.h"

#include <string.h>

bool dlpi_all_scalars(const dlpi_value *y, const dlpi_value *params)
{
    (void)params; /* the caller has checked their number */
    return y->n == 1;
}

const dlpi_distribution *dlpi_distribution_at(int i)
{
    const struct {
        const dlpi_distribution *table;
        int n;
    } part[] = {{dlpi_real_distributions, dlpi_n_real_distributions},
                {dlpi_positive_distributions, dlpi_n_positive_distributions},
                {dlpi_pareto_distributions, dlpi_n_pareto_distributions},
                {dlpi_count_distributions, dlpi_n_count_distributions},
                {dlpi_vector_distributions, dlpi_n_vector_distributions}};
    for (size_t t = 0; i >= 0 && t < sizeof part / sizeof part[0]; t++) {
        if (i < part[t].n) return &part[t].table[i];
        i -= part[t].n;
    }
    return NULL;
}

const dlpi_distribution *dlpi_distribution_find(const char *name)
{
    const dlpi_distribution *d;
    for (int i = 0; (d = dlpi_distribution_at(i)); i++)
        if (!strcmp(d->name, name) || (d->alias && !strcmp(d->alias, name))) return d;
    return NULL;
}

static dlpi_expr log_above(const dlpi_distribution *d, dlpi_builder *b, dlpi_expr y,
                           const dlpi_value *params)
{
    if (d->log_above) return d->log_above(b, y, params);
    return log_(b, minus_from(b, 1, d->cdf(b, y, params)));
}

/* For counts: the largest whole number below the bound. */
static dlpi_expr before(const dlpi_distribution *d, dlpi_builder *b, dlpi_expr lower)
{
    if (d->support != DLPI_COUNT && d->support != DLPI_BINARY) return lower;
    const dlpi_expr ceiling = neg(b, dlpi_apply1(b, DLPI_OP_FLOOR, neg(b, lower)));
    return plus(b, -1, ceiling);
}

/* The bound, or -1 if the support ends there anyway. */
static dlpi_expr needed(dlpi_builder *b, dlpi_expr bound, dlpi_expr end, bool lower)
{
    double at, of_support;
    if (bound < 0 || !dlpi_is_number(b, bound, &at)) return bound;
    if (!dlpi_is_number(b, end, &of_support)) return bound;
    return (lower ? at <= of_support : at >= of_support) ? -1 : bound;
}

static void support_of(const dlpi_distribution *d, dlpi_builder *b,
                       const dlpi_value *params, dlpi_expr *lower, dlpi_expr *upper)
{
    const bool count = d->support == DLPI_COUNT || d->support == DLPI_BINARY;
    *lower = num(b, count ? 0 : -INFINITY);
    *upper = num(b, d->support == DLPI_BINARY ? 1 : INFINITY);
    if (d->bounds) d->bounds(b, params, lower, upper);
}

/* With a(y) = log P(Y > y), log(P(Y > l) - P(Y > u)) = a(l) + log(1 - exp(a(u) - a(l))):
   this keeps its digits in both tails. */
dlpi_expr dlpi_log_between(const dlpi_distribution *d, dlpi_builder *b,
                           const dlpi_value *params, dlpi_expr lower, dlpi_expr upper)
{
    dlpi_expr low, high;
    if (!d->cdf) return -1;
    support_of(d, b, params, &low, &high);
    lower = needed(b, lower, low, true);
    upper = needed(b, upper, high, false);
    if (lower < 0 && upper < 0) return num(b, 0);
    if (lower < 0) return log_(b, d->cdf(b, upper, params));
    const dlpi_expr above_lower = log_above(d, b, before(d, b, lower), params);
    if (upper < 0) return above_lower;
    const dlpi_expr above_upper = log_above(d, b, upper, params);
    return add(b, above_lower,
               dlpi_apply1(b, DLPI_OP_LOG1M_EXP, sub(b, above_upper, above_lower)));
}
