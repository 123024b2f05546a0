#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Help, version and manual: three levels, one set of tables.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

# Asked for, help goes to stdout and is a success.
for words in "--help" "-h" "help" "unigram --help" "help unigram" "unigram fit --help" \
    "unigram fit -h" "--help unigram fit" "help unigram fit" "version --help" "help help" \
    "glm --help" "glm fit --help" "glm show --help" "glm predict --help" "glm evaluate -h"; do
    # shellcheck disable=SC2086 # words, not one word
    try 0 $words
    has out "Usage: delaplace"
    is_empty err
    (($(wc -L <out) <= 80)) || fail "a line of '$words' is too long"
done

# Every command says what it does in lines that fit, and has all the common options.
try 0 --help
awk '/^Commands:/ {on = 1; next} /^$/ {on = 0}
    on && /^  [a-z]/ {print substr($0, 3, 22)}' out >commands
while read -r noun verb; do
    try 0 "$noun" ${verb:+"$verb"} --help </dev/null
    (($(wc -L <out) <= 80)) || fail "a line of '$noun $verb --help' is too long"
    for option in "-h, --help" "-q, --quiet" "-v, --verbose"; do has out "$option"; done
done <commands

# The two ways to ask give the same answer.
try 0 unigram fit --help
cp out direct
try 0 help unigram fit
same out direct
has out "--max-iter N"
has out "default 1e-8"
has out "laplace, delta, previous-mean; default"

# Not asked for, it goes to stderr and is a misuse.
try 2
is_empty out
has err "unigram fit"
try 2 unigram
is_empty out
has err "delaplace unigram COMMAND"

# Hidden commands stay hidden.
try 0 --help
if grep -q __man out; then fail "help shows a hidden command"; fi
for code in 0 1 2 3 4 129 130 143; do has out "  $code "; done

# The version, in words and as JSON.
try 0 --version
cp out direct
grep -qE '^delaplace [0-9]+\.[0-9]+\.[0-9]+$' out || fail "odd version"
try 0 version
same out direct
try 0 --version --json
equal name "$(json out name)" delaplace
equal version "delaplace $(json out version)" "$(cat direct)"
cp out facts
for fact in compiler blas openmp mpi static; do
    [[ -n $(json facts "$fact") ]] || fail "--version --json does not say $fact"
done
has facts "\"$(json facts instruction_set)\"" # one of instruction_sets
try 0 version --json
same out facts

# Every command has a page of the manual, with every option of its help.
try 0 __man
cp out pages
has pages delaplace-unigram-fit
while read -r page; do
    try 0 __man "$page"
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS "EXIT STATUS"; do
        has out "# $section"
    done
done <pages
try 0 __man delaplace-unigram-fit
sed 's/\\//g' out >page
try 0 unigram fit --help
grep -oE -- '--[a-z-]+' out | sort -u | while read -r option; do has page "$option"; done
try 2 __man nothing
