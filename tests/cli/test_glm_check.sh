#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How good fits are, which predicts better, and draws of them.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
data=$project/data/challenger.csv

# ---- check ----

try 0 glm fit 'distress ~ temperature' --data "$data" -o fit.json --verify --method laplace
has out "do not trust"
has out "Verified by 4000 weighted draws"
equal grade "$(json fit.json verification grade)" poor
equal draws "$(json fit.json verification draws)" 4000
cp fit.json verified.json
try 0 glm show fit.json
has out "do not trust"
# A small fit is graded anyway, by the same draws; what is good is not mentioned.
try 0 glm fit 'distress ~ temperature' --data "$data" -o fit.json --method laplace
has out "do not trust"
equal grade "$(json fit.json verification grade)" poor
equal automatic "$(json fit.json verification automatic)" true
mv out one
try 0 glm fit 'distress ~ temperature' --data "$data" -o again.json --method laplace --threads 3
same fit.json again.json
try 0 glm show fit.json
has out "do not trust"
try 0 glm fit 'distress ~ temperature' --data "$data" -o fit.json
equal grade "$(json fit.json verification grade)" good
if grep -q "±\|do not trust\|Verified" out; then fail "a good fit is remarked upon"; fi
try 0 glm fit 'distress ~ temperature' --data "$data" -o fit.json --method laplace --no-grades
if grep -q "±\|do not trust" out; then fail "a fit is graded against the user's will"; fi
if grep -q verification fit.json; then fail "a fit is graded against the user's will"; fi
# One that would take long is not, and says so where its posterior is far from normal.
awk 'BEGIN { srand(3); printf "y"; for (j = 0; j < 60; j++) printf ",x%d", j; print ""
    for (i = 0; i < 700; i++) { e = 0; s = ""
        for (j = 0; j < 60; j++) { x = rand() + rand() + rand() - 1.5; s = s sprintf(",%.3f", x); e += (j < 8) * x * 1.5 }
        print (rand() < 1 / (1 + exp(-e))) s } }' >wide.csv
try 0 glm fit 'y ~ .' --data wide.csv -o wide.json
has out "'delaplace glm check' grades them"
if grep -q verification wide.json; then fail "a fit that takes long is graded"; fi
try 0 glm check fit.json --data "$data"
has out "log evidence  -14.5"
has out "the fit's"
mv out one
try 0 glm check fit.json --data "$data" --threads 3 -o again.json
same verified.json again.json
try 0 glm check fit.json --data "$data" --threads 2
same one out
try 0 glm check fit.json --data "$data" --json
json out verification fits 0 pareto_k >/dev/null

# Remarks stand beside their numbers, though wiggly parts of a smooth are not listed.
echo y,x >counts.csv
printf '%s\n' 2,3.737 0,5.534 0,5.660 0,1.479 5,1.677 2,0.958 0,3.705 0,5.228 2,5.895 2,5.769 \
    0,2.167 0,0.391 1,0.020 3,1.860 0,1.895 0,0.137 1,2.197 0,0.280 2,5.578 0,2.129 \
    1,4.783 0,5.675 2,3.665 0,5.545 0,1.901 0,0.893 0,5.920 1,1.424 3,0.334 2,2.961 >>counts.csv
try 0 glm fit 'y ~ s(x)' --family negative-binomial --data counts.csv -o smooth.json --verify
remark=$(sed -n 's/^  size .*]  *//p' out)
try 0 glm check smooth.json --data counts.csv
equal remark "$remark" "$(sed -n 's/^  size .*]  *[^ ]*  *//p' out)"
has out "s(x).1 "

# Another table, another kind of fit, a file of an older version.
head -20 "$data" >less.csv
try 1 glm check fit.json --data less.csv
has err "19 rows"
try 0 glm fit 'damaged ~ temperature + (1 | pressure)' --data "$data" --family poisson -o mixed.json -q
try 0 glm check mixed.json --data "$data"
has out "draws         4000"
try 0 glm compare mixed.json --data "$data"
has out "Rows left out one by one"
try 0 glm cv mixed.json --data "$data" --folds 3 --draws 2000
has out "folds     3"
try 0 glm fit 'temperature ~ pressure' --data "$data" -o old.json
sed -i '/log_scale_mean/d' old.json
try 1 glm check old.json --data "$data"
has err "older version"

