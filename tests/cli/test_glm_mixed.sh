#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Random effects on the command line: what is printed and kept, levels, rows of known and of new
# groups. The numbers that come with a tolerance are what the data were drawn from.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

# Reaction times of 18 people over 10 days, each with a level and a slope; and cases out of
# herds of several sizes in four periods.
awk 'function u() { s = (s * 16807) % 2147483647; return s / 2147483647 }
function normal() { return sqrt(-2 * log(u())) * cos(6.283185307 * u()) }
BEGIN {
    s = 4711; print "time,day,who,room"
    for (g = 1; g <= 18; g++) {
        a = 25 * normal(); b = 6 * normal()
        for (d = 0; d < 10; d++)
            printf "%.3f,%d,p%d,%s\n", 250 + a + (10 + b) * d + 25 * normal(), d, g,
                substr("abc", d % 3 + 1, 1)
    }
}' >days.csv
awk 'function u() { s = (s * 16807) % 2147483647; return s / 2147483647 }
function normal() { return sqrt(-2 * log(u())) * cos(6.283185307 * u()) }
BEGIN {
    s = 97; print "herd,period,sick,well"
    for (h = 1; h <= 30; h++) {
        a = 0.8 * normal()
        for (t = 1; t <= 4; t++) {
            n = 2 + int(20 * u()); k = 0
            p = 1 / (1 + exp(1.4 - a + 0.5 * (t - 1)))
            for (i = 0; i < n; i++) k += u() < p
            printf "h%d,t%d,%d,%d\n", h, t, k, n - k
        }
    }
}' >herds.csv

# ---- what is printed ----
try 0 glm fit 'time ~ day + (1 + day | who)' --data days.csv -o days.json
has out "random     (1 + day | who): 18 levels of 'who'"
has out "sd(who, day) ~ half_t(3, "
has out "cor(who) ~ lkj(1)"
has out "weak: scales of 2.5 in sds of column and response"
has out "effects exactly, given the scales"
has out "The fit converged."
has out "Between the 18 levels of 'who', of 10 rows each:"
has out "  sd (Intercept) "
has out "  correlation (Intercept), day "
has out "Variance explained:"
has out "(conditional R2)"

has out "the effects of every level"
! grep -q "iteration" out || fail "iterations that there are not"
try 0 glm fit 'cbind(sick, well) ~ period + (1 | herd)' --data herds.csv -o herds.json
has out "effects by quadrature"
has out "weak: scales of 2.5 in sds of its column"
try 0 glm fit 'cbind(sick, well) ~ period + (1 | herd)' --data herds.csv -o laplace.json --method laplace
has out "effects by Laplace's method"

