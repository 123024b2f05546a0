#!/usr/bin/env Rscript
# SPDX-License-Identifier: BSD-3-Clause
# What R makes of formulas: writes golden/formula.txt, which test_design_r reads. Made
# with R 4.2.2.
# Usage: LC_ALL=C Rscript formula_r.R [FORMULAS] >golden/formula.txt
#
# FORMULAS is a file with one formula per line, for trials; without it, those below. The C
# locale sorts levels by their bytes. Fields are separated by tabs.

suppressMessages(library(splines))
n <- 16
d <- data.frame(
  y = c(2.385, -0.71, 3.14, 0.99, 1.27, 5.83, -2.19, 0.46, 7.01, 2.22, -1.93, 3.38, 0.07,
        4.51, 1.61, -0.58),
  x = c(0.31, 1.72, 2.46, 0.55, 3.17, 1.09, 2.83, 0.94, 1.38, 2.05, 0.62, 3.91, 1.11, 0.27,
        2.69, 1.84),
  z = c(-1.5, 0.8, 2.1, -0.3, 1.9, -2.2, 0.4, 3.3, -0.9, 1.2, 0.1, -1.1, 2.7, 0.6, -0.2,
        1.4),
  w = c(11, NA, 17, 23, 12, 31, NA, 19, 14, 27, 16, 22, 13, 18, 25, 21),
  a = rep(c("ape", "bee", "cat"), length.out = n),
  b = rep(c("no", "yes"), each = 2, length.out = n),
  e = c("E", "D", "D", "C", "E", "C", "D", "E", "C", "C", "D", "E", "C", "D", "E", "C"),
  l = c(TRUE, FALSE, FALSE, TRUE, TRUE, TRUE, FALSE, TRUE, FALSE, FALSE, TRUE, FALSE, TRUE,
        TRUE, FALSE, FALSE),
  k = c(2, 10, 1e5, 2, 0.5, 10, 1e5, 0.5, 2, 10, 2, 1e5, 10, 0.5, 2, 10),
  s = c(3, 5, 0, 2, 8, 1, 4, 6, 2, 7, 3, 5, 9, 0, 2, 4),
  f = c(4, 1, 6, 3, 0, 5, 2, 2, 7, 1, 4, 3, 0, 6, 5, 2),
  `my col` = c(1.25, 2.5, -0.75, 4.125, 3, 0.5, -2, 1.75, 2.25, 0.125, 3.5, -1.5, 2, 0.25,
               1, 4),
  check.names = FALSE
)

