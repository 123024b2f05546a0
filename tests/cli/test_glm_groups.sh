#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Regressions with groups: hierarchical, separate, pooled.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
admissions=$project/data/admissions.csv
by_department=(glm fit 'cbind(admitted, rejected) ~ gender' --group department
    --data "$admissions" -o fit.json)

near() {
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !((a - b) ^ 2 <= t * t) }' ||
        fail "$1 is $2, not $3"
}

# Hierarchical by default.
try 0 "${by_department[@]}"
is_empty err
has out "groups     6 of 'department', hierarchical"
has out "N(mu0, Sigma0), with nu = 4, phi0 = 25, phi1 = 100"
has out "The mean of the 6 groups"
has out "The groups around it"
has out "95 % of groups"
equal grouping "$(json fit.json grouping)" hierarchical
equal groups "$(json fit.json groups)" 6
equal unsettled "$(json fit.json unsettled)" 0
equal coefficients "$(json fit.json coefficients)" 12
equal group "$(json fit.json coefficients 11 group)" F
equal term "$(json fit.json coefficients 11 term)" gendermale
equal blocks "$(json fit.json covariance)" 6
equal mean "$(json fit.json coefficients 11 mean)" "$(json fit.json mean 5 1)"
equal mu0 "$(json fit.json mu0)" 2
equal Sigma0 "$(json fit.json Sigma0 1)" 2
equal trace "$(json fit.json trace)" "$(json fit.json iterations)"
equal update "$(json fit.json prior sigma0_update)" corrected
cp fit.json first.json

# The formula says the same with bars; the number of threads and the order of the rows
# of different groups say nothing.
for threads in 1 2 7; do
    try 0 "${by_department[@]}" --threads $threads
    same fit.json first.json
done
try 0 glm fit 'cbind(admitted, rejected) ~ (1 + gender | department)' --groups hierarchical \
    --data "$admissions" -o bars.json
equal mean "$(json bars.json mean 3 1)" "$(json first.json mean 3 1)"
{
    head -n 1 "$admissions"
    tail -n +2 "$admissions" | sort -t, -k2,2
} >shuffled.csv
try 0 glm fit 'cbind(admitted, rejected) ~ gender' --group department \
    --data shuffled.csv -o shuffled.json
near mean "$(json shuffled.json mean 3 1)" "$(json first.json mean 3 1)" 1e-9
try 0 glm evaluate first.json --data "$admissions" --json
cp out straight
try 0 glm evaluate first.json --data shuffled.csv --json
near "log likelihood" "$(json out log_likelihood)" "$(json straight log_likelihood)" 1e-12
try 0 glm predict first.json --data "$admissions" -o straight.csv
try 0 glm predict first.json --data shuffled.csv -o shuffled.out
cut -d, -f2- straight.csv | sort >a
cut -d, -f2- shuffled.out | sort >b
same a b

# Hyperpriors.
try 0 "${by_department[@]}" --nu 8 --phi0 0.2 --phi1 10
equal nu "$(json fit.json prior nu)" 8.0
equal phi0 "$(json fit.json prior phi0)" 0.20000000000000001
equal phi1 "$(json fit.json prior phi1)" 10.0
cp fit.json weak.json
try 0 "${by_department[@]}" --hyperprior weak
same fit.json first.json
try 0 "${by_department[@]}" --hyperprior paper
equal nu "$(json fit.json prior nu)" 102.0
equal phi1 "$(json fit.json prior phi1)" 0.01
has out "The hyperprior holds the mean of '(Intercept)' back"
has out "remove --hyperprior paper"
awk -v weak="$(json first.json mu0 0)" -v paper="$(json fit.json mu0 0)" \
    'BEGIN { exit !(weak < paper - 0.3) }' || fail "a weak hyperprior does not free mu0"
