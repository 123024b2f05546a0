#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace topics fit, infer and evaluate: what is asked for, what is written, what is
# printed.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/topics.sh
source "$(dirname "$0")/topics.sh"

# The folder, and what is said about it.
try 0 "${fit[@]}" -o model
is_empty err
has out "4 topics over 2093 terms, from 600 documents of 24500 words."
has out "The fit by Laplace's method from spectral topics converged after"
has out "Written to model"
has out "delaplace topics show model"
cd model && files=(*) && cd ..
equal files "${files[*]}" \
    "beta.npy model.json mu.npy sigma.npy theta.npy trace.csv vocab.txt"
equal format "$(json model/model.json format)" delaplace-topics
equal version "$(json model/model.json version)" 1
equal K "$(json model/model.json K)" 4
equal V "$(json model/model.json V)" 2093
equal D "$(json model/model.json D)" 600
equal words "$(json model/model.json words)" 24500
equal method "$(json model/model.json method)" laplace
equal outcome "$(json model/model.json outcome)" converged
equal covariates "$(json model/model.json covariates)" null
equal bytes "$(json model/model.json files theta.npy bytes)" $((128 + 600 * 4 * 8))
same model/vocab.txt "$project/tests/data/packages.vocab"
equal header "$(head -1 model/trace.csv)" \
    iteration,log_evidence_per_word,change,moved,evaluations,unsettled,seconds,bound_per_word
equal rows "$(wc -l <model/trace.csv)" $(($(json model/model.json iterations) + 1))
equal "log evidence" "$(tail -1 model/trace.csv | cut -d, -f2)" \
    "$(json model/model.json log_evidence_per_word)"
equal "the name that scripts rely on" "$(json model/model.json bound_per_word)" \
    "$(json model/model.json log_evidence_per_word)"
if grep -q seconds model/model.json; then fail "a time in a file that is to repeat"; fi

# The same bytes again: over the old model, at other numbers of threads, from other bytes.
cp -r model first
try 0 "${fit[@]}" -o model/ --json
same_model first model
equal iterations "$(json out iterations)" "$(json model/model.json iterations)"
equal outcome "$(json out outcome)" converged
equal "log evidence" "$(json out log_evidence_per_word)" "$(json model/model.json log_evidence_per_word)"
json out seconds >/dev/null
for threads in 1 2 3; do
    try 0 "${fit[@]}" -o threads --threads $threads -q
    is_empty out
    same_model first threads
done
if can compression; then
    xz -c "$packages" >packages.xz
    try 0 topics fit packages.xz -k 4 --vocab "$project/tests/data/packages.vocab" -o unxz -q
    same_model first unxz
fi

# Options affect the result.
for options in '--method delta' '--method blei-lafferty' '--init random' \
    '--init random --seed 2' '--smooth 1' '--shrink 0.5' --diagonal '--route plain'; do
    # shellcheck disable=SC2086 # words of their own
    try 0 "${fit[@]}" -o other -q --tol 1e-4 $options
    if cmp -s first/beta.npy other/beta.npy; then fail "$options changes nothing"; fi
done
equal route "$(json other/model.json settings route)" plain

# From another model: fewer steps to the same place; also over another vocabulary.
try 0 "${fit[@]}" -o end --tol 2e-6 -q
try 0 "${fit[@]}" -o again --tol 2e-6 --init end --json
(($(json out iterations) < $(json end/model.json iterations))) ||
    fail "a model is no better start than none"
near bound "$(json out log_evidence_per_word)" "$(json end/model.json log_evidence_per_word)" 2e-4
try 0 corpus convert "$packages" -o renumbered.csv -q
try 0 topics fit renumbered.csv -k 4 -o again --tol 2e-6 --init end --json
near bound "$(json out log_evidence_per_word)" "$(json end/model.json log_evidence_per_word)" 2e-4
try 1 topics fit "$packages" -k 3 -o again --init first
has err "has 4 topics"

