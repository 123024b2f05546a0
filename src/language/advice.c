/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/advice.h"

#include <string.h>

typedef struct advice {
    const char *name, *what;
} advice;

static const advice functions[] = {
    {"ranked", "write s <- sort(x) and s[k]"},
    {"cumulative", "write the distribution function, such as pnorm(y, mu, tau)"},
    {"culmative", "write the distribution function, such as pnorm(y, mu, tau)"},
    {"density", "write the density, such as dnorm(y, mu, tau)"},
    {"cut", "fit the part whose results are to be cut off on its own first"},
    {"D", "give the solution of a differential equation as a formula"},
    {"ode.solution", "give the solution of a differential equation as a formula"},
    {"min.bound", "write the bound as a number in the data"},
    {"max.bound", "write the bound as a number in the data"},
    {"replicate.post", "add a node with the same distribution and no data"},
    {"post.p.value", "add a node with the same distribution, and step()"},
    {"eigen.vals", "compute eigenvalues from draws of the matrix"},
    {"mexp", "write the transition probabilities, or diagonalise the matrix"},
    {"expit", "write ilogit(x)"},
    {"inv.logit", "write ilogit(x)"},
    {"invlogit", "write ilogit(x)"},
    {"plogis", "write ilogit(x)"},
    {"inv_logit", "write ilogit(x)"},
    {"log10", "write log(x) / log(10)"},
    {"log2", "write log(x) / log(2)"},
    {"log1p", "write log(1 + x)"},
    {"expm1", "write exp(x) - 1"},
    {"factorial", "write exp(logfact(n))"},
    {"lfactorial", "write logfact(n)"},
    {"lchoose", "write logfact(n) - logfact(k) - logfact(n - k)"},
    {"choose", "write exp(logfact(n) - logfact(k) - logfact(n - k))"},
    {"gamma", "write exp(loggam(x))"},
    {"beta", "write exp(loggam(a) + loggam(b) - loggam(a + b))"},
    {"square", "write x^2"},
    {"ceiling", "write -floor(-x)"},
    {"nrow", "write d <- dim(x) and d[1], or give it as data"},
    {"ncol", "write d <- dim(x) and d[2], or give it as data"},
    {"seq", "write a range, 1:n, or give the numbers as data"},
    {"is.na", "give an array of 0 and 1 that says what is missing as data"},
    {"solve", "write inverse(x)"},
    {"diag", "write its elements, or give it as data"},
    {"rnorm", "write y ~ dnorm(mean, precision)"},
    {"rbinom", "write y ~ dbin(p, n)"},
    {"rpois", "write y ~ dpois(mean)"},
    {"runif", "write y ~ dunif(lower, upper)"},
};

static const advice distributions[] = {
    {"dmstate", "write the probabilities of the states at each time, and dcat()"},
    {"dpois.conv", "write dpois() with the sum of the means"},
    {"car.proper", "write dmnorm() with the precision matrix tau * (M^-1 - gamma * C)"},
    {"car.l1", "write ddexp() of the differences between neighbours"},
    {"mv.car", "write a car.normal() for each variable, and a matrix that mixes them"},
    {"spatial.exp", "write dmnorm.vcov() with entries exp(-pow(phi * d, kappa)) / tau"},
    {"spatial.disc", "write dmnorm.vcov() with the covariances"},
    {"spatial.pred", "put the new places into the same dmnorm.vcov(), without data"},
    {"spatial.unipred", "put the new places into the same dmnorm.vcov(), without data"},
    {"dbetabinomial", "write dbetabin(a, b, size)"},
    {"normal", "write dnorm(mean, 1 / sd^2)"},
    {"bernoulli", "write dbern(p)"},
    {"bernoulli_logit", "write dbern(ilogit(x))"},
    {"binomial", "write dbin(p, n)"},
    {"poisson", "write dpois(mean)"},
    {"poisson_log", "write dpois(exp(x))"},
    {"gamma", "write dgamma(shape, rate)"},
    {"beta", "write dbeta(a, b)"},
    {"uniform", "write dunif(lower, upper)"},
    {"cauchy", "write dt(location, 1 / scale^2, 1)"},
    {"dcauchy", "write dt(location, 1 / scale^2, 1)"},
    {"student_t", "write dt(location, 1 / scale^2, df)"},
    {"exponential", "write dexp(rate)"},
    {"dinvgamma", "write dgamma() of the inverse"},
    {"inv_gamma", "write dgamma() of the inverse"},
    {"digamma", "write dgamma() of the inverse"},
    {"dhalfnorm", "write dnorm(0, precision) T(0,)"},
    {"dgeom", "write dnegbin(p, 1)"},
    {"dmvnorm", "write dmnorm(mean, precision) or dmnorm.vcov(mean, covariance)"},
    {"multi_normal", "write dmnorm.vcov(mean, covariance)"},
    {"lkj_corr", "write dwish() of the precision matrix"},
    {"dlkj", "write dwish() of the precision matrix"},
    {"dskewnorm", "write dnorm(m + d * abs(z), tau) with z ~ dnorm(0, 1)"},
    {"dzip", "write dpois(z * lambda) with z ~ dbern(psi)"},
};

static const char *find(const advice *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i].name, name)) return list[i].what;
    return NULL;
}

const char *dlpi_function_advice(const char *name)
{
    return find(functions, sizeof functions / sizeof *functions, name);
}

const char *dlpi_distribution_advice(const char *name)
{
    return find(distributions, sizeof distributions / sizeof *distributions, name);
}