# ---- what is kept ----
near() {
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a - b < t && b - a < t) }' ||
        fail "$1 is $2, not $3"
}
json() { "$json_get" "$@"; }
equal grouping "$(json days.json grouping)" mixed
near slope "$(json days.json coefficients 1 mean)" 10 6
near "sd of slopes" "$(json days.json sds 1 median)" 6 3
near scale "$(json days.json scale 0 mean)" 25 5
equal group "$(json days.json sds 0 group)" who
equal term "$(json days.json sds 1 term)" day
equal terms "$(json days.json correlations 0 terms 1)" day
equal "the first of a level" "$(json days.json coefficients 2 group)" p1
equal grouping "$(json days.json coefficients 2 grouping)" who
equal coefficients "$(json days.json coefficients)" 38
near "sd between herds" "$(json herds.json sds 0 median)" 0.8 0.4
# cut points beside three chains of JAGS of 40,000 draws: those above the first were .07 sd off
awk 'function u() { s = s * 16807 % 2147483647; return s / 2147483647 }
function z() { return 1.732 * (u() + u() + u() + u() - 2) }
BEGIN {
    s = 77; for (i = 0; i < 20; i++) u()
    print "taster,warm,milk,rating"
    for (j = 1; j <= 9; j++) {
        b = 1.1 * z()
        for (k = 0; k < 8; k++) {
            w = k % 2; m = int(k / 2) % 2; p = u(); e = 2.8 * w + 1.6 * m + b + log(p / (1 - p))
            print "t" j "," w "," m "," 1 + (e > -1.5) + (e > 1.4) + (e > 4) + (e > 5.8)
        }
    }
}' >tea.csv
try 0 glm fit 'rating ~ warm + milk + (1 | taster)' --family ordinal --prior 'b ~ normal(0, 5)' --data tea.csv -o tea.json -q
near "3|4" "$(json tea.json cut_points 2 mean)" 4.658 0.035
near "4|5" "$(json tea.json cut_points 3 mean)" 6.285 0.04
near "3|4's sd" "$(json tea.json cut_points 2 sd)" 0.864 0.026
# a column that separates, too many rows for a check by draws: a doubt, but not with a prior that says enough
awk 'BEGIN { print "y,x,g"; for (i = 0; i < 2400; i++) { y = i % 3 > 0; print y "," 2 * y - 1 + sin(i) / 9 ",g" i % 80 } }' >apart.csv
try 0 glm fit 'y ~ x + (1 | g)' --family bernoulli --data apart.csv -o apart.json --prior 'b(x) ~ normal(0, 20)'
has out "Doubt: the posterior is far from normal"
try 0 glm fit 'y ~ x + (1 | g)' --family bernoulli --data apart.csv -o apart.json --prior 'b(x) ~ normal(0, 0.1)'
grep -q Doubt out && fail "a doubt: $(cat out)"
# again, with any number of threads: the same bytes
for threads in 1 2 7; do
    try 0 glm fit 'time ~ day + (1 + day | who)' --data days.csv -o again.json -q --threads $threads
    same again.json days.json
    try 0 glm fit 'cbind(sick, well) ~ period + (1 | herd)' --data herds.csv -o again.json -q --threads $threads
    same again.json herds.json
done
# three rows of three groups: an answer under the priors, not what rounding makes of it
printf 'y,x,g\n1.5,1.3,a\n3.1,-0.4,b\n2.2,0.6,c\n' >three.csv
try 0 glm fit 'y ~ x + (1 | g)' --data three.csv -o three.json
near "intercept of three rows" "$(json three.json coefficients 0 mean)" 2.7 1.5

# ---- levels ----
try 0 glm show days.json --group p3
has out "Level 'p3' of 'who', 10 rows:"
has out "and with the population's coefficients:"
try 0 glm show days.json --group who=p3 --json
equal coefficients "$(json out coefficients)" 4
equal group "$(json out coefficients 3 group)" p3
has days.json "\"mean\": $(json out coefficients 3 mean)"
try 0 glm show days.json --all-groups
equal levels "$(grep -c "^Level '" out)" 18
try 0 glm show days.json --json
equal population "$(json out coefficients)" 2
equal sds "$(json out sds)" 2
try 2 glm show days.json --group p33
has err "no grouping has a level 'p33'; did you mean"
try 2 glm show days.json --group p3 --svg p3.svg
has err "remove --group"
try 0 glm show days.json --svg days.svg
awk -F, -v OFS=, 'NR > 1 { $4 = $4 == "a" ? "p1" : $4 } { print }' days.csv >both.csv
try 0 glm fit 'time ~ day + (1 | who) + (1 | room)' --data both.csv -o both.json -q
try 2 glm show both.json --group p1
has err "say which: --group 'who=p1'"
try 0 glm predict both.json --data both.csv -o both.out
! grep -q "together" out || fail "all levels are together in a row of the fit"
try 0 glm show both.json --group room=p1
has out "Level 'p1' of 'room', "

