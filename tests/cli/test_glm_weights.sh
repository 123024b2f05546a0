#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace glm fit --weights: a row of weight 3 is three rows, in every family, with groups,
# and where a fit is evaluated.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

# 60 rows with a response for every family, the weight n from 0 to 3, and a number that is
# far from all others where n is 0.
awk 'BEGIN {
    srand(4); print "g,x,z,b,c,r,u,o,s,f,n"
    for (i = 0; i < 60; i++) {
        x = 2 * rand() - 1; e = rand() + rand() + rand() - 1.5
        t = x + e; n = i % 4
        printf "%s,%.4f,%.4f,%s,%d,%.4f,%.4f,%d,%d,%d,%d\n", substr("ABC", 1 + int(i / 20), 1),
            x, n ? rand() : 1e6, (t > 0) ? "yes" : "no", int(exp(1 + 0.5 * t)), 3 + 2 * t,
            exp(t), 1 + (t >= -0.5) + (t >= 0.5), int(6 / (1 + exp(-t))),
            6 - int(6 / (1 + exp(-t))), n
    }
}' >weighted.csv
awk -F, 'NR == 1 { print } NR > 1 { for (k = 0; k < $11; k++) print }' weighted.csv >repeated.csv

# near KEY...: the number there is the same in both fits.
near() {
    local a b
    a=$(json weighted.json "$@") b=$(json repeated.json "$@")
    awk -v a="$a" -v b="$b" 'BEGIN { exit !((a - b)^2 <= 1e-12 * (1 + b * b)) }' ||
        fail "$*: $a with weights, $b without"
}
# both FORMULA OPTION...: the fit with weights and the one of the rows written out.
both() {
    try 0 glm fit "$1" --data weighted.csv --weights n -o weighted.json "${@:2}"
    try 0 glm fit "$1" --data repeated.csv -o repeated.json "${@:2}"
    near objective
}

for family in bernoulli:b binomial:'cbind(s, f)' poisson:c negative-binomial:c gaussian:r gamma:u \
    multinomial:o ordinal:o; do
    for method in laplace delta; do
        both "${family#*:} ~ x" --family "${family%%:*}" --method $method
        for i in 0 1; do
            near mean $i
            near covariance $i $i
        done
    done
done
both 'b ~ x' --method jaakkola-jordan
near mean 1
both 'b ~ x + z' # the number of weight 0 counts for nothing
near mean 2
for family in poisson:c negative-binomial:c gamma:u; do # nor where it makes exp() overflow
    both "${family#*:} ~ x + z" --family "${family%%:*}"
    near mean 2
done
for family in bernoulli:b gaussian:r; do
    both "${family#*:} ~ (x | g)" --groups hierarchical --family "${family%%:*}"
    near mu0 1
    near mean 2 1
    both "${family#*:} ~ x" --family "${family%%:*}" --group g --groups separate
    near mean 1 0
done

# Rows are few where their weights say so.
awk -F, 'NR == 1 || NR % 8 == 3' weighted.csv >few.csv
awk -F, -v OFS=, 'NR > 1 { $11 = NR % 8 == 3 ? $11 : 0 } 1' weighted.csv >none.csv
for data in few none; do
    try 0 glm fit 'c ~ x + z' --family poisson --data $data.csv --weights n -o $data.json
    equal propagated "$(json $data.json propagated)" true
done
mv few.json weighted.json
mv none.json repeated.json
near objective

