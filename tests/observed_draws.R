#!/usr/bin/env Rscript
# SPDX-License-Identifier: BSD-3-Clause
# The middle 95 % of new responses by simulation, for tests/cli/test_glm_observed.sh:
# observed_draws.R FIT.json X [TRIALS] for a regression on (Intercept) and x, and of groups for
# one that was not seen.
library(jsonlite)
arguments <- commandArgs(TRUE)
fit <- fromJSON(arguments[1])
x <- as.numeric(arguments[2])
trials <- as.numeric(arguments[3])
set.seed(1)
draws <- 4e6
mean <- if (is.null(fit$mu0)) fit$mean else fit$mu0
root <- chol(if (is.null(fit$mu0)) fit$covariance else fit$Sigma0 + fit$mu0_covariance)
theta <- sweep(matrix(rnorm(draws * length(mean)), draws) %*% root, 2, mean, "+")
eta <- theta[, 1] + theta[, 2] * x
scale <- exp(theta[, ncol(theta)])
y <- switch(fit$family,
            gaussian = rnorm(draws, eta, scale),
            gamma = rgamma(draws, scale, scale / exp(eta)),
            poisson = rpois(draws, exp(eta)),
            "negative-binomial" = rnbinom(draws, scale, mu = exp(eta)),
            binomial = rbinom(draws, trials, plogis(eta)))
print(quantile(y, c(0.025, 0.975), type = 1))
