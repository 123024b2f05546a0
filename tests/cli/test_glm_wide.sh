#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace glm fit: more columns than rows, and nearly as many. Every family has a
# posterior there, which every verb can use.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

# table ROWS COLUMNS: y > 0, k a count and columns x1, x2, ..., that look like noise.
table() {
    awk -v n="$1" -v p="$2" 'BEGIN {
        printf "y,k,g"
        for (j = 1; j <= p; j++) printf ",x%d", j
        printf "\n"
        for (i = 1; i <= n; i++) {
            x = 2 * sin(i * i + 1)
            printf "%.6f,%d,%s", exp(0.5 * x + 0.3 * sin(77 * i)), 2.5 + 2 * sin(19 * i),
                i <= n - 2 ? "a" : "b"
            for (j = 1; j <= p; j++) printf ",%.6f", j == 1 ? x : 2 * sin(i * (i + 7 * j))
            printf "\n"
        }
    }'
}
table 6 9 >wide.csv
table 20 8 >narrow.csv
columns() {
    local j
    printf 'x1'
    for ((j = 2; j <= $1; j++)); do printf ' + x%d' "$j"; done
}
wide=$(columns 9) narrow=$(columns 8)

# is WHAT A B TOLERANCE: A is B, to that part of it.
is() {
    awk -v a="$2" -v b="$3" -v t="$4" \
        'BEGIN { d = a - b; b = b < 0 ? -b : b; exit !((d < 0 ? -d : d) <= t * (b + 1e-3)) }' ||
        fail "$1 is $2, not $3"
}

# fit FAMILY RESPONSE OPTION...: of the wide table; then every verb.
fit() {
    try 0 glm fit "$2 ~ $wide" --family "$1" --data wide.csv -o fit.json "${@:3}"
    equal outcome "$(json fit.json outcome)" converged
    try 0 glm show fit.json
    has out x9
    try 0 glm predict fit.json --data wide.csv -o predictions.csv
    [[ $(wc -l <predictions.csv) -eq 7 ]] || fail "not one prediction per row"
    ! grep -qi nan predictions.csv || fail "a prediction is not a number"
    try 0 glm evaluate fit.json --data wide.csv --json
    json out log_likelihood >/dev/null
    try 0 report fit.json --data wide.csv -o report.html
}

# Given the sd a Gaussian posterior is normal: all methods sum over it, and agree.
fit gaussian y
cp fit.json exact.json
equal scale_summed "$(json exact.json scale_summed)" true
for method in laplace previous-mean; do
    fit gaussian y --method $method
    for i in 0 1 9; do
        is "mean $i by $method" "$(json fit.json mean $i)" "$(json exact.json mean $i)" 1e-12
        is "sd $i by $method" "$(json fit.json coefficients $i sd)" \
            "$(json exact.json coefficients $i sd)" 1e-12
    done
done

# Student-t priors: nearly normal ones are nearly the same, and few degrees of freedom
# leave coefficients about which the data say nothing as wide as the prior.
fit gaussian y --prior-df 1000 --prior-sd 2
cp fit.json student.json
fit gaussian y --prior-sd 2
for i in 0 1 9; do
    is "sd $i" "$(json student.json coefficients $i sd)" \
        "$(json fit.json coefficients $i sd)" 0.01
done
# So they are in other units, in which the scale's prior is almost without noise.
awk -F, -v OFS=, 'NR > 1 { $1 *= 1e8 } 1' wide.csv >large.csv
try 0 glm fit "y ~ $wide" --data large.csv --prior-sd 2e8 -o fit.json
try 0 glm fit "y ~ $wide" --data large.csv --prior-sd 2e8 --prior-df 1000 -o student.json
for i in 0 1 9 10; do
    is "variance $i" "$(json student.json covariance $i $i)" "$(json fit.json covariance $i $i)" 0.02
done
fit gaussian y --prior-df 4 --prior-sd 2
fit gaussian y --prior-df 4 --prior-sd 2 --method laplace
fit gaussian y --prior-df 1 --prior-sd 2

fit gamma y
try 0 glm show fit.json
has out "The shape was integrated out"
fit gamma y --method laplace
fit gamma y --prior-df 4
fit negative-binomial k

