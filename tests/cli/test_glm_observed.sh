#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace glm predict --interval observation: where new responses will lie.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

# 100 rows that scatter like noise, with a response for every family.
awk 'BEGIN {
    print "x,y,g,c,s,f,k,w"
    for (i = 1; i <= 100; i++) {
        x = i % 17 / 4; e = sin(i * i)
        printf "%.2f,%.4f,%.4f,%d,%d,%d,%s,%d\n", x, 1 + 2 * x + 1.5 * e,
            exp(0.5 + 0.3 * x + 0.6 * e), exp(1 + 0.3 * x + 0.9 * e) + 0.5,
            10 / (1 + exp(1 - 0.5 * x - e)), 10 - int(10 / (1 + exp(1 - 0.5 * x - e))),
            substr("ABCD", 1 + i % 4, 1), 1 + i % 3
    }
}' >rows.csv
printf 'x,s,f,k\n0,0,20,A\n2,7,93,A\n6,0,500,Z\n' >new.csv

# predicted FORMULA OPTION...: fits it as fit.json, and predicts new.csv as out.csv.
predicted() {
    try 0 glm fit "$1" --data rows.csv -o fit.json -q "${@:2}"
    try 0 glm predict fit.json --data new.csv --interval observation -o out.csv
}
# interval ROW LOWER UPPER TOLERANCE: of a new response in that row, relative.
interval() {
    awk -F, -v row="$1" -v lower="$2" -v upper="$3" -v t="$4" '
    function far(a, b) { return (a - b) ^ 2 > (t * b) ^ 2 }
    NR == row + 1 && (far($(NF - 1), lower) || far($NF, upper)) {
        print $(NF - 1), $NF; exit 1
    }' out.csv >difference || fail "row $1: $(cat difference), not $2 $3"
}

# A wide prior leaves what lm says, whose intervals are Student-t's. R:
# predict(lm(y ~ x, read.csv("rows.csv")), read.csv("new.csv"), interval = "prediction")
predicted 'y ~ x' --prior-sd 1000
equal header "$(head -n 1 out.csv)" \
    row,eta,eta_sd,mean,mean_averaged,lower,upper,observed_lower,observed_upper
interval 1 -1.12149865 3.18038051 0.005
interval 2 2.90160946 7.14591654 0.005
interval 3 10.7773328 15.24748148 0.005

# Draws from the posterior, and responses from them: tests/observed_draws.R fit.json X TRIALS
predicted 'g ~ x' --family gamma --prior-sd 10
interval 1 0.6226961 3.6069402 0.004
interval 3 3.840886 23.782617 0.004
predicted 'c ~ x' --family poisson --prior-sd 10
interval 1 0 8 0
interval 3 11 31 0
predicted 'c ~ x' --family negative-binomial --prior-sd 10
interval 1 0 9 0
interval 3 4 50 0
predicted 'cbind(s, f) ~ x' --prior-sd 10
interval 1 1 9 0
interval 2 34 55 0
interval 3 379 449 0

# The columns of the mean are as they were; weights have no part in a new response.
cut -d, -f1-7 out.csv >means.csv
try 0 glm predict fit.json --data new.csv -o plain.csv
same means.csv plain.csv
printf 'x,s,f,w\n0,0,20,5\n2,7,93,NA\n6,0,500,-1\n' >weighted.csv
try 0 glm fit 'cbind(s, f) ~ x' --data rows.csv --weights w -o fit.json -q
try 0 glm predict fit.json --data new.csv --interval observation -o out.csv
try 0 glm predict fit.json --data weighted.csv --interval observation -o again.csv
same again.csv out.csv

# A group that was not seen is drawn from the population, as tests/observed_draws.R draws it.
try 0 glm fit 'y ~ (x | k)' --groups hierarchical --data rows.csv -o fit.json -q
try 0 glm predict fit.json --data new.csv --unseen population --interval observation -o out.csv
interval 3 10.22641 15.86589 0.004
# It has the offsets of its rows.
try 0 glm fit 'c ~ x + offset(log(s + f))' --family poisson --data rows.csv -o fit.json -q
try 0 glm predict fit.json --data new.csv --interval observation -o out.csv
awk -F, 'NR > 1 && !($8 <= $4 && $4 <= $9) { exit 1 }' out.csv || fail "offsets are not counted"

# The trials must be there; levels have probabilities in the file.
printf 'x\n1\n' >bare.csv
try 0 glm fit 'cbind(s, f) ~ x' --data rows.csv -o fit.json -q
try 0 glm predict fit.json --data bare.csv -o out.csv
try 1 glm predict fit.json --data bare.csv --interval observation -o out.csv
has err "bare.csv: has no columns for 'cbind(s, f)', whose sum is the trials"
try 0 glm fit 'k ~ x' --data rows.csv -o fit.json -q
try 2 glm predict fit.json --data new.csv --interval observation -o out.csv
has err "probability_averaged_... has the probability of each"
try 0 glm fit 'k ~ x' --data rows.csv --family ordinal -o fit.json -q
try 2 glm predict fit.json --data new.csv --interval observation -o out.csv
has err "is one of the levels"
awk -F, 'NR == 1 || $7 < "C"' rows.csv >two.csv
try 0 glm fit 'k ~ x' --data two.csv -o fit.json -q
try 2 glm predict fit.json --data new.csv --interval observation -o out.csv
has err "mean_averaged is its probability"
try 2 glm predict fit.json --data new.csv --interval both -o out.csv
has err "--interval needs one of mean, observation"
