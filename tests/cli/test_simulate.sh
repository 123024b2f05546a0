#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace simulate ctm: a corpus with its truth, the same bytes whoever draws it, and a
# fit that finds the truth again.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/topics.sh
source "$(dirname "$0")/topics.sh"

draw=(simulate ctm -k 4 --terms 200 --documents 300 --words 50)

# same_files FOLDER FOLDER: the same files with the same bytes.
same_files() {
    local file
    equal "the files of $2" "$(ls -A "$2")" "$(ls -A "$1")"
    for file in "$1"/*; do same "$file" "$2/${file##*/}"; done
}

# What is written and said.
try 0 "${draw[@]}" -o corpus.ldac --truth truth
is_empty err
has out '300 documents of 50 words each, from 4 topics over 200 terms.'
has out 'delaplace topics fit corpus.ldac -k 4 -o model'
equal documents "$(wc -l <corpus.ldac)" 300
awk '{ n = 0; for (i = 2; i <= NF; i++) { split($i, p, ":"); n += p[2] }
       if (n != 50) exit 1 }' corpus.ldac || fail "a document without 50 words"
equal files "$(cd truth && echo *)" "beta.npy model.json mu.npy sigma.npy theta.npy"
equal format "$(json truth/model.json format)" delaplace-topics
equal K "$(json truth/model.json K)" 4
equal V "$(json truth/model.json V)" 200
equal D "$(json truth/model.json D)" 300
equal words "$(json truth/model.json words)" 15000
equal bytes "$(json truth/model.json files theta.npy bytes)" $((128 + 300 * 4 * 8))

# The same bytes again, at any number of threads, over what is there.
for threads in 1 2 3; do
    try 0 "${draw[@]}" -o again.ldac --truth again --threads $threads -q
    is_empty out
    same corpus.ldac again.ldac
    same_files truth again
done
# Documents do not depend on how many there are; other seeds make others.
try 0 simulate ctm -k 4 --terms 200 --documents 100 --words 50 -o few.ldac --json
equal D "$(json out D)" 100
equal truth "$(json out truth)" null
head -n 100 corpus.ldac >head.ldac
same few.ldac head.ldac
try 0 "${draw[@]}" -o other.ldac --seed 2 -q
if cmp -s corpus.ldac other.ldac; then fail "another seed draws the same"; fi
try 0 "${draw[@]}" -o other.ldac --concentration 1 -q
if cmp -s corpus.ldac other.ldac; then fail "another concentration draws the same"; fi
try 0 "${draw[@]}" -o -
same out corpus.ldac
# Other formats, which know all terms.
try 0 "${draw[@]}" -o corpus.mtx -q
try 0 corpus stats corpus.mtx --json
equal V "$(json out V)" 200
equal words "$(json out words)" 15000

# The truth is a model like any other; a fit comes close to it, on documents that neither
# has seen.
try 0 topics show truth
has out '4 topics over 200 terms, from 300 documents.'
try 0 topics fit corpus.ldac -k 4 -o model -q
try 0 simulate ctm --model truth --documents 200 --words 50 --seed 7 -o new.ldac -q
try 0 topics evaluate truth new.ldac --json
best=$(json out heldout_per_word)
try 0 topics evaluate model new.ldac --json
awk -v fit="$(json out heldout_per_word)" -v best="$best" \
    'BEGIN { exit !(fit < best + 0.02 && fit > best - 0.1) }' ||
    fail "held-out $(json out heldout_per_word) per word, of the truth $best"

# From a fitted model: its terms keep their names.
try 0 "${fit[@]}" -o packages -q --max-iter 500
try 0 simulate ctm --model packages --documents 20 --words 30 -o named.ldac --truth named -q
same named.vocab packages/vocab.txt
same named/vocab.txt named.vocab
same named/beta.npy packages/beta.npy
try 0 topics evaluate packages named.ldac --json
equal unseen "$(json out unseen_words)" 0

# What goes wrong.
try 2 simulate
try 2 simulate ctm -o x.ldac
try 2 simulate ctm --terms 10 --documents 5 --words 5 -o x.ldac
has err 'give --topics and --terms, or --model'
try 2 simulate ctm -k 3 --model truth --documents 5 --words 5 -o x.ldac
has err '--model brings its own topics'
try 2 "${draw[@]}" -o x.ldac --concentration 0
try 1 simulate ctm --model nowhere --documents 5 --words 5 -o x.ldac
has err nowhere
try 4 "${draw[@]}" -o /no/such/folder/x.ldac --truth none
[[ ! -e none ]] || fail "a folder for nothing"
try 4 "${draw[@]}" -o x.ldac --truth corpus.ldac
has err 'is a file'
[[ ! -e x.ldac ]] || fail "a corpus without its truth"
awk 'BEGIN { print "year"; for (i = 0; i < 300; i++) print 2000 + i % 7 }' >year.csv
try 0 topics fit corpus.ldac -k 4 -o covariates -q --covariates year.csv --formula '~ year'
try 1 simulate ctm --model covariates --documents 5 --words 5 -o x.ldac
has err 'the model has covariates'