# levels that no row of the fit has together, of more effects than all pairs are kept of
awk 'BEGIN { print "y,a,b"; for (i = 0; i < 600; i++) printf "%d,a%d,b%d\n", i * 7919 % 13, i % 200, i * 31 % 199 }' >wide.csv
try 0 glm fit 'y ~ 1 + (1 | a) + (1 | b)' --data wide.csv -o wide.json -q
try 0 glm predict wide.json --data wide.csv -o wide.out
! grep -q "together" out || fail "all levels are together in a row of the fit"
printf 'a,b\na0,b1\na0,b0\n' >apart.csv
try 0 glm predict wide.json --data apart.csv -o apart.out
has out "that no row of the fit combines"
try 0 glm predict wide.json --data apart.csv --effects none -o apart.out
! grep -q "together" out || fail "no effects, no doubt about them"

# columns that a combination is made of, whatever they are called; comments and names have no bars
awk 'BEGIN { print "y,my a,b|c"; for (i = 0; i < 60; i++) printf "%d,a%d,b%d\n", i * 7919 % 13, i % 5, i % 4 }' >names.csv
# shellcheck disable=SC2016 # backquotes of the formula
try 0 glm fit 'y ~ 1 + (1 | `my a`:`b|c`)' --data names.csv -o names.json -q
try 0 glm predict names.json --data names.csv -o names.out
equal "the columns that group" "$(head -1 names.out)" "row,eta,eta_sd,mean,mean_averaged,lower,upper,my a,b|c"

# ---- rows ----
try 0 glm predict days.json --data days.csv -o known.csv
has out "Predictions for 180 rows."
! grep -q "new group" out || fail "groups that are not new"
sed 's/,p1,/,guest,/; s/,p2,/,visitor,/' days.csv >guests.csv
try 0 glm predict days.json --data guests.csv -o new.csv
has out "20 rows of 2 new groups, predicted from the population."
awk -F, 'NR == FNR { sd[FNR] = $3; next } FNR > 1 && FNR <= 21 && $3 <= sd[FNR] { exit 1 }' known.csv new.csv ||
    fail "a new group is as certain as a known one"
tail -n +22 known.csv >a
tail -n +22 new.csv >b
same a b
try 0 glm predict days.json --data guests.csv --effects new -o all.csv
same <(sed -n 2,21p all.csv) <(sed -n 2,21p new.csv)
try 0 glm predict days.json --data guests.csv --effects none -o none.csv
near "eta at day 0" "$(awk -F, 'NR == 2 { print $2 }' none.csv)" "$(json days.json coefficients 0 mean)" 1e-6
near "its sd" "$(awk -F, 'NR == 2 { print $3 }' none.csv)" "$(json days.json coefficients 0 sd)" 1e-5
try 0 glm predict days.json --data guests.csv --unseen drop -o dropped.csv
has out "20 rows with unseen levels dropped"
try 1 glm predict days.json --data guests.csv --unseen error -o dropped.csv
has err "'guest'"
has err "with --unseen population"
try 0 glm predict days.json --data guests.csv --unseen population --json -o new.csv
equal "new groups" "$(json out new_groups)" 2
try 0 glm predict days.json --data guests.csv --interval observation -o new.csv
equal header "$(head -n 1 new.csv)" "row,eta,eta_sd,mean,mean_averaged,lower,upper,observed_lower,observed_upper,who"
equal group "$(sed -n 2p new.csv | sed 's/.*,//')" guest
cut -d, -f1,2 days.csv >ungrouped.csv
try 0 glm predict days.json --data ungrouped.csv --effects none -o u.csv
same <(cut -d, -f1-7 none.csv) u.csv
try 0 glm predict days.json --data ungrouped.csv --effects new -o u.csv
same <(cut -d, -f1-7 all.csv) u.csv
try 1 glm predict days.json --data ungrouped.csv -o u.csv
has err "unknown column 'who'"
try 0 glm evaluate days.json --data guests.csv
has out "new groups      2, with 20 rows"
try 0 glm evaluate days.json --data days.csv --json
known=$(json out rmse)
try 0 glm evaluate days.json --data days.csv --effects none --json
awk -v a="$known" -v b="$(json out rmse)" 'BEGIN { exit !(a < b) }' || fail "effects do not help"
try 0 glm evaluate herds.json --data herds.csv --svg herds.svg
try 0 glm fit 'time ~ day' --data days.csv -o plain.json -q
try 2 glm predict plain.json --data days.csv --effects new -o out.csv
has err "--effects new needs a mixed model"

