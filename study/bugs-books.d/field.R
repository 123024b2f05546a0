# Models of ecology and fisheries as field courses and papers write them: checks of fit, thermal curves, stock assessments, capture.
local({
    set.seed(2024)
    # a thermal response as mosquito papers have it: a parabola that is 0 outside of its limits
    temp <- rep(seq(14, 34, by = 2), each = 3); m <- pmax(0.012 * (temp - 11) * (36 - temp), 0)
    add("thermal-quadratic", "model{
      ## Priors
      cf.q ~ dunif(0, 1)
      cf.T0 ~ dunif(0, 24)
      cf.Tm ~ dunif(25, 45)
      cf.sigma ~ dunif(0, 1000)
      cf.tau <- 1 / (cf.sigma * cf.sigma)
      ## Likelihood
      for(i in 1:N.obs){
        trait.mu[i] <- -1 * cf.q * (temp[i] - cf.T0) * (temp[i] - cf.Tm) * (cf.Tm > temp[i]) * (cf.T0 < temp[i])
        trait[i] ~ dnorm(trait.mu[i], cf.tau)
      }
      ## Derived quantities
      for(i in 1:N.Temp.xs){
        z.trait.mu.pred[i] <- -1 * cf.q * (Temp.xs[i] - cf.T0) * (Temp.xs[i] - cf.Tm) * (cf.Tm > Temp.xs[i]) * (cf.T0 < Temp.xs[i])
      }
    }", list(trait = m + rnorm(length(temp), 0, 0.12), temp = temp, N.obs = length(temp), Temp.xs = c(12, 25, 35), N.Temp.xs = 3),
        c("cf.q", "cf.T0", "cf.Tm", "cf.sigma", "z.trait.mu.pred"), 40000, list(cf.q = 0.01, cf.T0 = 5, cf.Tm = 40, cf.sigma = 1))
    m <- ifelse(temp < 35, 0.0003 * temp * (temp - 10) * sqrt(pmax(35 - temp, 0)), 0)
    add("thermal-briere", "model{
      cf.q ~ dunif(0, 1)
      cf.T0 ~ dunif(0, 24)
      cf.Tm ~ dunif(25, 45)
      cf.sigma ~ dunif(0, 1000)
      cf.tau <- 1 / (cf.sigma * cf.sigma)
      for(i in 1:N.obs){
        trait.mu[i] <- cf.q * temp[i] * (temp[i] - cf.T0) * sqrt((cf.Tm - temp[i]) * (cf.Tm > temp[i])) * (cf.T0 < temp[i])
        trait[i] ~ dnorm(trait.mu[i], cf.tau)
      }
    }", list(trait = m + rnorm(length(temp), 0, 0.01), temp = temp, N.obs = length(temp)),
        c("cf.q", "cf.T0", "cf.Tm", "cf.sigma"), 40000, list(cf.q = 0.0003, cf.T0 = 5, cf.Tm = 40, cf.sigma = 1))
    # a Poisson regression with the check of fit of Kery's course
    elev <- runif(60, -1, 1); C <- rpois(60, exp(1 + 0.8 * elev - 0.5 * elev^2))
    add("poisson-p-value", "model {
      alpha ~ dunif(-10, 10)
      beta ~ dunif(-10, 10)
      beta2 ~ dunif(-10, 10)
      for (i in 1:n) {
        C[i] ~ dpois(lambda[i])
        log(lambda[i]) <- alpha + beta * elev[i] + beta2 * pow(elev[i], 2)
        # Fit assessments
        Presi[i] <- (C[i] - lambda[i]) / sqrt(lambda[i])       # Pearson residuals
        C.new[i] ~ dpois(lambda[i])                            # Replicate data set
        Presi.new[i] <- (C.new[i] - lambda[i]) / sqrt(lambda[i])
        D[i] <- pow(Presi[i], 2)
        D.new[i] <- pow(Presi.new[i], 2)
      }
      fit <- sum(D[])
      fit.new <- sum(D.new[])
      bpvalue <- step(fit.new - fit)
    }", list(C = C, elev = elev, n = 60), c("alpha", "beta", "beta2", "fit", "fit.new", "bpvalue"))
    # Royle and Nichols: abundance changes how easily a site is found occupied
    R <- 80; hab <- rnorm(R); N <- rpois(R, exp(0.3 + 0.6 * hab)); y <- rbinom(R, 5, 1 - (1 - 0.25)^N)
    add("royle-nichols", "model {
      a0 ~ dnorm(0, 0.1)
      a1 ~ dnorm(0, 0.1)
      r ~ dunif(0, 1)
      for (i in 1:R) {
        N[i] ~ dpois(lambda[i])
        log(lambda[i]) <- a0 + a1 * hab[i]
        p[i] <- 1 - pow(1 - r, N[i])
        y[i] ~ dbin(p[i], J)
      }
      totN <- sum(N[])
    }", list(y = y, hab = hab, R = R, J = 5), c("a0", "a1", "r", "totN"), 20000, list(N = rep(5, R)))
    # removal sampling, three passes, as multinomials with an unknown size
    R <- 40; N <- rpois(R, 14); y <- matrix(0, R, 3); left <- N
    for (k in 1:3) { y[, k] <- rbinom(R, left, 0.45); left <- left - y[, k] }
    add("removal", "model {
      lambda ~ dgamma(0.005, 0.005)
      p ~ dunif(0, 1)
      cp[1] <- p
      cp[2] <- p * (1 - p)
      cp[3] <- p * (1 - p) * (1 - p)
      pcap <- sum(cp[])
      for (k in 1:3) { mucp[k] <- cp[k] / pcap }
      for (i in 1:R) {
        N[i] ~ dpois(lambda)
        n[i] ~ dbin(pcap, N[i])
        y[i, 1:3] ~ dmulti(mucp[], n[i])
      }
      Ntot <- sum(N[])
    }", list(y = y, n = rowSums(y), R = R), c("lambda", "p", "Ntot"), 20000, list(N = rowSums(y) + 2))
    # distance sampling in bins, the half-normal curve at the midpoints
    d <- abs(runif(400, 0, 100)); seen <- rbinom(400, 1, exp(-d^2 / (2 * 40^2))) == 1; bins <- table(cut(d[seen], seq(0, 100, 10)))
    add("distance-bins", "model {
      sigma ~ dunif(0, 200)
      for (g in 1:nD) {
        log(p[g]) <- -midpt[g] * midpt[g] / (2 * sigma * sigma)
        pi[g] <- delta / B
        f[g] <- p[g] * pi[g]
        fc[g] <- f[g] / pcap
      }
      pcap <- sum(f[])
      y[1:nD] ~ dmulti(fc[1:nD], n)
      n ~ dbin(pcap, N)
      N ~ dpois(lambda)
      lambda ~ dunif(0, 2000)
      D <- N / 10
    }", list(y = as.vector(bins), n = sum(bins), nD = 10, midpt = seq(5, 95, 10), delta = 10, B = 100), c("sigma", "pcap", "N", "D"), 20000, list(N = 400))
    # recoveries of dead birds, as multinomials of an m-array
    K <- 8; Rel <- rep(300, K); s <- 0.55; r <- 0.12; marr <- matrix(0, K, K + 1)
    for (t in 1:K) { pr <- c(rep(0, t - 1), s^(0:(K - t)) * (1 - s) * r); marr[t, ] <- rmultinom(1, Rel[t], c(pr, 1 - sum(pr))) }
    add("dead-recovery", "model {
      for (t in 1:n.occasions) {
        logit(s[t]) <- mu + epsilon[t]
        r[t] <- mean.r
        epsilon[t] ~ dnorm(0, tau)
      }
      mean.s ~ dunif(0, 1)
      mu <- log(mean.s / (1 - mean.s))
      mean.r ~ dunif(0, 1)
      sigma ~ dunif(0, 3)
      tau <- pow(sigma, -2)
      for (t in 1:n.occasions) { marr[t, 1:(n.occasions + 1)] ~ dmulti(pr[t, ], rel[t]) }
      for (t in 1:n.occasions) {
        pr[t, t] <- (1 - s[t]) * r[t]
        for (j in (t + 1):n.occasions) { pr[t, j] <- prod(s[t:(j - 1)]) * (1 - s[j]) * r[j] }
        for (j in 1:(t - 1)) { pr[t, j] <- 0 }
      }
      for (t in 1:n.occasions) { pr[t, n.occasions + 1] <- 1 - sum(pr[t, 1:n.occasions]) }
    }", list(marr = marr, rel = Rel, n.occasions = K), c("mean.s", "mean.r", "sigma"), 30000)
    # false positives: some sites have certain records
    R <- 100; z <- rbinom(R, 1, 0.5); y <- rbinom(R, 6, ifelse(z == 1, 0.6, 0.08)); w <- rbinom(R, 2, 0.5 * z)
    add("occupancy-false-positive", "model {
      psi ~ dunif(0, 1)
      p11 ~ dunif(0, 1)
      p10 ~ dunif(0, 0.5)
      b ~ dunif(0, 1)
      for (i in 1:R) {
        z[i] ~ dbern(psi)
        p[i] <- z[i] * p11 + (1 - z[i]) * p10
        y[i] ~ dbin(p[i], 6)
        w[i] ~ dbin(z[i] * b, 2)
      }
      n.occ <- sum(z[])
    }", list(y = y, w = w, R = R), c("psi", "p11", "p10", "b", "n.occ"), 20000, list(z = rep(1, R)))
    # occupied with and without young: three states that are partly seen
    st <- sample(1:3, 90, TRUE, c(0.4, 0.35, 0.25)); P <- rbind(c(1, 0, 0), c(0.4, 0.6, 0), c(0.2, 0.3, 0.5))
    add("multistate-occupancy", "model {
      psi ~ dunif(0, 1)
      r ~ dunif(0, 1)
      p2 ~ dunif(0, 1)
      for (i in 1:3) { beta[i] ~ dgamma(1, 1)
        p3[i] <- beta[i] / sum(beta[]) }
      Omega[1] <- 1 - psi
      Omega[2] <- psi * (1 - r)
      Omega[3] <- psi * r
      obs[1, 1] <- 1
      obs[1, 2] <- 0
      obs[1, 3] <- 0
      obs[2, 1] <- 1 - p2
      obs[2, 2] <- p2
      obs[2, 3] <- 0
      obs[3, 1] <- p3[1]
      obs[3, 2] <- p3[2]
      obs[3, 3] <- p3[3]
      for (i in 1:R) { z[i] ~ dcat(Omega[]) }
      for (i in 1:R) { for (j in 1:T) { y[i, j] ~ dcat(obs[z[i], ]) } }
      for (i in 1:R) { occ2[i] <- equals(z[i], 2)
        occ3[i] <- equals(z[i], 3) }
      n.occ[1] <- sum(occ2[])
      n.occ[2] <- sum(occ3[])
    }", list(y = t(sapply(st, function(s) sample(1:3, 4, TRUE, P[s, ]))), R = 90, T = 4), c("psi", "r", "p2", "p3", "n.occ"), 20000, list(z = rep(3, 90)))
    # survival of nests, exposures of different lengths
    n <- 90; len <- sample(1:6, n, TRUE); date <- rnorm(n); s <- plogis(2.6 - 0.5 * date)
    add("nest-survival", "model {
      for (i in 1:n) {
        logit(S[i]) <- b0 + b1 * date[i]
        mu[i] <- pow(S[i], len[i])
        alive[i] ~ dbern(mu[i])
      }
      b0 ~ dnorm(0, .01)
      b1 ~ dnorm(0, .01)
      logit(Smean) <- b0
      success <- pow(Smean, 25)
    }", list(alive = rbinom(n, 1, s^len), len = len, date = date, n = n), c("b0", "b1", "Smean", "success"))
    # survival by age, with random years, individuals' histories written out
    n <- 80; T <- 8; f <- sample(1:(T - 1), n, TRUE); CH <- matrix(0, n, T); zz <- matrix(NA, n, T)
    for (i in 1:n) { alive <- 1; CH[i, f[i]] <- 1
      for (t in (f[i] + 1):T) { alive <- alive * rbinom(1, 1, if (t == f[i] + 1) 0.4 else 0.7); CH[i, t] <- alive * rbinom(1, 1, 0.6) } }
    for (i in 1:n) { last <- max(which(CH[i, ] == 1)); if (last > f[i]) zz[i, (f[i] + 1):last] <- 1 }
    age <- matrix(NA, n, T - 1); for (i in 1:n) for (t in f[i]:(T - 1)) age[i, t] <- min(2, t - f[i] + 1)
    start <- ifelse(is.na(zz), 1, NA); for (i in 1:n) start[i, 1:f[i]] <- NA
    add("cjs-age", "model {
      for (i in 1:nind) {
        for (t in f[i]:(n.occasions - 1)) {
          phi[i, t] <- beta[x[i, t]]
          p[i, t] <- p.time[t]
        }
      }
      for (u in 1:2) { beta[u] ~ dunif(0, 1) }
      for (t in 1:(n.occasions - 1)) { logit(p.time[t]) <- mu + eps[t]
        eps[t] ~ dnorm(0, tau)T(-15, 15) }
      mean.p ~ dunif(0, 1)
      mu <- log(mean.p / (1 - mean.p))
      sigma ~ dunif(0, 5)
      tau <- pow(sigma, -2)
      for (i in 1:nind) {
        z[i, f[i]] <- 1
        for (t in (f[i] + 1):n.occasions) {
          z[i, t] ~ dbern(mu1[i, t])
          mu1[i, t] <- phi[i, t - 1] * z[i, t - 1]
          y[i, t] ~ dbern(mu2[i, t])
          mu2[i, t] <- p[i, t - 1] * z[i, t]
        }
      }
    }", list(y = CH, f = f, nind = n, n.occasions = T, x = age, z = zz), c("beta", "mean.p", "sigma"), 20000, list(z = start))
    # a surplus production model (Meyer and Millar), tuna's kind of data
    T <- 23; Cc <- c(15.9, 25.7, 28.5, 23.7, 25.0, 33.3, 28.2, 19.7, 17.5, 19.3, 21.6, 23.1, 22.5, 22.5, 23.6, 29.1, 14.4, 13.2, 28.4, 34.6, 37.5, 25.9, 25.3)
    I <- c(61.89, 78.98, 55.59, 44.61, 56.89, 38.27, 33.84, 36.13, 41.95, 36.63, 36.33, 38.82, 34.32, 37.64, 34.01, 32.16, 26.88, 36.61, 30.07, 30.75, 23.36, 22.36, 21.91)
    add("surplus-production", "model {
      logK ~ dnorm(5.042905, 3.7603664)
      K <- exp(logK)
      logr ~ dnorm(-1.38, 3.845)
      r <- exp(logr)
      iq ~ dgamma(0.001, 0.001) T(0.5, 100)
      q <- 1 / iq
      isigma2 ~ dgamma(3.785518, 0.010223)
      Sigma2 <- 1 / isigma2
      itau2 ~ dgamma(1.708603, 0.008613854)
      Tau2 <- 1 / itau2
      Pmed[1] <- 0
      P[1] ~ dlnorm(Pmed[1], isigma2) T(0.05, 1.6)
      for (t in 2:N) {
        Pmed[t] <- log(max(P[t - 1] + r * P[t - 1] * (1 - P[t - 1]) - k * C[t - 1], 0.01))
        P[t] ~ dlnorm(Pmed[t], isigma2) T(0.05, 1.5)
      }
      k <- 1 / K
      for (t in 1:N) {
        Imed[t] <- log((q * K) * P[t])
        I[t] ~ dlnorm(Imed[t], itau2)
        B[t] <- K * P[t]
      }
      MSP <- r * K / 4
    }", list(N = T, C = Cc, I = I), c("K", "r", "q", "Sigma2", "Tau2", "MSP", "P[1]", "P[23]"), 60000,
        list(P = rep(0.7, 23), logr = log(0.5), logK = log(250), iq = 4))
    # Gompertz growth of a population, seen with errors
    T <- 35; x <- 2; for (t in 2:T) x[t] <- 0.8 + 0.65 * x[t - 1] + rnorm(1, 0, 0.2)
    add("gompertz-state-space", "model {
      a ~ dnorm(0, 0.01)
      c ~ dunif(-1, 1)
      sigmaQ ~ dunif(0, 2)
      sigmaR ~ dunif(0, 2)
      x[1] ~ dnorm(2, 1)
      for (t in 2:T) {
        predX[t] <- a + c * x[t - 1]
        x[t] ~ dnorm(predX[t], tauQ)
      }
      for (t in 1:T) { y[t] ~ dnorm(x[t], tauR) }
      tauQ <- pow(sigmaQ, -2)
      tauR <- pow(sigmaR, -2)
      Kc <- exp(a / (1 - c))
    }", list(y = x + rnorm(T, 0, 0.15), T = T), c("a", "c", "sigmaQ", "sigmaR"), 60000)
    # Ricker's recruitment
    S <- rlnorm(30, 1, 0.6); Rr <- S * exp(1.2 - 0.25 * S + rnorm(30, 0, 0.3))
    add("ricker", "model {
      for (i in 1:n) {
        Rec[i] ~ dlnorm(mu[i], tau)
        mu[i] <- log(S[i]) + alpha - beta * S[i]
      }
      alpha ~ dunif(-5, 5)
      beta ~ dunif(0, 5)
      sigma ~ dunif(0, 10)
      tau <- pow(sigma, -2)
      Smax <- 1 / beta
      Smsy <- alpha / beta * (0.5 - 0.07 * alpha)
      Rmax <- exp(alpha) / (beta * exp(1))
    }", list(Rec = Rr, S = S, n = 30), c("alpha", "beta", "sigma", "Smax", "Smsy", "Rmax"))
    # a trend simulated forward without errors, counts about it
    T <- 25; N <- 12; for (t in 2:T) N[t] <- N[t - 1] * exp(0.35 * (1 - N[t - 1] / 90))
    add("logistic-recursion", "model {
      N0 ~ dunif(1, 50)
      r ~ dunif(0, 2)
      K ~ dunif(10, 500)
      N[1] <- N0
      for (t in 2:T) { N[t] <- N[t - 1] * exp(r * (1 - N[t - 1] / K)) }
      for (t in 1:T) { y[t] ~ dpois(N[t]) }
      for (t in 1:(T - 1)) { growth[t] <- N[t + 1] / N[t] }
    }", list(y = rpois(T, N), T = T), c("N0", "r", "K", "N[25]", "growth[1]"), 20000)
    # which sources a diet is made of
    mu <- rbind(c(-25, 8), c(-19, 11), c(-28, 4)); sdv <- matrix(1, 3, 2); p <- c(0.5, 0.3, 0.2)
    add("isotope-mixing", "model {
      p[1:3] ~ ddirch(alpha[])
      for (j in 1:2) {
        for (k in 1:3) { s[j, k] ~ dnorm(mean.s[k, j], pow(sd.s[k, j], -2)) }
        mu[j] <- inprod(p[], s[j, ] + corr[j])
        sigma[j] ~ dunif(0, 10)
        for (i in 1:N) { y[i, j] ~ dnorm(mu[j], pow(sigma[j], -2)) }
      }
    }", list(y = cbind(rnorm(15, sum(p * mu[, 1]) + 1, 0.7), rnorm(15, sum(p * mu[, 2]) + 3, 0.7)), mean.s = mu, sd.s = sdv, corr = c(1, 3), N = 15, alpha = c(1, 1, 1)),
        c("p", "sigma", "s[1,1]"), 40000)
    # breeding values of a small pedigree
    n <- 60; sire <- c(rep(NA, 12), sample(1:6, 48, TRUE)); dam <- c(rep(NA, 12), sample(7:12, 48, TRUE)); A <- diag(n)
    for (i in 13:n) { s <- sire[i]; d <- dam[i]; A[i, 1:(i - 1)] <- A[1:(i - 1), i] <- (A[s, 1:(i - 1)] + A[d, 1:(i - 1)]) / 2; A[i, i] <- 1 + A[s, d] / 2 }
    u <- as.vector(t(chol(A)) %*% rnorm(n)); sex <- rbinom(n, 1, 0.5)
    add("animal-model", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau.e)
        mu[i] <- b0 + b1 * sex[i] + u[i]
        zero[i] <- 0
      }
      u[1:n] ~ dmnorm(zero[], Omega[, ])
      for (i in 1:n) { for (j in 1:n) { Omega[i, j] <- tau.u * Ainv[i, j] } }
      tau.u ~ dgamma(2, 1)
      tau.e ~ dgamma(2, 1)
      b0 ~ dnorm(0, 0.0001)
      b1 ~ dnorm(0, 0.0001)
      s2u <- 1 / tau.u
      s2e <- 1 / tau.e
      h2 <- s2u / (s2u + s2e)
    }", list(y = 10 + sex + u + rnorm(n), sex = sex, Ainv = solve(A), n = n), c("b0", "b1", "s2u", "s2e", "h2", "u[3]"), 1000)
    # augmented species: how many there are
    M <- 60; w <- rbinom(M, 1, 0.5); q <- plogis(rnorm(M, -1.2, 0.8)); y <- rbinom(M, 6, w * q); y <- sort(y, decreasing = TRUE)
    add("species-richness", "model {
      omega ~ dunif(0, 1)
      mean.p ~ dunif(0, 1)
      alpha <- logit(mean.p)
      sd ~ dunif(0, 5)
      tau <- 1 / (sd * sd)
      for (i in 1:M) {
        w[i] ~ dbern(omega)
        logit(p[i]) <- eps[i]
        eps[i] ~ dnorm(alpha, tau)
        muy[i] <- w[i] * p[i]
        y[i] ~ dbin(muy[i], T)
      }
      N <- sum(w[])
    }", list(y = y, M = M, T = 6), c("omega", "mean.p", "sd", "N"), 40000, list(w = rep(1, M)))
    # two observers: seen by the first, the second or both
    R <- 30; N <- rpois(R, 20); pp <- c(0.6 * 0.5, 0.6 * 0.5, 0.4 * 0.5, 0.4 * 0.5)
    yy <- t(sapply(N, function(n) rmultinom(1, n, pp)))[, 1:3]
    add("double-observer", "model {
      p1 ~ dbeta(1, 1)
      p2 ~ dbeta(1, 1)
      lam ~ dgamma(.01, .01)
      pi[1] <- p1 * p2
      pi[2] <- p1 * (1 - p2)
      pi[3] <- (1 - p1) * p2
      for (i in 1:R) {
        for (k in 1:3) { y[i, k] ~ dpois(lam * pi[k]) }
      }
    }", list(y = yy, R = R), c("p1", "p2", "lam"))
})
