#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace corpus build: every kind of source, the rules, hostile input.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
needs text
needs compression

# build CODE WORD...: with rules that leave out nothing.
build() {
    local code=$1
    shift
    try "$code" corpus build --min-docs 1 --max-share 1 --stop-words none "$@"
}

# A folder: paths in the order of bytes, whatever order the folder lists them in.
mkdir -p texts/b texts/.git
printf 'The zebra ate a green apple. Zebra!\n' >texts/zebra.txt
printf 'An APPLE a day\n' >texts/b/day.txt
printf 'zebra crossing' | gzip >texts/b-crossing.txt.gz
: >texts/empty.txt
printf 'hidden words' >texts/.hidden
printf 'picture\0bytes' >texts/picture.png
ln -s .. texts/b/around
ln -s ../zebra.txt texts/b/link.txt
build 0 texts -o texts.ldac
is_empty err
printf 'apple\nate\ncrossing\nday\ngreen\nthe\nzebra\n' >wanted
same texts.vocab wanted
printf 'b-crossing.txt.gz\nb/day.txt\nb/link.txt\nempty.txt\nzebra.txt\n' >wanted
same texts.docs wanted
printf '2 2:1 6:1\n2 0:1 3:1\n5 0:1 1:1 4:1 5:1 6:2\n0\n5 0:1 1:1 4:1 5:1 6:2\n' >wanted
same texts.ldac wanted
has out "texts: 5 documents"
has out "The most frequent terms: zebra 5, apple 3,"
has out "1 document has no words left and stays in the corpus, empty."
has out "2 hidden files or folders were skipped."
has out "2 files are not text and skipped."
has out "Written to texts.ldac"
has out "delaplace topics fit texts.ldac -k 2 -o model"

# The same bytes again; --json, --quiet and - say less.
cp texts.ldac first.ldac
build 0 texts/ -o texts.ldac --json --top 2
same texts.ldac first.ldac
equal D "$(json out D)" 5
equal V "$(json out V)" 7
equal words "$(json out words)" 16
equal short "$(json out dropped too_short terms)" 2
equal top "$(json out top)" 2
equal term "$(json out top 0 term)" zebra
equal documents "$(json out top 0 documents)" 3
build 0 texts -o texts.ldac -q
is_empty out
build 0 texts -o -
same out first.ldac
build 0 texts -o texts.uci -q
try 0 corpus convert texts.uci -q -o back.ldac
same back.ldac first.ldac

# The defaults: English stop words, terms in 5 documents and at most half of them.
for i in 1 2 3 4 5 6 7 8 9 10; do
    echo "The common word and number$i don't $( ((i % 2)) && echo odd || echo flat)"
done >lines
try 0 corpus build lines --lines -o lines.ldac
printf 'flat\nodd\n' >wanted
same lines.vocab wanted
seq 10 >wanted
same lines.docs wanted
has out "- in more than 50 % of documents"
has out "- stop words"
try 0 corpus build lines --lines -o lines.ldac --max-share 1 --max-terms 1 -q
echo common >wanted
same lines.vocab wanted
try 0 corpus build lines --lines -o lines.ldac --keep-numbers --min-docs 1 -q
has lines.vocab number7
printf '# mine\nodd COMMON | not this\n' >stop
try 0 corpus build lines --lines -o lines.ldac --stop-words stop --max-share 1 -q
if grep -qE 'odd|common' lines.vocab; then fail "stop words of a file stayed"; fi
has lines.vocab "don't"
try 0 corpus build lines --lines -o lines.ldac --stop-words english,stop --max-share 1 -q
if grep -qE "odd|common|don't" lines.vocab; then fail "stop words of a list and a file stayed"; fi
try 1 corpus build lines --lines -o lines.ldac --stop-words english,missing
has err "missing: no such file or list"
cp stop a,b
try 0 corpus build lines --lines -o lines.ldac --stop-words a,b --max-share 1 -q
has lines.vocab "don't"
try 2 corpus build - --lines --stop-words english,- -o no.ldac </dev/null
# The documents have the English list as it is.
sed -n '/^## The English/,/^## From C/p' "$project/docs/text.md" | sed '/^#/d; /^```/d; /^$/d' >listed
sed -n 's/^ *"\(.*\)\\n";*$/\1/p' "$project/src/corpus/text/stop_english.c" >wanted
[[ -s wanted ]] || fail "the list was not found"
same listed wanted
for _ in 1 2 3; do cat lines; done >thirty
try 0 corpus build thirty --lines -o lines.ldac
has out " -k 3 -o model"
build 0 stop --lines -o one.ldac
has out "2 documents are too few to find topics in."