# ---- the report ----
try 0 report days.json --data days.csv -o days.html
has days.html '"correlations"'
has days.html '"variance_explained"'
has days.html '"rows"'

# ---- other models of a formula with bars ----
try 0 glm fit 'time ~ (1 + day | who)' --groups hierarchical --data days.csv -o hierarchy.json -q
equal grouping "$(json hierarchy.json grouping)" hierarchical
try 0 glm fit 'time ~ (1 + day | who)' --hyperprior weak --data days.csv -o hierarchy.json -q
equal grouping "$(json hierarchy.json grouping)" hierarchical
try 2 glm fit 'time ~ day' --group who --groups mixed --data days.csv -o wrong.json
has err "remove --group, and add what varies"
try 0 glm fit 'time ~ day + (1 | who)' --prior-sd 100 --data days.csv -o prior.json -q
equal prior "$(json prior.json prior sd)" 100.0

# ---- priors in words ----
try 0 glm fit 'time ~ day + (1 + day | who)' --data days.csv -o stated.json \
    --prior 'sd(who) ~ exponential(0.05)' --prior 'sd(who, day) = 5' --prior 'cor(who) ~ lkj(2)' \
    --prior 'b(day) ~ normal(0, 20)'
has out "sd(who, (Intercept)) ~ exponential(0.05), stated"
has out "sd(who, day) ~ fixed(5), stated"
has out "cor(who) ~ lkj(2), stated"
has out "N(0, 20^2) on 'day'"
! grep -q "scales of 2.5" out || fail "a weak prior that there is not"
equal prior "$(json stated.json random 0 sd_priors 0 prior)" "exponential(0.050000000000000003)"
near "a fixed sd" "$(json stated.json sds 1 mean)" 5 1e-9
try 0 glm show stated.json
has out "sd(who, day) ~ fixed(5), stated"
printf 'term,mean,sd\nday,0,20\n' >prior.csv
try 0 glm fit 'time ~ day + (1 | who)' --data days.csv -o a.json -q --prior-file prior.csv
try 0 glm fit 'time ~ day + (1 | who)' --data days.csv -o b.json -q --prior 'b(day) ~ normal(0, 20)'
same a.json b.json
try 2 glm fit 'time ~ day + (1 | who)' --data days.csv -o wrong.json --prior 'sd(woh) ~ exponential(1)'
has err "did you mean 'who'?"
try 2 glm fit 'time ~ (1 + day | who)' --groups hierarchical --data days.csv -o wrong.json --prior 'sd(who) ~ exponential(1)'
has err "fit a mixed model (--groups mixed)"

# ---- scales at their mode ----
try 0 glm fit 'time ~ day + (1 + day | who)' --data days.csv -o map.json --hyper map
has out "scales at their mode"
has out "fixed at their mode"
has out "uncertainty is not known"
! grep -q nan out map.json || fail "numbers that are not numbers"
equal hyper "$(json map.json hyper)" map
try 0 glm show map.json --json
try 0 glm predict map.json --data days.csv -o map.csv
try 0 report map.json -o map.html
try 0 glm fit 'time ~ (1 + day | who)' --data days.csv -o factor.json --hyper factor -q
equal grouping "$(json factor.json grouping)" hierarchical
try 2 glm fit 'time ~ day + (1 | who)' --data days.csv -o wrong.json --hyper factor --groups mixed
has err "the paper's hierarchy"
try 2 glm fit 'time ~ (1 + day | who)' --data days.csv -o wrong.json --hyper integrate --groups hierarchical
has err "needs a mixed model"
try 2 glm fit 'time ~ day' --data days.csv -o wrong.json --hyper map
has err "hyper applies to random effects"

