#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The prior of coefficients of which nothing is said: weak, whatever the units.
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
has out "prior      weak: N(0, 2.5^2) on each coefficient, in sds of its column"
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
    if [[ $response == o ]]; then slope=0; fi # cut points stand last
    close "$family: mean over sd in other units" "$(ratio u.json $slope)" \
        "$(ratio x.json $slope)" 0.01
done

# The intercept's reaches to where the columns are 0.
try 0 glm fit 'b ~ u' --data units.csv -o fit.json
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
try 0 glm fit 'y ~ f' --data many.csv -o fit.json
close "the sd of levels" "$(json fit.json prior sd)" 2.5 1e-9

# What is stated stands beside it, with zero for its mean, and replaces it.
try 0 glm fit 'g ~ x + f' --data units.csv --intercept-sd 3e9 -o fit.json
has out "prior      N(0, 3e+09^2) on '(Intercept)'"
has out "weak: N(0, 2.5^2) on each other coefficient, in sds of column and response"
equal mean "$(json fit.json prior terms 0 mean)" 0.0
equal stated "$(json fit.json prior terms 0 weak)" false
try 0 glm fit 'b ~ x + f' --data units.csv --prior-sd 1 -o fit.json
has out "prior      N(0, 1^2) on each coefficient"
try 0 glm fit 'b ~ x + f' --data units.csv --prior-df 4 -o fit.json
has out "weak: Student-t with 4 degrees of freedom, scaled by 2.5, on each coefficient"

# With no more rows than columns, what is not known is the prior's to tell.
head -n 41 many.csv >wide.csv
try 0 glm fit 'y ~ . - f' --data wide.csv -o fit.json
has out "With 40 rows for 65 columns the intervals are as wide as the prior lets them be."
