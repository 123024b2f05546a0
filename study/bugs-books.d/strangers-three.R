# And more: tests, raters, rates, quantiles.
local({
    set.seed(73)
    # diagnostic tests: bivariate random effects (Reitsma)
    ns <- 12; n1 <- rpois(ns, 40); n2 <- rpois(ns, 60); e <- matrix(rnorm(2 * ns), ns) %*% chol(matrix(c(0.4, -0.2, -0.2, 0.5), 2))
    add("bivariate-diagnostic", "model {
      for (i in 1:ns) {
        tp[i] ~ dbin(se[i], n1[i])
        tn[i] ~ dbin(sp[i], n2[i])
        logit(se[i]) <- l[i,1]
        logit(sp[i]) <- l[i,2]
        l[i,1:2] ~ dmnorm(mu[], T[,])
      }
      mu[1] ~ dnorm(0, 0.25)
      mu[2] ~ dnorm(0, 0.25)
      T[1:2,1:2] ~ dwish(R[,], 2)
      Sigma[1:2,1:2] <- inverse(T[,])
      rho <- Sigma[1,2] / sqrt(Sigma[1,1] * Sigma[2,2])
      SE <- 1 / (1 + exp(-mu[1]))
      SP <- 1 / (1 + exp(-mu[2]))
      DOR <- SE * SP / ((1 - SE) * (1 - SP))
    }", list(ns = ns, n1 = n1, n2 = n2, tp = rbinom(ns, n1, plogis(1.2 + e[, 1])), tn = rbinom(ns, n2, plogis(1.8 + e[, 2])),
             R = diag(2)), c("mu", "Sigma[1,1]", "Sigma[2,2]", "rho", "SE", "SP", "DOR"), 20000)
    # raters (Dawid & Skene)
    N <- 40; z <- rbinom(N, 1, 0.5) + 1; acc <- c(0.9, 0.8, 0.7)
    r <- sapply(acc, function(a) ifelse(runif(N) < a, z, 3 - z))
    add("raters", "model {
      for (i in 1:N) {
        truth[i] ~ dcat(prev[1:2])
        for (k in 1:3) { r[i,k] ~ dcat(theta[k, truth[i], 1:2]) }
      }
      prev[1:2] ~ ddirch(ones[1:2])
      for (k in 1:3) {
        theta[k,1,1:2] ~ ddirch(good[1,1:2])
        theta[k,2,1:2] ~ ddirch(good[2,1:2])
      }
      n2 <- sum(truth[]) - N
    }", list(r = r, N = N, ones = c(1, 1), good = rbind(c(4, 1), c(1, 4))), c("prev[1]", "theta[1,1,1]", "theta[2,1,1]", "theta[3,2,2]", "n2"), 20000)
    # median regression: asymmetric Laplace as a mixture
    n <- 60; x <- runif(n, 0, 4); y <- 1 + 0.7 * x + rexp(n) - log(2)
    add("quantile-mixture", "model {
      for (i in 1:n) {
        mu[i] <- b0 + b1 * x[i]
        me[i] <- mu[i] + (1 - 2 * p) / (p * (1 - p)) * w[i]
        pe[i] <- p * (1 - p) * delta / (2 * w[i])
        w[i] ~ dexp(delta)
        y[i] ~ dnorm(me[i], pe[i])
      }
      p <- 0.75
      delta ~ dgamma(1, 1)
      b0 ~ dnorm(0, 0.01)
      b1 ~ dnorm(0, 0.01)
    }", list(n = n, x = x, y = y), c("b0", "b1", "delta"), 20000)
    # beta regression
    n <- 50; x <- rnorm(n); m <- plogis(-0.5 + 0.8 * x)
    add("beta-regression", "model {
      for (i in 1:n) {
        y[i] ~ dbeta(alpha[i], beta[i])
        alpha[i] <- mu[i] * phi
        beta[i] <- (1 - mu[i]) * phi
        logit(mu[i]) <- b[1] + b[2] * x[i]
      }
      b[1] ~ dnorm(0, .01)
      b[2] ~ dnorm(0, .01)
      phi <- U ^ 2
      U ~ dunif(0, 50)
    }", list(n = n, x = x, y = rbeta(n, m * 12, (1 - m) * 12)), c("b", "phi"), 20000)
    # counts above zero only, and a Gaussian that is cut off
    y <- rpois(200, 1.3); y <- y[y > 0]; v <- rnorm(300, 1, 2); v <- v[v > 0]
    add("truncated-counts", "model {
      for (i in 1:n) { y[i] ~ dpois(lambda) T(1, ) }
      for (i in 1:m) { v[i] ~ dnorm(mu, tau) T(0, ) }
      lambda ~ dgamma(0.01, 0.01)
      mu ~ dnorm(0, 0.01)
      tau <- 1 / (s * s)
      s ~ dunif(0, 20)
    }", list(y = y, n = length(y), v = v, m = length(v)), c("lambda", "mu", "s"), 20000)
    # zero-inflated counts with random intercepts
    J <- 12; g <- rep(1:J, each = 6); a <- rnorm(J, 1, 0.5); y <- rbinom(72, 1, 0.7) * rpois(72, exp(a[g]))
    add("zero-inflated-mixed", "model {
      for (i in 1:n) {
        u[i] ~ dbern(omega)
        y[i] ~ dpois(lambda.eff[i])
        lambda.eff[i] <- u[i] * lambda[i]
        log(lambda[i]) <- a[g[i]]
      }
      for (j in 1:J) { a[j] ~ dnorm(mu.a, tau.a) }
      mu.a ~ dnorm(0, 0.1)
      sigma.a ~ dt(0, 1, 1) T(0, )
      tau.a <- pow(sigma.a, -2)
      omega ~ dbeta(1, 1)
    }", list(y = y, g = g, n = 72, J = J), c("omega", "mu.a", "sigma.a", "a"), 20000, list(u = rep(1, 72)))
    # a mixture cure model by the ones trick
    n <- 80; cured <- rbinom(n, 1, 0.3); t <- ifelse(cured == 1, 99, rexp(n, 0.4)); d <- as.numeric(t < 6); t <- pmin(t, 6)
    add("cure", "data { for (i in 1:n) { one[i] <- 1 } }
    model {
      for (i in 1:n) {
        S[i] <- exp(-lambda * t[i])
        like[i] <- pow((1 - pi) * lambda * S[i], d[i]) * pow(pi + (1 - pi) * S[i], 1 - d[i])
        one[i] ~ dbern(like[i] / 100)
      }
      pi ~ dunif(0, 1)
      lambda ~ dgamma(0.1, 0.1)
      medi <- log(2) / lambda
    }", list(t = t, d = d, n = n), c("pi", "lambda", "medi"), 20000)
    # discrete-time survival with a frailty
    n <- 40; id <- rep(1:n, each = 4); tt <- rep(1:4, n); fr <- rnorm(n, 0, 0.6); ev <- rbinom(n * 4, 1, 1 - exp(-exp(-1.5 + 0.3 * tt + fr[id])))
    keep <- ave(ev, id, FUN = function(v) cumsum(c(0, v[-4]))) == 0
    add("discrete-survival", "model {
      for (k in 1:M) {
        ev[k] ~ dbern(h[k])
        cloglog(h[k]) <- a[time[k]] + b[id[k]]
      }
      for (j in 1:4) { a[j] ~ dnorm(0, 0.1) }
      for (i in 1:n) { b[i] ~ dnorm(0, tau) }
      tau <- 1 / pow(s, 2)
      s ~ dunif(0, 3)
    }", list(ev = ev[keep], time = tt[keep], id = id[keep], M = sum(keep), n = n), c("a", "s"), 20000)
    # second-order random walk for rates by age, as epidemiologists have it
    A <- 15; cases <- rpois(A, 1000 * exp(-6 + 0.25 * (1:A) - 0.008 * (1:A)^2) * 20)
    add("random-walk-two", "model {
      for (a in 1:A) {
        cases[a] ~ dpois(mu[a])
        log(mu[a]) <- log(py[a]) + theta[a]
      }
      theta[1] ~ dnorm(0, 0.01)
      theta[2] ~ dnorm(0, 0.01)
      for (a in 3:A) {
        theta[a] ~ dnorm(2 * theta[a - 1] - theta[a - 2], tau)
      }
      tau ~ dgamma(1, 0.01)
      sd <- 1 / sqrt(tau)
    }", list(cases = cases, py = rep(20000, A), A = A), c("theta", "sd"), 20000)
})
