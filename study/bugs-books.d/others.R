# Item response, cognitive models (in the manner of Lee & Wagenmakers, 2013), network meta-analysis, selection.
local({
    set.seed(41)
    n <- 150; K <- 8; th <- rnorm(n); a <- runif(K, 0.8, 2); b <- seq(-1.5, 1.5, length = K)
    y <- sapply(1:K, function(k) rbinom(n, 1, 0.2 + 0.8 * plogis(a[k] * (th - b[k]))))
    add("three-parameter", "model {
      for (i in 1:n) {
        for (k in 1:K) {
          y[i, k] ~ dbern(p[i, k])
          p[i, k] <- c[k] + (1 - c[k]) * ilogit(a[k] * (theta[i] - b[k]))
        }
        theta[i] ~ dnorm(0, 1)
      }
      for (k in 1:K) {
        a[k] ~ dlnorm(0, 4)
        b[k] ~ dnorm(0, 0.5)
        c[k] ~ dbeta(5, 17)
      }
    }", list(y = y, n = n, K = K), c("a", "b", "c"), 6000)
    S <- 20; h <- rbinom(S, 20, pnorm(rnorm(S, 1.2, 0.4) / 2 - rnorm(S, 0.1, 0.3))); fa <- rbinom(S, 20, pnorm(-rnorm(S, 1.2, 0.4) / 2 - 0.1))
    add("signal-detection", "model {
      for (i in 1:k) {
        thetah[i] <- phi(d[i] / 2 - c[i])
        thetaf[i] <- phi(-d[i] / 2 - c[i])
        h[i] ~ dbin(thetah[i], s)
        f[i] ~ dbin(thetaf[i], nn)
        c[i] ~ dnorm(muc, lambdac)
        d[i] ~ dnorm(mud, lambdad)
      }
      muc ~ dnorm(0, .001)
      mud ~ dnorm(0, .001)
      lambdac ~ dgamma(.001, .001)
      lambdad ~ dgamma(.001, .001)
      sigmac <- 1 / sqrt(lambdac)
      sigmad <- 1 / sqrt(lambdad)
    }", list(h = h, f = fa, s = 20, nn = 20, k = S), c("muc", "mud", "sigmac", "sigmad", "d"), 40000)
    k <- c(rbinom(6, 40, 0.5), rbinom(14, 40, plogis(rnorm(14, 1.3, 0.5))))
    add("latent-groups", "model {
      for (i in 1:p) { z[i] ~ dbern(0.5) }
      psi <- 0.5
      mu ~ dbeta(1, 1) T(.5, 1)
      lambda ~ dgamma(.001, .001)
      sigma <- 1 / sqrt(lambda)
      for (i in 1:p) {
        phi[i] ~ dnorm(mu, lambda) T(0, 1)
        theta[i] <- equals(z[i], 0) * psi + equals(z[i], 1) * phi[i]
        k[i] ~ dbin(theta[i], n)
      }
    }", list(k = k, p = 20, n = 40), c("mu", "sigma", "z"), 40000)
    x <- MASS::mvrnorm(30, c(1, 2), matrix(c(1, 0.6, 0.6, 1), 2))
    add("correlation", "model {
      for (i in 1:n) { x[i, 1:2] ~ dmnorm(mu[], TI[, ]) }
      mu[1] ~ dnorm(0, .001)
      mu[2] ~ dnorm(0, .001)
      lambda[1] ~ dgamma(.001, .001)
      lambda[2] ~ dgamma(.001, .001)
      r ~ dunif(-1, 1)
      sigma[1] <- 1 / sqrt(lambda[1])
      sigma[2] <- 1 / sqrt(lambda[2])
      T[1, 1] <- 1 / lambda[1]
      T[1, 2] <- r * sigma[1] * sigma[2]
      T[2, 1] <- r * sigma[1] * sigma[2]
      T[2, 2] <- 1 / lambda[2]
      TI[1:2, 1:2] <- inverse(T[1:2, 1:2])
    }", list(x = x, n = 30), c("mu", "sigma", "r"), 20000)
    ns <- 15; t <- cbind(rep(1, ns), sample(2:4, ns, TRUE)); na <- rep(2, ns)
    n <- matrix(sample(50:200, 2 * ns, TRUE), ns); d <- c(0, -0.5, -0.2, -0.8)
    mu <- rnorm(ns, -1, 0.5); r <- matrix(rbinom(2 * ns, n, plogis(cbind(mu, mu + d[t[, 2]] + rnorm(ns, 0, 0.2)))), ns)
    add("network-meta", "model {
      for (i in 1:ns) {
        w[i, 1] <- 0
        delta[i, 1] <- 0
        mu[i] ~ dnorm(0, .0001)
        for (k in 1:na[i]) {
          r[i, k] ~ dbin(p[i, k], n[i, k])
          logit(p[i, k]) <- mu[i] + delta[i, k]
          rhat[i, k] <- p[i, k] * n[i, k]
          dev[i, k] <- 2 * (r[i, k] * (log(r[i, k]) - log(rhat[i, k])) + (n[i, k] - r[i, k]) * (log(n[i, k] - r[i, k]) - log(n[i, k] - rhat[i, k])))
        }
        resdev[i] <- sum(dev[i, 1:na[i]])
        for (k in 2:na[i]) {
          delta[i, k] ~ dnorm(md[i, k], taud[i, k])
          md[i, k] <- d[t[i, k]] - d[t[i, 1]] + sw[i, k]
          taud[i, k] <- tau * 2 * (k - 1) / k
          w[i, k] <- (delta[i, k] - d[t[i, k]] + d[t[i, 1]])
          sw[i, k] <- sum(w[i, 1:(k - 1)]) / (k - 1)
        }
      }
      totresdev <- sum(resdev[])
      d[1] <- 0
      for (k in 2:nt) { d[k] ~ dnorm(0, .0001) }
      sd ~ dunif(0, 5)
      tau <- pow(sd, -2)
    }", list(r = r, n = n, t = t, na = na, ns = ns, nt = 4), c("d", "sd", "delta", "totresdev"), 40000)
    X <- matrix(rnorm(50 * 6), 50); y <- X[, 1] - 0.3 * X[, 2] + rnorm(50)
    add("selection", "model {
      for (i in 1:n) { y[i] ~ dnorm(alpha + inprod(X[i, ], beta[]), tau) }
      for (j in 1:K) {
        ind[j] ~ dbern(pind)
        betaT[j] ~ dnorm(0, taub)
        beta[j] <- ind[j] * betaT[j]
      }
      alpha ~ dnorm(0, .0001)
      tau ~ dgamma(1, .001)
      taub ~ dgamma(1, .001)
      pind ~ dbeta(2, 8)
    }", list(y = y, X = X, n = 50, K = 6), c("alpha", "beta", "ind", "pind"), 40000)
    add("lasso", "model {
      for (i in 1:n) { y[i] ~ dnorm(alpha + inprod(X[i, ], beta[]), tau) }
      for (j in 1:K) { beta[j] ~ ddexp(0, lambda) }
      alpha ~ dnorm(0, .0001)
      tau ~ dgamma(1, .001)
      lambda ~ dunif(0.001, 10)
    }", list(y = y, X = X, n = 50, K = 6), c("alpha", "beta", "lambda", "tau"), 20000)
    id <- rep(1:15, each = 6); age <- rep(1:6, 15); Li <- rnorm(15, 50, 5)
    L <- rnorm(90, Li[id] * (1 - exp(-0.4 * (age + 0.3))), 1.5)
    add("von-bertalanffy", "model {
      for (i in 1:N) {
        L[i] ~ dnorm(mu[i], tau)
        mu[i] <- Linf[id[i]] * (1 - exp(-k * (age[i] - t0)))
      }
      for (j in 1:J) { Linf[j] ~ dnorm(mu.L, tau.L) }
      mu.L ~ dnorm(0, 0.0001)
      k ~ dunif(0, 3)
      t0 ~ dnorm(0, 0.1)
      sigma ~ dunif(0, 100)
      sigma.L ~ dunif(0, 100)
      tau <- pow(sigma, -2)
      tau.L <- pow(sigma.L, -2)
    }", list(L = L, id = id, age = age, N = 90, J = 15), c("mu.L", "k", "t0", "sigma", "sigma.L", "Linf"), 40000)
    q <- rbinom(1, 30, 0.5)
    add("binomial-size", "model {
      for (i in 1:m) { k[i] ~ dbin(theta, n) }
      theta ~ dbeta(1, 1)
      n ~ dcat(p[])
      for (i in 1:nmax) { p[i] <- 1 / nmax }
    }", list(k = c(16, 18, 22, 25, 27), m = 5, nmax = 500), c("theta", "n"), 60000)
})