for family in poisson ordinal; do fit $family k; done

# The same input, the same bytes.
try 0 glm fit "y ~ $wide" --family gamma --data wide.csv -o one.json
try 0 glm fit "y ~ $wide" --family gamma --data wide.csv -o two.json
same one.json two.json

# Fewer columns, but many for the rows: delta sums over the scale, Laplace is the paper's.
try 0 glm fit "y ~ $narrow" --family gamma --data narrow.csv -o fit.json
equal scale_summed "$(json fit.json scale_summed)" true
equal propagated "$(json fit.json propagated)" true
equal method "$(json fit.json method)" delta
has out "method     expectation propagation: a Gaussian that matches"
has out "few rows per column"
has out "(--method delta)"
! grep -q "fit by delta" out || fail "one fit, two methods"
try 0 glm fit "y ~ $narrow" --family gamma --data narrow.csv -o fit.json --method delta
has out "method     delta: "
! grep -q propagation out || fail "delta was asked for"
try 0 glm fit "y ~ $wide" --family gamma --data wide.csv -o fit.json --method delta
has out "method     expectation propagation: a Gaussian that matches"
! grep -q -- --method out || fail "delta was asked for, and is not to be had"
try 0 glm fit "y ~ $narrow" --family gamma --data narrow.csv -o fit.json --method laplace
! grep -q scale_summed fit.json || fail "Laplace summed over the scale"
try 0 glm fit "y ~ x1 + x2" --family gamma --data narrow.csv -o fit.json
! grep -q scale_summed fit.json || fail "with ten rows per column it need not be"

# A prior that holds a coefficient back is not to be widened where the rows are few.
try 0 glm fit "k ~ $narrow" --family poisson --prior-sd 0.3 --data narrow.csv -o fit.json
has out "There are few rows per column, so the prior matters: '(Intercept)'"
! grep -q 'holds\|widen' out || fail "a wider prior is advised"
try 0 glm fit "k ~ x1" --family poisson --prior-sd 0.3 --data narrow.csv -o fit.json
has out "The prior holds '(Intercept)' back"

# Counts that are all 0 have a posterior under a proper prior, and so have trials without a
# success. There is no maximum for the delta method to find; the mean and sd are by quadrature
# over the level, N(0, 10^2), and the slope, N(0, (2.5 / sd of x)^2).
awk 'BEGIN { print "zero,ten,x"; for (i = 0; i < 30; i++) printf "0,1,%g\n", (i * 7 % 30) / 30 - 29 / 60 }' >zero.csv
for response in zero 'cbind(zero, ten)'; do
    family=binomial
    if [[ $response == zero ]]; then family=poisson; fi
    try 0 glm fit "$response ~ x" --family $family --data zero.csv -o fit.json
    has out "The delta method had no solution; expectation propagation has one."
    awk -v m="$(json fit.json coefficients 0 mean)" 'BEGIN { exit !((m + 11.6) ^ 2 < 0.5 ^ 2) }' ||
        fail "the level of $response is $(json fit.json coefficients 0 mean), not about -11.6"
done
try 0 glm fit 'zero ~ x' --family bernoulli --data zero.csv -o fit.json
try 1 glm fit 'zero ~ x' --family gaussian --data zero.csv -o fit.json
has err "is '0' in each of the 30 rows used"
# With as little to say about its size, a negative binomial mixes small sizes, at which 0 tells
# nothing of the mean, and large ones.
head -n 9 zero.csv >few.csv
try 0 glm fit 'zero ~ x' --family negative-binomial --data few.csv -o fit.json
awk -v m="$(json fit.json coefficients 0 mean)" 'BEGIN { exit !(m < -4 && m > -11) }' ||
    fail "the level of zeros is $(json fit.json coefficients 0 mean)"

# A group with fewer rows than columns, beside one with more.
for family in gamma gaussian; do
    try 0 glm fit "y ~ x1 + x2 + x3" --family $family --data narrow.csv --group g \
        --groups separate -o fit.json --method laplace
    equal outcome "$(json fit.json outcome)" converged
done
