#!/usr/bin/env Rscript
# SPDX-License-Identifier: BSD-3-Clause
# What lme4 makes of random effects: writes golden/random.txt, which test_design_r
# reads. Made with R 4.2.2 and lme4 1.1.31.
# Usage: LC_ALL=C Rscript random_r.R >golden/random.txt
#
# The C locale sorts levels by their bytes. Fields are separated by tabs. A second formula
# is the one that lme4 is given: it calls the groups of (1 | a/b) b:a, and we a:b.

suppressPackageStartupMessages(library(lme4))

n <- 18
d <- data.frame(
  y = c(2.385, -0.71, 3.14, 0.99, 1.27, 5.83, -2.19, 0.46, 7.01, 2.22, -1.93, 3.38, 0.07,
        4.51, 1.61, -0.58, 2.9, 1.13),
  x = c(0.31, 1.72, 2.46, 0.55, 3.17, 1.09, 2.83, 0.94, 1.38, 2.05, 0.62, 3.91, 1.11, 0.27,
        2.69, 1.84, 0.48, 2.2),
  z = c(-1.5, 0.8, 2.1, -0.3, 1.9, -2.2, 0.4, 3.3, -0.9, 1.2, 0.1, -1.1, 2.7, 0.6, -0.2,
        1.4, 0.9, -0.7),
  w = c(11, NA, 17, 23, 12, 31, NA, 19, 14, 27, 16, 22, 13, 18, 25, 21, 15, 20),
  f = rep(c("ape", "bee", "cat"), length.out = n),
  h = c("no", "no", "yes", "yes", "no", "yes", "no", "yes", "yes", "no", "yes", "no", "no",
        "yes", "no", "yes", "yes", "no"),
  g = c("u", "v", "w", "u", "v", "w", "u", "u", "v", NA, "w", "v", "u", "w", "v", "u", "v",
        "w"),
  a = c("p", "q", "q", "p", "r", "r", "q", "p", "r", "p", "q", "r", "p", "q", "p", "r", "q",
        "p"),
  b = c(10, 2, 10, 2, 2, 10, 2, 10, 2, 10, 2, 10, 3, 3, 2, 2, 10, 10),
  s = c(3, 5, 0, 2, 8, 1, 4, 6, 2, 7, 3, 5, 9, 0, 2, 4, 1, 6)
)

formulas <- list(
  "y ~ (1 | g)", "y ~ x + (1 | g)", "y ~ x + (x | g)", "y ~ x + (1 + x | g)",
  "y ~ x + (0 + x | g)", "y ~ x + (x - 1 | g)", "y ~ x + (-1 + x | g)", "y ~ x + (x || g)",
  "y ~ x + (0 + x || g)", "y ~ x*z + (x*z || g)", "y ~ (x + z | g)", "y ~ (x*z | g)",
  "y ~ (f | g)", "y ~ (0 + f | g)", "y ~ f + (f || g)", "y ~ (f + h | g)", "y ~ (f:x | g)",
  "y ~ (0 + f:x | g)", "y ~ (f*x | g)", "y ~ (f:h | g)", "y ~ (0 + f:h | g)",
  "y ~ (f*h || g)", "y ~ (x:f || g)", "y ~ (0 + h + f | g)",
  "y ~ (I(x^2) | g)", "y ~ x + (log(x) + scale(z) | g)", "y ~ scale(x) + (scale(x) | g)",
  "y ~ (1 | g) + (1 | a)", "y ~ x + (x | g) + (0 + z | a)", "y ~ (1 | b)",
  "y ~ (1 | a:b)", "y ~ (1 | b:a)", "y ~ (1 | a:b:g)", "y ~ (x | a:b) + (1 | g)",
  "y ~ w + (1 | g)", "y ~ (w | g)", "y ~ (scale(w) | a:b)",
  "s ~ offset(log(x)) + z + (1 | g) + (z | a)", "y ~ a + (1 | a)", "y ~ b + (1 | b)",
  c("y ~ (1 | factor(b))", "y ~ (1 | b)"),
  c("y ~ (1 | a/b)", "y ~ (1 | a) + (1 | a:b)"),
  c("y ~ (x | a/b)", "y ~ (x | a) + (x | a:b)"),
  c("y ~ (x || a/b)", "y ~ (1 | a) + (1 | a:b) + (0 + x | a) + (0 + x | a:b)"),
  c("y ~ (1 | a/b/g)", "y ~ (1 | a) + (1 | a:b) + (1 | a:b:g)")
)

write_fields <- function(...) cat(paste(c(...), collapse = "\t"), "\n", sep = "")
number <- function(x) sprintf("%.17g", x)

for (name in names(d)) {
  column <- d[[name]]
  if (is.numeric(column)) {
    write_fields("data", name, "numeric", number(column))
  } else {
    write_fields("data", name, "categorical", as.character(column))
  }
}

control <- lmerControl(check.nobs.vs.rankZ = "ignore", check.nobs.vs.nlev = "ignore",
                       check.nobs.vs.nRE = "ignore", check.scaleX = "ignore",
                       check.rankX = "ignore")

for (text in formulas) {
  formula <- as.formula(text[length(text)])
  data <- d
  parts <- suppressWarnings(lFormula(formula, data, control = control))
  bars <- findbars(formula)
  # Not in the order of the number of levels, but in that of the formula.
  re <- mkReTrms(bars, parts$fr, reorder.terms = FALSE)
  write_fields("formula", text[1])
  for (j in seq_len(ncol(parts$X)))
    write_fields("fixed", colnames(parts$X)[j], number(parts$X[, j]))
  for (t in seq_along(bars)) {
    group <- re$flist[[attr(re$flist, "assign")[t]]]
    q <- length(re$cnms[[t]])
    write_fields("random", names(re$Ztlist)[t])
    write_fields("group", names(re$cnms)[t])
    write_fields("levels", levels(group))
    write_fields("codes", as.integer(group) - 1)
    for (j in seq_len(q)) {
      at <- cbind((as.integer(group) - 1) * q + j, seq_along(group))
      write_fields("column", re$cnms[[t]][j], number(as.matrix(re$Ztlist[[t]])[at]))
    }
  }
}
