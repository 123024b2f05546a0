#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The prior of coefficients about which nothing is said: weak, whatever the units.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

# close WHAT A B RELATIVE
close() {
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !((a / b - 1) ^ 2 <= t * t) }' ||
        fail "$1 is $2, not $3"
}

# ratio FILE I: how many sds coefficient I lies from 0.
ratio() {
    awk -v m="$(json "$1" coefficients "$2" mean)" -v s="$(json "$1" coefficients "$2" sd)" \
        'BEGIN { printf "%.9g", m / s }'
}

# The same columns in their units, in others, and from elsewhere.
awk 'BEGIN {
    srand(3); print "y,k,b,o,x,u,f,g"
    for (i = 0; i < 120; i++) {
        x = rand() + rand() + rand() - 1.5; f = rand() < 0.3; e = 1.5 * x + f
        printf "%.6f,%d,%d,%d,%.6f,%.6fe6,%s,%.6f\n", e + rand(), exp(1 + e) * (0.5 + rand()), \
            (e + 4 * rand() > 2), 1 + (e + 2 * rand() > 0.5) + (e + 2 * rand() > 2), x, x + 2000, \
            f ? "yes" : "no", 1e9 * (e + rand())
    }
}' >units.csv

# The numbers are those that the help states.
try 0 glm fit 'b ~ x + f' --data units.csv -o fit.json
has out "prior      weak: N(0, 2.5^2) on each slope and level, in sds of its column,"
has out "             wider on the intercept"
close "the sd of an indicator" "$(json fit.json prior terms 2 sd)" 2.5 1e-9
sd=$(awk -F, 'NR > 1 { n++; s += $5; q += $5 ^ 2 } END { printf "%.9g", sqrt(q / n - (s / n) ^ 2) }' units.csv)
close "the sd of a column" "$(json fit.json prior terms 1 sd)" "$(awk -v s="$sd" 'BEGIN { print 2.5 / s }')" 1e-5
try 0 glm show fit.json
has out "prior      weak: N(0, 2.5^2)"
equal weak "$(json fit.json prior terms 0 weak)" true

# Neither the unit of a column nor where it begins makes a difference to its effect.
for family in b-bernoulli k-poisson y-gaussian g-gaussian o-ordinal k-negative-binomial; do
    response=${family%%-*}
    for column in x u; do
        try 0 glm fit "$response ~ $column + f" --family "${family#*-}" --data units.csv \
            -o $column.json
        if grep -q 'holds\|next to nothing' out; then fail "$family: the prior is felt"; fi
    done
    slope=1
    if [[ $response == o ]]; then slope=0; fi # cut points come last
    close "$family: mean over sd in other units" "$(ratio u.json $slope)" \
        "$(ratio x.json $slope)" 0.01
done

# The intercept's reaches to where the columns are 0; a column alone is taken about its mean.
try 0 glm fit 'b ~ I(u + 0)' --data units.csv -o fit.json
awk -v s="$(json fit.json prior terms 0 sd)" 'BEGIN { exit !(s > 1000) }' ||
    fail "the intercept at 2000 sds from the data is held near 0"

# Many columns have less each: together they move the predictor by 5 at most. A factor of
# many levels counts as one.
awk 'BEGIN {
    srand(4); printf "y,f"; for (j = 1; j <= 64; j++) printf ",x%d", j; print ""
    for (i = 0; i < 400; i++) {
        printf "%d,l%d", rand() < 0.5, i % 40
        for (j = 1; j <= 64; j++) printf ",%.4f", rand()
        print ""
    }
}' >many.csv
try 0 glm fit 'y ~ . - f' --data many.csv -o fit.json
close "the sd in sds" "$(json fit.json prior sd)" 0.625 1e-9
has out "weak: N(0, 0.625^2)"
try 0 glm fit 'y ~ f' --data many.csv -o fit.json
close "the sd of levels" "$(json fit.json prior sd)" 2.5 1e-9

# Without an intercept there is none to be wider.
try 0 glm fit 'b ~ 0 + x' --data units.csv -o fit.json
if grep -q wider out; then fail "there is no intercept"; fi

# What is stated is shown beside it, with zero for its mean, and replaces it.
try 0 glm fit 'g ~ x + f' --data units.csv --intercept-sd 3e9 -o fit.json
has out "prior      N(0, 3e+09^2) on '(Intercept)'"
has out "weak: N(0, 2.5^2) on each other coefficient, in sds of column and response"
equal mean "$(json fit.json prior terms 0 mean)" 0.0
equal stated "$(json fit.json prior terms 0 weak)" false
try 0 glm fit 'b ~ x + f' --data units.csv --prior-sd 1 -o fit.json
has out "prior      N(0, 1^2) on each coefficient"
try 0 glm fit 'b ~ x + f' --data units.csv --prior-df 4 -o fit.json
has out "weak: Student-t with 4 degrees of freedom, scaled by 2.5, on each coefficient"

