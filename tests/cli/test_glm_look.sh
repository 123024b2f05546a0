#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A look at a fit: residuals, predictive checks, calibration by simulation.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
launches=$project/data/challenger.csv
admissions=$project/data/admissions.csv

# ---- residuals ----

try 0 glm fit 'distress ~ temperature' --data "$launches" -o launch.json -q
try 0 glm residuals launch.json --data "$launches" --by pressure
has out "rows        23, each predicted without itself"
has out "pressure"
has out "leverage"
mv out text
OMP_NUM_THREADS=3 try 0 glm residuals launch.json --data "$launches" --by pressure
same text out
try 0 glm residuals launch.json --data "$launches" -o - --influence
equal header "$(head -1 out)" "row,response,fitted,below,up_to,pit,residual,leverage,elpd,k"
equal lines "$(wc -l <out)" 24
try 0 glm residuals launch.json --data "$launches" --json --middle
equal rows "$(json out rows)" 23
equal by "$(json out by 0 name)" fitted
equal p "$(json out ks_p)" null
try 0 glm residuals launch.json --data "$launches" --svg look.svg
grep -q "</svg>" look.svg || fail "no picture"
head -9 "$launches" >some.csv
try 1 glm residuals launch.json --data some.csv
has err "give the table that was fitted"
try 0 glm residuals launch.json --data some.csv --as-new
has out "taken as new ones"
try 2 glm residuals launch.json --data some.csv --as-new --influence
has err "remove --as-new"
try 1 glm residuals launch.json --data "$launches" --by nothing
has err "there is no column 'nothing' to look by"

# A column called "fitted" is not taken for the fitted values.
sed '1s/temperature/fitted/' "$launches" >named.csv
try 0 glm fit 'distress ~ fitted' --data named.csv -o named.json -q
try 0 glm residuals named.json --data named.csv
has out "  fitted (value) "
has out "  fitted  "
try 0 glm residuals named.json --data named.csv --json
equal "the values come first" "$(json out by 0 is_fitted)" true
equal "then the column" "$(json out by 1 name) $(json out by 1 is_fitted)" "fitted false"
try 0 glm residuals named.json --data named.csv --svg named.svg
try 0 glm residuals launch.json --data "$launches" --svg look.svg
dots_of() { grep -o '<circle' "$1" | wc -l; }
equal "dots, by either name" "$(dots_of named.svg)" "$(dots_of look.svg)"

# ---- groups and trials ----

try 0 glm fit 'cbind(admitted, rejected) ~ gender' --group department --data "$admissions" -o groups.json
try 0 glm residuals groups.json --data "$admissions"
has out "department"
try 0 glm compare groups.json --data "$admissions"
has out "as fitted"
try 0 glm fit 'cbind(admitted, rejected) ~ gender + (1 | department)' --data "$admissions" -o mixed.json -q
try 0 glm residuals mixed.json --data "$admissions" --influence
try 0 glm draws mixed.json --data "$admissions" --what response -n 2
equal drawn "$(wc -l <out)" 3

# ---- predictive checks ----

try 0 glm ppc mixed.json --data "$admissions" --svg ppc.svg
has out "share of zeros"
has out "Written to ppc.svg"
mv out text
OMP_NUM_THREADS=3 try 0 glm ppc mixed.json --data "$admissions" --svg ppc.svg
same text out
try 0 glm ppc mixed.json --data "$admissions" --json --draws 50
equal draws "$(json out draws)" 50
equal name "$(json out statistics 0 name)" mean
try 0 glm ppc mixed.json --data "$admissions" -o -
equal header "$(head -1 out)" "kind,of,label,observed,median,lower,upper"

# ---- calibration by simulation ----

try 0 glm fit 'distress ~ temperature' --data "$launches" --prior-sd 0.1 --intercept-sd 5 -o prior.json -q
try 0 glm sbc prior.json --data "$launches" -n 80 --svg ranks.svg
has out "80 fits to responses drawn from the prior"
mv out text
try 0 glm sbc prior.json --data "$launches" -n 80 --svg ranks.svg --threads 3
same text out
try 0 glm sbc prior.json --data "$launches" -n 80 --json
equal name "$(json out parameters 1 name)" temperature
try 0 glm sbc prior.json --data "$launches" -n 40 --bins 5 -o -
equal lines "$(wc -l <out)" 81
try 2 glm sbc groups.json --data "$admissions"
has err "fit a mixed model"
try 0 glm sbc prior.json --data "$launches" -n 40 --json
equal "bins, a quarter of the replicates" "$(json out bins)" 10

# ---- other levels of what is verified ----

try 0 glm check launch.json --data "$launches" --level 0.5,0.9
has out "50 % interval"
has out "90 % interval"
