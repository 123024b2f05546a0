#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace corpus convert, stats and split.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
needs compression

cat >a.ldac <<'END'
3 0:7 1:3 3:1
2 1:5 2:2
0
4 0:4 1:1 2:1 3:3
1 2:6
END
printf 'pear\nbär\n"quoted", x\nd\033e\n' >a.vocab
printf '%s\n' one two three four five >a.docs

# ---- convert ----

# From each format to each other, through pipes of compression, and back to the bytes.
for from in ldac uci mtx svmlight csv dlpc; do
    try 0 corpus convert a.ldac -o "b.$from.gz"
    is_empty err
    has out "b.$from.gz: 5 documents, 4 terms, 33 words."
    has out "the terms (.vocab) and the documents' names (.docs)"
    for to in ldac uci mtx svmlight csv dlpc; do
        try 0 corpus convert "b.$from.gz" -o "c.$to.zst" --quiet
        is_empty out
        try 0 corpus convert "c.$to.zst" -o d.ldac --quiet
        same a.ldac d.ldac
        same a.vocab d.vocab
        same a.docs d.docs
    done
done
try 0 corpus convert a.ldac -o e.mtx.gz --quiet
cp e.mtx.gz first
try 0 corpus convert a.ldac -o e.mtx.gz --quiet
same e.mtx.gz first

# Names that are compressed as the corpus is; a plain file comes first, and a corpus without
# names is not written where it would get them.
mkdir packed
cp a.ldac a.vocab a.docs packed
gzip packed/a.*
try 0 corpus convert packed/a.ldac.gz -o d.ldac --quiet
same a.vocab d.vocab
same a.docs d.docs
tr r R <a.vocab >packed/a.vocab
try 0 corpus convert packed/a.ldac.gz -o d.ldac --quiet
same packed/a.vocab d.vocab
rm packed/a.vocab
try 2 corpus convert - --from ldac -o packed/a.ldac.gz <a.ldac
has err "packed/a.vocab.gz: exists, and would be read as the names of packed/a.ldac.gz"

# The binary format: the same bytes each time, its terms and sizes as they were, and no word of it
# believed that its checksums do not confirm.
try 0 corpus convert a.ldac -o h.dlpc --quiet
equal size "$(wc -c <h.dlpc)" $((128 + 8 * 10 + 8 * 6))
try 0 corpus convert - -o - --to ldac <h.dlpc
same a.ldac out
try 0 corpus stats h.dlpc --json
equal V "$(json out V)" 4
for at in 16 40 80 130 170 220; do
    cp h.dlpc i.dlpc
    printf '\377' | dd of=i.dlpc bs=1 seek=$at conv=notrunc status=none
    try 1 corpus stats i.dlpc
    has err "i.dlpc: "
done
head -c 200 h.dlpc >i.dlpc
try 1 corpus stats i.dlpc
has err "it does not have as many bytes as it says; convert the corpus it was made from again"

# Standard input and output, and formats by name.
try 0 corpus convert - --from ldac --to uci -o - <a.ldac
equal head "$(head -n 3 out | tr '\n' ' ')" "5 4 10 "
cp out f.uci
try 0 corpus convert f.uci --vocab a.vocab --json -o f.csv
equal has_vocab "$(json out has_vocab)" true
equal has_names "$(json out has_names)" false
equal nnz "$(json out nnz)" 10
has f.csv '1,"pear",7'
# Names of another corpus beside the output are not passed over in silence.
printf 'x\n' >g.docs
try 2 corpus convert f.uci --vocab a.vocab -o g.csv
has err "g.docs: exists, and would be read as the names of g.csv"
[[ ! -e g.csv && ! -e g.vocab ]] || fail "something was written"

try 2 corpus convert a.ldac -o -
has err "add --to FORMAT"
try 2 corpus convert a.ldac -o a.txt
has err "a.txt: the file name does not say which format"
try 2 corpus convert - --vocab - -o b.ldac
has err "cannot both be standard input"
try 2 corpus convert a.ldac -o b.uci --to bow
has err "--to needs one of"
try 1 corpus convert a.ldac --from mtx -o b.uci
has err "a.ldac:1: expected '%%MatrixMarket'"
try 1 corpus convert no.ldac -o b.uci
has err "no.ldac: cannot read"
try 4 corpus convert a.ldac -o no/b.uci
has err "create its folder first"

# ---- stats ----

try 0 corpus stats a.ldac
is_empty err
has out "documents                         5   1 empty"
has out "words                            33"
has out "words per document                7   median, from 0 to 11"
has out "pear                             11          2"
if grep -q $'\033' out; then fail "an escape character of the vocabulary got through"; fi
try 0 corpus stats f.csv --json --top 2
equal D "$(json out D)" 5
equal empty "$(json out empty_documents)" 1
equal V "$(json out V)" 4
equal used "$(json out used_terms)" 4
equal words "$(json out words)" 33
equal median "$(json out words_per_document median)" 7.0
equal max "$(json out words_per_document max)" 11
equal top "$(json out top)" 2
equal term "$(json out top 0 term)" pear
equal documents "$(json out top 1 documents)" 3
try 1 corpus stats a.ldac --vocab a.docs --format uci
has err "a.ldac:1: expected the number of documents"

# ---- split ----

try 0 corpus split a.ldac --every 2 -o train.ldac --test test.csv
has out "train.ldac: 3 documents, 17 words."
has out "test.csv: 2 documents, 16 words."
equal train "$(tr '\n' ' ' <train.docs)" "one three five "
equal test "$(tr '\n' ' ' <test.docs)" "two four "
same train.vocab a.vocab
same test.vocab a.vocab
equal first "$(head -n 1 train.ldac)" "$(head -n 1 a.ldac)"
try 0 corpus split a.ldac -o train.ldac --test test.ldac --json
equal five "$(json out test D)" 1
equal fifth "$(cat test.docs)" five

# At random: the same seed, the same split; every document in one of the two.
for ((i = 0; i < 1000; i++)); do echo "1 0:$((i + 1))"; done >many.ldac
try 0 corpus split many.ldac --fraction 0.1 --seed 3 -o r.ldac --test s.ldac --json
n=$(json out test D)
((n > 60 && n < 140)) || fail "$n of 1000 documents at 0.1"
sort -u r.ldac s.ldac >both
sort many.ldac >sorted
same both sorted
cp s.ldac again
try 0 corpus split many.ldac --fraction 0.1 --seed 3 -o r.ldac --test s.ldac --quiet
is_empty out
same s.ldac again
try 0 corpus split many.ldac --fraction 0.1 --seed 4 -o r.ldac --test s.ldac --quiet
if cmp -s s.ldac again; then fail "two seeds made one split"; fi

try 2 corpus split a.ldac --every 2 --fraction 0.5 -o b.ldac --test c.ldac
has err "cannot be combined"
try 2 corpus split a.ldac -o x.ldac --test x.csv
has err "differ only in their extension"
try 2 corpus split a.ldac -o - --test x.csv
has err "neither can be standard output"
try 2 corpus split a.ldac --every 1 -o b.ldac --test c.ldac
try 1 corpus split a.ldac --every 6 -o b.ldac --test c.ldac
has err "none of the 5 documents becomes a test document; change every or fraction"