# With no more rows than columns, the prior decides what is not known.
head -n 41 many.csv >wide.csv
try 0 glm fit 'y ~ . - f' --data wide.csv -o fit.json
has out "With 40 rows for 65 columns the prior decides how wide the intervals are."
for stated in '--prior-sd 1' '--prior-df 4'; do
    # shellcheck disable=SC2086 # an option and its value
    try 0 glm fit 'y ~ . - f' --data wide.csv $stated -o fit.json
    if grep -q 'as wide as' out; then fail "$stated is not seen"; fi
done
awk -F, -v OFS=, '{ print $0, NR == 1 ? "w" : 0.0025 }' many.csv >light.csv
try 0 glm fit 'y ~ x1' --weights w --data light.csv -o fit.json
has out "With a total weight of 1 for 2 columns the prior decides how wide"

# Rows of no weight say nothing about a column, nor of whether it is an indicator.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "i,w" : (NR == 2 ? "1e6,0" : ($2 == "l3") ",1") }' many.csv >zero.csv
try 0 glm fit 'y ~ i' --weights w --data zero.csv -o fit.json
close "the sd of an indicator" "$(json fit.json prior terms 1 sd)" 2.5 1e-9

# ---- beside R, where the data are informative ----

awk 'function u() { s = (16807 * s) % 2147483647; return s / 2147483647 }
function z() { return u() + u() + u() + u() - 2 }
BEGIN {
    s = 7; print "y,b,k,q,x,yr,f,two,far,t,w"
    for (i = 0; i < 200; i++) {
        x = 1.7 * z(); t = int(21 * u()) - 10; l = int(3 * u()); two = int(2 * u())
        e = 0.5 * x + 0.1 * t + 0.1 * x * t + 0.5 * (l == 1)
        printf "%.4f,%d,%d,%.4f,%.4f,%d,%s,%d,%.4f,", e + 1.7 * z(), u() < 1 / (1 + exp(-e)), \
            exp(e / 2) * 2 * u() + u(), 0.1 * t - 0.02 * t * t + 1.7 * z(), x, 2010 + t, \
            substr("abc", l + 1, 1), 2019 + two, 1e6 + x
        printf "%d,%d\n", t, 1 + 2 * (i % 2)
    }
}' >years.csv

# beside FORMULA SES TERM MEAN SE [OPTION...]: the coefficient TERM (from 0) is within SES
# standard errors of R's, and its sd within 2 %. The numbers are those of
#   Rscript -e 'd <- read.csv("years.csv"); coef(summary(lm(FORMULA, d)))'
# and of glm(FORMULA, poisson, d) for k.
beside() {
    local formula=$1 off=$2 term=$3 mean=$4 se=$5
    shift 5
    try 0 glm fit "$formula" "$@" --data years.csv -o fit.json
    awk -v m="$(json fit.json coefficients "$term" mean)" -v r="$mean" -v s="$se" -v t="$off" \
        'BEGIN { exit !((m - r) ^ 2 <= (t * s) ^ 2) }' ||
        fail "$formula: coefficient $term is not R's $mean but $(json fit.json coefficients "$term" mean)"
    close "$formula: the sd of $term" "$(json fit.json coefficients "$term" sd)" "$se" 0.02
}

beside 'y ~ 0 + x + two' 0.02 0 0.375130 0.101279 # two values, of which none is 0
beside 'y ~ 0 + x + two' 0.02 1 0.000136901 5.06061e-05
beside 'y ~ 0 + f + yr' 0.02 3 0.117239 0.0146574 # a factor stands for the intercept
has out "prior      weak: N(0, 2.5^2) on each slope and level, in sds of column and response,"
has out "             wider on the mean of all levels"
beside 'y ~ 0 + f + yr' 0.02 0 -235.787 29.4736
for terms in '0 + f' f; do # nothing else
    try 0 glm fit "k ~ $terms" --family poisson --data years.csv -o fit.json
    has out "prior      weak: N(0, 2.5^2) on each slope and level, in sds of its column,"
    close "the evidence of levels" "$(json fit.json objective)" \
        "${levels:=$(json fit.json objective)}" 1e-9
done
beside 'k ~ 0 + f + yr' 0.05 3 0.0776589 0.0104674 --family poisson
beside 'y ~ x * yr' 0.02 0 -187.408 26.0596 # slopes at the year 0
beside 'y ~ x * yr' 0.02 1 -198.539 25.4194
beside 'y ~ x * yr' 0.02 2 0.0933449 0.0129647
beside 'y ~ x * yr' 0.02 3 0.0989796 0.0126518
has out "prior      weak: N(0, 2.5^2) on each coefficient"
try 0 glm show fit.json
has out "prior      weak: N(0, 2.5^2) on each coefficient"
beside 'k ~ x * yr' 0.05 3 0.0616402 0.00996832 --family poisson
beside 'q ~ yr + I(yr^2)' 0.02 1 82.2797 7.95968
beside 'q ~ I(yr^2) + yr' 0.02 1 -0.0204411 0.00198003
beside 'y ~ f * yr' 0.02 1 -35.3665 78.4583
beside 'y ~ f * yr' 0.02 5 0.0296973 0.0350733
beside 'y ~ f / yr' 0.02 0 -200.205 54.2676
beside 'y ~ f / yr' 0.02 3 0.0995432 0.0269879
beside 'y ~ far' 0.02 1 0.375131 0.101279
beside 'y ~ x * yr' 0.05 3 0.0989796 0.0126518 --prior-df 4 # there parents are widened
beside 'y ~ x * yr' 0.05 3 0.0989796 0.0126518 --intercept-sd 1e5

