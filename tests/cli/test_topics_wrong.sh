#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace topics: inputs that are wrong, and folders that are damaged.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/topics.sh
source "$(dirname "$0")/topics.sh"

# The command line.
try 2 topics fit "$packages" -o model
has err "-k, --topics K is missing"
try 1 topics show "$packages"
has err "a topic model is a folder"
mkdir bare
try 1 topics show bare
has err "bare: has no model.json; a topic model is a folder"
try 1 topics show nowhere
has err "nowhere: cannot read: No such file or directory; a topic model is a folder"
try 1 topics show -
has err "standard input: is not a folder; a topic model is a folder"
: >bare/checkpoint
try 1 topics show bare
has err "the fit has not finished"
rm -r bare
try 2 topics fit "$packages" -k 4 -o model --formula section \
    --covariates "$project/tests/data/packages.csv"
has err "--formula 'section' has no ~; write '~ section'"
try 2 topics fit "$packages" -k 1 -o model
try 2 topics fit "$packages" -k 4 -o model --method guess
try 2 topics fit "$packages" -k 4 -o model --covariates x.csv
has err "--covariates and --formula go together"
try 2 topics fit "$packages" -k 4 -o model --tol 0
try 2 topics fit - --vocab - -k 4 -o model
try 2 topics fit "$packages" -k 4 -o model --method blei-lafferty --route plain
try 2 topics fit "$packages" -k 4 -o model --assign average --method delta
has err "words are assigned on average by Laplace's method"
try 2 topics fit "$packages" -k 4 -o model --assign average --online 1
has err "without passes by minibatches"
try 2 topics fit "$packages" -k 4 -o model --assign average --prior dirichlet
has err "apply only to the logistic normal prior"
[[ ! -e model ]] || fail "a folder made for nothing"

# The corpus.
: >empty
try 1 topics fit empty -k 2 -o model
has err "empty"
printf '0\n0\n' >wordless
try 1 topics fit wordless -k 2 -o model
has err "has no words"
try 1 topics fit missing -k 2 -o model
has err "missing"
# Text that was not counted yet, alone and in a folder.
mkdir texts
echo 'the words of a text' >texts/one.txt
for source in texts texts/one.txt; do
    try 1 topics fit "$source" -k 2 -o model
    has err "delaplace corpus build"
done
[[ ! -e model ]] || fail "a folder made for nothing"
# More topics than documents, or than words: a model all the same, or a reason.
printf '2 0:3 1:2\n2 1:1 2:4\n' >small
for k in 2 3 50; do
    code=0
    "$program" topics fit small -k $k -o small$k >out 2>err || code=$?
    ((code == 0 || code == 1 || code == 3)) || fail "$k topics of two documents: $code"
    [[ $code == 1 ]] || try 0 topics evaluate small$k small
done
try 0 topics fit small -k 50 --init random -o random --max-iter 1000
has err "small: 2 documents are too few to tell 50 topics apart"
try 0 topics fit small -k 50 --init random -o random --max-iter 1000 --quiet
is_empty err

head -1 small >one
try 0 topics fit one -k 2 --init random -o random --max-iter 1000
has err "one: 1 document is too few to tell 2 topics apart"
has out "from 1 document of 5 words"

# Documents that are all the same, or mostly, and more topics than terms.
for _ in {1..30}; do printf '3 0:3 1:2 4:1\n'; done >same
try 0 topics fit same -k 2 -o same2 --max-iter 1000
has err "same: all 30 documents have the same words; they are too few to tell 2 topics apart"
for i in {1..30}; do printf '3 0:3 1:2 %d:1\n' $((2 + i % 5)); done >copies
try 0 topics fit copies -k 3 -o copies3 --max-iter 1000
has err "copies: of 30 documents only 5 differ; these are too few to tell 3 topics apart; try -k 2"
for i in {1..30}; do printf '3 0:3 1:%d 2:1\n' "$i"; done >terms
try 0 topics fit terms -k 3 -o terms3 --max-iter 1000
has err "terms: 3 terms are too few to tell 3 topics apart; try -k 2"

# The folder: one with other things in it was named by mistake.
mkdir home
: >home/letter.txt
try 2 "${fit[@]}" -o home
has err "home: holds other files ('letter.txt') and no model; name a new folder, such as home/model"
equal "what is in it" "$(ls -A home)" letter.txt
mv home/letter.txt home/docs.txt
try 2 "${fit[@]}" -o home
has err "home: holds other files ('docs.txt')"
rm home/docs.txt
: >home/.hidden
: >home/beta.npy.new # of a fit that was killed
try 3 "${fit[@]}" -o home --max-iter 2 -q
: >home/notes.txt
try 3 "${fit[@]}" -o home --max-iter 3 -q
[[ -e home/notes.txt ]] || fail "a file beside the model is gone"
: >file
try 4 "${fit[@]}" -o file
has err "file: is a file, but a model is a folder"
try 4 "${fit[@]}" -o no/such/folder
has err "make the folder above it first"
try 0 "${fit[@]}" -o model -q
if (($(id -u) != 0)); then
    chmod a-w model
    try 4 "${fit[@]}" -o model
    chmod u+w model