# Of separate fits, a line for each.
try 0 glm fit 'damaged ~ temperature' --data "$data" --family poisson --group distress --groups separate -o groups.json -q
try 0 glm check groups.json --data "$data"
has out "yes"
try 0 glm check groups.json --data "$data" --group no
has out "Group 'no'"
try 2 glm check groups.json --data "$data" --group nobody
try 2 glm check fit.json

# ---- compare and cv ----

try 0 glm fit 'distress ~ 1' --data "$data" -o constant.json -q
try 0 glm compare constant.json fit.json --data "$data"
sed -n 4p out | grep -q fit.json || fail "the better fit is not the first"
has out "log evidence depends on the priors"
try 0 glm compare constant.json fit.json --data "$data" --json --rows
equal first "$(json out fits 0 fit)" fit.json
equal rows "$(json out fits 0 rows)" 23
json out fits 1 by_row 22 elpd >/dev/null
try 0 glm fit 'damaged ~ temperature' --data "$data" --family poisson -o other.json -q
try 0 glm compare fit.json other.json --data "$data"
has out "other rows or response"
try 2 glm compare fit.json --data "$data" --rows
try 0 glm cv fit.json --data "$data"
has out "folds     10"
try 0 glm cv fit.json --data "$data" --by pressure
has out "3 groups by 'pressure'"
try 0 glm cv fit.json --data "$data" --folds 23 --json
equal folds "$(json out folds)" 23
try 2 glm cv fit.json --data "$data" --folds 24
has err "2 to 23"
try 1 glm cv fit.json --data "$data" --by colour
has err "colour"

# ---- draws ----

try 0 glm draws fit.json -n 3
equal lines "$(wc -l <out)" 4
equal names "$(head -1 out)" "(Intercept),temperature"
mv out some
try 0 glm draws fit.json -n 3 -o file.csv
same some file.csv
try 0 glm draws fit.json -n 3 --seed 2
if cmp -s some out; then fail "two seeds have the same draws"; fi
try 0 glm draws fit.json -n 3 --as cmdstan
has out "lp__,(Intercept),temperature"
try 0 glm draws fit.json -n 5 --as coda -o draws-
equal index "$(sed -n 2p draws-index.txt)" "temperature 6 10"
equal chain "$(wc -l <draws-chain1.txt)" 10
try 2 glm draws fit.json --as coda
try 0 glm draws fit.json -n 4 --data "$project/data/challenger-last.csv"
has out "mean[1]"
try 0 glm draws fit.json -n 4 --data "$project/data/challenger-last.csv" --what response
has out "y[1]"
try 0 glm draws mixed.json -n 4 --effects
has out "sd(pressure: (Intercept))"
has out "b[(Intercept) pressure:50]"
try 2 glm draws fit.json --effects
try 0 glm draws mixed.json --data "$data" -n 2
equal lines "$(wc -l <out)" 3

# ---- a correlation that is above 0 is no sd ----

awk 'BEGIN { print "g,x,y"; for (i = 0; i < 144; i++) { u = int(i / 12); x = i % 12 - 5.5
    print "g" u "," x "," (u - 5.5) * (1 + 0.5 * x) + x * sin(3 * u) * 0.3 + sin(7 * i) } }' >slopes.csv
try 0 glm fit 'y ~ x + (x | g)' --data slopes.csv -o slopes.json -q
try 0 glm check slopes.json --data slopes.csv --level 0.9999
interval=$(sed -n 's/^  cor(g[^[]*\[\([^]]*\)\].*/\1/p' out)
awk -F', ' '{ exit !($1 > 0 && $2 > $1 && $2 <= 1) }' <<<"$interval" || fail "a correlation within $interval"
