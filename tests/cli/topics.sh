# SPDX-License-Identifier: BSD-3-Clause
# What the tests of topics share. Sourced after harness.sh.
# shellcheck shell=bash
# shellcheck disable=SC2034 # for the scripts that source this
packages=$project/tests/data/packages.ldac
fit=(topics fit "$packages" -k 4)

# same_model FOLDER FOLDER: the same files with the same bytes, except for the times.
same_model() {
    local file
    equal "the files of $2" "$(ls -A "$2")" "$(ls -A "$1")"
    for file in "$1"/*; do
        [[ $file == */trace.csv ]] || same "$file" "$2/${file##*/}"
    done
    cut -d, -f1-6 "$1/trace.csv" >trace1
    cut -d, -f1-6 "$2/trace.csv" >trace2
    same trace1 trace2
}

# near WHAT GOT WANTED TOLERANCE
near() {
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !((a - b) ^ 2 <= t * t) }' ||
        fail "$1 is $2, not $3"
}
