#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace report, without a browser: what it takes, what it refuses, what it writes.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
data=$project/data

# page FILE: the JSON that a report holds, in page.json.
page() {
    sed -n 's|^<script id="data" type="application/json">\(.*\)</script>$|\1|p' "$1" >page.json
    [[ -s page.json ]] || fail "$1 holds no data"
}

# ---- topics ----
try 0 topics fit "$data/packages.ldac" -k 5 -o model --quiet
try 0 report model -o report.html --covariates "$data/packages.csv" --by section
has out "Written to report.html"
is_empty err
page report.html
equal kind "$(json page.json kind)" topics
equal title "$(json page.json title)" model
equal variable "$(json page.json trend variable)" section
sections=$(tail -n +2 "$data/packages.csv" | cut -d, -f2 | LC_ALL=C sort -u)
equal level "$(json page.json trend level 0)" "$(head -n 1 <<<"$sections")"
json page.json topics 4 words 199 >/dev/null
json page.json pairs 29 >/dev/null
json page.json trace 3 >/dev/null
(($(stat -c %s report.html) < 200000)) || fail "the report is large"

# Its graph is that of the picture: the same colours, 8 of them and one more for a topic by
# itself, and lines above the same correlation.
try 0 topics show model --svg graph.svg --quiet
for topic in 1 2 3 4 5; do
    group=$(json page.json topics $((topic - 1)) group)
    equal "colour of topic $topic" \
        "$(sed -n "s/.*class=\"g\([0-8]\)\".*<title>Topic $topic,.*/\1/p" graph.svg)" \
        $((group < 0 ? 8 : group % 8))
done
has graph.svg "above $(awk -v h="$(json page.json threshold)" 'BEGIN { printf "%g", h / 100 }')"
# Words by FREX come with it, from 0 to 1 in ten thousandths, the largest first.
first=$(json page.json topics 0 frex 2) second=$(json page.json topics 0 frex 5)
((first <= 10000 && first >= second && second > 0)) || fail "FREX of $first before $second"

# It loads nothing, and the same report has the same bytes.
if grep -qE 'https?://' report.html && grep -oE 'https?://[^"'"'"' ]*' report.html |
    grep -qv '^http://www.w3.org/2000/svg'; then fail "the report names a network address"; fi
try 0 report model -o - --covariates "$data/packages.csv" --by section
same out report.html

# A column of numbers becomes a line.
awk -F, 'NR == 1 { print "package,year" } NR > 1 { print $1 "," 1990 + NR % 7 }' \
    "$data/packages.csv" >years.csv
try 0 report model -o report.html --covariates years.csv --by year --quiet
is_empty out
page report.html
equal first "$(json page.json trend x 0)" 1990.0
json page.json trend mean 4 6 >/dev/null
awk 'BEGIN { print "x" } { print NR / 7 }' "$data/packages.ldac" >many.csv
try 0 report model -o report.html --covariates many.csv --by x
page report.html
json page.json trend mean 4 9 >/dev/null

# Curves of a regression on covariates, as 'topics effects' prints them; by group, too.
awk -F, -v OFS=, 'NR == 1 { print "package", "year", "half" } NR > 1 { print $1, 1990 + NR % 7, NR % 2 ? "odd" : "even" }' \
    "$data/packages.csv" >halves.csv
effects=(topics effects model "$data/packages.ldac" --covariates halves.csv --formula '~ half + year'
    --draws 5 --splits 0 --json)
try 0 "${effects[@]}" --of year --by half
cp out curve.json
try 0 "${effects[@]}" --of half --topic 2
cp out rows.json
try 0 report model -o report.html --effects curve.json --effects rows.json --quiet
page report.html
equal "what is drawn" "$(json page.json effects 0 of) $(json page.json effects 0 by)" "year half"
equal "where" "$(json page.json effects 0 topics 1 0 0) $(json page.json effects 0 topics 1 0 1)" "1990.0 even"
equal "of topic 2 alone" "$(json page.json effects 1 topics 1 1 0)" odd
awk -v share="$(json curve.json points 0 mean)" -v drawn="$(json page.json effects 0 topics 0 0 2)" \
    'BEGIN { exit !((1e5 * share - drawn)^2 <= 0.2501) }' || fail "the share is not the one drawn"
sed 's/"topic": 2/"topic": 99/' rows.json >other.json
try 1 report model -o report.html --effects other.json
has err "other.json has topic 99, but the model has topics 1 to"
try 1 report model -o report.html --effects model/model.json
has err "model/model.json: these are not curves of topics, as 'topics effects --of COLUMN --json' prints them"

try 2 report model -o report.html --by section
has err "--covariates FILE"
try 2 report model -o report.html --data years.csv
has err "is for regressions"
try 1 report model -o report.html --covariates years.csv --by nothing
has err "years.csv: no column 'nothing' for --by; the columns are "
try 1 report model -o report.html --covariates years.csv --by Year
has err "years.csv: no column 'Year'; did you mean --by 'year'?"
try 1 report years.csv -o report.html
has err "years.csv: is not JSON; expected a fitted regression"
try 1 report model/model.json -o report.html
has err "belongs to a topic model; give its folder"
try 1 report missing -o report.html
try 4 report model -o missing/report.html
rm model/trace.csv
try 0 report model -o report.html
page report.html

