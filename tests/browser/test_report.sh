#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Usage: test_report.sh PROGRAM
#
# Opens reports in a real browser, which script/test installs, with its driver. Skipped,
# with what to type, where there is none.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/../cli/harness.sh"
here=$project/tests/browser

CHROMIUM=$(command -v "${CHROMIUM:-chromium}" || command -v chromium-browser ||
    command -v chromium-headless-shell || true)
PLAYWRIGHT=$project/web/node_modules/playwright-core
if [[ -z $CHROMIUM ]] || ! command -v node >/dev/null; then
    echo "skipped: Chromium or Node is missing; script/setup browser installs them"
    exit 77
fi
if [[ ! -d $PLAYWRIGHT ]]; then
    echo "skipped: the browser's driver, playwright-core, is missing; script/setup browser"
    echo "fetches it when npm can reach its registry"
    exit 77
fi
export CHROMIUM PLAYWRIGHT

try 0 topics fit "$project/data/packages.ldac" -k 8 -o model --quiet
awk -F, -v OFS=, 'NR % 300 == 7 { $2 = "" } 1' "$project/data/packages.csv" >sections.csv
try 0 report model -o topics.html --covariates sections.csv --by section
sections=$(tail -n +2 sections.csv | cut -d, -f2 | grep . | sort -u | wc -l)
dropped=$(grep -c '^[^,]*,,' sections.csv)
node "$here/topics.mjs" topics.html 8 "$sections" "$dropped" || fail "the report of topics"

# Curves of topics over covariates.
awk -F, -v OFS=, 'NR == 1 { print $1, "year", "half" }
    NR > 1 { print $1, 1990 + NR % 7, NR % 2 ? "odd" : "even" }' "$project/data/packages.csv" >halves.csv
effects=(topics effects model "$project/data/packages.ldac" --covariates halves.csv
    --formula '~ half + year' --draws 5 --splits 0 --json)
try 0 "${effects[@]}" --of year --by half
cp out curves.json
try 0 "${effects[@]}" --of half --topic 2
cp out rows.json
try 0 "${effects[@]}" --of year --by half --differences
cp out differences.json
try 0 report model -o effects.html --effects curves.json --effects rows.json --effects differences.json
node "$here/effects.mjs" effects.html || fail "the report of effects"

# Documents with their text, some of which would be a program or another page; labels, words.
awk 'BEGIN {
    split("garden tomatoes compost seeds watering|harbour ferries sailors anchors tide|guitar chords melody rhythm drums", topic, "|")
    for (i = 0; i < 60; i++) {
        n = split(topic[i % 3 + 1], w, " ")
        text = ""
        for (j = 0; j < 14; j++) text = text (j % 5 == 4 ? ".\\n\\n" : " ") w[(i * 7 + j * j + j) % n + 1]
        hostile = i < 6 ? " &lt;/script&gt;<img src=x onerror=window.pwned=1></script><script>window.pwned=1</script> {{data}} " : ""
        printf "{\"id\": \"d%d<b>\", \"text\": \"%s%s\"}\n", i, hostile, text
    } }' >texts.jsonl
try 0 corpus build texts.jsonl --column text --name id --markup none --max-share 1 -o texts.ldac --quiet
try 0 topics fit texts.ldac -k 3 -o texts --quiet
try 0 report texts -o texts.html --corpus texts.ldac
node "$here/text.mjs" texts.html || fail "the report with text"

# Documents that are short for so many topics.
try 0 simulate ctm -k 8 --terms 100 --documents 300 --words 15 --seed 3 -o brief.ldac
try 0 topics fit brief.ldac -k 8 -o brief --max-iter 300 --quiet
try 0 report brief -o brief.html
node "$here/doubt.mjs" brief.html || fail "the report of short documents"

# Many topics, wherever two iterations lead.
try 3 topics fit "$project/data/packages.ldac" -k 60 --max-iter 2 -o many --quiet
try 0 report many -o many.html
node "$here/many_topics.mjs" many.html 60 || fail "the report of many topics"
try 0 report many -o trend.html --covariates "$project/data/packages.csv" --by size_kb
node "$here/trend.mjs" trend.html || fail "the trend over a number"

try 0 glm fit 'cbind(admitted, rejected) ~ gender' --group department \
    --data "$project/data/admissions.csv" -o groups.json
try 0 report groups.json -o groups.html --data "$project/data/admissions.csv"
node "$here/regression.mjs" groups.html 2 6 10 || fail "the report of groups"
try 0 glm fit 'cbind(admitted, rejected) ~ gender' --group department --groups separate \
    --data "$project/data/admissions.csv" -o separate.json
