# Capture-recapture, occupancy and counts, in the manner of Kéry & Schaub (2012) and Kéry & Royle.
local({
    set.seed(11)
    n <- 60; T <- 6; phi <- 0.7; p <- 0.5
    z <- y <- matrix(0, n, T); first <- sample(1:(T - 1), n, TRUE)
    for (i in 1:n) {
        z[i, first[i]] <- y[i, first[i]] <- 1
        for (t in (first[i] + 1):T) {
            z[i, t] <- rbinom(1, 1, phi * z[i, t - 1])
            y[i, t] <- rbinom(1, 1, p * z[i, t])
        }
    }
    known <- matrix(NA, n, T)
    for (i in 1:n) {
        last <- max(which(y[i, ] == 1))
        known[i, first[i]:last] <- 1
        known[i, first[i]] <- NA
    }
    start <- known
    for (i in 1:n) start[i, ] <- ifelse(is.na(known[i, ]) & 1:T > first[i], 0, NA)
    cjs <- "model {
      mean.phi ~ dunif(0, 1)
      mean.p ~ dunif(0, 1)
      for (i in 1:nind) {
        z[i, f[i]] <- 1
        for (t in (f[i] + 1):n.occasions) {
          z[i, t] ~ dbern(mu1[i, t])
          mu1[i, t] <- mean.phi * z[i, t - 1]
          y[i, t] ~ dbern(mu2[i, t])
          mu2[i, t] <- mean.p * z[i, t]
        }
      }
    }"
    data <- list(y = y, f = first, nind = n, n.occasions = T, z = known)
    add("cjs", cjs, data, c("mean.phi", "mean.p"), 6000, list(z = start))
    add("cjs-random-time", "model {
      for (i in 1:nind) {
        for (t in f[i]:(n.occasions - 1)) {
          logit(phi[i, t]) <- mu + epsilon[t]
          p[i, t] <- mean.p
        }
      }
      for (t in 1:(n.occasions - 1)) { epsilon[t] ~ dnorm(0, tau) }
      mean.phi ~ dunif(0, 1)
      mu <- log(mean.phi / (1 - mean.phi))
      sigma ~ dunif(0, 5)
      tau <- pow(sigma, -2)
      sigma2 <- pow(sigma, 2)
      mean.p ~ dunif(0, 1)
      for (i in 1:nind) {
        z[i, f[i]] <- 1
        for (t in (f[i] + 1):n.occasions) {
          z[i, t] ~ dbern(mu1[i, t])
          mu1[i, t] <- phi[i, t - 1] * z[i, t - 1]
          y[i, t] ~ dbern(mu2[i, t])
          mu2[i, t] <- p[i, t - 1] * z[i, t]
        }
      }
    }", data, c("mean.phi", "mean.p", "sigma", "epsilon"), 20000, list(z = start))
})
local({
    set.seed(12)
    R <- 60; T <- 3; x <- rnorm(R)
    N <- rpois(R, exp(1.2 + 0.6 * x)); y <- matrix(rbinom(R * T, N, 0.45), R, T)
    add("n-mixture", "model {
      alpha.lam ~ dunif(-10, 10)
      beta1.lam ~ dunif(-10, 10)
      p ~ dunif(0, 1)
      for (i in 1:R) {
        N[i] ~ dpois(lambda[i])
        log(lambda[i]) <- alpha.lam + beta1.lam * X[i]
        for (j in 1:T) { y[i, j] ~ dbin(p, N[i]) }
      }
      totalN <- sum(N[])
    }", list(y = y, X = x, R = R, T = T), c("alpha.lam", "beta1.lam", "p", "totalN"), 40000,
        list(N = apply(y, 1, max) + 1))
    z <- rbinom(R, 1, plogis(-0.2 + x)); w <- matrix(rnorm(R * T), R, T)
    v <- matrix(rbinom(R * T, 1, z * plogis(0.3 - w)), R, T)
    add("occupancy-covariates", "model {
      alpha.occ ~ dunif(-10, 10)
      beta.occ ~ dunif(-10, 10)
      alpha.p ~ dunif(-10, 10)
      beta.p ~ dunif(-10, 10)
      for (i in 1:R) {
        z[i] ~ dbern(psi[i])
        psi[i] <- 1 / (1 + exp(-lpsi.lim[i]))
        lpsi.lim[i] <- min(999, max(-999, lpsi[i]))
        lpsi[i] <- alpha.occ + beta.occ * X[i]
        for (j in 1:T) {
          y[i, j] ~ dbern(mu.p[i, j])
          mu.p[i, j] <- z[i] * p[i, j]
          p[i, j] <- 1 / (1 + exp(-lp.lim[i, j]))
          lp.lim[i, j] <- min(999, max(-999, lp[i, j]))
          lp[i, j] <- alpha.p + beta.p * W[i, j]
        }
      }
      occ.fs <- sum(z[])
    }", list(y = v, X = x, W = w, R = R, T = T), c("alpha.occ", "beta.occ", "alpha.p", "beta.p", "occ.fs"), 20000,
        list(z = apply(v, 1, max)))
})
local({
    set.seed(13)
    n <- 80; T <- 5; f <- rep(1:4, 20)
    P <- matrix(c(0.6, 0.2, 0.2, 0.25, 0.5, 0.25, 0, 0, 1), 3, 3, byrow = TRUE); see <- c(0.7, 0.4, 0)
    y <- z <- matrix(NA, n, T)
    for (i in 1:n) {
        z[i, f[i]] <- y[i, f[i]] <- sample(2, 1)
        for (t in (f[i] + 1):T) {
            z[i, t] <- sample(3, 1, prob = P[z[i, t - 1], ])
            y[i, t] <- if (runif(1) < see[z[i, t]]) z[i, t] else 3
        }
    }
    start <- y
    for (i in 1:n) { start[i, which(start[i, ] == 3)] <- 1; start[i, f[i]] <- NA }
    y[is.na(y)] <- 3
    add("multistate", "model {
      for (t in 1:(n.occasions - 1)) {
        phiA[t] <- mean.phi[1]
        phiB[t] <- mean.phi[2]
        psiAB[t] <- mean.psi[1]
        psiBA[t] <- mean.psi[2]
        pA[t] <- mean.p[1]
        pB[t] <- mean.p[2]
      }
      for (u in 1:2) {
        mean.phi[u] ~ dunif(0, 1)
        mean.psi[u] ~ dunif(0, 1)
        mean.p[u] ~ dunif(0, 1)
      }
      for (i in 1:nind) {
        for (t in f[i]:(n.occasions - 1)) {
          ps[1, i, t, 1] <- phiA[t] * (1 - psiAB[t])
          ps[1, i, t, 2] <- phiA[t] * psiAB[t]
          ps[1, i, t, 3] <- 1 - phiA[t]
          ps[2, i, t, 1] <- phiB[t] * psiBA[t]
          ps[2, i, t, 2] <- phiB[t] * (1 - psiBA[t])
          ps[2, i, t, 3] <- 1 - phiB[t]
          ps[3, i, t, 1] <- 0
          ps[3, i, t, 2] <- 0
          ps[3, i, t, 3] <- 1
          po[1, i, t, 1] <- pA[t]
          po[1, i, t, 2] <- 0
          po[1, i, t, 3] <- 1 - pA[t]
          po[2, i, t, 1] <- 0
          po[2, i, t, 2] <- pB[t]
          po[2, i, t, 3] <- 1 - pB[t]
          po[3, i, t, 1] <- 0
          po[3, i, t, 2] <- 0
          po[3, i, t, 3] <- 1
        }
      }
      for (i in 1:nind) {
        z[i, f[i]] <- y[i, f[i]]
        for (t in (f[i] + 1):n.occasions) {
          z[i, t] ~ dcat(ps[z[i, t - 1], i, t - 1, ])
          y[i, t] ~ dcat(po[z[i, t], i, t - 1, ])
        }
      }
    }", list(y = y, f = f, nind = n, n.occasions = T), c("mean.phi", "mean.psi", "mean.p"), 8000, list(z = start))
})
local({
    set.seed(14)
    T <- 25; r <- rnorm(T - 1, 0.02, 0.1); x <- cumsum(c(log(150), r)); y <- x + rnorm(T, 0, 0.12)
    add("state-space", "model {
      logN.est[1] ~ dnorm(5.6, 0.01)
      mean.r ~ dnorm(1, 0.001)
      sigma.proc ~ dunif(0, 1)
      sigma2.proc <- pow(sigma.proc, 2)
      tau.proc <- pow(sigma.proc, -2)
      sigma.obs ~ dunif(0, 1)
      sigma2.obs <- pow(sigma.obs, 2)
      tau.obs <- pow(sigma.obs, -2)
      for (t in 1:(T - 1)) {
        r[t] ~ dnorm(mean.r, tau.proc)
        logN.est[t + 1] <- logN.est[t] + r[t]
      }
      for (t in 1:T) { y[t] ~ dnorm(logN.est[t], tau.obs) }
      for (t in 1:T) { N.est[t] <- exp(logN.est[t]) }
    }", list(y = y, T = T), c("logN.est", "mean.r", "sigma.proc", "sigma.obs"), 100000)
    N <- y <- numeric(T); N[1] <- 30
    for (t in 2:T) N[t] <- N[t - 1] * rnorm(1, 1.02, 0.1)
    y <- round(N + rnorm(T, 0, 4))
    add("state-space-linear", "model {
      N.est[1] ~ dunif(0, 500)
      mean.lambda ~ dunif(0, 10)
      sigma.proc ~ dunif(0, 10)
      tau.proc <- pow(sigma.proc, -2)
      sigma.obs ~ dunif(0, 100)
      tau.obs <- pow(sigma.obs, -2)
      for (t in 1:(T - 1)) {
        lambda[t] ~ dnorm(mean.lambda, tau.proc)
        N.est[t + 1] <- N.est[t] * lambda[t]
      }
      for (t in 1:T) { y[t] ~ dnorm(N.est[t], tau.obs) }
    }", list(y = y, T = T), c("N.est", "mean.lambda", "sigma.proc", "sigma.obs"), 100000)
})
