#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Documents that miss a covariate: topics fit, infer, evaluate and effects leave them out
# and count them, as if they were not in the corpus.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/topics.sh
source "$(dirname "$0")/topics.sh"

# The corpus with names, and a table with holes, in another order and with a row that is of
# no document: its missing value and its level do not count.
try 0 corpus convert "$packages" -o named.ldac
awk '{ print "doc" NR }' named.ldac >named.docs
awk -v OFS=, 'BEGIN { print "document", "x", "part" }
    { print "doc" NR, NR % 5 ? NR % 7 : "NA", NR % 4 ? substr("abc", NR % 3 + 1, 1) : "" }
    END { print "other", "", "z" }' named.ldac >unsorted.csv
{ head -1 unsorted.csv; tail -n +2 unsorted.csv | sort -r; } >holes.csv
holes=(--covariates holes.csv)

# The documents that have an x, alone.
awk 'NR % 5' named.ldac >whole.ldac
awk 'NR % 5' named.docs >whole.docs
cp named.vocab whole.vocab
fit=(topics fit named.ldac -k 4 --tol 1e-6)

# A fit leaves them out: the model of the others.
try 0 "${fit[@]}" -o model "${holes[@]}" --formula '~ x'
has out "from 480 documents"
has out "120 documents with missing values dropped, in 'x'."
try 0 topics fit whole.ldac -k 4 --tol 1e-6 -o whole "${holes[@]}" --formula '~ x' -q
sed -i '/"dropped": /d' model/model.json whole/model.json
same_model whole model
same model/docs.txt whole.docs
try 0 "${fit[@]}" -o model "${holes[@]}" --formula '~ x' --json
equal dropped "$(json out dropped)" 120
equal D "$(json out D)" 480
equal "what the model knows" "$(json model/model.json dropped)" 120
try 1 "${fit[@]}" -o no "${holes[@]}" --formula '~ x' --missing error
has err "holes.csv: column 'x' lacks 120 of 600 values, the first in row "
has err "--missing drop"
[[ ! -e no ]] || fail "a folder made for nothing"

# It continues where it was stopped, and knows when it is done.
try 3 "${fit[@]}" -o pieces "${holes[@]}" --formula '~ x' --max-iter 3 -q
try 0 "${fit[@]}" -o pieces "${holes[@]}" --formula '~ x' --resume
has err "pieces: resuming after iteration 3"
sed -i '/max_iter/d' pieces/model.json model/model.json
same_model model pieces
try 0 "${fit[@]}" -o model "${holes[@]}" --formula '~ x' -q
try 0 "${fit[@]}" -o model "${holes[@]}" --formula '~ x' --resume
has err "already finished"

# What reads the model takes the same corpus and table.
try 0 topics evaluate model named.ldac "${holes[@]}"
has out "480 (120 with missing values dropped)"
try 0 topics evaluate model named.ldac "${holes[@]}" --json
equal documents "$(json out documents)" 480
equal dropped "$(json out dropped)" 120
heldout=$(json out heldout_per_word)
try 0 topics evaluate model whole.ldac "${holes[@]}" --json
equal "the same documents" "$(json out heldout_per_word)" "$heldout"
equal dropped "$(json out dropped)" 0
try 0 topics infer model named.ldac "${holes[@]}" -o some.csv
has out "120 documents with missing values dropped, in 'x'."
try 0 topics infer model whole.ldac "${holes[@]}" -o all.csv
same some.csv all.csv
try 0 topics infer model named.ldac "${holes[@]}" -o -
same out some.csv
has err "120 documents with missing values dropped, in 'x'."
try 1 topics infer model named.ldac "${holes[@]}" -o no.csv --missing error
try 0 report model "${holes[@]}" -o report.html -q

# Effects: of the formula's columns, and of the model's own, which its documents need. x is
# missing in 120 documents, part in 150, both in 30.
effects=(topics effects model named.ldac "${holes[@]}" --draws 5 --splits 0)
try 0 "${effects[@]}"
has out "Effects on the topics of 480 documents"
has out "120 documents with missing values dropped, in 'x'."
try 0 "${effects[@]}" --formula '~ part'
has out "documents with missing values dropped, in 'x', 'part'."
try 0 "${effects[@]}" --formula '~ part' --json
equal D "$(json out D)" 360
equal dropped "$(json out dropped)" 240
equal "the last level" "$(json out effects 2 term)" partc
try 1 "${effects[@]}" --formula '~ part' --missing error
has err "column 'x' lacks 120 of 600 values"
try 0 topics fit named.ldac -k 4 -o plain -q
try 0 topics effects plain named.ldac "${holes[@]}" --draws 5 --formula '~ part' --json
equal D "$(json out D)" 450
equal dropped "$(json out dropped)" 150
try 0 topics effects plain named.ldac "${holes[@]}" --draws 5 --formula '~ part' -o e.csv
awk 'NR % 4' named.ldac >parted.ldac
awk 'NR % 4' named.docs >parted.docs
cp named.vocab parted.vocab
try 0 topics effects plain parted.ldac "${holes[@]}" --draws 5 --formula '~ part' -o p.csv
same e.csv p.csv

# Documents without names keep their numbers.
cut -d, -f2- unsorted.csv | head -n -1 >in_order.csv
try 0 topics fit "$packages" -k 4 --tol 1e-6 -o numbered --covariates in_order.csv \
    --formula '~ x' -q
same numbered/theta.npy model/theta.npy
same numbered/docs.txt <(awk 'NR % 5 { print NR }' named.ldac)
try 0 topics infer numbered "$packages" --covariates in_order.csv -o numbered.csv -q
equal "the fifth" "$(sed -n 6p numbered.csv | cut -d, -f1)" 6

# Nothing is left.
sed 's/,[^,]*,/,,/; 1s/,,/,x,/' holes.csv >empty.csv
try 1 "${fit[@]}" -o no --covariates empty.csv --formula '~ x'
has err "no row is left: each of the 600 lacks a value, most often of column 'x'"
# A document without a row is a slip, not a missing value.
grep -v '^doc7,' holes.csv >without.csv
try 1 "${fit[@]}" -o no --covariates without.csv --formula '~ x'
has err "no row has the document 'doc7' in its column 'document'"