formulas <- c(
  "y ~ x", "y ~ x + z", "y ~ 1", "y ~ x + 1", "y ~ 0 + x", "y ~ x - 1", "y ~ -1 + x + z",
  "y ~ x + 0", "y ~ x - 1 + 1", "y ~ x - 0", "y ~ x + -1",
  "y ~ a", "y ~ a + b", "y ~ 0 + a", "y ~ a - 1", "y ~ 0 + x + a", "y ~ 0 + a + b",
  "y ~ 0 + b + a", "y ~ l", "y ~ 0 + l", "y ~ l + a",
  "y ~ a:b", "y ~ a*b", "y ~ 0 + a*b", "y ~ 0 + a:b", "y ~ a + a:b", "y ~ b + a:b",
  "y ~ b:a", "y ~ a + b:a", "y ~ b:a + a + b", "y ~ x:a", "y ~ x*a", "y ~ x + x:a",
  "y ~ a + x:a", "y ~ 0 + x:a", "y ~ 0 + x + x:a", "y ~ 0 + a + x:a", "y ~ x:z",
  "y ~ x*z", "y ~ x:z + x", "y ~ a*b*e", "y ~ a:b:e", "y ~ a + b:e", "y ~ a:b + a:e",
  "y ~ a:b + e", "y ~ a*b*x", "y ~ a*x*z", "y ~ 0 + a:b:e + e", "y ~ a:b + b:e + a:e",
  "y ~ a:b:e + a:b", "y ~ a:x + b:x", "y ~ 0 + a:x + b", "y ~ l:a + x",
  "y ~ (x + z)^2", "y ~ (a + b + e)^2", "y ~ (a + b + x)^3", "y ~ (x + z + a)^2 - x:z",
  "y ~ (a + b + e)^2 - a - b", "y ~ (x + a)*b", "y ~ (a + b):e", "y ~ (a + b):(x + z)",
  "y ~ a*b - a", "y ~ a*b - b", "y ~ a*b - a:b", "y ~ a*b - a - b", "y ~ a/b", "y ~ a/x",
  "y ~ (a + b)/x", "y ~ a/b/e", "y ~ x - z + z:a", "y ~ x + (z - x)", "y ~ x + x",
  "y ~ x^2", "y ~ a:a", "y ~ (a + 0)*b",
  "y ~ . - w - s - f", "y ~ .", "y ~ x + . - w", "log(s + 1) ~ . - k - a - b - e",
  "cbind(s, f) ~ x + a", "cbind(s, f) ~ . - y - k - w",
  "y ~ (x + a + b)^2 + . - w - k",
  "y ~ log(x)", "y ~ log2(x) + log10(x) + log1p(x)", "y ~ sqrt(x) + exp(z) + abs(z)",
  "y ~ x + I(x^2)", "y ~ I(x/100)", "y ~ I(x*2+z-1)", "y ~ I(-x^2)", "y ~ I((x+z)^2/1e5)",
  "y ~ I(x^-1):a", "y ~ log(x+1)*a", "y ~ I(2^-x^2) + I(x--z)", "y ~ I(sqrt(x)*0.0001)",
  "y ~ x**2 + I(z**2)", "y ~ I(x*100000+.5)",
  "y ~ factor(k)", "y ~ as.factor(k) + x", "y ~ 0 + factor(k)", "y ~ factor(k):x",
  "y ~ factor(a)*b", "y ~ factor(k)*a", "y ~ scale(x)", "y ~ scale(x):a + scale(log(x))",
  "y ~ w + a", "y ~ scale(w) + x", "y ~ w:a", "y ~ scale(x) + w",
  "y ~ `my col`", "y ~ `my col`*a", "y ~ I(`my col`^2) + log(`my col` + 3)",
  "y ~ x + offset(z)", "y ~ offset(log(x)) + a", "y ~ offset(z) + x + offset(2*x)",
  "y ~ 0 + offset(z) + x", "y ~ 1 + offset(w)", "log(x) ~ z", "y*2 ~ x", "s/(s+f) ~ x",
  "y ~ poly(x, 2)", "y ~ poly(x, 1)", "y ~ poly(log(x), degree = 3)", "y ~ a*poly(z, 2)",
  "y ~ poly(x, 2, raw = TRUE) + z", "y ~ ns(x, df = 3)", "y ~ ns(x, 1) + a", "y ~ ns(x, 4)",
  "y ~ a:ns(z, df = 2)", "y ~ ns(x, knots = c(1, 2.5), Boundary.knots = c(0.5, 3.5))",
  "y ~ ns(x, df = 4, intercept = TRUE) - 1", "y ~ bs(x)", "y ~ bs(x, df = 5)",
  "y ~ bs(z, df = 4, degree = 2)", "y ~ bs(x, knots = 1.5, degree = 1)",
  "y ~ bs(x, df = 6, intercept = TRUE) - 1", "y ~ bs(z, Boundary.knots = c(-1, 2), df = 5)",
  "y ~ ns(w, 3) + x", "y ~ bs(w, 4)", "y ~ x:bs(z, 3)", "y ~ ns(x, 2):poly(z, 2)",
  "y ~ ns(I(x^2), 2)"
)

args <- commandArgs(trailingOnly = TRUE)
if (length(args) > 0) formulas <- readLines(args[1])

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

# The variables of the terms that are left: R also drops the rows that miss a value of a
# term taken out again, as w in "y ~ . - w"; here they stay.
used_variables <- function(formula) {
  all <- terms(formula, data = d)
  labels <- c(attr(all, "term.labels"), as.character(attr(all, "variables"))[-1][
    c(attr(all, "response"), attr(all, "offset"))])
  unlist(lapply(labels, function(label) all.vars(str2lang(label))))
}

for (text in formulas) {
  formula <- as.formula(text)
  data <- d
  if (!"w" %in% used_variables(formula)) data$w <- 0
  frame <- model.frame(formula, data, drop.unused.levels = TRUE)
  X <- model.matrix(attr(frame, "terms"), frame)
  write_fields("formula", text)
  if (ncol(X) == 0) next
  for (j in seq_len(ncol(X))) write_fields("column", colnames(X)[j], number(X[, j]))
  offset <- model.offset(frame)
  if (!is.null(offset)) write_fields("offset", number(offset))
  response <- model.response(frame)
  if (is.null(dim(response))) write_fields("response", number(response))
}

for (x in c(1e5, 123456, 1e15, 1234567890123456, 0.1 + 0.2, 1e-4, 0.00012345, 123456.7,
            -0.5, 1e22, 1.5e-10, 100, 2^53, 1 / 3, 1e300, 5e-324, -1e-5, 0, 3e5, 310000,
            1e-15, 99999.5, 1234567.125, -123456789012345678)) {
  write_fields("number", number(x), as.character(x))
}
