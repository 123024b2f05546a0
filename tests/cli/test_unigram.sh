#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace unigram fit: inputs, outcomes, results.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

cat >corpus <<'END'
3 0:7 1:3 3:1
2 1:5 2:2
0
4 0:4 1:1 2:1 3:3
END
printf 'apple\nbär\nc\351\nd\033e\n' >vocab # UTF-8, Latin-1 and an escape character
printf '4\n4\n9\n1 1 7\n1 2 3\n1 4 1\n2 2 5\n2 3 2\n4 1 4\n4 2 1\n4 3 1\n4 4 3\n' >uci

# The summary for people, and the file.
try 0 unigram fit corpus --vocab vocab -o fit.json
is_empty err
has out "4 documents, 4 terms, 27 words"
has out "converged after"
has out "Written to fit.json"
has out "delaplace unigram fit corpus --vocab vocab --method delta -o unigram-delta.json"
has out "apple"
if grep -q $'\033' out; then fail "an escape character of the vocabulary got through"; fi
if grep -q '##' out; then fail "bars without a terminal"; fi

# On a terminal the longest bar, of 16, is that of the largest number shown; with few words
# q(z) has smaller ones.
if command -v script >/dev/null; then
    printf '3 0:9 1:1 2:1\n2 0:1 3:1\n2 4:3 1:7\n' >few.ldac
    script -qec "'$program' unigram fit few.ldac -o few.json --method laplace" /dev/null \
        </dev/null >screen
    equal "the longest bar" "$(grep -oE '#+' screen | wc -L)" 16
fi
equal format "$(json fit.json format)" delaplace-unigram
equal version "$(json fit.json version)" 1
equal outcome "$(json fit.json outcome)" converged
equal D "$(json fit.json D)" 4
equal V "$(json fit.json V)" 4
equal words "$(json fit.json words)" 27
equal terms "$(json fit.json coefficients)" 4
equal term "$(json fit.json coefficients 1 term)" bär
equal term "$(json fit.json coefficients 2 term)" "$(printf 'c\303\251')"
equal trace "$(json fit.json trace)" "$(json fit.json iterations)"
equal last "$(json fit.json trace $(($(json fit.json iterations) - 1)) objective)" \
    "$(json fit.json objective)"
awk -v m="$(json fit.json coefficients 0 mean)" -v s="$(json fit.json coefficients 0 sd)" \
    -v l="$(json fit.json coefficients 0 lower)" -v u="$(json fit.json coefficients 0 upper)" \
    -v a="$(json fit.json coefficients 0 dirichlet)" \
    -v q="$(json fit.json coefficients 0 sd_given_z)" 'BEGIN {
    d = l - (m - 1.959963984540054 * s); e = u - (m + 1.959963984540054 * s)
    f = a / exp(m + q * q / 2) - 1
    exit !(d * d < 1e-24 && e * e < 1e-24 && f * f < 1e-24 && s >= q && q > 0) }' ||
    fail "interval or Dirichlet parameter do not follow from mean and sd"

# The same bytes again, and from every way in.
cp fit.json first.json
try 0 unigram fit corpus --vocab vocab -o fit.json --json
same fit.json first.json
equal summary "$(json out objective)" "$(json fit.json objective)"
if grep -q coefficients out; then fail "the JSON summary holds the long lists"; fi
try 0 unigram fit corpus --vocab vocab -o - --json
same out first.json
sed 's/$/\r/' corpus >corpus.crlf
sed 's/$/\r/' vocab >vocab.crlf
try 0 unigram fit corpus.crlf --vocab vocab.crlf -o fit.json
same fit.json first.json
try 0 unigram fit uci --vocab vocab -o fit.json
same fit.json first.json
try 0 unigram fit uci --format uci --vocab vocab -o fit.json
same fit.json first.json
if can compression; then
    gzip -k corpus
    try 0 unigram fit corpus.gz --vocab vocab -o fit.json -q
    same fit.json first.json
    is_empty out
fi
try 0 unigram fit - --format ldac --vocab vocab -o fit.json -q <corpus
same fit.json first.json

# Every method, with and without a full covariance.
for method in laplace delta previous-mean; do
    for shape in "" --diagonal; do
        try 0 unigram fit corpus -o fit.json --method "$method" $shape
        equal method "$(json fit.json method)" "$method"
        equal diagonal "$(json fit.json diagonal)" "$([[ $shape ]] && echo true || echo false)"
        equal term "$(json fit.json coefficients 3 term)" 3
    done
done

# --top bounds the list.
try 0 unigram fit corpus -o fit.json --top 2
equal rows "$(grep -c '\[.*\]$' out)" 2
try 0 unigram fit corpus -o fit.json --top 0
equal rows "$(grep -c '\[.*\]$' out || true)" 0

# Not converged: 3, written and marked, and what to type says how to continue.
try 3 unigram fit corpus -o fit.json --max-iter 2
has out "stopped before convergence after 2 iterations"
has out "--max-iter 20 -o fit.json"
equal outcome "$(json fit.json outcome)" max-iterations
equal iterations "$(json fit.json iterations)" 2
try 3 unigram fit corpus -o fit.json --max-iter 2 --json
equal outcome "$(json out outcome)" max-iterations

# A file name that a shell would split comes back in quotes.
cp corpus "my corpus"
try 0 unigram fit "my corpus" -o fit.json
has out "unigram fit 'my corpus' --method"

# Wrong input: 1, a message with the file's name, and the earlier result untouched.
wrong() {
    local text=$1
    shift
    cp first.json fit.json
    try 1 unigram fit "$@" -o fit.json
    is_empty out
    has err "$text"
    same fit.json first.json
}
wrong "nowhere" nowhere
wrong "$work" "$work"
printf '2 0:1 1:x\n' >bad
wrong "bad" bad
: >empty
wrong "empty" empty
printf '0\n0\n' >wordless
wrong "0 terms" wordless
printf 'apple\n' >short
wrong "short" corpus --vocab short
wrong "nowhere" corpus --vocab nowhere
wrong "corpus" corpus --format uci
gzip -c corpus | head -c 20 >cut.gz
wrong "cut.gz" cut.gz
if ((EUID != 0)); then
    cp corpus secret
    chmod 000 secret
    wrong "secret" secret
fi
