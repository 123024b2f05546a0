#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Usage: test_report.sh PROGRAM
#
# Opens reports in a real browser. Skipped, with what to type, where Chromium, Node or
# Playwright is missing.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/../cli/harness.sh"
here=$project/tests/browser

CHROMIUM=$(command -v "${CHROMIUM:-chromium}" || command -v chromium-browser || true)
PLAYWRIGHT=$project/web/node_modules/playwright-core
if [[ -z $CHROMIUM || ! -d $PLAYWRIGHT ]] || ! command -v node >/dev/null; then
    echo "skipped: reports need a browser to be tested in; script/setup browser installs it,"
    echo "and script/build-report fetches its driver"
    exit 77
fi
export CHROMIUM PLAYWRIGHT

try 0 topics fit "$project/data/packages.ldac" -k 8 -o model --quiet
try 0 report model -o topics.html --covariates "$project/data/packages.csv" --by section
sections=$(tail -n +2 "$project/data/packages.csv" | cut -d, -f2 | sort -u | wc -l)
node "$here/topics.mjs" topics.html 8 "$sections" || fail "the report of topics"

try 0 glm fit 'cbind(admitted, rejected) ~ gender' --group department \
    --data "$project/data/admissions.csv" -o groups.json
try 0 report groups.json -o groups.html --data "$project/data/admissions.csv"
node "$here/regression.mjs" groups.html 2 6 10 || fail "the report of groups"

try 0 glm fit 'distress ~ temperature + pressure' --data "$project/data/challenger.csv" \
    -o fit.json
try 0 report fit.json -o fit.html --data "$project/data/challenger.csv"
node "$here/regression.mjs" fit.html 3 0 4 || fail "the report of a regression"

# What people type must not become part of the page's program.
title='</script><script>window.pwned = 1</script><!-- & {{data}} $& “é” '$'\u2028''end'
name='<img src=x onerror="window.pwned=1"></script>'
printf 'y,"%s"\n1,2\n2,3\n3,5\n4,4\n5,7\n' "${name//\"/\"\"}" >hostile.csv
try 0 glm fit 'y ~ .' --data hostile.csv -o hostile.json
try 0 report hostile.json -o hostile.html --title "$title"
node "$here/hostile.mjs" hostile.html "$title" || fail "a hostile title"