# ---- rows that cannot tell ----
awk 'function u() { s = (s * 16807) % 2147483647; return s / 2147483647 }
BEGIN {
    s = 31; print "y,x,g,h,one,row,gx,b,same,kind,tiny"
    for (g = 1; g <= 8; g++) { a = u(); gx = u()
        for (i = 1; i <= 6; i++) { x = u(); y = x + a + u()
            printf "%.4f,%.4f,g%d,h%d,one,r%d_%d,%.4f,%d,%.4f,%s,%.4fe-150\n", y, x, g, g, g, i, gx, u() < 0.5,
                g == 3 ? 1 : y, substr("abc", 1 + int(3 * u()), 1), y } }
}' >bad.csv
note() { # FORMULA SENTENCE [OPTION ...]
    local formula="$1" sentence="$2"
    shift 2
    try 0 glm fit "$formula" --data bad.csv -o bad.json "$@"
    has out "The fit converged"
    has out "$sentence"
    ! grep -q nan out bad.json || fail "numbers that are not numbers"
    try 0 glm predict bad.json --data bad.csv -o bad.out
}
note 'y ~ x + (1 | g) + (1 | h)' "The levels of 'h' are those of 'g' by other names"
note 'y ~ x + (1 | row)' "Each level of 'row' has one row"
note 'b ~ x + (1 | row)' "a single 0 or 1 says nothing about an sd"
note 'y ~ x + (1 + gx | g)' "the effects of 'gx' cannot be told from those before it"
note 'y ~ x + (1 + x + I(2 * x) | g)' "the effects of 'I(2 * x)' cannot be told"
note 'y ~ g + (1 | g)' "'g' is both a fixed effect and a grouping term"
note 'y ~ x + (1 | kind)' "The 3 levels of 'kind' say little"
note 'same ~ x + (1 | g)' "Between the 8 levels"
note 'same ~ 1 + (1 | g)' "Between the 8 levels"
try 0 glm fit 'y ~ x + (x | g)' --data bad.csv -o bad.json
! grep -q "cannot be told" out || fail "a note on what can be told"
try 1 glm fit 'y ~ x + (1 | one)' --data bad.csv -o bad.json
has err "take its bars out of the formula"
try 1 glm fit 'tiny ~ x + (1 | g)' --data bad.csv -o bad.json
has err "give it other units"
try 0 glm fit 'I(tiny * 1e150) ~ x + (1 | g)' --data bad.csv -o bad.json -q
try 1 glm fit 'y ~ x + (1 | g)' --hyperprior paper --data bad.csv -o bad.json
has err "or fit a mixed model, where it need not"
for family in multinomial ordinal; do
    try 0 glm fit 'kind ~ x + (1 | g)' --family $family --data bad.csv -o bad.json
    has out "Between the"
done
try 0 glm fit 'kind ~ s(x) + (1 | g)' --family multinomial --data bad.csv -o bad.json
has out "Smooth terms, their sds"
try 0 glm fit 'kind ~ ar1(x)' --family multinomial --data bad.csv -o bad.json
has out "ar1(x), 48 values, of 1 row each, for 'b':"
has out "ar1(x), 48 values, of 1 row each, for 'c':"

# Options that would be ignored, or that ask for another model, are reported.
try 2 glm fit 'time ~ day + (1 | who)' --data days.csv -o wrong.json --tol 1e-3
has err "leave them out"
try 2 glm fit 'time ~ day + (1 | who)' --data days.csv -o wrong.json --max-iter 5
has err "leave them out"
printf 'a b\nb c\nc b\nd\n' >regions.txt
try 2 glm fit 'time ~ day + (1 | who)' --data days.csv -o wrong.json --adjacency regions.txt
has err "no term is about regions"
has err "1 pair of neighbours is listed for only one of the two regions"
has err "1 region has no neighbours"
try 0 glm fit 'time ~ day + (1 + day | who)' --data days.csv -o shared.json --nu 5
has err "paper's hierarchy"
try 0 glm fit 'time ~ day + (1 | who)' --data days.csv -o fixed.json --prior 'sd(who) = 30'
has out "sd (Intercept)         30          0   [30, 30]"
try 2 glm draws days.json --what response
has err "add --data"
