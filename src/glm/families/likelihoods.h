/* SPDX-License-Identifier: BSD-3-Clause */
/* log p(y | eta, tau) for the families of R's glm. Internal. */
#ifndef DLPI_GLM_LIKELIHOODS_H
#define DLPI_GLM_LIKELIHOODS_H

#include "infer/rows.h"

dlpi_likelihood dlpi_bounded_logit; /* jaakkola_jordan.c */
dlpi_likelihood dlpi_binomial_logit, dlpi_binomial_probit, dlpi_binomial_cloglog,
    dlpi_poisson_log, dlpi_negative_binomial_log, dlpi_gaussian_identity, dlpi_gamma_log;

/* log (n choose y); 0 for a single trial. */
double dlpi_log_choose(double n, double y);

#endif
