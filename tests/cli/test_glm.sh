#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace glm fit and show: what is asked for, what is written, what is printed.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
challenger=$project/data/challenger.csv
rings=(glm fit 'distress ~ scale(temperature)' --data "$challenger" -o fit.json)

# near WHAT GOT WANTED TOLERANCE
near() {
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !((a - b) ^ 2 <= t * t) }' ||
        fail "$1 is $2, not $3"
}

# The summary for people, and the file.
try 0 "${rings[@]}"
is_empty err
has out "family     bernoulli, link logit (guessed from the response)"
has out "levels     no (0), yes (1)"
has out "prior      weak: N(0, 2.5^2) on each coefficient, in sds of its column"
has out "method     delta: a Gaussian near the posterior mean"
has out "The fit converged after"
has out "Written to fit.json"
has out "delaplace glm predict fit.json --data $challenger -o predictions.csv"
if grep -q -e '-o-' out; then fail "a plot without a terminal"; fi
equal format "$(json fit.json format)" delaplace-glm
equal version "$(json fit.json version)" 1
equal formula "$(json fit.json formula)" 'distress ~ scale(temperature)'
equal family "$(json fit.json family)" bernoulli
equal link "$(json fit.json link)" logit
equal method "$(json fit.json method)" delta
equal grouping "$(json fit.json grouping)" none
equal outcome "$(json fit.json outcome)" converged
equal rows "$(json fit.json rows)" 23
equal dropped "$(json fit.json dropped)" 0
equal fallbacks "$(json fit.json fallbacks)" 0
equal level "$(json fit.json terms response levels 1)" yes
equal scaling "$(json fit.json terms scalings 0 variable)" 'scale(temperature)'
equal column "$(json fit.json terms columns 0)" '(Intercept)'
equal term "$(json fit.json coefficients 1 term)" 'scale(temperature)'
equal parameter "$(json fit.json parameters 1)" 'scale(temperature)'
equal trace "$(json fit.json trace)" "$(json fit.json iterations)"
equal mean "$(json fit.json coefficients 1 mean)" "$(json fit.json mean 1)"
for i in 0 1; do
    sd=$(json fit.json coefficients $i sd)
    near variance "$(json fit.json covariance $i $i)" \
        "$(awk -v s="$sd" 'BEGIN { printf "%.17g", s * s }')" 1e-12
    equal lower "$(json fit.json coefficients $i lower)" "$(json fit.json margins $i 2)"
done
if grep -q seconds fit.json; then fail "a time in a file that is to repeat"; fi

# The same bytes again, and from every way in.
cp fit.json first.json
try 0 "${rings[@]}" --json
same fit.json first.json
equal summary "$(json out objective)" "$(json fit.json objective)"
if grep -q covariance out; then fail "the JSON summary holds the long lists"; fi
mv out summary.json
try 0 glm show fit.json --json
same out summary.json # one call is enough: it has the coefficients
equal term "$(json out coefficients 1 term)" 'scale(temperature)'
equal mean "$(json out coefficients 1 mean)" "$(json fit.json coefficients 1 mean)"
try 0 "${rings[@]}" -q
is_empty out
same fit.json first.json
try 0 glm fit 'distress ~ scale(temperature)' --data "$challenger" -o -
same out first.json
# again DATA OPTION...: the same fit from other bytes, or on standard input.
again() {
    local data=$1
    shift
    try 0 glm fit 'distress ~ scale(temperature)' --data "$data" -o fit.json "$@" <"$stdin"
    same fit.json first.json
}
stdin=$challenger again -
stdin=/dev/null
tr , '\t' <"$challenger" >rings.tsv
again rings.tsv
again rings.tsv --format tsv
again "$challenger" --format csv
if can compression; then
    gzip -c "$challenger" >rings.csv.gz
    again rings.csv.gz
fi
sed 's/$/\r/' "$challenger" >crlf.csv
again crlf.csv
{
    printf '@relation rings\n@attribute temperature numeric\n@attribute distress {no,yes}\n@data\n'
    tail -n +2 "$challenger" | awk -F, -v OFS=, '{ print $2, $6 }'
} >rings.arff
again rings.arff
again rings.arff --format arff
again "$challenger" --threads 3 --missing error --tol 1e-8 --max-iter 1000

# svmlight has a label and features.
tail -n +2 "$challenger" | awk -F, '{ print ($6 == "yes") " 1:" $2 " 2:" $3 }' >rings.svm
try 0 glm fit 'label ~ scale(x1)' --data rings.svm --format svmlight -o svm.json
equal "the same from svmlight" "$(json svm.json mean 1)" "$(json first.json mean 1)"
try 0 glm fit 'label ~ .' --data rings.svm -o svm.json
equal columns "$(json svm.json terms columns)" 3