try 0 "${by_department[@]}" --nu 8 --phi0 0.2 --phi1 10 --sigma0-update paper
equal update "$(json fit.json prior sigma0_update)" paper
has out "Sigma0 as published"
awk -v paper="$(json fit.json Sigma0 1 1)" -v corrected="$(json weak.json Sigma0 1 1)" \
    'BEGIN { exit !(paper < corrected) }' || fail "the published paper forgets the uncertainty"
try 0 "${by_department[@]}" --sigma0-update corrected
same fit.json first.json

# Methods of the groups' fits.
for method in laplace delta previous-mean jaakkola-jordan; do
    try 0 "${by_department[@]}" --method $method
    equal method "$(json fit.json method)" $method
    equal outcome "$(json fit.json outcome)" converged
done
try 3 "${by_department[@]}" --max-iter 2
equal outcome "$(json fit.json outcome)" max-iterations
equal iterations "$(json fit.json iterations)" 2
try 0 "${by_department[@]}" --tol 0.1
equal tol "$(json fit.json tol)" 0.10000000000000001

# Separate fits are those of each group's rows alone.
try 0 "${by_department[@]}" --groups separate --prior-sd 3
has out "groups     6 of 'department', separate"
has out "Over the 6 groups, the means of their fits"
equal outcome "$(json fit.json outcome)" converged
cp fit.json separate.json
head -n 1 "$admissions" >one.csv
grep ^D "$admissions" >>one.csv
try 0 glm fit 'cbind(admitted, rejected) ~ gender' --prior-sd 3 --data one.csv -o one.json
equal mean "$(json separate.json mean 3 1)" "$(json one.json mean 1)"
equal variance "$(json separate.json covariance 3 1 1)" "$(json one.json covariance 1 1)"
for threads in 1 3; do
    try 0 "${by_department[@]}" --groups separate --prior-sd 3 --threads $threads
    same fit.json separate.json
done

# Pooled fits are those without groups, and predict without them.
try 0 glm fit 'cbind(admitted, rejected) ~ gender' --data "$admissions" -o plain.json
try 0 "${by_department[@]}" --groups pooled
equal grouping "$(json fit.json grouping)" pooled
equal mean "$(json fit.json mean 1)" "$(json plain.json mean 1)"
printf 'gender\nmale\n' >male.csv
try 0 glm predict fit.json --data male.csv -o predicted.csv
equal header "$(head -n 1 predicted.csv)" row,eta,eta_sd,mean,mean_averaged,lower,upper
# With the groups in the formula new data need the column, and may have other groups.
try 0 glm fit 'cbind(admitted, rejected) ~ (gender | department)' --groups pooled \
    --data "$admissions" -o fit.json
has out "groups     6 of 'department', pooled"
printf 'gender,department\nmale,Z\n' >other.csv
try 0 glm predict fit.json --data other.csv -o predicted.csv

# show: the population, a group, all of them.
try 0 glm show weak.json
has out "The mean of the 6 groups:"
equal rows "$(grep -c '\[.*\]$' out)" 4
try 0 glm show weak.json --group B
has out "Group 'B':"
equal rows "$(grep -c '\[.*\]$' out)" 2
try 0 glm show weak.json --all-groups
equal rows "$(grep -c '\[.*\]$' out)" 16
try 0 glm show weak.json --json
near population "$(json out population coefficients 0 mean)" "$(json weak.json mu0 0)" 1e-15
sd=$(json out population coefficients 1 sd)
near "variance between groups" "$(awk -v sd="$sd" 'BEGIN { printf "%.15g", sd * sd }')" \
    "$(json weak.json Sigma0 1 1)" 1e-6
near mean "$(json out mean_of_groups 0 mean)" "$(json weak.json mu0 0)" 1e-15
sd=$(json out mean_of_groups 1 sd)
near variance "$(awk -v sd="$sd" 'BEGIN { printf "%.15g", sd * sd }')" \
    "$(json weak.json mu0_covariance 1 1)" 1e-6
