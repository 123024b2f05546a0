# Nested components, choices and learning, ecology of two species and many stocks, panels, epidemiology, doses.
local({
    set.seed(301)
    batch <- rep(1:10, each = 6); cask <- rep(1:30, each = 2)
    strength <- round(60 + rnorm(10, 0, 1.5)[batch] + rnorm(30, 0, 2.8)[cask] + rnorm(60, 0, 0.8), 1)
    add("pastes", "model {
      for (b in 1:10) { alpha[b] ~ dnorm(mu, tau.batch) }
      for (k in 1:30) { gamma[k] ~ dnorm(alpha[of[k]], tau.cask) }
      for (i in 1:60) { strength[i] ~ dnorm(gamma[cask[i]], tau) }
      mu ~ dnorm(0, 1.0E-6)
      sigma.batch ~ dunif(0, 100)
      sigma.cask ~ dunif(0, 100)
      sigma ~ dunif(0, 100)
      tau.batch <- pow(sigma.batch, -2)
      tau.cask <- pow(sigma.cask, -2)
      tau <- pow(sigma, -2)
      total <- pow(sigma.batch, 2) + pow(sigma.cask, 2) + pow(sigma, 2)
      share <- pow(sigma.batch, 2) / total
    }", list(strength = strength, cask = cask, of = rep(1:10, each = 3)),
    c("mu", "sigma.batch", "sigma.cask", "sigma", "share"), 20000)
})

local({
    set.seed(302)
    loss <- round(ifelse(runif(80) < 0.75, exp(rnorm(80, 0.3, 0.6)), 2 * runif(80)^(-1 / 1.6)), 3)
    add("losses-composite", "data { for (i in 1:N) { zero[i] <- 0 } }
    model {
      for (i in 1:N) {
        small[i] <- step(theta - x[i])
        density[i] <- w * dlnorm(x[i], mu, tau) + (1 - w) * dgamma(x[i], shape, rate)
        zero[i] ~ dpois(-log(density[i]) + 20)
      }
      w ~ dbeta(2, 2)
      mu ~ dnorm(0, 0.1)
      sigma ~ dunif(0, 3)
      tau <- pow(sigma, -2)
      shape ~ dgamma(4, 1)
      rate ~ dgamma(2, 2)
      theta <- exp(mu + sigma)
      below <- mean(small[])
    }", list(x = loss, N = 80), c("w", "mu", "sigma", "shape", "rate", "below"), 10000)
})

local({
    set.seed(303)
    S <- 12; G <- 40
    A1 <- round(runif(G, -40, 80)); A2 <- round(runif(G, -60, 0)); p <- round(runif(G, 0.1, 0.9), 2); B1 <- round(runif(G, -20, 30))
    al <- pnorm(rnorm(S, 0.8, 0.4)); la <- exp(rnorm(S, 0.6, 0.3)); th <- exp(rnorm(S, -1.8, 0.3))
    u <- function(x, a, l) ifelse(x >= 0, abs(x)^a, -l * abs(x)^a)
    y <- t(sapply(1:S, function(s) rbinom(G, 1, plogis(th[s] * (p * u(A1, al[s], la[s]) + (1 - p) * u(A2, al[s], la[s]) - u(B1, al[s], la[s]))))))
    add("prospects", "model {
      for (s in 1:S) {
        for (g in 1:G) {
          vA1[s, g] <- pow(abs(A1[g]), alpha[s]) * ifelse(A1[g] >= 0, 1, -lambda[s])
          vA2[s, g] <- pow(abs(A2[g]), alpha[s]) * ifelse(A2[g] >= 0, 1, -lambda[s])
          vB[s, g] <- pow(abs(B[g]), alpha[s]) * ifelse(B[g] >= 0, 1, -lambda[s])
          logit(q[s, g]) <- theta[s] * (p[g] * vA1[s, g] + (1 - p[g]) * vA2[s, g] - vB[s, g])
          y[s, g] ~ dbern(q[s, g])
        }
        alpha[s] <- phi(alpha.phi[s])
        alpha.phi[s] ~ dnorm(mu.alpha, tau.alpha)
        lambda[s] <- exp(llambda[s])
        llambda[s] ~ dnorm(mu.lambda, tau.lambda)
        theta[s] <- exp(ltheta[s])
        ltheta[s] ~ dnorm(mu.theta, tau.theta)
      }
      mu.alpha ~ dnorm(0, 1)
      mu.lambda ~ dunif(-2.3, 1.61)
      mu.theta ~ dunif(-4, 1.6)
      s.alpha ~ dunif(0.01, 1.5)
      s.lambda ~ dunif(0.01, 1.2)
      s.theta ~ dunif(0.01, 1.2)
      tau.alpha <- pow(s.alpha, -2)
      tau.lambda <- pow(s.lambda, -2)
      tau.theta <- pow(s.theta, -2)
    }", list(S = S, G = G, A1 = A1 + 0.5, A2 = A2 - 0.5, B = B1 + 0.5, p = p, y = y),
    c("mu.alpha", "mu.lambda", "mu.theta", "s.alpha", "s.lambda", "s.theta", "lambda[1:3]"), 10000)
})

local({
    set.seed(304)
    S <- 10; n <- 60
    eta <- plogis(rnorm(S, -1, 0.5)); beta <- exp(rnorm(S, 1, 0.3))
    choice <- matrix(0, S, n); reward <- matrix(0, S, n)
    for (s in 1:S) { Q <- c(0.5, 0.5)
        for (t in 1:n) { choice[s, t] <- rbinom(1, 1, plogis(beta[s] * (Q[2] - Q[1]))); reward[s, t] <- rbinom(1, 1, c(0.3, 0.7)[1 + choice[s, t]])
            Q[1 + choice[s, t]] <- Q[1 + choice[s, t]] + eta[s] * (reward[s, t] - Q[1 + choice[s, t]]) } }
    add("learning", "model {
      for (s in 1:S) {
        for (k in 1:2) { Q[s, k, 1] <- 0.5 }
        for (t in 1:n) {
          choice[s, t] ~ dbern(p[s, t])
          logit(p[s, t]) <- beta[s] * (Q[s, 2, t] - Q[s, 1, t])
        }
        for (t in 2:n) {
          for (k in 1:2) {
            Q[s, k, t] <- Q[s, k, t - 1] + equals(choice[s, t - 1], k - 1) * eta[s] * (reward[s, t - 1] - Q[s, k, t - 1])
          }
        }
        logit(eta[s]) <- leta[s]
        log(beta[s]) <- lbeta[s]
        leta[s] ~ dnorm(mu.eta, pow(sd.eta, -2))
        lbeta[s] ~ dnorm(mu.beta, pow(sd.beta, -2))
      }
      mu.eta ~ dnorm(0, 1)
      mu.beta ~ dnorm(0, 1)
      sd.eta ~ dunif(0, 2)
      sd.beta ~ dunif(0, 2)
    }", list(S = S, n = n, choice = choice, reward = reward), c("mu.eta", "mu.beta", "sd.eta", "sd.beta", "eta[1:3]"), 5000)
})

