#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace glm fit: priors for single terms and for all together, from files, and which
# of them are refused.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
admissions=$project/data/admissions.csv
formula='cbind(admitted, rejected) ~ gender + department'

# fit OPTION...: a fit of the admissions.
fit() {
    try 0 glm fit "$formula" --data "$admissions" -o fit.json "$@"
}
# fits NAME OPTION...: its coefficients, to be compared.
fits() {
    fit "${@:2}"
    sed -n '/"parameters"/,$p' fit.json | sed '/"trace"/,$d' >"$1"
}
# wrong CODE TEXT OPTION...
wrong() {
    local code=$1 text=$2
    shift 2
    rm -f fit.json
    try "$code" glm fit "$formula" --data "$admissions" -o fit.json "$@"
    is_empty out
    has err "$text"
    [[ ! -e fit.json ]] || fail "it wrote a file"
}

# The same prior in four forms has the same posterior, to the bit.
fits plain --prior-sd 2
fits intercept --prior-sd 2 --intercept-sd 2
same plain intercept
printf 'term,mean,sd\n(Intercept),0,2\ngender,0,2\ndepartment,,2\n' >prior.csv
fits each --prior-file prior.csv
same plain each
printf 'term,sd\ndepartmentC,2\n' >prior.csv
fits one --prior-file prior.csv --prior-sd 2
same plain one
names='(Intercept),gendermale,departmentB,departmentC,departmentD,departmentE,departmentF'
{
    echo "$names"
    for i in 1 2 3 4 5 6 7; do
        row=''
        for j in 1 2 3 4 5 6 7; do row+=,$((i == j ? 4 : 0)); done
        echo "${row#,}"
    done
} >covariance.csv
# near LIST: the means there are those of the plain prior; a full matrix rounds elsewhere.
near() {
    local i a b
    for i in 0 1 2 3 4 5 6; do
        a=$(json fit.json mean $i) b=$(json plain.json mean $i)
        awk -v a="$a" -v b="$b" 'BEGIN { exit !((a - b)^2 < 1e-16) }' ||
            fail "mean $i is $a, not $b"
    done
}
fit --prior-sd 2
cp fit.json plain.json
fit --prior-covariance covariance.csv
has out "normal, with the given covariance of all coefficients"
near
equal "the covariance" "$(json fit.json prior covariance 3 3)" 4.0
# ... with its columns in another order, and with names of the rows as R writes them
awk -F, 'NR == 1 { for (k = 1; k <= 7; k++) n[k] = $k
                   printf "\"\""; for (k = 7; k; k--) printf ",\"%s\"", n[k]; print "" }
         NR > 1 { line[NR - 1] = "\"" n[NR - 1] "\""
                  for (k = 7; k; k--) line[NR - 1] = line[NR - 1] "," $k }
         END { for (i = 7; i; i--) print line[i] }' covariance.csv >named.csv
fit --prior-covariance named.csv
near

# What is stated is felt, recorded and shown.
printf 'term,mean,sd,df\ngendermale,0.5,0.05,\ndepartment,,3,4\n' >prior.csv
fit --prior-file prior.csv --intercept-sd 10
has out "N(0, 10^2) on '(Intercept)'"
has out "N(0.5, 0.05^2) on 'gendermale'"
has out "Student-t with 4 degrees of freedom, scaled by 3, on 'departmentB'"
awk -v m="$(json fit.json mean 1)" 'BEGIN { exit !(m > 0.2 && m < 0.45) }' ||
    fail "the mean is $(json fit.json mean 1)"
has out "The prior holds 'gendermale' back"
equal "the sd" "$(json fit.json prior terms 0 sd)" 10.0
equal "the mean" "$(json fit.json prior terms 1 mean)" 0.5
equal "the term" "$(json fit.json prior terms 6 term)" departmentF
equal "the df" "$(json fit.json prior terms 6 df)" 4.0
try 0 glm show fit.json
has out "N(0.5, 0.05^2) on 'gendermale'"
try 0 glm predict fit.json --data "$admissions" -o predicted.csv
printf 'term,mean\ngendermale,3\n' >mean.csv
fit --prior-covariance covariance.csv --prior-file mean.csv
equal "the mean" "$(json fit.json prior terms 1 mean)" 3.0
# Levels of a multinomial share the prior of a column; separate groups have it each.
try 0 glm fit 'department ~ gender' --data "$admissions" -o fit.json --family multinomial \
    --intercept-sd 0.001 -q
awk -v m="$(json fit.json mean 8)" 'BEGIN { exit !(m * m < 1e-4) }' || fail "not shared"
try 0 glm fit 'cbind(admitted, rejected) ~ gender' --data "$admissions" -o fit.json -q \
    --group department --groups separate --intercept-sd 0.001
equal "the prior" "$(json fit.json prior terms 0 sd)" 0.001

# Refused, by the name of the term.
printf 'term,sd\ngendermal,1\n' >prior.csv
wrong 1 "prior.csv: the regression has no term 'gendermal'; did you mean 'gendermale'?" \
    --prior-file prior.csv
