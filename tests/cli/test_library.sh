#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program of the library gives the answers of the command line to the last bit: the same
# defaults, the same file.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
example=$(dirname "$program")/example_regression
if [[ ! -x $example ]]; then
    echo "skipped: the examples are not built (DELAPLACE_EXAMPLES)"
    exit 77
fi

# agree FORMULA TABLE NEW: coefficients, predictions and the fit's file are the same.
agree() {
    "$example" "$1" "$2" "$3" ours.json >out 2>err || fail "$1: the example ended with $?"
    "$program" glm fit "$1" --data "$2" -o theirs.json --quiet
    "$program" glm predict theirs.json --data "$3" -o rows.csv --quiet
    same ours.json theirs.json
    awk -F, 'NR > 1 {printf "row %d: %s [%s, %s]\n", $1, $5, $6, $7}' rows.csv >rows
    grep '^row' out >ours.rows
    same rows ours.rows
    sed -n '/"coefficients"/,/^ *\]/s/^  {"term": "\(.*\)", "mean": \([^,]*\), "sd": \([^,]*\),.*/\1: \2 (sd \3)/p' theirs.json >terms
    [[ -s terms ]] || fail "$1: FIT.json has no coefficients"
    grep -vE '^row' out >ours.terms
    while IFS= read -r term; do has ours.terms "$term"; done <terms
}

agree 'distress ~ temperature' "$project/data/challenger.csv" "$project/data/challenger-last.csv"
agree 'distress ~ scale(temperature)' "$project/data/challenger.csv" "$project/data/challenger-last.csv"
agree 'cbind(damaged, sound) ~ temperature + I(temperature^2)' "$project/data/challenger.csv" \
    "$project/data/challenger-last.csv"
agree 'log(size_kb) ~ dependencies * section' "$project/data/packages.csv" "$project/data/packages.csv"

# What the library writes, the command line reads.
"$program" glm show ours.json >shown
has shown 'log(size_kb) ~ dependencies * section'
