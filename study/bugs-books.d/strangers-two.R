# More of them: ecology, psychology, medicine.
local({
    set.seed(72)
    # multi-season counts with a random year and site, Poisson-lognormal (Kery)
    ny <- 8; ns <- 10; y <- matrix(rpois(ny * ns, exp(rep(rnorm(ns, 1, 0.5), each = ny) + rep(rnorm(ny, 0, 0.3), ns) + rnorm(ny * ns, 0, 0.3))), ny, ns)
    y[3, 4] <- NA
    add("counts-year-site", "model {
      mu ~ dnorm(0, 0.01)
      for (j in 1:nsite) { alpha[j] ~ dnorm(mu, tau.alpha) }
      tau.alpha <- 1 / (sd.alpha * sd.alpha)
      sd.alpha ~ dunif(0, 5)
      for (i in 1:nyear) { eps[i] ~ dnorm(0, tau.eps) }
      tau.eps <- 1 / (sd.eps * sd.eps)
      sd.eps ~ dunif(0, 3)
      for (i in 1:nyear) {
        for (j in 1:nsite) {
          C[i,j] ~ dpois(lambda[i,j])
          lambda[i,j] <- exp(log.lambda[i,j])
          log.lambda[i,j] <- alpha[j] + eps[i] + e[i,j]
          e[i,j] ~ dnorm(0, tau.e)
        }
      }
      tau.e <- pow(sd.e, -2)
      sd.e ~ dunif(0, 2)
      pop <- sum(lambda[nyear, ])
    }", list(C = y, nyear = ny, nsite = ns), c("mu", "sd.alpha", "sd.eps", "sd.e", "eps", "pop", "C[3,4]"), 10000)
    # occupancy with random effects of sites in detection
    R <- 60; J <- 4; z <- rbinom(R, 1, 0.6); p <- plogis(rnorm(R, 0, 0.7)); y <- matrix(rbinom(R * J, 1, rep(z * p, J)), R, J)
    add("occupancy-heterogeneous", "model {
      for (i in 1:R) {
        z[i] ~ dbern(psi)
        eps[i] ~ dnorm(0, tau)
        logit(p[i]) <- lp + eps[i]
        for (j in 1:J) {
          y[i,j] ~ dbern(z[i] * p[i])
        }
      }
      psi ~ dbeta(1, 1)
      lp ~ dnorm(0, 0.37)
      sd ~ dunif(0, 3)
      tau <- 1/sd^2
      n.occ <- sum(z)
    }", list(y = y, R = R, J = J), c("psi", "lp", "sd", "n.occ"), 20000, list(z = rep(1, R)))
    # closed population with time-varying p by data augmentation (Kery & Schaub, Mt)
    N <- 50; T <- 4; pt <- c(0.3, 0.5, 0.4, 0.2); full <- sapply(pt, function(q) rbinom(N, 1, q)); seen <- full[rowSums(full) > 0, ]
    aug <- rbind(seen, matrix(0, 60, T))
    add("closed-mt", "model {
      omega ~ dunif(0, 1)
      for (i in 1:T) { p[i] ~ dunif(0, 1) }
      for (i in 1:M) {
        z[i] ~ dbern(omega)
        for (j in 1:T) {
          yaug[i,j] ~ dbern(p.eff[i,j])
          p.eff[i,j] <- z[i] * p[j]
        }
      }
      N <- sum(z[])
    }", list(yaug = aug, M = nrow(aug), T = T), c("omega", "p", "N"), 10000, list(z = rep(1, nrow(aug))))
    # behavioural response, Mb
    beh <- t(sapply(1:N, function(i) { h <- rep(0, T); for (t in 1:T) h[t] <- rbinom(1, 1, if (t > 1 && any(h[1:(t-1)] == 1)) 0.6 else 0.35); h }))
    beh <- rbind(beh[rowSums(beh) > 0, ], matrix(0, 60, T))
    add("closed-mb", "model {
      omega ~ dunif(0, 1)
      p ~ dunif(0, 1)
      c ~ dunif(0, 1)
      for (i in 1:M) {
        z[i] ~ dbern(omega)
        yaug[i,1] ~ dbern(p.eff[i,1])
        p.eff[i,1] <- z[i] * p
        for (j in 2:T) {
          yaug[i,j] ~ dbern(p.eff[i,j])
          p.eff[i,j] <- z[i] * ((1 - yaug[i,(j-1)]) * p + yaug[i,(j-1)] * c)
        }
      }
      N <- sum(z[])
      trap.response <- c - p
    }", list(yaug = beh, M = nrow(beh), T = T), c("omega", "p", "c", "N", "trap.response"), 10000, list(z = rep(1, nrow(beh))))
    # integrated population model, small
    nyears <- 8; N1 <- 40; ad <- 30; y <- c(31, 34, 33, 39, 37, 42, 45, 44)
    add("integrated-population", "model {
      N1[1] ~ dnorm(20, 0.01) T(0,)
      NadSurv[1] ~ dnorm(20, 0.01) T(0,)
      for (t in 1:nyears) { Ntot[t] <- N1[t] + NadSurv[t]; y[t] ~ dnorm(Ntot[t], tauy) }
      for (t in 2:nyears) {
        N1[t] ~ dpois(f / 2 * sj * Ntot[t-1])
        NadSurv[t] ~ dbin(sa, round(Ntot[t-1]))
      }
      sj ~ dbeta(20, 40)
      sa ~ dbeta(50, 25)
      f ~ dgamma(60, 30)
      sigma.y ~ dunif(0.5, 20)
      tauy <- pow(sigma.y, -2)
    }", list(y = y, nyears = nyears), c("sj", "sa", "f", "sigma.y"), 20000)
    add("integrated-population-normal", "model {
      N[1] ~ dnorm(32, 0.01)
      for (t in 1:nyears) { y[t] ~ dnorm(N[t], tauy) }
      for (t in 2:nyears) {
        mean[t] <- (f / 2 * sj + sa) * N[t-1]
        N[t] ~ dnorm(mean[t], 1 / (f / 2 * sj * N[t-1] + N[t-1] * sa * (1 - sa)))
      }
      for (t in 1:(nyears-1)) { r[t] ~ dbin(sa, R[t]); J[t] ~ dpois(f * B[t]) }
      sj ~ dbeta(20, 40)
      sa ~ dunif(0, 1)
      f ~ dunif(0, 10)
      sigma.y ~ dunif(0.5, 20)
      tauy <- pow(sigma.y, -2)
      lambda <- pow(N[nyears] / N[1], 1 / (nyears - 1))
    }", list(y = y, nyears = nyears, r = rbinom(7, 20, 0.68), R = rep(20, 7), J = rpois(7, 2 * 12), B = rep(12, 7)),
        c("sj", "sa", "f", "sigma.y", "N", "lambda"), 20000)
    # meta-regression with baseline risk (van Houwelingen)
    n <- 14; base <- rnorm(n, -1, 0.6); yc <- rnorm(n, base, 0.2); eff <- -0.4 - 0.3 * (base + 1) + rnorm(n, 0, 0.15); ye <- rnorm(n, eff, 0.2)
    add("baseline-risk", "model {
      for (i in 1:n) {
        yc[i] ~ dnorm(u[i], 25)
        ye[i] ~ dnorm(d[i], 25)
        d[i] ~ dnorm(md[i], tau)
        md[i] <- alpha + beta * (u[i] - mean(u[]))
        u[i] ~ dnorm(mu.u, tau.u)
      }
      mu.u ~ dnorm(0, 1.0E-6)
      tau.u ~ dgamma(0.001, 0.001)
      alpha ~ dnorm(0, 1.0E-6)
      beta ~ dnorm(0, 1.0E-6)
      sd ~ dunif(0, 2)
      tau <- pow(sd, -2)
    }", list(n = n, yc = yc, ye = ye), c("alpha", "beta", "sd", "mu.u", "d[1]"), 20000)
    # reaction times: shifted log-normal, subjects with their own shift
    S <- 6; nt <- 20; shift <- runif(S, 0.15, 0.3); mu <- rnorm(S, -1, 0.2)
    rt <- sapply(1:S, function(s) shift[s] + rlnorm(nt, mu[s], 0.4))
    add("shifted-lognormal", "model {
      for (s in 1:S) {
        for (i in 1:nt) {
          d[i,s] <- rt[i,s] - ndt[s]
          ones[i,s] ~ dbern(L[i,s])
          L[i,s] <- exp(-log(d[i,s]) + 0.5 * log(tau) - 0.5 * tau * pow(log(d[i,s]) - mu[s], 2)) / 1000
        }
        ndt[s] ~ dunif(0, minrt[s])
        mu[s] ~ dnorm(mumu, taumu)
      }
      mumu ~ dnorm(0, 0.1)
      sdmu ~ dunif(0, 2)
      taumu <- 1 / sdmu^2
      tau ~ dgamma(2, 0.5)
      sigma <- 1 / sqrt(tau)
    }", list(rt = rt, ones = matrix(1, nt, S), minrt = apply(rt, 2, min), S = S, nt = nt), c("ndt", "mu", "mumu", "sigma"), 20000)
    # DINA-like latent skill: two attributes
    I <- 80; a <- rbinom(I, 1, 0.6); resp <- sapply(c(0.85, 0.9, 0.8, 0.75, 0.9), function(q) rbinom(I, 1, ifelse(a == 1, q, 0.2)))
    add("latent-skill", "model {
      for (i in 1:I) {
        alpha[i] ~ dbern(pi)
        for (j in 1:J) {
          prob[i,j] <- (1 - s[j])^alpha[i] * g[j]^(1 - alpha[i])
          X[i,j] ~ dbern(prob[i,j])
        }
      }
      pi ~ dbeta(1, 1)
      for (j in 1:J) { s[j] ~ dbeta(1, 1); g[j] ~ dbeta(1, 1) T(, 1 - s[j]) }
    }", list(X = resp, I = I, J = 5), c("pi", "s", "g"), 20000)
    # partial credit
    n <- 60; th <- rnorm(n); dl <- rbind(c(-1, 0.2), c(-0.5, 0.8), c(0, 1), c(-0.7, 0.3))
    pc <- sapply(1:4, function(j) sapply(th, function(t) { e <- exp(cumsum(c(0, t - dl[j, ]))); sample(3, 1, prob = e / sum(e)) }))
    add("partial-credit", "model {
      for (i in 1:n) {
        for (j in 1:p) {
          Y[i,j] ~ dcat(prob[i,j,1:K])
          for (k in 1:K) {
            eta[i,j,k] <- theta[i] - beta[j,k]
            psum[i,j,k] <- sum(eta[i,j,1:k])
            exp.psum[i,j,k] <- exp(psum[i,j,k])
            prob[i,j,k] <- exp.psum[i,j,k] / sum(exp.psum[i,j,1:K])
          }
        }
        theta[i] ~ dnorm(0, 1)
      }
      for (j in 1:p) {
        beta[j,1] <- 0.0
        for (k in 2:K) { beta[j,k] ~ dnorm(0, 0.25) }
      }
    }", list(Y = pc, n = n, p = 4, K = 3), c("beta[1,2]", "beta[1,3]", "beta[4,2]", "beta[4,3]", "theta[1:5]"), 10000)
    # growth mixture with two classes
    n <- 50; cl <- rbinom(n, 1, 0.4); tt <- 0:4
    g <- t(sapply(1:n, function(i) 2 + (0.2 + 1.2 * cl[i]) * tt + rnorm(1, 0, 0.4) + rnorm(5, 0, 0.5)))
    add("growth-mixture", "model {
      for (i in 1:n) {
        C[i] ~ dcat(lambda[1:2])
        b0[i] ~ dnorm(m0, tau0)
        for (t in 1:5) {
          y[i,t] ~ dnorm(b0[i] + slope[C[i]] * time[t], tau)
        }
      }
      lambda[1:2] ~ ddirch(a[1:2])
      m0 ~ dnorm(0, 0.01)
      slope[1] ~ dnorm(0, 0.1)
      slope[2] ~ dnorm(0, 0.1) T(slope[1], )
      tau0 ~ dgamma(1, 0.5)
      tau ~ dgamma(1, 0.5)
    }", list(y = g, n = n, time = tt, a = c(1, 1)), c("lambda", "m0", "slope", "tau0", "tau"), 10000)
    # a mover-stayer in a two-state Markov chain with covariate
    n <- 30; Tn <- 6; x <- rnorm(n); st <- matrix(1, n, Tn)
    for (i in 1:n) for (t in 2:Tn) st[i, t] <- 1 + rbinom(1, 1, if (st[i, t - 1] == 1) plogis(-1 + 0.6 * x[i]) else 0.7)
    add("markov-covariate", "model {
      for (i in 1:n) {
        for (t in 2:Tn) {
          s[i,t] ~ dcat(P[i, s[i,t-1], ])
        }
        logit(q[i]) <- a + b * x[i]
        P[i,1,1] <- 1 - q[i]
        P[i,1,2] <- q[i]
        P[i,2,1] <- 1 - r
        P[i,2,2] <- r
      }
      a ~ dlogis(0, 1)
      b ~ dt(0, 0.16, 1)
      r ~ dunif(0, 1)
    }", list(s = st, x = x, n = n, Tn = Tn), c("a", "b", "r"), 20000)
    # dose-response with over-dispersion by beta-binomial in the JAGS spelling
    d <- rep(c(0, 1, 2, 4, 8), each = 4); m <- rep(12, 20); pr <- rbeta(20, 8 * plogis(-2 + 0.6 * d), 8 * (1 - plogis(-2 + 0.6 * d)))
    add("toxicology", "model {
      for (i in 1:N) {
        y[i] ~ dbin(pp[i], m[i])
        pp[i] ~ dbeta(aa[i], bb[i])
        aa[i] <- mu[i] * kappa
        bb[i] <- (1 - mu[i]) * kappa
        logit(mu[i]) <- alpha + beta * dose[i]
      }
      alpha ~ dnorm(0, 0.25)
      beta ~ dnorm(0, 1) T(0, )
      kappa ~ dgamma(1, 0.1)
      LD50 <- -alpha / beta
    }", list(N = 20, y = rbinom(20, m, pr), m = m, dose = d), c("alpha", "beta", "kappa", "LD50"), 20000, list(beta = 0.5))
})
