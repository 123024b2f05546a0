/* SPDX-License-Identifier: BSD-3-Clause */
/* Densities, distribution functions and quantiles as functions: dnorm(x, mu, tau),
   logdensity.norm, pnorm and qnorm, for all distributions of single numbers. */
#include "density/functions.h"

#include <stdio.h>
#include <string.h>

typedef enum kind { DENSITY, LOG_DENSITY, BELOW, QUANTILE } kind;

/* "pnorm" is kind BELOW of "dnorm". */
static const dlpi_distribution *distribution_of(const char *name, kind *which)
{
    static const char log_density[] = "logdensity.";
    char of[64];
    const char *rest = name + 1;
    *which = name[0] == 'd' ? DENSITY : name[0] == 'p' ? BELOW : QUANTILE;
    if (!strncmp(name, log_density, sizeof log_density - 1)) {
        rest = name + sizeof log_density - 1;
        *which = LOG_DENSITY;
    }
    if (strlen(rest) + 2 > sizeof of) return NULL;
    snprintf(of, sizeof of, "d%s", rest);
    return dlpi_distribution_find(of);
}

/* ---- quantiles ---- */

/* For numbers: brackets x by doubling, then bisects the cdf. Counts are rounded up. */
static dlpi_expr bisected_quantile(const dlpi_distribution *d, dlpi_builder *b, double p,
                                   const dlpi_value *of)
{
    double low = 0, high = 1, value;
    dlpi_expr lower = -1, upper = -1;
    const bool count = d->support == DLPI_COUNT || d->support == DLPI_BINARY;
    if (!(p >= 0 && p <= 1)) return num(b, NAN);
    if (d->bounds) d->bounds(b, of, &lower, &upper);
    const bool whole_line = d->support == DLPI_REAL;
    if (whole_line) low = -1;
    if (lower >= 0) dlpi_is_number(b, lower, &low);
    high = low + 1;
    for (int i = 0; i < 1100; i++, high = low + 2 * (high - low))
        if (!dlpi_is_number(b, d->cdf(b, num(b, high), of), &value) || !(value < p))
            break;
    for (int i = 0; whole_line && i < 1100; i++, low = high - 2 * (high - low))
        if (!dlpi_is_number(b, d->cdf(b, num(b, low), of), &value) || !(value > p)) break;
    if (count && p > 0) low -= 1;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + 0.5 * (high - low);
        if (count) middle = floor(middle);
        if (middle <= low || middle >= high) break;
        dlpi_is_number(b, d->cdf(b, num(b, middle), of), &value);
        if (value < p)
            low = middle;
        else
            high = middle;
    }
    return dlpi_datum(b, high);
}

static dlp_status quantile(const dlpi_bugs_function *f, const dlpi_distribution *d,
                           dlpi_builder *b, dlpi_expr p, int n_of, const dlpi_value *of,
                           dlpi_expr *e, dlp_error *error)
{
    double number = 0;
    bool numbers = dlpi_is_number(b, p, &number);
    for (int i = 0; i < n_of; i++)
        numbers = numbers && dlpi_is_number(b, of[i].at[0], NULL);
    *e = d->quantile ? d->quantile(b, p, of) : -1;
    if (*e >= 0) return DLP_OK;
    if (!d->cdf)
        return dlp_fail(error, DLP_EINVAL, "'%s' is not available as a function",
                        f->name);
    if (!numbers)
        return dlp_fail(error, DLP_EINVAL, "'%s' can be computed only for known numbers",
                        f->name);
    *e = bisected_quantile(d, b, number, of);
    return DLP_OK;
}

/* ---- all of them ---- */

static dlp_status one_value(const dlpi_bugs_function *f, dlpi_builder *b, int n_args,
                            const dlpi_value *args, dlpi_expr *e, dlp_error *error)
{
    kind which;
    const dlpi_distribution *d = distribution_of(f->name, &which);
    const dlpi_value *of = args + 1;
    if (!d || n_args < 1 || !args[0].at || (which == BELOW && !d->cdf))
        return dlp_fail(error, DLP_EINVAL, "'%s' is not available as a function",
                        f->name);
    if (which == BELOW) *e = d->cdf(b, args[0].at[0], of);
    if (which == DENSITY || which == LOG_DENSITY) *e = d->log_density(b, args, of);
    if (which == DENSITY) *e = exp_(b, *e);
    if (which == QUANTILE)
        return quantile(f, d, b, args[0].at[0], n_args - 1, of, e, error);
    return DLP_OK;
}

static dlp_status build_probability(DLPI_BUILD)
{
    const dlpi_value *shape;
    DLP_TRY(dlpi_common_shape(f, n_args, args, &shape, error));
    dlpi_expr *at = dlpi_array_result(b, shape->n, shape->n_dim, shape->dim, result);
    if (!at) return dlpi_no_memory(error, "expressions");
    for (dlp_index i = 0; i < shape->n; i++) {
        dlpi_value one[5] = {{0}};
        for (int a = 0; a < n_args && a < 5; a++)
            one[a] = (dlpi_value){.n = 1, .at = args[a].at + (args[a].n == 1 ? 0 : i)};
        DLP_TRY(one_value(f, b, n_args, one, &at[i], error));
    }
    return DLP_OK;
}

#define PROBABILITY(text, n)                                                             \
    {                                                                                    \
        .name = (text), .n_args = (n), .n_args_max = (n), .build = build_probability     \
    }
#define ALL_FOUR(text, n)                                                                \
    PROBABILITY("d" text, n), PROBABILITY("logdensity." text, n),                        \
        PROBABILITY("p" text, n), PROBABILITY("q" text, n)

const dlpi_bugs_function dlpi_probability_functions[] = {
    ALL_FOUR("norm", 3),   ALL_FOUR("unif", 3),       ALL_FOUR("gamma", 3),
    ALL_FOUR("beta", 3),   ALL_FOUR("t", 4),          ALL_FOUR("exp", 2),
    ALL_FOUR("lnorm", 3),  ALL_FOUR("logis", 3),      ALL_FOUR("dexp", 3),
    ALL_FOUR("weib", 3),   ALL_FOUR("weibull", 3),    ALL_FOUR("par", 3),
    ALL_FOUR("chisqr", 2), ALL_FOUR("chisq", 2),      ALL_FOUR("gen.gamma", 4),
    ALL_FOUR("f", 3),      ALL_FOUR("bin", 3),        ALL_FOUR("binom", 3),
    ALL_FOUR("pois", 2),   ALL_FOUR("negbin", 3),     ALL_FOUR("nbinom", 3),
    ALL_FOUR("bern", 2),   ALL_FOUR("betabin", 4),    ALL_FOUR("hyper", 5),
    ALL_FOUR("par1", 3),   ALL_FOUR("par2", 4),       ALL_FOUR("par3", 4),
    ALL_FOUR("par4", 5),   ALL_FOUR("lomax", 3),      ALL_FOUR("mouch", 2),
    ALL_FOUR("genpar", 4), ALL_FOUR("halfcauchy", 2),
};
const int dlpi_n_probability_functions =
    sizeof dlpi_probability_functions / sizeof dlpi_probability_functions[0];