local({
    set.seed(305)
    R <- 60; J <- 4; x <- round(rnorm(R), 2)
    zA <- rbinom(R, 1, plogis(0.2 + 0.8 * x)); zB <- rbinom(R, 1, plogis(0.5 - 1.2 * zA))
    yA <- rbinom(R, J, 0.5 * zA); yB <- rbinom(R, J, zB * ifelse(zA == 1, 0.25, 0.45))
    add("two-species", "model {
      for (i in 1:R) {
        zA[i] ~ dbern(psiA[i])
        logit(psiA[i]) <- a0 + a1 * x[i]
        zB[i] ~ dbern(psiB[i])
        psiB[i] <- zA[i] * psiBA + (1 - zA[i]) * psiBa
        yA[i] ~ dbin(zA[i] * pA, J)
        yB[i] ~ dbin(zB[i] * (zA[i] * rBA + (1 - zA[i]) * rBa), J)
      }
      a0 ~ dnorm(0, 0.37)
      a1 ~ dnorm(0, 0.37)
      psiBA ~ dunif(0, 1)
      psiBa ~ dunif(0, 1)
      pA ~ dunif(0, 1)
      rBA ~ dunif(0, 1)
      rBa ~ dunif(0, 1)
      sif <- psiBA / (psiBa + 0.001)
    }", list(R = R, J = J, x = x, yA = yA, yB = yB), c("a0", "a1", "psiBA", "psiBa", "pA", "rBA", "rBa", "sif"), 20000,
    list(zA = rep(1, R), zB = rep(1, R)))
})

local({
    set.seed(306)
    n <- 40; months <- 18; enter <- sample(1:8, n, TRUE)
    e <- rnorm(months, 0, 0.5); alive <- matrix(NA, n, months)
    for (i in 1:n) { a <- 1; for (t in enter[i]:months) { if (is.na(a) || a == 0) break; a <- rbinom(1, 1, plogis(2.6 + e[t])); alive[i, t] <- a } }
    last <- apply(alive, 1, function(v) max(which(!is.na(v))))
    add("known-fate", "model {
      for (i in 1:n) { for (t in enter[i]:last[i]) { alive[i, t] ~ dbern(S[t]) } }
      for (t in 1:months) {
        logit(S[t]) <- mu + e[t]
        e[t] ~ dnorm(0, tau)
      }
      mu ~ dnorm(0, 0.01)
      sigma ~ dunif(0, 5)
      tau <- pow(sigma, -2)
      annual <- prod(S[1:12])
    }", list(n = n, months = months, alive = alive, enter = enter, last = last), c("mu", "sigma", "annual", "S[1:4]"), 20000)
})

local({
    set.seed(307)
    N <- 70; M <- 140; marked <- 22
    rate <- exp(rnorm(N, log(2.2), 0.5)); seen <- rpois(N, rate)
    y <- c(seen[1:marked], rep(NA, M - marked)); unmarked <- sum(seen[-(1:marked)])
    add("mark-resight", "model {
      for (i in 1:m) {
        y[i] ~ dpois(lambda[i])
        log(lambda[i]) <- alpha + eps[i]
        eps[i] ~ dnorm(0, tau)
      }
      U ~ dpois(expected.unmarked)
      unmarked ~ dpois(U * exp(alpha + 0.5 / tau))
      expected.unmarked ~ dgamma(0.001, 0.001)
      alpha ~ dnorm(0, 0.01)
      sd ~ dunif(0, 3)
      tau <- pow(sd, -2)
      N <- U + m
    }", list(y = seen[1:marked], m = marked, unmarked = unmarked), c("N", "alpha", "sd"), 50000, list(U = 60))
})

local({
    set.seed(308)
    stocks <- 8; years <- 15
    a <- rnorm(stocks, 1.4, 0.4); b <- exp(rnorm(stocks, -1, 0.3))
    S <- matrix(round(exp(rnorm(stocks * years, 0.3, 0.6)), 3), stocks)
    logRS <- a - b * S + matrix(rnorm(stocks * years, 0, 0.5), stocks)
    add("stocks", "model {
      for (s in 1:stocks) {
        for (t in 1:years) {
          logRS[s, t] ~ dnorm(a[s] - b[s] * S[s, t], tau[s])
        }
        a[s] ~ dnorm(mu.a, tau.a)
        log(b[s]) <- lb[s]
        lb[s] ~ dnorm(mu.b, 1)
        tau[s] ~ dgamma(3, rate)
        Smsy[s] <- a[s] / b[s] * (0.5 - 0.07 * a[s])
      }
      mu.a ~ dnorm(0, 0.1)
      sd.a ~ dunif(0, 3)
      tau.a <- pow(sd.a, -2)
      mu.b ~ dnorm(0, 0.1)
      rate ~ dgamma(1, 1)
    }", list(stocks = stocks, years = years, S = S, logRS = round(logRS, 4)), c("mu.a", "sd.a", "mu.b", "rate", "a[1:3]", "b[1:3]", "Smsy[1]"), 10000)
})