# show reads the file and prints the same table; as JSON, with the coefficients.
try 0 "${rings[@]}"
grep '\[' out >table
try 0 glm show fit.json
grep '\[' out >shown
same shown table
if grep -q guessed out; then fail "show does not know what was guessed"; fi
try 0 glm show - <fit.json
has out "23"
try 0 glm show fit.json --json
equal mean "$(json out coefficients 0 mean)" "$(json fit.json mean 0)"
equal outcome "$(json out outcome)" converged
if grep -q covariance out; then fail "show --json holds the covariance"; fi
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then # a terminal can be had
    script -qec "'$program' glm show fit.json" /dev/null >out </dev/null
    grep -q -e '-o-.*|' out || fail "no plot on a terminal"
fi

# Every family, with what it estimates beside the coefficients.
# family NAME FORMULA OPTION...: fits it to the data.
family() {
    try 0 glm fit "$2" --data "$challenger" -o fit.json --family "$1" "${@:3}"
    equal family "$(json fit.json family)" "$1"
    equal outcome "$(json fit.json outcome)" converged
    cp fit.json "$1.json"
    try 0 glm show fit.json
    has out "family     $1"
}
family bernoulli 'distress ~ scale(temperature)'
family binomial 'cbind(damaged, sound) ~ scale(temperature)'
family poisson 'damaged ~ scale(temperature) + offset(log(sound))'
family negative-binomial 'damaged ~ scale(temperature)'
equal scale "$(json fit.json scale 0 term)" size
equal parameter "$(json fit.json parameters 2)" 'log(size)'
family gaussian 'temperature ~ factor(pressure)' --prior-sd 100
equal scale "$(json fit.json scale 0 term)" sd
equal column "$(json fit.json terms columns 2)" 'factor(pressure)200'
near sd "$(json fit.json scale 0 mean)" 6.7 1
family gamma 'temperature ~ damaged'
equal scale "$(json fit.json scale 0 term)" shape
family multinomial 'pressure ~ scale(temperature)'
equal level "$(json fit.json coefficients 3 level)" 200
equal parameter "$(json fit.json parameters 3)" '200: scale(temperature)'
has out "levels     50, 100, 200; the first is the reference"
family ordinal 'damaged ~ scale(temperature)'
equal columns "$(json fit.json terms columns)" 1
equal cut "$(json fit.json cut_points 0 term)" '0|1'
equal cut "$(json fit.json parameters 2)" 'log(1|2 - previous)'
awk -v a="$(json fit.json cut_points 0 mean)" -v b="$(json fit.json cut_points 1 mean)" \
    -v l="$(json fit.json cut_points 1 lower)" -v u="$(json fit.json cut_points 1 upper)" \
    'BEGIN { exit !(a < b && l < b && b < u) }' || fail "cut points out of order"
has out "levels     0 < 1 < 2 < 3"
near "first cut" "$(json fit.json cut_points 0 mean)" "$(json fit.json mean 1)" 1e-8
family ordinal 'distress ~ 1'
equal columns "$(json fit.json terms columns)" 0
for link in logit probit cloglog; do
    family bernoulli 'distress ~ scale(temperature)' --link $link
    equal link "$(json fit.json link)" $link
done

# Families that are guessed.
guess() {
    try 0 glm fit "$2" --data "$challenger" -o fit.json
    equal "the guess for $2" "$(json fit.json family)" "$1"
    has out "(guessed from the response)"
}
guess bernoulli 'distress ~ temperature'
guess binomial 'cbind(damaged, sound) ~ temperature'
guess gaussian 'temperature ~ damaged'
guess multinomial 'flight ~ 1'
sed 's/yes/1/; s/no/0/' "$challenger" >numbers.csv
try 0 glm fit 'distress ~ temperature' --data numbers.csv -o fit.json
equal guess "$(json fit.json family)" bernoulli
# R users say binomial for 0 and 1.
try 0 glm fit 'distress ~ temperature' --data numbers.csv -o fit.json --family binomial
equal family "$(json fit.json family)" bernoulli

# The order of levels.
try 0 glm fit 'distress ~ scale(temperature)' --data "$challenger" -o fit.json \
    --levels yes,no
near "turned round" "$(json fit.json mean 1)" "-$(json first.json mean 1)" 3
awk -v a="$(json fit.json mean 1)" -v b="$(json first.json mean 1)" \
    'BEGIN { exit !((a + b) ^ 2 < 1e-12) }' || fail "--levels does not turn it round"
has out "levels     yes (0), no (1)"