equal quantities "$(json out population coefficients)" 2
! grep -q '^ "coefficients"' out || fail "the population's are called like the groups' own"
try 0 glm show separate.json --json
equal quantities "$(json out population coefficients)" 2
! grep -q mean_of_groups out || fail "separate fits have no mean of their own"
try 0 glm show weak.json --json --group F
equal group "$(json out coefficients 0 group)" F
equal quantities "$(json out coefficients)" 2
try 0 glm show weak.json --json --all-groups
equal quantities "$(json out coefficients)" 12
try 0 glm show separate.json
has out "the means of their fits"
try 2 glm show weak.json --group Q
has err "there is no group 'Q'; the first is 'A'"
try 2 glm show weak.json --group f
has err "there is no group 'f'; did you mean 'F'?"
try 2 glm show plain.json --group A
has err "has no groups"
try 2 glm show weak.json --group A --all-groups
has err "cannot be combined"

# New groups: refused, left out, or of the population.
printf 'gender,department\nmale,A\nfemale,"new, one"\nmale,B\n' >new.csv
try 1 glm predict weak.json --data new.csv -o predicted.csv
has err "new, one"
has err "with --unseen population, drop them with --unseen drop, or fit again"
try 1 glm predict separate.json --data new.csv -o predicted.csv
has err "drop such rows with --unseen drop, or fit again with them"
[[ ! -e predicted.csv ]] || rm predicted.csv
try 0 glm predict weak.json --data new.csv --unseen drop -o predicted.csv
has out "1 row with unseen levels dropped"
equal lines "$(wc -l <predicted.csv)" 3
equal row "$(sed -n 3p predicted.csv | cut -d, -f1,2)" 3,B
try 0 glm predict weak.json --data new.csv --unseen drop -o predicted.csv -q
is_empty err
try 0 glm predict weak.json --data new.csv --unseen population -o predicted.csv
has predicted.csv '2,"new, one",'
has out "1 row of 1 new group, predicted from the population."
try 0 glm predict weak.json --data new.csv --unseen population -o predicted.csv --json
equal unseen "$(json out unseen)" 0
equal "new groups" "$(json out new_groups)" 1
equal "rows of new groups" "$(json out new_group_rows)" 1
try 0 glm predict weak.json --data new.csv --unseen population -o -
has err "1 row of 1 new group, predicted from the population."
near "eta of the population" "$(sed -n 3p predicted.csv | cut -d, -f4)" \
    "$(json weak.json mu0 0)" 1e-8
awk -F, 'NR == 2 { seen = $4 } NR == 3 { exit !($5 > 5 * seen) }' predicted.csv ||
    fail "an unseen group is not less certain"
try 2 glm predict separate.json --data new.csv --unseen population -o predicted.csv
has err "needs a hierarchical fit"

# A new group and a new level of another column: each has its own answer.
printf 'gender,department\nmale,A\nother,B\nfemale,G\nother,G\n' >both.csv
try 1 glm predict weak.json --data both.csv --unseen population -o predicted.csv
has err "level 'other' of 'gender' in row 2"
has err "drop such rows with --unseen population,drop, or fit again"
try 0 glm predict weak.json --data both.csv --unseen population,drop -o predicted.csv
has out "2 rows with unseen levels dropped"
equal rows "$(cut -d, -f1,2 predicted.csv | tail -n +2 | xargs)" "1,A 3,G"
try 2 glm predict separate.json --data both.csv --unseen population,drop -o predicted.csv
has err "--unseen population,drop needs a hierarchical fit"
printf 'gender,department,admitted,rejected\nmale,A,5,4\nother,B,1,1\nfemale,G,2,3\n' >both.csv
try 0 glm evaluate weak.json --data both.csv --unseen population,drop --json
equal rows "$(json out rows)" 2
equal unseen "$(json out unseen)" 1
equal "new groups" "$(json out new_groups)" 1
printf 'gender,department,admitted,rejected\nmale,H,5,4\nmale,G,1,1\nfemale,G,2,3\nmale,A,3,3\n' >both.csv
try 0 glm evaluate weak.json --data both.csv --unseen population
has out "new groups      2, with 3 rows, predicted from the population"