try 0 report separate.json -o separate.html
node "$here/regression.mjs" separate.html 2 6 0 separate || fail "the report of separate fits"

try 0 glm fit 'distress ~ temperature + pressure' --data "$project/data/challenger.csv" \
    -o fit.json
try 0 report fit.json -o fit.html --data "$project/data/challenger.csv"
node "$here/regression.mjs" fit.html 3 0 4 || fail "the report of a regression"
node "$here/look.mjs" fit.html 2 3 || fail "a look at a regression"

# More groups than a screen shows at once; weights, and rows that miss a value.
awk 'BEGIN { print "y,x,hours,school"
    for (i = 0; i < 350; i++)
        print (i == 7 ? "NA" : i * i % 17 + i % 5) "," i % 9 "," 1 + i % 3 ",s" i % 70 }' >schools.csv
try 0 glm fit 'y ~ x' --group school --weights hours --missing drop --data schools.csv -o schools.json
try 0 report schools.json -o schools.html
node "$here/regression.mjs" schools.html 3 70 0 || fail "the report of many groups"
has schools.html '"shared":true'

# An intercept far from the coefficients, a small interval clear of 0, and groups enough to
# scroll; more columns than rows.
awk 'BEGIN { print "time,days,tiny,who"
    u = 1
    for (i = 0; i < 250; i++) {
        u = (u * 69069 + 1) % 4294967296
        v = u / 4294967296
        print 250 + 10 * (i % 10) * (0.4 + i % 25 / 20) + 40 * v + 3 * (i % 25) "," i % 10 ",\
" 100 * v ",p" i % 25
    } }' >sleep.csv
try 0 glm fit 'time ~ (1 + days | who)' --groups hierarchical --data sleep.csv -o sleep.json
try 0 report sleep.json -o sleep.html
node "$here/regression.mjs" sleep.html 3 25 0 || fail "the report of a far intercept"
try 0 glm fit 'time ~ days + I(tiny * 1000)' --data sleep.csv -o tiny.json
try 0 report tiny.json -o tiny.html
node "$here/regression.mjs" tiny.html 4 0 0 || fail "the report of small numbers"
wide_table >wide.csv
try 0 glm fit 'y ~ .' --data wide.csv -o wide.json
try 0 report wide.json -o wide.html
has wide.html '"method":"expectation propagation"'
has wide.html '"levels":"no (0), yes (1)"'
node "$here/regression.mjs" wide.html 15 0 0 || fail "the report of many columns"

# Curves: of smooths with rows beside them, and of processes, whose series are chosen.
awk 'function u() { s = (s * 16807) % 2147483647; return s / 2147483647 }
    BEGIN { s = 3; print "y,x,f,t,g"
    for (i = 0; i < 200; i++) { x = u()
        print sin(6 * x) * (i % 2) + u() "," x "," (i % 2 ? "a" : "b") "," int(i / 5) + 1 ",g" i % 5 } }' >curves.csv
try 0 glm fit 'y ~ f + s(x, by = f) + rw1(t)' --data curves.csv -o curves.json
try 0 report curves.json -o curves.html --data curves.csv
node "$here/curves.mjs" curves.html 3 3 0 1 || fail "the report of smooths"
try 0 glm fit 'y ~ x + ar1(t | g)' --data curves.csv -o series.json
try 0 report series.json -o series.html
node "$here/curves.mjs" series.html 1 2 5 0 || fail "the report of series"

# Names that are wider than a phone.
long=$(printf 'a_name_without_an_end%.0s' {1..8})
{
    echo "y,$long,group"
    for i in {1..24}; do echo "$((i * i % 7 + i % 3)),$((i % 5)),$long$((i % 3))"; done
} >long.csv
try 0 glm fit "y ~ $long" --group group --data long.csv -o long.json
try 0 report long.json -o long.html --title "$long"
node "$here/regression.mjs" long.html 3 3 0 || fail "the report of long names"

# What people type must not become part of the page's program.
title='</script><script>window.pwned = 1</script><!-- & {{data}} $& “é” '$'\u2028''end'
name='<img src=x onerror="window.pwned=1"></script>'
printf 'y,"%s"\n1,2\n2,3\n3,5\n4,4\n5,7\n' "${name//\"/\"\"}" >hostile.csv
try 0 glm fit 'y ~ .' --data hostile.csv -o hostile.json
try 0 report hostile.json -o hostile.html --title "$title"
node "$here/hostile.mjs" hostile.html "$title" || fail "a hostile title"
