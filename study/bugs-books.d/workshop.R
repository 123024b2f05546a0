# Models of courses and papers in statistics, psychology and medicine: written with redundant scales, zero-sum effects, replicates and tricks.
local({
    set.seed(777)
    # overdispersed counts, two crossed groupings, redundant means (police stops)
    ne <- 3; np <- 15; eth <- rep(1:ne, np); pr <- rep(1:np, each = ne); arrests <- round(exp(runif(45, 3, 6)))
    stops <- rpois(45, arrests * exp(-1 + c(0.3, 0.1, -0.4)[eth] + rnorm(np, 0, 0.5)[pr] + rnorm(45, 0, 0.2)))
    add("police-stops", "model {
      for (i in 1:n){
        stops[i] ~ dpois (lambda[i])
        log(lambda[i]) <- offset[i] + mu + b.eth[eth[i]] + b.precinct[precinct[i]] + epsilon[i]
        epsilon[i] ~ dnorm (0, tau.epsilon)
      }
      mu ~ dnorm (0, .0001)
      mu.adj <- mu + mean(b.eth[]) + mean(b.precinct[])
      tau.epsilon <- pow(sigma.epsilon, -2)
      sigma.epsilon ~ dunif (0, 100)
      for (j in 1:n.eth){
        b.eth[j] ~ dnorm (0, tau.eth)
        b.eth.adj[j] <- b.eth[j] - mean(b.eth[])
      }
      tau.eth <- pow(sigma.eth, -2)
      sigma.eth ~ dunif (0, 100)
      for (j in 1:n.precinct){
        b.precinct[j] ~ dnorm (0, tau.precinct)
        b.precinct.adj[j] <- b.precinct[j] - mean(b.precinct[])
      }
      tau.precinct <- pow(sigma.precinct, -2)
      sigma.precinct ~ dunif (0, 100)
    }", list(stops = stops, offset = log(arrests), eth = eth, precinct = pr, n = 45, n.eth = ne, n.precinct = np),
        c("mu.adj", "b.eth.adj", "b.precinct.adj[1]", "sigma.epsilon", "sigma.precinct"), 60000)
    # the eight schools with a redundant multiplier
    add("schools-redundant", "model {
      for (j in 1:J){
        y[j] ~ dnorm (theta[j], tau.y[j])
        theta[j] <- mu.theta + xi*eta[j]
        tau.y[j] <- pow(sigma.y[j], -2)
        eta[j] ~ dnorm (0, tau.eta)
      }
      xi ~ dnorm (0, tau.xi)
      tau.xi <- pow(prior.scale, -2)
      tau.eta ~ dgamma (.5, .5)
      sigma.theta <- abs(xi)/sqrt(tau.eta)
      mu.theta ~ dnorm (0.0, 1.0E-6)
    }", list(y = c(28, 8, -3, 7, -1, 1, 18, 12), sigma.y = c(15, 10, 16, 11, 9, 11, 10, 18), J = 8, prior.scale = 25), c("mu.theta", "sigma.theta", "theta[1]", "theta[8]"), 40000)
    # one-parameter and two-parameter dose finding
    add("dose-finding", "model {
      for (j in 1:K) {
        logit(p[j]) <- alpha + exp(lbeta) * log(dose[j] / ref)
        tox[j] ~ dbin(p[j], n[j])
        under[j] <- step(0.16 - p[j])
        over[j] <- step(p[j] - 0.33)
      }
      theta[1:2] ~ dmnorm(m[], Prec[, ])
      alpha <- theta[1]
      lbeta <- theta[2]
    }", list(tox = c(0, 0, 1, 2, 0), n = c(3, 3, 6, 4, 0), dose = c(1, 2, 4, 8, 12), ref = 8, K = 5, m = c(-0.8, 0), Prec = solve(matrix(c(4, 0.3, 0.3, 1), 2))),
        c("p", "over", "under[1]"), 20000)
    add("dose-finding-power", "model {
      for (i in 1:K) {
        p[i] <- pow(skeleton[i], exp(a))
        y[i] ~ dbin(p[i], n[i])
      }
      a ~ dnorm(0, 1 / 1.34)
    }", list(y = c(0, 1, 2), n = c(3, 6, 3), skeleton = c(0.05, 0.15, 0.3), K = 3), c("a", "p"), 20000)
    # heterogeneous variances, both modelled
    n <- 70; x <- runif(n, 0, 3)
    add("variance-regression", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau[i])
        mu[i] <- b[1] + b[2] * x[i]
        log(tau[i]) <- g[1] + g[2] * x[i]
        sd[i] <- 1 / sqrt(tau[i])
        yrep[i] ~ dnorm(mu[i], tau[i])
      }
      pmax <- step(max(yrep[]) - max(y[]))
      for (j in 1:2) { b[j] ~ dnorm(0, 0.001)
        g[j] ~ dnorm(0, 0.001) }
    }", list(y = 1 + 2 * x + rnorm(n, 0, exp(-0.5 + 0.5 * x)), x = x, n = n), c("b", "g", "sd[1]", "pmax"))
    # a pooled series of polls with house effects (Jackman)
    D <- 60; a <- cumsum(c(0.5, rnorm(D - 1, 0, 0.004))); np <- 40; day <- sort(sample(1:D, np, TRUE)); org <- sample(1:4, np, TRUE); nn <- sample(500:1500, np)
    yy <- rbinom(np, nn, a[day] + c(0.02, -0.02, 0.01, -0.01)[org]) / nn
    add("pooled-polls", "model {
      for (i in 1:NPOLLS) {
        y[i] ~ dnorm(mu[i], prec[i])
        mu[i] <- house[org[i]] + alpha[date[i]]
      }
      for (i in 2:NPERIODS) { alpha[i] ~ dnorm(alpha[i - 1], tau) }
      tau <- 1 / pow(sigma, 2)
      sigma ~ dunif(0, .01)
      alpha[1] ~ dunif(.4, .6)
      for (i in 1:NHOUSES) { house[i] ~ dnorm(0, 1 / pow(.05, 2)) }
    }", list(y = yy, prec = nn / (yy * (1 - yy)), org = org, date = day, NPOLLS = np, NPERIODS = D, NHOUSES = 4), c("house", "sigma", "alpha[30]"), 20000)
    # a league's matches, effects that sum to zero
    K <- 8; g <- expand.grid(h = 1:K, v = 1:K); g <- g[g$h != g$v, ]; at <- rnorm(K, 0, 0.3); de <- rnorm(K, 0, 0.3)
    add("football", "model {
      for (i in 1:n) {
        goals1[i] ~ dpois(lambda1[i])
        goals2[i] ~ dpois(lambda2[i])
        log(lambda1[i]) <- mu + home + a[ht[i]] + d[at[i]]
        log(lambda2[i]) <- mu + a[at[i]] + d[ht[i]]
      }
      a[1] <- -sum(a[2:K])
      d[1] <- -sum(d[2:K])
      mu ~ dnorm(0, 0.001)
      home ~ dnorm(0, 0.001)
      for (i in 2:K) {
        a[i] ~ dnorm(0, 0.01)
        d[i] ~ dnorm(0, 0.01)
      }
      for (j in 1:K) { strength[j] <- a[j] - d[j] }
      rk[1:K] <- rank(strength[1:K])
      pred1 ~ dpois(exp(mu + home + a[1] + d[2]))
      pred2 ~ dpois(exp(mu + a[2] + d[1]))
      win <- step(pred1 - pred2 - 0.5)
    }", list(goals1 = rpois(nrow(g), exp(0.1 + 0.3 + at[g$h] + de[g$v])), goals2 = rpois(nrow(g), exp(0.1 + at[g$v] + de[g$h])), ht = g$h, at = g$v, n = nrow(g), K = K),
        c("mu", "home", "a", "d[1]", "rk[1]", "win"))
    # selection of variables by indicators, normal slab (Kuo and Mallick)
    n <- 60; X <- matrix(rnorm(n * 6), n)
    add("indicator-selection", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- alpha + inprod(X[i, ], gb[])
      }
      for (j in 1:p) {
        gamma[j] ~ dbern(0.5)
        beta[j] ~ dnorm(0, 0.1)
        gb[j] <- gamma[j] * beta[j]
      }
      alpha ~ dnorm(0, 0.001)
      tau ~ dgamma(0.01, 0.01)
      size <- sum(gamma[])
    }", list(y = 1 + as.vector(X %*% c(0.6, 0, 0.3, 0, 0, 0)) + rnorm(n), X = X, n = n, p = 6), c("gamma", "gb", "alpha", "size"), 20000)
    # Zellner's prior
    XX <- cbind(1, X)
    add("g-prior", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau)
        mu[i] <- inprod(X[i, ], beta[])
      }
      for (j in 1:p) { mean.b[j] <- 0 }
      beta[1:p] ~ dmnorm(mean.b[], T[, ])
      for (i in 1:p) { for (j in 1:p) { T[i, j] <- inprod(X[, i], X[, j]) * tau / c2 } }
      c2 <- n
      tau ~ dgamma(0.01, 0.01)
      s2 <- 1 / tau
      R2B <- 1 - s2 / pow(sd(y[]), 2)
    }", list(y = 1 + as.vector(X %*% c(0.6, 0, 0.3, 0, 0, 0)) + rnorm(n), X = XX, n = n, p = 7), c("beta", "s2", "R2B"))
    # a multinomial processing tree, people of their own
    N <- 25; u <- plogis(rnorm(N, 0, 0.6)); cc <- plogis(rnorm(N, 0.5, 0.6)); r <- plogis(rnorm(N, 0.4, 0.4))
    K <- t(sapply(1:N, function(i) rmultinom(1, 20, c(cc[i] * r[i], (1 - cc[i]) * u[i]^2, 2 * u[i] * (1 - cc[i]) * (1 - u[i]), cc[i] * (1 - r[i]) + (1 - cc[i]) * (1 - u[i])^2))))
    add("pair-clustering", "model {
      for (i in 1:N) {
        theta[i, 1] <- c[i] * r[i]
        theta[i, 2] <- (1 - c[i]) * pow(u[i], 2)
        theta[i, 3] <- (1 - c[i]) * 2 * u[i] * (1 - u[i])
        theta[i, 4] <- c[i] * (1 - r[i]) + (1 - c[i]) * pow(1 - u[i], 2)
        k[i, 1:4] ~ dmulti(theta[i, 1:4], n[i])
        probit(c[i]) <- muc + delta[i, 1]
        probit(r[i]) <- mur + delta[i, 2]
        probit(u[i]) <- muu + delta[i, 3]
        for (j in 1:3) { delta[i, j] ~ dnorm(0, tau[j]) }
      }
      for (j in 1:3) { sigma[j] ~ dunif(0, 3)
        tau[j] <- 1 / pow(sigma[j], 2) }
      muc ~ dnorm(0, 1)
      mur ~ dnorm(0, 1)
      muu ~ dnorm(0, 1)
      mean.c <- phi(muc)
    }", list(k = K, n = rep(20, N), N = N), c("muc", "mur", "muu", "sigma", "mean.c"), 40000)
    # the generalised context model for counts of category responses
    d1 <- as.matrix(dist(c(1, 1, 2, 2, 3, 3, 4, 4), "manhattan")); d2 <- as.matrix(dist(c(1, 3, 2, 4, 1, 3, 2, 4), "manhattan")); ca <- c(1, 1, 1, 2, 2, 1, 2, 2)
    S <- exp(-1.2 * (0.7 * d1 + 0.3 * d2)); rr <- rowSums(S[, ca == 1]) / rowSums(S)
    add("context-model", "model {
      for (i in 1:nstim) {
        y[i] ~ dbin(r[i], t)
        predy[i] ~ dbin(r[i], t)
      }
      for (i in 1:nstim) {
        r[i] <- sum(numerator[i, ]) / sum(denominator[i, ])
        for (j in 1:nstim) {
          tmp1[i, j, 1] <- b
          tmp1[i, j, 2] <- 1 - b
          tmp2[i, j, 1] <- 0
          tmp2[i, j, 2] <- 1
          numerator[i, j] <- equals(a[j], 1) * b * s[i, j]
          denominator[i, j] <- (equals(a[j], 1) * b + equals(a[j], 2) * (1 - b)) * s[i, j]
          s[i, j] <- exp(-c * (w * d1[i, j] + (1 - w) * d2[i, j]))
        }
      }
      c ~ dunif(0, 5)
      w ~ dbeta(1, 1)
      b <- 0.5
    }", list(y = rbinom(8, 80, rr), t = 80, nstim = 8, a = ca, d1 = unname(d1), d2 = unname(d2)), c("c", "w", "predy[1]"), 10000)
    # free recall: thresholds of memory traces in time
    Tt <- seq(2, 40, 2); eta <- exp(-outer(Tt, Tt, function(a, b) 12 * abs(log(a) - log(b)))); dd <- eta / rowSums(eta); th <- pmin(1, rowSums(1 / (1 + exp(-9 * (dd - 0.5)))))
    add("recall", "model {
      c ~ dunif(0, 100)
      s ~ dunif(0, 100)
      t ~ dbeta(1, 1)
      for (i in 1:L) {
        for (j in 1:L) {
          sim[i, j] <- exp(-c * abs(log(T[i]) - log(T[j])))
          disc[i, j] <- sim[i, j] / sum(sim[i, 1:L])
          resp[i, j] <- 1 / (1 + exp(-s * (disc[i, j] - t)))
        }
        free[i] <- 1 - prod(1 - resp[i, 1:L])
        k[i] ~ dbin(free[i], n)
      }
    }", list(k = rbinom(20, 60, 1 - apply(1 - 1 / (1 + exp(-9 * (dd - 0.5))), 1, prod)), T = Tt, L = 20, n = 60), c("c", "s", "t"), 10000, list(c = 10, s = 10, t = 0.5))
    # a sudden change whose time is a uniform number
    add("change-uniform", "model {
      mu ~ dnorm(0, .001)
      alpha ~ dnorm(0, .001)I(0, )
      lambda ~ dgamma(.001, .001)
      tau ~ dunif(0, tmax)
      for (i in 1:n) {
        z1[i] <- step(t[i] - tau)
        z[i] <- z1[i] + 1
        c[i] ~ dnorm(mu2[z[i]], lambda)
      }
      mu2[1] <- mu
      mu2[2] <- mu + alpha
    }", list(c = c(rnorm(30, 0), rnorm(30, 2)), t = 1:60, n = 60, tmax = 60), c("mu", "alpha", "tau"))
    # skewed errors by hidden half-normals
    n <- 80; z <- abs(rnorm(n))
    add("skew-normal", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu + delta * z[i], tau)
        z[i] ~ dnorm(0, 1)T(0, )
      }
      mu ~ dnorm(0, 0.01)
      delta ~ dnorm(0, 0.1)
      tau ~ dgamma(0.1, 0.1)
      sigma <- 1 / sqrt(tau)
    }", list(y = 1 + 2 * z + rnorm(n, 0, 0.5), n = n), c("mu", "delta", "sigma", "z[1]"), 40000, list(delta = 2))
    # two covariates with holes, one of them binary
    n <- 80; x1 <- rnorm(n); x2 <- rbinom(n, 1, plogis(0.8 * x1)); y <- rbinom(n, 1, plogis(-0.5 + 0.8 * x1 + x2))
    x1[sample(n, 12)] <- NA; x2[sample(n, 12)] <- NA
    add("two-missing", "model {
      for (i in 1:n) {
        y[i] ~ dbern(p[i])
        logit(p[i]) <- b[1] + b[2] * x1[i] + b[3] * x2[i]
        x1[i] ~ dnorm(m1, t1)
        x2[i] ~ dbern(q[i])
        logit(q[i]) <- a[1] + a[2] * x1[i]
      }
      for (j in 1:3) { b[j] ~ dnorm(0, .1) }
      for (j in 1:2) { a[j] ~ dnorm(0, .1) }
      m1 ~ dnorm(0, .001)
      t1 ~ dgamma(1, 1)
    }", list(y = y, x1 = x1, x2 = x2, n = n), c("b", "a", "m1", "t1"), 20000)
    # survival and a marker in time, tied by the zeros trick
    n <- 40; u <- rnorm(n, 0, 0.7); tm <- c(0, 1, 2, 3); Y <- outer(u, tm * 0, "+") + matrix(rep(0.4 * tm, each = n), n) + rnorm(n * 4, 0, 0.4)
    ft <- rexp(n, 0.15 * exp(0.8 * u)); ev <- 1 * (ft < 8); ft <- pmin(ft, 8)
    add("joint-survival", "model {
      for (i in 1:n) {
        for (j in 1:4) {
          Y[i, j] ~ dnorm(b0 + b1 * t[j] + u[i], tau)
        }
        u[i] ~ dnorm(0, tau.u)
        zeros[i] ~ dpois(phi[i])
        phi[i] <- -loglik[i] + 10000
        h[i] <- exp(g0 + g1 * u[i])
        loglik[i] <- event[i] * log(h[i]) - h[i] * time[i]
      }
      b0 ~ dnorm(0, 0.01)
      b1 ~ dnorm(0, 0.01)
      g0 ~ dnorm(0, 0.01)
      g1 ~ dnorm(0, 0.01)
      tau ~ dgamma(0.1, 0.1)
      tau.u ~ dgamma(0.1, 0.1)
    }", list(Y = Y, t = tm, n = n, event = ev, time = ft, zeros = rep(0, n)), c("b0", "b1", "g0", "g1", "tau", "tau.u"), 40000)
    # an exponential kernel over places, prediction at a new one
    n <- 25; s <- cbind(runif(n, 0, 10), runif(n, 0, 10)); dm <- as.matrix(dist(s)); w <- as.vector(t(chol(exp(-0.4 * dm) + diag(1e-9, n))) %*% rnorm(n))
    add("kriging", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(W[i], tauNug)
        muW[i] <- beta0
      }
      W[1:n] ~ dmnorm(muW[], Omega[, ])
      for (i in 1:n) {
        for (j in 1:n) {
          H[i, j] <- (1 / tauSp) * exp(-phi * d[i, j])
        }
      }
      Omega[1:n, 1:n] <- inverse(H[1:n, 1:n])
      beta0 ~ dnorm(0, 0.01)
      tauSp ~ dgamma(2, 1)
      tauNug ~ dgamma(2, 0.2)
      phi ~ dunif(0.1, 3)
    }", list(y = 2 + w + rnorm(n, 0, 0.3), d = unname(dm), n = n), c("beta0", "tauSp", "tauNug", "phi", "W[1]"), 1000)
    # a vector autoregression of two series
    T <- 60; Z <- matrix(0, T, 2); for (t in 2:T) Z[t, ] <- c(0.6 * Z[t - 1, 1] + 0.2 * Z[t - 1, 2], 0.4 * Z[t - 1, 2]) + rnorm(2)
    add("vector-autoregression", "model {
      for (t in 2:T) {
        y[t, 1:2] ~ dmnorm(mu[t, 1:2], Omega[1:2, 1:2])
        for (k in 1:2) { mu[t, k] <- c0[k] + inprod(A[k, 1:2], y[t - 1, 1:2]) }
      }
      for (k in 1:2) {
        c0[k] ~ dnorm(0, 0.01)
        for (l in 1:2) { A[k, l] ~ dnorm(0, 1) }
      }
      Omega[1:2, 1:2] ~ dwish(R[, ], 3)
      Sigma[1:2, 1:2] <- inverse(Omega[, ])
      rho <- Sigma[1, 2] / sqrt(Sigma[1, 1] * Sigma[2, 2])
    }", list(y = Z, T = T, R = diag(2)), c("c0", "A", "Sigma[1,1]", "rho"))
    # quarterly sales: a level, a slope and seasons
    T <- 40; q <- rep(c(5, -3, 2, -4), 10); lev <- 20 + cumsum(rnorm(T, 0.3, 0.5))
    add("structural-series", "model {
      for (t in 1:T) { y[t] ~ dnorm(level[t] + seas[t], tau[1]) }
      level[1] ~ dnorm(20, 0.01)
      for (t in 2:T) { level[t] ~ dnorm(level[t - 1] + drift, tau[2]) }
      for (t in 1:3) { seas[t] ~ dnorm(0, 0.01) }
      for (t in 4:T) { seas[t] ~ dnorm(-seas[t - 1] - seas[t - 2] - seas[t - 3], tau[3]) }
      drift ~ dnorm(0, 1)
      for (k in 1:3) { sd[k] ~ dunif(0, 10)
        tau[k] <- pow(sd[k], -2) }
    }", list(y = lev + q + rnorm(T, 0, 0.6), T = T), c("drift", "sd", "level[40]", "seas[40]"), 60000)
    # a regime that switches, with a lag of its own in each
    T <- 120; sregime <- 1; yv <- 0; for (t in 2:T) { sregime[t] <- if (runif(1) < 0.93) sregime[t - 1] else 3 - sregime[t - 1]; yv[t] <- c(-1, 1.5)[sregime[t]] + 0.4 * yv[t - 1] + rnorm(1, 0, 0.6) }
    add("markov-switching", "model {
      s[1] ~ dcat(c(0.5, 0.5))
      for (t in 2:T) {
        s[t] ~ dcat(P[s[t - 1], ])
        y[t] ~ dnorm(mu[s[t]] + rho * y[t - 1], tau)
      }
      mu[1] ~ dnorm(0, 0.1)
      d ~ dnorm(0, 0.1)T(0, )
      mu[2] <- mu[1] + d
      rho ~ dunif(-1, 1)
      tau ~ dgamma(1, 1)
      for (k in 1:2) { P[k, 1:2] ~ ddirch(c(1, 1)) }
    }", list(y = yv, T = T), c("mu", "rho", "tau", "P[1,1]", "P[2,2]"), 20000, list(mu = c(-1, NA), d = 2))
    # an epidemic by difference equations
    T <- 25; S <- 990; I <- 10; for (t in 2:T) { new <- 0.5 * S[t - 1] * I[t - 1] / 1000; S[t] <- S[t - 1] - new; I[t] <- I[t - 1] + new - 0.25 * I[t - 1] }
    add("epidemic", "model {
      S[1] <- N - I0
      I[1] <- I0
      for (t in 2:T) {
        new[t] <- beta * S[t - 1] * I[t - 1] / N
        S[t] <- S[t - 1] - new[t]
        I[t] <- I[t - 1] + new[t] - gamma * I[t - 1]
        p[t] <- r / (r + rep * new[t])
        cases[t] ~ dnegbin(p[t], r)
      }
      beta ~ dlnorm(-1, 1)
      gamma ~ dlnorm(-1, 4)
      I0 ~ dgamma(2, 0.2)
      rep ~ dbeta(5, 5)
      r ~ dgamma(2, 0.1)
      R0 <- beta / gamma
    }", list(cases = c(NA, rnbinom(T - 1, size = 20, mu = 0.5 * 0.5 * S[-T] * I[-T] / 1000)), T = T, N = 1000), c("beta", "gamma", "R0", "I0", "rep", "r"), 60000, list(beta = 0.5, gamma = 0.3))
    # saturation with two treatments (Puromycin), errors by the mean
    conc <- rep(c(0.02, 0.06, 0.11, 0.22, 0.56, 1.10), each = 2); rate <- c(76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200, 67, 51, 84, 86, 98, 115, 131, 124, 144, 158, 160)
    add("michaelis-menten", "model {
      for (i in 1:N) {
        rate[i] ~ dnorm(mu[i], tau)
        mu[i] <- Vm[g[i]] * conc[i] / (Km[g[i]] + conc[i])
      }
      for (j in 1:2) {
        Vm[j] ~ dnorm(0, 0.0001)T(0, )
        Km[j] ~ dlnorm(-2, 0.25)
      }
      dV <- Vm[1] - Vm[2]
      ratio <- Km[1] / Km[2]
      tau <- pow(sigma, -2)
      sigma ~ dunif(0, 100)
    }", list(rate = rate, conc = c(conc, conc[-12]), g = rep(1:2, c(12, 11)), N = 23), c("Vm", "Km", "dV", "ratio", "sigma"), 20000)
    # a latent regression with loadings: a small structural equation model
    n <- 75; f1 <- rnorm(n); f2 <- 0.7 * f1 + rnorm(n, 0, 0.7); Y <- cbind(f1, 0.8 * f1, 1.2 * f1, f2, 0.9 * f2, 1.1 * f2) + rnorm(n * 6, 0, 0.6)
    add("structural-equations", "model {
      for (i in 1:n) {
        for (j in 1:3) { y[i, j] ~ dnorm(nu[j] + lam[j] * f[i, 1], tau[j]) }
        for (j in 4:6) { y[i, j] ~ dnorm(nu[j] + lam[j] * f[i, 2], tau[j]) }
        f[i, 1] ~ dnorm(0, t1)
        f[i, 2] ~ dnorm(g * f[i, 1], t2)
      }
      lam[1] <- 1
      lam[4] <- 1
      for (j in 2:3) { lam[j] ~ dnorm(1, 0.1) }
      for (j in 5:6) { lam[j] ~ dnorm(1, 0.1) }
      for (j in 1:6) { nu[j] ~ dnorm(0, 0.01)
        tau[j] ~ dgamma(1, 0.5) }
      g ~ dnorm(0, 0.1)
      t1 ~ dgamma(1, 0.5)
      t2 ~ dgamma(1, 0.5)
    }", list(y = unname(Y), n = n), c("lam[2]", "lam[6]", "g", "t1", "t2", "tau"), 10000)
    # a log-logistic survival time by the ones trick
    n <- 50; tt <- exp(2 + 0.5 * rlogis(n)); d <- 1 * (tt < 15); tt <- pmin(tt, 15)
    add("log-logistic-ones", "model {
      C <- 1000
      for (i in 1:n) {
        S[i] <- 1 / (1 + pow(t[i] / a, b))
        f[i] <- (b / a) * pow(t[i] / a, b - 1) * pow(S[i], 2)
        L[i] <- pow(f[i], d[i]) * pow(S[i], 1 - d[i])
        p[i] <- L[i] / C
        ones[i] ~ dbern(p[i])
      }
      a ~ dgamma(1, 0.01)
      b ~ dgamma(1, 0.1)
      S10 <- 1 / (1 + pow(10 / a, b))
    }", list(t = tt, d = d, n = n, ones = rep(1, n)), c("a", "b", "S10"), 20000)
    # below the limit of detection, by group, lognormal
    n <- 60; gg <- rep(1:6, each = 10); v <- exp(rnorm(6, 0, 0.6)[gg] + rnorm(n, 0, 0.8)); lod <- 0.5; y <- ifelse(v < lod, NA, log(v))
    add("detection-limit", "model {
      for (i in 1:n) {
        above[i] ~ dinterval(y[i], loglod)
        y[i] ~ dnorm(mu + u[g[i]], tau)
      }
      for (j in 1:G) { u[j] ~ dnorm(0, tau.u) }
      mu ~ dnorm(0, 0.01)
      tau ~ dgamma(0.1, 0.1)
      sd.u ~ dnorm(0, 1)T(0, )
      tau.u <- 1 / (sd.u * sd.u)
      gm <- exp(mu)
    }", list(y = y, above = 1 * !is.na(y), loglod = log(lod), g = gg, n = n, G = 6), c("mu", "tau", "sd.u", "gm", "u[1]"), 40000, list(y = ifelse(is.na(y), -2, NA)))
    # numbers that were rounded
    y <- round(rnorm(40, 3.2, 1.1))
    add("rounded", "model {
      for (i in 1:n) {
        r[i] ~ dinterval(z[i], cut[])
        z[i] ~ dnorm(mu, tau)
      }
      for (k in 1:8) { cut[k] <- k - 1.5 }
      mu ~ dnorm(0, 0.01)
      tau ~ dgamma(0.1, 0.1)
      sigma <- 1 / sqrt(tau)
    }", list(r = y + 1, n = 40), c("mu", "sigma"), 20000, list(z = y))
    # tanks: the largest serial number
    add("tanks", "model {
      N ~ dcat(w[])
      for (j in 1:M) { w[j] <- 1 / M
        p[j] <- step(N - j + 0.01) / N }
      for (i in 1:4) { y[i] ~ dcat(p[]) }
    }", list(y = c(3, 12, 31, 45), M = 300), c("N"), 20000, list(N = 100))
    # a group's regressions with Student errors and standardised data (Kruschke)
    J <- 15; s <- rep(1:J, each = 6); x <- rnorm(90, 60, 10); y <- 100 + rnorm(J, 0, 15)[s] + (2 + rnorm(J, 0, 0.5)[s]) * (x - 60) + 8 * rt(90, 4)
    add("robust-hierarchical-regression", "data {
      Ntotal <- length(y)
      xm <- mean(x)
      ym <- mean(y)
      xsd <- sd(x)
      ysd <- sd(y)
      for ( i in 1:length(y) ) {
        zx[i] <- ( x[i] - xm ) / xsd
        zy[i] <- ( y[i] - ym ) / ysd
      }
    }
    model {
      for ( i in 1:Ntotal ) {
        zy[i] ~ dt( zbeta0[s[i]] + zbeta1[s[i]] * zx[i] , 1/zsigma^2 , nu )
      }
      for ( j in 1:Nsubj ) {
        zbeta0[j] ~ dnorm( zbeta0mu , 1/(zbeta0sigma)^2 )
        zbeta1[j] ~ dnorm( zbeta1mu , 1/(zbeta1sigma)^2 )
      }
      zbeta0mu ~ dnorm( 0 , 1/(10)^2 )
      zbeta1mu ~ dnorm( 0 , 1/(10)^2 )
      zsigma ~ dunif( 1.0E-3 , 1.0E+3 )
      zbeta0sigma ~ dunif( 1.0E-3 , 1.0E+3 )
      zbeta1sigma ~ dunif( 1.0E-3 , 1.0E+3 )
      nu ~ dexp(1/30.0)
      for ( j in 1:Nsubj ) {
        beta1[j] <- zbeta1[j] * ysd / xsd
        beta0[j] <- zbeta0[j] * ysd  + ym - zbeta1[j] * xm * ysd / xsd
      }
      beta1mu <- zbeta1mu * ysd / xsd
      beta0mu <- zbeta0mu * ysd  + ym - zbeta1mu * xm * ysd / xsd
      sigma <- zsigma * ysd
    }", list(x = x, y = y, s = s, Nsubj = J), c("beta0mu", "beta1mu", "sigma", "nu", "zbeta0sigma", "zbeta1sigma", "beta1[3]"), 20000)
    # a logistic regression with guesses (Kruschke)
    n <- 110; x <- rnorm(n); y <- rbinom(n, 1, 0.1 + 0.8 * plogis(2 * x))
    add("robust-logistic", "data {
      xm <- mean(x)
      xsd <- sd(x)
      for (i in 1:length(y)) { zx[i] <- (x[i] - xm) / xsd }
    }
    model {
      for (i in 1:length(y)) {
        y[i] ~ dbern(mu[i])
        mu[i] <- (guess * (1/2) + (1.0 - guess) * ilogit(zbeta0 + zbeta1 * zx[i]))
      }
      zbeta0 ~ dnorm(0, 1/2^2)
      zbeta1 ~ dnorm(0, 1/2^2)
      guess ~ dbeta(1, 9)
      beta1 <- zbeta1 / xsd
      beta0 <- zbeta0 - zbeta1 * xm / xsd
    }", list(y = y, x = x), c("beta0", "beta1", "guess"), 20000)
    # cells of two crossed factors, effects that sum to zero by hand (Kruschke)
    a <- rep(1:3, each = 16); b <- rep(rep(1:2, each = 8), 3); y <- 50 + c(-3, 0, 3)[a] + c(-1, 1)[b] + c(0, 2, -2, 0, -2, 2)[(a - 1) * 2 + b] + rnorm(48, 0, 3)
    add("two-factors", "model {
      for (i in 1:Ntotal) {
        y[i] ~ dnorm(mu[i], 1/ySigma^2)
        mu[i] <- a0 + a1[x1[i]] + a2[x2[i]] + a1a2[x1[i], x2[i]]
      }
      ySigma ~ dunif(ySD/100, ySD*10)
      a0 ~ dnorm(yMean, 1/(ySD*5)^2)
      for (j1 in 1:Nx1Lvl) { a1[j1] ~ dnorm(0.0, 1/a1SD^2) }
      a1SD ~ dgamma(agammaShRa[1], agammaShRa[2])
      for (j2 in 1:Nx2Lvl) { a2[j2] ~ dnorm(0.0, 1/a2SD^2) }
      a2SD ~ dgamma(agammaShRa[1], agammaShRa[2])
      for (j1 in 1:Nx1Lvl) { for (j2 in 1:Nx2Lvl) {
        a1a2[j1, j2] ~ dnorm(0.0, 1/a1a2SD^2)
      } }
      a1a2SD ~ dgamma(agammaShRa[1], agammaShRa[2])
      for (j1 in 1:Nx1Lvl) { for (j2 in 1:Nx2Lvl) {
        m[j1, j2] <- a0 + a1[j1] + a2[j2] + a1a2[j1, j2]
      } }
      b0 <- mean(m[1:Nx1Lvl, 1:Nx2Lvl])
      for (j1 in 1:Nx1Lvl) { b1[j1] <- mean(m[j1, 1:Nx2Lvl]) - b0 }
      for (j2 in 1:Nx2Lvl) { b2[j2] <- mean(m[1:Nx1Lvl, j2]) - b0 }
      for (j1 in 1:Nx1Lvl) { for (j2 in 1:Nx2Lvl) {
        b1b2[j1, j2] <- m[j1, j2] - (b0 + b1[j1] + b2[j2])
      } }
    }", list(y = y, x1 = a, x2 = b, Ntotal = 48, Nx1Lvl = 3, Nx2Lvl = 2, yMean = mean(y), ySD = sd(y), agammaShRa = c(1.64, 0.064)),
        c("b0", "b1", "b2", "b1b2", "ySigma", "a1SD"), 40000)
})
