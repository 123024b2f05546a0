#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Pictures for papers: --svg of glm show, glm evaluate, topics show, topics effects and
# topics search-k.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
data=$project/data

# picture FILE: well-formed, 7.5 inches wide, white, and nothing in it that is no number.
picture() {
    [[ -s $1 ]] || fail "$1 is empty or missing"
    if command -v xmllint >/dev/null; then
        xmllint --noout --nonet "$1" || fail "$1 is not well formed"
    fi
    has "$1" 'width="720"'
    has "$1" 'viewBox="0 0 720 '
    has "$1" '<title>'
    has "$1" '<desc>'
    if grep -qiE '[",>]-?(nan|inf)[",< ]' "$1"; then fail "$1: no number"; fi
    if grep -qE 'prefers-color-scheme|<script|href' "$1"; then fail "$1 is not for paper"; fi
}

# both CODE FILE WORD...: the picture as a file, and the same bytes on standard output,
# where nothing else goes; the text is the same with and without a picture, except for
# the line that says where it is.
both() {
    local code=$1 file=$2
    shift 2
    try "$code" "$@"
    mv out text
    try "$code" "$@" --svg "$file"
    [[ $1 != topics ]] || has out "Written to $file"
    grep -vx "Written to $file" out | grep . >said
    grep . text >wanted
    same said wanted
    picture "$file"
    try "$code" "$@" --svg -
    same out "$file"
    try 4 "$@" --svg missing/picture.svg
    has err "missing/picture.svg"
    is_empty out
}

# ---- regressions ----
try 0 glm fit 'cbind(damaged, sound) ~ temperature' --data "$data/challenger.csv" -o fit.json -q
both 0 forest.svg glm show fit.json
has forest.svg '>temperature<'
has forest.svg 'Family binomial, link logit, 23 rows'
try 0 glm show fit.json --json --svg again.svg
same again.svg forest.svg
json out outcome >/dev/null
both 0 calibration.svg glm evaluate fit.json --data "$data/challenger.csv"
has calibration.svg '>observed<'
has calibration.svg 'pale, the rows themselves'

# Groups are behind their population; a group by itself has its own picture.
try 0 glm fit 'cbind(admitted, rejected) ~ gender' --group department --nu 5 --phi0 2 \
    --phi1 10 --data "$data/admissions.csv" -o groups.json -q
both 0 groups.svg glm show groups.json
has groups.svg '>95 % interval<'
has groups.svg '>95 % of groups<'
has groups.svg 'where 95 % of groups lie (thin)'
equal "rows of groups" "$(grep -c 'class="dots"' groups.svg)" 2
try 0 glm show groups.json --group B --svg group.svg
picture group.svg
has group.svg 'group B'
has group.svg '>95 % interval<'
if grep -q 'class="dots"' group.svg; then fail "groups behind a group"; fi
# Of separate fits nobody says how sure their mean is.
try 0 glm fit 'cbind(admitted, rejected) ~ gender' --group department --groups separate \
    --data "$data/admissions.csv" -o separate.json -q
try 0 glm show separate.json --svg separate.svg
picture separate.svg
has separate.svg '>95 % of groups<'
if grep -q '>95 % interval<' separate.svg; then fail "an interval that is not known"; fi

# Names of any kind: escaped, cut, and whole in a title.
long=$(printf 'long%.0s' {1..200})
awk -v long="$long" 'BEGIN {
    print "y,\"<&\"\"> x\"," long
    for (i = 0; i < 40; i++) print (i * 7 % 11 > 5) "," i % 5 "," i * 3 % 7
}' >odd.csv
try 0 glm fit 'y ~ .' --data odd.csv --family bernoulli -o odd.json -q
both 0 odd.svg glm show odd.json
has odd.svg '&lt;&amp;&quot;&gt; x'
has odd.svg "<title>$long</title>"
has odd.svg "…"
has odd.svg 'y ~ .'

# A fit that did not converge says so in its pictures.
try 3 glm fit 'cbind(admitted, rejected) ~ gender' --group department --max-iter 1 \
    --data "$data/admissions.csv" -o short.json -q
try 0 glm show short.json --svg short.svg
picture short.svg
has short.svg 'stopped before convergence'
try 0 glm evaluate short.json --data "$data/admissions.csv" --svg short.svg
picture short.svg
has short.svg 'stopped before convergence'

# A series for each level.
awk 'BEGIN { print "y,x"; for (i = 0; i < 60; i++) print substr("abc", i * 7 % 3 + 1, 1) "," i % 5 }' \
    >levels.csv
try 0 glm fit 'y ~ x' --data levels.csv --family multinomial -o levels.json -q
both 0 levels.svg glm evaluate levels.json --data levels.csv
equal charts "$(grep -c '>observed<' levels.svg)" 3

# ---- topics ----
corpus=$project/tests/data/packages.ldac
try 3 topics fit "$corpus" -k 8 --max-iter 20 -o model --quiet
both 0 topics.svg topics show model
has topics.svg '8 topics of 600 documents'
has topics.svg 'did not converge'
equal nodes "$(grep -c '<circle.*<title>Topic ' topics.svg)" 8
try 0 topics show model --topic 3 --words 1 --json --svg one.svg
picture one.svg

# Words of any kind.
sed 's/^.*$/<\&">&/' "$project/tests/data/packages.vocab" >odd.vocab
try 3 topics fit "$corpus" --vocab odd.vocab -k 3 --max-iter 3 -o odd --quiet
both 0 odd.svg topics show odd
has odd.svg '&lt;&amp;&quot;&gt;'

# Two topics.
try 3 topics fit "$corpus" -k 2 --max-iter 3 -o two --quiet
both 0 two.svg topics show two
equal nodes "$(grep -c '<circle.*<title>Topic ' two.svg)" 2

# ---- effects ----
awk 'BEGIN { print "x,part" } { print NR % 7 "," substr("abcd", NR % 4 + 1, 1) }' "$corpus" >table.csv
effects=(topics effects model "$corpus" --covariates table.csv --draws 5 --splits 0 --formula)
both 0 effects.svg "${effects[@]}" '~ x + part'
has effects.svg "in percentage points"
has effects.svg "Terms have scales of their own."
for term in x partb partc partd; do has effects.svg ">$term<"; done
if grep -q Intercept effects.svg; then fail "an intercept is no effect"; fi
both 0 effect.svg "${effects[@]}" '~ x' --topic 2
has effect.svg 'Topic 2: '
try 0 "${effects[@]}" '~ 1' --svg none.svg
picture none.svg
try 0 "${effects[@]}" '~ x' -o effects.csv --svg effects.svg -q
is_empty out
has effects.csv topic,term
try 2 "${effects[@]}" '~ x' -o - --svg -
has err "cannot both be standard output"

# ---- how many topics ----
try 3 topics search-k "$corpus" -k 6,3 --max-iter 3 --svg search.svg -o search.csv --threads 2
picture search.svg
has search.csv heldout_per_word
for name in Held-out Approximate Coherence Exclusivity; do has search.svg "$name"; done
has search.svg '2 of 2 fits did not converge'
try 3 topics search-k "$corpus" -k 3,6 --max-iter 3 --svg -
same out search.svg
try 2 topics search-k "$corpus" -k 3 -o - --svg -
try 4 topics search-k "$corpus" -k 3 --svg missing/search.svg