# Without convergence: written, marked, and continued.
try 3 "${fit[@]}" -o short --max-iter 3
has out "stopped before convergence after 3 iterations"
has out "--resume"
equal outcome "$(json short/model.json outcome)" max-iterations
has short/model.json '"tol": 2e-05, ' # as it was typed
try 0 topics show short
has out "The fit by Laplace's method stopped before convergence after 3 iterations."
try 0 topics show short --topic 1
awk '/by probability/ { getline; exit !($3 == "%" && $2 > 0.1) }' out || fail "words have no per cent"
[[ -e short/checkpoint ]] || fail "nothing to continue from"

# Seeded topics: in their places, with their words; a checkpoint of other seeds is another fit's.
printf '# topics\ngames: game player xyzzy\n\nfonts: font\n' >seeds.txt
try 0 "${fit[@]}" -o seeded --seeds seeds.txt --max-iter 300
has err "seeds.txt: the corpus does not have 'xyzzy'"
try 0 topics show seeded --topic 1
has out "game"
has out "player"
try 3 "${fit[@]}" -o seeded --seeds seeds.txt --max-iter 3
printf 'game\n' >seeds.txt
try 1 "${fit[@]}" -o seeded --seeds seeds.txt --max-iter 5 --resume
printf 'xyzzy\n' >seeds.txt
try 1 "${fit[@]}" -o seeded --seeds seeds.txt
has err "seeds.txt:1: the corpus has none of these words"

# Fixed topics keep their words; labels of a fit.
printf '1: first\n3: third, "so"\n' >labels.txt
try 0 "${fit[@]}" -k 5 --init first --fixed 1,3 --labels labels.txt -o fixed --max-iter 300
try 0 topics label fixed
has out "    3  third, \"so\""
has out "3 topics have no label."
for k in 1 3; do
    try 0 topics export first --words - --top 5
    grep "^$k," out >was
    try 0 topics export fixed --words - --top 5
    grep "^$k," out | sed 's/,[^,]*first$//; s/,"third, ""so"""$//' | cut -d, -f1-2 >is
    cut -d, -f1-2 was | same - is
done
try 2 "${fit[@]}" -o fixed --fixed 1
has err "--init MODEL"
try 2 "${fit[@]}" -o fixed --init first --fixed 9
has err "there is no topic 9 to keep"

# Merged topics: shares are added, in tables, documents and effects; all can be taken back.
cp -r first merged
try 0 topics label merged labels.txt
try 0 topics merge merged 2+4
has out "      2  2+4"
try 0 topics infer merged "$packages" -o shares.csv -q
try 0 topics infer first "$packages" -o apart.csv -q
paste -d, shares.csv apart.csv | awk -F, 'NR > 1 && ($3 - $7 - $9) ^ 2 > 1e-10 { exit 1 }' ||
    fail "shares of merged topics are not sums"
try 0 topics show merged --json
equal merged "$(json out topics 1 merged 1)" 4
equal label "$(json out topics 2 label)" 'third, "so"'
try 0 topics evaluate merged "$packages" --json
cp out with
try 0 topics evaluate first "$packages" --json
same with out
try 0 topics merge merged --undo -q
try 0 topics label merged --remove -q
same_model first merged
try 2 topics merge merged 2+9
has err "there is no topic 9"
try 2 topics merge merged 2
has err "does not name topics to merge"
try 1 topics label merged /dev/null
try 0 topics export first --documents gamma.csv
equal rows "$(wc -l <gamma.csv)" 2401
equal head "$(head -1 gamma.csv)" document,topic,gamma
awk -F, 'NR > 1 { s[$1] += $3 } END { for (d in s) if ((s[d] - 1) ^ 2 > 1e-9) exit 1 }' gamma.csv ||
    fail "shares of a document do not add up to 1"

