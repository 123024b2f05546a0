#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The examples in the help of every command run as they stand, in the order of the commands,
# on a small corpus in place of the data. Those of the studies have tests of their own.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
needs text
needs compression
mkdir bin
ln -s "$program" bin/delaplace
PATH=$work/bin:$PATH

# What the examples name.
mkdir data reviews new
cp "$project"/tests/data/packages.* "$project/data/challenger.csv" \
    "$project/data/admissions.csv" data
# Under sanitizers a quarter of the documents: each command runs all the same.
if sanitised; then sed -i '151,$d' data/packages.ldac && sed -i '152,$d' data/packages.csv; fi
sed -i '1s/package/document/' data/packages.csv
cut -d, -f1 data/packages.csv | tail -n +2 >data/packages.docs
cp "$project/data/schools.bug" model.bug
cp "$project/data/schools.R" data.R
cp model.bug rats.bug
printf '{"J": 3, "y": [28.39, 7.94, -2.75], "s": [14.9, 10.2, 16.3]}\n' >rats.json
cp data/challenger.csv new.csv
cp data/challenger.csv test.csv
cp data/packages.ldac new.ldac
cp data/packages.ldac test.ldac
cp data/packages.ldac ap.dat
cp data/packages.vocab vocab.txt
cp data/packages.vocab new.vocab
cp data/packages.vocab test.vocab
echo "1,packages" >labels.txt
echo id,text >reviews.csv
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    text="a file of text number $i"
    if ((i % 2)); then text="images and sound"; fi
    echo "$text" >"reviews/$i.txt"
    cp "reviews/$i.txt" new
    echo "$i,$text" >>reviews.csv
    echo "{\"text\": \"$text\"}"
done | gzip >tweets.jsonl.gz
"$program" glm fit 'admitted ~ gender' --data <(awk -F, 'NR == 1 {
    print "gender,admitted,school"; next }
    { print $2 ",1," NR + 8; print $2 ",0," NR + 8 }' "$project/data/admissions.csv") \
    --group school -o schools.json -q

cp data/challenger.csv data.csv
"$program" glm fit 'distress ~ temperature' --data data.csv -o one.json -q
"$program" glm fit 'distress ~ 1' --data data.csv -o other.json -q

# examples WORD...: those of a command, each on one line.
examples() {
    "$program" "$@" --help | sed -n '/^Example:/,$ { /^Example:/d; p }' |
        sed -e ':again' -e '/\\$/ { N; s/\\\n *//; b again' -e '}'
}

"$program" --help | awk '/^Commands:/ {on = 1; next} /^$/ {on = 0}
    on && /^  [a-z]/ {print substr($0, 3, 22)}' | grep -vE '^(study|demo)' >commands
count=0
while read -r noun verb; do
    while read -r example; do
        # a number of topics that the small corpus has
        bash -c "set -o pipefail; ${example/5,10,20,40/2,4}" >out 2>err </dev/null ||
            fail "$noun $verb: $example"
        count=$((count + 1))
    done < <(examples "$noun" ${verb:+"$verb"})
done <commands
((count > 30)) || fail "only $count examples were found"