# A model with covariates, with and without its table.
try 0 topics fit "$data/packages.ldac" -k 4 -o covariates --covariates "$data/packages.csv" \
    --formula '~ section' --quiet
try 0 report covariates -o report.html
page report.html
equal formula "$(json page.json info formula)" '~ section'
try 0 report covariates -o report.html --covariates "$data/packages.csv"
try 1 report covariates -o report.html --covariates years.csv

# ---- documents that miss a covariate ----
# The trend goes without them; the rest of the report is the same.
awk -v OFS=, 'BEGIN { print "document", "x", "part", "one", "none" }
    { print "doc" NR, NR % 5 ? NR % 7 : "NA", NR % 4 ? substr("abc", NR % 3 + 1, 1) : "",
      NR % 2 ? "same" : "", "" }' "$data/packages.ldac" >holes.csv
cut -d, -f2- holes.csv >in_order.csv
documents=$(wc -l <"$data/packages.ldac")
without_x=$((documents / 5)) without_part=$((documents / 4)) without_both=$((documents / 20))
trend() { grep -o '"trend":{[^}]*}' page.json; }

try 0 report model -o whole.html --title t
try 0 report model -o report.html --title t --covariates in_order.csv --by part
has out "By part: $without_part documents with missing values dropped."
page report.html
equal dropped "$(json page.json trend dropped)" "$without_part"
equal level "$(json page.json trend level 0)" a
equal documents "$(awk -v RS=, '/count/ { n = 3; sub(/.*\[/, "") } n-- > 0 { s += $0 }
    END { print s }' <(trend))" $((documents - without_part))
same <(sed 's/"trend":{[^}]*}/"trend":null/' report.html) whole.html
try 0 report model -o - --title t --covariates in_order.csv --by part
same out report.html
has err "By part: $without_part documents"
# It is what the others alone show: the mean share of a topic in the documents of a level.
awk -F, 'NR == 1 { print "part" } NR > 1 { print $2 ? $2 : "none" }' in_order.csv >levels.csv
shares=$(json page.json trend mean 2 1)
try 0 report model -o report.html --covariates levels.csv --by part
page report.html
equal dropped "$(json page.json trend dropped)" 0
equal "share in b" "$(json page.json trend mean 2 1)" "$shares"
# Numbers: no value is taken for 0.
try 0 report model -o report.html --covariates in_order.csv --by x
page report.html
equal dropped "$(json page.json trend dropped)" "$without_x"
equal first "$(json page.json trend count 0)" $((documents / 7 - documents / 35))

try 1 report model -o no.html --covariates in_order.csv --by part --missing error
has err "in_order.csv: column 'part' lacks $without_part of $documents values"
has err "--missing drop"
try 1 report model -o no.html --covariates in_order.csv --by none
has err "in_order.csv: column 'none' is empty for every document of the model; take another"
try 1 report model -o no.html --covariates in_order.csv --by one
has err "in_order.csv: column 'one' is the same in every document that has it"

# Of a model that was fitted without some, the same table serves: by name, by the order of
# named documents, and by that of nameless ones.
try 0 corpus convert "$data/packages.ldac" -o named.ldac --quiet
awk '{ print "doc" NR }' named.ldac >named.docs
some=(--formula '~ x' --max-iter 3 --quiet)
try 3 topics fit named.ldac -k 4 -o by_name --covariates holes.csv "${some[@]}"
try 3 topics fit named.ldac -k 4 -o by_order --covariates in_order.csv "${some[@]}"
rm named.docs
try 3 topics fit named.ldac -k 4 -o nameless --covariates in_order.csv "${some[@]}"
for pair in by_name:holes by_order:in_order nameless:in_order; do
    try 0 report "${pair%:*}" -o report.html --covariates "${pair#*:}.csv" --by part
    page report.html
    equal "$pair" "$(json page.json trend dropped)" $((without_part - without_both))
    equal "left out by the fit" "$(json page.json info dropped)" "$without_x"
    [[ -s first.txt ]] || trend >first.txt
    same <(trend) first.txt
done
# A table with other holes is not that of the fit.
sed '2s/^1,/,/' in_order.csv >other.csv
try 1 report nameless -o no.html --covariates other.csv --by part
has err "in $((without_x + 1)) rows, but the fit left out $without_x"
try 1 report by_name -o no.html --covariates <(sed 's/^doc1,1,/doc1,,/' holes.csv)
has err "column 'x' lacks 1 of $((documents - without_x)) values"
[[ ! -e no.html ]] || fail "a report of what was refused"

