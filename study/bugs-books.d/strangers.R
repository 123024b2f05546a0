# As people write them who learn from several books at once: styles, spellings and priors as they come.
local({
    set.seed(71)
    # a random-effects network of three treatments with baselines as nuisance (Dias et al.)
    ns <- 8; t1 <- c(1, 1, 1, 1, 1, 2, 2, 1); t2 <- c(2, 2, 3, 3, 2, 3, 3, 3); true <- c(0, -0.5, -0.9)
    n <- matrix(rpois(16, 90), ns, 2); b <- rnorm(ns, -1, 0.4)
    r <- cbind(rbinom(ns, n[, 1], plogis(b)), rbinom(ns, n[, 2], plogis(b + true[t2] - true[t1] + rnorm(ns, 0, 0.2))))
    add("network-binomial", "model{
    for(i in 1:ns){
      w[i,1] <- 0; delta[i,1] <- 0
      mu[i] ~ dnorm(0,.0001)
      for (k in 1:na[i]) {
        r[i,k] ~ dbin(p[i,k],n[i,k])
        logit(p[i,k]) <- mu[i] + delta[i,k]
        rhat[i,k] <- p[i,k] * n[i,k]
        dev[i,k] <- 2 * (r[i,k] * (log(r[i,k])-log(rhat[i,k])) + (n[i,k]-r[i,k]) * (log(n[i,k]-r[i,k]) - log(n[i,k]-rhat[i,k])))
      }
      resdev[i] <- sum(dev[i,1:na[i]])
      for (k in 2:na[i]) {
        delta[i,k] ~ dnorm(md[i,k],taud[i,k])
        md[i,k] <- d[t[i,k]] - d[t[i,1]] + sw[i,k]
        taud[i,k] <- tau *2*(k-1)/k
        w[i,k] <- (delta[i,k] - d[t[i,k]] + d[t[i,1]])
        sw[i,k] <- sum(w[i,1:(k-1)])/(k-1)
      }
    }
    totresdev <- sum(resdev[])
    d[1]<-0
    for (k in 2:nt){ d[k] ~ dnorm(0,.0001) }
    sd ~ dunif(0,5)
    tau <- pow(sd,-2)
    for (c in 1:(nt-1)) { for (k in (c+1):nt) { or[c,k] <- exp(d[k] - d[c]) ; lor[c,k] <- (d[k]-d[c]) } }
    rk[1:nt] <- rank(d[])
    for (k in 1:nt) { best[k] <- equals(rk[k],1) }
    }", list(ns = ns, nt = 3, na = rep(2, ns), r = r, n = n, t = cbind(t1, t2)), c("d", "sd", "totresdev", "lor", "best"), 20000)
    # survival with a Weibull, parametrised by median, is.censored from the manual
    n <- 60; x <- rbinom(n, 1, 0.5); life <- rweibull(n, 1.4, 10 * exp(0.5 * x)); cens <- runif(n, 5, 20)
    add("weibull-ph-interval", "model {
      for (i in 1:n) {
        is.censored[i] ~ dinterval(t[i], t.cen[i])
        t[i] ~ dweib(r, mu[i])
        mu[i] <- exp(-(beta0 + beta1 * trt[i]) * r)
        logmed[i] <- log(log(2)) / r + beta0 + beta1 * trt[i]
      }
      beta0 ~ dnorm(0, 0.001)
      beta1 ~ dnorm(0, 0.001)
      r ~ dexp(0.001)
      med0 <- exp(beta0) * pow(log(2), 1 / r)
      HR <- exp(-beta1 * r)
    }", list(n = n, t = ifelse(life > cens, NA, life), is.censored = as.numeric(life > cens), t.cen = ifelse(life > cens, cens, 999),
             trt = x), c("beta0", "beta1", "r", "med0", "HR"), 20000, list(t = ifelse(life > cens, cens + 1, NA)))
    # log-normal survival by truncation, as in WinBUGS
    add("lognormal-censored", "model
    {
      for(i in 1:n)
      {
        t[i] ~ dlnorm(mu[i], tau) T(t.cen[i], )
        mu[i] <- b[1] + b[2]*trt[i]
      }
      for (j in 1:2) {b[j]~dnorm(0,1.0E-3)}
      tau~dgamma(.001,.001); s <- 1/sqrt(tau)
    }", list(n = n, t = life, t.cen = rep(0, n), trt = x), c("b", "s"), 20000)
    # ordinal regression with a probit link, cut points by differences of pnorm
    n <- 120; x <- rnorm(n); z <- 0.9 * x + rnorm(n); y <- 1 + (z > -0.8) + (z > 0.2) + (z > 1.1)
    add("ordinal-sorted", "model{
      for(i in 1:N){
        mu[i] <- beta*x[i]
        logit(Q[i,1]) <- tau[1]-mu[i]
        p[i,1] <- Q[i,1]
        for(j in 2:3){
          logit(Q[i,j]) <- tau[j]-mu[i]
          p[i,j] <- Q[i,j] - Q[i,j-1]
        }
        p[i,4] <- 1 - Q[i,3]
        y[i] ~ dcat(p[i,1:4])
      }
      beta ~ dnorm(0,.01)
      for(j in 1:3){ tau0[j] ~ dnorm(0,.01) }
      tau[1:3] <- sort(tau0)
    }", list(N = n, x = x, y = y), c("beta", "tau"), 20000, list(tau0 = c(-1, 0, 1)))
    add("interval-latent-ordinal", "model {
      for (i in 1:N) {
        y[i] ~ dinterval(z[i], c(c1, c2, c3))
        z[i] ~ dnorm(b * x[i], 1)
      }
      b ~ dnorm(0, 0.1)
      c1 ~ dnorm(-1, 0.1)
      d2 ~ dexp(0.5)
      d3 ~ dexp(0.5)
      c2 <- c1 + d2
      c3 <- c2 + d3
    }", list(N = n, x = x, y = y - 1), c("b", "c1", "c2", "c3"), 20000, list(z = c(-2, -0.5, 0.6, 2)[y], c1 = -1, d2 = 1, d3 = 1))
    # multinomial with random counts, softmax by hand
    K <- 3; n <- 40; x <- rnorm(n); e <- cbind(0, 0.4 + 0.8 * x, -0.3 - 0.5 * x); P <- exp(e) / rowSums(exp(e))
    Y <- t(apply(P, 1, function(p) rmultinom(1, 12, p)))
    add("multinomial-counts", "model {
      for (i in 1:n) {
        Y[i, 1:K] ~ dmulti(p[i, 1:K], 12)
        for (k in 1:K) {
          p[i, k] <- phi[i, k] / sum(phi[i, ])
          log(phi[i, k]) <- alpha[k] + beta[k] * x[i]
        }
      }
      alpha[1] <- 0
      beta[1] <- 0
      for (k in 2:K) { alpha[k] ~ dnorm(0, 0.00001); beta[k] ~ dnorm(0, 0.00001) }
    }", list(Y = Y, x = x, n = n, K = K), c("alpha[2]", "alpha[3]", "beta[2]", "beta[3]"), 20000)
    # a hurdle by the zeros trick
    n <- 80; x <- rnorm(n); y <- rbinom(n, 1, plogis(0.3 + x)) * (1 + rpois(n, exp(0.5 + 0.3 * x)))
    add("hurdle-zeros", "model {
      C <- 10000
      for (i in 1:n) {
        zeros[i] ~ dpois(-ll[i] + C)
        logit(pi[i]) <- g[1] + g[2] * x[i]
        log(lambda[i]) <- b[1] + b[2] * x[i]
        z[i] <- step(y[i] - 0.0001)
        l1[i] <- (1 - z[i]) * log(1 - pi[i])
        l2[i] <- z[i] * (log(pi[i]) + y[i] * log(lambda[i]) - lambda[i] - loggam(y[i] + 1) - log(1 - exp(-lambda[i])))
        ll[i] <- l1[i] + l2[i]
      }
      for (j in 1:2) { g[j] ~ dnorm(0, 0.001); b[j] ~ dnorm(0, 0.001) }
    }", list(y = y, x = x, n = n, zeros = rep(0, n)), c("g", "b"), 20000)
    # coal-mining disasters with a discrete uniform change
    D <- c(rpois(40, 3.2), rpois(40, 1))
    add("disasters", "model {
      for (year in 1:N) {
        D[year] ~ dpois(mu[year])
        mu[year] <- ifelse(year < cp, lambda1, lambda2)
      }
      cp ~ dcat(punif)
      lambda1 ~ dexp(alpha)
      lambda2 ~ dexp(alpha)
      alpha ~ dexp(1)
      diff <- lambda1 - lambda2
    }", list(D = D, N = 80, punif = rep(1 / 80, 80)), c("lambda1", "lambda2", "cp", "diff"), 20000)
    # a spline by truncated powers with random coefficients (Crainiceanu, Ruppert & Wand)
    n <- 80; x <- sort(runif(n)); knots <- seq(0.1, 0.9, by = 0.1); y <- sin(2 * pi * x) + rnorm(n, 0, 0.3)
    Z <- outer(x, knots, function(a, b) pmax(a - b, 0)); X <- cbind(1, x)
    add("spline-truncated", "model{ #Begin model
      #Likelihood of the model
      for (i in 1:n)
      {
        response[i]~dnorm(m[i],taueps)
        m[i]<-mfe[i]+mre[i]
        mfe[i]<-beta[1]*X[i,1]+beta[2]*X[i,2]
        mre[i]<-inprod(b[],Z[i,])
      }
      for (k in 1:num.knots){b[k]~dnorm(0,taub)}
      for (l in 1:2){beta[l]~dnorm(0,1.0E-6)}
      taueps~dgamma(1.0E-6,1.0E-6)
      taub~dgamma(1.0E-6,1.0E-6)
      sigmaeps<-1/sqrt(taueps)
      sigmab<-1/sqrt(taub)
    }#end model", list(response = y, X = X, Z = Z, n = n, num.knots = 9), c("beta", "b", "sigmaeps", "sigmab"), 20000)
    # robust regression by scale mixtures
    n <- 50; x <- rnorm(n); y <- 1 + 2 * x + rt(n, 3)
    add("t-as-mixture", "model {
      for (i in 1:n) {
        y[i] ~ dnorm(mu[i], tau * w[i])
        w[i] ~ dgamma(2, 2)   # nu / 2 with nu = 4
        mu[i] <- alpha + beta * (x[i] - mean(x[]))
      }
      alpha ~ dnorm(0, 1.0E-4); beta ~ dnorm(0, 1.0E-4)
      tau ~ dgamma(0.001, 0.001)
      sigma = sqrt(1 / tau)
    }", list(y = y, x = x, n = n), c("alpha", "beta", "sigma", "w"), 20000)
    # AR(2) with forecasts
    v <- as.numeric(arima.sim(list(ar = c(0.5, 0.2)), 100))
    add("ar2-forecast", "model {
      for (t in 3:n) { y[t] ~ dnorm(theta0 + theta[1] * y[t-1] + theta[2] * y[t-2], tau) }
      for (h in 1:3) { y[n+h] ~ dnorm(theta0 + theta[1] * y[n+h-1] + theta[2] * y[n+h-2], tau) }
      theta0 ~ dnorm(0, .001)
      for (j in 1:2) { theta[j] ~ dnorm(0, .001) }
      tau ~ dgamma(.001, .001)
      sigma <- pow(tau, -0.5)
    }", list(y = c(v, NA, NA, NA), n = 100), c("theta0", "theta", "sigma", "y[101]", "y[102]", "y[103]"), 20000)
    # moving average written with residuals
    add("ma1", "model {
      eps[1] <- y[1] - mu
      for (t in 2:T) {
        m[t] <- mu + theta * eps[t-1]
        eps[t] <- y[t] - m[t]
        y[t] ~ dnorm(m[t], tau)
      }
      mu ~ dnorm(0.0, 0.01)
      theta ~ dunif(-1, 1)
      sigma ~ dunif(0, 100)
      tau <- 1/pow(sigma, 2)
    }", list(y = as.numeric(arima.sim(list(ma = 0.6), 40)), T = 40), c("mu", "theta", "sigma"), 20000)
})
