#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace bugs fit: the table, files, monitors, draws, exit codes.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

cat >model.bug <<'END'
model {
  for (j in 1:J) {
    y[j] ~ dnorm(theta[j], 1 / s[j]^2)
    theta[j] ~ dnorm(mu, 1 / tau^2)
  }
  mu ~ dnorm(0, 1.0E-4)
  tau ~ dunif(0, 100)
  best <- max(theta[])
  new ~ dnorm(mu, 1 / tau^2)
}
END
printf 'J <- 8\ny <- c(28, 8, -3, 7, -1, 1, 18, 12)\ns <- c(15, 10, 16, 11, 9, 11, 10, 18)\n' >data.R
printf '{"J": 8, "y": [28, 8, -3, 7, -1, 1, 18, 12], "s": [15, 10, 16, 11, 9, 11, 10, 18]}\n' >data.json

# near VALUE WANTED WITHIN
near() {
    awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN { exit !(a >= b - t && a <= b + t) }' ||
        fail "$1 is not within $3 of $2"
}

# The table: what was done, and every node that is unknown, as JAGS names them. Means and sds
# are those of an integral over tau by 100,000 points (test_bugs_posterior).
try 0 bugs fit model.bug --data data.R
equal "what is said of a prediction" "$(cat err)" ""
has out "Posterior of model.bug: the fit converged"
has out "9 in a Gaussian that is exact"
equal "lines of nodes" "$(grep -cE '^(theta\[[1-8]\]|mu|tau|best|new) ' out)" 12
near "$(awk '$1 == "mu" { print $2 }' out)" 7.91 0.03
near "$(awk '$1 == "tau" { print $2 }' out)" 6.56 0.06
cp out wanted

# The same at any number of threads, each time, and from other sources.
try 0 bugs fit model.bug --data data.R --threads 3
same out wanted
try 0 bugs fit model.bug -d data.json --threads 1
same out wanted
try 0 bugs fit model.bug -d - <data.R
same out wanted
try 0 bugs fit - -d data.json <model.bug
has out "the fit converged"
printf 'mu <- 5\ntau <- 3\n' >inits.R
try 0 bugs fit model.bug -d data.R --inits inits.R
near "$(awk '$1 == "mu" { print $2 }' out)" 7.91 0.03

# The plan.
try 0 bugs fit model.bug -d data.R --explain
has out "4     theta                   8  gaussian    a location"
has out "7     tau                     1  points      a scale or shape of other unknowns"
has out "9     new                     1  prediction  no data depend on it"

# Monitors: these, in this order, each once.
try 0 bugs fit model.bug -d data.R --monitor 'tau, theta[2:3], theta[2]' --json
equal "the first node" "$(json out nodes 0 node)" tau
equal "the last node" "$(json out nodes 2 node)" 'theta[3]'
try 1 bugs fit model.bug -d data.R --monitor tua
is_empty out
has err "the model has no node 'tua'; did you mean 'tau'?"
try 1 bugs fit model.bug -d data.R --monitor y
has err "'y' is data: there is nothing to estimate"
try 1 bugs fit model.bug -d data.R --monitor 'theta[9]'
has err "the indices do not fit the dimensions of 'theta'"

# The file, and the same on stdout.
try 0 bugs fit model.bug -d data.R -o fit.json --quiet
is_empty out
equal format "$(json fit.json format)" delaplace-bugs
equal version "$(json fit.json version)" 1
equal outcome "$(json fit.json outcome)" converged
equal "how it is treated" "$(json fit.json plan 0 how)" gaussian
near "$(json fit.json nodes 8 mean)" 7.91 0.03
try 0 bugs fit model.bug -d data.R -o -
same out fit.json
try 0 bugs fit model.bug -d data.R --json
same out fit.json

# Draws: a column per node, as CmdStan writes them; derived nodes are computed draw by draw.
try 0 bugs fit model.bug -d data.R --draws 100 --draws-to draws.csv --quiet
equal rows "$(wc -l <draws.csv)" 101
equal heading "$(head -n 1 draws.csv)" \
    "lp__,theta.1,theta.2,theta.3,theta.4,theta.5,theta.6,theta.7,theta.8,mu,tau,best,new"
awk -F, 'NR > 1 { top = $2; for (i = 3; i < 10; i++) if ($i > top) top = $i
    if ($12 != top) exit 1 }' draws.csv || fail "best is not the largest of theta"