# Several starts: the best is kept, and is a fit like any.
try 0 "${fit[@]}" -o best --restarts 1 --tol 1e-3 --json
equal kept "$(json out starts 0 kept)" true
equal seed "$(json out starts 1 seed)" 2
try 2 "${fit[@]}" -o best --restarts 1 --resume
try 0 topics stability best "$packages" --starts 1 --splits 1 --keep --json
equal topics "$(json out topics 3 topic)" 4
awk -v x="$(json out topics 0 halves mean)" 'BEGIN { exit !(x > 0 && x < 1) }' || fail "no similarity"
equal kept "$(json best/model.json stability halves fits)" 2

# Topics that drift: slices from a column, words and shares over them, the same bytes after a stop.
awk 'BEGIN { print "when,x"; for (d = 0; d < 600; d++) print int(d / 150) + 2001 "," d }' >when.csv
drifting=("${fit[@]}" --covariates when.csv --time when --tol 1e-3)
try 0 "${drifting[@]}" -o drifting
has out "Topics drift over 4 slices"
equal slices "$(paste -sd ' ' drifting/slices.txt)" "2001 2002 2003 2004"
equal column "$(json drifting/model.json time column)" when
try 0 topics show drifting --topic 2
has out "when           share  most probable words"
has out "  2004 "
try 0 topics show drifting --topic 2 --json
equal slice "$(json out topics 0 time 3 slice)" 2004
awk -v l="$(json out topics 0 time 0 words 0 lower)" -v p="$(json out topics 0 time 0 words 0 probability)" \
    'BEGIN { exit !(l > 0 && l < p) }' || fail "no interval"
try 0 topics export drifting --over-time time.csv --top 3
equal rows "$(wc -l <time.csv)" $((4 * 4 * 3 + 1))
try 0 report drifting -o report.html
try 0 topics infer drifting "$packages" -o shares.csv -q
try 3 "${drifting[@]}" -o stopped --max-iter 4
try 0 "${drifting[@]}" -o stopped --resume -q
sed -i '/"max_iter"/d' drifting/model.json stopped/model.json
same_model drifting stopped
try 2 topics merge drifting 1+2
try 2 "${fit[@]}" -o drifting --time when
try 2 "${fit[@]}" -o drifting --slices 4
try 1 "${fit[@]}" -o drifting --covariates when.csv --time x
has err "--slices"
try 2 topics export first --over-time time.csv

# Words that differ by group: side by side, the same bytes after a stop, new documents with and
# without their group.
awk 'BEGIN { print "side"; for (d = 0; d < 600; d++) print d % 2 ? "even" : "odd" }' >side.csv
grouped=("${fit[@]}" --covariates side.csv --content side --tol 1e-3)
try 0 "${grouped[@]}" -o grouped
has out "Words of topics differ by 2 groups of side"
equal groups "$(paste -sd ' ' grouped/groups.txt)" "even odd"
equal column "$(json grouped/model.json content column)" side
try 0 topics show grouped
has out "words that it uses more than others do, in all topics"
try 0 topics show grouped --topic 2
has out "words that it uses more than others do in this topic"
try 0 topics show grouped --topic 2 --json
equal group "$(json out topics 0 groups 1 group)" odd
awk -v l="$(json out topics 0 groups 0 words 0 lower)" -v u="$(json out topics 0 groups 0 words 0 upper)" \
    'BEGIN { exit !(l < u) }' || fail "no interval"
