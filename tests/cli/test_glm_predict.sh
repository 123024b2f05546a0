#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace glm predict and evaluate: what a fit says about other rows.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
challenger=$project/data/challenger.csv

near() {
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !((a - b) ^ 2 <= t * t) }' ||
        fail "$1 is $2, not $3"
}

# fit FORMULA OPTION...: to the data, as fit.json.
fit() {
    try 0 glm fit "$1" --data "$challenger" -o fit.json -q "${@:2}"
}

# Each number again from those in the file: eta = a + b (x - centre)/spread, and its sd.
fit 'distress ~ scale(temperature)'
try 0 glm predict fit.json --data "$challenger" -o out.csv
has out "Written to out.csv"
is_empty err
equal header "$(head -n 1 out.csv)" row,eta,eta_sd,mean,mean_averaged,lower,upper
equal lines "$(wc -l <out.csv)" 24
awk -F, -v a="$(json fit.json mean 0)" -v b="$(json fit.json mean 1)" \
    -v centre="$(json fit.json terms scalings 0 centre)" \
    -v spread="$(json fit.json terms scalings 0 spread)" \
    -v aa="$(json fit.json covariance 0 0)" -v ab="$(json fit.json covariance 0 1)" \
    -v bb="$(json fit.json covariance 1 1)" '
function logistic(t) { return 1 / (1 + exp(-t)) }
function check(got, want) { if ((got - want) ^ 2 > 1e-16) { bad = 1 } }
FNR == 1 { next }
NR == FNR { x[FNR - 1] = ($2 - centre) / spread; next }
{
    eta = a + b * x[$1]; sd = sqrt(aa + 2 * ab * x[$1] + bb * x[$1] ^ 2)
    check($2, eta); check($3, sd); check($4, logistic(eta))
    check($6, logistic(eta - 1.959963984540054 * sd))
    check($7, logistic(eta + 1.959963984540054 * sd))
    sum = weights = 0
    for (z = -8; z <= 8; z += 0.05) {
        w = exp(-z * z / 2); weights += w; sum += w * logistic(eta + sd * z)
    }
    check($5, sum / weights)
}
END { exit bad }' "$challenger" out.csv || fail "predictions do not follow from the fit"

# The same on standard output; on standard input; the same bytes again.
try 0 glm predict fit.json --data "$challenger" -o -
same out out.csv
try 0 glm predict - --data "$challenger" -o again.csv <fit.json
same again.csv out.csv
try 0 glm predict fit.json --data - -o again.csv <"$challenger"
same again.csv out.csv
try 0 glm predict fit.json --data "$challenger" --format csv --missing error -o again.csv
same again.csv out.csv
try 2 glm predict - --data - -o again.csv
has err "cannot both be standard input"

# Without the response; in another order of columns; with others beside them.
printf 'other,temperature\nx,66\ny,70\n' >new.csv
try 0 glm predict fit.json --data new.csv -o new.out
equal same "$(sed -n 2p new.out)" "$(sed -n 2p out.csv)"

# evaluate: from the predictions.
try 0 glm evaluate fit.json --data "$challenger" --json
equal rows "$(json out rows)" 23
awk -F, -v accuracy="$(json out accuracy)" -v l="$(json out log_likelihood)" \
    -v averaged="$(json out log_likelihood_averaged)" '
FNR == 1 { next }
NR == FNR { yes[FNR - 1] = $6 == "yes"; next }
{
    right += ($4 > 0.5) == yes[$1]; n++
    sum += log(yes[$1] ? $4 : 1 - $4); sum_averaged += log(yes[$1] ? $5 : 1 - $5)
}
END {
    exit !((right / n - accuracy) ^ 2 < 1e-20 && (sum / n - l) ^ 2 < 1e-16 &&
        (sum_averaged / n - averaged) ^ 2 < 1e-16)
}' "$challenger" out.csv || fail "the evaluation does not follow from the predictions"
if grep -q rmse out; then fail "rmse of a binary response"; fi
try 0 glm evaluate fit.json --data "$challenger"
has out "accuracy        0.8696"
has out "averaged over the posterior"
try 0 glm evaluate fit.json --data "$challenger" -q
has out "accuracy        0.8696"
try 1 glm evaluate fit.json --data new.csv
has err "no response 'distress'"

