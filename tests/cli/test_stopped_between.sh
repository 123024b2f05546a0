#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A signal that arrives while a result is moved into place ends what the command does next, and one that
# arrives before a fit of a study has estimated anything ends the study, with that signal's exit code. The third argument is the library that sends it (tests/faults/shim.c).
shim=$(realpath "$3")
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

# The tour writes one result after the other. With fewer documents than its own it is over soon.
mkdir data
cp "$project"/data/*.csv "$project"/data/*.vocab data
for name in packages.ldac packages.docs; do head -n 60 "$project/data/$name" >"data/$name"; done
head -n 61 "$project/data/packages.csv" >data/packages.csv

DLP_FAULT_COUNT=counts LD_PRELOAD=$shim "$program" demo --data data >whole 2>/dev/null
renames=$(awk '$1 == "rename" { print $2 }' counts)
((renames > 6)) || fail "the tour renamed $renames files"
for n in $((renames - 6)) $((renames - 2)) "$renames"; do
    code=0
    LD_PRELOAD=$shim DLP_FAULT=rename:$n:-15 "$program" demo --data data >out 2>err || code=$?
    rm out # hundreds of lines
    ((code == 143)) || fail "SIGTERM at rename $n of $renames ended the tour with $code, not 143"
done

mkdir -p data/school
awk 'BEGIN {
    print "school,score,a"
    for (i = 0; i < 80; i++) print 1 + int(i / 16) "," i * i % 23 "," i * 37 % 101 / 100
}' >data/school/school.csv
awk 'BEGIN {
    print "split1"
    for (i = 0; i < 80; i++) print (i % 3 > 0)
}' >data/school/school_splits.csv
table=(study table2 --data data -o table.csv --method laplace --threads 1 -q)
DLP_FAULT_COUNT=counts LD_PRELOAD=$shim "$program" "${table[@]}" >out 2>&1
calls=$(awk '$1 == "memory" { print $2 }' counts)
for ((n = calls / 4; n < calls; n += calls / 40)); do
    code=0
    LD_PRELOAD=$shim DLP_FAULT=memory:$n:-15 "$program" "${table[@]}" >out 2>err || code=$?
    ((code == 143)) || fail "SIGTERM at allocation $n of $calls ended the study with $code, not 143: $(head -n 1 err)"
done
