# A second shelf: cognitive models, ecology, econometrics, survival, spatial and mixture models, as their authors would write them.
local({
    set.seed(61)
    npumps <- 6; ntr <- 40; gp <- 1.1; beta <- 0.6; p <- 0.15
    omega <- -gp / log(1 - p); d <- matrix(NA, ntr, 12); cho <- numeric(ntr)
    for (j in 1:ntr) {
        for (k in 1:12) { d[j, k] <- rbinom(1, 1, 1 - 1 / (1 + exp(beta * (k - omega)))); cho[j] <- k; if (d[j, k] == 1) break }
        d[j, ] <- ifelse(is.na(d[j, ]), 0, d[j, ])
    }
    add("balloons", "model {
      gplus ~ dunif(0, 10)
      beta ~ dunif(0, 10)
      omega <- -gplus / log(1 - p)
      for (j in 1:ntrials) {
        for (k in 1:options[j]) {
          theta[j, k] <- 1 - (1 / (1 + max(-15, min(15, exp(beta * (k - omega))))))
          d[j, k] ~ dbern(theta[j, k])
        }
      }
    }", list(d = d, options = cho, ntrials = ntr, p = p), c("gplus", "beta"), 20000,
        list(gplus = 1.2, beta = 0.5))
    np <- 8; nq <- 8; x <- rep(0:1, each = 4); z <- rep(0:1, 4)
    k <- outer(1:np, 1:nq, Vectorize(function(i, j) rbinom(1, 1, ifelse(x[i] == z[j], 0.8, 0.25))))
    add("two-country-quiz", "model {
      alpha ~ dunif(0, 1)
      beta ~ dunif(0, alpha)
      for (i in 1:nx) {
        x[i] ~ dbern(0.5)
        x1[i] <- x[i] + 1
      }
      for (j in 1:nz) {
        z[j] ~ dbern(0.5)
        z1[j] <- z[j] + 1
      }
      for (i in 1:nx) {
        for (j in 1:nz) {
          theta[i, j, 1, 1] <- alpha
          theta[i, j, 1, 2] <- beta
          theta[i, j, 2, 1] <- beta
          theta[i, j, 2, 2] <- alpha
          k[i, j] ~ dbern(theta[i, j, x1[i], z1[j]])
        }
      }
    }", list(k = k, nx = np, nz = nq), c("alpha", "beta"), 20000)
    k <- c(rbinom(10, 45, 0.92), rbinom(12, 45, 0.6))
    add("malingering", "model {
      for (i in 1:p) {
        z[i] ~ dbern(phi)
        theta[i] ~ dbeta(alpha[z[i] + 1], beta[z[i] + 1])
        k[i] ~ dbin(theta[i], n)
      }
      phi ~ dbeta(5, 5)
      mubon ~ dbeta(1, 1)
      mumal <- ilogit(logit(mubon) - mudiff)
      mudiff ~ dnorm(0, 0.5) T(0, )
      lambdabon ~ dunif(40, 800)
      lambdamal ~ dunif(4, 100)
      alpha[1] <- lambdabon * mubon
      beta[1] <- lambdabon * (1 - mubon)
      alpha[2] <- lambdamal * mumal
      beta[2] <- lambdamal * (1 - mumal)
    }", list(k = k, n = 45, p = 22), c("mubon", "mumal", "mudiff", "phi", "lambdamal", "z"), 40000)
    ns <- 4; xs <- seq(-60, 60, length = 10); a <- rnorm(ns, 0, 0.4); b <- rnorm(ns, 0.05, 0.01)
    r <- t(sapply(1:ns, function(i) rbinom(10, 20, plogis(a[i] + b[i] * xs))))
    add("psychophysical", "model {
      for (i in 1:nsubjs) {
        for (j in 1:nstim[i]) {
          r[i, j] ~ dbin(thetalim[i, j], n[i, j])
          logit(thetalim[i, j]) <- lthetalim[i, j]
          lthetalim[i, j] <- min(999, max(-999, ltheta[i, j]))
          ltheta[i, j] <- alpha[i] + beta[i] * (x[i, j] - xmean[i])
        }
        beta[i] ~ dnorm(mub, pow(sigmab, -2))
        alpha[i] ~ dnorm(mua, pow(sigmaa, -2))
        jnd[i] <- (logit(0.84) - logit(0.5)) / beta[i]
      }
      mua ~ dnorm(0, .001)
      mub ~ dnorm(0, .001)
      sigmaa ~ dunif(0, 100)
      sigmab ~ dunif(0, 100)
    }", list(r = r, n = matrix(20, ns, 10), x = matrix(xs, ns, 10, byrow = TRUE), xmean = rep(0, ns), nstim = rep(10, ns), nsubjs = ns),
        c("alpha", "beta", "mua", "sigmaa"), 60000, list(beta = rep(0.05, 4)))
})
local({
    set.seed(62)
    nd <- 20; nt <- 15; y <- matrix(0, nd, nt)
    for (i in 1:nd) { na <- ns <- 0; for (t in 1:nt) { y[i, t] <- rbinom(1, 1, exp(-0.25 * na - 0.08 * ns)); if (y[i, t]) ns <- ns + 1 else na <- na + 1 } }
    y[, 1] <- 1
    add("dogs", "model {
      for (i in 1:Dogs) {
        xa[i, 1] <- 0
        xs[i, 1] <- 0
        p[i, 1] <- 0
        for (j in 2:Trials) {
          xa[i, j] <- sum(Y[i, 1:(j - 1)])
          xs[i, j] <- j - 1 - xa[i, j]
          log(p[i, j]) <- alpha * xa[i, j] + beta * xs[i, j]
          y[i, j] <- 1 - Y[i, j]
        }
      }
      for (i in 1:Dogs) { for (j in 2:Trials) { Y[i, j] ~ dbern(q[i, j]); q[i, j] <- 1 - p[i, j] } }
      alpha ~ dunif(-10, -0.00001)
      beta ~ dunif(-10, -0.00001)
      A <- exp(alpha)
      B <- exp(beta)
    }", list(Y = cbind(0, 1 - y[, -1]), Dogs = nd, Trials = nt), c("alpha", "beta", "A", "B"), 20000, list(alpha = -0.25, beta = -0.08))
    n <- 400; g <- sample(2, n, TRUE); ag <- sample(4, n, TRUE); ed <- sample(4, n, TRUE); st <- sample(15, n, TRUE); reg <- rep(1:3, 5)
    yy <- rbinom(n, 1, plogis(0.2 - 0.3 * (g == 2) + rnorm(4, 0, 0.3)[ag] + rnorm(4, 0, 0.3)[ed] + rnorm(15, 0, 0.5)[st]))
    add("polls", "model {
      for (i in 1:n) {
        y[i] ~ dbern(p.bound[i])
        p.bound[i] <- max(0, min(1, p[i]))
        logit(p[i]) <- Xbeta[i]
        Xbeta[i] <- b.0 + b.female * female[i] + b.age[age[i]] + b.edu[edu[i]] + b.state[state[i]]
      }
      b.0 ~ dnorm(0, .0001)
      b.female ~ dnorm(0, .0001)
      for (j in 1:n.age) { b.age[j] ~ dnorm(0, tau.age) }
      for (j in 1:n.edu) { b.edu[j] ~ dnorm(0, tau.edu) }
      for (j in 1:n.state) { b.state[j] ~ dnorm(b.region[region[j]], tau.state) }
      for (j in 1:n.region) { b.region[j] ~ dnorm(0, tau.region) }
      tau.age <- pow(sigma.age, -2)
      tau.edu <- pow(sigma.edu, -2)
      tau.state <- pow(sigma.state, -2)
      tau.region <- pow(sigma.region, -2)
      sigma.age ~ dunif(0, 100)
      sigma.edu ~ dunif(0, 100)
      sigma.state ~ dunif(0, 100)
      sigma.region ~ dunif(0, 100)
    }", list(y = yy, female = g - 1, age = ag, edu = ed, state = st, region = reg, n = n, n.age = 4, n.edu = 4, n.state = 15, n.region = 3),
        c("b.female", "sigma.state", "sigma.age", "sigma.edu"), 40000)
    D <- rnorm(40, 10, 2); dse <- runif(40, 0.3, 1.5); M <- rnorm(40, 0, 1); mse <- runif(40, 0.1, 0.6); A <- rnorm(40)
    D <- 10 - 0.6 * M - 0.5 * A + rnorm(40, 0, 0.5)
    add("errors-on-both-sides", "model {
      for (i in 1:N) {
        D_obs[i] ~ dnorm(D_true[i], 1 / D_sd[i]^2)
        D_true[i] ~ dnorm(mu[i], 1 / sigma^2)
        mu[i] <- a + bA * A[i] + bM * M_true[i]
        M_obs[i] ~ dnorm(M_true[i], 1 / M_sd[i]^2)
        M_true[i] ~ dnorm(nu + aM * A[i], 1 / tau^2)
      }
      a ~ dnorm(0, 1 / 100)
      bA ~ dnorm(0, 1)
      bM ~ dnorm(0, 1)
      nu ~ dnorm(0, 1)
      aM ~ dnorm(0, 1)
      sigma ~ dexp(1)
      tau ~ dexp(1)
    }", list(D_obs = rnorm(40, D, dse), D_sd = dse, M_obs = rnorm(40, M, mse), M_sd = mse, A = A, N = 40),
        c("a", "bA", "bM", "sigma", "tau", "D_true", "M_true"), 40000)
    ap <- sample(50:300, 12, TRUE); dep <- rep(1:6, 2); gid <- rep(1:2, each = 6)
    ad <- rbinom(12, ap, rbeta(12, 4, 6))
    add("admissions", "model {
      for (i in 1:n) {
        admit[i] ~ dbin(p[i], applications[i])
        p[i] ~ dbeta(pbar[i] * theta, (1 - pbar[i]) * theta)
        logit(pbar[i]) <- a[gid[i]]
      }
      for (j in 1:2) { a[j] ~ dnorm(0, 1 / 1.5^2) }
      phi ~ dexp(1)
      theta <- phi + 2
      da <- a[1] - a[2]
    }", list(admit = ad, applications = ap, gid = gid, n = 12), c("a", "theta", "da", "p"), 40000)
})
local({
    set.seed(63)
    n <- 50; lev <- cumsum(rnorm(n, 0, 0.5)); slope <- 0.1; y <- lev + slope * 1:n + rnorm(n, 0, 1)
    y[c(10, 20:22)] <- NA
    add("local-linear-trend", "model {
      for (t in 1:n) { y[t] ~ dnorm(mu[t], prec.obs) }
      for (t in 2:n) {
        mu[t] ~ dnorm(mu[t - 1] + delta[t - 1], prec.level)
        delta[t] ~ dnorm(delta[t - 1], prec.slope)
      }
      mu[1] ~ dnorm(0, 0.0001)
      delta[1] ~ dnorm(0, 0.01)
      prec.obs ~ dgamma(0.01, 0.01)
      prec.level ~ dgamma(0.01, 0.01)
      prec.slope ~ dgamma(1, 0.01)
      sigma.obs <- 1 / sqrt(prec.obs)
      for (h in 1:4) { forecast[h] ~ dnorm(mu[n] + h * delta[n], prec.obs) }
    }", list(y = y, n = n), c("mu", "sigma.obs", "forecast", "y"), 60000)
    n <- 60; x1 <- rnorm(n); x2 <- rnorm(n); u <- rexp(n, 2)
    add("stochastic-frontier", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- b[1] + b[2] * x1[i] + b[3] * x2[i] - u[i]
        u[i] ~ dexp(lambda)
        eff[i] <- exp(-u[i])
      }
      for (k in 1:3) { b[k] ~ dnorm(0, 1.0E-6) }
      tau ~ dgamma(0.001, 0.001)
      lambda0 <- -log(0.875)
      lambda ~ dexp(lambda0)
      sigmasq <- 1 / tau
    }", list(y = 2 + 0.6 * x1 + 0.3 * x2 - u + rnorm(n, 0, 0.2), x1 = x1, x2 = x2, n = n), c("b", "lambda", "sigmasq", "eff[1]", "eff[2]", "eff[3]"), 60000)
    z <- rnorm(n); e <- MASS::mvrnorm(n, c(0, 0), matrix(c(1, 0.6, 0.6, 1), 2)); xx <- 1 + 0.8 * z + e[, 1]; yy <- 0.5 + 1.2 * xx + e[, 2]
    add("instrument", "model {
      for (i in 1:n) {
        Y[i, 1:2] ~ dmnorm(mu[i, 1:2], Omega[1:2, 1:2])
        mu[i, 1] <- g[1] + g[2] * z[i]
        mu[i, 2] <- b[1] + b[2] * (g[1] + g[2] * z[i])
      }
      for (j in 1:2) {
        g[j] ~ dnorm(0, 0.001)
        b[j] ~ dnorm(0, 0.001)
      }
      Omega[1:2, 1:2] ~ dwish(R[, ], 3)
      Sigma[1:2, 1:2] <- inverse(Omega[, ])
    }", list(Y = cbind(xx, yy), z = z, R = diag(2), n = n), c("g", "b", "Sigma"), 20000)
    eq <- MASS::mvrnorm(50, rep(0, 3), 0.5 + diag(0.5, 3)); X <- array(rnorm(150), c(50, 3))
    add("seemingly-unrelated", "model {
      for (i in 1:n) {
        for (k in 1:K) { m[i, k] <- a[k] + b[k] * X[i, k] }
        y[i, 1:K] ~ dmnorm(m[i, ], P[, ])
      }
      for (k in 1:K) {
        a[k] ~ dnorm(0, 1.0E-4)
        b[k] ~ dnorm(mub, taub)
      }
      mub ~ dnorm(0, 1.0E-4)
      taub ~ dgamma(0.1, 0.1)
      P[1:K, 1:K] ~ dwish(S[, ], K)
      V[1:K, 1:K] <- inverse(P[, ])
    }", list(y = eq + X * rep(c(1, 0.5, 0.8), each = 50), X = X, S = diag(3), n = 50, K = 3), c("a", "b", "mub", "V"), 40000)
})
local({
    set.seed(64)
    n <- 40; tr <- rep(0:1, n / 2); t <- ceiling(rexp(n, 0.1 * exp(-1 * tr))); cens <- t > 25; t <- pmin(t, 25)
    ut <- sort(unique(t[!cens])); NT <- length(ut)
    add("cox", "data {
      for (i in 1:N) {
        for (j in 1:T) {
          Y[i, j] <- step(obs.t[i] - t[j] + eps)
          dN[i, j] <- Y[i, j] * step(t[j + 1] - obs.t[i] - eps) * fail[i]
        }
      }
    }
    model {
      for (j in 1:T) {
        for (i in 1:N) {
          dN[i, j] ~ dpois(Idt[i, j])
          Idt[i, j] <- Y[i, j] * exp(beta * Z[i]) * dL0[j]
        }
        dL0[j] ~ dgamma(mu[j], c)
        mu[j] <- dL0.star[j] * c
        S.treat[j] <- pow(exp(-sum(dL0[1:j])), exp(beta * 0.5))
        S.placebo[j] <- pow(exp(-sum(dL0[1:j])), exp(beta * -0.5))
      }
      c <- 0.001
      r <- 0.1
      for (j in 1:T) { dL0.star[j] <- r * (t[j + 1] - t[j]) }
      beta ~ dnorm(0.0, 0.000001)
    }", list(obs.t = t, fail = as.numeric(!cens), Z = tr - 0.5, t = c(ut, 26), N = n, T = NT, eps = 1e-10), c("beta", "S.treat", "S.placebo"), 20000)
    g <- rep(1:15, each = 3); w <- rgamma(15, 2, 2); x <- rnorm(45); tt <- rweibull(45, 1.5, (w[g] * exp(-2 + 0.7 * x))^(-1 / 1.5)); cc <- runif(45, 1, 6); is <- as.numeric(tt > cc)
    add("frailty", "model {
      for (i in 1:n) {
        is.cens[i] ~ dinterval(t[i], t.cen[i])
        t[i] ~ dweib(alpha, lambda[i])
        lambda[i] <- w[g[i]] * exp(b0 + b1 * x[i])
      }
      for (j in 1:G) { w[j] ~ dgamma(eta, eta) }
      eta ~ dgamma(1, 0.1)
      b0 ~ dnorm(0, 0.001)
      b1 ~ dnorm(0, 0.001)
      alpha ~ dgamma(1, 0.1)
    }", list(t = ifelse(is == 1, NA, tt), t.cen = ifelse(is == 1, cc, 100), is.cens = is, x = x, g = g, n = 45, G = 15), c("b0", "b1", "alpha", "eta", "w"), 40000,
        list(t = ifelse(is == 1, cc + 1, NA)))
    tg <- rexp(50, 0.3); dd <- rbinom(50, 1, 0.8); xg <- rbinom(50, 1, 0.5)
    add("gompertz-zeros", "model {
      C <- 10000
      for (i in 1:n) {
        zeros[i] ~ dpois(phi[i])
        phi[i] <- -loglik[i] + C
        loglik[i] <- d[i] * (log(b) + gamma * t[i] + beta * x[i]) - (b / gamma) * (exp(gamma * t[i]) - 1) * exp(beta * x[i])
      }
      b ~ dgamma(0.1, 0.1)
      gamma ~ dunif(0.0001, 2)
      beta ~ dnorm(0, 0.01)
    }", list(t = tg, d = dd, x = xg, zeros = rep(0, 50), n = 50), c("b", "gamma", "beta"), 40000)
    yb <- rbeta(50, 2 * plogis(0.5 + xg), 2)
    add("ones-trick", "model {
      C <- 1000
      for (i in 1:n) {
        ones[i] ~ dbern(p[i])
        p[i] <- L[i] / C
        L[i] <- exp(loggam(phi) - loggam(mu[i] * phi) - loggam((1 - mu[i]) * phi)) * pow(y[i], mu[i] * phi - 1) * pow(1 - y[i], (1 - mu[i]) * phi - 1)
        logit(mu[i]) <- b0 + b1 * x[i]
      }
      b0 ~ dnorm(0, 0.01)
      b1 ~ dnorm(0, 0.01)
      phi ~ dgamma(0.1, 0.1)
    }", list(y = yb, x = xg, ones = rep(1, 50), n = 50), c("b0", "b1", "phi"), 40000)
    add("piecewise-hazard", "model {
      for (i in 1:n) {
        for (k in 1:int[i]) {
          cond[i, k] <- step(t[i] - a[k + 1])
          HH[i, k] <- cond[i, k] * (a[k + 1] - a[k]) * lambda[k] + (1 - cond[i, k]) * (t[i] - a[k]) * lambda[k]
        }
        H[i] <- sum(HH[i, 1:int[i]])
        logHaz[i] <- log(lambda[int[i]] * exp(beta * x[i]))
        logSurv[i] <- -H[i] * exp(beta * x[i])
        phi[i] <- 100000 - d[i] * logHaz[i] - logSurv[i]
        zeros[i] ~ dpois(phi[i])
      }
      beta ~ dnorm(0, 0.001)
      for (k in 1:m) { lambda[k] ~ dgamma(0.01, 0.01) }
    }", list(t = tg, d = dd, x = xg, zeros = rep(0, 50), n = 50, m = 3, a = c(0, 1, 3, 100), int = findInterval(tg, c(0, 1, 3))), c("beta", "lambda"), 40000)
})
local({
    set.seed(65)
    n <- 36; at <- function(i) c((i - 1) %/% 6, (i - 1) %% 6)
    nb <- lapply(1:n, function(i) which(sapply(1:n, function(j) sum(abs(at(i) - at(j))) == 1)))
    phi <- as.numeric(scale(sapply(1:n, function(i) sin(at(i)[1] / 2)))) * 0.4; E <- runif(n, 4, 15); X <- rnorm(n); O <- rpois(n, E * exp(0.2 * X + phi + rnorm(n, 0, 0.2)))
    Q <- matrix(0, n, n); for (i in 1:n) { Q[i, nb[[i]]] <- -1; Q[i, i] <- length(nb[[i]]) }
    add("proper-car-conditional", "model {
      for (i in 1:N) {
        O[i] ~ dpois(mu[i])
        log(mu[i]) <- log(E[i]) + alpha0 + alpha1 * X[i] + b[i] + h[i]
        h[i] ~ dnorm(0, tau.h)
      }
      b[1:N] ~ dmnorm(zero[], P[, ])
      for (i in 1:N) {
        zero[i] <- 0
        for (j in 1:N) { P[i, j] <- tau.b * (Q[i, j] + 0.1 * equals(i, j)) }
      }
      alpha0 ~ dnorm(0, 0.001)
      alpha1 ~ dnorm(0, 0.001)
      tau.b ~ dgamma(0.5, 0.05)
      tau.h ~ dgamma(0.5, 0.05)
    }", list(O = O, E = E, X = X, Q = Q, N = n), c("alpha0", "alpha1", "tau.b", "tau.h", "b"), 4000)
    T <- 120; s <- numeric(T); s[1] <- 1; for (t in 2:T) s[t] <- if (runif(1) < 0.9) s[t - 1] else 3 - s[t - 1]
    add("hidden-markov-gaussian", "model {
      s[1] ~ dcat(pi0[])
      for (t in 2:T) { s[t] ~ dcat(P[s[t - 1], ]) }
      for (t in 1:T) { y[t] ~ dnorm(mu[s[t]], tau[s[t]]) }
      for (k in 1:2) {
        P[k, 1:2] ~ ddirch(alpha[])
        tau[k] ~ dgamma(1, 1)
        sigma[k] <- 1 / sqrt(tau[k])
      }
      mu[1] ~ dnorm(0, 0.01)
      mu[2] ~ dnorm(0, 0.01) T(mu[1], )
      regime <- sum(s[]) - T
    }", list(y = rnorm(T, c(0, 2)[s], c(1, 0.7)[s]), T = T, pi0 = c(0.5, 0.5), alpha = c(1, 1)), c("mu", "sigma", "P", "regime"), 20000,
        list(mu = c(0, 2)))
    n <- 120; K <- 5; th <- rnorm(n); al <- runif(K, 0.8, 1.8); kap <- t(sapply(1:K, function(k) sort(rnorm(3, 0, 1.2))))
    Y <- sapply(1:K, function(k) sapply(1:n, function(i) sum(plogis(al[k] * th[i] - kap[k, ]) > runif(1)) + 1))
    add("graded-response", "model {
      for (i in 1:n) {
        theta[i] ~ dnorm(0, 1)
        for (j in 1:p) {
          Y[i, j] ~ dcat(prob[i, j, 1:4])
          for (k in 1:3) { logit(P[i, j, k]) <- kappa[j, k] - alpha[j] * theta[i] }
          P[i, j, 4] <- 1
          prob[i, j, 1] <- P[i, j, 1]
          for (k in 2:4) { prob[i, j, k] <- P[i, j, k] - P[i, j, k - 1] }
        }
      }
      for (j in 1:p) {
        alpha[j] ~ dnorm(0, 0.1) I(0, )
        for (k in 1:3) { kappa.star[j, k] ~ dnorm(0, 0.1) }
        kappa[j, 1:3] <- sort(kappa.star[j, 1:3])
      }
    }", list(Y = Y, n = n, p = K), c("alpha", "kappa"), 10000)
    id <- rep(1:20, each = 5); tm <- rep(-2:2, 20); B <- MASS::mvrnorm(20, c(10, 1.5), matrix(c(4, 0.5, 0.5, 0.3), 2))
    add("growth-replicates", "model {
      for (i in 1:N) {
        for (j in 1:T) {
          y[i, j] ~ dnorm(mu[i, j], tau)
          mu[i, j] <- b[i, 1] + b[i, 2] * x[j]
          res[i, j] <- (y[i, j] - mu[i, j]) * sqrt(tau)
          y.new[i, j] ~ dnorm(mu[i, j], tau)
          res.new[i, j] <- (y.new[i, j] - mu[i, j]) * sqrt(tau)
        }
        b[i, 1:2] ~ dmnorm(beta[], Omega[, ])
      }
      fit <- sum(res[, ] * res[, ])
      fit.new <- sum(res.new[, ] * res.new[, ])
      bpv <- step(fit.new - fit)
      beta[1:2] ~ dmnorm(mean[], prec[, ])
      Omega[1:2, 1:2] ~ dwish(R[, ], 2)
      Cov[1:2, 1:2] <- inverse(Omega[, ])
      rho <- Cov[1, 2] / sqrt(Cov[1, 1] * Cov[2, 2])
      tau ~ dgamma(0.001, 0.001)
      sigma <- 1 / sqrt(tau)
    }", list(y = matrix(rnorm(100, B[id, 1] + B[id, 2] * tm, 1), 20, byrow = TRUE), x = -2:2, N = 20, T = 5, R = diag(c(2, 0.2)), mean = c(0, 0), prec = diag(1e-6, 2)),
        c("beta", "Cov", "rho", "sigma", "bpv", "b"), 40000)
})
local({
    set.seed(66)
    n <- 90; x <- runif(n, -2, 2); z <- rbinom(n, 1, 0.4); y <- ifelse(z == 1, 3 - x, -1 + 1.5 * x) + rnorm(n, 0, 0.6)
    add("mixture-of-regressions", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- a[g[i]] + b[g[i]] * x[i]
        g[i] ~ dcat(w[1:2])
      }
      w[1] ~ dbeta(1, 1)
      w[2] <- 1 - w[1]
      a[1] ~ dnorm(0, 0.01)
      a[2] ~ dnorm(0, 0.01) T(a[1], )
      for (k in 1:2) { b[k] ~ dnorm(0, 0.01) }
      tau ~ dgamma(0.01, 0.01)
    }", list(y = y, x = x, n = n), c("a", "b", "w[1]", "tau"), 20000, list(a = c(-1, 3)))
    v <- rbinom(n, 1, 0.7); k <- rbinom(n, 1, plogis(0.5 + x)) * rnbinom(n, mu = exp(1 + 0.4 * x), size = 2)
    add("zero-inflated-negbin", "model {
      for (i in 1:n) {
        y[i] ~ dnegbin(p[i], r)
        p[i] <- r / (r + mu.eff[i])
        mu.eff[i] <- w[i] * mu[i] + 1.0E-10
        w[i] ~ dbern(psi[i])
        log(mu[i]) <- b0 + b1 * x[i]
        logit(psi[i]) <- a0 + a1 * x[i]
      }
      b0 ~ dnorm(0, 0.1)
      b1 ~ dnorm(0, 0.1)
      a0 ~ dnorm(0, 0.3)
      a1 ~ dnorm(0, 0.3)
      r ~ dgamma(1, 0.1)
    }", list(y = k, x = x, n = n), c("b0", "b1", "a0", "a1", "r"), 40000, list(w = rep(1, n)))
    add("tests-without-gold-standard", "model {
      for (i in 1:2) {
        x[i, 1:4] ~ dmulti(p[i, 1:4], n[i])
        p[i, 1] <- prev[i] * Se[1] * Se[2] + (1 - prev[i]) * (1 - Sp[1]) * (1 - Sp[2])
        p[i, 2] <- prev[i] * Se[1] * (1 - Se[2]) + (1 - prev[i]) * (1 - Sp[1]) * Sp[2]
        p[i, 3] <- prev[i] * (1 - Se[1]) * Se[2] + (1 - prev[i]) * Sp[1] * (1 - Sp[2])
        p[i, 4] <- prev[i] * (1 - Se[1]) * (1 - Se[2]) + (1 - prev[i]) * Sp[1] * Sp[2]
        prev[i] ~ dbeta(1, 1)
      }
      Se[1] ~ dbeta(21.96, 5.49)
      Sp[1] ~ dbeta(4.1, 1.76)
      Se[2] ~ dbeta(8.29, 1.81)
      Sp[2] ~ dbeta(10.69, 2.71)
    }", list(x = rbind(c(30, 9, 12, 80), c(60, 15, 18, 40)), n = c(131, 133)), c("prev", "Se", "Sp"), 60000)
    add("segmented", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- a + b[1] * x[i] + b[2] * (x[i] - k) * step(x[i] - k)
      }
      a ~ dnorm(0, 0.001)
      b[1] ~ dnorm(0, 0.001)
      b[2] ~ dnorm(0, 0.001)
      k ~ dunif(-1.8, 1.8)
      tau ~ dgamma(0.001, 0.001)
    }", list(y = 1 + 0.5 * x + 2 * pmax(0, x - 0.4) + rnorm(n, 0, 0.4), x = x, n = n), c("a", "b", "k", "tau"), 40000)
    add("segmented-max", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(a + b[1] * min(x[i], k) + b[2] * max(0, x[i] - k), tau)
      }
      a ~ dnorm(0, 0.001)
      b[1] ~ dnorm(0, 0.001)
      b[2] ~ dnorm(0, 0.001)
      k ~ dunif(-1.8, 1.8)
      tau ~ dgamma(0.001, 0.001)
    }", list(y = 1 + 0.5 * x + 2 * pmax(0, x - 0.4) + rnorm(n, 0, 0.4), x = x, n = n), c("a", "b", "k", "tau"), 40000)
    add("stagnant", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- alpha + beta[J[i]] * (x[i] - x.change)
        J[i] <- 1 + step(x[i] - x.change)
      }
      tau ~ dgamma(0.001, 0.001)
      alpha ~ dnorm(0.0, 1.0E-6)
      for (j in 1:2) { beta[j] ~ dnorm(0.0, 1.0E-6) }
      sigma <- 1 / sqrt(tau)
      x.change ~ dunif(-1.3, 1.1)
    }", list(y = 0.5 - 0.4 * pmin(0, x - 0.1) - pmax(0, x - 0.1) + rnorm(n, 0, 0.2), x = x, n = n), c("alpha", "beta", "x.change", "sigma"), 40000,
        list(x.change = 0, alpha = 0.5, beta = c(-0.4, -1), tau = 20))
    h <- 12; op <- sample(40:400, h, TRUE); de <- rbinom(h, op, plogis(rnorm(h, -2.6, 0.4)))
    add("hospital-ranks", "model {
      for (i in 1:N) {
        r[i] ~ dbin(p[i], n[i])
        logit(p[i]) <- b[i]
        b[i] ~ dnorm(mu, tau)
        for (j in 1:N) { greater[i, j] <- step(p[i] - p[j]) }
        rk[i] <- sum(greater[i, ])
        best[i] <- equals(rk[i], 1)
      }
      rk2[1:N] <- rank(p[])
      mu ~ dnorm(0.0, 1.0E-6)
      sigma ~ dt(0, 1, 3) T(0, )
      tau <- 1 / (sigma * sigma)
      pop.mean <- exp(mu) / (1 + exp(mu))
      worst <- max(p[])
    }", list(r = de, n = op, N = h), c("p", "sigma", "pop.mean", "rk", "rk2", "worst"), 40000)
    s <- c(rep(1, 4), rep(2, 5), rep(3, 4)); narm <- c(2, 3, 2, 2, 3, 2, 2, 2)
    t <- rbind(c(1, 2, NA), c(1, 2, 3), c(1, 3, NA), c(2, 3, NA), c(1, 2, 4), c(1, 4, NA), c(3, 4, NA), c(2, 4, NA))
    dtrue <- c(0, -0.6, -0.3, -0.9); nn <- matrix(sample(60:150, 24, TRUE), 8); mu <- rnorm(8, -0.8, 0.3)
    rr <- nn; for (i in 1:8) for (a in 1:3) rr[i, a] <- if (is.na(t[i, a])) NA else rbinom(1, nn[i, a], plogis(mu[i] + dtrue[t[i, a]] - dtrue[t[i, 1]]))
    nn[is.na(t)] <- NA
    add("unrelated-effects", "model {
      for (i in 1:ns) {
        delta[i, 1] <- 0
        mu[i] ~ dnorm(0, .0001)
        for (k in 1:na[i]) {
          r[i, k] ~ dbin(p[i, k], n[i, k])
          logit(p[i, k]) <- mu[i] + delta[i, k]
        }
        for (k in 2:na[i]) { delta[i, k] ~ dnorm(d[t[i, 1], t[i, k]], tau) }
      }
      for (c in 1:(nt - 1)) {
        for (k in (c + 1):nt) {
          d[c, k] ~ dnorm(0, .01)
          or[c, k] <- exp(d[c, k])
        }
      }
      sd ~ dunif(0, 2)
      tau <- pow(sd, -2)
    }", list(r = rr, n = nn, t = t, na = narm, ns = 8, nt = 4), c("d", "sd"), 60000)
})
local({
    set.seed(67)
    J <- 25; X <- as.matrix(expand.grid(1:5, 1:5)); M <- 60; N <- 22; S <- matrix(runif(2 * N, 0, 6), N)
    d2 <- outer(1:N, 1:J, Vectorize(function(i, j) sum((S[i, ] - X[j, ])^2)))
    y <- matrix(rbinom(N * J, 5, 0.3 * exp(-d2 / (2 * 0.6^2))), N); y <- y[rowSums(y) > 0, ]
    n0 <- nrow(y); y <- rbind(y, matrix(0, M - n0, J))
    add("spatial-capture", "model {
      p0 ~ dunif(0, 1)
      sigma ~ dunif(0, 3)
      psi ~ dunif(0, 1)
      for (i in 1:M) {
        z[i] ~ dbern(psi)
        s[i, 1] ~ dunif(0, 6)
        s[i, 2] ~ dunif(0, 6)
        for (j in 1:J) {
          d2[i, j] <- pow(s[i, 1] - X[j, 1], 2) + pow(s[i, 2] - X[j, 2], 2)
          p[i, j] <- z[i] * p0 * exp(-d2[i, j] / (2 * sigma * sigma))
          y[i, j] ~ dbin(p[i, j], K)
        }
      }
      N <- sum(z[])
    }", list(y = y, X = unname(X), M = M, J = J, K = 5), c("p0", "sigma", "psi", "N"), 8000, list(z = as.numeric(rowSums(y) > 0)))
    S <- 15; R <- 20; K <- 3; lp <- rnorm(S, 0, 1); ld <- rnorm(S, -0.5, 0.6); Z <- sapply(1:S, function(i) rbinom(R, 1, plogis(lp[i])))
    yy <- sapply(1:S, function(i) rbinom(R, K, Z[, i] * plogis(ld[i])))
    add("community-occupancy", "model {
      for (i in 1:S) {
        lpsi[i] ~ dnorm(mu.lpsi, tau.lpsi)
        lp[i] ~ dnorm(mu.lp, tau.lp)
        logit(psi[i]) <- lpsi[i]
        logit(p[i]) <- lp[i]
        for (j in 1:R) {
          z[j, i] ~ dbern(psi[i])
          mup[j, i] <- z[j, i] * p[i]
          y[j, i] ~ dbin(mup[j, i], K)
        }
        Nocc[i] <- sum(z[, i])
      }
      mu.lpsi ~ dnorm(0, 0.1)
      mu.lp ~ dnorm(0, 0.1)
      sd.lpsi ~ dunif(0, 5)
      sd.lp ~ dunif(0, 5)
      tau.lpsi <- pow(sd.lpsi, -2)
      tau.lp <- pow(sd.lp, -2)
      for (j in 1:R) { rich[j] <- sum(z[j, ]) }
    }", list(y = yy, S = S, R = R, K = K), c("mu.lpsi", "mu.lp", "sd.lpsi", "sd.lp", "Nocc", "rich[1]"), 20000, list(z = 1 * (yy > 0)))
    R <- 25; T <- 4; N <- matrix(0, R, T); N[, 1] <- rpois(R, 4); for (t in 2:T) N[, t] <- rbinom(R, N[, t - 1], 0.7) + rpois(R, 1.2)
    C <- array(rbinom(R * T * 2, rep(N, 2), 0.6), c(R, T, 2))
    add("open-n-mixture", "model {
      lambda ~ dunif(0, 20)
      omega ~ dunif(0, 1)
      gamma ~ dunif(0, 10)
      p ~ dunif(0, 1)
      for (i in 1:R) {
        N[i, 1] ~ dpois(lambda)
        for (k in 1:2) { y[i, 1, k] ~ dbin(p, N[i, 1]) }
        for (t in 2:T) {
          S[i, t] ~ dbin(omega, N[i, t - 1])
          G[i, t] ~ dpois(gamma)
          N[i, t] <- S[i, t] + G[i, t]
          for (k in 1:2) { y[i, t, k] ~ dbin(p, N[i, t]) }
        }
      }
      for (t in 1:T) { Ntot[t] <- sum(N[, t]) }
    }", list(y = C, R = R, T = T), c("lambda", "omega", "gamma", "p", "Ntot"), 20000,
        list(N = cbind(apply(C[, 1, ], 1, max) + 3, NA, NA, NA), S = cbind(NA, matrix(0, R, 3)), G = cbind(NA, apply(C, c(1, 2), max)[, -1] + 2)))
    y <- c(rnorm(12, 0, 1), rnorm(10, 5, 1), rnorm(8, 10, 1))
    add("dirichlet-process", "model {
      for (i in 1:N) {
        y[i] ~ dnorm(theta[i], tau)
        theta[i] <- mu[S[i]]
        S[i] ~ dcat(p[])
      }
      p[1] <- r[1]
      for (j in 2:C) { p[j] <- r[j] * (1 - r[j - 1]) * p[j - 1] / r[j - 1] }
      for (j in 1:(C - 1)) { r[j] ~ dbeta(1, alpha) }
      r[C] <- 1
      for (j in 1:C) { mu[j] ~ dnorm(0, 0.01) }
      alpha <- 1
      tau ~ dgamma(1, 1)
    }", list(y = y, N = 30, C = 4), c("tau", "theta[1]", "theta[15]", "theta[30]"), 40000)
    x <- rnorm(80); yt <- rbinom(80, 1, plogis(-0.5 + x)); ym <- rbinom(80, 1, ifelse(yt == 1, 0.85, 0.1))
    add("misclassified", "model {
      for (i in 1:n) {
        ytrue[i] ~ dbern(p[i])
        logit(p[i]) <- a + b * x[i]
        y[i] ~ dbern(ytrue[i] * se + (1 - ytrue[i]) * (1 - sp))
      }
      a ~ dnorm(0, 0.25)
      b ~ dnorm(0, 0.25)
      se ~ dbeta(17, 3)
      sp ~ dbeta(18, 2)
      prev <- mean(ytrue[])
    }", list(y = ym, x = x, n = 80), c("a", "b", "se", "sp", "prev"), 40000)
    add("cauchy", "model {
      for (i in 1:n) { y[i] ~ dt(theta, 1, 1) }
      theta ~ dnorm(0, 0.0001)
    }", list(y = c(-5.2, -4.1, 4.4, 5.7), n = 4), c("theta"), 100000)
    add("separation", "model {
      for (i in 1:n) {
        y[i] ~ dbern(p[i])
        logit(p[i]) <- a + b * x[i]
      }
      a ~ dnorm(0, 0.001)
      b ~ dnorm(0, 0.001)
    }", list(y = rep(0:1, each = 6), x = c(1:6, 7:12) / 4, n = 12), c("a", "b"), 100000)
    g <- rep(1:3, each = 6); add("three-groups", "model {
      for (i in 1:n) { y[i] ~ dnorm(mu[g[i]], tau.y) }
      for (j in 1:3) { mu[j] ~ dnorm(m, tau.mu) }
      m ~ dnorm(0, 1.0E-4)
      tau.y <- pow(sigma.y, -2)
      tau.mu <- pow(sigma.mu, -2)
      sigma.y ~ dunif(0, 100)
      sigma.mu ~ dunif(0, 100)
    }", list(y = rnorm(18, c(4, 5, 7)[g], 1), g = g, n = 18), c("mu", "m", "sigma.y", "sigma.mu"), 200000)
    cell <- c(35, 20, 28, 17)
    add("dirichlet-votes", "model {
      y[1:4] ~ dmulti(theta[1:4], n)
      theta[1:4] ~ ddirch(a[1:4])
      lead <- theta[1] - theta[3]
      win <- step(lead)
      turnout ~ dbin(theta[1], 50)
    }", list(y = cell, n = 100, a = rep(1, 4)), c("theta", "lead", "win", "turnout"), 20000)
    dose <- rep(c(0.1, 0.5, 1, 2, 5, 10), 8); plate <- rep(1:8, each = 6); top <- rnorm(8, 10, 1)
    add("four-parameter-logistic", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- bottom + (top[plate[i]] - bottom) / (1 + exp(-hill * (log(dose[i]) - lec50)))
      }
      for (j in 1:8) { top[j] ~ dnorm(mtop, ttop) }
      mtop ~ dnorm(0, 0.001)
      ttop ~ dgamma(0.1, 0.1)
      bottom ~ dnorm(0, 0.001)
      hill ~ dnorm(0, 0.1) T(0, )
      lec50 ~ dnorm(0, 0.1)
      tau ~ dgamma(0.001, 0.001)
      ec50 <- exp(lec50)
    }", list(y = rnorm(48, 1 + (top[plate] - 1) / (1 + exp(-1.4 * (log(dose) - 0.3))), 0.5), dose = dose, plate = plate, n = 48),
        c("top", "mtop", "bottom", "hill", "ec50", "tau"), 40000)
})
