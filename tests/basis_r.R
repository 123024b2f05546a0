#!/usr/bin/env Rscript
# SPDX-License-Identifier: BSD-3-Clause
# The columns of poly(), ns() and bs() at new numbers, inside and outside of the old ones:
# what test_basis.c compares with. Made with R 4.2.2.
# Usage: Rscript basis_r.R
suppressMessages(library(splines))
options(warn = -1)
x <- c(0.31, -1.72, 2.46, 0.55, 3.17, 1.09, 0.2, 7)
new <- c(-3, 0.5, 7, 9)
say <- function(name, b) {
  for (j in seq_len(ncol(b)))
    cat(sprintf('    {"%s", %d, {%s}},\n', name, j - 1,
                paste(sprintf("%.15g", predict(b, new)[, j]), collapse = ", ")))
}
say("poly(x, 2)", poly(x, 2))
say("ns(x, df = 3)", ns(x, df = 3))
say("bs(x, df = 4)", bs(x, df = 4))
say("bs(x, df = 4, degree = 2)", bs(x, df = 4, degree = 2))
