#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Where the output cannot go: exit 4, a message, and the earlier result untouched.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
echo "2 0:2 1:1" >corpus

# A full disk under standard output, for each kind of output.
for words in "--help" "--version" "version --json" "unigram fit corpus -o fit.json" \
    "unigram fit corpus -o fit.json --json"; do
    code=0
    # shellcheck disable=SC2086 # words, not one word
    "$program" $words >/dev/full 2>err || code=$?
    : >out
    ((code == 4)) || fail "$words on a full disk ended with $code"
    has err "standard output"
done
[[ -s fit.json ]] || fail "the result was not written before the summary"

# Without a summary there is nothing to lose.
code=0
"$program" unigram fit corpus -o fit.json --quiet >/dev/full 2>err || code=$?
((code == 0)) || fail "--quiet wrote to standard output"

# A closed standard output is a failure too, as long as there is something to say.
code=0
"$program" --help >&- 2>err || code=$?
((code == 4)) || fail "a closed standard output ended with $code"

# A full disk under the result.
try 4 unigram fit corpus -o /dev/full
is_empty out
has err "/dev/full"
try 4 unigram fit corpus -o nowhere/fit.json
has err "nowhere/fit.json"
mkdir folder
try 4 unigram fit corpus -o folder
has err "folder"

# A file-size limit stands for a full disk that fails half way: nothing changes, and
# nothing is left beside the file.
awk 'BEGIN { for (v = 0; v < 99; v++) line = line " " v ":2"; print 99 line }' >wide
cp fit.json first.json
before=$(ls -A)
code=0
(
    ulimit -f 4 # KiB; the result has about 15
    exec "$program" unigram fit wide -o fit.json
) >/dev/null 2>/dev/null || code=$?
((code == 4)) || fail "beyond the file-size limit it ended with $code"
same fit.json first.json
equal "the list of files" "$(ls -A)" "$before"

# A result does not take the place of what it is made from, by whichever name.
printf 'y,x\n1,2\n0,1\n1,3\n0,2\n' >data.csv
cp data.csv copy.csv
ln -s data.csv link.csv
for name in data.csv ./data.csv link.csv; do
    try 2 glm fit 'y ~ x' --data data.csv -o $name
    has err "is both --output and data"
    same data.csv copy.csv
done
printf 'a b\nb a\n' >map.txt
try 2 glm fit 'y ~ x' --data data.csv --adjacency map.txt -o map.txt
has err "is both --output and adjacency"
try 2 unigram fit corpus -o corpus
has err "is both --output and CORPUS"
try 0 glm fit 'y ~ x' --data data.csv -o kept.json -q
try 2 glm evaluate kept.json --data data.csv --svg data.csv
has err "is both --svg and data"
same data.csv copy.csv
try 2 glm show kept.json --svg kept.json
has err "is both --svg and FIT.json"
json kept.json outcome >/dev/null

# Nor does one result take the place of another, before either is there; a device takes both.
mkdir aside
ln -s aside elsewhere
for name in new.csv ./new.csv; do
    try 2 glm residuals kept.json --data data.csv -o new.csv --svg $name
    has err "cannot be both --output and --svg"
done
try 2 glm residuals kept.json --data data.csv -o aside/new.csv --svg elsewhere/new.csv
[[ ! -e new.csv && ! -e aside/new.csv ]] || fail "a result was written"
try 0 glm residuals kept.json --data data.csv -o aside/new.csv --svg new.csv
try 0 glm residuals kept.json --data data.csv -o /dev/null --svg /dev/null

# Nor of a file that belongs to it: the names of a corpus, the arrays of a model.
printf '2 0:1 1:2\n2 1:1 2:3\n1 0:2\n' >named.ldac
printf 'one\ntwo\nthree\n' >named.vocab
try 2 unigram fit named.ldac -o named.vocab
has err "'named.vocab' is both --output and CORPUS, or a file of it"
try 3 topics fit named.ldac -k 2 -o folder --max-iter 2 -q
for name in model.json beta.npy vocab.txt trace.csv; do
    try 2 topics infer folder named.ldac -o folder/$name
    has err "or a file of it"
done
try 0 topics infer folder named.ldac -o folder/shares.csv -q
try 0 topics infer folder named.ldac -o folder/shares.csv -q
try 0 topics show folder

# A fit that did not converge says so by its name, with --quiet, too.
try 3 unigram fit corpus -o fit.json --max-iter 1 --tol 1e-300 -q
has err "max-iterations"
