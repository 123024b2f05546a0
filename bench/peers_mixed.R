# SPDX-License-Identifier: BSD-3-Clause
# The peers of a hierarchical regression: peers_mixed.R TABLE.csv PROGRAM | --versions.
# Fits good ~ all columns + (1 | group) by glmmTMB, glmer0 (nAGQ = 0) or glmer1 (nAGQ = 1)
# and prints the processor seconds of the fit. Columns that follow from others are
# left out first, because neither accepts them.
suppressPackageStartupMessages({
  library(glmmTMB)
  library(lme4)
})
arguments <- commandArgs(trailingOnly = TRUE)
if (arguments[1] == "--versions") {
  cat(sprintf("R %s, glmmTMB %s, lme4 %s", getRversion(), packageVersion("glmmTMB"),
              packageVersion("lme4")))
  quit()
}
table <- read.csv(arguments[1])
x <- as.matrix(table[, !(names(table) %in% c("good", "group"))])
with_intercept <- qr(cbind(1, x))
independent <- sort(with_intercept$pivot[seq_len(with_intercept$rank)])[-1] - 1
terms <- paste(colnames(x)[independent], collapse = " + ")
formula <- as.formula(paste("good ~", terms, "+ (1 | group)"))
fit <- list(
  glmmTMB = function() glmmTMB(formula, table, family = binomial()),
  glmer0 = function() glmer(formula, table, family = binomial(), nAGQ = 0),
  glmer1 = function() glmer(formula, table, family = binomial(), nAGQ = 1)
)[[arguments[2]]]
spent <- system.time(suppressWarnings(suppressMessages(fit())))
cat("fit", spent[["user.self"]] + spent[["sys.self"]], "\n")