printf 'term,sd\nage,1\n' >prior.csv
wrong 1 "has no term 'age'" --prior-file prior.csv
printf 'term,sd\ngendermale,1\ngender,2\n' >prior.csv
wrong 1 "row 2: the prior of 'gendermale' is given twice" --prior-file prior.csv
printf 'term,sd\ngender,0\n' >prior.csv
wrong 1 "row 1: the prior of 'gendermale' has mean 0, sd 0" --prior-file prior.csv
printf 'term,sd\ngender,1e200\n' >prior.csv
wrong 1 "mean and sd at most 1e+100" --prior-file prior.csv
printf 'term,sd,df\ngender,1,-1\n' >prior.csv
wrong 1 "and df -1" --prior-file prior.csv
printf 'term,sd\ngender,wide\n' >prior.csv
wrong 1 "column 'sd' must hold numbers" --prior-file prior.csv
printf 'term,variance\ngender,1\n' >prior.csv
wrong 1 "column 'variance' is not one of those of a table of priors" --prior-file prior.csv
printf 'mean,sd\n0,1\n' >prior.csv
wrong 1 "column 'term' is missing" --prior-file prior.csv
printf 'term,sd\n,1\n' >prior.csv
wrong 1 "prior.csv" --prior-file prior.csv
wrong 1 "nowhere.csv" --prior-file nowhere.csv
wrong 1 "nowhere.csv" --prior-covariance nowhere.csv
wrong 2 "--intercept-sd needs a number above 0" --intercept-sd 0
sed 's/gendermale/gender/' covariance.csv >bad.csv
wrong 1 "no term 'gender'" --prior-covariance bad.csv
cut -d, -f1-6 covariance.csv >bad.csv
wrong 1 "there is no column 'departmentF'" --prior-covariance bad.csv
head -n 5 covariance.csv >bad.csv
wrong 1 "there are 4 rows" --prior-covariance bad.csv
sed '2s/4,0/4,1/' covariance.csv >bad.csv
wrong 1 "the covariance of '(Intercept)' and 'gendermale' is 1 in one place and 0" \
    --prior-covariance bad.csv
sed '2s/4,0/4,5/; 3s/0,4/5,4/' covariance.csv >bad.csv
wrong 1 "not positive definite: given the columns before it, 'gendermale'" \
    --prior-covariance bad.csv
sed '3s/4/-4/' covariance.csv >bad.csv
wrong 1 "the variance of 'gendermale' is -4" --prior-covariance bad.csv
sed '3s/4/x/' covariance.csv >bad.csv
wrong 1 "column 'gendermale' must hold only numbers" --prior-covariance bad.csv
sed '2s/"departmentF"/"departmentE"/' named.csv >bad.csv
wrong 1 "must be in the same order" --prior-covariance bad.csv
printf 'term,mean,sd\ngender,0,1\n' >prior.csv
wrong 1 "can only give means" --prior-covariance covariance.csv --prior-file prior.csv
wrong 2 "remove --prior-sd" --prior-covariance covariance.csv --prior-sd 2
wrong 2 "do not apply to a hierarchical fit" --prior-file prior.csv --group department
try 2 glm fit 'cbind(admitted, rejected) ~ 0 + gender' --data "$admissions" -o fit.json \
    --intercept-sd 2
has err "an sd for the intercept needs an intercept"

# A damaged prior is not believed.
fit --prior-covariance covariance.csv
# edited FROM TO TEXT: the fit with one place changed is refused.
edited() {
    sed "s/$1/$2/" fit.json >bad.json
    if cmp -s bad.json fit.json; then fail "'$1' is not in the file"; fi
    try 1 glm show bad.json
    has err "$3"
}
edited '"terms": \[$' '"terms": [7,' '"prior" must be one for each column'
edited '"df": 0.0, "weak"' '"df": "none", "weak"' '"df" must be a number'
edited '^   \[4.0, ' '   [' '"prior" must be as large as'
edited '^   \[4.0, ' '   [-4.0, ' '"prior" must be without negative'

# A column in units so small that the prior keeps it from mattering is named.
awk 'BEGIN { print "y,x"; for (i = 0; i < 40; i++) printf "%d,%de-6\n", i % 3 == 0, i * 7 % 11 }' >small.csv
try 0 glm fit 'y ~ x' --data small.csv --prior-sd 1 -o fit.json
has out "The data say next to nothing about 'x': its posterior is its prior."
try 0 glm fit 'y ~ scale(x)' --data small.csv --prior-sd 1 -o fit.json
! grep -q 'next to nothing' out || fail "scale(x) is said to be idle"

# Cut points are where an intercept would be: far from 0 when a column is. What is said of the
# slopes says nothing about them, and where a column begins makes no difference to its slope.
awk 'BEGIN {
    srand(5); print "y,x"
    for (i = 0; i < 90; i++) { e = 4 * rand() - 2; printf "%d,%.3f\n", 1 + (e > -1) + (e > 1), 100 + e + rand() }
}' >far.csv
for sd in 1 100; do
    for column in x 'I(x - 100)'; do
        try 0 glm fit "y ~ $column" --family ordinal --data far.csv --prior-sd $sd -o fit.json
        has out "N(0, $sd^2) on each coefficient,"
        has out "N(0, 10^2) on the first cut point at the columns' means"
        ! grep -q "holds '1|2'" out || fail "cut points are said to be held back"
        now=$(json fit.json coefficients 0 mean)
        awk -v a="$now" -v b="${slope:=$now}" 'BEGIN { exit !((a / b - 1) ^ 2 < 1e-14) }' ||
            fail "the slope of $column is $now, not $slope"
    done
    unset slope
done
# Narrow, its prior is felt, and says what would widen it.
try 0 glm fit 'y ~ x' --family ordinal --data far.csv --intercept-sd 0.01 -o narrow.json
has out "N(0, 0.01^2) on the first cut point at the columns' means"
equal "of the first cut point" "$(json narrow.json prior cut_sd)" 0.01
try 0 glm show narrow.json
has out "N(0, 0.01^2) on the first cut point at the columns' means"
