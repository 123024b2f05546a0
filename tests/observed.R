#!/usr/bin/env Rscript
# SPDX-License-Identifier: BSD-3-Clause
# Where new responses lie when (eta, tau) is normal: the numbers of test_observed.c, by nested
# adaptive integrals.
over <- function(cdf, eta, eta_sd, tau = 0, tau_sd = 0, correlation = 0) {
  rest <- eta_sd * sqrt(1 - correlation^2)
  given <- function(z) sapply(z, function(z) {
    centre <- eta + correlation * eta_sd * z
    integrate(function(x) dnorm(x) * cdf(centre + rest * x, tau + tau_sd * z), -9, 9,
              rel.tol = 1e-11, subdivisions = 2000, stop.on.error = FALSE)$value
  })
  if (tau_sd == 0) return(given(0))
  integrate(function(z) dnorm(z) * given(z), -9, 9, rel.tol = 1e-10, subdivisions = 500)$value
}
show <- function(name, f, low, high, whole = FALSE) {
  root <- function(p) uniroot(function(y) f(y) - p, c(low, high), tol = 1e-11)$root
  least <- function(p) which(sapply(low:high, f) >= p)[1] + low - 1
  ends <- if (whole) c(least(0.025), least(0.975)) else c(root(0.025), root(0.975))
  cat(name, sprintf("%.9g", ends), "\n")
}
gamma_cdf <- function(y) function(eta, tau) pgamma(y, exp(tau), exp(tau - eta))
show("gaussian", function(y) over(function(eta, tau) pnorm(y, eta, exp(tau)), 3, 0.7, 0.2, 0.3, 0.5), -20, 20)
show("gamma", function(y) over(gamma_cdf(y), 0.51, 0.3, 1.05, 0.2, 0.4), 0.01, 50)
show("gamma, wide", function(y) over(gamma_cdf(y), 2, 1.5, 3, 0.9, -0.5), 1e-3, 5e4)
show("poisson", function(y) over(function(eta, tau) ppois(y, exp(eta)), 3, 0.4), 0, 99, TRUE)
show("negative binomial", function(y)
  over(function(eta, tau) pnbinom(y, size = exp(tau), mu = exp(eta)), 4, 0.25, 1, 0.4, -0.3), 0, 199, TRUE)
show("binomial", function(y) over(function(eta, tau) pbinom(y, 250, plogis(eta)), 0.4, 0.5), 0, 249, TRUE)
show("probit", function(y) over(function(eta, tau) pbinom(y, 40, pnorm(eta)), -1.1, 0.2), 0, 39, TRUE)