fi

# A disk that fills up: beta.npy is larger than 40 KiB. The fit goes on without
# checkpoints, fails at its end, and leaves the former model.
cp -r model full
code=0
(
    ulimit -f 40
    exec "$program" "${fit[@]}" -o full --checkpoint-every 0
) >out 2>err || code=$?
equal "exit code on a full disk" $code 4
equal warnings "$(grep -c "Continuing without a checkpoint" err)" 1
has err "make room"
same_model model full

# broken FILE TEXT COMMAND...: with the file changed by the command, reading fails with
# the text.
broken() {
    local file=$1 text=$2
    shift 2
    rm -rf damaged
    cp -r model damaged
    (cd damaged && "$@")
    try 1 topics evaluate damaged "$packages"
    has err "$file"
    has err "$text"
    try 1 topics infer damaged "$packages" -o out.csv
    [[ ! -e out.csv ]] || fail "a table of a damaged model"
}
change_byte() {
    printf 'x' | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
broken beta.npy "is not the file that model.json describes" change_byte beta.npy 500
broken beta.npy "is not the file that model.json describes" truncate -s 500 beta.npy
broken sigma.npy "is not the file that model.json describes" change_byte sigma.npy 200
broken vocab.txt "is not the file that model.json describes" change_byte vocab.txt 3
broken mu.npy "cannot read" rm mu.npy
broken model.json "has no model.json" rm model.json
broken model.json "not complete JSON" truncate -s 100 model.json
broken model.json "no \"format\"" sed -i s/delaplace-topics/other/ model.json
broken damaged "reads version 1" sed -i 's/"version": 1/"version": 9/' model.json
broken '"K"' "whole number" sed -i 's/"K": 4/"K": -4/' model.json
broken '"method"' "one that this program knows" sed -i s/laplace\"/magic\"/ model.json
broken beta.npy "(5, 2093)" sed -i 's/"K": 4/"K": 5/' model.json
# Two fits mixed.
try 0 "${fit[@]}" --init random -o other -q
broken sigma.npy "belongs to another fit" cp ../other/sigma.npy .
# A fit into a damaged folder makes it whole.
try 0 "${fit[@]}" -o damaged -q
same_model model damaged
try 1 topics evaluate file "$packages"
try 1 topics evaluate no-model "$packages"

# A covariate that is the document's name.
awk 'BEGIN { print "document,x" } { print "d" NR ",1" }' "$packages" >names.csv
try 1 "${fit[@]}" -o no --covariates names.csv --formula '~ document'
has err "names.csv: column 'document' has a different value in each document, like a name"

# What new documents lack.
try 1 topics evaluate model wordless
has err "no words to score"
try 4 topics infer model "$packages" -o no/such/folder/out.csv

# Covariates.
printf 'x\n1\n2\n' >two.csv
try 1 "${fit[@]}" -o c --covariates two.csv --formula '~ x'
has err "two.csv: has 2 rows for a corpus of 600 documents"
awk 'BEGIN { print "x,g"; for (i = 0; i < 600; i++) print i % 5 "," (i % 2 ? "a" : "b") }' \
    >good.csv
sed '7s/.*/,a/' good.csv >hole.csv
try 1 "${fit[@]}" -o c --covariates hole.csv --formula '~ x' --missing error
has err "hole.csv: column 'x' lacks 1 of 600 values, the first in row 6 (counted from 1)"
has err "drop such documents with --missing drop"
try 2 "${fit[@]}" -o c --covariates hole.csv --formula '~ x' --missing skip
try 1 "${fit[@]}" -o c --covariates good.csv --formula '~ y'
try 2 "${fit[@]}" -o c --covariates good.csv --formula 'x ~ g'
has err "no left side"
try 2 "${fit[@]}" -o c --covariates good.csv --formula '~ 0 + x'
has err "covariates need an intercept"
[[ ! -e c ]] || fail "a folder made for nothing"
try 0 "${fit[@]}" -o c --covariates good.csv --formula '~ x + g' -q
sed 's/b$/z/' good.csv >level.csv
try 1 topics infer c "$packages" --covariates level.csv -o out.csv
has err "level.csv: level 'z' of 'g' in row 1 (counted from 1) was not seen in the fit; empty"
