# In the manner of Lunn, Jackson, Best, Thomas & Spiegelhalter, The BUGS Book (2012), and of the manuals.
local({
    set.seed(31)
    D <- c(rpois(40, 3.1), rpois(60, 1)); N <- length(D)
    add("change-point-categorical", "model {
      for (t in 1:N) {
        D[t] ~ dpois(mu[t])
        log(mu[t]) <- b[1] + step(t - k) * b[2]
      }
      for (j in 1:2) { b[j] ~ dnorm(0, 0.0001) }
      k ~ dcat(p[])
      for (t in 1:N) { p[t] <- 1 / N }
    }", list(D = D, N = N), c("b", "k"), 20000)
    add("change-point-continuous", "model {
      for (i in 1:N) {
        D[i] ~ dpois(mu[i])
        log(mu[i]) <- b[1] + step(i - changeyear) * b[2]
      }
      for (j in 1:2) { b[j] ~ dnorm(0.0, 1.0E-6) }
      changeyear ~ dunif(1, N)
    }", list(D = D, N = N), c("b", "changeyear"), 20000)
    n <- 100; x <- rnorm(n); y <- rpois(n, rbinom(n, 1, 0.6) * exp(0.8 + 0.5 * x))
    add("zero-inflated-poisson", "model {
      for (i in 1:n) {
        y[i] ~ dpois(mu[i])
        mu[i] <- z[i] * lambda[i] + 0.00001
        z[i] ~ dbern(psi)
        log(lambda[i]) <- b0 + b1 * x[i]
      }
      psi ~ dunif(0, 1)
      b0 ~ dnorm(0, 0.01)
      b1 ~ dnorm(0, 0.01)
    }", list(y = y, x = x, n = n), c("psi", "b0", "b1"), 20000, list(z = rep(1, n)))
    v <- as.numeric(arima.sim(list(ar = 0.7), 80)) + 5
    add("ar1", "model {
      for (t in 2:T) {
        y[t] ~ dnorm(m[t], tau)
        m[t] <- mu + rho * (y[t - 1] - mu)
      }
      y[1] ~ dnorm(mu, tau * (1 - rho * rho))
      mu ~ dnorm(0, 0.001)
      rho ~ dunif(-1, 1)
      tau ~ dgamma(0.01, 0.01)
      sigma <- 1 / sqrt(tau)
    }", list(y = v, T = 80), c("mu", "rho", "sigma"), 20000)
    u <- rnorm(60, 2, 1); w <- u + rnorm(60, 0, 0.5); y <- 1 + 0.8 * u + rnorm(60, 0, 0.5)
    add("measurement-error", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- alpha + beta * x[i]
        x[i] ~ dnorm(mux, taux)
        w[i] ~ dnorm(x[i], 4)
      }
      alpha ~ dnorm(0, 0.0001)
      beta ~ dnorm(0, 0.0001)
      tau ~ dgamma(0.01, 0.01)
      mux ~ dnorm(0, 0.0001)
      taux ~ dgamma(0.01, 0.01)
      sigma <- 1 / sqrt(tau)
      sigmax <- 1 / sqrt(taux)
    }", list(y = y, w = w, n = 60), c("alpha", "beta", "sigma", "mux", "sigmax", "x[1]"), 40000)
    b <- rbinom(60, 1, plogis(-1 + 0.8 * u)); miss <- u; miss[sample(60, 15)] <- NA
    add("missing-covariate", "model {
      for (i in 1:n) {
        y[i] ~ dbern(p[i])
        logit(p[i]) <- alpha + beta * x[i]
        x[i] ~ dnorm(mu.x, tau.x)
      }
      alpha ~ dnorm(0, 0.01)
      beta ~ dnorm(0, 0.01)
      mu.x ~ dnorm(0, 0.001)
      tau.x ~ dgamma(0.01, 0.01)
    }", list(y = b, x = miss, n = 60), c("alpha", "beta", "mu.x", "tau.x", "x"), 20000)
    add("probit-latent", "model {
      for (i in 1:n) {
        y[i] ~ dinterval(ystar[i], 0)
        ystar[i] ~ dnorm(mu[i], 1)
        mu[i] <- beta[1] + beta[2] * x[i]
      }
      for (j in 1:2) { beta[j] ~ dnorm(0, 0.1) }
    }", list(y = b, x = u, n = 60), c("beta", "ystar"), 40000, list(ystar = b - 0.5))
    add("probit-truncated", "model {
      for (i in 1:n) {
        ystar[i] ~ dnorm(beta[1] + beta[2] * x[i], 1) T(low[y[i] + 1], high[y[i] + 1])
      }
      for (j in 1:2) { beta[j] ~ dnorm(0, 0.1) }
      low[1] <- -100
      low[2] <- 0
      high[1] <- 0
      high[2] <- 100
    }", list(y = b, x = u, n = 60), c("beta"), 20000, list(ystar = b - 0.5))
    t <- rweibull(60, 1.4, exp(1 - 0.5 * b)); cens <- runif(60, 1, 5); is <- as.numeric(t > cens)
    add("weibull-censored", "model {
      for (i in 1:n) {
        is.censored[i] ~ dinterval(t[i], c[i])
        t[i] ~ dweib(r, mu[i])
        mu[i] <- exp(beta[1] + beta[2] * x[i])
      }
      beta[1] ~ dnorm(0, 0.001)
      beta[2] ~ dnorm(0, 0.001)
      r ~ dexp(0.001)
      median <- pow(log(2) * exp(-beta[1]), 1 / r)
    }", list(t = ifelse(is == 1, NA, t), is.censored = is, c = cens, x = b, n = 60), c("beta", "r", "median"), 20000,
        list(t = ifelse(is == 1, cens + 1, NA)))
    K <- 4; y <- t(sapply(1:20, function(i) { g <- rgamma(K, c(4, 3, 2, 1)); rmultinom(1, 15, g / sum(g)) }))
    add("dirichlet-multinomial", "model {
      for (i in 1:n) {
        y[i, 1:K] ~ dmulti(p[i, 1:K], N[i])
        p[i, 1:K] ~ ddirch(alpha[1:K])
      }
      for (k in 1:K) { alpha[k] ~ dgamma(1, 0.1) }
    }", list(y = y, N = rep(15, 20), n = 20, K = K), c("alpha", "p[1,1]"), 40000)
    m <- c(rnorm(40, 0, 1), rnorm(25, 4, 1))
    add("mixture-ordered", "model {
      for (i in 1:N) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- lambda[T[i]]
        T[i] ~ dcat(P[])
      }
      P[1:2] ~ ddirch(alpha[])
      theta ~ dnorm(0.0, 1.0E-6) T(0.0, )
      lambda[2] <- lambda[1] + theta
      lambda[1] ~ dnorm(0.0, 1.0E-6)
      tau ~ dgamma(0.001, 0.001)
      sigma <- 1 / sqrt(tau)
    }", list(y = m, N = 65, alpha = c(1, 1)), c("P", "lambda", "sigma"), 20000)
    add("mixture-sort", "model {
      for (i in 1:N) {
        y[i] ~ dnorm(mu[z[i]], tau[z[i]])
        z[i] ~ dcat(pi[1:2])
      }
      for (k in 1:2) {
        mu0[k] ~ dnorm(0, 0.01)
        tau[k] ~ dgamma(2, 2)
      }
      mu[1:2] <- sort(mu0)
      pi[1:2] ~ ddirch(c(1, 1))
    }", list(y = m, N = 65), c("pi", "mu", "tau"), 20000)
    s <- sort(runif(20, 0, 10)); d <- as.matrix(dist(s)); dimnames(d) <- NULL
    f <- as.numeric(t(chol(exp(-0.5 * d) + diag(1e-9, 20))) %*% rnorm(20)); y <- f + rnorm(20, 1, 0.3)
    add("gaussian-process", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(beta0 + f[i], tau)
        zero[i] <- 0
        for (j in 1:n) { Sigma[i, j] <- sigma2 * exp(-phi * d[i, j]) }
      }
      f[1:n] ~ dmnorm(zero[], Omega[, ])
      Omega[1:n, 1:n] <- inverse(Sigma[, ])
      beta0 ~ dnorm(0, 0.01)
      tau ~ dgamma(2, 0.2)
      sigma2 ~ dunif(0.01, 10)
      phi ~ dunif(0.1, 5)
    }", list(y = y, d = d, n = 20), c("beta0", "sigma2", "phi", "f"), 20000)
    rw <- rpois(40, exp(cumsum(c(1.5, rnorm(39, 0, 0.2)))))
    add("random-walk-poisson", "model {
      for (t in 1:T) {
        y[t] ~ dpois(mu[t])
        log(mu[t]) <- x[t]
      }
      x[1] ~ dnorm(0, 0.01)
      for (t in 2:T) { x[t] ~ dnorm(x[t - 1], tau) }
      tau <- pow(sigma, -2)
      sigma ~ dunif(0, 5)
    }", list(y = rw, T = 40), c("sigma", "x"), 60000)
    W <- matrix(0, 25, 25); for (i in 1:25) for (j in 1:25) if (abs((i - 1) %/% 5 - (j - 1) %/% 5) + abs((i - 1) %% 5 - (j - 1) %% 5) == 1) W[i, j] <- 1
    E <- runif(25, 3, 12); o <- rpois(25, E * exp(rnorm(25, 0, 0.4)))
    add("car-proper", "model {
      for (i in 1:n) {
        O[i] ~ dpois(mu[i])
        log(mu[i]) <- log(E[i]) + alpha + phi[i]
        zero[i] <- 0
        for (j in 1:n) { Q[i, j] <- tau * (D[i, j] - rho * W[i, j]) }
      }
      phi[1:n] ~ dmnorm(zero[1:n], Q[1:n, 1:n])
      alpha ~ dnorm(0, 0.01)
      tau ~ dgamma(1, 0.5)
      rho ~ dunif(0, 0.99)
    }", list(O = o, E = E, W = W, D = diag(rowSums(W)), n = 25), c("alpha", "tau", "rho", "phi"), 20000)
    nb <- rnbinom(60, mu = exp(1 + 0.5 * x[1:60]), size = 2)
    add("negative-binomial", "model {
      for (i in 1:n) {
        y[i] ~ dnegbin(p[i], r)
        p[i] <- r / (r + lambda[i])
        log(lambda[i]) <- b[1] + b[2] * x[i]
      }
      b[1] ~ dnorm(0, 0.001)
      b[2] ~ dnorm(0, 0.001)
      r ~ dunif(0, 50)
    }", list(y = nb, x = x[1:60], n = 60), c("b", "r"), 20000)
})
