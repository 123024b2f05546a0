/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/families/latent_variance.h"

#include <math.h>

static const double pi_squared = 9.86960440108935861883;

/* the variances of a logistic, a normal and an extreme value variable */
double dlpi_latent_logit(double scale, double df, double mean)
{
    (void)scale, (void)df, (void)mean;
    return pi_squared / 3;
}

double dlpi_latent_probit(double scale, double df, double mean)
{
    (void)scale, (void)df, (void)mean;
    return 1;
}

double dlpi_latent_cloglog(double scale, double df, double mean)
{
    (void)scale, (void)df, (void)mean;
    return pi_squared / 6;
}

/* log(1 + Var[y] / E[y]^2) */
double dlpi_latent_poisson(double scale, double df, double mean)
{
    (void)scale, (void)df;
    return log1p(1 / mean);
}

/* the variance of y, and that of its square root by the delta method */
double dlpi_latent_poisson_identity(double scale, double df, double mean)
{
    (void)scale, (void)df;
    return mean;
}

double dlpi_latent_poisson_sqrt(double scale, double df, double mean)
{
    (void)scale, (void)df, (void)mean;
    return 0.25;
}

double dlpi_latent_negative_binomial(double scale, double df, double mean)
{
    (void)df;
    return log1p(1 / mean + 1 / scale);
}

double dlpi_latent_gamma(double scale, double df, double mean)
{
    (void)df, (void)mean;
    return log1p(1 / scale);
}

/* the variance of the noise added to eta */
double dlpi_latent_gaussian(double scale, double df, double mean)
{
    (void)df, (void)mean;
    return scale * scale;
}

/* the variance of a Student-t variable with this scale */
double dlpi_latent_student(double scale, double df, double mean)
{
    (void)mean;
    return df > 2 ? scale * scale * df / (df - 2) : NAN;
}

double dlpi_latent_exponential(double scale, double df, double mean)
{
    (void)scale, (void)df, (void)mean;
    return pi_squared / 6;
}

double dlpi_latent_weibull(double scale, double df, double mean)
{
    (void)df, (void)mean;
    return pi_squared / 6 * scale * scale;
}