# ---- regressions ----
try 0 glm fit 'distress ~ temperature' --data "$data/challenger.csv" -o fit.json
try 0 report fit.json -o report.html --data "$data/challenger.csv" --title 'Cold & <hot>'
has report.html '<title>Cold &amp; &lt;hot&gt;</title>'
page report.html
equal title "$(json page.json title)" 'Cold & <hot>'
equal term "$(json page.json terms 1 name)" temperature
equal rows "$(json page.json calibration rows)" 23
equal parts "$(json page.json calibration series 0 parts 3 rows)" 6
grep -q 'title.*u003chot' report.html || fail "a < is in the data unescaped"
sed '3s/,[0-9]*,/,,/' "$data/challenger.csv" >gaps.csv
try 0 report fit.json -o gaps.html --data gaps.csv
page gaps.html
equal rows "$(json page.json calibration rows)" 22
try 1 report fit.json -o gaps.html --data gaps.csv --missing error
has err "gaps.csv: column 'temperature' lacks 1 of 23 values"
try 2 report fit.json -o report.html --by section
has err "topic models"
try 1 report "$data/challenger.csv" -o report.html
try 0 glm fit 'cbind(admitted, rejected) ~ gender' --group department \
    --data "$data/admissions.csv" -o groups.json
try 0 report groups.json -o report.html
page report.html
equal group "$(json page.json groups name 5)" F
json page.json groups sd 5 1 >/dev/null
# Weights, and rows that were left out.
awk 'BEGIN { print "y,x,w"; for (i = 0; i < 20; i++) print (i == 3 ? "NA" : i % 6) "," i "," 1 + i % 2 }' >weights.csv
try 0 glm fit 'y ~ x' --weights w --missing drop --data weights.csv -o weights.json
try 0 report weights.json -o weights.html
page weights.html
equal weights "$(json page.json info weights)" w
equal dropped "$(json page.json info dropped)" 1
page report.html
# How sure their mean is, and where they lie; of separate fits the latter alone.
try 0 glm show groups.json --json
rounded() { printf %.3f "$(json "$@")"; }
equal mean "$(rounded page.json mean_of_groups 1 upper)" "$(rounded out mean_of_groups 1 upper)"
equal groups "$(rounded page.json terms 1 upper)" "$(rounded out population coefficients 1 upper)"
try 0 glm fit 'cbind(admitted, rejected) ~ gender' --group department --groups separate \
    --data "$data/admissions.csv" -o separate.json
try 0 report separate.json -o report.html
page report.html
equal mean "$(json page.json mean_of_groups)" null
json page.json terms 1 upper >/dev/null

# Several levels: a series for each.
awk 'BEGIN { print "y,x"; for (i = 0; i < 60; i++) print substr("abc", i % 3 + 1, 1) "," i % 7 }' >levels.csv
for family in multinomial ordinal; do
    try 0 glm fit 'y ~ x' --data levels.csv --family "$family" -o levels.json
    try 0 report levels.json -o report.html --data levels.csv
    page report.html
    equal level "$(json page.json calibration series 2 level)" c
    told=$([[ $family == ordinal ]] && echo 'a < b < c' || echo 'a, b, c; the first is the reference')
    equal levels "$(json page.json info levels)" "$told"
    try 0 glm show levels.json
    has out "levels     $told"
done

# The level that is modelled, and how it was fitted, in the words of the terminal.
wide_table >wide.csv
try 0 glm fit 'y ~ .' --data wide.csv -o wide.json
has out "method     expectation propagation: a Gaussian that matches"
has out "levels     no (0), yes (1)"
try 0 report wide.json -o report.html
page report.html
equal method "$(json page.json info method)" "expectation propagation"
equal levels "$(json page.json info levels)" "no (0), yes (1)"
try 0 report weights.json -o report.html
page report.html
equal levels "$(json page.json info levels)" null

# What documents say: text, term, word, ..., as the model reads them.
if [[ $("$program" version --json | tr -d ' \n') == *'"text":true'* ]]; then
    for i in {1..12}; do
        echo "tomatoes and seeds, Seeds grow in the garden $i"
        echo "sailors anchored; the ferry sails with the tide $i"
    done >said.txt
    try 0 corpus build said.txt --lines --stem english --min-docs 2 -o said.ldac --quiet
    try 0 topics fit said.ldac -k 2 -o said --quiet
    equal origin "$(json said/model.json origin stem)" english
    try 0 report said -o said.html --corpus said.ldac
    page said.html
    equal words "$(json page.json topics 0 documents 0 2 2 | tr '[:upper:]' '[:lower:]' |
        grep -c 'tomatoes\|sailors')" 1
    try 1 report said -o no.html --corpus "$data/packages.ldac"
    has err "has no text beside it (.text.jsonl)"
    try 1 report model -o no.html --corpus said.ldac
    has err "none of its 24 documents is one of the model's"
    try 2 report wide.json -o no.html --corpus said.ldac
    has err "--corpus, --covariates, --by, --effects and --document are for topic models"
    printf '"one"\n' >said.text.jsonl
    try 1 report said -o no.html --corpus said.ldac
    has err "fewer texts than the 24 documents"
    printf '<p>\n' >said.text.jsonl
    try 1 report said -o no.html --corpus said.ldac
    has err "said.text.jsonl:1: this is not a JSON string"
fi

# A report that cannot be made leaves the former as it was.
cp report.html before.html
try 1 report "$data/README.md" -o report.html
same report.html before.html