local({
    set.seed(309)
    prey <- rep(c(2, 4, 8, 16, 32, 64), each = 6); pan <- rep(1:6, 6)
    eaten <- rbinom(36, prey, 1 / (1 + 1 * 0.05 * prey / 1) * 0.7)
    add("functional-response", "model {
      for (i in 1:n) {
        eaten[i] ~ dbin(p[i], prey[i])
        p[i] <- 1 - exp(-attack[i] / (1 + attack[i] * h * prey[i]))
        log(attack[i]) <- la + u[pan[i]]
      }
      for (j in 1:6) { u[j] ~ dnorm(0, tau) }
      la ~ dnorm(0, 0.1)
      h ~ dgamma(1, 5)
      sd ~ dunif(0, 2)
      tau <- 1 / (sd * sd)
    }", list(n = 36, eaten = eaten, prey = prey, pan = pan), c("la", "h", "sd", "u[1:2]"), 20000)
})

local({
    set.seed(310)
    trees <- 5; traps <- 40; dist <- matrix(round(runif(trees * traps, 1, 60), 1), traps); dbh <- c(20, 35, 28, 50, 42)
    k <- function(d, u) 1 / (pi * u * (1 + d^2 / u)^2)
    seeds <- rnbinom(traps, mu = 2 * colSums(t(k(dist, 200)) * (dbh^2 * 1.5)), size = 1.5)
    add("seed-shadow", "model {
      for (i in 1:traps) {
        for (k in 1:trees) {
          f[i, k] <- fecundity * pow(dbh[k], 2) / (3.14159 * u * pow(1 + pow(dist[i, k], 2) / u, 2))
        }
        mu[i] <- 2 * sum(f[i, ])
        p[i] <- r / (r + mu[i])
        seeds[i] ~ dnegbin(p[i], r)
      }
      log(u) <- lu
      lu ~ dnorm(5, 0.25)
      log(fecundity) <- lf
      lf ~ dnorm(0, 0.1)
      r ~ dgamma(2, 1)
    }", list(traps = traps, trees = trees, dist = dist, dbh = dbh, seeds = seeds), c("lu", "lf", "r"), 10000)
})

local({
    set.seed(311)
    n <- 80; items <- 6; th <- rnorm(n)
    a <- cbind(0, runif(items, -0.2, 0.6), runif(items, 0.7, 1.5)); c <- cbind(0, rnorm(items, 0.3, 0.4), rnorm(items, 0, 0.5))
    y <- sapply(1:items, function(j) sapply(1:n, function(i) sample(3, 1, prob = exp(a[j, ] * th[i] + c[j, ]))))
    add("nominal-response", "model {
      for (i in 1:n) {
        theta[i] ~ dnorm(0, 1)
        for (j in 1:items) {
          y[i, j] ~ dcat(p[i, j, 1:3])
          for (k in 1:3) {
            z[i, j, k] <- exp(a[j, k] * theta[i] + c[j, k])
            p[i, j, k] <- z[i, j, k] / sum(z[i, j, 1:3])
          }
        }
      }
      for (j in 1:items) {
        a[j, 1] <- 0
        c[j, 1] <- 0
        a[j, 2] ~ dnorm(0, 1)
        c[j, 2] ~ dnorm(0, 0.25)
        a[j, 3] ~ dnorm(1, 1) T(0,)
        c[j, 3] ~ dnorm(0, 0.25)
      }
    }", list(n = n, items = items, y = y), c("a[1:3,2:3]", "c[1:3,2:3]", "theta[1:3]"), 4000)
})

local({
    set.seed(312)
    n <- 50; items <- 8; th <- rnorm(n); sp <- 0.5 * th + rnorm(n, 0, 0.3)
    y <- sapply(1:items, function(j) rbinom(n, 1, plogis(th - seq(-1.5, 1.5, length = items)[j])))
    rt <- sapply(1:items, function(j) round(rnorm(n, 3 + 0.1 * j - sp, 0.35), 3))
    add("response-times", "model {
      for (i in 1:n) {
        person[i, 1:2] ~ dmnorm(zero[], P[,])
        for (j in 1:items) {
          y[i, j] ~ dbern(q[i, j])
          logit(q[i, j]) <- person[i, 1] - b[j]
          rt[i, j] ~ dnorm(beta[j] - person[i, 2], tau)
        }
      }
      for (j in 1:items) {
        b[j] ~ dnorm(0, 0.25)
        beta[j] ~ dnorm(3, 0.1)
      }
      tau ~ dgamma(0.01, 0.01)
      P[1:2, 1:2] ~ dwish(R[,], 3)
      Sigma[1:2, 1:2] <- inverse(P[,])
      rho <- Sigma[1, 2] / sqrt(Sigma[1, 1] * Sigma[2, 2])
    }", list(n = n, items = items, y = y, rt = rt, zero = c(0, 0), R = diag(2)), c("b[1:3]", "beta[1:2]", "tau", "rho", "Sigma[1,1]", "Sigma[2,2]"), 10000)
})

local({
    set.seed(313)
    n <- 60; items <- 10; W <- matrix(rbinom(items * 3, 2, 0.4), items); eta <- c(0.6, -0.4, 0.9)
    b <- c(W %*% eta) - 0.7 + rnorm(items, 0, 0.3)
    y <- sapply(1:items, function(j) rbinom(n, 1, plogis(rnorm(n, 0, 1.1) - b[j])))
    add("test-features", "model {
      for (i in 1:n) {
        theta[i] ~ dnorm(0, tau.theta)
        for (j in 1:items) {
          y[i, j] ~ dbern(p[i, j])
          logit(p[i, j]) <- theta[i] - b[j]
        }
      }
      for (j in 1:items) {
        b[j] ~ dnorm(mu.b[j], tau.b)
        mu.b[j] <- eta0 + inprod(eta[], W[j, ])
      }
      eta0 ~ dnorm(0, 0.1)
      for (k in 1:3) { eta[k] ~ dnorm(0, 0.1) }
      sd.theta ~ dunif(0, 5)
      sd.b ~ dunif(0, 5)
      tau.theta <- pow(sd.theta, -2)
      tau.b <- pow(sd.b, -2)
    }", list(n = n, items = items, y = y, W = W), c("eta0", "eta", "sd.theta", "sd.b", "b[1:2]"), 10000)
})