# The file and the screen say it; '.' leaves the weights out; evaluate takes them too.
try 0 glm fit 'b ~ x' --data weighted.csv --weights n -o weighted.json
has out "rows       60, by 'n' as 90"
equal weights "$(json weighted.json weights)" n
equal total "$(json weighted.json total_weight)" 90.0
try 0 glm show weighted.json
has out "rows       60, by 'n' as 90"
try 0 glm fit 'r ~ . - b - g - o' --data weighted.csv --weights n -o all.json
! grep -q '"term": "n"' all.json || fail "the weights are a term"
try 0 glm evaluate weighted.json --data weighted.csv --weights n --json
mv out weighted.json.out
equal weights "$(json weighted.json.out weights)" n
equal total "$(json weighted.json.out total_weight)" 90.0
try 0 glm evaluate weighted.json --data weighted.csv --json
same out weighted.json.out # the fit's weights, without being told
try 0 glm evaluate weighted.json --data weighted.csv
has out "weights         'n', 90 in all, as in the fit (--no-weights ignores them)"
has out "per unit of weight, at the posterior mean"
try 0 glm evaluate weighted.json --data weighted.csv --no-weights
has out "per row, at the posterior mean"
try 0 glm evaluate weighted.json --data weighted.csv --weights s
has out "weights         's', "
cut -d, -f1-10 repeated.csv >without.csv
try 0 glm evaluate weighted.json --data without.csv
has out "weights         'n' of the fit is not in the table: each row counts once"
try 0 glm evaluate weighted.json --data without.csv --json
equal weights "$(json out weights)" null
mv out without.out
try 2 glm evaluate weighted.json --data weighted.csv --weights n --no-weights
has err "--weights and --no-weights cannot be combined"
try 0 glm evaluate weighted.json --data repeated.csv --no-weights --json
same out without.out
for key in accuracy log_likelihood log_likelihood_averaged; do
    equal "$key" "$(json weighted.json.out $key | cut -c1-12)" "$(json out $key | cut -c1-12)"
done

# wrong TEXT: the table in wrong.csv has weights that cannot be.
wrong() {
    try 1 glm fit 'y ~ x' --data wrong.csv --weights w -o fit.json
    has err "$1"
    [[ ! -e fit.json ]] || fail "it wrote a file"
}
printf 'y,x,w\n1,2,1\n2,1,-0.5\n4,3,1\n' >wrong.csv
wrong "wrong.csv: the weight 'w' is -0.5 in row 2 (counted from 1); weights are 0 or more"
printf 'y,x,w\n1,2,0\n2,1,0\n' >wrong.csv
wrong "the weight 'w' is 0 in every row"
printf 'y,x,w\n1,2,a\n2,1,b\n' >wrong.csv
wrong "'w'"
printf 'y,x,W\n1,2,1\n2,1,1\n' >wrong.csv
wrong "'w'"
printf 'y,x,w\n1,2,1\n2,1,NA\n4,3,1\n3,1,2\n2,2,2\n' >missing.csv
try 0 glm fit 'y ~ x' --data missing.csv --weights w -o fit.json
has out "rows       4 (1 with missing values dropped), by 'w' as 6"

# Precisions, which are something else, and shares of trials.
printf 'y,x,w,p,n\n1,2,1,0.5,4\n2.1,1,3,0.25,8\n4,3,2,0.3333,3\n3,1,2,1,2\n2,2.5,2,0,5\n' >precise.csv
try 0 glm fit 'y ~ x' --data precise.csv --precision w -o fit.json
has out "rows       5, with the precision 'w'"
try 0 glm show fit.json
has out "with the precision 'w'"
try 0 glm fit 'p ~ x' --data precise.csv --trials n -o fit.json
has out "family     binomial, link logit"
try 1 glm fit 'y ~ x' --data precise.csv --trials n -o fit.json
has err "counts are not negative. With a column of trials the response is the share"
try 2 glm fit 'cbind(p, n) ~ x' --data precise.csv --trials n -o fit.json
has err "cbind() has its own"
try 2 glm fit 'p ~ x' --data precise.csv --trials n --precision w -o fit.json
has err "precisions of rows are for the families gaussian, student and tobit"
# A name may hold what formulas are written with.
sed '1s/p/a~cbind(b/' precise.csv >strange.csv
# shellcheck disable=SC2016 # a name in backquotes
try 0 glm fit '`a~cbind(b` ~ x' --data strange.csv --trials n -o fit.json
has out "family     binomial, link logit"
