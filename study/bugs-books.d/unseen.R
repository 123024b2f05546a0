# Models as others write them: volumes II and III of the BUGS examples, ecology, econometrics, epidemics, psychometrics.
local({
    set.seed(91)
    # eyes: a mixture of two normals, the smallest and the largest of which are known
    y <- c(rnorm(28, 536, 4), rnorm(18, 549, 4))
    add("eyes", "model {
      for (i in 1:N) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- lambda[T[i]]
        T[i] ~ dcat(P[])
      }
      P[1:2] ~ ddirch(alpha[])
      theta ~ dnorm(0.0, 1.0E-6) I(0.0, )
      lambda[2] <- lambda[1] + theta
      lambda[1] ~ dnorm(0.0, 1.0E-6)
      tau ~ dgamma(0.001, 0.001)
      sigma <- 1 / sqrt(tau)
    }", list(y = sort(y), T = c(1, rep(NA, 44), 2), N = length(y), alpha = c(1, 1)), c("P", "lambda", "sigma"), 20000)
    # mice: Weibull survival, censored by I( , )
    n <- 20; M <- 4; b <- c(-10.5, -10.8, -10.2, -10.4); t <- matrix(NA, M, n); cens <- matrix(0, M, n)
    for (i in 1:M) for (j in 1:n) { v <- (rexp(1) / exp(b[i]))^(1 / 3); if (v > 38) cens[i, j] <- 38 else t[i, j] <- v }
    add("mice-dinterval", "model {
      for (i in 1:M) {
        for (j in 1:N) {
          is.censored[i, j] ~ dinterval(t[i, j], limit)
          t[i, j] ~ dweib(r, mu[i])
        }
        mu[i] <- exp(beta[i])
        beta[i] ~ dnorm(0.0, 0.001)
        median[i] <- pow(log(2) * exp(-beta[i]), 1 / r)
      }
      r ~ dexp(0.001)
      pos.control <- beta[4] - beta[1]
    }", list(t = t, is.censored = 1 * is.na(t), limit = 38, M = M, N = n), c("r", "beta", "median", "pos.control"), 20000)
    # leuk: Cox regression by counting processes
    ft <- sort(unique(round(rexp(12, 0.1) + 1))); NT <- length(ft); N <- 30; Z <- rep(c(-0.5, 0.5), 15)
    tt <- round(pmin(rexp(N, 0.08 * exp(1.2 * Z)) + 1, 30)); fail <- 1 * (tt < 30); ts <- sort(unique(c(tt[fail == 1], 31))); NT <- length(ts) - 1
    Y <- outer(tt, ts[1:NT], ">=") * 1; dN <- Y * outer(1:N, 1:NT, function(i, j) (tt[i] >= ts[j]) * (ts[j + 1] > tt[i]) * fail[i])
    add("leuk", "model {
      for (j in 1:T) {
        for (i in 1:N) {
          dN[i, j] ~ dpois(Idt[i, j])
          Idt[i, j] <- Y[i, j] * exp(beta * Z[i]) * dL0[j] + 1e-12
        }
        dL0[j] ~ dgamma(mu[j], c)
        mu[j] <- dL0.star[j] * c
        S.treat[j] <- pow(exp(-sum(dL0[1:j])), exp(beta * -0.5))
        dL0.star[j] <- r * (t[j + 1] - t[j])
      }
      c <- 0.001
      r <- 0.1
      beta ~ dnorm(0.0, 0.000001)
    }", list(dN = dN, Y = Y, Z = Z, t = ts, N = N, T = NT), c("beta", "S.treat[3]", "S.treat[8]"), 20000)
    # endo: matched pairs by the conditional likelihood as a Bernoulli
    I <- 60; dx <- rbinom(I, 1, 0.5) - rbinom(I, 1, 0.25); keep <- dx != 0
    add("endo", "model {
      for (i in 1:I) {
        Y[i] ~ dbern(p[i])
        logit(p[i]) <- beta * x[i]
      }
      beta ~ dnorm(0, 1.0E-6)
      OR <- exp(beta)
    }", list(I = I, x = dx, Y = rep(1, I)), c("beta"), 20000)
    # hepatitis: growth lines with a measurement error in the baseline
    N <- 20; J <- 3; t0 <- matrix(rep(log(c(1, 2.5, 4)), each = N), N); mu0 <- rnorm(N, 6, 1); y0 <- rnorm(N, mu0, 0.8)
    Y <- t(sapply(1:N, function(i) rnorm(J, rnorm(1, 6, 0.6) + 0.6 * (mu0[i] - 6) - 1.0 * (t0[i, ] - 0.77), 0.7)))
    add("hepatitis", "model {
      for (i in 1:N) {
        for (j in 1:K) {
          Y[i, j] ~ dnorm(mu[i, j], tau)
          mu[i, j] <- alpha[i] + beta[i] * (t[i, j] - 0.77) + gamma * (mu0[i] - mean(y0[]))
        }
        y0[i] ~ dnorm(mu0[i], tau)
        mu0[i] ~ dnorm(theta, psi)
        alpha[i] ~ dnorm(alpha0, tau.alpha)
        beta[i] ~ dnorm(beta0, tau.beta)
      }
      tau ~ dgamma(0.001, 0.001)
      sigma <- 1 / sqrt(tau)
      alpha0 ~ dnorm(0.0, 1.0E-6)
      tau.alpha ~ dgamma(0.001, 0.001)
      beta0 ~ dnorm(0.0, 1.0E-6)
      tau.beta ~ dgamma(1, 0.1)
      theta ~ dnorm(0.0, 1.0E-6)
      psi ~ dgamma(0.001, 0.001)
      gamma ~ dnorm(0, 1.0E-6)
    }", list(Y = Y, y0 = y0, t = t0, N = N, K = J), c("alpha0", "beta0", "gamma", "sigma", "theta"), 30000)
    # cervix: a case-control study with a misclassified exposure
    N <- 150; d <- rep(0:1, c(100, 50)); x <- rbinom(N, 1, plogis(-0.3 + 0.8 * d)); w <- rbinom(N, 1, ifelse(x == 1, 0.75, 0.2)); xo <- ifelse(1:N %% 3 == 0, x, NA)
    add("cervix", "model {
      for (i in 1:N) {
        x[i] ~ dbern(q)
        logit(p[i]) <- beta0C + beta * x[i]
        d[i] ~ dbern(p[i])
        x1[i] <- x[i] + 1
        d1[i] <- d[i] + 1
        w[i] ~ dbern(phi[x1[i], d1[i]])
      }
      q ~ dunif(0.0, 1.0)
      beta0C ~ dnorm(0.0, 0.00001)
      beta ~ dnorm(0.0, 0.00001)
      for (j in 1:2) { for (k in 1:2) { phi[j, k] ~ dunif(0.0, 1.0) } }
      gamma1 <- 1 / (1 + (1 + exp(beta0C + beta)) / (1 + exp(beta0C)) * (1 - q) / q)
    }", list(x = xo, w = w, d = d, N = N), c("beta0C", "beta", "gamma1", "q", "phi[1,1]", "phi[2,2]"), 20000)
    # jama: random effects in 2 by 2 tables with a covariate and a quadratic
    K <- 40; yr <- seq(-9, 10, length = K); n0 <- rpois(K, 40) + 5; n1 <- rpois(K, 30) + 5; mu <- rnorm(K, -0.5, 0.6)
    r0 <- rbinom(K, n0, plogis(mu)); r1 <- rbinom(K, n1, plogis(mu + 0.4 - 0.04 * yr + rnorm(K, 0, 0.1)))
    add("oxford-like", "model {
      for (i in 1:K) {
        r0[i] ~ dbin(p0[i], n0[i])
        r1[i] ~ dbin(p1[i], n1[i])
        logit(p0[i]) <- mu[i]
        logit(p1[i]) <- mu[i] + logPsi[i]
        logPsi[i] <- alpha + beta1 * year[i] + beta2 * (year[i] * year[i] - 22) + b[i]
        b[i] ~ dnorm(0, tau)
        mu[i] ~ dnorm(0.0, 1.0E-6)
      }
      alpha ~ dnorm(0.0, 1.0E-6)
      beta1 ~ dnorm(0.0, 1.0E-6)
      beta2 ~ dnorm(0.0, 1.0E-6)
      tau ~ dgamma(1.0E-3, 1.0E-3)
      sigma <- 1 / sqrt(tau)
    }", list(K = K, r0 = r0, r1 = r1, n0 = n0, n1 = n1, year = yr), c("alpha", "beta1", "beta2"), 10000)
    # camel: bivariate normal with missing data
    Y <- cbind(c(1, 1, -1, -1, 2, 2, -2, -2, NA, NA, NA, NA), c(1, -1, 1, -1, NA, NA, NA, NA, 2, 2, -2, -2))
    add("camel", "model {
      for (i in 1:N) {
        Y1[i] ~ dnorm(0, tau1)
        Y2[i] ~ dnorm(m2[i], tau21)
        m2[i] <- b21 * Y1[i]
      }
      tau1 ~ dgamma(1, 1)
      tau21 ~ dgamma(1, 1)
      b21 ~ dnorm(0, 0.1)
      rho <- b21 / sqrt(b21 * b21 + tau1 / tau21)
    }", list(Y1 = Y[, 1], Y2 = Y[, 2], N = 12), c("b21", "rho"), 40000)
    # eyes' neighbour: funnel of priors on the sd, half-Cauchy by dt
    J <- 8; ys <- c(28, 8, -3, 7, -1, 1, 18, 12); s <- c(15, 10, 16, 11, 9, 11, 10, 18)
    add("schools-half-cauchy", "model {
      for (j in 1:J) {
        y[j] ~ dnorm(theta[j], pow(s[j], -2))
        theta[j] <- mu + tau * eta[j]
        eta[j] ~ dnorm(0, 1)
      }
      mu ~ dnorm(0, 0.001)
      tau ~ dt(0, pow(5, -2), 1) T(0, )
    }", list(J = J, y = ys, s = s), c("mu", "tau", "theta"), 20000)
    # robust t effects: an outlying group
    J <- 12; th <- c(rnorm(11, 0, 0.3), 6)
    add("t-effects", "model {
      for (j in 1:J) {
        y[j] ~ dnorm(theta[j], 4)
        theta[j] ~ dt(mu, tau, 3)
      }
      mu ~ dnorm(0, 0.01)
      sigma ~ dunif(0, 10)
      tau <- pow(sigma, -2)
    }", list(J = J, y = rnorm(J, th, 0.5)), c("mu", "sigma", "theta[1]", "theta[12]"), 40000)
    # GARCH(1,1)
    T <- 150; h <- e <- numeric(T); h[1] <- 1; e[1] <- rnorm(1); for (i in 2:T) { h[i] <- 0.2 + 0.3 * e[i - 1]^2 + 0.5 * h[i - 1]; e[i] <- rnorm(1, 0, sqrt(h[i])) }
    add("garch", "model {
      h[1] <- h1
      for (t in 2:T) { h[t] <- omega + alpha * pow(y[t - 1] - mu, 2) + beta * h[t - 1] }
      for (t in 1:T) { y[t] ~ dnorm(mu, 1 / h[t]) }
      mu ~ dnorm(0, 0.01)
      omega ~ dunif(0, 2)
      alpha ~ dunif(0, 1)
      beta ~ dunif(0, 1)
      h1 ~ dunif(0, 5)
    }", list(y = e, T = T), c("mu", "omega", "alpha", "beta"), 4000)
    # INAR(1): thinned counts
    T <- 60; x <- numeric(T); x[1] <- 4; for (i in 2:T) x[i] <- rbinom(1, x[i - 1], 0.5) + rpois(1, 2)
    add("inar", "model {
      for (t in 2:T) {
        s[t] ~ dbin(alpha, x[t - 1])
        x0[t] ~ dsum(s[t], r[t])
        r[t] ~ dpois(lambda)
      }
      alpha ~ dbeta(1, 1)
      lambda ~ dgamma(1, 0.1)
    }", list(x = x, x0 = x, T = T), c("alpha", "lambda"), 20000,
        list(s = c(NA, pmin(x[-T], x[-1])), r = c(NA, x[-1] - pmin(x[-T], x[-1]))))
    # SIR by chain binomials
    S <- 99; I <- 1; ss <- S; ii <- I; cc <- numeric(0); while (length(cc) < 15) { k <- rbinom(1, S, 1 - exp(-1.6 * I / 100)); r <- rbinom(1, I, 0.5); cc <- c(cc, k); S <- S - k; I <- I + k - r; ss <- c(ss, S); ii <- c(ii, I) }
    add("chain-binomial", "model {
      for (t in 1:T) {
        C[t] ~ dbin(p[t], S[t])
        p[t] <- 1 - exp(-beta * I[t] / N)
      }
      for (t in 1:T) { R[t] ~ dbin(g, I[t]) }
      beta ~ dgamma(1, 0.5)
      g ~ dbeta(1, 1)
      R0 <- beta / g
    }", local({ k <- ii[-16] > 0; list(C = cc[k], S = ss[-16][k], I = ii[-16][k], R = (ii[-16] + cc - ii[-1])[k], T = sum(k), N = 100) }), c("beta", "g", "R0"), 20000)
    # MNAR: selection by the outcome
    n <- 80; x <- rnorm(n); y <- 1 + x + rnorm(n); m <- rbinom(n, 1, plogis(-1 + 0.8 * y)); y[m == 1] <- NA
    add("not-at-random", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- a + b * x[i]
        m[i] ~ dbern(p[i])
        logit(p[i]) <- g0 + g1 * y[i]
      }
      a ~ dnorm(0, 0.01)
      b ~ dnorm(0, 0.01)
      g0 ~ dnorm(0, 0.25)
      g1 ~ dnorm(0, 0.25)
      tau ~ dgamma(0.01, 0.01)
    }", list(n = n, x = x, y = y, m = m), c("a", "b", "g0", "g1"), 30000)
    # latent growth with a correlation
    N <- 40; b <- cbind(rnorm(N, 10, 2), rnorm(N, 1, 0.5)); y <- t(sapply(1:N, function(i) rnorm(4, b[i, 1] + b[i, 2] * 0:3, 1)))
    add("latent-growth", "model {
      for (i in 1:N) {
        for (t in 1:4) { y[i, t] ~ dnorm(eta[i, 1] + eta[i, 2] * (t - 1), tau.e[t]) }
        eta[i, 1:2] ~ dmnorm(mu[], Om[,])
      }
      for (t in 1:4) { tau.e[t] ~ dgamma(1, 1) }
      mu[1] ~ dnorm(0, 0.001)
      mu[2] ~ dnorm(0, 0.001)
      Om[1:2, 1:2] ~ dwish(R[,], 3)
      S[1:2, 1:2] <- inverse(Om[,])
    }", list(N = N, y = y, R = diag(2)), c("mu", "S[1,1]", "S[1,2]", "S[2,2]", "tau.e"), 10000)
    # graded response
    n <- 60; J <- 5; th <- rnorm(n); g <- t(sapply(th, function(z) sapply(1:J, function(j) sum(runif(1) < plogis(1.3 * (z - c(-1, 0, 1)))) + 1)))
    add("graded-response", "model {
      for (i in 1:n) {
        for (j in 1:J) {
          Y[i, j] ~ dcat(prob[i, j, 1:4])
          for (k in 1:3) { logit(Q[i, j, k]) <- a[j] * (theta[i] - b[j, k]) }
          prob[i, j, 1] <- 1 - Q[i, j, 1]
          for (k in 2:3) { prob[i, j, k] <- Q[i, j, k - 1] - Q[i, j, k] }
          prob[i, j, 4] <- Q[i, j, 3]
        }
        theta[i] ~ dnorm(0, 1)
      }
      for (j in 1:J) {
        a[j] ~ dlnorm(0, 4)
        b[j, 1] ~ dnorm(-1, 1)
        b[j, 2] ~ dnorm(0, 1) T(b[j, 1], )
        b[j, 3] ~ dnorm(1, 1) T(b[j, 2], )
      }
    }", list(n = n, J = J, Y = g), c("a", "b", "theta[1]", "theta[2]"), 2000)
    # Poisson-lognormal with an offset, by hand an ICAR-like walk over a ring
    N <- 30; E <- runif(N, 5, 50); re <- rnorm(N, 0, 0.4)
    add("poisson-lognormal", "model {
      for (i in 1:N) {
        O[i] ~ dpois(mu[i])
        log(mu[i]) <- log(E[i]) + a + b * x[i] + u[i]
        u[i] ~ dnorm(0, tau)
        RR[i] <- exp(a + b * x[i] + u[i])
      }
      a ~ dnorm(0, 1.0E-6)
      b ~ dnorm(0, 1.0E-5)
      tau ~ dgamma(0.5, 0.0005)
      sigma <- sqrt(1 / tau)
    }", local({ x <- rnorm(N); list(N = N, O = rpois(N, E * exp(0.1 + 0.3 * x + re)), E = E, x = x) }), c("a", "b", "sigma", "RR"), 20000)
    # multivariate probit: two binary outcomes by latent normals
    n <- 60; x <- rnorm(n); e1 <- rnorm(n); e2 <- 0.6 * e1 + 0.8 * rnorm(n); w <- cbind(0.3 + 0.8 * x + e1 > 0, -0.2 + 0.5 * x + e2 > 0) * 1
    add("bivariate-probit", "model {
      for (i in 1:n) {
        for (k in 1:2) { y[i, k] ~ dbern(phi(b0[k] + b1[k] * x[i] + lam[k] * f[i])) }
        f[i] ~ dnorm(0, 1)
      }
      lam[1] ~ dnorm(0, 1) T(0, )
      lam[2] ~ dnorm(0, 1)
      for (k in 1:2) { b0[k] ~ dnorm(0, 0.25); b1[k] ~ dnorm(0, 0.25) }
      rho <- lam[1] * lam[2] / sqrt((1 + lam[1] * lam[1]) * (1 + lam[2] * lam[2]))
    }", list(n = n, x = x, y = w), c("b0", "b1", "rho"), 20000)
    # N-of-1 trials: treatment effects of patients, autocorrelated
    P <- 6; T <- 12; tr <- matrix(rep(c(0, 1), P * T / 2), P, T, byrow = TRUE); y <- t(sapply(1:P, function(i) 5 + rnorm(1) + (1 + rnorm(1, 0, 0.5)) * tr[i, ] + rnorm(T)))
    add("n-of-1", "model {
      for (i in 1:P) {
        for (t in 1:T) { m[i, t] <- a[i] + d[i] * tr[i, t] }
        y[i, 1] ~ dnorm(m[i, 1], tau)
        for (t in 2:T) { y[i, t] ~ dnorm(m[i, t] + rho * (y[i, t - 1] - m[i, t - 1]), tau) }
        a[i] ~ dnorm(0, 0.001)
        d[i] ~ dnorm(md, td)
      }
      md ~ dnorm(0, 0.001)
      sd.d ~ dunif(0, 5)
      td <- pow(sd.d, -2)
      rho ~ dunif(-1, 1)
      sigma ~ dunif(0, 10)
      tau <- pow(sigma, -2)
      better <- step(md)
    }", list(P = P, T = T, y = y, tr = tr), c("md", "sd.d", "rho", "sigma", "d"), 20000)
    # funshapes: a uniform over a triangle
    add("funshapes", "model {
      x ~ dunif(0, 1)
      y ~ dunif(0, 1)
      O <- 1
      O1 ~ dbern(const)
      const <- step(1 - x - y)
    }", list(O1 = 1), c("x", "y"), 20000)
    # hips: a Markov model with costs, prior and prediction only
    add("hips", "model {
      for (k in 1:2) { p[k, 1:3] ~ ddirch(n[k, ]) }
      s[1, 1] <- 1
      s[1, 2] <- 0
      for (t in 2:20) {
        s[t, 1] <- s[t - 1, 1] * p[1, 1] + s[t - 1, 2] * p[2, 1]
        s[t, 2] <- s[t - 1, 1] * p[1, 2] + s[t - 1, 2] * p[2, 2]
      }
      for (k in 1:2) { obs[k, 1:3] ~ dmulti(p[k, 1:3], N[k]) }
      life <- sum(s[, 1]) + 0.6 * sum(s[, 2])
    }", list(n = matrix(1, 2, 3), obs = rbind(c(80, 15, 5), c(2, 30, 8)), N = c(100, 40)), c("p", "life"), 20000)
    # alligators-like: log-linear Poisson for multinomial counts
    X <- array(rpois(24, 8), c(3, 2, 4))
    add("log-linear", "model {
      for (i in 1:I) {
        for (j in 1:J) {
          lambda[i, j] ~ dnorm(0, 0.00001)
          for (k in 1:K) {
            X[i, j, k] ~ dpois(mu[i, j, k])
            log(mu[i, j, k]) <- lambda[i, j] + alpha[k] + beta[i, k] + gamma[j, k]
          }
        }
      }
      alpha[1] <- 0
      for (k in 2:K) { alpha[k] ~ dnorm(0, 0.01) }
      for (i in 1:I) { beta[i, 1] <- 0 }
      for (k in 2:K) { beta[1, k] <- 0; for (i in 2:I) { beta[i, k] ~ dnorm(0, 0.01) } }
      for (j in 1:J) { gamma[j, 1] <- 0 }
      for (k in 2:K) { gamma[1, k] <- 0; gamma[2, k] ~ dnorm(0, 0.01) }
    }", list(X = X, I = 3, J = 2, K = 4), c("alpha[2]", "alpha[3]", "beta[2,2]", "beta[3,4]", "gamma[2,3]"), 20000)
    # logistic dose-response with a threshold of the natural response
    d <- log(c(1, 2, 4, 8, 16, 32)); n <- rep(25, 6); p <- 0.1 + 0.9 * plogis(-3 + 1.8 * d)
    add("natural-response", "model {
      for (i in 1:K) {
        r[i] ~ dbin(p[i], n[i])
        p[i] <- c + (1 - c) * ilogit(a + b * d[i])
      }
      c ~ dbeta(1, 9)
      a ~ dnorm(0, 0.01)
      b ~ dnorm(0, 0.01) T(0, )
      ED50 <- exp(-a / b)
    }", list(K = 6, r = rbinom(6, n, p), n = n, d = d), c("a", "b", "c", "ED50"), 20000)
    # Kery & Schaub: productivity and a binomial GLMM of years
    T <- 12; C <- rpois(T, 60) + 20; ye <- rnorm(T, 0, 0.5)
    add("binomial-glmm", "model {
      alpha ~ dnorm(0, 0.001)
      beta1 ~ dnorm(0, 0.001)
      beta2 ~ dnorm(0, 0.001)
      for (i in 1:nyears) {
        C[i] ~ dbin(p[i], N[i])
        logit(p[i]) <- alpha + beta1 * year[i] + beta2 * pow(year[i], 2) + eps[i]
        eps[i] ~ dnorm(0, tau)
      }
      tau <- 1 / (sd * sd)
      sd ~ dunif(0, 10)
    }", list(nyears = T, C = rbinom(T, C, plogis(0.3 + ye)), N = C, year = (1:T - 6.5) / 6.5), c("alpha", "beta1", "beta2", "sd", "eps"), 20000)
    # stochastic volatility with a leverage-free AR(1)
    T <- 80; h <- numeric(T); for (i in 2:T) h[i] <- 0.9 * h[i - 1] + rnorm(1, 0, 0.3)
    add("volatility", "model {
      mu ~ dnorm(0, 0.1)
      phistar ~ dbeta(20, 1.5)
      phi <- 2 * phistar - 1
      itau2 ~ dgamma(2.5, 0.025)
      tau <- sqrt(1 / itau2)
      theta0 ~ dnorm(mu, itau2)
      thmean[1] <- mu + phi * (theta0 - mu)
      theta[1] ~ dnorm(thmean[1], itau2)
      for (t in 2:n) {
        thmean[t] <- mu + phi * (theta[t - 1] - mu)
        theta[t] ~ dnorm(thmean[t], itau2)
      }
      for (t in 1:n) { y[t] ~ dnorm(0, exp(-theta[t])) }
    }", list(n = T, y = rnorm(T, 0, exp(h / 2))), c("mu", "phi", "tau"), 20000)
    # Kruschke: multiple comparison, heterogeneous variances, one outlying
    N <- 60; g <- rep(1:4, 15)
    add("robust-anova", "model {
      for (i in 1:N) { y[i] ~ dt(a0 + a[x[i]], 1 / pow(ySigma[x[i]], 2), nu) }
      nu <- nuMinusOne + 1
      nuMinusOne ~ dexp(1 / 29)
      for (j in 1:4) { ySigma[j] ~ dgamma(sg.s, sg.r); a[j] ~ dnorm(0, 1 / pow(aSigma, 2)) }
      sg.s <- 1.64
      sg.r <- 0.32
      a0 ~ dnorm(5, 0.01)
      aSigma ~ dgamma(1.64, 0.32)
      for (j in 1:4) { m[j] <- a0 + a[j] }
    }", list(N = N, y = rnorm(N, 5 + c(0, 1, 2, 0)[g], c(1, 1, 2, 0.5)[g]), x = g), c("m", "ySigma", "aSigma", "nu"), 20000)
    # extra-binomial, hierarchical betas by mean and size
    K <- 14; n <- rpois(K, 15) + 3; p <- rbeta(K, 3, 6)
    add("hierarchical-beta-binomial", "model {
      for (i in 1:K) {
        r[i] ~ dbin(p[i], n[i])
        p[i] ~ dbeta(a, b)
      }
      a <- mu * eta
      b <- (1 - mu) * eta
      mu ~ dbeta(1, 1)
      logeta ~ dlogis(log(10), 1)
      eta <- exp(logeta)
      p.new ~ dbeta(a, b)
    }", list(K = K, r = rbinom(K, n, p), n = n), c("mu", "eta", "p", "p.new"), 20000)
})