# Counts and numbers: rmse and mae, of binomials in counts.
# measured: evaluates the fit beside its predictions, in the columns RESPONSE, TRIALS.
measured() {
    try 0 glm predict fit.json --data "$challenger" -o out.csv
    try 0 glm evaluate fit.json --data "$challenger" --json
    if grep -q accuracy out; then fail "an accuracy of numbers"; fi
    awk -F, -v response="$1" -v trials="$2" -v rmse="$(json out rmse)" \
        -v mae="$(json out mae)" '
    FNR == 1 { next }
    NR == FNR { y[FNR - 1] = $response; n[FNR - 1] = trials ? $4 + $5 : 1; next }
    {
        e = y[$1] - n[$1] * $4; N++
        squares += e * e; sizes += e < 0 ? -e : e
    }
    END {
        exit !((sqrt(squares / N) - rmse) ^ 2 < 1e-14 && (sizes / N - mae) ^ 2 < 1e-14)
    }' "$challenger" out.csv || fail "rmse and mae do not follow from the predictions"
    try 0 glm evaluate fit.json --data "$challenger"
    has out "rmse"
}
fit 'cbind(damaged, sound) ~ scale(temperature)'
measured 4 1
fit 'damaged ~ scale(temperature) + offset(log(sound))' --family poisson
measured 4 0
fit 'damaged ~ scale(temperature)' --family negative-binomial
measured 4 0
fit 'temperature ~ factor(pressure)'
measured 2 0
fit 'temperature ~ damaged' --family gamma
measured 2 0

# Several levels: probabilities that add up to one, and the most probable.
for family in multinomial ordinal; do
    fit 'pressure ~ scale(temperature)' --family $family
    try 0 glm predict fit.json --data "$challenger" -o out.csv
    awk -F, -v first="$([[ $family == ordinal ]] && echo 5 || echo 3)" '
    NR == 1 { for (k = 1; k <= 3; k++) { split($(first + k - 1), part, "_"); level[k] = part[2] } }
    NR > 1 {
        p = $first + $(first + 1) + $(first + 2)
        q = $(first + 3) + $(first + 4) + $(first + 5)
        best = 1
        for (k = 2; k <= 3; k++) if ($(first + k - 1) > $(first + best - 1)) best = k
        if ((p - 1) ^ 2 > 1e-16 || (q - 1) ^ 2 > 1e-16) bad = 1
        if ($(first - 1) != level[best]) bad = 1
    }
    END { exit bad }' out.csv || fail "probabilities of $family"
    try 0 glm evaluate fit.json --data "$challenger" --json
    awk -v a="$(json out accuracy)" -v l="$(json out log_likelihood)" \
        'BEGIN { exit !(a > 0.3 && a <= 1 && l < 0 && l > -2) }' || fail "$family"
done
equal header "$(head -n 1 out.csv | cut -d, -f1-7)" \
    row,eta,eta_sd,level,probability_50,probability_100,probability_200

# Where a column has its origin does not matter, though eta and the cut points, which the
# average is over, are the more correlated, the farther away it is.
awk 'BEGIN {
    print "year,opinion"
    for (i = 0; i < 60; i++) {
        u = (i * 37 % 61 + 0.5) / 61; year = 2000 + i % 12
        t = 0.25 * (year - 2005.5) + log(u / (1 - u))
        print year "," (t < -0.7 ? "bad" : t < 0.7 ? "fair" : "good")
    }
}' >years.csv
# Alphabetical order is noted, unless it was asked for.
try 0 glm fit 'opinion ~ year' --family ordinal --data years.csv -o years.json
has out "in alphabetical order, 'bad' < 'fair' < 'good'"
try 0 glm fit 'opinion ~ year' --family ordinal --levels bad,fair,good --data years.csv -o years.json
! grep -q alphabet out || fail "an order that was stated is doubted"
for term in year 'scale(year)'; do
    try 0 glm fit "opinion ~ $term" --family ordinal --levels bad,fair,good \
        --data years.csv -o years.json -q
    try 0 glm predict years.json --data years.csv -o "$term.csv"
    try 0 glm evaluate years.json --data years.csv --json
    json out log_likelihood_averaged >"$term.likelihood"
done
paste -d, year.csv 'scale(year).csv' | awk -F, '
NR > 1 && $3 < 10 { bad = 1 } # eta of a year is hardly known
NR > 1 { for (k = 8; k <= 10; k++) if (($k - $(k + 10)) ^ 2 > 1e-6) bad = 1 }
END { exit bad }' || fail "the averages depend on the origin of a column"
near "likelihood" "$(cat year.likelihood)" "$(cat 'scale(year).likelihood')" 0.001

