/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much a response varies around its mean on the scale of the link, as used for the
 * variance explained and for intraclass correlations (Nakagawa, Johnson & Schielzeth
 * 2017): the variance of the latent variable for binary and ordered responses, log(1 +
 * Var[y] / E[y]^2) for counts and gamma responses. Internal.
 */
#ifndef DLPI_GLM_LATENT_VARIANCE_H
#define DLPI_GLM_LATENT_VARIANCE_H

#include "glm/families/family.h"

dlpi_latent_variance dlpi_latent_logit, dlpi_latent_probit, dlpi_latent_cloglog,
    dlpi_latent_poisson, dlpi_latent_poisson_identity, dlpi_latent_poisson_sqrt,
    dlpi_latent_negative_binomial, dlpi_latent_gaussian, dlpi_latent_student,
    dlpi_latent_gamma, dlpi_latent_exponential, dlpi_latent_weibull;

#endif