local({
    set.seed(314)
    n <- 40; Tt <- 7; a <- rnorm(n, 1, 0.6); y <- matrix(0, n, Tt); x <- matrix(round(rnorm(n * Tt), 2), n)
    y[, 1] <- a / 0.5 + rnorm(n, 0, 1)
    for (t in 2:Tt) y[, t] <- a + 0.5 * y[, t - 1] + 0.4 * x[, t] + rnorm(n, 0, 0.7)
    add("dynamic-panel", "model {
      for (i in 1:n) {
        y[i, 1] ~ dnorm(d0 + d1 * a[i], tau0)
        for (t in 2:T) { y[i, t] ~ dnorm(a[i] + rho * y[i, t - 1] + beta * x[i, t], tau) }
        a[i] ~ dnorm(mu, tau.a)
      }
      mu ~ dnorm(0, 0.001)
      rho ~ dunif(-1, 1)
      beta ~ dnorm(0, 0.001)
      d0 ~ dnorm(0, 0.01)
      d1 ~ dnorm(0, 0.01)
      tau ~ dgamma(0.01, 0.01)
      tau0 ~ dgamma(0.01, 0.01)
      sd.a ~ dunif(0, 10)
      tau.a <- pow(sd.a, -2)
      long.run <- beta / (1 - rho)
    }", list(n = n, T = Tt, y = round(y, 3), x = x), c("mu", "rho", "beta", "d0", "d1", "tau", "tau0", "sd.a", "long.run"), 20000)
})

local({
    set.seed(315)
    n <- 80; x <- round(rnorm(n), 2); b0 <- cumsum(rnorm(n, 0, 0.15)); b1 <- 1 + cumsum(rnorm(n, 0, 0.1))
    y <- b0 + b1 * x + rnorm(n, 0, 0.5)
    add("drifting-coefficients", "model {
      b0[1] ~ dnorm(0, 0.01)
      b1[1] ~ dnorm(0, 0.01)
      for (t in 2:n) {
        b0[t] ~ dnorm(b0[t - 1], pow(s0, -2))
        b1[t] ~ dnorm(b1[t - 1], pow(s1, -2))
      }
      for (t in 1:n) { y[t] ~ dnorm(b0[t] + b1[t] * x[t], tau) }
      tau ~ dgamma(0.01, 0.01)
      sigma <- 1 / sqrt(tau)
      s0 ~ dunif(0, 2)
      s1 ~ dunif(0, 2)
    }", list(n = n, x = x, y = round(y, 3)), c("s0", "s1", "sigma", "b0[1]", "b0[40]", "b1[80]"), 30000)
})

local({
    set.seed(316)
    n <- 120; y <- numeric(n); l <- numeric(n); l[1] <- 4; y[1] <- 4
    for (t in 2:n) { l[t] <- 0.8 + 0.35 * y[t - 1] + 0.45 * l[t - 1]; y[t] <- rpois(1, l[t]) }
    add("ingarch", "model {
      lambda[1] ~ dgamma(2, 0.5)
      y[1] ~ dpois(lambda[1])
      for (t in 2:n) {
        lambda[t] <- omega + alpha * y[t - 1] + beta * lambda[t - 1]
        y[t] ~ dpois(lambda[t])
      }
      omega ~ dgamma(1, 1)
      s[1:3] ~ ddirch(one[])
      alpha <- s[1]
      beta <- s[2]
      mean.level <- omega / (1 - alpha - beta)
    }", list(n = n, y = y, one = c(1, 1, 1)), c("omega", "alpha", "beta", "lambda[1]"), 10000)
})

local({
    set.seed(317)
    sets <- 60; x <- array(0, c(sets, 4, 2)); x[, , 1] <- rbinom(sets * 4, 1, 0.3); x[, , 2] <- round(rnorm(sets * 4), 2)
    case <- sapply(1:sets, function(i) sample(4, 1, prob = exp(0.9 * x[i, , 1] + 0.5 * x[i, , 2])))
    add("matched-sets", "model {
      for (i in 1:sets) {
        case[i] ~ dcat(p[i, 1:4])
        for (k in 1:4) {
          log(e[i, k]) <- beta[1] * x[i, k, 1] + beta[2] * x[i, k, 2]
          p[i, k] <- e[i, k] / sum(e[i, 1:4])
        }
      }
      for (j in 1:2) { beta[j] ~ dnorm(0, 0.01); OR[j] <- exp(beta[j]) }
    }", list(sets = sets, x = x, case = case), c("beta", "OR"), 10000)
})

local({
    set.seed(318)
    A <- 8; P <- 6; pop <- matrix(round(runif(A * P, 20, 60)) * 1000, A)
    age <- cumsum(c(-9, rep(0.5, 7))); per <- cumsum(c(0, rnorm(5, -0.1, 0.1))); coh <- cumsum(c(0, rnorm(A + P - 2, 0, 0.12)))
    cases <- matrix(rpois(A * P, pop * exp(outer(age, per, '+') + matrix(coh[outer(1:A, 1:P, function(i, j) j - i + A)], A))), A)
    add("age-period-cohort", "model {
      for (i in 1:A) {
        for (j in 1:P) {
          cases[i, j] ~ dpois(mu[i, j])
          log(mu[i, j]) <- log(pop[i, j]) + alpha[i] + phi[j] + psi[j - i + A]
        }
        alpha[i] ~ dnorm(-7, 0.01)
      }
      phi[1] <- 0
      phi[2] ~ dnorm(0, 1)
      for (j in 3:P) { phi[j] ~ dnorm(2 * phi[j - 1] - phi[j - 2], tau.p) }
      psi[1] <- 0
      psi[2] <- 0
      for (k in 3:(A + P - 1)) { psi[k] ~ dnorm(2 * psi[k - 1] - psi[k - 2], tau.c) }
      tau.p ~ dgamma(1, 0.01)
      tau.c ~ dgamma(1, 0.01)
      sd.c <- 1 / sqrt(tau.c)
    }", list(A = A, P = P, pop = pop, cases = cases), c("alpha[1]", "alpha[8]", "phi[2:6]", "psi[3]", "psi[13]", "sd.c"), 40000)
})

