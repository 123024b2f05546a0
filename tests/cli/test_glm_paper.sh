#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The paper's regressions from the command line, where its data are at hand
# ($DELAPLACE_DATA): Table 1 on Yeast and Scene, and the hierarchical fit of School.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
data=${DELAPLACE_DATA-}
if [[ ! -d $data/yeast ]] || ! command -v xz >/dev/null; then
    echo "skipped: DELAPLACE_DATA does not name a folder with the paper's data"
    exit 77
fi
for name in yeast/yeast scene/scene; do
    for part in train test; do xz -dc "$data/$name-$part.arff.xz" >"${name#*/}-$part.arff"; done
done

# table1 SET METHOD ACCURACY LOG_LIKELIHOOD LABEL...: the means over the labels, each from
# a fit of its own to all columns that are not labels, are those printed.
table1() {
    local set=$1 method=$2 accuracy=$3 likelihood=$4 label columns
    shift 4
    columns=".$(printf -- ' - %s' "$@")"
    : >scores
    for label in "$@"; do
        try 0 glm fit "$label ~ $columns" --data "$set-train.arff" \
            --method "$method" --prior-sd 1 -o fit.json -q
        try 0 glm evaluate fit.json --data "$set-test.arff" --json
        echo "$(json out accuracy) $(json out log_likelihood)" >>scores
    done
    awk -v a="$accuracy" -v l="$likelihood" '
    { right += $1; sum += $2 }
    END {
        printf "%s %s: accuracy %.4f, log likelihood %.4f\n", set, method, right / NR, sum / NR
        exit !((right / NR - a) ^ 2 <= 0.0006 ^ 2 && (sum / NR - l) ^ 2 <= 0.0006 ^ 2)
    }' set="$set" method="$method" scores || fail "$set by $method"
}
yeast=() scene=(Beach Sunset FallFoliage Field Mountain Urban)
for k in {1..14}; do yeast+=("Class$k"); done
if sanitised; then # a label of each; the other build has the numbers
    for method in laplace delta; do
        try 0 glm fit "Class1 ~ .$(printf -- ' - %s' "${yeast[@]:1}")" --data yeast-train.arff \
            --method $method --prior-sd 1 -o fit.json -q
        try 0 glm evaluate fit.json --data yeast-test.arff --json
    done
else
    table1 yeast laplace 0.801 -0.449 "${yeast[@]}"
    table1 yeast delta 0.802 -0.450 "${yeast[@]}"
    table1 scene laplace 0.894 -0.259 "${scene[@]}"
    table1 scene delta 0.895 -0.265 "${scene[@]}"
fi

# 139 schools, every coefficient varying by school.
xz -dc "$data/school/school.csv.xz" |
    awk -F, 'NR == 1 { print $0 ",good"; next } { print $0 "," ($2 > 19) }' >school.csv
try 0 glm fit 'good ~ (. - score | school)' --data school.csv --method laplace \
    --hyperprior paper -o fit.json -q
equal groups "$(json fit.json groups)" 139
equal parameters "$(json fit.json parameters)" 28
try 0 glm evaluate fit.json --data school.csv --json
awk -v l="$(json out log_likelihood)" 'BEGIN { exit !((l + 0.4988) ^ 2 < 1e-6) }' ||
    fail "School's log likelihood is $(json out log_likelihood)"
