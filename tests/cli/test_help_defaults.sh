#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Defaults that help has in its own words are those of the library: as it writes them to the
# file of a fit, or prints them.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

# help COMMAND...: its help as one line, in the file help.
help() {
    try 0 "$@" --help
    tr -s '\n ' '  ' <out >help
}

# as_typed NUMBER: 1e-8 for 1e-08, 0.01 for 0.010000000000000000.
as_typed() {
    printf '%.15g\n' "$1" | sed 's/e-0/e-/'
}

# of FILE KEY...: a number of a fit, as people type it.
of() {
    as_typed "$(json "$@")"
}

# ---- glm fit ----

by_department=(glm fit 'cbind(admitted, rejected) ~ gender' --group department
    --data "$project/data/admissions.csv")
try 0 glm fit 'distress ~ temperature' --data "$project/data/challenger.csv" -o one.json
try 0 "${by_department[@]}" -o weak.json
try 0 "${by_department[@]}" -o paper.json --hyperprior paper
parameters=$(json weak.json parameters)

help glm fit
has help "Without it: $(of one.json tol) ($(of weak.json tol))."
has help "Without it: $(json one.json max_iter) ($(json weak.json max_iter))."
more=$(($(of weak.json prior nu) - parameters))
paper_more=$(($(of paper.json prior nu) - parameters))
has help "Without it: $more more than the number of parameters in a group;"
has help "for --hyperprior paper $paper_more more."
has help "with a standardised response; for --hyperprior paper $(of paper.json prior phi0)."
has help "Without it: $(of weak.json prior phi1); for --hyperprior paper $(of paper.json prior phi1)."

# the usual prior
has help "sd $(of one.json prior sd) for a change of one sd in the column"

# ---- questions ----

data=(--data "$project/data/admissions.csv")
try 0 glm fit 'cbind(admitted, rejected) ~ gender * department' "${data[@]}" -o grid.json
# untyped COMMAND OPTION FIT COLUMN...: what help says is used without the option gives the same.
untyped() {
    local command=$1 option=$2 word
    shift 2
    help glm "$command"
    word=$(grep -oE -- "--$option .*" help | grep -oE 'Without it: [a-z0-9]+' | head -n 1)
    [[ $word ]] || fail "help of $command does not say what --$option is without it"
    try 0 glm "$command" "$@" --json
    mv out untyped
    try 0 glm "$command" "$@" "--$option" "${word##* }" --json
    same untyped out
}
untyped means over grid.json gender "${data[@]}"
untyped effects over grid.json gender "${data[@]}"
untyped cv folds one.json --data "$project/data/challenger.csv"

try 0 glm effects one.json temperature --data "$project/data/challenger.csv" --json
mv out untyped
help glm effects
points=$(grep -oE '[0-9]+ without it' help)
try 0 glm effects one.json temperature --data "$project/data/challenger.csv" --json \
    --points "${points%% *}"
same untyped out

# ---- corpora ----

every=$(help corpus split && grep -oE 'N is [0-9]+' help)
try 0 corpus split "$project/data/packages.ldac" -o a.ldac --test b.ldac
try 0 corpus split "$project/data/packages.ldac" -o c.ldac --test d.ldac --every "${every##* }"
same b.ldac d.ldac

# ---- topics ----

corpus=$project/data/packages.ldac
try 3 topics search-k "$corpus" -k 2,3 --init random --max-iter 1
near=$(grep -oE 'within [0-9.]+ %' out)
try 3 topics fit "$corpus" -k 2 -o model --init random --max-iter 1
try 0 topics show model --corpus "$corpus"
words=$(tr '\n' ' ' <out | grep -oE '[0-9]+ most probable words')

help topics search-k
has help "$near of the best"
has help "of the topics' $words"
help topics show
has help "of the $words"