# Stems are shown as words.
printf 'connections connected\nconnections run\nrunning\n' >stems
build 0 stems --lines -o stems.ldac --stem english
printf 'connections\nrun\n' >wanted
same stems.vocab wanted
has out "merged with others of the same stem"

# New documents, counted by the terms of a model: the rules take nothing from them.
mkdir model
printf 'the\nrunning\nabsent\n' >model/vocab.txt
echo 'The run, the lion' >new
try 0 corpus build new --lines --vocab model/vocab.txt -o new.ldac
printf '1 0:2\n' >wanted
same new.ldac wanted
same new.vocab model/vocab.txt
has out "- not among the terms of --vocab"
has out "delaplace topics infer model new.ldac -o proportions.csv"
has out "1 of the dropped words, of 1 term, have the stem of a term of --vocab,"
has out "--stem, add it here, too."
try 0 corpus build new --lines --vocab model/vocab.txt --stem english -o new.ldac --json
printf '2 0:2 1:1\n' >wanted
same new.ldac wanted
equal V "$(json out V)" 3
equal unknown "$(json out dropped unknown terms)" 1
equal unstemmed "$(json out unstemmed terms)" 0
printf 'the\nrunning\nruns\n' >unstemmed.vocab
try 0 corpus build new --lines --vocab unstemmed.vocab -o new.ldac
! grep -q 'add it here' out || fail "terms of one stem were not made by stemming"
printf 'run\nrun\n' >twice
try 1 corpus build new --lines --vocab twice -o new.ldac
has err "twice: 'run' is term 1 and term 2"
: >none
try 1 corpus build new --lines --vocab none -o new.ldac
has err "none: holds no terms"
try 2 corpus build - --lines --vocab - -o new.ldac
has err "only one of text, terms, phrases and stop words"

# A table: every row stays, in its place; names stay as they are written.
cat >table.csv <<'END'
id,text,year
007,"Green, ""greener""
greenest",1990

008,,1991
009,green,1992
END
build 0 table.csv --column text --name id -o table.ldac
printf '007\n008\n009\n' >wanted
same table.docs wanted
printf '3 0:1 1:1 2:1\n0\n1 0:1\n' >wanted
same table.ldac wanted
if grep -q 'the name of another' out; then fail "names are all different"; fi
printf 'id,text\na,green\na,blue\n,red\na,white\n' >names.csv
build 0 names.csv --column text --name id -o names.ldac
has out "1 document has no name and is named by its number."
has out "2 documents have the name of another, such as 'a'"
cp table.ldac first.ldac
printf '{"id": "007", "text": "Green, \\"greener\\"\\ngreenest"}\n{"id": "008", "text": null}\n{"id": "009", "text": "green"}\n' >table.jsonl
zstd -q table.jsonl
for source in table.jsonl table.jsonl.zst -; do
    build 0 "$source" --column text --name id -o json.ldac -q <table.jsonl
    same json.ldac first.ldac
    same json.docs table.docs
    same json.vocab table.vocab
done
tr ',' '\t' <lines >tabs.tsv
sed -i '1i text' tabs.tsv
build 0 tabs.tsv --column text -o tabs.ldac -q

# Accents however they are encoded, letters of any script, bytes that are none.
printf 'caf\303\251 CAFE\314\201 Stra\303\237e \316\221\316\230\316\227\316\235\316\221\n' >utf8
build 0 utf8 --lines -o utf8.ldac -q
printf 'caf\303\251\nstrasse\n\316\261\316\270\316\267\316\275\316\261\n' >wanted
same utf8.vocab wanted
printf 'latin caf\351 one\n' >latin1
build 0 latin1 --lines -o latin1.ldac
has out "1 byte is not UTF-8 and read as blanks, in 1 document: 1."
has out "convert it first: iconv -f LATIN1 -t UTF-8"
mkdir latin
for i in 1 2 3 4 5 6 7; do cp latin1 latin/$i.txt; done
echo plain >latin/0.txt
build 0 latin -o latin1.ldac
has out "in 7 documents: 1.txt, 2.txt, 3.txt, 4.txt, 5.txt, ... (--verbose names all)."
build 0 latin -o latin1.ldac --verbose
has out "5.txt, 6.txt, 7.txt."
{ head -c 3000000 /dev/zero | tr '\0' 'x'; printf ' word\0word\n'; } >long
build 0 long --lines -o long.ldac
echo word >wanted
same long.vocab wanted
has out "1 run of more than 64 letters is no words."

# Languages, detected and reported; phrases; pages and mail; what is kept.
printf 'Der Ausbau der Windkraft soll nach dem Willen der Regierung schneller gehen.\n' >de
try 0 corpus build de --lines --min-docs 1 --max-share 1 -o de.ldac
has out "of all words), the text is German"
has out "- stop words, german"
has de.text.jsonl '"Der Ausbau der'
has de.words.json '"stop_words": "german"'
try 0 corpus build de --lines --min-docs 1 --max-share 1 -o de.ldac --language french --json
equal list "$(json out stop_list)" french
printf '%s\n' 'der Hund und die Katze sind in dem Haus und nicht im Garten' \
    'le chat est dans la maison et il ne sera pas dans le jardin' >both
