# Econometrics, pharmacology, series, mixtures, selection, Gaussian processes, gaps.
local({
    set.seed(203)
    # BDA: rat tumours with p(a, b) ~ (a + b)^-5/2 by the zeros trick
    y <- c(0,0,0,0,0,0,0,0,1,1,1,1,2,2,2,2,3,4,5,5,9,10,15,16,4); n <- c(20,20,20,19,19,18,18,17,20,20,19,18,25,24,23,20,20,20,49,46,24,48,46,52,14)
    add("rat-tumours", "model {
      for (i in 1:N) {
        y[i] ~ dbin(theta[i], n[i])
        theta[i] ~ dbeta(a, b)
      }
      a <- m * k
      b <- (1 - m) * k
      m ~ dunif(0, 1)
      k <- 1 / (r * r)
      r ~ dunif(0, 1)
    }", list(N = 25, y = y, n = n), c("a", "b", "m", "theta"), 6000)
    # golf putting, geometry
    x <- 2:20; tr <- c(1443,694,455,353,272,256,240,217,200,237,202,192,174,167,201,195,191,147,152); su <- c(1346,577,337,208,149,136,111,69,67,75,52,46,54,28,27,31,33,20,24)
    add("golf", "model {
      for (i in 1:J) {
        y[i] ~ dbin(p[i], n[i])
        p[i] <- 2 * phi(arcsin((R - r) / x[i]) / sigma) - 1
      }
      sigma ~ dt(0, 1, 3) T(0, )
      deg <- sigma * 180 / 3.14159265
    }", list(J = 19, x = x, n = tr, y = su, R = 4.25 / 24, r = 1.68 / 24), c("deg", "p[10]"), 6000)
    # reaction times: a mixture with shifts of attention (BDA 22)
    J <- 8; g <- rep(0:1, each = 4); al <- rnorm(J, 5.7, 0.1) + 0.1 * g; y <- t(sapply(1:J, function(j) rnorm(12, al[j] + g[j] * rbinom(12, 1, 0.3) * 0.8, 0.15)))
    add("schizophrenia", "model {
      for (j in 1:J) {
        for (i in 1:12) {
          z[j,i] ~ dbern(lambda * S[j])
          y[j,i] ~ dnorm(alpha[j] + tau * z[j,i], prec)
        }
        alpha[j] ~ dnorm(mu + beta * S[j], prec.a)
      }
      lambda ~ dunif(0.001, 0.999)
      mu ~ dnorm(0, 0.0001)
      beta ~ dnorm(0, 0.01)
      tau ~ dnorm(0, 0.01) T(0,)
      sigma.y ~ dunif(0, 10)
      prec <- pow(sigma.y, -2)
      sigma.a ~ dunif(0, 10)
      prec.a <- pow(sigma.a, -2)
    }", list(J = J, S = g, y = y), c("lambda", "mu", "beta", "tau", "sigma.y", "sigma.a"), 6000)
    # a dilution assay (Gelman, Chew & Shnaidman), one unknown sample
    xs <- c(0.64, 0.64, 0.32, 0.32, 0.16, 0.16, 0.08, 0.08, 0.04, 0.04, 0.02, 0.02, 0, 0); g4 <- function(x) 15 + 99 / (1 + (x / 0.054)^-1.3); xu <- 0.2 * c(1, 1, 1/3, 1/3, 1/9, 1/9); ys <- round(g4(xs) + rnorm(14, 0, 0.02 * g4(xs)), 1); yu <- round(g4(xu) + rnorm(6, 0, 0.02 * g4(xu)), 1)
    add("dilution", "model {
      for (i in 1:ns) {
        ys[i] ~ dnorm(gs[i], prec[i])
        gs[i] <- b1 + b2 / (1 + pow(xs[i] / b3, -b4))
        prec[i] <- pow(gs[i] / 50, -2 * alpha) / pow(sigma, 2)
      }
      for (i in 1:nu) {
        yu[i] ~ dnorm(gu[i], precu[i])
        gu[i] <- b1 + b2 / (1 + pow(theta * dil[i] / b3, -b4))
        precu[i] <- pow(gu[i] / 50, -2 * alpha) / pow(sigma, 2)
      }
      b1 ~ dnorm(0, 0.0001) T(0,)
      b2 ~ dnorm(0, 0.0001) T(0,)
      b3 ~ dlnorm(-3, 0.1)
      b4 ~ dlnorm(0, 1)
      theta ~ dlnorm(-2, 0.1)
      alpha ~ dunif(0, 1)
      sigma ~ dunif(0, 20)
    }", list(ns = 12, xs = xs[1:12], ys = ys[1:12], nu = 6, dil = c(1, 1, 1/3, 1/3, 1/9, 1/9), yu = yu), c("b1", "b2", "b3", "b4", "theta", "alpha", "sigma"), 6000, list(b1 = 15, b2 = 100, b3 = 0.05, b4 = 1.3, theta = 0.2, sigma = 1))
    # Ntzoufras: football by bivariate Poisson with a latent common count
    nt <- 5; gm <- subset(expand.grid(h = 1:nt, a = 1:nt), h != a); at <- c(0.3, 0.1, 0, -0.1, -0.3); w <- rpois(20, 0.2); s1 <- rpois(20, exp(0.3 + at[gm$h] - at[gm$a])) + w; s2 <- rpois(20, exp(at[gm$a] - at[gm$h])) + w
    add("bivariate-poisson", "model {
      for (i in 1:n) {
        w[i] ~ dpois(lambda3)
        g1[i] ~ dsum(u[i], w[i])
        g2[i] ~ dsum(v[i], w[i])
        u[i] ~ dpois(l1[i])
        v[i] ~ dpois(l2[i])
        log(l1[i]) <- mu + home + a[ht[i]] + d[at[i]]
        log(l2[i]) <- mu + a[at[i]] + d[ht[i]]
      }
      a[1] <- -sum(a[2:K])
      d[1] <- -sum(d[2:K])
      for (k in 2:K) { a[k] ~ dnorm(0, 0.1)
        d[k] ~ dnorm(0, 0.1) }
      mu ~ dnorm(0, 0.1)
      home ~ dnorm(0, 0.1)
      lambda3 ~ dgamma(1, 2)
    }", list(n = 20, K = nt, ht = gm$h, at = gm$a, g1 = s1, g2 = s2), c("a", "d", "mu", "home", "lambda3"), 6000, list(w = rep(0, 20), u = s1, v = s2))
    # Ntzoufras: inverse Gaussian by the zeros trick
    y <- round(1 / rgamma(60, 3, 4) + 0.3, 2)
    add("inverse-gaussian", "model {
      C <- 10000
      for (i in 1:n) {
        zeros[i] <- 0
        zeros[i] ~ dpois(zeros.mean[i])
        zeros.mean[i] <- -l[i] + C
        l[i] <- 0.5 * (log(lambda) - log(2 * 3.141593) - 3 * log(y[i])) - 0.5 * lambda * pow((y[i] - mu) / mu, 2) / y[i]
      }
      mu ~ dgamma(0.001, 0.001)
      lambda ~ dgamma(0.001, 0.001)
      variance <- mu * mu * mu / lambda
    }", list(n = 60, y = y), c("mu", "lambda", "variance"), 6000, list())
    # Congdon: a transition model with random effects
    n <- 30; y <- matrix(0, n, 6); u <- rnorm(n, 0, 0.8); y[, 1] <- rbinom(n, 1, 0.5); for (t in 2:6) y[, t] <- rbinom(n, 1, plogis(-0.5 + 1.2 * y[, t - 1] + u))
    add("transition", "model {
      for (i in 1:n) {
        u[i] ~ dnorm(0, tau)
        for (t in 2:6) {
          y[i,t] ~ dbern(p[i,t])
          logit(p[i,t]) <- b0 + b1 * y[i,t-1] + b2 * equals(t, 6) + u[i]
          yrep[i,t] ~ dbern(p[i,t])
          disc[i,t] <- pow(y[i,t] - p[i,t], 2) / (p[i,t] * (1 - p[i,t]))
          discrep[i,t] <- pow(yrep[i,t] - p[i,t], 2) / (p[i,t] * (1 - p[i,t]))
        }
      }
      ppp <- step(sum(discrep[,2:6]) - sum(disc[,2:6]))
      tau ~ dgamma(1, 1)
      for (k in 1:3) { bb[k] ~ dnorm(0, 0.01) }
      b0 <- bb[1]
      b1 <- bb[2]
      b2 <- bb[3]
      sd <- 1 / sqrt(tau)
    }", list(n = n, y = y), c("bb", "sd", "ppp"), 6000)
    # selection (Heckman) by conditional normals
    n <- 100; w <- rnorm(n); x <- rnorm(n); e <- matrix(rnorm(2 * n), n) %*% chol(matrix(c(1, 0.6, 0.6, 1), 2)); s <- as.numeric(0.3 + w + e[, 1] > 0); y <- ifelse(s == 1, 1 + 0.5 * x + e[, 2], NA)
    add("heckman", "model {
      for (i in 1:n) {
        s[i] ~ dinterval(sstar[i], 0)
        sstar[i] ~ dnorm(g[1] + g[2] * w[i], 1)
      }
      for (i in 1:m) {
        y[i] ~ dnorm(b[1] + b[2] * x[i] + delta * (sstar[sel[i]] - g[1] - g[2] * w[sel[i]]), prec)
      }
      for (k in 1:2) { b[k] ~ dnorm(0, 0.01)
        g[k] ~ dnorm(0, 0.01) }
      delta ~ dnorm(0, 0.25)
      prec ~ dgamma(1, 1)
      sigma <- sqrt(1 / prec + delta * delta)
      rho <- delta / sigma
    }", list(n = n, w = w, x = x[s == 1], s = s, m = sum(s), sel = which(s == 1), y = y[s == 1]), c("b", "g", "sigma", "rho"), 6000, list(sstar = ifelse(s == 1, 1, -1)))
    # panel probit with persons' effects
    n <- 25; id <- rep(1:n, each = 6); x <- rnorm(150); y <- rbinom(150, 1, pnorm(0.2 + 0.7 * x + rnorm(n, 0, 0.8)[id]))
    add("panel-probit", "model {
      for (i in 1:N) {
        y[i] ~ dbern(p[i])
        probit(p[i]) <- a[id[i]] + beta * x[i]
      }
      for (j in 1:n) { a[j] ~ dnorm(mu, tau) }
      mu ~ dnorm(0, 0.01)
      beta ~ dnorm(0, 0.01)
      tau ~ dgamma(0.01, 0.01)
      sigma <- 1 / sqrt(tau)
      ame <- mean(dens[])
      for (i in 1:N) { dens[i] <- beta * exp(-0.5 * pow(a[id[i]] + beta * x[i], 2)) / sqrt(2 * 3.14159265) }
    }", list(N = 150, n = n, id = id, x = x, y = y), c("mu", "beta", "sigma", "ame"), 6000)
    # ARCH(1)
    n <- 120; y <- numeric(n); for (t in 2:n) y[t] <- rnorm(1, 0.1, sqrt(0.3 + 0.5 * (y[t - 1] - 0.1)^2))
    add("arch", "model {
      for (t in 2:n) {
        y[t] ~ dnorm(mu, 1 / h[t])
        h[t] <- a0 + a1 * pow(y[t-1] - mu, 2)
      }
      mu ~ dnorm(0, 0.01)
      a0 ~ dunif(0, 10)
      a1 ~ dunif(0, 1)
    }", list(n = n, y = y), c("mu", "a0", "a1"), 6000)
    # threshold autoregression with a discrete threshold
    n <- 100; y <- numeric(n); for (t in 2:n) y[t] <- ifelse(y[t - 1] <= 0.3, 0.8 + 0.5 * y[t - 1], -0.4 - 0.2 * y[t - 1]) + rnorm(1, 0, 0.6)
    add("threshold-ar", "model {
      for (t in 2:n) {
        y[t] ~ dnorm(mu[t], tau[I[t]])
        I[t] <- 1 + step(y[t-1] - cut[r])
        mu[t] <- a[I[t]] + b[I[t]] * y[t-1]
      }
      r ~ dcat(w[])
      thr <- cut[r]
      for (k in 1:2) {
        a[k] ~ dnorm(0, 0.1)
        b[k] ~ dnorm(0, 1)
        tau[k] ~ dgamma(0.1, 0.1)
        s[k] <- 1 / sqrt(tau[k])
      }
    }", list(n = n, y = y, cut = seq(-0.9, 0.9, by = 0.1), w = rep(1 / 19, 19)), c("a", "b", "s", "thr"), 6000)
    # local level with gaps and an intervention
    n <- 40; m <- cumsum(rnorm(n, 0, 0.4)) + 5; y <- rnorm(n, m + 2 * (1:n > 25), 0.6); y[c(8, 9, 20, 33)] <- NA
    add("local-level-gaps", "model {
      m[1] ~ dnorm(0, 0.001)
      for (t in 2:n) { m[t] ~ dnorm(m[t-1], tau.w) }
      for (t in 1:n) { y[t] ~ dnorm(m[t] + delta * step(t - 26), tau.v) }
      delta ~ dnorm(0, 0.01)
      tau.v ~ dgamma(0.01, 0.01)
      tau.w ~ dgamma(0.01, 0.01)
      sv <- 1 / sqrt(tau.v)
      sw <- 1 / sqrt(tau.w)
    }", list(n = n, y = y), c("delta", "sv", "sw", "y[8]", "y[33]", "m[40]"), 6000)
    # AR(1) counts with a latent log-linear AR
    n <- 50; th <- as.numeric(arima.sim(list(ar = 0.7), n, sd = 0.35)); y <- rpois(n, exp(1.2 + th))
    add("latent-ar-counts", "model {
      th[1] ~ dnorm(0, tau * (1 - rho * rho))
      for (t in 2:n) { th[t] ~ dnorm(rho * th[t-1], tau) }
      for (t in 1:n) { y[t] ~ dpois(mu[t])
        log(mu[t]) <- b0 + th[t] }
      rho ~ dunif(-1, 1)
      tau ~ dgamma(1, 0.1)
      b0 ~ dnorm(0, 0.01)
      sd <- 1 / sqrt(tau)
      y.next ~ dpois(exp(b0 + th.next))
      th.next ~ dnorm(rho * th[n], tau)
    }", list(n = n, y = y), c("rho", "b0", "sd", "y.next"), 6000)
    # one compartment, oral, log-normal between subjects
    n <- 8; tt <- c(0.5, 1, 2, 4, 8, 12); ke <- exp(rnorm(n, -2, 0.2)); ka <- exp(rnorm(n, 0.2, 0.3)); V <- exp(rnorm(n, 3, 0.15)); cc <- sapply(tt, function(t) 300 / V * ka / (ka - ke) * (exp(-ke * t) - exp(-ka * t))) * exp(matrix(rnorm(n * 6, 0, 0.1), n))
    add("oral-compartment", "model {
      for (i in 1:n) {
        for (j in 1:6) {
          lc[i,j] ~ dnorm(lm[i,j], tau)
          lm[i,j] <- log(dose / V[i] * ka[i] / (ka[i] - ke[i]) * (exp(-ke[i] * t[j]) - exp(-ka[i] * t[j])))
        }
        ke[i] <- exp(p[i,1])
        ka[i] <- exp(p[i,1]) + exp(p[i,2])
        V[i] <- exp(p[i,3])
        p[i,1:3] ~ dmnorm(mu[], Om[,])
      }
      for (k in 1:3) { mu[k] ~ dnorm(0, 0.01) }
      Om[1:3,1:3] ~ dwish(R[,], 3)
      Sg[1:3,1:3] <- inverse(Om[,])
      tau ~ dgamma(0.01, 0.01)
      sigma <- 1 / sqrt(tau)
    }", list(n = n, lc = log(cc), t = tt, dose = 300, R = diag(0.1, 3)), c("mu", "sigma", "Sg[1,1]", "Sg[2,2]", "Sg[3,3]"), 6000, list(mu = c(-2, 0, 3)))
    # Emax with random E0
    n <- 10; id <- rep(1:n, each = 5); dose <- rep(c(0, 5, 20, 60, 150), n); y <- 10 + rnorm(n, 0, 2)[id] + 25 * dose / (30 + dose) + rnorm(50)
    add("emax-random", "model {
      for (i in 1:N) {
        y[i] ~ dnorm(e0[id[i]] + emax * pow(dose[i], h) / (pow(ed50, h) + pow(dose[i], h)), tau)
      }
      for (j in 1:n) { e0[j] ~ dnorm(mu, tau.e) }
      mu ~ dnorm(0, 1.0E-4)
      emax ~ dnorm(0, 1.0E-4) T(0,)
      ed50 ~ dlnorm(3, 0.5)
      h ~ dunif(0.5, 3)
      tau ~ dgamma(0.001, 0.001)
      tau.e ~ dgamma(0.001, 0.001)
      s <- 1 / sqrt(tau)
      s.e <- 1 / sqrt(tau.e)
    }", list(N = 50, n = n, id = id, dose = dose, y = y), c("mu", "emax", "ed50", "h", "s", "s.e"), 6000)
    # three Poisson components
    y <- rpois(80, sample(c(2, 8, 20), 80, TRUE, c(0.4, 0.4, 0.2)))
    add("three-poissons", "model {
      for (i in 1:n) {
        z[i] ~ dcat(w[1:3])
        y[i] ~ dpois(lambda[z[i]])
      }
      w[1:3] ~ ddirch(a[])
      lambda[1] ~ dgamma(0.5, 0.05)
      lambda[2] <- lambda[1] + d[1]
      lambda[3] <- lambda[2] + d[2]
      d[1] ~ dgamma(0.5, 0.05)
      d[2] ~ dgamma(0.5, 0.05)
    }", list(n = 80, y = y, a = c(1, 1, 1)), c("w", "lambda"), 6000)
    # mixture of bivariate normals
    n <- 60; z <- rbinom(n, 1, 0.4); y <- cbind(rnorm(n, 3 * z), rnorm(n, -2 * z) + 0.5 * z)
    add("bivariate-mixture", "model {
      for (i in 1:n) {
        y[i,1:2] ~ dmnorm(mu[z[i],1:2], Tau[1:2,1:2,z[i]])
        z[i] ~ dcat(p[])
      }
      p[1] ~ dbeta(2, 2)
      p[2] <- 1 - p[1]
      mu[1,1] ~ dnorm(0, 0.1)
      mu[2,1] ~ dnorm(0, 0.1) T(mu[1,1],)
      mu[1,2] ~ dnorm(0, 0.1)
      mu[2,2] ~ dnorm(0, 0.1)
      for (k in 1:2) { Tau[1:2,1:2,k] ~ dwish(R[,], 3) }
    }", list(n = n, y = y, R = diag(2)), c("p[1]", "mu"), 6000)
    # SSVS with twelve predictors (George & McCulloch)
    n <- 50; X <- round(matrix(rnorm(n * 12), n), 2); y <- X[, 1] * 1.2 - X[, 4] * 0.9 + 0.4 * X[, 7] + rnorm(n)
    add("ssvs-twelve", "model {
      for (i in 1:n) { y[i] ~ dnorm(a + inprod(X[i,], beta[]), tau) }
      for (j in 1:p) {
        gamma[j] ~ dbern(0.5)
        beta[j] ~ dnorm(0, tb[gamma[j] + 1])
      }
      tb[1] <- 100
      tb[2] <- 0.25
      a ~ dnorm(0, 0.01)
      tau ~ dgamma(0.01, 0.01)
      size <- sum(gamma[])
    }", list(n = n, p = 12, X = X, y = y), c("gamma", "beta[1]", "beta[7]", "size"), 6000)
    # Kuo & Mallick, logistic, fifteen predictors
    n <- 100; X <- round(matrix(rnorm(n * 15), n), 2); y <- rbinom(n, 1, plogis(1.5 * X[, 1] - 1.2 * X[, 2]))
    add("kuo-mallick-logistic", "model {
      for (i in 1:n) {
        y[i] ~ dbern(p[i])
        logit(p[i]) <- b0 + inprod(X[i,], th[])
      }
      for (j in 1:15) {
        th[j] <- g[j] * b[j]
        g[j] ~ dbern(0.2)
        b[j] ~ dnorm(0, 0.5)
      }
      b0 ~ dnorm(0, 0.1)
    }", list(n = n, X = X, y = y), c("g", "th[1:3]", "b0"), 6000)
    # Gaussian process under a Poisson likelihood
    n <- 15; xx <- seq(0, 10, length = n); y <- rpois(n, exp(1 + sin(xx)))
    add("process-counts", "model {
      for (i in 1:n) {
        y[i] ~ dpois(exp(f[i]))
        mu[i] <- m
        Sigma[i,i] <- eta2 + 0.0001
        for (j in (i+1):n) {
          Sigma[i,j] <- eta2 * exp(-pow(x[i] - x[j], 2) / (2 * rho * rho))
          Sigma[j,i] <- Sigma[i,j]
        }
      }
      f[1:n] ~ dmnorm(mu[], inverse(Sigma[,]))
      m ~ dnorm(0, 0.1)
      eta2 ~ dgamma(2, 2)
      rho ~ dgamma(4, 2)
    }", list(n = n, x = xx, y = y), c("f", "m", "eta2", "rho"), 6000)
    # gaps in a bivariate response and in a binary covariate
    n <- 50; z <- rbinom(n, 1, 0.4); x <- rnorm(n); y <- rnorm(n, 1 + z + 0.5 * x, 0.8); z[c(3, 9, 20, 31, 44)] <- NA; x[c(5, 20, 40)] <- NA
    add("gaps-binary-covariate", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(b[1] + b[2] * z[i] + b[3] * x[i] + b[4] * z[i] * x[i], tau)
        z[i] ~ dbern(pz[i])
        logit(pz[i]) <- g[1] + g[2] * x[i]
        x[i] ~ dnorm(mu.x, tau.x)
      }
      for (k in 1:4) { b[k] ~ dnorm(0, 0.01) }
      for (k in 1:2) { g[k] ~ dnorm(0, 0.1) }
      mu.x ~ dnorm(0, 0.01)
      tau.x ~ dgamma(0.1, 0.1)
      tau ~ dgamma(0.1, 0.1)
    }", list(n = n, y = y, z = z, x = x), c("b", "g", "tau", "z[3]", "z[20]", "x[20]", "x[5]"), 6000)
    # Dirichlet-multinomial with group compositions and an unknown concentration
    G <- 8; K <- 4; cnt <- t(sapply(1:G, function(i) { q <- rgamma(K, c(4, 3, 2, 1)); rmultinom(1, 40, q)[, 1] }))
    add("compositions", "model {
      for (g in 1:G) {
        x[g,1:K] ~ dmulti(p[g,1:K], n[g])
        p[g,1:K] ~ ddirch(al[1:K])
      }
      for (k in 1:K) { al[k] <- m[k] * conc }
      m[1:K] ~ ddirch(one[1:K])
      conc ~ dgamma(2, 0.1)
      dom <- p[1,1] - p[1,2]
    }", list(G = G, K = K, x = cnt, n = rep(40, G), one = rep(1, K)), c("m", "conc", "p[1,1:4]", "dom"), 6000)
    # Wishart in three dimensions with gaps by dropping out
    n <- 20; Y <- matrix(rnorm(3 * n), n) %*% chol(matrix(c(1, 0.6, 0.4, 0.6, 1, 0.6, 0.4, 0.6, 1), 3)) + rep(c(1, 2, 2.5), each = n); id <- which(runif(n) < 0.3)
    add("multivariate-effects", "model {
      for (i in 1:n) {
        for (t in 1:3) { y[i,t] ~ dnorm(th[i,t], tau) }
        th[i,1:3] ~ dmnorm(mu[], Om[,])
      }
      mu[1:3] ~ dmnorm(m0[], P0[,])
      Om[1:3,1:3] ~ dwish(R[,], 4)
      Sg <- inverse(Om)
      tau ~ dgamma(3, 1)
    }", list(n = n, y = { Y[id, 3] <- NA; Y }, m0 = rep(0, 3), P0 = diag(0.01, 3), R = diag(3)), c("mu", "tau", "Sg[1,2]", "Sg[3,3]"), 6000)
    # posterior predictive checks and ranks of hospital rates by beta with mean and size
    n <- c(47, 148, 119, 810, 211, 196, 148, 215, 207, 97, 256, 360); r <- c(0, 18, 8, 46, 8, 13, 9, 31, 14, 8, 29, 24)
    add("hospitals-beta", "model {
      for (i in 1:12) {
        r[i] ~ dbin(p[i], n[i])
        p[i] ~ dbeta(a, b)

        r.rep[i] ~ dbin(p[i], n[i])
        p.rep[i] ~ dbeta(a, b)
        r.mix[i] ~ dbin(p.rep[i], n[i])
        ex[i] <- step(r.mix[i] - r[i] - 0.5) + 0.5 * equals(r.mix[i], r[i])
      }
      m ~ dbeta(1, 1)
      prec ~ dgamma(1, 0.01)
      a <- m * prec
      b <- (1 - m) * prec
      mx <- max(p[])
      rk[1:12] <- rank(p[])
    }", list(n = n, r = r), c("m", "prec", "p", "ex", "mx", "rk"), 6000)
    # measurement error, Berkson and classical, in a Poisson regression
    n <- 60; w <- rnorm(n, 2, 1); x <- w + rnorm(n, 0, 0.4); y <- rpois(n, exp(0.3 + 0.5 * x))
    add("berkson", "model {
      for (i in 1:n) {
        y[i] ~ dpois(lam[i])
        log(lam[i]) <- a + b * x[i]
        x[i] ~ dnorm(w[i], 6.25)
      }
      a ~ dnorm(0, 0.01)
      b ~ dnorm(0, 0.01)
    }", list(n = n, w = w, y = y), c("a", "b", "x[1:3]"), 6000)
    # counts of Markov-switching intensity
    n <- 60; s <- numeric(n); s[1] <- 1; for (t in 2:n) s[t] <- ifelse(runif(1) < 0.85, s[t - 1], 3 - s[t - 1]); y <- rpois(n, c(2, 7)[s])
    add("switching-counts", "model {
      s[1] ~ dcat(p0[])
      for (t in 2:n) { s[t] ~ dcat(P[s[t-1],]) }
      for (t in 1:n) { y[t] ~ dpois(l[s[t]]) }
      for (k in 1:2) { P[k,1:2] ~ ddirch(al[k,]) }
      l[1] ~ dgamma(1, 0.2)
      l[2] ~ dgamma(1, 0.2) T(l[1],)
    }", list(n = n, y = y, p0 = c(0.5, 0.5), al = rbind(c(4, 1), c(1, 4))), c("l", "P[1,1]", "P[2,2]", "s[30]"), 6000)
})