local({
    counts <- c(60, 49, 27, 217, 4, 64, 20)
    add("three-lists", "model {
      for (i in 1:M) {
        z[i] ~ dbern(omega)
        for (j in 1:3) {
          y[i, j] ~ dbern(z[i] * p[i, j])
          logit(p[i, j]) <- b[j] + d * u[i]
        }
        u[i] ~ dnorm(0, 1)
      }
      omega ~ dunif(0, 1)
      for (j in 1:3) { b[j] ~ dnorm(0, 0.25) }
      d ~ dunif(0, 3)
      N <- sum(z[])
    }", local({ y <- rbind(matrix(c(1,0,0), 14, 3, TRUE), matrix(c(0,1,0), 12, 3, TRUE), matrix(c(0,0,1), 20, 3, TRUE), matrix(c(1,1,0), 9, 3, TRUE),
        matrix(c(1,0,1), 8, 3, TRUE), matrix(c(0,1,1), 10, 3, TRUE), matrix(1, 9, 3)); n <- nrow(y)
        list(M = 200, y = rbind(y, matrix(0, 200 - n, 3))) }), c("N", "omega", "b", "d"), 10000, list(z = rep(1, 200)))
})

local({
    set.seed(320)
    k <- 14; S <- array(0, c(k, 2, 2)); y <- matrix(0, k, 2); D <- matrix(c(0.09, 0.05, 0.05, 0.16), 2)
    for (i in 1:k) { s <- runif(2, 0.15, 0.4); S[i, , ] <- matrix(c(s[1]^2, 0.6 * s[1] * s[2], 0.6 * s[1] * s[2], s[2]^2), 2)
        y[i, ] <- c(0.4, -0.2) + t(chol(D + S[i, , ])) %*% rnorm(2) }
    y[3, 2] <- y[3, 2]
    add("two-outcomes", "model {
      for (i in 1:k) {
        y[i, 1:2] ~ dmnorm(delta[i, ], W[i, 1:2, 1:2])
        W[i, 1:2, 1:2] <- inverse(S[i, , ])
        delta[i, 1:2] ~ dmnorm(d[], Omega[,])
      }
      d[1] ~ dnorm(0, 0.001)
      d[2] ~ dnorm(0, 0.001)
      s1 ~ dunif(0, 2)
      s2 ~ dunif(0, 2)
      rho ~ dunif(-1, 1)
      D[1, 1] <- s1 * s1
      D[2, 2] <- s2 * s2
      D[1, 2] <- rho * s1 * s2
      D[2, 1] <- D[1, 2]
      Omega[1:2, 1:2] <- inverse(D[,])
      new[1:2] ~ dmnorm(d[], Omega[,])
    }", list(k = k, y = round(y, 4), S = S), c("d", "s1", "s2", "rho", "delta[1,1]", "new"), 20000)
})

local({
    set.seed(321)
    age <- c(1, 3, 5, 8, 12, 16, 20, 25, 30, 40, 50, 60); n <- rep(c(40, 60), 6)
    pos <- rbinom(12, n, 0.92 * (1 - exp(-0.05 * pmin(age, 15) - 0.02 * pmax(age - 15, 0))) + 0.03)
    add("serology", "model {
      for (i in 1:12) {
        pos[i] ~ dbin(q[i], n[i])
        q[i] <- se * pi[i] + (1 - sp) * (1 - pi[i])
        pi[i] <- 1 - exp(-foi[1] * min(age[i], 15) - foi[2] * max(age[i] - 15, 0))
      }
      foi[1] ~ dexp(10)
      foi[2] ~ dexp(10)
      se ~ dbeta(46, 4)
      sp ~ dbeta(97, 3)
      ratio <- foi[1] / foi[2]
      falling <- step(foi[1] - foi[2])
    }", list(age = age, n = n, pos = pos), c("foi", "se", "sp", "falling"), 20000)
})

local({
    set.seed(322)
    n <- 16; time <- c(0.5, 1, 2, 4, 8, 12); eta <- t(t(chol(matrix(c(0.09, 0.03, 0.03, 0.06), 2))) %*% matrix(rnorm(2 * n), 2))
    CL <- 3 * exp(eta[, 1]); V <- 20 * exp(eta[, 2])
    conc <- t(sapply(1:n, function(i) 100 / V[i] * exp(-CL[i] / V[i] * time) * exp(rnorm(6, 0, 0.15))))
    add("bolus", "model {
      for (i in 1:n) {
        eta[i, 1:2] ~ dmnorm(mu[], Omega[,])
        CL[i] <- exp(eta[i, 1])
        V[i] <- exp(eta[i, 2])
        for (j in 1:6) {
          log.conc[i, j] ~ dnorm(log(dose) - eta[i, 2] - CL[i] / V[i] * time[j], tau)
        }
      }
      mu[1] ~ dnorm(0, 0.01)
      mu[2] ~ dnorm(0, 0.01)
      Omega[1:2, 1:2] ~ dwish(R[,], 2)
      Sigma[1:2, 1:2] <- inverse(Omega[,])
      tau ~ dgamma(0.001, 0.001)
      half.life <- log(2) * exp(mu[2] - mu[1])
    }", list(n = n, time = time, dose = 100, log.conc = round(log(conc), 4), R = diag(c(0.1, 0.1))),
    c("mu", "Sigma[1,1]", "Sigma[1,2]", "Sigma[2,2]", "tau", "CL[1:2]", "half.life"), 10000)
})

local({
    set.seed(323)
    subj <- rep(1:6, each = 9); time <- rep(c(0.25, 0.5, 0.75, 1, 2, 3, 4, 6, 8), 6)
    A <- exp(rnorm(6, 1, 0.2))[subj]; B <- exp(rnorm(6, -0.6, 0.3))[subj]
    y <- (A * exp(-2.5 * time) + B * exp(-0.25 * time)) * exp(rnorm(54, 0, 0.12))
    add("two-phases", "model {
      for (i in 1:54) {
        y[i] ~ dlnorm(log(mu[i]), tau)
        mu[i] <- exp(lA[subj[i]] - k1 * time[i]) + exp(lB[subj[i]] - k2 * time[i])
      }
      for (s in 1:6) {
        lA[s] ~ dnorm(mA, tA)
        lB[s] ~ dnorm(mB, tB)
      }
      k2 ~ dgamma(1, 1)
      gap ~ dgamma(1, 0.5)
      k1 <- k2 + gap
      mA ~ dnorm(0, 0.1)
      mB ~ dnorm(0, 0.1)
      sA ~ dunif(0, 2)
      sB ~ dunif(0, 2)
      tA <- pow(sA, -2)
      tB <- pow(sB, -2)
      tau ~ dgamma(0.01, 0.01)
    }", list(subj = subj, time = time, y = round(y, 4)), c("k1", "k2", "mA", "mB", "sA", "sB", "tau"), 20000)
})