try 0 topics export grouped --by-group groups.csv --top 3
equal rows "$(wc -l <groups.csv)" $((2 * 4 * 3 + 1))
try 0 report grouped -o report.html
grep -q '"variable": *"side"' report.html || fail "no groups in the report"
try 0 topics infer grouped "$packages" -o shares.csv --covariates side.csv
! grep -qF "mean of its groups" err || fail "groups were not found"
try 0 topics infer grouped "$packages" -o without.csv
has err "read with the mean of its groups"
cmp -s shares.csv without.csv && fail "groups do not count"
sed '2s/.*/neither/' side.csv >strange.csv
try 0 topics evaluate grouped "$packages" --covariates strange.csv --json
has err "1 document has no 'side' that the model knows"
try 0 topics effects grouped "$packages" --covariates side.csv --formula '~ side' --draws 5 -q
try 3 "${grouped[@]}" -o stopped-groups --max-iter 4
try 0 "${grouped[@]}" -o stopped-groups --resume -q
sed -i '/"max_iter"/d' grouped/model.json stopped-groups/model.json
same_model grouped stopped-groups
try 2 topics merge grouped 1+2
has err "cannot be merged"
try 2 topics stability grouped "$packages" --starts 1 --splits 0 -q
has err "differ by group"
try 2 "${fit[@]}" -o grouped --content side
try 2 "${fit[@]}" -o grouped --covariates when.csv --content when --time when
try 1 "${fit[@]}" -o grouped --covariates when.csv --content x
has err "more than 100 values"
try 2 topics export first --by-group groups.csv

# A Dirichlet prior, with covariates: the same bytes after a stop; what it has no answer to is refused.
lda=("${fit[@]}" --prior dirichlet --tol 1e-3 --covariates side.csv --formula '~ side')
try 0 "${lda[@]}" -o lda
has out "variational Bayes under a Dirichlet prior"
equal method "$(json lda/model.json method)" dirichlet
try 0 topics show lda --topic 1
try 0 topics infer lda "$packages" -o shares.csv --covariates side.csv --uncertainty -q
try 0 topics evaluate lda "$packages" --covariates side.csv --json
try 0 report lda -o report.html
try 2 topics effects lda "$packages" --covariates side.csv
has err "Dirichlet"
try 2 topics merge lda 1+2
has err "Dirichlet"
try 3 "${lda[@]}" -o stopped-lda --max-iter 3
try 0 "${lda[@]}" -o stopped-lda --resume -q
sed -i '/"max_iter"/d' lda/model.json stopped-lda/model.json
same_model lda stopped-lda
try 2 "${fit[@]}" -o lda --prior dirichlet --method delta

# Held-out likelihood. A model knows its own documents better than one of few iterations.
try 0 topics evaluate first "$packages" --json
equal documents "$(json out documents)" 600
equal unseen "$(json out unseen_words)" 0
words=$(json out words)
((words > 11000 && words <= 12250)) || fail "$words words are not half of them"
heldout=$(json out heldout_per_word)
awk -v x="$heldout" 'BEGIN { exit !(x > -7 && x < -5) }' || fail "$heldout per word"
cp out whole
try 0 topics evaluate first "$packages" --threads 3 --json
same out whole
equal halves "$(json out halves)" sorted

# Halves drawn at random are of the same length, follow the seed and not the threads, and
# are harder to predict: a word's second occurrence is not always in the other half.
try 0 topics evaluate first "$packages" --halves random --json
equal "words of random halves" "$(json out words)" "$words"
equal halves "$(json out halves)" random
awk -v x="$heldout" -v y="$(json out heldout_per_word)" 'BEGIN { exit !(y < x && y > x - 0.5) }' ||
    fail "random halves are no harder"
cp out random
try 0 topics evaluate first "$packages" --halves random --threads 3 --json
same out random
try 0 topics evaluate first "$packages" --halves random --seed 2 --json
cmp -s out random && fail "the seed does not matter"
try 0 topics evaluate short "$packages" --json
awk -v x="$heldout" -v y="$(json out heldout_per_word)" 'BEGIN { exit !(y < x) }' ||
    fail "few iterations are better than many"
try 0 topics evaluate first "$packages"
has out "per word, held out"
has out "in the halves that are scored"

# The terms by their names, in any order; others are unseen.
try 0 topics evaluate first renumbered.csv --json
near "held-out by name" "$(json out heldout_per_word)" "$heldout" 0.05
{
    echo document,term,count
    printf '%s\n' 'a,library,2' 'a,no such term,3' 'a,data,1' 'b,file,2' 'b,system,2'
} >new.csv
try 0 topics evaluate first new.csv --json
equal documents "$(json out documents)" 2
equal unseen "$(json out unseen_words)" 3
# Without names, by their numbers.
printf '2 0:3 5000:2\n2 1:1 2:4\n' >numbers.ldac
try 0 topics evaluate first numbers.ldac --json
equal unseen "$(json out unseen_words)" 2

