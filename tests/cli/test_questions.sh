#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Questions to a fit: effects, means, contrasts and doses; intervals at any level, ratios, CSV.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
launches=$project/data/challenger.csv
admissions=$project/data/admissions.csv

try 0 glm fit 'distress ~ temperature' --data "$launches" -o launch.json -q
try 0 glm fit 'cbind(admitted, rejected) ~ gender * department' --data "$admissions" -o admit.json
has out "reference  gender = female, department = A"
equal reference "$(json admit.json references gender)" female

# ---- effects ----

try 0 glm effects launch.json temperature --data "$launches"
has out "Probability of distress = yes, averaged over 23 rows"
has out "Average change per unit of temperature"
mv out text
OMP_NUM_THREADS=3 try 0 glm effects launch.json temperature --data "$launches"
same text out
try 0 glm effects launch.json temperature --data "$launches" --json
equal question "$(json out question)" effects
equal points "$(json out values 8 x)" 81.0
equal over "$(json out over)" rows
try 0 glm effects launch.json temperature --data "$launches" -o - --level 0.5,0.9
equal header "$(head -1 out)" \
    "kind,term,value,response,estimate,std.error,median,conf.low.0.5,conf.high.0.5,conf.low.0.9,conf.high.0.9,probability"
equal lines "$(wc -l <out)" 11
try 0 glm effects launch.json temperature --data "$launches" --svg curve.svg --points 5
has out "Written to curve.svg"
grep -q "</svg>" curve.svg || fail "no picture"
try 0 glm effects admit.json gender --by department --data "$admissions" --exp --svg levels.svg
has out "male / female"
has out "P(> 1)"
try 0 glm effects launch.json temperature --data "$launches" --at temperature=31
has out "slope at 31"

# ---- means ----

try 0 glm means admit.json gender --data "$admissions" --pairs
has out "averaged over 6 combinations of levels"
has out "female - male"
try 0 glm means admit.json gender:department --data "$admissions" --what link
equal cells "$(grep -c '^  \(fe\)\?male, ' out)" 12
try 0 glm means admit.json gender --by department --at department=A,B --data "$admissions"
equal cells "$(grep -c '^  [AB] ' out)" 4

# ---- contrasts ----

try 0 glm contrast admit.json 'gendermale > 0' 'departmentB - departmentC' 'exp(gendermale)'
has out "probability"
try 0 glm contrast admit.json gendermale --exp --json
equal exponentiated "$(json out exponentiated)" true
try 2 glm contrast admit.json 'gendrmale'
has err "did you mean 'gendermale'?"
try 2 glm contrast admit.json 'gendermale >'
has err "at the end"
try 2 glm contrast admit.json

# ---- doses ----

try 0 glm dose launch.json temperature --response 0.1,0.5 --data "$launches"
has out "response 0.5"
has out "P(rises)"
try 2 glm dose launch.json temperature --response much --data "$launches"
try 2 glm dose launch.json temperature --response 2 --data "$launches"
has err "the mean cannot be 2"
# where the data do not determine a dose its ends are empty in CSV, and null in JSON
printf 'y,x\n0,1\n1,2\n0,3\n1,4\n0,5\n1,6\n0,7\n1,8\n' >undecided.csv
try 0 glm fit 'y ~ x' --data undecided.csv --family bernoulli -o undecided.json
try 0 glm dose undecided.json x --response 0.5 --data undecided.csv -o dose.csv
has out "[-inf, inf]"
grep -q '^value,x,response 0.5,,4.5,[0-9.]*,4.5,,,0\.' dose.csv || fail "open ends in dose.csv"
try 0 glm dose undecided.json x --response 0.5 --data undecided.csv --json
has out '"lower": null, "upper": null'

# ---- levels, ratios, CSV ----

try 0 glm show admit.json --level 0.8
has out "80 % interval"
try 0 glm show admit.json --exp
has out "exp(mean)"
try 0 glm show admit.json --csv
equal header "$(head -1 out)" "term,y.level,kind,group,estimate,std.error,conf.low,conf.high"
try 2 glm show admit.json --level 95
has err "between 0 and 1"
try 2 glm show admit.json --csv --json
try 0 glm predict launch.json --data "$project/data/challenger-last.csv" -o wide.csv
try 0 glm predict launch.json --data "$project/data/challenger-last.csv" -o narrow.csv --level 0.5
if cmp -s wide.csv narrow.csv; then fail "the level of an interval does not matter"; fi

# ---- what is wrong ----

try 2 glm effects launch.json pressure --data "$launches"
has err "no column 'pressure'"
try 2 glm effects launch.json temprature --data "$launches"
has err "did you mean 'temperature'?"
try 2 glm effects launch.json temperature
has err "--data"
try 2 glm effects launch.json temperature --data "$launches" --at temperature
has err "COLUMN=VALUE"
try 2 glm means admit.json gender --data "$admissions" --at department=Z
has err "no level 'Z'"
try 1 glm effects launch.json temperature --data "$admissions"
has err "temperature"
try 2 glm effects launch.json temperature --data "$launches" -o - --svg -

# ---- words that people type ----

for family in negbinomial nbinom2 negative.binomial; do
    try 0 glm fit 'damaged ~ temperature' --data "$launches" --family "$family" -o count.json -q
    equal family "$(json count.json family)" negative-binomial
done
try 0 glm fit 'damaged ~ temperature' --data "$launches" -o count.json
has out "'damaged' looks like counts"
try 0 glm fit 'temperature ~ pressure' --data "$launches" -o count.json
if grep -q "looks like counts" out; then fail "temperatures are no counts"; fi
printf 'y,x\n"a, b",1\nc,2\n"a, b",3\nc,2\n"d",4\n"d",1\n' >commas.csv
try 0 glm fit 'y ~ x' --data commas.csv --family ordinal --levels 'c,"a, b",d' -o commas.json
has out "c < a, b < d"