cp draws.csv first.csv
try 0 bugs fit model.bug -d data.R --draws 100 --draws-to draws.csv --quiet --threads 2
same draws.csv first.csv
try 0 bugs fit model.bug -d data.R --draws 100 --draws-to draws.csv --quiet --seed 2
if cmp -s draws.csv first.csv; then fail "another seed gives the same draws"; fi

# The same draws for R's coda: an index and a chain.
try 0 bugs fit model.bug -d data.R --draws 100 --coda CODA --quiet
equal "a node's lines" "$(grep '^mu ' CODAindex.txt)" "mu 801 900"
equal "lines of the chain" "$(wc -l <CODAchain1.txt)" 1200
equal "the first" "$(head -n 1 CODAchain1.txt)" "1 $(sed -n 2p first.csv | cut -d, -f2)"
if Rscript -e 'stopifnot(requireNamespace("coda", quietly = TRUE))' >/dev/null 2>&1; then
    Rscript -e 'x <- coda::read.coda("CODAchain1.txt", "CODAindex.txt", quiet = TRUE)
        y <- read.csv("first.csv", check.names = FALSE)
        stopifnot(nrow(x) == 100, max(abs(x[, "theta[8]"] - y[["theta.8"]])) < 1e-8)' ||
        fail "coda reads other draws"
else
    echo "skipped: R's coda is not installed"
fi

# Weighted draws confirm what is exact, and are shown beside it.
try 0 bugs fit model.bug -d data.R --verify 2000
has out "verified   by 2000 weighted draws"
equal "nodes that agree" "$(grep -c ' agrees$' out)" 12
try 0 bugs fit model.bug -d data.R --verify 2000 --threads 3
try 0 bugs fit model.bug -d data.R --verify 0
if grep -q verified out; then fail "what was not wanted was verified"; fi

# A page with a density of each node.
try 0 bugs fit model.bug -d data.R --report page.html --quiet
grep -q '<h2>Densities</h2>' page.html || fail "the report has no densities"
grep -q 'theta\[8\]' page.html || fail "the report has no node theta[8]"
grep -q 'verified' page.html || fail "the report does not say what was verified"

# A discrete node is summed over; its draws are its states.
cat >states.bug <<'END'
model {
  for (i in 1:6) {
    z[i] ~ dbern(theta)
    y[i] ~ dbin(p[z[i] + 1], 20)
  }
  p[1] <- 0.1
  p[2] <- 0.6
  theta ~ dbeta(1, 1)
}
END
printf 'y <- c(2, 3, 11, 13, 1, 14)\n' >states.R
try 0 bugs fit states.bug -d states.R --explain
has out "sum         discrete: exact, a sum over its values"
near "$(awk '$1 == "theta" && NF == 6 { print $2 }' out)" 0.5 0.01
near "$(awk '$1 == "z[3]" { print $2 }' out)" 1 0.01

# What is wrong: nothing on stdout, and a file that was there stays as it was.
echo before >fit.json
try 1 bugs fit model.bug -o fit.json
is_empty out
has err "node 'J' is not defined and not in the data"
equal "the file" "$(cat fit.json)" before
printf 'model { y ~ dnorm(mu, 1) \n mu ~ dnrm(0, 1) }\n' >wrong.bug
printf 'y <- 1\n' >y.R
try 1 bugs fit wrong.bug -d y.R -o fit.json
has err "wrong.bug:2:7: error: unknown distribution 'dnrm'; did you mean 'dnorm'?"
equal "the file" "$(cat fit.json)" before
printf 'model { for (i in 1:4) { x[i] ~ dnorm(step(i - k), 1) }\n k ~ dunif(1, 4) }\n' >jump.bug
printf 'x <- c(0, 0, 1, 2)\n' >x.R
printf 'y <- 4\n' >y.R
try 1 bugs fit jump.bug -d x.R -o fit.json
is_empty out
has err "jump.bug:1:26: error: the density jumps as 'k' changes"
equal "the file" "$(cat fit.json)" before
try 4 bugs fit model.bug -d data.R -o absent/fit.json
has err "absent/fit.json"
try 1 bugs fit absent.bug -d data.R
has err "absent.bug"