local({
    set.seed(324)
    dose <- rep(c(1, 2, 4, 8), each = 4); prep <- rep(0:1, each = 16); dose <- c(dose, dose)
    y <- 10 + 3 * (log(dose) + prep * log(1.4)) + rnorm(32, 0, 0.8)
    add("parallel-lines", "model {
      for (i in 1:32) {
        y[i] ~ dnorm(a + b * (log(dose[i]) + prep[i] * lrho), tau)
      }
      a ~ dnorm(0, 0.0001)
      b ~ dnorm(0, 0.0001)
      lrho ~ dnorm(0, 1)
      rho <- exp(lrho)
      tau ~ dgamma(0.001, 0.001)
      good <- step(rho - 0.8) * step(1.25 - rho)
    }", list(y = round(y, 3), dose = dose, prep = prep), c("a", "b", "lrho", "rho", "tau", "good"), 10000)
})

local({
    set.seed(325)
    n <- 50; Tt <- 4; u <- rnorm(n, 0, 0.9); x <- matrix(round(rnorm(n * Tt), 2), n)
    y <- matrix(findInterval(0.7 * x + u + rnorm(n * Tt), c(-0.8, 0.5, 1.5)) + 1, n)
    add("ordered-probit-panel", "model {
      for (i in 1:n) {
        u[i] ~ dnorm(0, tau.u)
        for (t in 1:T) {
          mu[i, t] <- beta * x[i, t] + u[i]
          p[i, t, 1] <- phi(cut[1] - mu[i, t])
          for (k in 2:3) { p[i, t, k] <- phi(cut[k] - mu[i, t]) - phi(cut[k - 1] - mu[i, t]) }
          p[i, t, 4] <- 1 - phi(cut[3] - mu[i, t])
          y[i, t] ~ dcat(p[i, t, 1:4])
        }
      }
      cut[1] ~ dnorm(0, 0.1)
      for (k in 2:3) {
        d[k] ~ dexp(0.5)
        cut[k] <- cut[k - 1] + d[k]
      }
      beta ~ dnorm(0, 0.1)
      sd.u ~ dunif(0, 5)
      tau.u <- pow(sd.u, -2)
    }", list(n = n, T = Tt, x = x, y = y), c("beta", "cut", "sd.u", "u[1:2]"), 10000)
})

local({
    set.seed(326)
    g <- rep(1:20, each = 4); w <- rgamma(20, 2, 2); x <- rbinom(80, 1, 0.5)
    t <- (-log(runif(80)) / (0.1 * w[g] * exp(0.7 * x)))^(1 / 1.4); cens <- 6; dead <- t < cens
    add("gamma-frailty", "model {
      for (i in 1:80) {
        above[i] ~ dinterval(t[i], 6)
        t[i] ~ dweib(r, lambda[i])
        lambda[i] <- w[g[i]] * exp(a + b * x[i])
      }
      for (j in 1:20) { w[j] ~ dgamma(h, h) }
      h <- 1 / v
      v ~ dunif(0.01, 5)
      a ~ dnorm(0, 0.01)
      b ~ dnorm(0, 0.01)
      r ~ dgamma(1, 0.5)
    }", list(t = ifelse(dead, round(t, 4), NA), above = as.numeric(!dead), g = g, x = x), c("a", "b", "r", "v", "w[1:3]"), 10000,
    list(t = ifelse(dead, NA, 8)))
})

local({
    set.seed(327)
    routes <- 12; years <- 15; obs <- matrix(sample(1:20, routes * years, TRUE), routes)
    lam <- exp(2 + outer(rnorm(routes, 0, 0.6), rep(0, years), '+') + outer(rep(0, routes), -0.04 * ((1:years) - 8) + rnorm(years, 0, 0.1), '+') +
        matrix(rnorm(20, 0, 0.3)[obs], routes) + rnorm(routes * years, 0, 0.25))
    count <- matrix(rpois(routes * years, lam), routes)
    add("breeding-birds", "model {
      for (i in 1:routes) {
        for (t in 1:years) {
          count[i, t] ~ dpois(lambda[i, t])
          log(lambda[i, t]) <- route[i] + beta * (t - 8) + year[t] + observer[obs[i, t]] + eps[i, t]
          eps[i, t] ~ dnorm(0, tau.eps)
        }
        route[i] ~ dnorm(mu, tau.route)
      }
      for (t in 1:years) { year[t] ~ dnorm(0, tau.year) }
      for (k in 1:20) { observer[k] ~ dnorm(0, tau.obs) }
      mu ~ dnorm(0, 0.000001)
      beta ~ dnorm(0, 0.000001)
      tau.eps ~ dgamma(0.001, 0.001)
      tau.route ~ dgamma(0.001, 0.001)
      tau.year ~ dgamma(0.001, 0.001)
      tau.obs ~ dgamma(0.001, 0.001)
      sd.eps <- 1 / sqrt(tau.eps)
      sd.route <- 1 / sqrt(tau.route)
      sd.year <- 1 / sqrt(tau.year)
      sd.obs <- 1 / sqrt(tau.obs)
      trend <- 100 * (exp(beta) - 1)
    }", list(routes = routes, years = years, obs = obs, count = count), c("mu", "trend", "sd.eps", "sd.route", "sd.year", "sd.obs", "year[1]", "observer[1]"), 20000)
})