# Years from another origin are another parametrisation of the same regression and prior:
# its evidence is the same, whatever the family and method, and so is what is not the
# slopes' or level at the origin.
moved() {
    for year in yr t; do try 0 glm fit "${1//YEAR/$year}" "${@:2}" --data years.csv -o $year.json; done
    close "$*: the objective from another origin" "$(json yr.json objective)" "$(json t.json objective)" 1e-9
}
for method in auto laplace delta jaakkola-jordan; do moved 'b ~ x * YEAR' --method $method; done
moved 'b ~ x + YEAR'
moved 'y ~ x * YEAR'
moved 'y ~ x * YEAR' --method laplace
moved 'k ~ f / YEAR' --family negative-binomial
moved 'f ~ x * YEAR' --family multinomial
moved 'y ~ 0 + f + x * YEAR'
moved 'b ~ x * YEAR' --weights w
moved 'b ~ x * YEAR' --group f --groups separate
moved 'b ~ x * YEAR' --group f --groups pooled
head -n 31 years.csv >few.csv
for year in yr t; do
    try 0 glm fit "b ~ x * $year" --data few.csv -o $year.json
    equal "by propagation" "$(json $year.json propagated)" true
done
close "the objective of few rows" "$(json yr.json objective)" "$(json t.json objective)" 1e-9

# The covariance that is written is that of the prior: stated, it has the same posterior.
try 0 glm fit 'k ~ x * t' --family poisson --data years.csv -o weak.json
{
    echo '(Intercept),x,t,x:t'
    for i in 0 1 2 3; do
        for j in 0 1 2 3; do
            printf '%s%s' "$(json weak.json prior covariance $i $j)" "$([[ $j == 3 ]] || echo ,)"
        done
        echo
    done
} >covariance.csv
try 0 glm fit 'k ~ x * t' --family poisson --prior-covariance covariance.csv --data years.csv -o stated.json
has out "prior      normal, with the given covariance of all coefficients"
for i in 0 1 2 3; do
    close "the mean under the prior stated" "$(json stated.json coefficients $i mean)" \
        "$(json weak.json coefficients $i mean)" 1e-5
done

# ---- columns that have no digits left ----

awk -F, -v OFS=, '{ print $1, NR == 1 ? "huge" : sprintf("%.4f", 1e8 + $5), $6 }' years.csv >huge.csv
try 1 glm fit 'y ~ I(huge + 0)' --data huge.csv -o fit.json
has err "'I(huge + 0)' varies by no more than"
has err "scale("
try 0 glm fit 'y ~ scale(huge)' --data huge.csv -o fit.json
try 0 glm predict fit.json --data huge.csv -o scaled.csv
# a column by itself is taken about a centre, as powers are
try 0 glm fit 'y ~ huge' --data huge.csv -o fit.json
try 0 glm predict fit.json --data huge.csv -o huge-fit.csv
cmp -s <(cut -d, -f1-3 scaled.csv) <(cut -d, -f1-3 huge-fit.csv) || fail "a column far from 0 loses digits"
try 0 glm fit 'y ~ yr + I(yr^2) + I(yr^3)' --data huge.csv -o fit.json
# what is made up of others has none to lose
try 0 glm fit 'y ~ yr + I(2 * yr) + scale(yr) + yr:I(yr * 3)' --data huge.csv -o fit.json

# ---- priors that hold an intercept back ----

try 0 glm fit 'q ~ x' --data years.csv --prior-sd 0.001 -o fit.json
has out "widen it"
awk -F, -v OFS=, '{ print $1, NR == 1 ? "m" : 40 + $1 - $5, $5 }' years.csv >level.csv
try 0 glm fit 'm ~ x' --data level.csv --prior-sd 3 -o fit.json
has out "The prior holds '(Intercept)' back"
has out "give it a wider one of its own (--intercept-sd 300), or remove"

# ---- no event at all: a posterior as skewed as can be ----

awk 'BEGIN { print "x,y"; for (i = 1; i <= 8; i++) print i ",0" }' >none.csv
try 0 glm fit 'y ~ x' --family poisson --data none.csv -o none.json
# by quadrature the middle 95 % of the intercept is -26.6 to -0.19, its sd 7; mean -+ 1.96 sd ends at +3.05
awk -v lower="$(json none.json margins 0 2)" -v upper="$(json none.json margins 0 4)" \
    'BEGIN { exit !(lower > -27.3 && lower < -25.9 && upper > -0.8 && upper < 0.6) }' ||
    fail "the interval of the intercept is not skewed"
try 0 glm predict none.json --data none.csv -o none-predicted.csv
has out "has an sd above 2"
