# Log densities of the families by R's own functions, for tests/test_families.c.
eta <- 0.37; tau <- -0.45; s <- exp(tau); sg <- plogis(eta); phi <- exp(tau)
bb <- function(y, n, a, b) lchoose(n, y) + lbeta(y + a, n - y + b) - lbeta(a, b)
out <- c(
  student = dt((1.9 - eta) / s, 3.5, log = TRUE) - tau,
  tobit = dnorm(1.9, eta, s, log = TRUE),
  tobit_above = pnorm(1.9, eta, s, lower.tail = FALSE, log.p = TRUE),
  tobit_below = pnorm(-0.3, eta, s, log.p = TRUE),
  tobit_between = log(pnorm(1.9, eta, s) - pnorm(-0.3, eta, s)),
  lognormal = dlnorm(1.9, eta, s, log = TRUE),
  lognormal_above = plnorm(1.9, eta, s, lower.tail = FALSE, log.p = TRUE),
  exponential = dexp(1.9, exp(-eta), log = TRUE),
  weibull = dweibull(1.9, 1 / s, exp(eta), log = TRUE),
  weibull_above = pweibull(1.9, 1 / s, exp(eta), lower.tail = FALSE, log.p = TRUE),
  weibull_below = pweibull(1.9, 1 / s, exp(eta), log.p = TRUE),
  weibull_between = log(pweibull(1.9, 1 / s, exp(eta)) - pweibull(0.8, 1 / s, exp(eta))),
  beta = dbeta(0.23, sg * phi, (1 - sg) * phi, log = TRUE),
  betabinomial = bb(3, 8, sg * phi, (1 - sg) * phi),
  zip_0 = log(plogis(tau) + plogis(-tau) * dpois(0, exp(eta))),
  zip_2 = log(plogis(-tau)) + dpois(2, exp(eta), log = TRUE),
  hurdle_0 = log(plogis(tau)),
  hurdle_2 = log(plogis(-tau)) + dpois(2, exp(eta), log = TRUE) - ppois(0, exp(eta), lower.tail = FALSE, log.p = TRUE))
cat(sprintf("%-16s %.15g\n", names(out), out), sep = "")