local({
    set.seed(328)
    Tt <- 20; n1 <- n2 <- numeric(Tt); n1[1] <- 3; n2[1] <- 5
    for (t in 2:Tt) { n1[t] <- 0.45 * n2[t - 1] * exp(rnorm(1, 0, 0.15)); n2[t] <- (0.6 * n1[t - 1] + 0.8 * n2[t - 1]) * exp(rnorm(1, 0, 0.1)) }
    juv <- round(n1 * exp(rnorm(Tt, 0, 0.2)), 3); ad <- round(n2 * exp(rnorm(Tt, 0, 0.15)), 3)
    add("two-ages", "model {
      l1[1] ~ dnorm(1, 0.1)
      l2[1] ~ dnorm(1, 0.1)
      for (t in 2:T) {
        l1[t] ~ dnorm(log(f) + l2[t - 1], tau.p)
        l2[t] ~ dnorm(log(sj * exp(l1[t - 1]) + sa * exp(l2[t - 1])), tau.p)
      }
      for (t in 1:T) {
        juv[t] ~ dlnorm(l1[t], tau.o)
        ad[t] ~ dlnorm(l2[t], tau.o)
      }
      f ~ dgamma(2, 4)
      sj ~ dbeta(2, 2)
      sa ~ dbeta(4, 2)
      sd.p ~ dunif(0, 1)
      sd.o ~ dunif(0, 1)
      tau.p <- pow(sd.p, -2)
      tau.o <- pow(sd.o, -2)
      growth <- (sa + sqrt(sa * sa + 4 * f * sj)) / 2
    }", list(T = Tt, juv = juv, ad = ad), c("f", "sj", "sa", "sd.p", "sd.o", "growth", "l2[20]"), 20000)
})

# Genetics, small experiments, transformations, recursions of the paper-and-pencil kind.
local({
    add("lethal-dose", "model {
      for (i in 1:4) {
        y[i] ~ dbin(p[i], n[i])
        logit(p[i]) <- alpha + beta * x[i]
      }
      alpha ~ dnorm(0, 0.001)
      beta ~ dnorm(0, 0.001)
      ld50 <- -alpha / beta
    }", list(x = c(-0.86, -0.3, -0.05, 0.73), n = rep(5, 4), y = c(0, 1, 3, 5)), c("alpha", "beta", "ld50"), 20000, list(alpha = 0.5, beta = 5))

    add("blood-groups", "model {
      x[1:4] ~ dmulti(q[], n)
      q[1] <- p[1] * p[1] + 2 * p[1] * p[3]
      q[2] <- p[2] * p[2] + 2 * p[2] * p[3]
      q[3] <- 2 * p[1] * p[2]
      q[4] <- p[3] * p[3]
      p[1:3] ~ ddirch(a[])
    }", list(x = c(186, 38, 13, 284), n = 521, a = c(1, 1, 1)), c("p"), 20000)

    add("linkage", "model {
      y[1:4] ~ dmulti(q[], 197)
      q[1] <- 0.5 + theta / 4
      q[2] <- (1 - theta) / 4
      q[3] <- (1 - theta) / 4
      q[4] <- theta / 4
      theta ~ dunif(0, 1)
    }", list(y = c(125, 18, 20, 34)), c("theta"), 20000)
})

