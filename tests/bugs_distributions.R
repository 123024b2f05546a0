#!/usr/bin/env Rscript
# SPDX-License-Identifier: BSD-3-Clause
# What R says about the distributions of the modelling language: writes
# golden/bugs_distributions.txt, which test_bugs_distributions reads.
# Usage: LC_ALL=C Rscript bugs_distributions.R >golden/bugs_distributions.txt
#
# A line: density NAME y log-density P params..., cdf NAME y probability log-upper-tail P
# params..., where P is how many parameters follow, or vector NAME log-density y params...,
# where y and each parameter have their length in front. Parameters are those of JAGS: precisions,
# rates.

number <- function(x) sprintf("%.17g", x)
line <- function(what, name, y, ..., params) {
  cat(what, name, number(y), number(c(...)), length(params), number(params), "\n")
}
both <- function(name, y, params, density, cdf) {
  for (v in y) {
    line("density", name, v, density(v), params = params)
    line("cdf", name, v, cdf(v, TRUE, FALSE), cdf(v, FALSE, TRUE), params = params)
  }
}

both("dnorm", c(-2.3, 0.4, 3.7, 11), c(0.7, 2.6),
     function(y) dnorm(y, 0.7, 1 / sqrt(2.6), log = TRUE),
     function(y, l, g) pnorm(y, 0.7, 1 / sqrt(2.6), l, g))
both("dlogis", c(-9, 0.2, 5), c(0.4, 1.7),
     function(y) dlogis(y, 0.4, 1 / 1.7, log = TRUE),
     function(y, l, g) plogis(y, 0.4, 1 / 1.7, l, g))
for (df in c(1, 2.7, 40))
  both("dt", c(-4, 0.1, 0.9, 6), c(0.3, 1.9, df),
       function(y) dt((y - 0.3) * sqrt(1.9), df, log = TRUE) + log(1.9) / 2,
       function(y, l, g) pt((y - 0.3) * sqrt(1.9), df, lower.tail = l, log.p = g))
both("ddexp", c(-3, 0.1, 0.9, 6), c(0.3, 1.9),
     function(y) log(1.9 / 2) - 1.9 * abs(y - 0.3),
     function(y, l, g) {
       upper <- if (y > 0.3) exp(-1.9 * (y - 0.3)) / 2 else 1 - exp(1.9 * (y - 0.3)) / 2
       if (l) 1 - upper else log(upper)
     })
both("dunif", c(-1.1, 0.3, 2.4), c(-1.3, 2.7),
     function(y) dunif(y, -1.3, 2.7, log = TRUE),
     function(y, l, g) punif(y, -1.3, 2.7, l, g))
for (shape in c(0.4, 1, 3.3, 260))
  both("dgamma", shape / 1.8 * c(0.05, 0.8, 1.3, 3), c(shape, 1.8),
       function(y) dgamma(y, shape, 1.8, log = TRUE),
       function(y, l, g) pgamma(y, shape, 1.8, lower.tail = l, log.p = g))
both("dexp", c(0.02, 1.3, 20), 0.9, function(y) dexp(y, 0.9, log = TRUE),
     function(y, l, g) pexp(y, 0.9, l, g))
both("dchisqr", c(0.1, 3, 30), 4.6, function(y) dchisq(y, 4.6, log = TRUE),
     function(y, l, g) pchisq(y, 4.6, lower.tail = l, log.p = g))
both("dscaled.gamma", c(0.1, 3, 9), c(0.8, 3.5),
     function(y) dgamma(y, 1.75, 1.75 * 0.64, log = TRUE),
     function(y, l, g) pgamma(y, 1.75, 1.75 * 0.64, lower.tail = l, log.p = g))
# x = G^(1/beta) / mu, G ~ Gamma(r, 1)
both("dgen.gamma", c(0.1, 0.8, 2.5), c(1.6, 1.2, 1.9),
     function(y) dgamma((1.2 * y)^1.9, 1.6, 1, log = TRUE) + log(1.9) + 1.9 * log(1.2) +
       0.9 * log(y),
     function(y, l, g) pgamma((1.2 * y)^1.9, 1.6, 1, lower.tail = l, log.p = g))
