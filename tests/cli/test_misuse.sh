#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A wrong command line: exit 2, a message on stderr that helps, nothing on stdout,
# nothing written.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
echo "2 0:2 1:1" >corpus

# misuse TEXT WORD...: the program refuses the words with a message that holds TEXT.
misuse() {
    local text=$1
    shift
    try 2 "$@"
    is_empty out
    has err "$text"
    has err "--help' for help"
    [[ ! -e fit.json ]] || fail "a misuse wrote a file"
}
fit=(unigram fit corpus -o fit.json)

misuse "unknown command 'unigrm'; did you mean unigram?" unigrm fit
misuse "unknown command 'zzzzzzzz'; there are: glm, topics, bugs, unigram, corpus, " zzzzzzzz
misuse "'fit' is the second word of a command; there are: glm fit, topics fit, bugs fit, unigram fit" fit x
misuse "unknown command 'lda'; did you mean topics?" lda fit corpus
misuse "unknown command 'summary'; did you mean show?" glm summary fit.json
misuse "unknown command 'corpus'; there are: fit" unigram corpus -o fit.json
misuse "unknown command 'glm'; there are: ctm" simulate glm
misuse "unknown command 'fti'; did you mean fit?" unigram fti corpus
misuse "unknown option --metod; did you mean --method?" "${fit[@]}" --metod delta
misuse "unknown option --metod; did you mean --method?" "${fit[@]}" --metod=delta
misuse "did you mean --method?" "${fit[@]}" -method delta
misuse "unknown option --qqqqqq" "${fit[@]}" --qqqqqq
misuse "unknown option -x" "${fit[@]}" -x
misuse "unknown option -k; 'topics fit' has one of that name" "${fit[@]}" -k 5
misuse "unknown option --covariates; 'topics fit' has one of that name" "${fit[@]}" --covariates x.csv
misuse "unknown option -K; did you mean -k?" topics fit corpus -K 5 -o fit.json
misuse "unknown option --k; did you mean -k?" topics fit corpus --k 5 -o fit.json
misuse "unknown option --iterations; did you mean --max-iter?" "${fit[@]}" --iterations 5
misuse "unknown option --METHOD; did you mean --method?" "${fit[@]}" --METHOD delta
# What is far from a word, for its length, is not offered.
misuse "unknown option --train; did you mean --data?" glm fit 'y ~ x' --train x.csv
misuse "unknown option --train" corpus split corpus --train a
if grep -q 'did you mean' err; then fail "--train is no slip of an option"; fi
misuse "unknown option --xyz" "${fit[@]}" --xyz 5
if grep -q 'did you mean' err; then fail "--xyz is no slip of an option"; fi
misuse "unknown option --quite-another-thing" "${fit[@]}" --quite-another-thing
if grep -q 'did you mean' err; then fail "--quite-another-thing is no slip"; fi
misuse "unknown option --otuput; did you mean --output?" corpus split corpus --otuput a
misuse "did you mean --max-iter?" "${fit[@]}" --MAX-ITERS 5
misuse "--quiet and --verbose cannot be combined" "${fit[@]}" -qv
misuse "unknown option --versio; did you mean --version?" --versio

misuse "--json goes after its command" --json "${fit[@]}"
misuse "CORPUS is missing" unigram fit
misuse "CORPUS is missing" unigram fit -o fit.json
misuse "--output FIT.json is missing" unigram fit corpus
misuse "unexpected argument 'more'" "${fit[@]}" more
misuse "unexpected argument 'x.csv'; did you mean --data x.csv?" glm fit 'y ~ x' x.csv
misuse "unexpected argument '/root'; put the formula in quotes: 'y ~ x'" \
    glm fit y /root x --data x.csv -o fit.json
misuse "unexpected argument 'x.mtx'; did you mean --output x.mtx?" \
    corpus convert corpus x.mtx
misuse "unexpected argument '--json'" "${fit[@]}" -- --json
misuse "--output needs the name of a file" unigram fit corpus -o
misuse "--phrases needs a value" corpus build texts -o corpus.ldac --phrases
misuse "--output needs the name of a file" unigram fit corpus -o --json
misuse "--output needs the name of a file" unigram fit corpus -o -q
misuse "--output needs the name of a file, not ''" unigram fit corpus --output=
misuse "--json takes no value" "${fit[@]}" --json=yes

misuse "did you mean laplace?" "${fit[@]}" --method lapace
misuse "did you mean laplace?" "${fit[@]}" --method LAPLACE
misuse "did you mean bernoulli?" glm fit 'y ~ x' -d x.csv -o fit.json --family logistic
misuse "did you mean gaussian?" glm fit 'y ~ x' -d x.csv -o fit.json --family normal
misuse "from 2 to 10000, not '=5'; type -k 5" topics fit corpus -k=5 -o fit.json
misuse "from 0 to 9000000000000000, not '1.5'" topics fit corpus -k 5 --seed 1.5 -o fit.json
misuse "--topics takes up to 1000 numbers, 2 to 10000, separated by commas, or ranges" \
    topics search-k corpus -k 5-10
misuse "'a.ldac' cannot be both --output and --test; name two files" corpus split corpus -o a.ldac --test a.ldac
misuse "--method needs one of laplace, delta, previous-mean, not ''" "${fit[@]}" --method=
misuse "--format needs one of auto, dlpc, mtx, uci, csv, ldac, svmlight, not 'bow'" "${fit[@]}" --format bow
for number in 0 -1 2 1x x "" " 1" nan inf 0x 1e-400; do
    misuse "--tol needs a number above 0, at most 1, not '$number'" "${fit[@]}" \
        "--tol=$number"
done
for number in 0 -3 1.5 1e3 12x "" " 1" 1000001 99999999999999999999; do
    misuse "--max-iter needs a whole number from 1 to 1000000, not '$number'" \
        "${fit[@]}" "--max-iter=$number"
done
misuse "--top needs a whole number from 0 to 1000000, not '-1'" "${fit[@]}" --top -1
misuse "cannot both be standard input" unigram fit - --vocab - -o fit.json

# What only the work would show is refused before it.
try 2 corpus build corpus --lines -o fit.txt
has err "fit.txt: the file name does not say which format; use one that ends in .ldac"
try 2 topics fit corpus -k 2 -o -
has err "a topic model is a folder and cannot go to standard output"
[[ ! -e - ]] || fail "a folder called -"

# A version may be asked for by a letter.
try 0 -V
has out "delaplace "

# The forms that are right: an operand after --, a value in its own word or attached.
try 0 unigram fit -q -ofit.json -- corpus
[[ -s fit.json ]] || fail "-ofit.json wrote nothing"
try 0 -q unigram fit --output=fit.json --tol=1e-6 --max-iter 50 corpus
is_empty out
equal tol "$(json fit.json tol)" 9.9999999999999995e-7