# Every method; Laplace's mean is the mode, delta's lies elsewhere.
for method in laplace delta previous-mean jaakkola-jordan; do
    try 0 "${rings[@]}" --method $method
    equal method "$(json fit.json method)" $method
    has out "method     $method: "
done
try 0 "${rings[@]}" --prior-sd 1 --method laplace
near laplace "$(json fit.json mean 1)" -1.0948559789 1e-6
try 0 "${rings[@]}" --prior-sd 1 --method delta
near delta "$(json fit.json mean 1)" -1.2205765622 1e-6

# Priors.
try 0 "${rings[@]}" --prior-sd 10
has out "N(0, 10^2)"
equal prior "$(json fit.json prior sd)" 10.0
near "a wide prior" "$(json fit.json mean 1)" -2.1 0.3
try 0 "${rings[@]}" --prior-sd 2 --prior-df 4
has out "Student-t with 4 degrees of freedom, scaled by 2"
equal df "$(json fit.json prior df)" 4.0
try 0 glm fit 'temperature ~ 1' --data "$challenger" -o fit.json --family gamma --prior-sd 1
has out "The prior holds '(Intercept)' back"
has out "(--intercept-sd 100), or remove"
# A gaussian regression finds the mean of a response far from zero.
try 0 glm fit 'temperature ~ 1' --data "$challenger" -o fit.json
near mean "$(json fit.json mean 0)" 69.56 0.05

# Missing values.
printf 'y,x,z\n1,2,a\n0,NA,b\n0,1,a\n1,3,NA\n0,2.5,b\n' >missing.csv
try 0 glm fit 'y ~ x + z' --data missing.csv -o fit.json
has out "rows       3 (2 with missing values dropped)"
equal dropped "$(json fit.json dropped)" 2
try 0 glm show fit.json
has out "rows       3 (2 with missing values dropped)"
try 0 glm show fit.json --json
equal dropped "$(json out dropped)" 2
try 0 glm fit 'y ~ x' --data missing.csv -o fit.json
equal dropped "$(json fit.json dropped)" 1

# Hard data under a proper prior: separable, collinear, more columns than rows, constant
# columns, columns of other scales.
printf 'y,a,b,c,d,e\n0,1,2,1,1,1e9\n0,2,4,1,2,3e9\n1,3,6,1,9,2e9\n1,4,8,1,1,7e9\n' >hard.csv
try 0 glm fit 'y ~ .' --data hard.csv -o fit.json
equal outcome "$(json fit.json outcome)" converged
equal columns "$(json fit.json terms columns)" 6

# Not converged: 3, written and marked.
try 3 "${rings[@]}" --method previous-mean --max-iter 1
has out "stopped before convergence after 1 iteration."
has out "--max-iter 10"
equal outcome "$(json fit.json outcome)" max-iterations
try 0 glm show fit.json
has out "stopped before convergence"

# A long fit is listed in part, and show lists it all.
awk 'BEGIN {
    x = 1
    for (i = 0; i <= 60; i++) {
        line = i ? i % 2 : "y"
        for (j = 1; j <= 40; j++) {
            x = (x * 69069 + 1) % 4294967296
            line = line "," (i ? x / 4294967296 : "x" j)
        }
        print line
    }
}' >wide.csv
try 0 glm fit 'y ~ .' --data wide.csv -o fit.json --no-grades
has out "... and 16 more"
equal rows "$(grep -c '\[.*\]$' out)" 25
try 0 glm show fit.json
equal rows "$(grep -c '\[.*\]$' out)" 41
equal formula "$(json fit.json formula)" 'y ~ .'

# Names that a terminal would obey, or a shell split.
printf 'y,a\033b\n1,2\n0,3\n0,1\n' >odd.csv
try 0 glm fit 'y ~ .' --data odd.csv -o fit.json
has out "a?b"
if grep -q $'\033' out; then fail "an escape character got through"; fi
cp "$challenger" "my rings.csv"
try 0 glm fit 'distress ~ temperature' --data "my rings.csv" -o fit.json
has out "--data 'my rings.csv' -o predictions.csv"

# As many columns as rows, and more, have a posterior like any other, in groups too.
printf 'y,a,b,c\n1.5,1,0,2\n2,3,1,-1\n' >wide.csv
try 0 glm fit 'y ~ a + b + c' --data wide.csv -o wide.json
has out "converged"
for how in '' '--groups separate --group g'; do
    printf 'y,a,b,g\n1.5,1,0,k\n2,3,1,l\n7,2,2,l\n' >wide.csv
    # shellcheck disable=SC2086 # options of several words
    try 0 glm fit 'y ~ a + b' --data wide.csv -o wide.json $how
    has out "converged"
done