# Names with commas and quotes are quoted.
printf 'y,x\n"a,b",1\n"c""d",2\ne,3\n"a,b",2\n' >quoted.csv
try 0 glm fit 'y ~ x' --data quoted.csv -o quoted.json -q
try 0 glm predict quoted.json --data quoted.csv -o out.csv
has out.csv '"probability_a,b","probability_c""d",probability_e'
has out.csv ',"a,b",'

# Missing values are left out and counted, and the numbers of rows are the table's.
printf 'temperature,distress\n66,no\nNA,yes\n70,\n81,no\n' >holes.csv
fit 'distress ~ scale(temperature)'
try 0 glm predict fit.json --data holes.csv -o out.csv
has out "1 row with missing values dropped"
equal rows "$(cut -d, -f1 out.csv | tr '\n' ' ')" "row 1 3 4 "
try 0 glm evaluate fit.json --data holes.csv --json
equal rows "$(json out rows)" 2
equal dropped "$(json out dropped)" 2
try 0 glm evaluate fit.json --data holes.csv
has out "rows            2 (2 with missing values dropped)"
try 1 glm predict fit.json --data holes.csv -o out.csv --missing error
has err "'temperature' lacks 1 of 4 values"

# Levels that the fit did not see: of a term, of the response.
printf 'y,x,f\n0,1,a\n1,2,b\n0,3,b\n1,4,a\n' >levels.csv
try 0 glm fit 'y ~ x + f' --data levels.csv -o fit.json -q
printf 'y,x,f\n0,1,a\n1,2,c\n' >more.csv
try 1 glm predict fit.json --data more.csv -o out.csv
has err "level 'c' of 'f' in row 2"
has err "drop such rows with --unseen drop, or fit again with them"
try 0 glm predict fit.json --data more.csv -o out.csv --unseen drop
has out "1 row with unseen levels dropped"
equal lines "$(wc -l <out.csv)" 2
try 0 glm evaluate fit.json --data more.csv --json --unseen drop
equal unseen "$(json out unseen)" 1
try 0 glm evaluate fit.json --data more.csv --unseen drop
has out "(1 with unseen levels dropped)"
printf 'temperature,distress\n66,no\n70,perhaps\n' >perhaps.csv
fit 'distress ~ scale(temperature)'
try 1 glm evaluate fit.json --data perhaps.csv
has err "perhaps"
try 0 glm predict fit.json --data perhaps.csv -o out.csv
equal lines "$(wc -l <out.csv)" 3

# A column of the fit that new data lack, or have as text.
printf 'pressure\n50\n' >lacking.csv
try 1 glm predict fit.json --data lacking.csv -o out.csv
has err "temperature"
printf 'temperature\nwarm\ncold\n' >words.csv
try 1 glm predict fit.json --data words.csv -o out.csv
has err "temperature"

# svmlight data may end with other features than those of the fit.
printf '1 1:1 3:2\n0 1:2 2:1\n1 3:1\n0 1:1 2:2\n' >train.svm
printf '1 1:1\n0 1:2 2:1\n' >short.svm
try 0 glm fit 'label ~ .' --data train.svm -o fit.json -q
try 0 glm predict fit.json --data short.svm -o out.csv
equal lines "$(wc -l <out.csv)" 3

# Where the output cannot go.
fit 'distress ~ scale(temperature)'
try 4 glm predict fit.json --data "$challenger" -o nowhere/out.csv
has err "nowhere/out.csv"
try 4 glm predict fit.json --data "$challenger" -o /dev/full

# Intervals at several levels, each as if it were asked for alone.
for level in 0.5 0.9; do
    try 0 glm predict fit.json --data "$challenger" --level $level -o $level.csv
done
try 0 glm predict fit.json --data "$challenger" --level 0.5,0.9 -o both.csv
equal header "$(head -n 1 both.csv)" row,eta,eta_sd,mean,mean_averaged,lower.0.5,upper.0.5,lower.0.9,upper.0.9
equal intervals "$(cut -d, -f6-9 both.csv | tail -n +2)" \
    "$(paste -d, <(cut -d, -f6-7 0.5.csv) <(cut -d, -f6-7 0.9.csv) | tail -n +2)"
try 2 glm predict fit.json --data "$challenger" --level 1.5 -o -
