# Ecology, cognition, Kruschke's chapters.
local({
    set.seed(202)
    # CJS with individual random effects (BPA 7.5): few captures
    n <- 50; T <- 7; f <- rep(1:5, 10); ch <- matrix(0, n, T); e <- rnorm(n, 0, 0.6)
    for (i in 1:n) { a <- 1; ch[i, f[i]] <- 1; for (t in (f[i] + 1):T) { a <- a * rbinom(1, 1, plogis(0.8 + e[i])); ch[i, t] <- a * rbinom(1, 1, 0.55) } }
    add("cjs-individuals", "model {
      for (i in 1:nind) {
        for (t in f[i]:(n.occasions-1)) {
          logit(phi[i,t]) <- mu + epsilon[i]
          p[i,t] <- mean.p
        }
        epsilon[i] ~ dnorm(0, tau)
        z[i,f[i]] <- 1
        for (t in (f[i]+1):n.occasions) {
          z[i,t] ~ dbern(mu1[i,t])
          mu1[i,t] <- phi[i,t-1] * z[i,t-1]
          y[i,t] ~ dbern(mu2[i,t])
          mu2[i,t] <- p[i,t-1] * z[i,t]
        }
      }
      mean.phi ~ dunif(0, 1)
      mu <- log(mean.phi / (1 - mean.phi))
      sigma ~ dunif(0, 5)
      tau <- pow(sigma, -2)
      sigma2 <- pow(sigma, 2)
      mean.p ~ dunif(0, 1)
    }", list(nind = n, n.occasions = T, f = f, y = ch), c("mean.phi", "mean.p", "sigma2"), 6000, list(z = t(sapply(1:n, function(i) ifelse(1:T > f[i], 1, NA)))))
    # temporary emigration (BPA 9.3)
    n <- 60; T <- 6; f <- rep(1:4, 15); st <- 1; y <- matrix(0, n, T)
    for (i in 1:n) { s <- 1; y[i, f[i]] <- 1; for (t in (f[i] + 1):T) { if (s < 3 && runif(1) > 0.8) s <- 3; if (s == 1) s <- ifelse(runif(1) < 0.25, 2, 1) else if (s == 2) s <- ifelse(runif(1) < 0.6, 1, 2); y[i, t] <- ifelse(s == 1 && runif(1) < 0.6, 1, 2) } }
    y[y == 0] <- 2
    add("temporary-emigration", "model {
      mean.phi ~ dunif(0, 1)
      mean.psiIO ~ dunif(0, 1)
      mean.psiOI ~ dunif(0, 1)
      mean.p ~ dunif(0, 1)
      for (t in 1:(n.occasions-1)) {
        phi[t] <- mean.phi
        psiIO[t] <- mean.psiIO
        psiOI[t] <- mean.psiOI
        p[t] <- mean.p
      }
      for (i in 1:nind) {
        for (t in f[i]:(n.occasions-1)) {
          ps[1,i,t,1] <- phi[t] * (1 - psiIO[t])
          ps[1,i,t,2] <- phi[t] * psiIO[t]
          ps[1,i,t,3] <- 1 - phi[t]
          ps[2,i,t,1] <- phi[t] * psiOI[t]
          ps[2,i,t,2] <- phi[t] * (1 - psiOI[t])
          ps[2,i,t,3] <- 1 - phi[t]
          ps[3,i,t,1] <- 0
          ps[3,i,t,2] <- 0
          ps[3,i,t,3] <- 1
          po[1,i,t,1] <- p[t]
          po[1,i,t,2] <- 1 - p[t]
          po[2,i,t,1] <- 0
          po[2,i,t,2] <- 1
          po[3,i,t,1] <- 0
          po[3,i,t,2] <- 1
        }
        z[i,f[i]] <- y[i,f[i]]
        for (t in (f[i]+1):n.occasions) {
          z[i,t] ~ dcat(ps[z[i,t-1], i, t-1, ])
          y[i,t] ~ dcat(po[z[i,t], i, t-1, ])
        }
      }
    }", list(nind = n, n.occasions = T, f = f, y = y), c("mean.phi", "mean.psiIO", "mean.psiOI", "mean.p"), 6000, list(z = t(sapply(1:n, function(i) ifelse(1:T > f[i], 1, NA)))))
    # open N-mixture as a chain at each site (Dail & Madsen), small
    S <- 8; T <- 4; N <- matrix(0, S, T); N[, 1] <- rpois(S, 4); for (t in 2:T) N[, t] <- rbinom(S, N[, t - 1], 0.7) + rpois(S, 1.2)
    y <- array(rbinom(S * T * 2, N, 0.6), c(S, T, 2))
    add("dail-madsen", "model {
      lambda ~ dgamma(0.1, 0.1)
      gamma ~ dgamma(0.1, 0.1)
      omega ~ dunif(0, 1)
      p ~ dunif(0, 1)
      for (i in 1:S) {
        N[i,1] ~ dpois(lambda)
        for (t in 2:T) {
          A[i,t] ~ dbin(omega, N[i,t-1])
          G[i,t] ~ dpois(gamma)
          N[i,t] <- A[i,t] + G[i,t]
        }
        for (t in 1:T) { for (j in 1:2) { y[i,t,j] ~ dbin(p, N[i,t]) } }
      }
    }", list(S = S, T = T, y = y), c("lambda", "gamma", "omega", "p"), 6000, list(N = cbind(apply(y[, 1, ], 1, max) + 2, NA, NA, NA), A = cbind(NA, pmin(apply(y[, 1, ], 1, max), apply(y[, 2, ], 1, max)), pmin(apply(y[, 2, ], 1, max), apply(y[, 3, ], 1, max)), pmin(apply(y[, 3, ], 1, max), apply(y[, 4, ], 1, max))), G = cbind(NA, matrix(12, S, 3))))
    # time to detection occupancy with censoring (AHM 10.12)
    n <- 60; z <- rbinom(n, 1, 0.6); x <- rnorm(n); ttd <- rexp(n, exp(-1 + 0.4 * x)); seen <- z == 1 & ttd < 4
    add("time-to-detection", "model {
      int.psi ~ dunif(0, 1)
      int.lambda ~ dgamma(0.0001, 0.0001)
      alpha1 ~ dnorm(0, 1)
      for (i in 1:M) {
        z[i] ~ dbern(int.psi)
        ttd[i] ~ dexp(lambda[i])
        log(lambda[i]) <- log(int.lambda) + alpha1 * x[i]
        d[i] ~ dbern(theta[i])
        theta[i] <- z[i] * step(ttd[i] - Tmax) + (1 - z[i])
      }
      n.occ <- sum(z[])
    }", list(M = n, x = x, ttd = ifelse(seen, ttd, NA), d = as.numeric(!seen), Tmax = 4), c("int.psi", "int.lambda", "alpha1", "n.occ"), 6000, list(z = rep(1, n), ttd = ifelse(seen, NA, 6)))
    # mark-resight in m-array with time-dependent survival by random effects
    T <- 7; R <- c(40, 38, 42, 35, 40, 37); ph <- plogis(rnorm(6, 0.4, 0.4)); pp <- 0.5; m <- matrix(0, 6, 7)
    for (i in 1:6) { pr <- numeric(7); s <- 1; for (t in i:6) { s <- s * ph[t]; pr[t] <- s * pp * (1 - pp)^(t - i) }; pr[7] <- 1 - sum(pr); m[i, ] <- rmultinom(1, R[i], pr) }
    add("m-array-random", "model {
      for (t in 1:(T-1)) {
        logit(phi[t]) <- mu + eps[t]
        eps[t] ~ dnorm(0, tau)
        p[t] <- mean.p
        q[t] <- 1 - p[t]
        marr[t,1:T] ~ dmulti(pr[t, ], r[t])
        pr[t,t] <- phi[t] * p[t]
        for (j in (t+1):(T-1)) { pr[t,j] <- prod(phi[t:j]) * prod(q[t:(j-1)]) * p[j] }
        for (j in 1:(t-1)) { pr[t,j] <- 0 }
      }
      for (t in 1:(T-1)) { pr[t,T] <- 1 - sum(pr[t,1:(T-1)]) }
      mean.phi ~ dunif(0, 1)
      mu <- logit(mean.phi)
      sigma ~ dunif(0, 5)
      tau <- pow(sigma, -2)
      mean.p ~ dunif(0, 1)
      for (t in 1:(T-1)) {
        E.org[t] <- pow(pow(marr[t,t], 0.5) - pow(r[t] * pr[t,t], 0.5), 2)
      }
      fit <- sum(E.org[])
    }", list(T = 7, marr = m, r = R), c("mean.phi", "mean.p", "sigma", "phi", "fit"), 6000)
    # SCR with a small grid of discrete centres
    n <- 6; M <- 25; K <- 5; tx <- as.matrix(expand.grid(1:3, 1:3)); g <- as.matrix(expand.grid(seq(0, 4, 1), seq(0, 4, 1))); s <- sample(25, 12, TRUE); d2 <- outer(1:25, 1:9, Vectorize(function(a, b) sum((g[a, ] - tx[b, ])^2)))
    y <- t(sapply(s, function(k) rbinom(9, K, 0.5 * exp(-d2[k, ] / (2 * 0.7^2))))); y <- y[rowSums(y) > 0, ]; n <- nrow(y); y <- rbind(y, matrix(0, M - n, 9))
    add("capture-grid", "model {
      for (i in 1:M) {
        w[i] ~ dbern(psi)
        s[i] ~ dcat(pi[1:G])
        for (j in 1:J) {
          y[i,j] ~ dbin(w[i] * p0 * exp(-d2[s[i],j] / (2 * sigma * sigma)), K)
        }
      }
      psi ~ dunif(0, 1)
      p0 ~ dunif(0, 1)
      sigma ~ dunif(0, 5)
      N <- sum(w[])
    }", list(M = M, G = 25, J = 9, K = K, d2 = d2, y = y, pi = rep(1 / 25, 25)), c("psi", "p0", "sigma", "N"), 6000, list(w = rep(1, M), s = c(apply(y[1:n, ], 1, function(v) which.min(d2[, which.max(v)])), rep(1, M - n))))
    # Beverton-Holt stock and recruitment, log-normal errors
    S <- round(runif(25, 5, 100), 1); Rr <- round(S / (0.05 + 0.01 * S) * exp(rnorm(25, 0, 0.3)), 1)
    add("beverton-holt", "model {
      for (i in 1:n) {
        R[i] ~ dlnorm(mu[i], tau)
        mu[i] <- log(S[i] / (a + b * S[i]))
      }
      a ~ dunif(0, 1)
      b ~ dunif(0, 1)
      sigma ~ dunif(0, 3)
      tau <- pow(sigma, -2)
      h <- (0.2 * 100 / (a + b * 20)) / (100 / (a + b * 100))
    }", list(n = 25, S = S, R = Rr), c("a", "b", "sigma", "h"), 6000)
    # phenology: hierarchical logistic curves
    sp <- 8; day <- seq(80, 150, by = 10); mid <- rnorm(sp, 115, 8); y <- t(sapply(mid, function(m) rbinom(8, 15, plogis(0.15 * (day - m)))))
    add("phenology", "model {
      for (i in 1:sp) {
        for (t in 1:nd) {
          y[i,t] ~ dbin(p[i,t], 15)
          logit(p[i,t]) <- exp(ls[i]) * (day[t] - mid[i])
        }
        mid[i] ~ dnorm(mu.mid, tau.mid)
        ls[i] ~ dnorm(mu.ls, tau.ls)
        width[i] <- 2 * log(9) / exp(ls[i])
      }
      mu.mid ~ dunif(50, 200)
      mu.ls ~ dnorm(-2, 0.25)
      tau.mid <- pow(sd.mid, -2)
      tau.ls <- pow(sd.ls, -2)
      sd.mid ~ dunif(0, 50)
      sd.ls ~ dunif(0, 2)
    }", list(sp = sp, nd = 8, day = day, y = y), c("mu.mid", "mu.ls", "sd.mid", "sd.ls", "width", "mid"), 6000, list(mid = rep(115, sp)))
    # occupancy with spatially structured effects (proper CAR as dmnorm) on a line of 12 sites
    S <- 12; W <- 1 * (abs(outer(1:S, 1:S, "-")) == 1); D <- diag(rowSums(W)); psi <- plogis(sin(1:S / 2)); z <- rbinom(S, 1, psi); y <- rbinom(S, 6, z * 0.4)
    add("occupancy-spatial", "model {
      for (i in 1:S) {
        z[i] ~ dbern(psi[i])
        y[i] ~ dbin(z[i] * p, 6)
        logit(psi[i]) <- b0 + u[i]
      }
      u[1:S] ~ dmnorm(zero[], Q[,])
      for (i in 1:S) { for (j in 1:S) { Q[i,j] <- tau * (D[i,j] - 0.9 * W[i,j]) } }
      tau ~ dgamma(1, 1)
      b0 ~ dnorm(0, 0.3)
      p ~ dbeta(1, 1)
      n <- sum(z[])
    }", list(S = S, W = W, D = D, y = y, zero = rep(0, S)), c("b0", "tau", "p", "n", "u[1]", "u[6]"), 6000, list(z = rep(1, S)))
    # zero-inflated binomial with site effects: tadpoles
    n <- 16; al <- rbinom(n, 1, 0.8); sv <- rbinom(n, 12, al * plogis(rnorm(n, 0.8, 0.7)))
    add("zero-inflated-binomial", "model {
      for (i in 1:n) {
        a[i] ~ dbern(psi)
        eff[i] <- a[i] * p[i]
        y[i] ~ dbin(eff[i], 12)
        logit(p[i]) <- lp[i]
        lp[i] ~ dnorm(mu, tau)
      }
      psi ~ dbeta(1, 1)
      mu ~ dt(0, 0.16, 3)
      sd ~ dt(0, 1, 3) T(0, )
      tau <- 1 / sd^2
    }", list(n = n, y = sv), c("psi", "mu", "sd", "a[1:4]"), 6000, list(a = rep(1, n)))
    # Kruschke: Poisson counts by two factors with interactions
    d <- expand.grid(a = 1:4, b = 1:3); y <- rpois(12, exp(3 + rnorm(4, 0, 0.5)[d$a] + rnorm(3, 0, 0.4)[d$b]))
    add("counts-two-factors", "model {
      for (i in 1:Ncell) {
        y[i] ~ dpois(lambda[i])
        lambda[i] <- exp(a0 + a1[x1[i]] + a2[x2[i]] + a1a2[x1[i],x2[i]])
      }
      a0 ~ dnorm(yLogMean, 1/(yLogSD*2)^2)
      for (j1 in 1:Nx1) { a1[j1] ~ dnorm(0.0, 1/a1SD^2) }
      a1SD ~ dgamma(agammaShRa[1], agammaShRa[2])
      for (j2 in 1:Nx2) { a2[j2] ~ dnorm(0.0, 1/a2SD^2) }
      a2SD ~ dgamma(agammaShRa[1], agammaShRa[2])
      for (j1 in 1:Nx1) { for (j2 in 1:Nx2) { a1a2[j1,j2] ~ dnorm(0.0, 1/a1a2SD^2) } }
      a1a2SD ~ dgamma(agammaShRa[1], agammaShRa[2])
      for (j1 in 1:Nx1) { for (j2 in 1:Nx2) { m[j1,j2] <- a0 + a1[j1] + a2[j2] + a1a2[j1,j2] } }
      b0 <- mean(m[1:Nx1,1:Nx2])
      for (j1 in 1:Nx1) { b1[j1] <- mean(m[j1,1:Nx2]) - b0 }
      for (j2 in 1:Nx2) { b2[j2] <- mean(m[1:Nx1,j2]) - b0 }
    }", list(y = y, x1 = d$a, x2 = d$b, Ncell = 12, Nx1 = 4, Nx2 = 3, yLogMean = log(mean(y)), yLogSD = sd(log(y)), agammaShRa = c(1.64, 0.32)), c("b0", "b1", "b2", "a1SD", "a2SD", "a1a2SD"), 6000)
    # Kruschke: heterogeneous variances, robust, one factor with hierarchical sds
    g <- rep(1:4, each = 15); y <- c(97, 99, 102, 104)[g] + rt(60, 4) * c(8, 1, 1, 8)[g] / 2
    add("robust-het-factor", "data { ySD <- sd(y) yMean <- mean(y) }
    model {
      for (i in 1:Ntotal) { y[i] ~ dt(a0 + a[x[i]], 1/ySigma[x[i]]^2, nu) }
      nu <- nuMinusOne + 1
      nuMinusOne ~ dexp(1/29)
      for (j in 1:NxLvl) {
        ySigma[j] <- max(ySigmaTmp[j], ySD/1000)
        ySigmaTmp[j] ~ dgamma(ySigmaSh, ySigmaRa)
      }
      ySigmaSh <- 1 + ySigmaMode * ySigmaRa
      ySigmaRa <- (ySigmaMode + sqrt(ySigmaMode^2 + 4*ySigmaSD^2)) / (2*ySigmaSD^2)
      ySigmaMode ~ dgamma(1.64, 0.32)
      ySigmaSD ~ dgamma(1.64, 0.32)
      a0 ~ dnorm(yMean, 1/(ySD*10)^2)
      for (j in 1:NxLvl) { a[j] ~ dnorm(0.0, 1/aSigma^2) }
      aSigma ~ dgamma(1.64, 0.032)
      for (j in 1:NxLvl) { m[j] <- a0 + a[j] }
      b0 <- mean(m[1:NxLvl])
      for (j in 1:NxLvl) { b[j] <- m[j] - b0 }
    }", list(y = y, x = g, NxLvl = 4, Ntotal = 60), c("b0", "b", "ySigma", "nu", "aSigma", "ySigmaMode"), 6000)
    # Kruschke: regression of each subject, robust, quadratic and weighted (small)
    ns <- 8; s <- rep(1:ns, each = 6); x <- rep(seq(-1.5, 1.5, length = 6), ns); zy <- 0.2 * rnorm(ns)[s] + (0.8 + 0.3 * rnorm(ns)[s]) * x - 0.2 * x^2 + 0.3 * rt(48, 5)
    add("robust-quadratic-subjects", "model {
      for (i in 1:Ntotal) {
        zy[i] ~ dt(zbeta0[s[i]] + zbeta1[s[i]] * zx[i] + zbeta2[s[i]] * zx[i]^2, 1/(zw[i]*zsigma)^2, nu)
      }
      for (j in 1:Nsubj) {
        zbeta0[j] ~ dnorm(zbeta0mu, 1/(zbeta0sigma)^2)
        zbeta1[j] ~ dnorm(zbeta1mu, 1/(zbeta1sigma)^2)
        zbeta2[j] ~ dnorm(zbeta2mu, 1/(zbeta2sigma)^2)
      }
      zbeta0mu ~ dnorm(0, 1/(10)^2)
      zbeta1mu ~ dnorm(0, 1/(10)^2)
      zbeta2mu ~ dnorm(0, 1/(10)^2)
      zsigma ~ dunif(1.0E-3, 1.0E+3)
      zbeta0sigma ~ dunif(1.0E-3, 1.0E+3)
      zbeta1sigma ~ dunif(1.0E-3, 1.0E+3)
      zbeta2sigma ~ dunif(1.0E-3, 1.0E+3)
      nu <- nuMinusOne + 1
      nuMinusOne ~ dexp(1/29.0)
    }", list(Ntotal = 48, Nsubj = ns, s = s, zx = x, zy = zy, zw = rep(1, 48)), c("zbeta0mu", "zbeta1mu", "zbeta2mu", "zsigma", "zbeta0sigma", "zbeta1sigma", "zbeta2sigma", "nu", "zbeta1[1]"), 6000)
    # Kruschke: shrinkage with a t prior and inclusion
    n <- 40; X <- matrix(rnorm(n * 6), n); y <- as.numeric(scale(X[, 1] + 0.5 * X[, 2] + rnorm(n)))
    add("inclusion-hierarchical", "model {
      for (i in 1:Ntotal) {
        zy[i] ~ dt(zbeta0 + sum(delta[1:Nx] * zbeta[1:Nx] * zx[i,1:Nx]), 1/zsigma^2, nu)
      }
      zbeta0 ~ dnorm(0, 1/2^2)
      for (j in 1:Nx) {
        zbeta[j] ~ dt(0, 1/sigmaBeta^2, 1)
        delta[j] ~ dbern(0.5)
      }
      zsigma ~ dunif(1.0E-5, 1.0E+1)
      sigmaBeta ~ dgamma(1.1051, 0.1051)
      nu ~ dexp(1/30.0)
    }", list(Ntotal = n, Nx = 6, zx = round(X, 2), zy = y), c("zbeta0", "delta", "zsigma", "sigmaBeta"), 6000)
    # softmax regression
    n <- 90; x <- matrix(rnorm(2 * n), n); e <- cbind(0, 0.5 + x[, 1], -0.3 - x[, 1] + 0.8 * x[, 2], 0.4 * x[, 2]); y <- apply(e, 1, function(v) sample(4, 1, prob = exp(v)))
    add("softmax", "model {
      for (i in 1:Ntotal) {
        y[i] ~ dcat(mu[1:Nout,i])
        mu[1:Nout,i] <- explambda[1:Nout,i] / sum(explambda[1:Nout,i])
        for (k in 1:Nout) { explambda[k,i] <- exp(zbeta0[k] + sum(zbeta[k,1:Nx] * zx[i,1:Nx])) }
      }
      zbeta0[1] <- 0
      for (j in 1:Nx) { zbeta[1,j] <- 0 }
      for (k in 2:Nout) {
        zbeta0[k] ~ dnorm(0, 1/20^2)
        for (j in 1:Nx) { zbeta[k,j] ~ dnorm(0, 1/20^2) }
      }
    }", list(Ntotal = n, Nout = 4, Nx = 2, zx = round(x, 2), y = y), c("zbeta0[2:4]", "zbeta[2:4,1:2]"), 6000)
    # Lee & Wagenmakers: a contaminated psychophysical function
    ns <- 3; xs <- seq(-50, 50, length = 9); r <- t(sapply(1:ns, function(i) rbinom(9, 20, plogis(0.1 * i + 0.06 * xs)))); r[1, 8] <- 6; r[2, 2] <- 13
    add("psychophysical-contaminated", "model {
      for (i in 1:nsubjs) {
        for (j in 1:nstim[i]) {
          z[i,j] ~ dbern(phi[i])
          r[i,j] ~ dbin(theta[z[i,j]+1,i,j], n[i,j])
          logit(theta[1,i,j]) <- alpha[i] + beta[i] * (x[i,j] - xmean[i])
          theta[2,i,j] <- pi[i,j]
          pi[i,j] ~ dbeta(1, 1)
        }
        phi[i] <- phi(probitphi[i])
        probitphi[i] ~ dnorm(mup, lambdap)
        beta[i] ~ dnorm(mub, lambdab)
        alpha[i] ~ dnorm(mua, lambdaa)
      }
      mup ~ dnorm(0, 1)
      mua ~ dnorm(0, .001)
      mub ~ dnorm(0, .001)
      lambdap <- pow(sigmap, -2)
      lambdaa <- pow(sigmaa, -2)
      lambdab <- pow(sigmab, -2)
      sigmap ~ dunif(0, 3)
      sigmaa ~ dunif(0, 10)
      sigmab ~ dunif(0, 10)
    }", list(nsubjs = ns, nstim = rep(9, ns), r = r, n = matrix(20, ns, 9), x = matrix(xs, ns, 9, TRUE), xmean = rep(0, ns)), c("alpha", "beta", "z[1,8]", "z[2,2]", "mup", "sigmaa"), 6000, list(beta = rep(0.05, ns)))
    # Lee & Wagenmakers: take the best as a hierarchy of strategies
    ns <- 12; nq <- 20; a <- rbinom(nq, 1, 0.5); b <- ifelse(runif(nq) < 0.4, 1 - a, a); zz <- rbinom(ns, 1, 0.6); y <- t(sapply(zz, function(z) rbinom(nq, 1, ifelse((if (z) a else b) == 1, 0.85, 0.15))))
    add("strategies", "model {
      for (i in 1:ns) {
        z[i] ~ dbern(phi)
        z1[i] <- z[i] + 1
      }
      for (q in 1:nq) { for (m in 1:2) {
        dec[q,m,1] <- equals(s[q,m], 1) * gamma + equals(s[q,m], 0) * (1 - gamma)
      } }
      for (i in 1:ns) { for (q in 1:nq) {
        y[i,q] ~ dbern(dec[q,z1[i],1])
        ypred[i,q] ~ dbern(dec[q,z1[i],1])
      } }
      gamma ~ dunif(0.5, 1)
      phi ~ dbeta(1, 1)
    }", list(ns = ns, nq = nq, s = cbind(b, a), y = y), c("phi", "gamma", "z", "ypred[1,1:3]"), 6000)
    # Lee & Wagenmakers: BART hierarchical in two conditions
    nt <- 20; y <- array(0, c(2, nt, 12)); o <- matrix(0, 2, nt)
    for (i in 1:2) for (j in 1:nt) { om <- -c(1.2, 0.8)[i] / log(1 - 0.15); for (k in 1:12) { y[i, j, k] <- rbinom(1, 1, 1 - 1 / (1 + exp(0.6 * (k - om)))); o[i, j] <- k; if (y[i, j, k]) break } }
    add("balloons-hierarchical", "model {
      for (i in 1:nconds) {
        gplus[i] ~ dnorm(mug, lambdag) T(0,)
        beta[i] ~ dnorm(mub, lambdab) T(0,)
        omega[i] <- -gplus[i] / log(1 - p)
        for (j in 1:ntrials) {
          for (k in 1:options[i,j]) {
            theta[i,j,k] <- 1 - 1 / (1 + exp(max(-15, min(15, beta[i] * (k - omega[i])))))
            d[i,j,k] ~ dbern(theta[i,j,k])
          }
        }
      }
      mug ~ dunif(0, 10)
      sigmag ~ dunif(0, 10)
      mub ~ dunif(0, 10)
      sigmab ~ dunif(0, 10)
      lambdag <- 1 / pow(sigmag, 2)
      lambdab <- 1 / pow(sigmab, 2)
    }", list(nconds = 2, ntrials = nt, options = o, d = y, p = 0.15), c("gplus", "beta", "mug", "sigmag"), 6000)
})
