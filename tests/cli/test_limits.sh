#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# No input takes the machine: work and memory follow what a file holds, not the numbers it names.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# KB: what goes wrong ends before the machine does. Sanitizers reserve terabytes.
sanitised || ulimit -v 8000000 || true

# Ids of terms that occur nowhere else.
echo '2 0:2147483647 9999999:214' >large
printf '2 0:3 9999999:2\n2 1:2 9999999:1\n' >two
try 1 unigram fit large -o fit.json
has err "10000000 terms"
has err ".vocab"
try 1 topics fit two -k 2 -o model
has err "10000000 terms"
[[ ! -e model ]] || fail "the folder was left"

# Terms that no document has cost time all the same, which is said before.
echo '2 0:3 19999:2' >sparse
try 3 unigram fit sparse -o sparse.json --max-iter 1
has err "its ids imply 20000 terms, of which at most 2 occur"

# A line of LDA-C that was cut off is no line of svmlight with a label.
echo '2147483647 0:1' >'cut off'
try 1 corpus stats 'cut off'
has err "says 2147483647 pairs but has 1"
try 0 corpus stats 'cut off' --format svmlight

# A column of names makes a column for each row: refused before it is made.
awk 'BEGIN { print "y,id,x"; for (i = 0; i < 20000; i++) print i % 2 ",id" i "," i % 7 }' >table
try 4 glm fit 'y ~ x + id' --data table -o fit.json
has err "'id' has 20000 levels"
has err "(1 | id)"
has err "GB of memory"
[[ ! -e fit.json ]] || fail "a fit was written"

# --memory: a limit of one's own, with what would be needed.
awk 'BEGIN { print "y,id,x"; for (i = 0; i < 2000; i++) print i % 2 ",id" i "," i % 7 }' >table
if ! sanitised; then
    try 4 glm fit 'y ~ x + id' --data table -o fit.json --memory 200M
    has err "needs about 417 MB"
    has err "but only 200 MB are available"
    try 0 glm fit 'y ~ x' --data table -o fit.json --memory 1G

    # Many more columns than rows, too.
    awk 'BEGIN {
        for (i = -1; i < 40; i++) {
            line = i < 0 ? "y" : i % 2
            for (j = 0; j < 2000; j++) line = line "," (i < 0 ? "v" j : (i * (j + 3) + j * j * i) % 101)
            print line
        }
    }' >wide.csv
    try 4 glm fit 'y ~ .' --data wide.csv -o fit.json --memory 300M
    has err "a design of 40 rows and 2001 columns needs about"

    # Topics: 100,000 terms by 500 topics are reported before a word is read twice.
    printf '2 0:3 99999:2\n2 1:2 99999:1\n' >wide
    try 4 topics fit wide -k 500 -o model --memory 500M
    has err "GB of memory, but only 500 MB are available"
    has err "fewer topics"
    [[ ! -e model ]] || fail "the folder was left"
fi

# A model of BUGS: its elements, and the second derivatives of a density by thousands of unknowns.
if ! sanitised; then
    echo 'model { for (i in 1:5000000) { x[i] ~ dnorm(0, 1) } }' >many.bug
    try 4 bugs fit many.bug --memory 200M
    has err "5000000 elements needs about 500 MB of memory, but only 200 MB"
    printf '%s\n' 'model { for (i in 1:3000) { x[i] ~ dnorm(0, 1) }' 'y ~ dnorm(sum(x), 1) }' >sum.bug
    echo 'y <- 3' >sum.R
    try 4 bugs fit sum.bug --data sum.R --memory 100M
    has err "a density depends on 3000 unknowns at once needs about 1"
    has err "let each depend on fewer"
fi
# What has no end is read while there is memory for twice as much.
if ! sanitised; then
    for words in 'glm fit y~x -o fit.json --data' 'corpus stats' 'bugs check'; do
        (
            ulimit -v 200000
            read -ra each <<<"$words"
            "$program" "${each[@]}" /dev/zero
        ) >out 2>err && fail "$words: a device without end was read" || (($? == 4)) || fail "$words: not 4"
        has err "the text of /dev/zero needs about 269 MB of memory, but only 205 MB"
    done
fi
for size in 1M 5 G 12 many 1e99G; do
    try 2 glm fit 'y ~ x' --data table -o fit.json --memory $size
    has err "--memory 500M"
done
