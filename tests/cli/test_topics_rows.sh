#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Which row of a table of covariates is which document: by names, wherever they are, or in
# the documents' order, which is said.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/topics.sh
source "$(dirname "$0")/topics.sh"

# A corpus with names, and a table in another order.
try 0 corpus convert "$packages" -o named.ldac -q
awk '{ print "doc" NR }' named.ldac >named.docs
awk -v OFS=, 'BEGIN { print "x", "id", "number", "part" }
    { print NR % 7, "doc" NR, NR, substr("abc", NR % 3 + 1, 1) }' named.ldac >ordered.csv
{ head -1 ordered.csv; tail -n +2 ordered.csv | sort -r; } >table.csv
sed '1s/id/document/' table.csv >documents.csv
covariates=(--covariates table.csv --formula '~ part')
fit=(topics fit named.ldac -k 3 --max-iter 5)

# By a column "document", or one that has all names once, or the one that is named.
try 3 "${fit[@]}" -o wanted --covariates documents.csv --formula '~ part'
equal 'only its end is told' "$(grep -vc max-iterations err)" 0
try 3 "${fit[@]}" -o found "${covariates[@]}"
has err "table.csv: rows are matched by column 'id', which has the documents' names"
same_model wanted found
try 3 "${fit[@]}" -o told "${covariates[@]}" --document id
equal 'only its end is told' "$(grep -vc max-iterations err)" 0
same_model wanted told
try 3 "${fit[@]}" -o told "${covariates[@]}" -q
equal 'only its end is told' "$(grep -vc max-iterations err)" 0

# A part of the corpus, with the table of the whole; the model is read in the same way.
try 0 corpus split named.ldac -o train.ldac --test test.ldac -q
try 3 topics fit train.ldac -k 3 --max-iter 5 -o part "${covariates[@]}"
has err "by column 'id'"
try 0 topics infer part test.ldac --covariates table.csv -o wanted.csv
has err "by column 'id'"
try 0 topics infer part test.ldac --covariates documents.csv -o named.csv
equal 'only its end is told' "$(grep -vc max-iterations err)" 0
same wanted.csv named.csv
try 0 topics evaluate part test.ldac --covariates table.csv --document id
equal 'only its end is told' "$(grep -vc max-iterations err)" 0
try 0 topics effects part test.ldac --covariates table.csv --formula '~ x' --draws 5
equal notes "$(grep -c "by column 'id'" err)" 1
try 0 report part --covariates table.csv --by x -o report.html
equal notes "$(grep -c "by column 'id'" err)" 1
try 0 report part --covariates table.csv --by x --document id -o again.html
equal 'only its end is told' "$(grep -vc max-iterations err)" 0
same report.html again.html

# Without names in the table: in the documents' order, if there are as many rows.
cut -d, -f1,4 ordered.csv >nameless.csv
nameless=(--covariates nameless.csv --formula '~ part')
try 3 "${fit[@]}" -o order "${nameless[@]}"
has err "nameless.csv: row i is taken for document i, because no column has the documents' names"
same_model wanted order
try 1 topics fit train.ldac -k 3 -o no "${nameless[@]}"
has err "documents, whose names no column has; give one row per document, in their order, or names:"
has err "in a column 'document' of the table or in one named by --document"
try 1 "${fit[@]}" -o no "${nameless[@]}" --document part
has err "no row has the document 'doc1' in its column 'part'"
try 1 "${fit[@]}" -o no "${nameless[@]}" --document prat
has err "did you mean --document 'part'?"

# A name that is missing, or occurs twice.
sed '/,doc7,/d' table.csv >hole.csv
try 1 "${fit[@]}" -o no --covariates hole.csv --formula '~ part'
has err "hole.csv: has 599 rows for a corpus of 600 documents, of which its column 'id' names"
has err "599 once; see which are missing with --document 'id'"
try 1 "${fit[@]}" -o no --covariates hole.csv --formula '~ part' --document id
has err "no row has the document 'doc7' in its column 'id'"
{ cat documents.csv; grep ,doc7, documents.csv; } >twice.csv
try 1 "${fit[@]}" -o no --covariates twice.csv --formula '~ part'
has err "the document 'doc7' has more than one row"

# Names that are the documents' numbers do not separate them from the table they came from.
awk '{ print NR }' named.ldac >named.docs
try 3 "${fit[@]}" -o numbered --covariates ordered.csv --formula '~ part'
has err "row i is taken for document i; if its column 'number' has the documents' names, add"
same numbered/gamma.npy wanted/gamma.npy
try 3 "${fit[@]}" -o sorted "${covariates[@]}" --document number
equal 'only its end is told' "$(grep -vc max-iterations err)" 0
same sorted/gamma.npy wanted/gamma.npy
rm named.docs
try 2 "${fit[@]}" -o no "${covariates[@]}" --document id
has err "which the corpus does not have"
try 2 "${fit[@]}" -o no --document id
has err "name its table, too: --covariates"
[[ ! -e no ]] || fail "a folder made for nothing"
