# More of the same books, and of what ecologists, psychologists and epidemiologists publish.
local({
    set.seed(51)
    T <- 6; phi <- c(0.6, 0.7, 0.5, 0.8, 0.65); p <- c(0.5, 0.4, 0.6, 0.5, 0.45); R <- c(40, 45, 50, 40, 42)
    marr <- matrix(0, T - 1, T)
    for (t in 1:(T - 1)) {
        q <- numeric(T - t); alive <- 1
        for (j in t:(T - 1)) { q[j - t + 1] <- alive * phi[j] * p[j]; alive <- alive * phi[j] * (1 - p[j]) }
        marr[t, t:T] <- rmultinom(1, R[t], c(q, 1 - sum(q)))
    }
    add("m-array", "model {
      for (t in 1:(n.occasions - 1)) {
        phi[t] ~ dunif(0, 1)
        p[t] ~ dunif(0, 1)
      }
      for (t in 1:(n.occasions - 1)) { marr[t, 1:n.occasions] ~ dmulti(pr[t, ], r[t]) }
      for (t in 1:(n.occasions - 1)) {
        q[t] <- 1 - p[t]
        pr[t, t] <- phi[t] * p[t]
        for (j in (t + 1):(n.occasions - 1)) { pr[t, j] <- prod(phi[t:j]) * prod(q[t:(j - 1)]) * p[j] }
        for (j in 1:(t - 1)) { pr[t, j] <- 0 }
      }
      for (t in 1:(n.occasions - 1)) { pr[t, n.occasions] <- 1 - sum(pr[t, 1:(n.occasions - 1)]) }
    }", list(marr = marr, r = rowSums(marr), n.occasions = T), c("phi", "p"), 20000)
    R <- 50; J <- 2; K <- 5
    z <- matrix(0, R, K); y <- array(0, c(R, J, K)); z[, 1] <- rbinom(R, 1, 0.5)
    for (k in 2:K) z[, k] <- rbinom(R, 1, z[, k - 1] * 0.8 + (1 - z[, k - 1]) * 0.2)
    for (k in 1:K) for (j in 1:J) y[, j, k] <- rbinom(R, 1, z[, k] * 0.5)
    add("dynamic-occupancy", "model {
      psi1 ~ dunif(0, 1)
      for (k in 1:(nyear - 1)) {
        phi[k] ~ dunif(0, 1)
        gamma[k] ~ dunif(0, 1)
        p[k] ~ dunif(0, 1)
      }
      p[nyear] ~ dunif(0, 1)
      for (i in 1:nsite) {
        z[i, 1] ~ dbern(psi1)
        for (k in 2:nyear) {
          muZ[i, k] <- z[i, k - 1] * phi[k - 1] + (1 - z[i, k - 1]) * gamma[k - 1]
          z[i, k] ~ dbern(muZ[i, k])
        }
      }
      for (i in 1:nsite) {
        for (j in 1:nrep) {
          for (k in 1:nyear) {
            muy[i, j, k] <- z[i, k] * p[k]
            y[i, j, k] ~ dbern(muy[i, j, k])
          }
        }
      }
      psi[1] <- psi1
      n.occ[1] <- sum(z[1:nsite, 1])
      for (k in 2:nyear) {
        psi[k] <- psi[k - 1] * phi[k - 1] + (1 - psi[k - 1]) * gamma[k - 1]
        n.occ[k] <- sum(z[1:nsite, k])
        growthr[k] <- psi[k] / psi[k - 1]
        turnover[k - 1] <- (1 - psi[k - 1]) * gamma[k - 1] / psi[k]
      }
    }", list(y = y, nsite = R, nrep = J, nyear = K), c("psi", "phi", "gamma", "p", "n.occ", "growthr", "turnover"), 20000,
        list(z = apply(y, c(1, 3), max)))
    # Heterogeneous capture, with augmented data
    M <- 100; eps <- rnorm(50, 0, 0.8); y <- rbinom(50, 5, plogis(-0.8 + eps)); y <- y[y > 0]
    y <- c(y, rep(0, M - length(y)))
    add("heterogeneous-capture", "model {
      omega ~ dunif(0, 1)
      mean.p ~ dunif(0, 1)
      mu.lp <- log(mean.p / (1 - mean.p))
      sd.lp ~ dunif(0, 5)
      tau.lp <- pow(sd.lp, -2)
      for (i in 1:M) {
        z[i] ~ dbern(omega)
        eps[i] ~ dnorm(mu.lp, tau.lp)
        logit(p[i]) <- eps[i]
        p.eff[i] <- z[i] * p[i]
        y[i] ~ dbin(p.eff[i], T)
      }
      N <- sum(z[])
    }", list(y = y, M = M, T = 5), c("omega", "mean.p", "sd.lp", "N"), 40000, list(z = as.numeric(y > 0)))
    # Distances, with augmented data
    B <- 3; d <- runif(80, 0, B); seen <- rbinom(80, 1, exp(-d^2 / 2)); d <- d[seen == 1]; nind <- length(d); nz <- 80
    add("distance-augmented", "model {
      sigma ~ dunif(0, 10)
      psi ~ dunif(0, 1)
      for (i in 1:(nind + nz)) {
        w[i] ~ dbern(psi)
        x[i] ~ dunif(0, B)
        logp[i] <- -((x[i] * x[i]) / (2 * sigma * sigma))
        p[i] <- exp(logp[i])
        mu[i] <- w[i] * p[i]
        y[i] ~ dbern(mu[i])
      }
      N <- sum(w[1:(nind + nz)])
      D <- N / 60
    }", list(nind = nind, nz = nz, B = B, x = c(d, rep(NA, nz)), y = rep(1:0, c(nind, nz))), c("sigma", "psi", "N"), 20000,
        list(w = rep(1, nind + nz)))
    # Jolly and Seber, as a restricted occupancy
    T <- 5; n <- 40; M <- 80; y <- matrix(0, M, T)
    for (i in 1:n) { s <- sample(T, 1); a <- 1; for (t in s:T) { y[i, t] <- rbinom(1, 1, 0.5 * a); a <- rbinom(1, 1, 0.75 * a) } }
    y <- rbind(y[rowSums(y) > 0, ], y[rowSums(y) == 0, ])
    add("jolly-seber", "model {
      mean.phi ~ dunif(0, 1)
      mean.p ~ dunif(0, 1)
      for (t in 1:n.occasions) { gamma[t] ~ dunif(0, 1) }
      for (i in 1:M) {
        z[i, 1] ~ dbern(gamma[1])
        mu1[i] <- z[i, 1] * mean.p
        y[i, 1] ~ dbern(mu1[i])
        for (t in 2:n.occasions) {
          q[i, t - 1] <- 1 - z[i, t - 1]
          mu2[i, t] <- mean.phi * z[i, t - 1] + gamma[t] * prod(q[i, 1:(t - 1)])
          z[i, t] ~ dbern(mu2[i, t])
          mu3[i, t] <- z[i, t] * mean.p
          y[i, t] ~ dbern(mu3[i, t])
        }
      }
      for (t in 1:n.occasions) { N[t] <- sum(z[1:M, t]) }
      for (i in 1:M) { alive[i] <- step(sum(z[i, 1:n.occasions]) - 1) }
      Nsuper <- sum(alive[])
    }", list(y = y, M = M, n.occasions = T), c("mean.phi", "mean.p", "gamma", "N", "Nsuper"), 20000,
        list(z = (rowSums(y) > 0) * matrix(1, M, T)))
    # Counts with detection that varies
    R <- 30; T <- 3; N <- rpois(R, 5); y <- matrix(rbinom(R * T, N, plogis(rnorm(R * T, 0, 0.7))), R)
    add("n-mixture-overdispersed", "model {
      lambda ~ dgamma(0.005, 0.005)
      mu.lp ~ dnorm(0, 0.1)
      sd.lp ~ dunif(0, 3)
      tau.lp <- 1 / (sd.lp * sd.lp)
      for (i in 1:R) {
        N[i] ~ dpois(lambda)
        for (j in 1:T) {
          y[i, j] ~ dbin(p[i, j], N[i])
          p[i, j] <- 1 / (1 + exp(-lp[i, j]))
          lp[i, j] ~ dnorm(mu.lp, tau.lp)
        }
      }
      totalN <- sum(N[])
    }", list(y = y, R = R, T = T), c("lambda", "mu.lp", "sd.lp", "totalN"), 40000, list(N = apply(y, 1, max) + 1))
    x <- seq(-1, 1, length = 24); C <- rpois(24, exp(3 + 0.6 * x - 0.4 * x^2 + rnorm(24, 0, 0.2)))
    add("peregrines", "model {
      alpha ~ dunif(-20, 20)
      beta1 ~ dunif(-10, 10)
      beta2 ~ dunif(-10, 10)
      beta3 ~ dunif(-10, 10)
      tau <- 1 / (sd * sd)
      sd ~ dunif(0, 5)
      for (i in 1:n) {
        C[i] ~ dpois(lambda[i])
        log(lambda[i]) <- log.lambda[i]
        log.lambda[i] <- alpha + beta1 * year[i] + beta2 * pow(year[i], 2) + beta3 * pow(year[i], 3) + eps[i]
        eps[i] ~ dnorm(0, tau)
      }
    }", list(C = C, year = x, n = 24), c("alpha", "beta1", "beta2", "beta3", "sd", "eps"), 40000)
})
local({
    set.seed(52)
    n <- 200; c <- rbinom(n, 1, 0.4); y <- sapply(c(0.85, 0.7, 0.9, 0.6), function(s) rbinom(n, 1, ifelse(c == 1, s, 0.15)))
    add("latent-class", "model {
      for (i in 1:n) {
        class[i] ~ dcat(prev[1:2])
        for (j in 1:J) { y[i, j] ~ dbern(pi[class[i], j]) }
      }
      prev[1:2] ~ ddirch(alpha[])
      for (j in 1:J) {
        pi[1, j] ~ dbeta(1, 3)
        pi[2, j] ~ dbeta(3, 1)
      }
    }", list(y = y, n = n, J = 4, alpha = c(1, 1)), c("prev", "pi"), 10000)
    x <- rnorm(60); y <- 1 + 0.9 * x + rnorm(60); low <- 0; high <- 2.5
    is <- ifelse(y < low, 0, ifelse(y > high, 2, 1)); lim <- cbind(rep(low, 60), high)
    add("tobit", "model {
      for (i in 1:n) {
        is[i] ~ dinterval(y[i], lim[i, 1:2])
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- b0 + b1 * x[i]
      }
      b0 ~ dnorm(0, 0.001)
      b1 ~ dnorm(0, 0.001)
      tau <- pow(sigma, -2)
      sigma ~ dunif(0, 10)
    }", list(y = ifelse(is == 1, y, NA), is = is, lim = lim, x = x, n = 60), c("b0", "b1", "sigma"), 20000,
        list(y = ifelse(is == 1, NA, ifelse(is == 0, -1, 4))))
    u <- rnorm(100, 0.9 * x, 1); v <- findInterval(rlogis(60, x), c(-1.2, 0.3, 1.5)) + 1
    add("ordered-logit", "model {
      for (i in 1:n) {
        logit(Q[i, 1]) <- theta[1] - beta * x[i]
        p[i, 1] <- Q[i, 1]
        for (k in 2:3) {
          logit(Q[i, k]) <- theta[k] - beta * x[i]
          p[i, k] <- Q[i, k] - Q[i, k - 1]
        }
        p[i, 4] <- 1 - Q[i, 3]
        y[i] ~ dcat(p[i, 1:4])
      }
      theta[1] ~ dnorm(0, 0.01)
      theta[2] ~ dnorm(0, 0.01) T(theta[1], )
      theta[3] ~ dnorm(0, 0.01) T(theta[2], )
      beta ~ dnorm(0, 0.01)
    }", list(y = v, x = x, n = 60), c("theta", "beta"), 20000)
    m <- c(rnorm(40, 0, 1), rnorm(30, 4, 1), rnorm(20, 9, 1))
    add("three-components", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[z[i]], tau)
        z[i] ~ dcat(w[])
      }
      mu[1] ~ dnorm(0, 0.001)
      mu[2] ~ dnorm(0, 0.001) T(mu[1], )
      mu[3] ~ dnorm(0, 0.001) T(mu[2], )
      w[1:3] ~ ddirch(a[])
      tau ~ dgamma(0.1, 0.1)
      sigma <- 1 / sqrt(tau)
    }", list(y = m, n = 90, a = c(1, 1, 1)), c("mu", "w", "sigma"), 20000, list(mu = c(0, 4, 9)))
    g <- c(rep(0.2, 12), rep(1.6, 10), rep(4, 8)); k <- rpois(30, g * 10)
    add("stick-breaking", "model {
      for (i in 1:N) {
        y[i] ~ dpois(lambda[i])
        log(lambda[i]) <- mu[S[i]]
        S[i] ~ dcat(pi[])
      }
      for (j in 1:(C - 1)) { r[j] ~ dbeta(1, alpha) }
      r[C] <- 1
      pi[1] <- r[1]
      for (j in 2:C) { pi[j] <- r[j] * (1 - r[j - 1]) * pi[j - 1] / r[j - 1] }
      for (j in 1:C) { mu[j] ~ dnorm(basemu, basetau) }
      basemu ~ dnorm(0, 0.1)
      basetau ~ dgamma(2, 2)
      alpha ~ dunif(0.3, 5)
      for (i in 1:N) {
        for (j in 1:C) { SC[i, j] <- equals(j, S[i]) }
      }
      for (j in 1:C) { cl[j] <- step(sum(SC[, j]) - 1) }
      K <- sum(cl[])
    }", list(y = k, N = 30, C = 5), c("alpha", "basemu", "K", "lambda[1]", "lambda[20]", "lambda[30]"), 40000)
    f <- rnorm(80); l <- c(1, 0.8, 0.6, 0.9, 0.4); Y <- sapply(l, function(a) a * f + rnorm(80, 0, 0.6))
    add("factor-analysis", "model {
      for (i in 1:n) {
        f[i] ~ dnorm(0, 1)
        for (j in 1:J) { y[i, j] ~ dnorm(nu[j] + lambda[j] * f[i], psi[j]) }
      }
      lambda[1] ~ dnorm(0, 0.1) T(0, )
      for (j in 2:J) { lambda[j] ~ dnorm(0, 0.1) }
      for (j in 1:J) {
        nu[j] ~ dnorm(0, 0.001)
        psi[j] ~ dgamma(1, 0.5)
        sd[j] <- 1 / sqrt(psi[j])
      }
    }", list(y = Y, n = 80, J = 5), c("lambda", "nu", "sd", "f[1]"), 20000,
        list(lambda = rep(1, 5), f = Y[, 1]))
    id <- rep(1:12, each = 7); tm <- rep(c(0.5, 1, 2, 4, 6, 8, 12), 12)
    CL <- exp(rnorm(12, 0, 0.3)); V <- exp(rnorm(12, 2, 0.2)); conc <- log(100 / V[id]) - CL[id] / V[id] * tm + rnorm(84, 0, 0.15)
    add("pharmacokinetic", "model {
      for (i in 1:N) {
        logC[i] ~ dnorm(mu[i], tau)
        mu[i] <- log(dose / V[id[i]] * exp(-CL[id[i]] / V[id[i]] * t[i]))
      }
      for (j in 1:J) {
        CL[j] <- exp(theta[j, 1])
        V[j] <- exp(theta[j, 2])
        theta[j, 1:2] ~ dmnorm(mu.theta[1:2], Omega[1:2, 1:2])
      }
      mu.theta[1:2] ~ dmnorm(m0[], P0[, ])
      Omega[1:2, 1:2] ~ dwish(R[, ], 2)
      Sigma[1:2, 1:2] <- inverse(Omega[, ])
      tau ~ dgamma(0.001, 0.001)
      sigma <- 1 / sqrt(tau)
    }", list(logC = conc, id = id, t = tm, N = 84, J = 12, dose = 100, m0 = c(0, 1), P0 = diag(1e-3, 2), R = diag(0.1, 2)),
        c("mu.theta", "Sigma", "sigma", "CL", "V"), 20000)
    dose <- rep(c(0, 5, 10, 20, 40, 80, 160), each = 8); e <- 2 + 10 * dose^1.5 / (25^1.5 + dose^1.5) + rnorm(56, 0, 1.2)
    add("emax", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- E0 + Emax * pow(dose[i], h) / (pow(ED50, h) + pow(dose[i], h))
      }
      E0 ~ dnorm(0, 0.01)
      Emax ~ dnorm(0, 0.001)
      ED50 ~ dlnorm(3, 1)
      h ~ dunif(0.5, 5)
      sigma ~ dunif(0, 20)
      tau <- 1 / pow(sigma, 2)
    }", list(y = e, dose = dose, n = 56), c("E0", "Emax", "ED50", "h", "sigma"), 20000)
    X <- matrix(rnorm(60 * 8), 60); y <- 1 + X %*% c(2, -1, rep(0, 6)) + rnorm(60)
    add("horseshoe", "model {
      for (i in 1:n) { y[i] ~ dnorm(a + inprod(X[i, ], beta[]), prec) }
      for (j in 1:K) {
        beta[j] ~ dnorm(0, 1 / (pow(lambda[j], 2) * pow(tau, 2)))
        lambda[j] ~ dt(0, 1, 1) T(0, )
      }
      tau ~ dt(0, 1, 1) T(0, )
      a ~ dnorm(0, 0.01)
      prec ~ dgamma(0.1, 0.1)
    }", list(y = y[, 1], X = X, n = 60, K = 8), c("a", "beta", "tau"), 20000)
    mu <- cbind(0, 0.5 + 0.8 * x, -0.3 - 0.7 * x); cc <- apply(mu, 1, function(m) sample(3, 1, prob = exp(m)))
    add("multinomial-logit", "model {
      for (i in 1:n) {
        y[i] ~ dcat(p[i, 1:3])
        for (j in 1:3) {
          log(phi[i, j]) <- alpha[j] + beta[j] * x[i]
          p[i, j] <- phi[i, j] / sum(phi[i, 1:3])
        }
      }
      alpha[1] <- 0
      beta[1] <- 0
      for (j in 2:3) {
        alpha[j] ~ dnorm(0, 0.01)
        beta[j] ~ dnorm(0, 0.01)
      }
    }", list(y = cc, x = x, n = 60), c("alpha", "beta"), 20000)
    nheads <- 6; add("model-choice", "model {
      for (i in 1:N) { y[i] ~ dbern(theta) }
      theta ~ dbeta(omega[m] * (kappa - 2) + 1, (1 - omega[m]) * (kappa - 2) + 1)
      omega[1] <- .25
      omega[2] <- .75
      kappa <- 12
      m ~ dcat(mPriorProb[])
      mPriorProb[1] <- .5
      mPriorProb[2] <- .5
    }", list(y = rep(0:1, c(3, 6)), N = 9), c("theta", "m"), 20000)
    s <- rep(1:8, each = 10); yy <- rt(80, 5) * c(1, 1.2, 0.8, 1.5, 1, 0.9, 1.1, 1.3)[s] + rnorm(8, 5, 1)[s]
    add("heterogeneous-robust", "model {
      for (i in 1:N) { y[i] ~ dt(mu[s[i]], 1 / sigma[s[i]]^2, nu) }
      for (j in 1:S) {
        mu[j] ~ dnorm(muG, 1 / sigmaG^2)
        sigma[j] ~ dgamma(sh, ra)
      }
      muG ~ dnorm(0, 0.01)
      sigmaG ~ dunif(0.001, 20)
      sh <- 1 + mode * ra
      ra <- (mode + sqrt(mode^2 + 4 * sd^2)) / (2 * sd^2)
      mode ~ dunif(0.01, 10)
      sd ~ dunif(0.01, 10)
      nu <- nuMinusOne + 1
      nuMinusOne ~ dexp(1 / 29)
    }", list(y = yy, s = s, N = 80, S = 8), c("mu", "sigma", "muG", "sigmaG", "mode", "sd", "nu"), 40000)
    tq <- outer(runif(18, 0.3, 0.95), runif(10, 0.3, 0.95)); kk <- matrix(rbinom(180, 1, tq), 18)
    add("twenty-questions", "model {
      for (i in 1:np) {
        for (j in 1:nq) {
          k[i, j] ~ dbern(theta[i, j])
          theta[i, j] <- p[i] * q[j]
        }
      }
      for (i in 1:np) { p[i] ~ dbeta(1, 1) }
      for (j in 1:nq) { q[j] ~ dbeta(1, 1) }
    }", list(k = kk, np = 18, nq = 10), c("p", "q"), 20000)
    add("seven-scientists", "model {
      for (i in 1:n) { x[i] ~ dnorm(mu, lambda[i]) }
      mu ~ dnorm(0, .001)
      for (i in 1:n) {
        lambda[i] ~ dgamma(.001, .001)
        sigma[i] <- 1 / sqrt(lambda[i])
      }
    }", list(x = c(-27.02, 3.57, 8.191, 9.898, 9.603, 9.945, 10.056), n = 7), c("mu"), 100000)
    ex <- rbinom(15, 40, rep(c(0.5, 0.8), c(5, 10)))
    add("retention", "model {
      for (i in 1:ns) {
        for (j in 1:nt) {
          k[i, j] ~ dbin(theta[i, j], n)
          theta[i, j] <- min(1, exp(-alpha[i] * t[j]) + beta[i])
        }
        alpha[i] ~ dnorm(alphamu, alphalambda) T(0, 1)
        beta[i] ~ dnorm(betamu, betalambda) T(0, 1)
      }
      alphamu ~ dbeta(1, 1)
      alphalambda ~ dgamma(.001, .001) T(.001, )
      betamu ~ dbeta(1, 1)
      betalambda ~ dgamma(.001, .001) T(.001, )
    }", list(k = rbind(c(18, 18, 16, 13, 9, 6, 4, 4, 4), c(17, 13, 9, 6, 4, 4, 4, 4, 4), c(14, 10, 6, 4, 4, 4, 4, 4, 4)), n = 18, ns = 3, nt = 9,
             t = c(1, 2, 4, 7, 12, 21, 35, 59, 99)), c("alpha", "beta", "alphamu", "betamu"), 40000,
        list(alpha = rep(0.4, 3), beta = rep(0.1, 3)))
})
