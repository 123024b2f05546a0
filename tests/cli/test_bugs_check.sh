#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace bugs check: the summary of what is right, the places of what is wrong.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

cat >model.bug <<'END'
# Counts by group
model {
  for (i in 1:N) {
    y[i] ~ dpois(mu[i])
    log(mu[i]) <- a + u[g[i]]
  }
  for (j in 1:2) { u[j] ~ dnorm(0, tau) }
  a ~ dnorm(0, 1.0E-4)
  tau ~ dgamma(0.01, 0.01)
}
END
printf 'N <- 4\ny <- c(1, 0, NA, 3)\ng <- c(1, 1, 2, 2)\nleft <- 3\n' >data.R

# What is there.
try 0 bugs check model.bug --data data.R
has out "8 variables: 3 nodes observed, 5 latent, 4 deterministic, 6 constant"
has out "  y[4]   3 observed, 1 latent"
has out "  mu[4]  deterministic"
has out "  tau    latent"
has err "data.R:4:1: warning: 'left' is in the data, but the model does not use it"
try 0 bugs check model.bug --data data.R --quiet
is_empty out
is_empty err
try 0 bugs check model.bug --data data.R --json
equal latent "$(json out latent)" 5
equal "the first variable" "$(json out variables 0 name)" N
equal warning "$(json out warnings 0)" "'left' is in the data, but the model does not use it"

# The same data in the other formats, and from standard input.
printf '{"N": 4, "y": [1, 0, null, 3], "g": [1, 1, 2, 2]}\n' >data.json
try 0 bugs check model.bug -d data.json
is_empty err
cp out wanted
try 0 bugs check - -d data.json <model.bug
same out wanted
try 0 bugs check model.bug -d - <data.json
same out wanted
sed 's/1:N/1:4/' model.bug >fixed.bug
printf 'y,g\n1,1\n0,1\nNA,2\n3,2\n' >data.csv
try 0 bugs check fixed.bug -d data.csv
has out "3 nodes observed, 5 latent"
if can compression && command -v gzip >/dev/null; then
    gzip -k data.json
    try 0 bugs check model.bug -d data.json.gz
    same out wanted
fi
printf 'a <- 0.5\n.RNG.name <- "base::Mersenne-Twister"\n' >inits.R
try 0 bugs check model.bug -d data.json --inits inits.R
is_empty err

# What is wrong: nothing on stdout, each error with its line and a caret.
sed 's/dpois/dpoiss/; s/dgamma(0.01, 0.01)/dgamma(0.01)/' model.bug >wrong.bug
try 1 bugs check wrong.bug --data data.R
is_empty out
has err "wrong.bug:4:12: error: unknown distribution 'dpoiss'; did you mean 'dpois'?"
has err "    4 |     y[i] ~ dpoiss(mu[i])"
has err "      |            ^~~~~~"
has err "wrong.bug:9:9: error: dgamma takes 2 arguments (shape, rate), not 1"
sed -i 's/g <- c(1, 1, 2, 2)/g <- c(1, 1, 2, 3)/' data.R
try 1 bugs check model.bug --data data.R
has err "model.bug:5:23: error: index 3 of 'u' is out of range 1..2 (from u[g[i]] at i=4, g[4]=3, data.R:3:17)"
try 1 bugs check model.bug
has err "node 'N' is not defined and not in the data"
printf 'x <- c(1, 2\n' >bad.R
try 1 bugs check model.bug --data bad.R
has err "bad.R:2:1: error: expected ',' or ')', found the end of the file"
{
    echo 'model {'
    printf 'a <- *\n%.0s' {1..30}
    echo '}'
} >many.bug
try 1 bugs check many.bug
has err "10 more errors"
printf 'model { a ~ dnorm(0, 1) \033[31m }\n' >steer.bug
try 1 bugs check steer.bug
if grep -q $'\033' err; then fail "an escape character of the model got through"; fi

# Misuse, and files that are not there.
try 1 bugs check absent.bug
has err "absent.bug"
try 1 bugs check model.bug --data absent.R
try 2 bugs check
try 2 bugs check - --data -
has err "only one file can be read from standard input"
try 2 bugs chek model.bug
has err "check"
