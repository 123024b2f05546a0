#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace glm: what a summary says so that nobody is misled by it.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

lacks() {
    if grep -qF -- "$2" "$1"; then fail "'$2' is in $1"; fi
}

awk -v OFS=, 'BEGIN {
    print "y,sd,x,three,none,g,one"
    u = 1
    for (i = 0; i < 60; i++) {
        u = (u * 69069 + 1) % 4294967296
        v = u / 4294967296
        print 20 + 3 * v + i % 7, i % 7, v, 3, 0, i % 4, "only"
    }
}' >table.csv

# A column with the name of the family's scale.
try 0 glm fit 'y ~ sd' --data table.csv -o fit.json
equal coefficient "$(grep -c '^  sd  ' out)" 1
equal scale "$(grep -c '^  sd (scale)  ' out)" 1
equal scale "$(json fit.json scale 0 term)" sd
try 0 glm show fit.json
equal scale "$(grep -c '^  sd (scale)  ' out)" 1
try 0 glm fit 'y ~ x' --data table.csv -o fit.json
equal scale "$(grep -c '^  sd  ' out)" 1
lacks out "(scale)"

# Where the mean is the linear predictor, to average it changes nothing.
try 0 glm predict fit.json --data table.csv -o out.csv
equal header "$(head -n 1 out.csv | cut -d, -f2,4,5)" eta,mean,mean_averaged
awk -F, 'NR > 1 && ($2 != $4 || $4 != $5) { exit 1 }' out.csv || fail "the means differ"

# A column that does not vary.
try 0 glm fit 'y ~ x + three' --data table.csv -o fit.json
has out "'three' does not vary: it is 3 in every row. The data cannot tell"
has out "its coefficient from the intercept; only the prior does."
lacks out "vary either"
try 0 glm fit 'y ~ x + three + none' --data table.csv -o fit.json
has out "the prior does. 1 more column does not vary either."
try 0 glm fit 'y ~ 0 + x + three' --data table.csv -o fit.json
lacks out "does not vary"
try 0 glm fit 'y ~ 0 + x + none' --data table.csv -o fit.json
has out "'none' does not vary: it is 0 in every row. The data say nothing"
try 0 glm fit 'y ~ x' --group g --data table.csv -o fit.json
lacks out "does not vary"
try 0 glm fit 'y ~ three' --group g --data table.csv -o fit.json
has out "'three' does not vary: it is 3"
try 0 glm fit 'g ~ three' --family ordinal --data table.csv -o fit.json
has out "'three' does not vary: it is 3"
try 0 glm fit 'y ~ three' --data table.csv -o fit.json --quiet
is_empty out

# One of what is often many.
try 0 glm fit 'y ~ x' --group one --data table.csv -o fit.json
has out "The mean of the 1 group:"
try 0 glm fit 'y ~ x' --group one --groups separate --data table.csv -o fit.json
has out "Over the 1 group, the means"

# A hierarchy that separates creeps for as long as one likes: what helps is printed, and helps.
awk -v OFS=, 'BEGIN {
    print "y,x,g"
    for (i = 0; i < 80; i++) print (i % 10 > 4) + 0, i % 10 + 1, "g" int(i / 10)
}' >separable.csv
try 3 glm fit 'y ~ x' --group g --data separable.csv -o separable.json --max-iter 50
has out "The columns separate the responses perfectly"
has out "Next, state a stronger hyperprior:"
has out "--max-iter 50"
typed=$(grep -A1 'Next, state' out | tail -n 1)
eval "try 0 ${typed#*delaplace }"
has out "converged"
lacks out "Next, state"
awk -F, -v OFS=, 'NR > 1 && NR % 7 == 0 { $1 = 1 - $1 } 1' separable.csv >mixed.csv
try 3 glm fit 'y ~ x' --group g --data mixed.csv -o mixed.json --max-iter 2
lacks out "tell every response"
has out "Next, let it run longer:"

# The level that others are compared with.
printf 'y,dose,who\n1,120+,a\n2,40-79,b\n4,0-39,a\n3,120+,b\n2,0-39,b\n5,40-79,a\n' >dose.csv
try 0 glm fit 'y ~ dose + who' --data dose.csv -o fit.json
equal terms "$(json fit.json coefficients 1 term) $(json fit.json coefficients 2 term)" \
    "dose120+ dose40-79"
try 0 glm predict fit.json --data dose.csv -o first.csv
try 0 glm fit 'y ~ dose + who' --data dose.csv -o fit.json --reference dose=40-79,who=b \
    --prior-sd 1e6
equal terms "$(for i in 1 2 3; do json fit.json coefficients $i term; done | xargs)" \
    "dose0-39 dose120+ whoa"
equal levels "$(for i in 0 1 2; do json fit.json terms factors 0 levels $i; done | xargs)" \
    "40-79 0-39 120+"
try 0 glm predict fit.json --data dose.csv -o other.csv
try 0 glm fit 'y ~ dose + who' --data dose.csv -o fit.json --prior-sd 1e6
try 0 glm predict fit.json --data dose.csv -o first.csv
paste -d, first.csv other.csv | awk -F, 'NR > 1 && ($4 - $11) ^ 2 > 1e-12 { exit 1 }' ||
    fail "another reference, other predictions"
printf 'y,n\n1,1\n2,2\n4,1\n3,3\n2,2\n' >n.csv
for name in n 'factor(n)'; do
    try 0 glm fit 'y ~ factor(n)' --data n.csv -o fit.json --reference "$name=2"
    equal term "$(json fit.json coefficients 1 term)" 'factor(n)1'
done
# A level may begin as another does, with a colon behind.
printf 'y,t\n1,a\n2,a:b\n3,a\n2,a:b\n1,a\n2,c\n' >colon.csv
try 0 glm fit 'y ~ t' --data colon.csv -o fit.json
has out "reference  t = a"
# refused CODE TEXT REFERENCE
refused() {
    try "$1" glm fit 'y ~ dose + who' --data dose.csv -o none.json --reference "$3"
    has err "$2"
    [[ ! -e none.json ]] || fail "it wrote a file"
}
refused 1 "no factor 'dos'; did you mean 'dose'?" dos=0-39
refused 1 "no factor 'zzzzzz'; its factors are dose, who" zzzzzz=0-39
refused 1 "'dose' has no level '40-7'; did you mean '40-79'?" dose=40-7
refused 1 "'who' has no level 'zzzz'; its levels are a, b" who=zzzz
refused 2 "--reference takes COLUMN=LEVEL" dose
refused 2 "--reference takes COLUMN=LEVEL" dose=
refused 2 "'dose' is given twice" dose=0-39,dose=120+
try 1 glm fit 'y ~ n' --data n.csv -o none.json --reference n=2
has err "no factor 'n'; it has none (factor(x) makes one of numbers)"
printf 'y,f\n1,"a,b"\n2,"c,d"\n3,"a,b"\n5,"c,d"\n' >comma.csv
try 0 glm fit 'y ~ f' --data comma.csv -o fit.json --reference f=c,d
equal term "$(json fit.json coefficients 1 term)" 'fa,b'
