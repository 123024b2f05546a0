/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of the distributions, until their densities are there: then this file goes. */
#include "bugs/distribution.h"

#include <string.h>

static const char *positive(int i, double v)
{
    (void)i;
    return v > 0 ? NULL : "must be positive";
}
static const char *second_positive(int i, double v)
{
    return i != 1 || v > 0 ? NULL : "must be positive";
}
static const char *probability(int i, double v)
{
    return i != 0 || (v >= 0 && v <= 1) ? NULL : "must lie between 0 and 1";
}
static const char *not_negative(int i, double v)
{
    (void)i;
    return v >= 0 ? NULL : "must not be negative";
}

#define D(name, alias, n, support, params, complain)                                     \
    {                                                                                    \
        name, alias, n, n, support, params, complain, NULL, NULL, NULL, NULL, NULL, NULL \
    }
static const dlpi_distribution table[] = {
    D("dnorm", NULL, 2, DLPI_REAL, "mean, precision", second_positive),
    D("dunif", NULL, 2, DLPI_INTERVAL, "lower, upper", NULL),
    D("dgamma", NULL, 2, DLPI_INTERVAL, "shape, rate", positive),
    D("dbern", NULL, 1, DLPI_BINARY, "probability", probability),
    D("dcat", NULL, 1, DLPI_CATEGORY, "probabilities", not_negative),
    D("dbin", "dbinom", 2, DLPI_COUNT, "probability, size", probability),
    D("dbeta", NULL, 2, DLPI_INTERVAL, "a, b", positive),
    D("dt", NULL, 3, DLPI_REAL, "mean, precision, degrees of freedom", second_positive),
    D("dpois", NULL, 1, DLPI_COUNT, "mean", not_negative),
    D("dmnorm", NULL, 2, DLPI_REAL_VECTOR, "mean, precision", NULL),
    D("dmulti", "dmultinom", 2, DLPI_COUNT_VECTOR, "probabilities, size", NULL),
    D("dlogis", NULL, 2, DLPI_REAL, "mean, precision", second_positive),
    D("dexp", NULL, 1, DLPI_INTERVAL, "rate", positive),
    D("dwish", NULL, 2, DLPI_POSITIVE_DEFINITE, "scale matrix, degrees of freedom", NULL),
    D("ddirch", "ddirich", 1, DLPI_SIMPLEX, "alpha", NULL),
    D("dlnorm", NULL, 2, DLPI_INTERVAL, "mean, precision", second_positive),
    D("dinterval", NULL, 2, DLPI_COUNT, "t, cut points", NULL),
    D("dmnorm.vcov", NULL, 2, DLPI_REAL_VECTOR, "mean, covariance", NULL),
    D("dweib", "dweibull", 2, DLPI_INTERVAL, "shape, rate", positive),
    D("dflat", NULL, 0, DLPI_REAL, "", NULL),
    D("dpar", NULL, 2, DLPI_INTERVAL, "alpha, c", positive),
    D("dchisqr", "dchisq", 1, DLPI_INTERVAL, "degrees of freedom", positive),
    D("ddexp", NULL, 2, DLPI_REAL, "mean, rate", second_positive),
    D("dgen.gamma", NULL, 3, DLPI_INTERVAL, "shape, rate, power", positive),
    D("df", NULL, 2, DLPI_INTERVAL, "n, m", positive),
    D("dnegbin", "dnbinom", 2, DLPI_COUNT, "probability, size", probability),
    D("dhyper", NULL, 4, DLPI_COUNT, "n1, n2, m1, psi", NULL),
    D("dmt", NULL, 3, DLPI_REAL_VECTOR, "mean, precision, degrees of freedom", NULL),
    D("dgeom", NULL, 1, DLPI_COUNT, "probability", probability),
    D("dbetabin", NULL, 3, DLPI_COUNT, "a, b, size", positive),
    D("dscaled.gamma", NULL, 2, DLPI_INTERVAL, "scale, degrees of freedom", positive),
    D("dscaled.wishart", NULL, 2, DLPI_POSITIVE_DEFINITE, "scales, degrees of freedom",
      NULL),
    D("dnt", NULL, 3, DLPI_REAL, "mean, precision, degrees of freedom", second_positive),
};
enum { N = sizeof table / sizeof *table };

const dlpi_distribution *dlpi_distribution_at(int i)
{
    return i >= 0 && i < N ? &table[i] : NULL;
}

const dlpi_distribution *dlpi_distribution_find(const char *name)
{
    for (int i = 0; i < N; i++)
        if (strcmp(table[i].name, name) == 0 ||
            (table[i].alias && strcmp(table[i].alias, name) == 0))
            return &table[i];
    return NULL;
}
