# Multilevel models in the manner of Gelman & Hill (2007) and Kruschke (2015).
local({
    set.seed(21)
    J <- 30; n <- 200; county <- sample(J, n, TRUE); x <- rbinom(n, 1, 0.3); u <- rnorm(J)
    a <- 1.5 + 0.4 * u + rnorm(J, 0, 0.3); b <- -0.7 + rnorm(J, 0, 0.3)
    y <- rnorm(n, a[county] + b[county] * x, 0.7)
    data <- list(n = n, J = J, y = y, x = x, county = county)
    add("radon", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(y.hat[i], tau.y)
        y.hat[i] <- a[county[i]] + b * x[i]
      }
      b ~ dnorm(0, .0001)
      tau.y <- pow(sigma.y, -2)
      sigma.y ~ dunif(0, 100)
      for (j in 1:J) {
        a[j] ~ dnorm(a.hat[j], tau.a)
        a.hat[j] <- g.0 + g.1 * u[j]
      }
      g.0 ~ dnorm(0, .0001)
      g.1 ~ dnorm(0, .0001)
      tau.a <- pow(sigma.a, -2)
      sigma.a ~ dunif(0, 100)
    }", c(data, list(u = u)), c("a", "b", "g.0", "g.1", "sigma.y", "sigma.a"))
    add("radon-rho", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(y.hat[i], tau.y)
        y.hat[i] <- a[county[i]] + b[county[i]] * x[i]
      }
      tau.y <- pow(sigma.y, -2)
      sigma.y ~ dunif(0, 100)
      for (j in 1:J) {
        a[j] <- B[j, 1]
        b[j] <- B[j, 2]
        B[j, 1:2] ~ dmnorm(B.hat[j, ], Tau.B[, ])
        B.hat[j, 1] <- mu.a
        B.hat[j, 2] <- mu.b
      }
      mu.a ~ dnorm(0, .0001)
      mu.b ~ dnorm(0, .0001)
      Tau.B[1:2, 1:2] <- inverse(Sigma.B[, ])
      Sigma.B[1, 1] <- pow(sigma.a, 2)
      sigma.a ~ dunif(0, 100)
      Sigma.B[2, 2] <- pow(sigma.b, 2)
      sigma.b ~ dunif(0, 100)
      Sigma.B[1, 2] <- rho * sigma.a * sigma.b
      Sigma.B[2, 1] <- Sigma.B[1, 2]
      rho ~ dunif(-1, 1)
    }", data, c("a", "b", "mu.a", "mu.b", "sigma.y", "sigma.a", "sigma.b", "rho"), 40000)
    add("radon-scaled-wishart", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(y.hat[i], tau.y)
        y.hat[i] <- inprod(B[county[i], ], X[i, ])
      }
      tau.y <- pow(sigma.y, -2)
      sigma.y ~ dunif(0, 100)
      for (j in 1:J) {
        for (k in 1:K) { B[j, k] <- xi[k] * B.raw[j, k] }
        B.raw[j, 1:K] ~ dmnorm(mu.raw[], Tau.B.raw[, ])
      }
      for (k in 1:K) {
        mu[k] <- xi[k] * mu.raw[k]
        mu.raw[k] ~ dnorm(0, .0001)
        xi[k] ~ dunif(0, 100)
      }
      Tau.B.raw[1:K, 1:K] ~ dwish(W[, ], df)
      df <- K + 1
      Sigma.B.raw[1:K, 1:K] <- inverse(Tau.B.raw[, ])
      for (k in 1:K) {
        for (k.prime in 1:K) {
          rho.B[k, k.prime] <- Sigma.B.raw[k, k.prime] / sqrt(Sigma.B.raw[k, k] * Sigma.B.raw[k.prime, k.prime])
        }
        sigma.B[k] <- abs(xi[k]) * sqrt(Sigma.B.raw[k, k])
      }
    }", list(n = n, J = J, K = 2, y = y, X = cbind(1, x), county = county, W = diag(2)),
        c("mu", "sigma.y", "sigma.B", "rho.B[1,2]", "B"), 40000)
    add("wishart", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(inprod(B[county[i], ], X[i, ]), tau.y)
      }
      tau.y ~ dgamma(0.001, 0.001)
      sigma.y <- 1 / sqrt(tau.y)
      for (j in 1:J) { B[j, 1:2] ~ dmnorm(mu[], Omega[, ]) }
      mu[1:2] ~ dmnorm(zero[], prec[, ])
      Omega[1:2, 1:2] ~ dwish(W[, ], 3)
      Sigma[1:2, 1:2] <- inverse(Omega[, ])
    }", list(n = n, J = J, y = y, X = cbind(1, x), county = county, W = diag(2), zero = c(0, 0), prec = diag(1e-4, 2)),
        c("mu", "sigma.y", "Sigma", "B"))
})
local({
    set.seed(22)
    y <- c(rt(47, 4) * 8 + 101, rt(42, 4) * 6 + 100); x <- rep(1:2, c(47, 42))
    add("robust-two-groups", "model {
      for (i in 1:Ntotal) { y[i] ~ dt(mu[x[i]], 1 / sigma[x[i]]^2, nu) }
      for (j in 1:2) {
        mu[j] ~ dnorm(meanY, 1 / (100 * sdY)^2)
        sigma[j] ~ dunif(sdY / 1000, sdY * 1000)
      }
      nu <- nuMinusOne + 1
      nuMinusOne ~ dexp(1 / 29)
      effect <- (mu[1] - mu[2]) / sqrt((sigma[1]^2 + sigma[2]^2) / 2)
    }", list(y = y, x = x, Ntotal = length(y), meanY = mean(y), sdY = sd(y)), c("mu", "sigma", "nu", "effect"), 20000)
    S <- 28; N <- rep(20, S); z <- rbinom(S, N, rbeta(S, 8, 10)); c <- rep(1:4, 7)
    add("beta-binomial", "model {
      for (s in 1:Nsubj) {
        z[s] ~ dbin(theta[s], N[s])
        theta[s] ~ dbeta(omega * (kappa - 2) + 1, (1 - omega) * (kappa - 2) + 1)
      }
      omega ~ dbeta(1, 1)
      kappa <- kappaMinusTwo + 2
      kappaMinusTwo ~ dgamma(0.01, 0.01)
    }", list(z = z, N = N, Nsubj = S), c("theta", "omega", "kappa"), 10000)
    add("beta-binomial-categories", "model {
      for (s in 1:Nsubj) {
        z[s] ~ dbin(theta[s], N[s])
        theta[s] ~ dbeta(omega[c[s]] * (kappa[c[s]] - 2) + 1, (1 - omega[c[s]]) * (kappa[c[s]] - 2) + 1)
      }
      for (c in 1:Ncat) {
        omega[c] ~ dbeta(omegaO * (kappaO - 2) + 1, (1 - omegaO) * (kappaO - 2) + 1)
        kappa[c] <- kappaMinusTwo[c] + 2
        kappaMinusTwo[c] ~ dgamma(0.01, 0.01)
      }
      omegaO ~ dbeta(1.0, 1.0)
      kappaO <- kappaMinusTwoO + 2
      kappaMinusTwoO ~ dgamma(0.01, 0.01)
    }", list(z = z, N = N, c = c, Nsubj = S, Ncat = 4), c("omega", "omegaO"), 10000)
})
local({
    set.seed(23)
    n <- 60; X <- matrix(rnorm(n * 3), n); y <- 2 + X %*% c(1, 0, -0.5) + rt(n, 3); y <- y[, 1]
    add("robust-regression", "data {
      ym <- mean(y)
      ysd <- sd(y)
      for (i in 1:Ntotal) { zy[i] <- (y[i] - ym) / ysd }
      for (j in 1:Nx) {
        xm[j] <- mean(x[, j])
        xsd[j] <- sd(x[, j])
        for (i in 1:Ntotal) { zx[i, j] <- (x[i, j] - xm[j]) / xsd[j] }
      }
    }
    model {
      for (i in 1:Ntotal) { zy[i] ~ dt(zbeta0 + sum(zbeta[1:Nx] * zx[i, 1:Nx]), 1 / zsigma^2, nu) }
      zbeta0 ~ dnorm(0, 1 / 2^2)
      for (j in 1:Nx) { zbeta[j] ~ dnorm(0, 1 / 2^2) }
      zsigma ~ dunif(1.0E-5, 1.0E+1)
      nu ~ dexp(1 / 30.0)
      beta[1:Nx] <- (zbeta[1:Nx] / xsd[1:Nx]) * ysd
      beta0 <- zbeta0 * ysd + ym - sum(zbeta[1:Nx] * xm[1:Nx] / xsd[1:Nx]) * ysd
      sigma <- zsigma * ysd
    }", list(y = y, x = X, Ntotal = n, Nx = 3), c("beta0", "beta", "sigma", "nu"), 20000)
    g <- rep(1:5, each = 12); y <- rnorm(60, 10 + c(-1, 0, 0, 0.5, 2)[g], 2)
    add("anova", "model {
      for (i in 1:Ntotal) { y[i] ~ dnorm(a0 + a[x[i]], 1 / ySigma^2) }
      ySigma ~ dunif(ySD / 100, ySD * 10)
      a0 ~ dnorm(yMean, 1 / (ySD * 5)^2)
      for (j in 1:NxLvl) { a[j] ~ dnorm(0.0, 1 / aSigma^2) }
      aSigma ~ dgamma(1.64, 0.32)
      for (j in 1:NxLvl) { m[j] <- a0 + a[j] }
      b0 <- mean(m[1:NxLvl])
      for (j in 1:NxLvl) { b[j] <- m[j] - b0 }
    }", list(y = y, x = g, Ntotal = 60, NxLvl = 5, yMean = mean(y), ySD = sd(y)), c("b0", "b", "ySigma", "aSigma"), 40000)
    ord <- findInterval(rnorm(80, 1 + 0.8 * (1:80 %% 2)), c(-0.5, 0.6, 1.7, 2.6)) + 1
    add("ordinal", "model {
      for (i in 1:Ntotal) {
        y[i] ~ dcat(pr[i, 1:nYlevels])
        pr[i, 1] <- pnorm(thresh[1], mu[x[i]], 1 / sigma[x[i]]^2)
        for (k in 2:(nYlevels - 1)) {
          pr[i, k] <- max(0, pnorm(thresh[k], mu[x[i]], 1 / sigma[x[i]]^2) - pnorm(thresh[k - 1], mu[x[i]], 1 / sigma[x[i]]^2))
        }
        pr[i, nYlevels] <- 1 - pnorm(thresh[nYlevels - 1], mu[x[i]], 1 / sigma[x[i]]^2)
      }
      for (j in 1:2) {
        mu[j] ~ dnorm((1 + nYlevels) / 2, 1 / (nYlevels)^2)
        sigma[j] ~ dunif(nYlevels / 1000, nYlevels * 10)
      }
      for (k in 2:(nYlevels - 2)) { thresh[k] ~ dnorm(k + 0.5, 1 / 2^2) }
    }", list(y = ord, x = 1:80 %% 2 + 1, Ntotal = 80, nYlevels = 5, thresh = c(1.5, NA, NA, 4.5)), c("mu", "sigma", "thresh[2]", "thresh[3]"), 40000)
    s <- rep(1:25, each = 8); item <- rep(1:8, 25)
    y <- rbinom(200, 1, plogis(rnorm(25)[s] + rnorm(8, 0.3, 0.8)[item]))
    add("crossed-logistic", "model {
      for (i in 1:N) {
        y[i] ~ dbern(p[i])
        logit(p[i]) <- beta0 + u[subject[i]] + w[item[i]]
      }
      for (j in 1:S) { u[j] ~ dnorm(0, tau.u) }
      for (k in 1:K) { w[k] ~ dnorm(0, tau.w) }
      beta0 ~ dnorm(0, 0.01)
      tau.u <- pow(sigma.u, -2)
      tau.w <- pow(sigma.w, -2)
      sigma.u ~ dt(0, 1, 1) T(0, )
      sigma.w ~ dt(0, 1, 1) T(0, )
    }", list(y = y, subject = s, item = item, N = 200, S = 25, K = 8), c("beta0", "sigma.u", "sigma.w", "w"), 20000)
})