# Groups of numbers, in the order of numbers; every family; a scale and cut points each.
awk -v OFS=, 'BEGIN {
    print "y,n,x,g,k"
    x = 1
    for (i = 0; i < 90; i++) {
        x = (x * 69069 + 1) % 4294967296
        u = x / 4294967296
        print 20 + 3 * u + i % 3, int(9 * u) + 1, u, 8 + i % 3, int(3 * u)
    }
}' >groups.csv
try 0 glm fit 'y ~ (1 + x | g)' --groups hierarchical --data groups.csv -o fit.json
equal family "$(json fit.json family)" gaussian
equal group "$(json fit.json terms group levels 2)" 10
equal scales "$(json fit.json scale)" 3
equal group "$(json fit.json scale 2 group)" 10
near "mu0 of a gaussian" "$(json fit.json mu0 0)" 21 1
try 0 glm show fit.json --json
equal scale "$(json out population scale 0 term)" sd
for family in poisson gamma negative-binomial gaussian; do
    try 0 glm fit 'n ~ x' --group g --family $family --data groups.csv -o fit.json
    equal outcome "$(json fit.json outcome)" converged
    try 0 glm evaluate fit.json --data groups.csv --json
    json out rmse >/dev/null
done
for family in ordinal multinomial; do
    try 0 glm fit 'k ~ x' --group g --family $family --data groups.csv -o fit.json
    try 0 glm show fit.json --all-groups
    try 0 glm predict fit.json --data groups.csv -o predicted.csv
    try 0 glm evaluate fit.json --data groups.csv --json
    json out accuracy >/dev/null
done
equal header "$(head -n 1 predicted.csv)" "row,group,level,probability_0,probability_1,\
probability_2,probability_averaged_0,probability_averaged_1,probability_averaged_2"

# What is refused.
try 1 glm fit 'y ~ x + (1 | g)' --groups hierarchical --data groups.csv -o fit.json
has err "'x' does not vary by 'g'"
try 1 glm fit 'y ~ (1 | g) + (1 | k)' --groups hierarchical --data groups.csv -o fit.json
has err "a hierarchy has one grouping term"
try 1 glm fit 'y ~ (1 | g)' --group k --data groups.csv -o fit.json
has err "keep one of them"
try 1 glm fit 'y ~ x' --group nowhere --data groups.csv -o fit.json
has err "nowhere"
try 2 glm fit 'y ~ x' --groups separate --data groups.csv -o fit.json
has err "--groups needs groups"
for option in --hyperprior=paper --nu=9 --phi0=1 --phi1=1 --sigma0-update=paper --scale=shared; do
    try 2 glm fit 'y ~ x' $option --data groups.csv -o fit.json
    has err "apply only to a hierarchy of groups"
done
for option in --prior-sd=3 --prior-df=4; do
    try 2 glm fit 'y ~ x' --group g $option --data groups.csv -o fit.json
    has err "do not apply to a hierarchical fit"
done
try 2 glm fit 'y ~ x' --group g --nu 1 --data groups.csv -o fit.json
has err "nu is 1"

# A group that cannot be fitted is called as the data call it, and so is the column.
printf 'y,x,z,g\n1,1,0,oak\n0,2,900,ash\n1,3,0,oak\n' >huge.csv
for groups in hierarchical separate; do
    try 1 glm fit 'y ~ x + offset(z)' --family poisson --group g --groups $groups \
        --method laplace --data huge.csv -o fit.json
    has err "group 'ash' cannot be fitted"
    has err "those of 'offset()', up to 900"
done

