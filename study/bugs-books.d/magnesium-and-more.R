# The classics that are not in JAGS's folder, meta-analyses, psychometrics.
local({
    set.seed(201)
    rt <- c(1,9,2,1,10,1,1,90); nt <- c(40,135,200,48,150,59,25,1159); rc <- c(2,23,7,1,8,9,3,118); nc <- c(36,135,200,46,148,56,23,1157)
    add("magnesium", "model {
      for (j in 1 : 6) {
        for (i in 1 : 8) {
          rtx[i, j] <- rt[i]
          rcx[i, j] <- rc[i]
          ntx[i, j] <- nt[i]
          ncx[i, j] <- nc[i]
          rtj[i, j] ~ dbin(pt[i, j], nt[i])
          rcj[i, j] ~ dbin(pc[i, j], nc[i])
          pc[i, j] ~ dunif(0, 1)
          theta[i, j] ~ dnorm(mu[j], inv.tau.sqrd[j])
          logit(pt[i, j]) <- theta[i, j] + phi[i, j]
          phi[i, j] <- logit(pc[i, j])
        }
        mu[j] ~ dunif(-10, 10)
        OR[j] <- exp(mu[j])
      }
      s0.sqrd <- 0.1272
      p0 <- phi(0.75) / sqrt(s0.sqrd)
      inv.tau.sqrd[1] ~ dgamma(0.001, 0.001)
      tau.sqrd[1] <- 1 / inv.tau.sqrd[1]
      tau[1] <- sqrt(tau.sqrd[1])
      tau.sqrd[2] ~ dunif(0, 50)
      tau[2] <- sqrt(tau.sqrd[2])
      inv.tau.sqrd[2] <- 1 / tau.sqrd[2]
      tau[3] ~ dunif(0, 50)
      tau.sqrd[3] <- tau[3] * tau[3]
      inv.tau.sqrd[3] <- 1 / tau.sqrd[3]
      B0 ~ dunif(0, 1)
      tau.sqrd[4] <- s0.sqrd * (1 - B0) / B0
      tau[4] <- sqrt(tau.sqrd[4])
      inv.tau.sqrd[4] <- 1 / tau.sqrd[4]
      D0 ~ dunif(0, 1)
      tau[5] <- sqrt(s0.sqrd) * (1 - D0) / D0
      tau.sqrd[5] <- tau[5] * tau[5]
      inv.tau.sqrd[5] <- 1 / tau.sqrd[5]
      tau.sqrd[6] ~ dnorm(0, p0) T(0, )
      tau[6] <- sqrt(tau.sqrd[6])
      inv.tau.sqrd[6] <- 1 / tau.sqrd[6]
    }", list(rt = rt, nt = nt, rc = rc, nc = nc, rtj = matrix(rt, 8, 6), rcj = matrix(rc, 8, 6)), c("mu", "OR", "tau"), 6000)
    t <- c(1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23, 6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35)
    fail <- c(rep(1, 21), 1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0)
    add("leukfr", "data {
      for (i in 1:N) {
        for (j in 1:T) {
          Y[i,j] <- step(obs.t[i] - t[j] + eps)
          dN[i,j] <- Y[i,j] * step(t[j+1] - obs.t[i] - eps) * fail[i]
        }
      }
    }
    model {
      for (j in 1:T) {
        for (i in 1:N) {
          dN[i,j] ~ dpois(Idt[i,j])
          Idt[i,j] <- Y[i,j] * exp(beta * Z[i] + b[pair[i]]) * dL0[j]
        }
        dL0[j] ~ dgamma(mu[j], c)
        mu[j] <- dL0.star[j] * c
        S.treat[j] <- pow(exp(-sum(dL0[1:j])), exp(beta * -0.5))
      }
      for (k in 1:Npairs) { b[k] ~ dnorm(0.0, tau) }
      tau ~ dgamma(0.001, 0.001)
      sigma <- sqrt(1 / tau)
      c <- 0.001
      r <- 0.1
      for (j in 1:T) { dL0.star[j] <- r * (t[j+1] - t[j]) }
      beta ~ dnorm(0.0, 0.000001)
    }", list(N = 42, T = 17, eps = 1e-10, obs.t = t, fail = fail, Npairs = 21, pair = c(19,18,16,15,14,2,6,20,12,4,11,17,7,8,1,10,5,9,13,21,3,19,18,16,15,14,2,6,20,12,4,11,17,7,8,1,10,5,9,13,21)[c(1:21, 1:21)],
        Z = rep(c(0.5, -0.5), each = 21), t = c(1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 15, 16, 17, 22, 23, 35)), c("beta", "sigma", "S.treat[5]"), 6000, list(beta = 1, tau = 10, dL0 = rep(0.1, 17)))
    n <- 42; x <- rnorm(n, 27, 4); z <- x + rnorm(n, 0, 1.2); y <- 3000 + 185 * (z - 27) + rnorm(n, 0, 280)
    add("pines", "model {
      for (i in 1:N) {
        Ys[i] <- (Y[i] - mean(Y[])) / sd(Y[])
        xs[i] <- (x[i] - mean(x[])) / sd(x[])
        zs[i] <- (z[i] - mean(z[])) / sd(z[])
        y[i] <- (Y[i] - mean(Y[])) / sd(Y[])
        YY[i] ~ dnorm(mu[j, i], tau[j])
        mu[1, i] <- alpha + beta * xs[i]
        mu[2, i] <- gamma + delta * zs[i]
      }
      p[1] <- 0.9
      p[2] <- 1 - p[1]
      j ~ dcat(p[])
      pM2 <- step(j - 1.5)
      alpha ~ dnorm(mu.alpha[j], tau.alpha[j])
      beta ~ dnorm(mu.beta[j], tau.beta[j])
      tau[1] ~ dgamma(r1[j], l1[j])
      mu.alpha[1] <- 0
      tau.alpha[1] <- 1.0E-2
      mu.alpha[2] <- 0
      tau.alpha[2] <- 256
      mu.beta[1] <- 0
      tau.beta[1] <- 1.0E-2
      mu.beta[2] <- 1
      tau.beta[2] <- 256
      r1[1] <- 0.01
      l1[1] <- 0.01
      r1[2] <- 30
      l1[2] <- 4.5
      gamma ~ dnorm(mu.gamma[j], tau.gamma[j])
      delta ~ dnorm(mu.delta[j], tau.delta[j])
      tau[2] ~ dgamma(r2[j], l2[j])
      mu.gamma[1] <- 0
      tau.gamma[1] <- 400
      mu.gamma[2] <- 0
      tau.gamma[2] <- 1.0E-2
      mu.delta[1] <- 1
      tau.delta[1] <- 400
      mu.delta[2] <- 0
      tau.delta[2] <- 1.0E-2
      r2[1] <- 46
      l2[1] <- 4.5
      r2[2] <- 0.01
      l2[2] <- 0.01
    }", list(N = n, x = round(x, 1), z = round(z, 1), Y = round(y), YY = as.numeric(scale(round(y)))), c("pM2", "alpha", "beta", "delta"), 6000)
    n <- 50; y <- round(1.5 * rt(n, 4), 2)
    add("abbey-t", "model {
      for (i in 1 : N) { z[i] ~ dt(mu, tau, k) }
      mu ~ dnorm(0, 0.00001)
      tau ~ dgamma(0.001, 0.001)
      k <- 1 / ik
      ik ~ dunif(0, 0.5)
      sd <- 1 / sqrt(tau)
      VaR <- mu - 1.96 * sd
    }", list(N = n, z = y), c("mu", "sd", "ik", "VaR"), 6000)
    # network of treatments, multi-arm trials (NICE TSD 2)
    ns <- 12; nt <- 4; na <- c(rep(2, 9), 3, 3, 3); tr <- matrix(NA, ns, 3); r <- n <- tr
    for (i in 1:ns) tr[i, 1:na[i]] <- sort(sample(nt, na[i])); tr[1:4, 1] <- 1; tr[1:4, 2] <- c(2, 3, 4, 2); d0 <- c(0, -0.4, -0.7, 0.2)
    for (i in 1:ns) { m <- rnorm(1, -1, 0.4); for (k in 1:na[i]) { n[i, k] <- sample(40:150, 1); r[i, k] <- rbinom(1, n[i, k], plogis(m + d0[tr[i, k]] - d0[tr[i, 1]] + rnorm(1, 0, 0.2))) } }
    add("network-multi-arm", "model {
      for (i in 1:ns) {
        w[i,1] <- 0
        delta[i,1] <- 0
        mu[i] ~ dnorm(0, .0001)
        for (k in 1:na[i]) {
          r[i,k] ~ dbin(p[i,k], n[i,k])
          logit(p[i,k]) <- mu[i] + delta[i,k]
          rhat[i,k] <- p[i,k] * n[i,k]
          dev[i,k] <- 2 * (r[i,k] * (log(r[i,k]) - log(rhat[i,k])) + (n[i,k] - r[i,k]) * (log(n[i,k] - r[i,k]) - log(n[i,k] - rhat[i,k])))
        }
        resdev[i] <- sum(dev[i,1:na[i]])
        for (k in 2:na[i]) {
          delta[i,k] ~ dnorm(md[i,k], taud[i,k])
          md[i,k] <- d[t[i,k]] - d[t[i,1]] + sw[i,k]
          taud[i,k] <- tau * 2 * (k - 1) / k
          w[i,k] <- (delta[i,k] - d[t[i,k]] + d[t[i,1]])
          sw[i,k] <- sum(w[i,1:(k-1)]) / (k - 1)
        }
      }
      totresdev <- sum(resdev[])
      d[1] <- 0
      for (k in 2:nt) { d[k] ~ dnorm(0, .0001) }
      sd ~ dunif(0, 5)
      tau <- pow(sd, -2)
      rk <- rank(d[])
      for (k in 1:nt) { best[k] <- equals(rk[k], 1) }
      for (c in 1:(nt-1)) { for (k in (c+1):nt) { or[c,k] <- exp(d[k] - d[c]) } }
    }", list(ns = ns, nt = nt, na = na, t = tr, r = r, n = n), c("d[2:4]", "sd", "best", "or[1,2]", "or[3,4]", "totresdev"), 6000)
    # HSROC (Rutter & Gatsonis)
    ns <- 10; D <- rpois(ns, 50); ND <- rpois(ns, 80); th <- rnorm(ns, 0, 0.4); al <- rnorm(ns, 2.2, 0.5); b <- 0.3
    add("hsroc", "model {
      for (i in 1:l) {
        theta[i] ~ dnorm(THETA, prec[1])
        alpha[i] ~ dnorm(LAMBDA, prec[2])
        TPR[i] <- ilogit((theta[i] + alpha[i] / 2) * exp(-beta / 2))
        FPR[i] <- ilogit((theta[i] - alpha[i] / 2) * exp(beta / 2))
        tp[i] ~ dbin(TPR[i], pos[i])
        fp[i] ~ dbin(FPR[i], neg[i])
      }
      THETA ~ dunif(-1.5, 1.5)
      LAMBDA ~ dunif(-3, 3)
      beta ~ dunif(-0.75, 0.75)
      prec[1] <- pow(sigma[1], -2)
      prec[2] <- pow(sigma[2], -2)
      sigma[1] ~ dunif(0, 2)
      sigma[2] ~ dunif(0, 2)
      S_overall <- ilogit((THETA + LAMBDA / 2) * exp(-beta / 2))
    }", list(l = ns, pos = D, neg = ND, tp = rbinom(ns, D, plogis((th + al / 2) * exp(-b / 2))), fp = rbinom(ns, ND, plogis((th - al / 2) * exp(b / 2)))), c("THETA", "LAMBDA", "beta", "sigma", "S_overall"), 6000)
    # a robust prior from historical controls
    add("robust-map", "model {
      for (h in 1:H) {
        y[h] ~ dbin(p[h], n[h])
        logit(p[h]) <- th[h]
        th[h] ~ dnorm(mu, prec)
      }
      th.star ~ dnorm(mu, prec)
      ex ~ dbern(0.8)
      thr ~ dnorm(0, 0.4)
      thc <- ex * th.star + (1 - ex) * thr
      yc ~ dbin(pc, nc)
      logit(pc) <- thc
      yt ~ dbin(pt, nt)
      pt ~ dbeta(1, 1)
      diff <- pt - pc
      win <- step(diff)
      mu ~ dnorm(0, 0.1)
      tau ~ dnorm(0, 4) T(0, )
      prec <- 1 / (tau * tau)
    }", list(H = 6, y = c(12, 9, 20, 15, 8, 14), n = c(60, 40, 88, 55, 45, 70), yc = 10, nc = 25, yt = 14, nt = 25), c("mu", "tau", "ex", "pc", "pt", "diff", "win"), 6000)
    # surrogate endpoints: bivariate random effects, normal likelihoods
    ns <- 9; rho <- 0.5; s1 <- runif(ns, 0.1, 0.3); s2 <- runif(ns, 0.15, 0.35); t1 <- rnorm(ns, -0.5, 0.3); t2 <- 0.1 + 0.8 * t1 + rnorm(ns, 0, 0.1)
    add("surrogate", "model {
      for (i in 1:ns) {
        Prec[i,1:2,1:2] <- inverse(V[i,1:2,1:2])
        V[i,1,1] <- pow(se1[i], 2)
        V[i,2,2] <- pow(se2[i], 2)
        V[i,1,2] <- rho.w * se1[i] * se2[i]
        V[i,2,1] <- V[i,1,2]
        Y[i,1:2] ~ dmnorm(delta[i,1:2], Prec[i,1:2,1:2])
        delta[i,1] ~ dnorm(eta1, prec1)
        delta[i,2] ~ dnorm(eta2[i], prec2)
        eta2[i] <- lambda0 + lambda1 * delta[i,1]
      }
      rho.w ~ dunif(-1, 1)
      eta1 ~ dnorm(0, 0.001)
      lambda0 ~ dnorm(0, 0.001)
      psi1 ~ dnorm(0, 1) T(0,)
      psi2 ~ dnorm(0, 1) T(0,)
      prec1 <- pow(psi1, -2)
      prec2 <- pow(psi2, -2)
      lambda1 ~ dnorm(0, 0.01)
    }", list(ns = ns, se1 = round(s1, 3), se2 = round(s2, 3), Y = round(cbind(t1 + rnorm(ns, 0, s1), t2 + rnorm(ns, 0, s2)), 3)), c("rho.w", "eta1", "lambda0", "lambda1", "psi1", "psi2"), 6000)
    # DINA
    N <- 60; J <- 9; Q <- rbind(diag(3), diag(3), c(1, 1, 0), c(0, 1, 1), c(1, 0, 1)); A <- matrix(rbinom(N * 3, 1, 0.5), N); eta <- (A %*% t(Q)) == matrix(rowSums(Q), N, J, TRUE)
    add("dina", "model {
      for (n in 1:N) {
        for (i in 1:I) {
          for (k in 1:K) { w[n, i, k] <- pow(alpha[n, k], Q[i, k]) }
          eta[n, i] <- prod(w[n, i, 1:K])
          p[n, i] <- g[i] + (1 - s[i] - g[i]) * eta[n, i]
          Y[n, i] ~ dbern(p[n, i])
        }
        for (k in 1:K) { alpha[n, k] <- all.patterns[c[n], k] }
        c[n] ~ dcat(pai[1:C])
      }
      pai[1:C] ~ ddirch(delta[1:C])
      for (i in 1:I) {
        s[i] ~ dbeta(1, 1)
        g[i] ~ dbeta(1, 1) T( , 1 - s[i])
      }
    }", list(N = N, I = J, K = 3, C = 8, Q = Q, Y = matrix(rbinom(N * J, 1, ifelse(eta, 0.9, 0.15)), N), delta = rep(1, 8), all.patterns = as.matrix(expand.grid(0:1, 0:1, 0:1)) |> unname()), c("s", "g", "pai"), 6000)
    # facets: persons, items, raters
    n <- 25; it <- 4; ra <- 3; th <- rnorm(n); y <- array(NA, c(n, it, ra)); bi <- c(-0.5, 0, 0.2, 0.4); rr <- c(-0.4, 0, 0.4)
    for (i in 1:n) for (j in 1:it) for (k in 1:ra) { e <- th[i] - bi[j] - rr[k]; q <- cumsum(c(0, e + 1, e, e - 1)); y[i, j, k] <- sample(4, 1, prob = exp(q)) }
    add("facets", "model {
      for (i in 1:n) { for (j in 1:I) { for (k in 1:R) {
        y[i,j,k] ~ dcat(prob[i,j,k,1:4])
        for (m in 1:4) { prob[i,j,k,m] <- ex[i,j,k,m] / sum(ex[i,j,k,1:4]) }
        ex[i,j,k,1] <- 1
        for (m in 2:4) { ex[i,j,k,m] <- exp((m - 1) * (theta[i] - b[j] - r[k]) - sum(tau[1:(m-1)])) }
      } } }
      for (i in 1:n) { theta[i] ~ dnorm(0, prec) }
      for (j in 1:I) { b[j] ~ dnorm(0, 0.1) }
      for (k in 1:(R-1)) { r[k] ~ dnorm(0, 0.1) }
      r[R] <- -sum(r[1:(R-1)])
      tau[1] ~ dnorm(0, 0.1)
      tau[2] ~ dnorm(0, 0.1)
      tau[3] <- -tau[1] - tau[2]
      prec ~ dgamma(1, 1)
      sd <- 1 / sqrt(prec)
    }", list(n = n, I = it, R = ra, y = y), c("b", "r", "tau", "sd", "theta[1:3]"), 6000)
    # testlets
    n <- 60; J <- 9; d <- rep(1:3, each = 3); th <- rnorm(n); g <- matrix(rnorm(n * 3, 0, 0.7), n); bb <- seq(-1.2, 1.2, length = J)
    add("testlets", "model {
      for (i in 1:n) {
        theta[i] ~ dnorm(0, 1)
        for (k in 1:3) { gam[i,k] ~ dnorm(0, prec.g) }
        for (j in 1:J) {
          logit(p[i,j]) <- a[j] * (theta[i] - b[j] - gam[i, d[j]])
          y[i,j] ~ dbern(p[i,j])
        }
      }
      for (j in 1:J) {
        a[j] ~ dlnorm(0, 4)
        b[j] ~ dnorm(0, 0.25)
      }
      prec.g ~ dgamma(2, 1)
      var.g <- 1 / prec.g
    }", list(n = n, J = J, d = d, y = matrix(rbinom(n * J, 1, plogis(outer(th, bb, "-") - g[, d])), n)), c("a", "b", "var.g"), 6000)
    # two-dimensional 2PL, confirmatory
    n <- 80; J <- 8; th <- matrix(rnorm(2 * n), n) %*% chol(matrix(c(1, 0.4, 0.4, 1), 2))
    add("two-dimensions", "model {
      for (i in 1:n) {
        theta[i,1:2] ~ dmnorm(mu0[1:2], Prec[1:2,1:2])
        for (j in 1:4) { y[i,j] ~ dbern(p[i,j]); logit(p[i,j]) <- a[j] * theta[i,1] - b[j] }
        for (j in 5:8) { y[i,j] ~ dbern(p[i,j]); logit(p[i,j]) <- a[j] * theta[i,2] - b[j] }
      }
      Prec[1:2,1:2] <- inverse(Cov[,])
      Cov[1,1] <- 1
      Cov[2,2] <- 1
      Cov[1,2] <- rho
      Cov[2,1] <- rho
      rho ~ dunif(-1, 1)
      for (j in 1:8) {
        a[j] ~ dnorm(1, 2) T(0,)
        b[j] ~ dnorm(0, 0.25)
      }
    }", list(n = n, mu0 = c(0, 0), y = matrix(rbinom(n * J, 1, plogis(th[, rep(1:2, each = 4)] * 1.3 - rep(seq(-1, 1, length = 8), each = n))), n)), c("a", "b", "rho"), 6000)
    # rating scale with covariate of persons (latent regression)
    n <- 50; x <- rbinom(n, 1, 0.5); th <- 0.6 * x + rnorm(n); J <- 5; y <- matrix(NA, n, J); be <- seq(-0.8, 0.8, length = J)
    for (i in 1:n) for (j in 1:J) { e <- th[i] - be[j]; y[i, j] <- sample(3, 1, prob = exp(cumsum(c(0, e + 0.7, e - 0.7)))) }
    add("rating-scale-regression", "model {
      for (i in 1:n) {
        theta[i] ~ dnorm(lambda * x[i], 1)
        for (j in 1:J) {
          y[i,j] ~ dcat(P[i,j,])
          for (k in 1:3) { P[i,j,k] <- psi[i,j,k] / sum(psi[i,j,]) }
          log(psi[i,j,1]) <- 0
          log(psi[i,j,2]) <- theta[i] - beta[j] - kappa
          log(psi[i,j,3]) <- 2 * (theta[i] - beta[j])
        }
      }
      for (j in 1:J) { beta[j] ~ dnorm(0, 0.01) }
      kappa ~ dnorm(0, 0.01)
      lambda ~ dnorm(0, 0.01)
    }", list(n = n, J = J, x = x, y = y), c("beta", "kappa", "lambda", "theta[1:2]"), 6000)
})