local({
    set.seed(331)
    x <- round(runif(50, 0, 3), 2); y <- round((1 + 0.3 * (2 + 0.8 * x + rnorm(50, 0, 0.5)))^(1 / 0.3), 3)
    add("box-cox", "data { for (i in 1:n) { zero[i] <- 0\n ly[i] <- log(y[i]) } }
    model {
      for (i in 1:n) {
        z[i] <- (pow(y[i], lambda) - 1) / lambda
        phi[i] <- -(0.5 * log(tau) - 0.5 * tau * pow(z[i] - a - b * x[i], 2) + (lambda - 1) * ly[i]) + 100
        zero[i] ~ dpois(phi[i])
      }
      lambda ~ dunif(0.01, 2)
      a ~ dnorm(0, 0.001)
      b ~ dnorm(0, 0.001)
      tau ~ dgamma(0.01, 0.01)
    }", list(n = 50, x = x, y = y), c("lambda", "a", "b", "tau"), 30000)
})

local({
    set.seed(332)
    u <- c(5, 10, 15, 20, 30, 40, 60, 80, 100); lot <- rep(1:2, each = 9); u <- c(u, u)
    y <- rgamma(18, 40, 40 * (c(0.02, 0.024)[lot] * 0.5 + c(0.016, 0.02)[lot] * log(u) * 0.3))
    add("clotting", "model {
      for (i in 1:18) {
        y[i] ~ dgamma(shape, shape / mu[i])
        mu[i] <- 1 / (a[lot[i]] + b[lot[i]] * log(u[i]))
      }
      for (k in 1:2) {
        a[k] ~ dunif(0, 1)
        b[k] ~ dunif(0, 1)
      }
      shape ~ dgamma(0.01, 0.01)
      cv <- 1 / sqrt(shape)
    }", list(y = round(y, 3), u = u, lot = lot), c("a", "b", "cv"), 30000)
})

local({
    set.seed(333)
    n <- 60; x <- rbinom(n, 1, 0.5); t <- round(rgamma(n, 2, 0.4 * exp(0.5 * x))^(1 / 1.2), 3)
    add("generalised-gamma", "model {
      for (i in 1:n) {
        t[i] ~ dggamma(r, lambda[i], b)
        lambda[i] <- exp(a + g * x[i])
      }
      r ~ dgamma(2, 1)
      b ~ dgamma(4, 3)
      a ~ dnorm(0, 0.1)
      g ~ dnorm(0, 0.1)
    }", list(n = n, x = x, t = t), c("r", "b", "a", "g"), 40000)
})

local({
    set.seed(334)
    n <- 50; time <- round(cumsum(rexp(n, 1)) + 0.001, 3); x <- numeric(n); x[1] <- 3
    for (i in 2:n) { e <- exp(-0.4 * (time[i] - time[i - 1])); x[i] <- rnorm(1, 2 + (x[i - 1] - 2) * e, sqrt(0.8 * (1 - e^2))) }
    add("ornstein-uhlenbeck", "model {
      for (i in 2:n) {
        e[i] <- exp(-theta * (time[i] - time[i - 1]))
        x[i] ~ dnorm(mu + (x[i - 1] - mu) * e[i], 1 / (v * (1 - e[i] * e[i])))
      }
      x[1] ~ dnorm(mu, 1 / v)
      mu ~ dnorm(0, 0.01)
      theta ~ dgamma(1, 1)
      v ~ dunif(0, 10)
      half.life <- log(2) / theta
    }", list(n = n, time = time, x = round(x, 4)), c("mu", "theta", "v", "half.life"), 20000)
})

local({
    set.seed(335)
    days <- 40; S <- 0.998; I <- 0.002; y <- numeric(days)
    for (t in 1:days) { new <- S * (1 - exp(-0.45 * I)); S <- S - new; I <- I + new - 0.2 * I; y[t] <- rnbinom(1, mu = 2000 * new * 0.6, size = 15) }
    add("outbreak", "model {
      S[1] <- 1 - i0
      I[1] <- i0
      for (t in 1:days) {
        new[t] <- S[t] * (1 - exp(-beta * I[t]))
        S[t + 1] <- S[t] - new[t]
        I[t + 1] <- I[t] + new[t] - gamma * I[t]
        y[t] ~ dnegbin(k / (k + mu[t]), k)
        mu[t] <- pop * report * new[t] + 0.0001
      }
      i0 <- exp(log.i0)
      log.i0 ~ dnorm(-6, 1)
      beta ~ dlnorm(-1, 1)
      gamma ~ dbeta(4, 16)
      report ~ dbeta(6, 4)
      k ~ dgamma(2, 0.1)
      R0 <- beta / gamma
    }", list(days = days, y = y, pop = 2000), c("log.i0", "beta", "gamma", "report", "k", "R0"), 20000)
})

local({
    set.seed(336)
    n <- 70; l <- 10; b <- 0.1; y <- numeric(n)
    for (t in 1:n) { y[t] <- l + b + rnorm(1); e <- y[t] - l - b; l <- l + b + 0.4 * e; b <- b + 0.1 * e }
    add("smoothing", "model {
      l[1] <- l0
      b[1] <- b0
      for (t in 1:n) {
        y[t] ~ dnorm(l[t] + b[t], tau)
        l[t + 1] <- alpha * y[t] + (1 - alpha) * (l[t] + b[t])
        b[t + 1] <- beta * (l[t + 1] - l[t]) + (1 - beta) * b[t]
      }
      alpha ~ dunif(0, 1)
      beta ~ dbeta(1, 3)
      l0 ~ dnorm(10, 0.1)
      b0 ~ dnorm(0, 1)
      sigma ~ dunif(0, 20)
      tau <- pow(sigma, -2)
      forecast <- l[n + 1] + b[n + 1]
    }", list(n = n, y = round(y, 3)), c("alpha", "beta", "l0", "b0", "sigma", "forecast"), 10000)
})

local({
    hare <- c(30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1, 40.3, 57, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7)
    lynx <- c(4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4, 8, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6)
    add("predators", "model {
      for (t in 2:21) {
        lh[t] <- lh[t - 1] + r - a * lynx[t - 1]
        ll[t] <- log(lynx[t - 1]) - m + b * log(hare[t - 1] + 1)
        hare[t] ~ dlnorm(log(hare[t - 1]) + r - a * lynx[t - 1], tau[1])
        lynx[t] ~ dlnorm(ll[t], tau[2])
      }
      lh[1] ~ dnorm(3.4, 4)
      last <- lh[21]
      r ~ dnorm(0.5, 1)
      a ~ dgamma(1, 20)
      m ~ dnorm(1, 1)
      b ~ dgamma(1, 2)
      for (k in 1:2) {
        tau[k] <- pow(s[k], -2)
        s[k] ~ dunif(0, 3)
      }
    }", list(hare = hare, lynx = lynx), c("r", "a", "m", "b", "s"), 20000)
})

local({
    set.seed(337)
    n <- 30; K <- 5; w <- c(0, 0.5, 1, -0.6, 0.2)
    rank <- t(sapply(1:n, function(i) { left <- 1:K; out <- integer(0); while (length(left) > 1) { p <- sample(length(left), 1, prob = exp(w[left])); out <- c(out, left[p]); left <- left[-p] }; c(out, left) }))
    add("rankings", "data { for (i in 1:n) { for (k in 1:4) { one[i, k] <- 1 } } }
    model {
      for (i in 1:n) {
        for (k in 1:4) {
          for (j in k:5) { e[i, k, j] <- exp(w[rank[i, j]]) }
          p[i, k] <- e[i, k, k] / sum(e[i, k, k:5])
          one[i, k] ~ dbern(p[i, k])
        }
      }
      w[1] <- 0
      for (j in 2:5) { w[j] ~ dnorm(0, 0.25) }
      best <- equals(w[3], max(w[]))
    }", list(n = n, rank = rank), c("w[2:5]", "best"), 10000)
})

local({
    set.seed(338)
    y <- matrix(round(20 + rep(rnorm(5, 0, 1.5), 5) + rep(rnorm(5, 0, 0.8), each = 5) + c(0, 1, 2, 0, -1)[c(outer(1:5, 1:5, function(i, j) (i + j) %% 5 + 1))] + rnorm(25), 2), 5)
    add("latin-square", "model {
      for (i in 1:5) {
        for (j in 1:5) { y[i, j] ~ dnorm(mu + row[i] + column[j] + effect[treatment[i, j]], tau) }
        row[i] ~ dnorm(0, tau.row)
        column[i] ~ dnorm(0, tau.column)
      }
      effect[1] <- 0
      for (k in 2:5) { effect[k] ~ dnorm(0, 0.0001) }
      mu ~ dnorm(0, 0.0001)
      tau ~ dgamma(0.001, 0.001)
      tau.row ~ dgamma(0.001, 0.001)
      tau.column ~ dgamma(0.001, 0.001)
      sigma <- 1 / sqrt(tau)
      sigma.row <- 1 / sqrt(tau.row)
      sigma.column <- 1 / sqrt(tau.column)
    }", list(y = y, treatment = outer(1:5, 1:5, function(i, j) (i + j) %% 5 + 1)), c("mu", "effect[2:5]", "sigma", "sigma.row", "sigma.column"), 50000)
})