# No proper posterior: the exit code says so, and no table.
printf 'model { y ~ dnorm(a + b, 1)\n a ~ dflat()\n b ~ dflat() }\n' >flat.bug
code=0
"$program" bugs fit flat.bug -d y.R >out 2>err || code=$?
((code == 1 || code == 3)) || fail "an improper posterior ended with $code"

# Misuse.
try 2 bugs fit
try 2 bugs fit - -d -
has err "only one file can be read from standard input"
try 2 bugs fit model.bug -d data.R --draws 1
try 2 bugs fit model.bug -d data.R --threads -1
try 2 bugs fit model.bug -d data.R --explian
has err "--explain"
try 0 bugs fit --help
has out "--monitor NODES"

# An exact answer needs no grade.
printf 'model { for (i in 1:3) { y[i] ~ dnorm(a, 1) } a ~ dnorm(0, 1) }' >exact.bug
printf 'y <- c(1, 2, 4)' >exact.R
try 0 bugs fit exact.bug -d exact.R --verify 500
has out "nothing is approximate"
! grep -qi nan out || fail "a grade that is not a number"

# Killed while it works: the file is whole or as it was.
echo before >fit.json
awk 'BEGIN { s = 7; print "y,g"
    for (i = 0; i < 20000; i++) { s = s * 16807 % 2147483647
        print (s % 3 == 0) "," 1 + i % 2000 } }' >large.csv
cat >large.bug <<'END'
model {
  for (i in 1:20000) { y[i] ~ dbern(ilogit(a + u[g[i]])) }
  for (j in 1:2000) { u[j] ~ dnorm(0, tau) }
  a ~ dnorm(0, 0.01)
  tau ~ dgamma(1, 1)
}
END
"$program" bugs fit large.bug -d large.csv -o fit.json --monitor tau >out 2>err &
sleep 0.3
kill -KILL $! 2>/dev/null || true
wait $! 2>/dev/null || true
[[ $(cat fit.json) == before ]] || json fit.json format >/dev/null

# What would be ignored or says nothing is refused; -q keeps answers that are nowhere else.
try 2 bugs fit model.bug -d data.R --verify 5
has err "at least 100 draws"
try 2 bugs fit model.bug -d data.R --draws 2
try 2 bugs fit model.bug -d data.R --hyper integrate --factor scalar
has err "exclude each other"
try 2 bugs fit model.bug -d data.R --report - --json
has err "name a file"
try 0 bugs fit model.bug -d data.R -q
has out "Posterior of"
try 0 bugs fit model.bug -d data.R --report -
! grep -q "Posterior of" out || fail "a table in the page"
printf 'model { a ~ dnorm(b, 1)\n b ~ dnorm(a, 1) }' >cycle.bug
try 0 bugs graph cycle.bug -o cycle.svg
has err "depends on itself"

# How an answer was found, and what to doubt about it, is said in each case.
echo 'model { for (i in 1:N) { y[i] ~ dnorm(mu, tau) } mu ~ dnorm(0, 0.01) tau ~ dgamma(2, 1) }' >normal.bug
echo '{"N": 6, "y": [1.2, 0.4, 2.2, 1.7, 0.9, 1.1]}' >normal.json
try 0 bugs fit normal.bug -d normal.json --hyper factor
has out "2 factors of q, each exact given the others"
has out "<= log p(data)"
has out "sds are too small where unknowns are"
echo 'model { z ~ dbern(0.25) y ~ dnorm(4 * z, 1) }' >state.bug
echo '{"y": 2}' >state.json # as likely by either state
try 0 bugs fit state.bug -d state.json
has out "exact: a sum over all values of the discrete unknowns"
near "$(awk '$1 == "z" { print $2 }' out)" 0.25 0.0001
echo 'model { a ~ dnorm(1, 4) b <- 2 * a }' >prior.bug
try 0 bugs fit prior.bug
has out "drawn from the prior"
echo 'model { for (i in 1:N) { y[i] ~ dnorm(m[g[i] + 1], 1) g[i] ~ dbern(0.5) }
    for (j in 1:2) { m[j] ~ dnorm(0, 0.01) } }' >labels.bug
echo '{"N": 8, "y": [-3, -2.5, -3.2, -2.9, 3.1, 2.7, 3, 2.4]}' >labels.json
try 0 bugs fit labels.bug -d labels.json
has out "label switching"
