#!/usr/bin/env Rscript
# SPDX-License-Identifier: BSD-3-Clause
# Smooth terms as mgcv fits them to the data of test_smooth.c, at new rows, some beyond the
# data: the numbers that it compares with. Made with R 4.2.2 and mgcv 1.8-41.
# Usage: Rscript smooth_r.R
suppressMessages(library(mgcv))
n <- 240
i <- seq_len(n)
part <- function(x) x - floor(x)
x <- part(i * 0.6180339887498949)
z <- part(i * 0.4142135623730951)
u <- part(i * 0.7320508075688772)
v <- part(i * 0.2360679774997898)
noise <- part(sin(i) * 1e4) + part(sin(2 * i + 1) * 1e4) + part(sin(3 * i + 2) * 1e4) - 1.5
g <- factor(c("a", "b", "c")[i %% 3 + 1])
wave <- function(x) sin(6 * x) + 0.7 * cos(13 * x)
d <- data.frame(y = wave(x) + 0.6 * noise, w = sin(2 * pi * x) + 0.5 * cos(4 * pi * x) + 0.6 * noise,
                t = z * wave(x) + 0.4 * noise, k = floor(exp(1 + wave(x)) + u),
                s = wave(x) * ifelse(g == "b", -1, 1) + ifelse(g == "c", 0.5, 0) + 0.5 * noise,
                p = wave(u) * sin(3 * v) + 0.3 * noise, x, z, u, v, g)
new <- data.frame(x = c(-0.2, 0.02, 0.31, 0.77, 1.3), z = c(0.5, 0.1, 0.9, 0.4, 0.7),
                  u = c(0.1, 0.5, 0.9, 0.3, 0.7), v = c(0.2, 0.8, 0.4, 0.6, 0.5),
                  g = factor(c("a", "b", "c", "b", "a"), levels(d$g)))
say <- function(text, formula, family = gaussian()) {
  b <- gam(formula, data = d, family = family, method = "REML")
  p <- predict(b, new, se.fit = TRUE)
  row <- function(x) paste(sprintf("%.8g", x), collapse = ", ")
  cat(sprintf('    {"%s", %s,\n     {%s},\n     {%s}},\n', gsub('"', '\\\\"', text),
              if (family$family == "gaussian") "NULL" else "\"poisson\"", row(p$fit), row(p$se.fit)))
}
for (f in c('y ~ s(x)', 'y ~ s(x, k = 20)', 'y ~ s(x, bs = "cr")', 'w ~ s(x, bs = "cc")',
            't ~ s(x, by = z)', 's ~ g + s(x, by = g)', 'p ~ s(u, v)'))
  say(f, as.formula(f))
say("k ~ s(x)", k ~ s(x), poisson())

# Random walks at h = floor(20 x), under the priors of the test: by brute force over both sds.
walk <- function(order, scale) {
  h <- floor(20 * x); n <- 20; y <- d$y
  V <- eigen(crossprod(diff(diag(n), differences = order)))
  V <- V$vectors[, 1:(n - order)] %*% diag(1 / sqrt(V$values[1:(n - order)]))
  V <- V / exp(0.5 * mean(log(rowSums(V^2))))
  line <- if (order == 2) cbind(1, 0:19 - mean(h)) else matrix(1, n)
  all <- cbind(line, V); A <- all[h + 1, ]; AA <- crossprod(A); Ay <- crossprod(A, y)
  grid <- expand.grid(s = seq(-2, 4, by = 0.05), t = log(sd(y)) + seq(-1.6, 0, length = 60))
  total <- 0; mean <- 0; square <- 0; top <- NA
  for (k in seq_len(nrow(grid))) {
    s <- exp(grid$s[k]); e <- exp(grid$t[k])
    H <- AA / e^2 + diag(c(rep(1e-4, order), rep(1 / s^2, n - order))); S <- solve(H); m <- S %*% Ay / e^2
    l <- -length(y) * log(e) - (sum(y^2) - sum(m * Ay)) / (2 * e^2) - (n - order) * log(s) -
      determinant(H)$modulus / 2 + log(s) - 2 * log1p((s / scale)^2 / 3)
    if (is.na(top)) top <- l
    if (l > top) { total <- total * exp(top - l); mean <- mean * exp(top - l); square <- square * exp(top - l); top <- l }
    w <- exp(l - top); f <- all %*% m
    total <- total + w; mean <- mean + w * f; square <- square + w * (f^2 + rowSums((all %*% S) * all))
  }
  mean <- mean / total; sd <- sqrt(square / total - mean^2); at <- c(1, 6, 11, 16, 20)
  cat(sprintf("    {\"y ~ rw%d(h)\", {%s}, {%s}},\n", order, paste(sprintf("%.6g", mean[at]), collapse = ", "),
              paste(sprintf("%.6g", sd[at]), collapse = ", ")))
}
for (order in 1:2) walk(order, 2.5 * sd(d$y))