# Proportions: a row per document, sums of 1, with names where there are any.
try 0 topics infer first "$packages" -o proportions.csv
has out "Proportions of 4 topics in 600 documents."
equal header "$(head -1 proportions.csv)" document,topic1,topic2,topic3,topic4
equal rows "$(wc -l <proportions.csv)" 601
awk -F, 'NR > 1 && ($2 + $3 + $4 + $5 - 1) ^ 2 > 1e-9 { exit 1 }' proportions.csv ||
    fail "proportions do not sum to 1"
awk -F, 'NR > 1 && $1 != NR - 1 { exit 1 }' proportions.csv || fail "documents' numbers"
try 0 topics infer first "$packages" -o uncertain.csv --uncertainty --threads 2 --json
equal documents "$(json out D)" 600
equal header "$(head -1 uncertain.csv | cut -d, -f5-7)" topic4,topic1_sd,topic2_sd
cut -d, -f1-5 uncertain.csv >means
same means proportions.csv
awk -F, 'NR > 1 { for (i = 6; i <= 9; i++) if (!($i > 0 && $i < 0.5)) exit 1 }' \
    uncertain.csv || fail "standard deviations"
for threads in 1 3; do
    try 0 topics infer first "$packages" -o - --uncertainty --threads $threads
    same out uncertain.csv
done
try 0 topics infer first new.csv -o named.csv
has out "3 of 10 words are not in the model's vocabulary"
equal names "$(cut -d, -f1 named.csv | tr '\n' ' ')" "document a b "
# A document without words is what the prior says.
echo 0 >empty.ldac
try 0 topics infer first empty.ldac -o prior.csv --uncertainty
awk -F, 'NR > 1 && !($2 > 0 && $6 > 0) { exit 1 }' prior.csv || fail "the prior"

# Names of documents stay.
try 0 corpus convert "$packages" -o named.ldac -q
awk '{ print "doc " NR }' named.ldac >named.docs
try 0 topics fit named.ldac -k 4 -o named -q
same named/docs.txt named.docs
same named/beta.npy first/beta.npy
try 0 topics infer named named.ldac -o named.csv -q
equal name "$(sed -n 2p named.csv | cut -d, -f1)" "doc 1"

# Covariates: rows in order, or by name in any order; the model needs them again.
awk -v OFS=, 'BEGIN { print "section", "year" }
    { print (NR % 3 ? "lib" : "app"), 2000 + NR % 7 }' named.ldac >covariates.csv
with=(--covariates covariates.csv --formula '~ section + year')
try 0 topics fit "$packages" -k 4 -o regression -q "${with[@]}"
equal column "$(json regression/model.json covariates columns 1)" sectionlib
[[ -e regression/gamma.npy ]] || fail "no gamma.npy"
{
    echo document,section,year
    paste -d, named.docs <(tail -n +2 covariates.csv) | tac
    echo extra,app,1999
} >by_name.csv
try 0 topics fit named.ldac -k 4 -o by_name -q --covariates by_name.csv \
    --formula '~ section + year'
same by_name/gamma.npy regression/gamma.npy
try 0 topics evaluate regression "$packages" --covariates covariates.csv --json
near "held-out with covariates" "$(json out heldout_per_word)" "$heldout" 0.1
try 0 topics infer regression "$packages" --covariates covariates.csv -o c.csv -q
try 2 topics infer regression "$packages" -o c.csv
has err "the model was fitted with covariates, ~"
try 2 topics evaluate first "$packages" --covariates covariates.csv
has err "the model has no covariates"
# The next model of the folder has none: no gamma.npy stays behind.
try 0 "${fit[@]}" -o regression -q
same_model first regression