both("dweib", c(0.1, 0.8, 2.5), c(1.7, 0.6),
     function(y) dweibull(y, 1.7, 0.6^(-1 / 1.7), log = TRUE),
     function(y, l, g) pweibull(y, 1.7, 0.6^(-1 / 1.7), l, g))
both("dlnorm", c(0.1, 0.8, 25), c(0.4, 1.3),
     function(y) dlnorm(y, 0.4, 1 / sqrt(1.3), log = TRUE),
     function(y, l, g) plnorm(y, 0.4, 1 / sqrt(1.3), l, g))
both("dpar", c(1.4, 3, 50), c(2.2, 1.3),
     function(y) log(2.2) + 2.2 * log(1.3) - 3.2 * log(y),
     function(y, l, g) if (l) 1 - (1.3 / y)^2.2 else 2.2 * log(1.3 / y))
for (a in c(0.5, 1, 4.2, 300))
  both("dbeta", c(0.01, 0.4, 0.7, 0.98), c(a, 2.3),
       function(y) dbeta(y, a, 2.3, log = TRUE),
       function(y, l, g) pbeta(y, a, 2.3, lower.tail = l, log.p = g))
both("df", c(0.1, 0.8, 7), c(3.4, 6.1), function(y) df(y, 3.4, 6.1, log = TRUE),
     function(y, l, g) pf(y, 3.4, 6.1, lower.tail = l, log.p = g))
both("dhalfcauchy", c(0.1, 2, 50), 1.4, function(y) log(2) + dcauchy(y, 0, 1.4, log = TRUE),
     function(y, l, g) {
       upper <- 2 * pcauchy(y, 0, 1.4, lower.tail = FALSE)
       if (l) 1 - upper else log(upper)
     })
# Pareto distributions: P(Y > y) = (1 + ((y - mu) / sigma)^(1 / gamma))^-alpha
pareto <- function(name, y, params, alpha, sigma, mu, gamma)
  both(name, y, params,
       function(y) {
         u <- (y - mu) / sigma
         log(alpha / (gamma * sigma)) + (1 / gamma - 1) * log(u) - (alpha + 1) * log1p(u^(1 / gamma))
       },
       function(y, l, g) {
         log_upper <- -alpha * log1p(((y - mu) / sigma)^(1 / gamma))
         if (l) -expm1(log_upper) else log_upper
       })
pareto("dpar2", c(0.6, 3, 50), c(2.2, 1.3, 0.4), 2.2, 1.3, 0.4, 1)
pareto("dpar3", c(0.6, 3, 50), c(1.3, 0.4, 0.7), 1, 1.3, 0.4, 0.7)
pareto("dpar4", c(0.6, 3, 50), c(2.2, 1.3, 0.4, 0.7), 2.2, 1.3, 0.4, 0.7)
pareto("dlomax", c(0.1, 3, 50), c(2.2, 1.3), 2.2, 1.3, 0, 1)
pareto("dmouch", c(0.1, 3, 50), 1.3, 1, 1.3, 0, 1)
for (xi in c(-0.3, -1e-3, 1e-3, 0.1, 0.8))
  both("dgenpar", c(0.6, 1.4, 3), c(1.3, 0.4, xi),
       function(y) -log(1.3) - (1 / xi + 1) * log1p(xi * (y - 0.4) / 1.3),
       function(y, l, g) {
         log_upper <- -log1p(xi * (y - 0.4) / 1.3) / xi
         if (l) -expm1(log_upper) else log_upper
       })

both("dbern", c(0, 1), 0.3, function(y) dbinom(y, 1, 0.3, log = TRUE),
     function(y, l, g) pbinom(y, 1, 0.3, l, g))
both("dbin", c(0, 3, 11, 12), c(0.3, 12), function(y) dbinom(y, 12, 0.3, log = TRUE),
     function(y, l, g) pbinom(y, 12, 0.3, l, g))
both("dpois", c(0, 2, 9, 40), 3.7, function(y) dpois(y, 3.7, log = TRUE),
     function(y, l, g) ppois(y, 3.7, l, g))