# A gaussian hierarchy is the same in any units: y = 5 + 0.001 y' gives the same fit in these.
{
    echo 'y,x,g'
    for g in 1 2 3 4 5 6; do
        for x in 0 1 2 3 4 5 6 7; do
            awk -v g=$g -v x=$x 'BEGIN { printf "%.6f,%d,s%d\n",
                250 + 12 * sin(7 * g) + (10 + 3 * cos(5 * g)) * x + 9 * sin(g + 11 * x), x, g }'
        done
    done
} >reaction.csv
awk -F, 'NR == 1 { print; next } { printf "%.12g,%s,%s\n", 5 + $1 / 1000, $2, $3 }' reaction.csv \
    >other.csv
try 0 glm fit 'y ~ (1 + x | g)' --groups hierarchical --data reaction.csv -o reaction.json
has out "converged"
try 0 glm fit 'y ~ (1 + x | g)' --groups hierarchical --data other.csv -o other.json
for value in 'mu0 1' 'coefficients 3 mean' 'coefficients 3 sd'; do
    # shellcheck disable=SC2086 # a path of several words
    awk -v a="$("$json_get" reaction.json $value)" -v b="$("$json_get" other.json $value)" \
        'BEGIN { exit !(a > 0 && (a / 1000 / b - 1) ^ 2 < 1e-8) }' || fail "$value depends on units"
done
awk -v a="$("$json_get" reaction.json mu0 0)" -v b="$("$json_get" other.json mu0 0)" \
    'BEGIN { exit !((5 + a / 1000 - b) ^ 2 < 1e-12) }' || fail "the intercept depends on units"

# Nor on the units of a column, or where they begin.
awk 'BEGIN { srand(4); print "y,x,far,g"; for (i = 0; i < 400; i++) { x = rand(); g = i % 16
    print (rand() < 1 / (1 + exp(1 - 3 * x + (g - 8) / 8)) ? 1 : 0) "," x "," 7000 + 100 * x ",s" g } }' \
    >far.csv
try 0 glm fit 'y ~ (1 + x | g)' --groups hierarchical --data far.csv -o near.json
try 0 glm fit 'y ~ (1 + far | g)' --groups hierarchical --data far.csv -o far.json
for value in 'mu0 1' 'coefficients 3 mean' 'coefficients 3 sd'; do
    # shellcheck disable=SC2086 # a path of several words
    awk -v a="$("$json_get" near.json $value)" -v b="$("$json_get" far.json $value)" \
        'BEGIN { exit !((a / 100 / b - 1) ^ 2 < 1e-8) }' || fail "$value depends on a column's units"
done
awk -v a="$(json near.json mu0 0)" -v s="$(json far.json mu0 1)" -v b="$(json far.json mu0 0)" \
    'BEGIN { exit !((b + 7000 * s - a) ^ 2 < 1e-6) }' || fail "the intercept depends on where x begins"
try 0 glm fit 'y ~ (1 + far | g)' --data far.csv -o far.json --hyperprior paper

# The paper's hyperpriors hold mu0 near zero: where the data want it elsewhere, that is said.
{
    echo 'y,g'
    for g in 1 2 3 4 5 6; do printf '%d,s%d\n' $((90 + 5 * g)) $g $((101 - g)) $g; done
} >counts.csv
try 0 glm fit 'y ~ (1 | g)' --family poisson --hyperprior paper --data counts.csv \
    -o counts.json
has out "The hyperprior holds the mean of '(Intercept)' back"
try 0 glm fit 'y ~ (1 | g)' --groups hierarchical --family poisson --data counts.csv -o counts.json
has_not() { ! grep -qF -- "$2" "$1" || fail "$1 has: $2"; }
has_not out "The hyperprior holds"