try 0 corpus build both --lines --min-docs 1 -o de.ldac
has out "is French (German: 3"
has out "--stop-words french,german if it is in both."
try 2 corpus build de --lines -o de.ldac --language germn
has err "did you mean german?"
try 0 corpus build de --lines --min-docs 1 --max-share 1 -o de.ldac --stem german --json
equal stem "$(json out stem)" german
try 0 corpus build de --lines --vocab de.vocab -o again.ldac
has out "Words were stemmed (german), as the terms of --vocab were."
same again.ldac de.ldac
try 2 corpus build de --lines --min-docs 1 --max-share 1 -o de.ldac --no-text
has err "de.text.jsonl: exists, and would be read as the text"
try 0 corpus build de --lines --min-docs 1 --max-share 1 -o without.ldac --no-text -q
[[ ! -e without.text.jsonl ]] || fail "--no-text keeps it"
try 2 corpus build de.text.jsonl --lines -o de.ldac
has err "would replace 'de.text.jsonl'"
cp de de.text.jsonl
try 2 corpus build de --lines --min-docs 1 --max-share 1 -o de.ldac
has err "de.text.jsonl: exists and is not the text of a corpus"
printf 'green apple # a kind\n' >list
build 0 table.csv --column text -o phrases.ldac --phrases list -q
printf 'one green apple\ngreen apples\n' >fruit
build 0 fruit --lines -o fruit.ldac --phrases list --json
equal phrases "$(json out phrases)" 1
has fruit.vocab green_apple
build 0 fruit --lines -o fruit.ldac --phrases find,list -q
try 1 corpus build fruit --lines -o no.ldac --phrases missing
has err "missing"
printf '<html><p>Tea &amp; cake<script>secret</script></p>' >page.html
printf 'From: a@b\nSubject: hello\n\nworld\n> quoted\n' >mail
mkdir pages
mv page.html mail pages
build 0 pages -o pages.ldac
has out "1 document is mail: headers, attachments and quotations were left out."
if [[ $("$program" --version --json | tr -d ' \n') == *'"libxml2":true'* ]]; then
    has out "1 document is HTML: tags, scripts and styles were left out."
    printf 'cake\nhello\ntea\nworld\n' >wanted
    same pages.vocab wanted
fi
build 0 pages -o plain.ldac --markup none -q
has plain.vocab secret
try 0 corpus convert again.ldac -o moved.mtx -q
[[ -e moved.words.json ]] || fail "convert loses how words were made"

# What cannot be done, and how to correct it; nothing is written.
rm -f no.*
try 1 corpus build texts -o no.ldac
has err "texts: no term is left of 9 distinct words in 5 documents"
has err "min-docs"
try 2 corpus build texts/zebra.txt -o no.ldac
has err "--lines, or --column NAME"
try 2 corpus build texts --lines -o no.ldac
has err "is a folder"
for options in --lines '--column text' ''; do
    # shellcheck disable=SC2086 # words
    try 1 corpus build missing $options -o no.ldac
    has err "missing: cannot read"
done
try 1 corpus build table.csv --column body -o no.ldac
has err "table.csv:1: the header has no column 'body'; its columns are id, text, year"
try 1 corpus build table.jsonl --column body -o no.ldac
has err "table.jsonl: no object has the key 'body'; the keys of the first are id, text"
echo '[{"text": "x"}]' >list.json
try 1 corpus build list.json --column text -o no.ldac
has err "jq -c"
mkdir nothing
try 1 corpus build nothing -o no.ldac
has err "nothing: has no text files"
try 1 corpus build - --lines -o no.ldac </dev/null
has err "standard input: is empty"
try 2 corpus build - --lines --stop-words - -o no.ldac </dev/null
try 2 corpus build texts -o no.ldac --stem englsh
has err "did you mean english?"
try 1 corpus build texts -o no.ldac --stop-words missing
has err "missing: no such file or list"
try 4 corpus build texts -o nowhere/no.ldac
has err "nowhere"
ln -s nowhere texts/dangling
try 1 corpus build texts -o no.ldac
has err "texts/dangling: cannot read"
rm texts/dangling
if ((EUID != 0)); then
    echo secret >texts/secret
    chmod 000 texts/secret
    try 1 corpus build texts -o no.ldac
    has err "texts/secret: cannot read"
    rm -f texts/secret
fi
if compgen -G 'no.*' >/dev/null; then fail "a failed build left a file"; fi