both("dnegbin", c(0, 2, 9, 40), c(0.35, 2.6), function(y) dnbinom(y, 2.6, 0.35, log = TRUE),
     function(y, l, g) pnbinom(y, 2.6, 0.35, lower.tail = l, log.p = g))
for (y in c(0, 3, 12))
  line("density", "dbetabin", y, lchoose(12, y) + lbeta(y + 1.4, 12 - y + 2.2) -
         lbeta(1.4, 2.2), params = c(1.4, 2.2, 12))
for (y in c(1, 2, 5)) # n1 = 7, n2 = 4, m1 = 5
  line("density", "dhyper", y, dhyper(y, 7, 4, 5, log = TRUE), params = c(7, 4, 5, 1))
for (y in c(1, 2, 5)) {
  w <- dhyper(1:5, 7, 4, 5) * 1.8^(1:5)
  line("density", "dhyper", y, log(w[y] / sum(w)), params = c(7, 4, 5, 1.8))
}

vector <- function(name, density, ...) {
  cat("vector", name, number(density))
  for (x in list(...)) cat("", length(x), number(x))
  cat("\n")
}
mu <- c(0.3, -1.2, 0.8)
omega <- matrix(c(2.1, 0.4, -0.3, 0.4, 1.7, 0.6, -0.3, 0.6, 0.9), 3)
y <- c(1.1, -0.7, 0.2)
form <- drop(t(y - mu) %*% omega %*% (y - mu))
log_det <- log(det(omega))
vector("dmnorm", (log_det - 3 * log(2 * pi) - form) / 2, y, mu, omega)
vector("dmnorm.vcov", (log_det - 3 * log(2 * pi) - form) / 2, y, mu, solve(omega))
vector("dmt", lgamma((4.5 + 3) / 2) - lgamma(4.5 / 2) - 1.5 * log(4.5 * pi) + log_det / 2 -
         (4.5 + 3) / 2 * log(1 + form / 4.5), y, mu, omega, 4.5)
# Wishart: W ~ (k, R^-1); of a 1 by 1 matrix Gamma(k/2, R/2)
vector("dwish", dgamma(1.3, 2.6 / 2, 0.7 / 2, log = TRUE), 1.3, 0.7, 2.6)
wishart <- function(w, r, k) {
  n <- nrow(w)
  log_gamma_n <- n * (n - 1) / 4 * log(pi) + sum(lgamma((k + 1 - 1:n) / 2))
  (k - n - 1) / 2 * log(det(w)) + k / 2 * log(det(r)) - sum(diag(r %*% w)) / 2 -
    n * k / 2 * log(2) - log_gamma_n
}
r <- matrix(c(1.4, 0.2, 0.1, 0.2, 0.8, -0.3, 0.1, -0.3, 1.1), 3)
vector("dwish", wishart(omega, r, 5.5), omega, r, 5.5)
p <- c(0.2, 0.5, 0.3)
vector("ddirch", lgamma(5) - sum(lgamma(c(1.5, 2.5, 1))) + sum(c(0.5, 1.5, 0) * log(p)), p,
       c(1.5, 2.5, 1))
vector("dmulti", dmultinom(c(3, 0, 4), prob = p, log = TRUE), c(3, 0, 4), p, 7)
vector("dmulti", dmultinom(c(3, 0, 4), prob = p, log = TRUE), c(3, 0, 4), 2 * p, 7)
vector("dcat", log(0.5), 2, 3 * p)
vector("dnormmix", log(0.3 * dnorm(0.7, -1, 1 / sqrt(2)) + 0.7 * dnorm(0.7, 1.1, 1 / sqrt(3))),
       0.7, c(-1, 1.1), c(2, 3), c(0.3, 0.7))
vector("dinterval", 0, 1, 0.5, c(0.2, 0.9))
# A path of four and one that is apart from them: rank 3
y <- c(0.4, -0.3, 1.1, 0.9, 2)
vector("car.normal", 1.5 * log(1.7 / (2 * pi)) - 1.7 / 2 * sum(c(1, 2, 0.5) * diff(y[1:4])^2), y,
       c(2, 1, 3, 2, 4, 3), c(1, 1, 2, 2, 0.5, 0.5), c(1, 2, 2, 1, 0), 1.7)