# Ten pairs: extra hours of sleep under two drugs (Cushny & Peebles 1905, as Student 1908 has
# them; R's `sleep`). lmer(extra ~ (1 | ID)) has 1.54 (0.568), sds 1.504 between and 1.389
# within; ours are posterior modes, and between groups a little smaller.
{
    echo 'extra,id'
    i=0
    for extra in 0.7 -1.6 -0.2 -1.2 -0.1 3.4 3.7 0.8 0.0 2.0 1.9 0.8 1.1 0.1 -0.1 4.4 5.5 1.6 4.6 3.4; do
        echo "$extra,p$((i++ % 10))"
    done
} >sleep.csv
try 0 glm fit 'extra ~ (1 | id)' --groups hierarchical --data sleep.csv -o sleep.json
has out "method     delta: "
near mean "$(json sleep.json mu0 0)" 1.54 0.01
near within "$(awk -v t="$(json sleep.json mu0 1)" 'BEGIN { print exp(t) }')" 1.389 0.1
near between "$(awk -v v="$(json sleep.json Sigma0 0 0)" 'BEGIN { print sqrt(v) }')" 1.504 0.4
equal scale "$(json sleep.json prior scale)" shared
[[ $(grep -c '^  sd ' out) == 1 ]] || fail "a shared sd is listed where groups differ"
# ... nor anywhere as something that the groups spread over
try 0 glm show sleep.json --json --svg sleep.svg
equal "of the spread" "$(json out population scale 0 shared)" true
equal "of the spread" "$(json out population scale 0 upper)" "$(json out mean_of_groups 1 upper)"
has sleep.svg '>one for all<'
try 0 glm show sleep.json --group p3
has out "  sd "
try 0 glm predict sleep.json --data sleep.csv -o -
# two rows and two coefficients per group, and one row
awk 'BEGIN {
    srand(2); print "g,x,y,g1"
    for (g = 0; g < 20; g++) for (i = 0; i < 2; i++) {
        x = rand(); printf "g%d,%.3f,%.3f,h%d\n", g, x, 1 + x + rand() + rand(), 2 * g + i
    }
}' >pairs.csv
try 0 glm fit 'y ~ (x | g)' --groups hierarchical --data pairs.csv -o fit.json
! grep -q 'inf\|nan\|e+[0-9][0-9]' out || fail "numbers beyond reason"
try 0 glm fit 'y ~ (x | g1)' --groups hierarchical --data pairs.csv -o fit.json
! grep -q 'inf\|nan\|e+[0-9][0-9]' out || fail "numbers beyond reason"
try 0 glm fit 'y ~ (1 | g)' --data pairs.csv --scale by-group --max-iter 5000 -o fit.json
equal scale "$(json fit.json prior scale)" by-group
try 3 glm fit 'y ~ (x | g)' --data pairs.csv --scale by-group -o fit.json
has out "Without --scale by-group"
try 2 glm fit 'cbind(admitted, rejected) ~ gender' --group department --scale shared \
    --data "$admissions" -o fit.json
has err "family binomial has none: leave the option out"

# Where years are counted from does not matter for their product with another column, nor for a power.
awk 'BEGIN {
    srand(6); print "y,x,t,year,g"
    for (i = 0; i < 160; i++) {
        x = rand() + rand() - 1; t = int(12 * rand()) - 6
        printf "%.4f,%.4f,%d,%d,g%d\n", x + 0.1 * t + 0.3 * x * t + rand(), x, t, 2010 + t, i % 8
    }
}' >years.csv
for columns in 'x * YEAR' 'x + YEAR + I(YEAR^2)'; do
    for year in t year; do
        try 0 glm fit "y ~ ${columns//YEAR/$year}" --group g --data years.csv -o $year.json
    done
    awk -v a="$(json t.json mu0 3)" -v b="$(json year.json mu0 3)" -v s="$(json t.json mu0_covariance 3 3)" \
        'BEGIN { exit !((a - b) ^ 2 <= 1e-6 * s) }' || fail "$columns depends on where years begin"
done
