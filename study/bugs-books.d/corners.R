# Hard corners: few rows per group, rare events, vague priors.
local({
    set.seed(141)
    # occupancy with random years and a covariate of detection that has gaps (Kery & Royle)
    S <- 40; Y <- 5; J <- 3; x <- round(rnorm(S), 2); yr <- rep(1:Y, each = S / Y); z <- rbinom(S, 1, plogis(-0.8 + x + rnorm(Y, 0, 0.7)[yr]))
    w <- matrix(round(rnorm(S * J), 2), S); y <- matrix(rbinom(S * J, 1, z * plogis(-0.5 + 0.6 * w)), S); w[c(3, 50, 77)] <- NA
    add("occupancy-years", "model {
      for (i in 1:S) {
        z[i] ~ dbern(psi[i])
        logit(psi[i]) <- lpsi[year[i]] + beta * x[i]
        for (j in 1:J) {
          y[i,j] ~ dbern(z[i] * p[i,j])
          logit(p[i,j]) <- alpha0 + alpha1 * w[i,j]
          w[i,j] ~ dnorm(mu.w, tau.w)
        }
      }
      for (t in 1:Y) { lpsi[t] ~ dnorm(mu.lpsi, tau.lpsi) }
      mu.lpsi ~ dnorm(0, 0.01)
      tau.lpsi <- pow(sd.lpsi, -2)
      sd.lpsi ~ dunif(0, 10)
      beta ~ dnorm(0, 0.01)
      alpha0 ~ dnorm(0, 0.01)
      alpha1 ~ dnorm(0, 0.01)
      mu.w ~ dnorm(0, 0.001)
      tau.w ~ dgamma(0.001, 0.001)
      n.occ <- sum(z[])
    }", list(S = S, Y = Y, J = J, x = x, year = yr, y = y, w = w), c("mu.lpsi", "sd.lpsi", "beta", "alpha0", "alpha1", "n.occ", "lpsi"), 20000,
        list(z = rep(1, S)))
    # Cormack-Jolly-Seber with two groups and random years (Kery & Schaub 7.6)
    n <- 60; T <- 7; g <- rep(1:2, n / 2); f <- rep(1:6, n / 6); ch <- matrix(0, n, T); eps <- rnorm(T, 0, 0.5)
    for (i in 1:n) { a <- 1; ch[i, f[i]] <- 1
        for (t in (f[i] + 1):T) if (t <= T) { a <- a * rbinom(1, 1, plogis(c(0.3, 1)[g[i]] + eps[t - 1])); ch[i, t] <- a * rbinom(1, 1, 0.5) } }
    add("cjs-groups", "model {
      for (i in 1:n) {
        z[i,f[i]] <- 1
        for (t in (f[i]+1):T) {
          z[i,t] ~ dbern(phi[i,t-1] * z[i,t-1])
          y[i,t] ~ dbern(p[group[i]] * z[i,t])
        }
        for (t in f[i]:(T-1)) { logit(phi[i,t]) <- beta[group[i]] + eps[t] }
      }
      for (t in 1:(T-1)) { eps[t] ~ dnorm(0, tau) }
      for (k in 1:2) { beta[k] ~ dnorm(0, 0.01)
        p[k] ~ dunif(0, 1)
        mean.phi[k] <- 1 / (1 + exp(-beta[k])) }
      sigma ~ dunif(0, 5)
      tau <- pow(sigma, -2)
    }", list(n = n, T = T, f = f, group = g, y = ch), c("mean.phi", "p", "sigma", "eps"), 20000,
        list(z = t(sapply(1:n, function(i) ifelse(1:T > f[i], 1, NA)))))
    # zero-inflated abundance with covariates (Kery & Royle)
    S <- 40; J <- 3; x <- round(rnorm(S), 2); N <- rpois(S, rbinom(S, 1, 0.7) * exp(1 + 0.5 * x)); C <- matrix(rbinom(S * J, N, 0.45), S)
    add("n-mixture-zero-inflated", "model {
      for (i in 1:S) {
        a[i] ~ dbern(omega)
        N[i] ~ dpois(a[i] * lambda[i])
        log(lambda[i]) <- b0 + b1 * x[i]
        for (j in 1:J) { C[i,j] ~ dbin(p, N[i]) }
      }
      omega ~ dunif(0, 1)
      p ~ dunif(0, 1)
      b0 ~ dnorm(0, 0.01)
      b1 ~ dnorm(0, 0.01)
      Ntotal <- sum(N[])
    }", list(S = S, J = J, x = x, C = C), c("omega", "p", "b0", "b1", "Ntotal"), 30000, list(N = apply(C, 1, max) + 1, a = rep(1, S)))
    # hierarchical distance sampling in bins (Kery & Royle 8.5)
    S <- 30; B <- 5; mid <- (1:B - 0.5) * 20; hab <- round(rnorm(S), 2); sg <- 45; pi0 <- 20 / 100
    gp <- exp(-mid^2 / (2 * sg^2)); N <- rpois(S, exp(1.4 + 0.4 * hab)); dclass <- integer(); site <- integer(); nobs <- integer(S)
    for (i in 1:S) { k <- sample(B, N[i], TRUE); seen <- k[runif(N[i]) < gp[k]]; nobs[i] <- length(seen); dclass <- c(dclass, seen); site <- c(site, rep(i, length(seen))) }
    add("distance-sites", "model {
      alpha0 ~ dunif(-10, 10)
      beta0 ~ dunif(-10, 10)
      beta1 ~ dunif(-10, 10)
      for (k in 1:nind) { dclass[k] ~ dcat(fc[1:B]) }
      log(sigma) <- alpha0
      for (g in 1:B) {
        log(p[g]) <- -mid[g] * mid[g] / (2 * sigma * sigma)
        f[g] <- p[g] / B
        fc[g] <- f[g] / pcap
      }
      pcap <- sum(f[])
      for (s in 1:S) {
        n[s] ~ dbin(pcap, N[s])
        N[s] ~ dpois(lambda[s])
        log(lambda[s]) <- beta0 + beta1 * hab[s]
      }
      Ntotal <- sum(N[])
    }", list(S = S, B = B, mid = mid, hab = hab, nind = length(dclass), dclass = dclass, n = nobs),
        c("alpha0", "beta0", "beta1", "Ntotal", "pcap"), 30000, list(N = nobs + 2, alpha0 = log(40)))
    # meta-analysis of rare events, with empty cells and dgamma(.001, .001)
    k <- 9; n1 <- sample(30:90, k); n2 <- sample(30:90, k); b <- rnorm(k, -3, 0.6); d <- rnorm(k, -0.5, 0.3)
    add("meta-rare", "model {
      for (i in 1:k) {
        r1[i] ~ dbin(p1[i], n1[i])
        r2[i] ~ dbin(p2[i], n2[i])
        logit(p1[i]) <- mu[i]
        logit(p2[i]) <- mu[i] + delta[i]
        mu[i] ~ dnorm(0, 0.00001)
        delta[i] ~ dnorm(d, tau)
      }
      d ~ dnorm(0, 1.0E-6)
      tau ~ dgamma(0.001, 0.001)
      sigma <- 1 / sqrt(tau)
      d.new ~ dnorm(d, tau)
    }", list(k = k, n1 = n1, n2 = n2, r1 = pmax(rbinom(k, n1, plogis(b)), rep(c(0, 1), length.out = k)), r2 = pmax(rbinom(k, n2, plogis(b + d)), rep(c(1, 0), length.out = k))), c("d", "sigma", "delta"), 60000)
    # mixed multinomial logit with correlated effects of persons
    n <- 25; K <- 5; id <- rep(1:n, each = K); u <- matrix(rnorm(2 * n), n) %*% chol(matrix(c(1, 0.5, 0.5, 1), 2)); x <- round(rnorm(n * K), 2)
    eta <- cbind(0, 0.3 + 0.8 * x + u[id, 1], -0.2 - 0.4 * x + u[id, 2]); y <- apply(eta, 1, function(e) sample(3, 1, prob = exp(e)))
    add("multinomial-mixed", "model {
      for (i in 1:n) {
        y[i] ~ dcat(p[i,1:3])
        for (k in 1:3) { p[i,k] <- q[i,k] / sum(q[i,]) }
        q[i,1] <- 1
        for (k in 2:3) { log(q[i,k]) <- a[k] + b[k] * x[i] + u[id[i],k-1] }
      }
      for (j in 1:m) { u[j,1:2] ~ dmnorm(zero[], Omega[,]) }
      Omega[1:2,1:2] ~ dwish(R[,], 3)
      Sigma[1:2,1:2] <- inverse(Omega[,])
      for (k in 2:3) {
        a[k] ~ dnorm(0, 1.0E-2)
        b[k] ~ dnorm(0, 1.0E-2)
      }
      a[1] <- 0
      b[1] <- 0
    }", list(n = n * K, m = n, id = id, x = x, y = y, zero = c(0, 0), R = diag(2)), c("a[2:3]", "b[2:3]", "Sigma[1,1]", "Sigma[2,1]", "Sigma[2,2]"), 40000)
    # each subject bends at its own time
    J <- 10; tt <- 1:8; cp <- rnorm(J, 4, 0.8); a <- rnorm(J, 10, 1); y <- t(sapply(1:J, function(j) a[j] + 0.3 * tt - 1.5 * pmax(tt - cp[j], 0) + rnorm(8, 0, 0.4)))
    add("bends", "model {
      for (j in 1:J) {
        for (t in 1:8) {
          y[j,t] ~ dnorm(mu[j,t], tau)
          mu[j,t] <- a[j] + b1 * time[t] + b2 * (time[t] - cp[j]) * step(time[t] - cp[j])
        }
        a[j] ~ dnorm(mu.a, tau.a)
        cp[j] ~ dnorm(mu.cp, tau.cp)
      }
      mu.a ~ dnorm(0, 0.0001)
      mu.cp ~ dnorm(4, 0.25)
      b1 ~ dnorm(0, 0.01)
      b2 ~ dnorm(0, 0.01)
      tau ~ dgamma(0.001, 0.001)
      tau.a ~ dgamma(0.001, 0.001)
      sd.cp ~ dunif(0, 5)
      tau.cp <- pow(sd.cp, -2)
      sd <- 1 / sqrt(tau)
      sd.a <- 1 / sqrt(tau.a)
    }", list(J = J, y = y, time = tt), c("mu.a", "mu.cp", "b1", "b2", "sd", "sd.a", "sd.cp", "cp"), 40000)
    # a risk factor measured twice, with error (Carroll)
    n <- 120; x <- rnorm(n); y <- rbinom(n, 1, plogis(-1.5 + 0.8 * x)); w <- cbind(x + rnorm(n, 0, 0.8), ifelse(1:n <= 40, x + rnorm(n, 0, 0.8), NA))
    add("risk-with-error", "model {
      for (i in 1:n) {
        y[i] ~ dbern(p[i])
        logit(p[i]) <- b0 + b1 * x[i]
        x[i] ~ dnorm(mu.x, tau.x)
        w1[i] ~ dnorm(x[i], tau.u)
      }
      for (i in 1:m) { w2[i] ~ dnorm(x[i], tau.u) }
      b0 ~ dnorm(0, 1.0E-6)
      b1 ~ dnorm(0, 1.0E-6)
      mu.x ~ dnorm(0, 1.0E-6)
      tau.x ~ dgamma(0.001, 0.001)
      tau.u ~ dgamma(0.001, 0.001)
      reliability <- tau.u / (tau.u + tau.x)
    }", list(n = n, m = 40, y = y, w1 = w[, 1], w2 = w[1:40, 2]), c("b0", "b1", "mu.x", "tau.x", "tau.u", "reliability", "x[1:3]"), 40000)
    # binary and continuous covariates with gaps in a logistic regression
    n <- 80; s <- rbinom(n, 1, 0.4); a <- round(rnorm(n, 0.5 * s), 2); y <- rbinom(n, 1, plogis(-0.5 + 0.9 * a - 0.7 * s)); s[sample(n, 12)] <- NA; a[sample(n, 12)] <- NA
    add("two-kinds-of-gaps", "model {
      for (i in 1:n) {
        y[i] ~ dbern(p[i])
        logit(p[i]) <- b[1] + b[2] * a[i] + b[3] * s[i]
        s[i] ~ dbern(q)
        a[i] ~ dnorm(g[1] + g[2] * s[i], tau)
      }
      q ~ dbeta(1, 1)
      for (k in 1:3) { b[k] ~ dnorm(0, 0.001) }
      for (k in 1:2) { g[k] ~ dnorm(0, 0.001) }
      tau ~ dgamma(0.001, 0.001)
    }", list(n = n, y = y, s = s, a = a), c("b", "g", "q", "tau"), 30000)
})
local({
    set.seed(142)
    # ordinal answers of persons, cut points by their distances
    n <- 20; K <- 4; id <- rep(1:n, each = K); x <- rep(0:1, n * K / 2); eta <- 0.8 * x + rnorm(n, 0, 1.2)[id]
    y <- 1 + (eta + rlogis(n * K) > -1) + (eta + rlogis(n * K) > 1)
    add("ordinal-persons", "model {
      for (i in 1:n) {
        for (k in 1:2) { logit(Q[i,k]) <- c[k] - b * x[i] - u[id[i]] }
        P[i,1] <- Q[i,1]
        P[i,2] <- Q[i,2] - Q[i,1]
        P[i,3] <- 1 - Q[i,2]
        y[i] ~ dcat(P[i,])
      }
      for (j in 1:m) { u[j] ~ dnorm(0, tau) }
      c[1] ~ dnorm(0, 0.01)
      c[2] <- c[1] + d
      d ~ dexp(0.1)
      b ~ dnorm(0, 0.0001)
      sigma ~ dunif(0, 100)
      tau <- 1 / (sigma * sigma)
    }", list(n = n * K, m = n, id = id, x = x, y = y), c("c", "b", "sigma", "u[1:4]"), 30000)
    # random slopes in a logistic regression: eight groups of four rows
    J <- 8; g <- rep(1:J, each = 4); x <- rep(c(-1, -0.3, 0.3, 1), J); b <- matrix(rnorm(2 * J), J); y <- rbinom(32, 1, plogis(0.3 + b[g, 1] + (0.8 + b[g, 2]) * x))
    add("slopes-wishart-binary", "model {
      for (i in 1:n) {
        y[i] ~ dbern(p[i])
        logit(p[i]) <- B[g[i],1] + B[g[i],2] * x[i]
      }
      for (j in 1:J) { B[j,1:2] ~ dmnorm(mu[1:2], Tau[1:2,1:2]) }
      mu[1] ~ dnorm(0, 0.0001)
      mu[2] ~ dnorm(0, 0.0001)
      Tau[1:2,1:2] ~ dwish(R[1:2,1:2], 3)
      V[1:2,1:2] <- inverse(Tau[1:2,1:2])
      rho <- V[1,2] / sqrt(V[1,1] * V[2,2])
    }", list(n = 32, J = J, g = g, x = x, y = y, R = diag(2)), c("mu", "V[1,1]", "V[2,2]", "rho"), 60000)
    # robust multiple regression (Kruschke 18)
    n <- 50; x <- matrix(round(rnorm(4 * n), 2), n); y <- round(500 + 30 * x[, 1] - 12 * x[, 2] + 25 * rt(n, 3), 1)
    add("robust-multiple", "data {
      ym <- mean(y)
      ysd <- sd(y)
      for (i in 1:n) { zy[i] <- (y[i] - ym) / ysd }
      for (j in 1:Nx) {
        xm[j] <- mean(x[,j])
        xsd[j] <- sd(x[,j])
        for (i in 1:n) { zx[i,j] <- (x[i,j] - xm[j]) / xsd[j] }
      }
    }
    model {
      for (i in 1:n) {
        zy[i] ~ dt(zbeta0 + sum(zbeta[1:Nx] * zx[i,1:Nx]), 1 / zsigma^2, nu)
      }
      zbeta0 ~ dnorm(0, 1 / 2^2)
      for (j in 1:Nx) { zbeta[j] ~ dt(0, 1 / sigmaBeta^2, 1) }
      zsigma ~ dunif(1.0E-5, 1.0E+1)
      sigmaBeta <- 1 / sqrt(tauBeta)
      tauBeta ~ dgamma(s, r)
      r <- (mode + sqrt(mode^2 + 4 * sdb^2)) / (2 * sdb^2)
      s <- 1 + mode * r
      mode <- 1
      sdb <- 10
      nu ~ dexp(1 / 30.0)
      beta[1:Nx] <- (zbeta[1:Nx] / xsd[1:Nx]) * ysd
      beta0 <- zbeta0 * ysd + ym - sum(zbeta[1:Nx] * xm[1:Nx] / xsd[1:Nx]) * ysd
      sigma <- zsigma * ysd
    }", list(n = n, Nx = 4, x = x, y = y), c("beta0", "beta", "sigma", "nu", "sigmaBeta"), 10000)
    # two-parameter items, thirty persons, five items
    N <- 30; I <- 5; th <- rnorm(N); y <- matrix(rbinom(N * I, 1, plogis(outer(th, c(-1, -0.5, 0, 0.8, 1.5), `-`) * 1.2)), N)
    add("two-parameter-few", "model {
      for (j in 1:N) {
        theta[j] ~ dnorm(0, 1)
        for (i in 1:I) {
          y[j,i] ~ dbern(p[j,i])
          logit(p[j,i]) <- a[i] * (theta[j] - b[i])
        }
      }
      for (i in 1:I) {
        a[i] ~ dlnorm(0, 0.5)
        b[i] ~ dnorm(0, 0.25)
      }
    }", list(N = N, I = I, y = y), c("a", "b", "theta[1:5]"), 10000)
    # volatility with t errors
    T <- 80; h <- as.numeric(arima.sim(list(ar = 0.9), T, sd = 0.3)); y <- round(exp(h / 2) * rt(T, 6), 3)
    add("volatility-t", "model {
      h[1] ~ dnorm(mu, itau2)
      for (t in 2:T) { h[t] ~ dnorm(mu + phi * (h[t-1] - mu), itau2) }
      for (t in 1:T) { y[t] ~ dt(0, exp(-h[t]), nu) }
      mu ~ dnorm(0, 0.1)
      phistar ~ dbeta(20, 1.5)
      phi <- 2 * phistar - 1
      itau2 ~ dgamma(2.5, 0.025)
      tau <- sqrt(1 / itau2)
      nu ~ dunif(2, 50)
    }", list(T = T, y = y), c("mu", "phi", "tau", "nu", "h[1:4]"), 20000)
    # an autoregressive state with gaps, vague gammas
    T <- 50; x <- as.numeric(arima.sim(list(ar = 0.8), T)); y <- round(x + rnorm(T, 0, 0.5), 2); y[c(5, 6, 20:24, 50)] <- NA
    add("ar-gaps", "model {
      x[1] ~ dnorm(0, 0.01)
      for (t in 2:T) { x[t] ~ dnorm(rho * x[t-1], tau.x) }
      for (t in 1:T) { y[t] ~ dnorm(x[t], tau.y) }
      rho ~ dunif(-1, 1)
      tau.x ~ dgamma(0.001, 0.001)
      tau.y ~ dgamma(0.001, 0.001)
      s.x <- 1 / sqrt(tau.x)
      s.y <- 1 / sqrt(tau.y)
    }", list(T = T, y = y), c("rho", "s.x", "s.y", "x[20:25]", "y[50]"), 15000)
    # the lasso of Park and Casella
    n <- 40; p <- 8; X <- scale(matrix(rnorm(n * p), n)); X <- matrix(round(X, 3), n); y <- round(2 + X %*% c(2, 1, 0.5, 0, 0, 0, 0, 0) + rnorm(n, 0, 1.5), 2)[, 1]
    add("lasso-mixture", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- b0 + inprod(X[i,], b[])
      }
      b0 ~ dnorm(0, 1.0E-6)
      for (j in 1:p) {
        b[j] ~ dnorm(0, tau / w[j])
        w[j] ~ dexp(lambda2 / 2)
      }
      tau ~ dgamma(0.001, 0.001)
      lambda2 ~ dgamma(1, 0.1)
      lambda <- sqrt(lambda2)
      sigma <- 1 / sqrt(tau)
    }", list(n = n, p = p, X = X, y = y), c("b0", "b", "lambda", "sigma"), 15000)
    # Kuo and Mallick: ten indicators
    p <- 10; n <- 40; X <- matrix(round(rnorm(n * p), 2), n); y <- round(1 + X %*% c(1, 0.6, 0.3, rep(0, 7)) + rnorm(n), 2)[, 1]
    add("indicators-ten", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(b0 + inprod(X[i,], theta[]), tau)
      }
      for (j in 1:p) {
        theta[j] <- g[j] * b[j]
        g[j] ~ dbern(0.5)
        b[j] ~ dnorm(0, 1)
      }
      b0 ~ dnorm(0, 0.0001)
      tau ~ dgamma(0.001, 0.001)
      size <- sum(g[])
    }", list(n = n, p = p, X = X, y = y), c("g", "theta", "size", "tau"), 10000)
    # batting averages (Kruschke 9)
    S <- 15; N <- sample(c(5, 10, 40, 100), S, TRUE); th <- rbeta(S, 13, 37)
    add("batting", "model {
      for (s in 1:S) {
        z[s] ~ dbin(theta[s], N[s])
        theta[s] ~ dbeta(omega * (kappa - 2) + 1, (1 - omega) * (kappa - 2) + 1)
      }
      omega ~ dbeta(1, 1)
      kappa <- kappaMinusTwo + 2
      kappaMinusTwo ~ dgamma(1.105125, 0.1051249)
    }", list(S = S, N = N, z = rbinom(S, N, th)), c("omega", "kappa", "theta"), 8000)
    # augmented capture histories with body sizes that only captured animals have (Kery & Schaub 6.4)
    N <- 50; size <- round(rnorm(N, 0, 1), 2); y <- rbinom(N, 5, plogis(-1 + 0.7 * size)); seen <- y > 0; M <- 110
    add("augmented-sizes", "model {
      omega ~ dunif(0, 1)
      alpha ~ dnorm(0, 0.1)
      beta ~ dnorm(0, 0.1) T(-10, 10)
      mu.size ~ dnorm(0, 0.1)
      tau.size <- pow(sd.size, -2)
      sd.size ~ dunif(0, 10)
      for (i in 1:M) {
        z[i] ~ dbern(omega)
        size[i] ~ dnorm(mu.size, tau.size) T(-6, 6)
        logit(p[i]) <- alpha + beta * size[i]
        y[i] ~ dbin(z[i] * p[i], 5)
      }
      N <- sum(z[])
    }", list(M = M, y = c(y[seen], rep(0, M - sum(seen))), size = c(size[seen], rep(NA, M - sum(seen)))),
        c("N", "omega", "alpha", "beta", "mu.size", "sd.size"), 8000, list(z = rep(1, M)))
    # pumps whose gamma has two unknown parameters, both vague
    add("gamma-hyper-vague", "model {
      for (i in 1:K) {
        theta[i] ~ dgamma(alpha, beta)
        x[i] ~ dpois(theta[i] * t[i])
      }
      alpha ~ dgamma(0.01, 0.01)
      beta ~ dgamma(1, 0.1)
      mean <- alpha / beta
    }", list(K = 8, t = c(5, 15, 60, 3, 1, 20, 2, 10), x = c(5, 1, 5, 14, 3, 19, 1, 22)), c("alpha", "beta", "mean", "theta"), 15000)
    # crossed variance components with an interaction, and dgamma(.001, .001)
    a <- rep(1:5, each = 12); b <- rep(rep(1:4, each = 3), 5); y <- round(10 + rnorm(5)[a] + rnorm(4, 0, 0.8)[b] + rnorm(20, 0, 0.3)[(a - 1) * 4 + b] + rnorm(60, 0, 0.7), 2)
    add("gauge", "model {
      for (i in 1:n) { y[i] ~ dnorm(mu + A[a[i]] + B[b[i]] + AB[a[i],b[i]], tau) }
      for (i in 1:5) { A[i] ~ dnorm(0, tau.A)
        for (j in 1:4) { AB[i,j] ~ dnorm(0, tau.AB) } }
      for (j in 1:4) { B[j] ~ dnorm(0, tau.B) }
      mu ~ dnorm(0, 1.0E-6)
      tau ~ dgamma(0.001, 0.001)
      tau.A ~ dgamma(0.001, 0.001)
      tau.B ~ dgamma(0.001, 0.001)
      tau.AB ~ dgamma(0.001, 0.001)
      s <- 1 / sqrt(tau)
      s.A <- 1 / sqrt(tau.A)
      s.B <- 1 / sqrt(tau.B)
      s.AB <- 1 / sqrt(tau.AB)
      log.s.AB <- log(s.AB)
    }", list(n = 60, a = a, b = b, y = y), c("mu", "s", "log.s.AB", "s.AB", "A[1]", "B[1]"), 25000)
    # teams of two: how strong, and who is first (Bradley & Terry)
    K <- 8; s <- rnorm(K, 0, 0.8); i <- sample(K, 50, TRUE); j <- 1 + (i + sample(0:(K - 2), 50, TRUE)) %% K
    add("tournament", "model {
      for (k in 1:G) {
        w[k] ~ dbern(p[k])
        logit(p[k]) <- home + s[i[k]] - s[j[k]]
      }
      for (t in 1:K) { s[t] ~ dnorm(0, tau) }
      tau ~ dgamma(0.001, 0.001)
      sigma <- 1 / sqrt(tau)
      home ~ dnorm(0, 1.0E-6)
      r[1:K] <- K + 1 - rank(s[1:K])
      for (t in 1:K) { best[t] <- equals(r[t], 1) }
    }", list(G = 50, K = K, i = i, j = j, w = rbinom(50, 1, plogis(0.3 + s[i] - s[j]))), c("home", "sigma", "s", "r", "best"), 15000)
    # detection and catch: a two-part model with random years (delta lognormal)
    n <- 60; yr <- rep(1:10, each = 6); u <- rnorm(10, 0, 0.6); z <- rbinom(n, 1, plogis(-0.3 + u[yr])); v <- round(exp(1 + 0.5 * u[yr] + rnorm(n, 0, 0.7)), 2)
    add("delta-lognormal", "model {
      for (i in 1:n) {
        z[i] ~ dbern(p[i])
        logit(p[i]) <- a[year[i]]
      }
      for (k in 1:m) { v[k] ~ dlnorm(c[yv[k]], tau) }
      for (t in 1:Y) {
        a[t] ~ dnorm(mu.a, tau.a)
        c[t] ~ dnorm(mu.c + g * (a[t] - mu.a), tau.c)
        index[t] <- 1 / (1 + exp(-a[t])) * exp(c[t] + 1 / (2 * tau))
      }
      mu.a ~ dnorm(0, 0.001)
      mu.c ~ dnorm(0, 0.001)
      g ~ dnorm(0, 0.1)
      sd.a ~ dunif(0, 10)
      sd.c ~ dunif(0, 10)
      sd ~ dunif(0, 10)
      tau.a <- pow(sd.a, -2)
      tau.c <- pow(sd.c, -2)
      tau <- pow(sd, -2)
    }", list(n = n, m = sum(z), Y = 10, year = yr, yv = yr[z == 1], z = z, v = v[z == 1]), c("mu.a", "mu.c", "g", "sd.a", "sd.c", "sd", "index"), 15000)
})
local({
    set.seed(143)
    # planes seen twice (Lee & Wagenmakers)
    add("planes", "model {
      k ~ dhyper(x, t - x, n, 1)
      for (i in 1:tmax) { prior[i] <- ifelse(i < low, 0, 1) / tmax }
      t ~ dcat(prior[])
    }", list(x = 10, k = 4, n = 5, low = 11, tmax = 50), "t", 20000, list(t = 20))
    # how well two raters agree (Lee & Wagenmakers)
    add("kappa", "model {
      y[1:4] ~ dmulti(pi[], n)
      pi[1] <- alpha * beta
      pi[2] <- alpha * (1 - beta)
      pi[3] <- (1 - alpha) * (1 - gamma)
      pi[4] <- (1 - alpha) * gamma
      xi <- alpha * beta + (1 - alpha) * gamma
      yi <- pi[1] + pi[2]
      psi <- (pi[1] + pi[2]) * (pi[1] + pi[3]) + (pi[2] + pi[4]) * (pi[3] + pi[4])
      kappa <- (xi - psi) / (1 - psi)
      alpha ~ dbeta(1, 1)
      beta ~ dbeta(1, 1)
      gamma ~ dbeta(1, 1)
    }", list(y = c(14, 4, 5, 210), n = 233), c("kappa", "xi", "psi", "alpha", "beta", "gamma"), 8000)
    # trees of latent traits (Lee & Wagenmakers 14)
    n <- 12; Sg <- matrix(c(0.5, 0.1, 0.1, 0.4), 2); d <- matrix(rnorm(2 * n), n) %*% chol(Sg); c0 <- pnorm(d[, 1]); u0 <- pnorm(0.3 + d[, 2])
    k <- t(sapply(1:n, function(i) rmultinom(1, 20, c(c0[i], (1 - c0[i]) * u0[i], (1 - c0[i]) * (1 - u0[i])))))
    add("latent-trait-tree", "model {
      for (i in 1:n) {
        k[i,1:3] ~ dmulti(theta[i,1:3], 20)
        theta[i,1] <- c[i]
        theta[i,2] <- (1 - c[i]) * u[i]
        theta[i,3] <- (1 - c[i]) * (1 - u[i])
        probit(c[i]) <- mu[1] + d[i,1]
        probit(u[i]) <- mu[2] + d[i,2]
        d[i,1:2] ~ dmnorm(zero[1:2], T[1:2,1:2])
      }
      T[1:2,1:2] ~ dwish(I[1:2,1:2], 3)
      S[1:2,1:2] <- inverse(T[1:2,1:2])
      for (j in 1:2) { mu[j] ~ dnorm(0, 1)
        sigma[j] <- sqrt(S[j,j]) }
      rho <- S[1,2] / (sigma[1] * sigma[2])
    }", list(n = n, k = k, zero = c(0, 0), I = diag(2)), c("mu", "sigma", "rho", "d[1,1]", "d[2,2]"), 15000)
    # an ARMA(1,1) by its errors
    T <- 60; y <- round(5 + as.numeric(arima.sim(list(ar = 0.6, ma = 0.4), T)), 2)
    add("arma", "model {
      m[1] <- mu
      e[1] <- y[1] - m[1]
      y[1] ~ dnorm(m[1], tau)
      for (t in 2:T) {
        y[t] ~ dnorm(m[t], tau)
        m[t] <- mu + phi * (y[t-1] - mu) + theta * e[t-1]
        e[t] <- y[t] - m[t]
      }
      mu ~ dnorm(0, 0.0001)
      phi ~ dunif(-1, 1)
      theta ~ dunif(-1, 1)
      tau ~ dgamma(0.001, 0.001)
      sigma <- 1 / sqrt(tau)
    }", list(T = T, y = y), c("mu", "phi", "theta", "sigma"), 8000)
    # proportions with zeros and ones
    n <- 70; x <- round(rnorm(n), 2); k <- sapply(plogis(0.5 * x), function(p) sample(3, 1, prob = c(0.15, 0.7, 0.15))); v <- pmin(pmax(round(rbeta(n, plogis(0.3 + 0.5 * x) * 6, (1 - plogis(0.3 + 0.5 * x)) * 6), 3), 0.001), 0.999)
    y <- ifelse(k == 1, 0, ifelse(k == 3, 1, v)); mid <- which(y > 0 & y < 1)
    add("zero-one-beta", "model {
      for (i in 1:n) {
        k[i] ~ dcat(pi[i,1:3])
        e[i,1] <- exp(a[1] + a[2] * x[i])
        e[i,2] <- 1
        e[i,3] <- exp(c[1] + c[2] * x[i])
        for (j in 1:3) { pi[i,j] <- e[i,j] / sum(e[i,]) }
      }
      for (i in 1:m) {
        v[i] ~ dbeta(mu[i] * phi, (1 - mu[i]) * phi)
        logit(mu[i]) <- b[1] + b[2] * x[mid[i]]
      }
      for (j in 1:2) { a[j] ~ dnorm(0, 0.001)
        b[j] ~ dnorm(0, 0.001)
        c[j] ~ dnorm(0, 0.001) }
      phi ~ dgamma(0.001, 0.001)
    }", list(n = n, x = x, k = ifelse(y == 0, 1, ifelse(y == 1, 3, 2)), m = length(mid), mid = mid, v = y[mid]), c("a", "b", "c", "phi"), 8000)
    # compositions
    n <- 30; x <- round(rnorm(n), 2); a <- exp(cbind(1 + 0.3 * x, 0.5 - 0.2 * x, 0.8)); y <- t(apply(a, 1, function(a) rgamma(3, a))); y <- y / rowSums(y)
    add("dirichlet-regression", "model {
      for (i in 1:n) {
        y[i,1:3] ~ ddirch(alpha[i,1:3])
        for (k in 1:3) { log(alpha[i,k]) <- b0[k] + b1[k] * x[i] }
      }
      for (k in 1:3) {
        b0[k] ~ dnorm(0, 0.01)
        b1[k] ~ dnorm(0, 0.01)
      }
    }", list(n = n, x = x, y = y), c("b0", "b1"), 10000)
    # pupils in classes in three schools
    sch <- rep(1:3, each = 4); cl <- rep(1:12, each = 4); y <- round(50 + rnorm(3, 0, 4)[sch][cl] + rnorm(12, 0, 2)[cl] + rnorm(48, 0, 6), 1)
    add("three-schools", "model {
      for (i in 1:48) { y[i] ~ dnorm(a[class[i]], tau.y) }
      for (j in 1:12) { a[j] ~ dnorm(b[school[j]], tau.a) }
      for (k in 1:3) { b[k] ~ dnorm(mu, tau.b) }
      mu ~ dnorm(0, 1.0E-6)
      sigma.y ~ dunif(0, 100)
      sigma.a ~ dunif(0, 100)
      sigma.b ~ dunif(0, 100)
      tau.y <- pow(sigma.y, -2)
      tau.a <- pow(sigma.a, -2)
      tau.b <- pow(sigma.b, -2)
    }", list(y = y, class = cl, school = sch), c("mu", "sigma.y", "sigma.a", "sigma.b", "b"), 25000)
    # costs: a gamma regression with an unknown shape
    n <- 50; x <- round(rnorm(n), 2); y <- round(rgamma(n, 0.8, 0.8 / exp(5 + 0.4 * x)), 2) + 0.01
    add("costs", "model {
      for (i in 1:n) {
        y[i] ~ dgamma(shape, shape / mu[i])
        log(mu[i]) <- b[1] + b[2] * x[i]
      }
      b[1] ~ dnorm(0, 1.0E-6)
      b[2] ~ dnorm(0, 1.0E-6)
      shape ~ dgamma(0.001, 0.001)
      total <- n * exp(b[1])
    }", list(n = n, x = x, y = y), c("b", "shape", "total"), 8000)
    # a survey with weights of strata: multilevel regression and poststratification
    K <- 15; n <- 200; st <- sample(K, n, TRUE, prob = (1:K)^1.5); ag <- sample(4, n, TRUE); y <- rbinom(n, 1, plogis(-0.3 + rnorm(K, 0, 0.5)[st] + rnorm(4, 0, 0.3)[ag]))
    add("poststratification", "model {
      for (i in 1:n) {
        y[i] ~ dbern(p[i])
        logit(p[i]) <- b0 + s[state[i]] + a[age[i]]
      }
      for (k in 1:K) { s[k] ~ dnorm(0, tau.s)
        for (l in 1:4) { cell[k,l] <- 1 / (1 + exp(-(b0 + s[k] + a[l]))) }
        pop[k] <- mean(cell[k,1:4]) }
      for (l in 1:4) { a[l] ~ dnorm(0, tau.a) }
      b0 ~ dnorm(0, 0.0001)
      sd.s ~ dunif(0, 100)
      sd.a ~ dunif(0, 100)
      tau.s <- pow(sd.s, -2)
      tau.a <- pow(sd.a, -2)
    }", list(n = n, K = K, y = y, state = st, age = ag), c("b0", "sd.s", "sd.a", "pop", "a"), 15000)
    # few events in many clinics
    J <- 25; m <- sample(5:15, J, TRUE); y <- rbinom(J, m, plogis(rnorm(J, -3, 1)))
    add("rare-clinics", "model {
      for (j in 1:J) {
        y[j] ~ dbin(p[j], m[j])
        logit(p[j]) <- b[j]
        b[j] ~ dnorm(mu, tau)
      }
      mu ~ dnorm(0, 1.0E-6)
      tau ~ dgamma(0.001, 0.001)
      sigma <- 1 / sqrt(tau)
      pop <- exp(mu) / (1 + exp(mu))
    }", list(J = J, m = m, y = y), c("mu", "sigma", "pop", "p[1:6]"), 25000)
    # eight variance components with half-Cauchy priors
    n <- 60; g <- replicate(6, sample(6, n, TRUE)); y <- round(rowSums(sapply(1:6, function(k) rnorm(6, 0, k / 5)[g[, k]])) + rnorm(n), 2)
    add("many-components", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu + u[1,g[i,1]] + u[2,g[i,2]] + u[3,g[i,3]] + u[4,g[i,4]] + u[5,g[i,5]] + u[6,g[i,6]], pow(sigma, -2))
      }
      for (k in 1:6) {
        for (l in 1:6) { u[k,l] ~ dnorm(0, pow(s[k], -2)) }
        s[k] ~ dt(0, 1, 1) T(0, )
      }
      sigma ~ dt(0, 1, 1) T(0, )
      mu ~ dnorm(0, 0.001)
    }", list(n = n, g = g, y = y), c("mu", "sigma", "s", "u[6,1:3]"), 15000)
    # who is in which class: answers and a distal outcome
    n <- 60; z <- 1 + rbinom(n, 1, 0.4); r <- matrix(rbinom(n * 4, 1, ifelse(z == 1, 0.8, 0.25)), n); v <- round(rnorm(n, c(1, 2.5)[z]), 2)
    add("class-outcome", "model {
      for (i in 1:n) {
        z[i] ~ dcat(pi[])
        for (j in 1:4) { r[i,j] ~ dbern(p[z[i],j]) }
        v[i] ~ dnorm(mu[z[i]], tau[z[i]])
      }
      pi[1:2] ~ ddirch(one[])
      for (k in 1:2) { tau[k] ~ dgamma(0.001, 0.001)
        for (j in 1:4) { p[k,j] ~ dbeta(1, 1) } }
      mu[1] ~ dnorm(0, 0.001)
      mu[2] ~ dnorm(0, 0.001) T(mu[1], )
    }", list(n = n, r = r, v = v, one = c(1, 1)), c("pi", "mu", "tau", "p[1,1]", "p[2,4]", "z[1:4]"), 10000)
    # a mixture whose weights hang on a covariate, with a component of outliers
    n <- 40; x <- round(runif(n, 0, 10), 2); out <- rbinom(n, 1, 0.12); y <- round(1 + 2 * x + rnorm(n, 0, ifelse(out == 1, 15, 1)), 2)
    add("outliers", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(a + b * x[i], tau[o[i] + 1])
        o[i] ~ dbern(q)
      }
      tau[1] <- 1 / (s1 * s1)
      tau[2] <- 1 / (s2 * s2)
      s1 ~ dunif(0, 100)
      s2 <- s1 + extra
      extra ~ dunif(0, 100)
      q ~ dbeta(1, 5)
      a ~ dnorm(0, 1.0E-6)
      b ~ dnorm(0, 1.0E-6)
      n.out <- sum(o[])
    }", list(n = n, x = x, y = y), c("a", "b", "s1", "s2", "q", "n.out", "o[1:5]"), 10000)
    # growth of trees: Chapman and Richards with random asymptotes
    J <- 6; t0 <- c(2, 5, 10, 20, 35); A <- rnorm(J, 30, 3); y <- round(t(sapply(A, function(A) A * (1 - exp(-0.08 * t0))^1.4 + rnorm(5, 0, 0.8))), 2)
    add("chapman-richards", "model {
      for (j in 1:J) {
        for (t in 1:5) {
          y[j,t] ~ dnorm(m[j,t], tau)
          m[j,t] <- A[j] * pow(1 - exp(-k * time[t]), c)
        }
        A[j] ~ dnorm(mu.A, tau.A)
      }
      mu.A ~ dnorm(0, 1.0E-4)
      k ~ dunif(0, 1)
      c ~ dunif(0, 10)
      tau ~ dgamma(0.001, 0.001)
      tau.A ~ dgamma(0.001, 0.001)
      sd.A <- 1 / sqrt(tau.A)
      sd <- 1 / sqrt(tau)
    }", list(J = J, time = t0, y = y), c("mu.A", "k", "c", "sd", "sd.A", "A"), 15000)
    # house martins: exponential growth, counted with error, years ahead (Kery & Schaub 5.4)
    T <- 18; N <- 80 * exp(cumsum(c(0, rnorm(T - 1, -0.03, 0.12)))); y <- round(rnorm(T, N, 8)); y[c(6, 16:18)] <- NA
    add("house-martins", "model {
      logN.est[1] ~ dnorm(4.4, 0.01)
      mean.r ~ dnorm(1, 0.001)
      sigma.proc ~ dunif(0, 1)
      tau.proc <- pow(sigma.proc, -2)
      sigma.obs ~ dunif(0, 1)
      tau.obs <- pow(sigma.obs, -2)
      for (t in 1:(T-1)) {
        r[t] ~ dnorm(mean.r, tau.proc)
        logN.est[t+1] <- logN.est[t] + r[t]
      }
      for (t in 1:T) {
        y[t] ~ dnorm(logN.est[t], tau.obs)
        N.est[t] <- exp(logN.est[t])
      }
    }", list(T = T, y = log(y)), c("mean.r", "sigma.proc", "sigma.obs", "N.est"), 25000)
    # survival and recoveries of two ages by a multinomial, logit-normal years
    T <- 6; R <- rep(60, T); s <- plogis(rnorm(T, 0.4, 0.4)); pr <- matrix(0, T, T + 1); y <- matrix(0, T, T + 1)
    for (t in 1:T) { l <- 1; for (j in t:T) { pr[t, j] <- l * (1 - s[j]) * 0.2; l <- l * s[j] }; pr[t, T + 1] <- 1 - sum(pr[t, 1:T]); y[t, ] <- rmultinom(1, R[t], pr[t, ]) }
    add("recoveries-years", "model {
      for (t in 1:T) {
        marr[t,1:(T+1)] ~ dmulti(pr[t,], rel[t])
        pr[t,t] <- (1 - s[t]) * r
        for (j in (t+1):T) { pr[t,j] <- prod(s[t:(j-1)]) * (1 - s[j]) * r }
        for (j in 1:(t-1)) { pr[t,j] <- 0 }
        pr[t,T+1] <- 1 - sum(pr[t,1:T])
        logit(s[t]) <- mu + eps[t]
        eps[t] ~ dnorm(0, tau)
      }
      r ~ dunif(0, 1)
      mean.s ~ dunif(0, 1)
      mu <- log(mean.s / (1 - mean.s))
      sigma ~ dunif(0, 10)
      tau <- pow(sigma, -2)
    }", list(T = T, marr = y, rel = R), c("r", "mean.s", "sigma", "s"), 15000)
    # differences between readers of two methods, with sds of their own (Bland & Altman)
    n <- 15; tr <- rnorm(n, 100, 15); y <- array(0, c(n, 2, 3)); for (m in 1:2) y[, m, ] <- round(tr + c(0, 3)[m] + rnorm(n, 0, c(2, 5)[m]) + rnorm(3 * n, 0, c(3, 4)[m]), 1)
    add("two-methods", "model {
      for (i in 1:n) {
        mu[i] ~ dunif(0, 300)
        for (m in 1:2) {
          u[i,m] ~ dnorm(0, tau.u[m])
          for (r in 1:3) { y[i,m,r] ~ dnorm(alpha[m] + mu[i] + u[i,m], tau[m]) }
        }
      }
      alpha[1] <- 0
      alpha[2] ~ dnorm(0, 1.0E-6)
      for (m in 1:2) {
        sigma.u[m] ~ dunif(0, 1000)
        sigma[m] ~ dunif(0, 1000)
        tau.u[m] <- pow(sigma.u[m], -2)
        tau[m] <- pow(sigma[m], -2)
      }
      loa <- alpha[2] + 2 * sqrt(pow(sigma.u[1], 2) + pow(sigma.u[2], 2) + pow(sigma[1], 2) + pow(sigma[2], 2))
    }", list(n = n, y = y), c("alpha[2]", "sigma.u", "sigma", "loa", "mu[1:2]"), 25000)
})
