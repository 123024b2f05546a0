#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace study figures on a small corpus that is drawn here, and where the real one is
# at hand ($DELAPLACE_DATA) its first figure in short.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
needs compression

mkdir -p data/ap
try 0 simulate ctm -k 12 --terms 200 --documents 150 --words 60 -o corpus.ldac -q
mv corpus.ldac data/ap/ap.dat
study=(study figures --data data --quick)

# ---- what is printed and written ----

try 0 "${study[@]}"
is_empty err
has out 'Inference of documents, iteration by iteration, to figures/convergence.csv'
has out 'held-out log likelihood per word'
has out 'CPU seconds'
equal files "$(cd figures && echo *)" \
    "convergence.csv convergence.svg time.csv time.svg topics.csv topics.svg"
for name in convergence topics time; do
    equal header "$(head -n 1 figures/$name.csv)" \
        method,init,K,iteration,unsettled,decreases,seconds,log_evidence_per_word,heldout_per_word,outcome
    (($(wc -c <figures/$name.svg) < 30000)) || fail "$name.svg is large"
    if grep -qiE 'nan|inf[^e]' figures/$name.svg; then fail "$name.svg: no number"; fi
    if command -v xmllint >/dev/null; then
        xmllint --noout --nonet figures/$name.svg || fail "$name.svg is not well formed"
    fi
done
equal rows "$(wc -l <figures/topics.csv)" $((1 + 2 * 3 * 2))
equal rows "$(wc -l <figures/time.csv)" $((1 + 3 * 5))
has figures/topics.svg 'blei-lafferty, random'
has figures/time.svg 'while they are fitted, 10 topics'

# The sum over documents rises; none is left unsettled at the end; time goes on.
awk -F, '$1 == "delta" { if (n++ && $8 < last - 1e-9) exit 1; last = $8; left = $5 }
         END { exit !(n > 5 && left == 0) }' figures/convergence.csv ||
    fail "convergence of delta"
awk -F, 'NR > 1 { if ($4 > 1 && $7 <= before) exit 1; before = $7 }' figures/time.csv ||
    fail "seconds that do not grow"

# ---- the same numbers again, at another number of threads ----

# Under sanitizers the first of them will do; the other build has the bits.
names=(convergence topics time) only=()
if sanitised; then names=(convergence) only=(--figure convergence); fi
try 0 "${study[@]}" "${only[@]}" -o again --threads 1 -q
is_empty out
for name in "${names[@]}"; do
    cut -d, -f1-6,8- "figures/$name.csv" >one
    cut -d, -f1-6,8- "again/$name.csv" >two
    same one two
done
sanitised || same figures/topics.svg again/topics.svg
same figures/convergence.svg again/convergence.svg

# ---- the same as fitting and evaluating by hand ----

try 0 corpus split data/ap/ap.dat -o train.ldac --test test.ldac -q
try 3 topics fit train.ldac -k 10 --method delta --covariance paper --max-iter 5 --smooth 0.03 \
    --tol 5e-5 -o model -q
try 0 topics evaluate model test.ldac --json
row=$(grep '^delta,spectral,10,' figures/topics.csv)
equal held-out "$(cut -d, -f9 <<<"$row")" "$(printf '%.10g' "$(json out heldout_per_word)")"
equal bound "$(cut -d, -f8 <<<"$row")" \
    "$(printf '%.10g' "$(json model/model.json log_evidence_per_word)")"
equal 'the end of a fit step by step' \
    "$(grep '^delta,spectral,10,5,' figures/time.csv | cut -d, -f8-9)" \
    "$(cut -d, -f8-9 <<<"$row")"

# ---- one figure, packed data, JSON ----

xz data/ap/ap.dat
try 0 "${study[@]}" --figure topics -o one.dir --json
equal files "$(cd one.dir && echo *)" "topics.csv topics.svg"
same one.dir/topics.csv figures/topics.csv
equal study "$(json out study)" figures
equal figure "$(json out figures 0 figure)" topics
equal method "$(json out figures 0 rows 2 method)" delta
equal seconds "$(json out figures 0 rows 2 seconds)" null

# ---- what goes wrong ----

try 2 study figures
has err '--data'
try 2 "${study[@]}" --figure four
try 1 study figures --data nowhere
has err 'nowhere/ap/ap.dat: no such file'
try 4 "${study[@]}" -o /no/such/folder
has err 'cannot make the folder'
touch file
try 4 "${study[@]}" -o file
mkdir -p few/ap
printf '1 0:2\n1 1:3\n' >few/ap/ap.dat
try 1 study figures --data few -o none
[[ ! -e none ]] || fail "a folder for nothing"

# ---- the real corpus ----

real=${DELAPLACE_DATA-}
if [[ ! -d $real/ap ]]; then
    echo "the real corpus is not tried: DELAPLACE_DATA names no folder with ap/"
    exit 0
fi
if sanitised; then
    try 0 study figures --data "$real" --quick --figure convergence -o real -q
    awk -F, '$1 == "laplace" && $4 == 1 { first = $8 } $1 == "laplace" { last = $8 }
             END { exit !(last > first + 0.05 && last < -6.5) }' real/convergence.csv ||
        fail "AP: the objective does not rise as it did"
    exit 0
fi

# The numbers of docs/study.md are those of today's program: the first row of its table by the
# number of topics, and the table of convergence. Where this fails, make them all again:
# delaplace study figures --data DIR.
# printed FIRST-CELL: the other cells of that row, without the frame; the first of such rows.
printed() {
    sed -n "s/^| $1 | \(-.*\) |\$/\1/p" "$project/docs/study.md" | head -n 1 | tr -d '|' | tr -s ' '
}
corpus=("$real"/ap/ap.dat*)
try 0 corpus split "${corpus[0]}" -o train.ldac --test test.ldac -q
bounds='' heldout=''
for method in laplace delta blei-lafferty; do
    try 0 topics fit train.ldac -k 10 --method $method --covariance paper --smooth 0.03 \
        --tol 5e-5 -o "$method" -q
    bounds+=$(printf '%.3f ' "$(json "$method/model.json" log_evidence_per_word)")
    try 0 topics evaluate "$method" test.ldac --json
    heldout+=$(printf '%.3f ' "$(json out heldout_per_word)")
done
equal 'AP, 10 topics' "$bounds$heldout" "$(printed 10) "
try 0 study figures --data "$real" --figure convergence -o real
for method in laplace delta; do
    row=$(awk -F, -v method=$method '
        $1 != method { next }
        $4 == 1 || $4 == 10 || $4 == 100 { printf "%.4f ", $8 }
        { last = $8; all = $4 }
        !half && $5 <= 50 { half = $4 }
        END { printf "%.4f %d %d", last, half, all }' real/convergence.csv)
    name=${method/laplace/Laplace}
    equal "AP, convergence of $method" "$row" "$(printed "$name")"
done

# Its picture there has the words and numbers on its axes that today's has.
grep '<text' real/convergence.svg >words
grep '<text' "$project/docs/images/study-convergence.svg" >printed-words
same words printed-words
