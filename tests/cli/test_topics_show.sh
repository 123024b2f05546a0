#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What is read off a topic model: topics show, topics effects, topics search-k.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
data=$project/tests/data
corpus=$data/packages.ldac

# close WHAT A B: the numbers agree to 1e-9.
close() {
    awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(d <= 1e-9 && d >= -1e-9) }' ||
        fail "$1 is $2, not $3"
}

try 0 topics fit "$corpus" -k 8 -o model --max-iter 200 --quiet

# ---- show ----

try 0 topics show model
has out "8 topics over 2093 terms, from 600 documents"
has out "share"
has out "frex"
has out "log ratios"
has out "--topic"
equal "the number of topics" "$(grep -c ' % .*prob ' out)" 8
awk 'length($0) > 100 { exit 1 }' out || fail "a line is too long"
awk '/ % .*prob/ { if (seen && $2 > last) exit 1; last = $2; seen = 1 }' out ||
    fail "topics are not in the order of their shares"

# The same bytes once more, and no colours or bars outside a terminal.
cp out first
try 0 topics show model
same out first
! grep -q $'\033' out || fail "escape sequences in a file"
! grep -q '##' out || fail "bars in a file"

# Words are words of the vocabulary, and a topic has as many as asked for.
try 0 topics show model --words 3 --json
cp out show.json
equal "K" "$(json show.json K)" 8
equal "a topic's words" "$(json show.json topics 0 words)" 3
word=$(json show.json topics 4 words 0 term)
grep -qxF "$word" "$data/packages.vocab" || fail "'$word' is not a word"
close "a topic's correlation with itself" "$(json show.json topics 2 correlations 2)" 1
close "symmetry" "$(json show.json topics 1 correlations 5)" \
    "$(json show.json topics 5 correlations 1)"
sum=0
for k in 0 1 2 3 4 5 6 7; do
    sum="$sum $(json show.json topics $k share)"
done
close "the sum of shares" \
    "$(tr ' ' '\n' <<<"$sum" | awk '{ s += $1 } END { printf "%.12f", s }')" 1
equal "coherence without a corpus" "$(json show.json mean_coherence)" null

# With the corpus, coherence; its terms are found by name, whatever their numbers.
try 0 topics show model --corpus "$corpus" --json
coherence=$(json out mean_coherence)
awk -v c="$coherence" 'BEGIN { exit !(c > -1 && c < 1) }' || fail "coherence $coherence"
try 0 corpus convert "$corpus" -o triplets.csv
try 0 topics show model --corpus triplets.csv --json
close "coherence by names" "$(json out mean_coherence)" "$coherence"
try 0 topics show model --corpus "$corpus"
has out "coherence  exclusivity"
has out "Mean coherence"

# One topic.
try 0 topics show model --topic 3 --words 5 --documents 4
has out "Topic 3 makes up"
has out "by FREX"
has out "documents that show it most"
try 0 topics show model --topic 3 --documents 4 --json
equal "topics shown" "$(json out topics)" 1
equal "documents shown" "$(json out topics 0 documents)" 4

try 1 topics show nowhere
has err "nowhere"
try 2 topics show model --topic 9
has err "topics 1 to 8"
try 2 topics show model --vocab words
has err "--corpus"

# ---- effects ----

try 2 topics effects model "$corpus"
has err "covariates"
try 2 topics effects model "$corpus" --covariates "$data/packages.csv"
has err "--formula"
try 0 topics effects model "$corpus" --covariates "$data/packages.csv" \
    --formula '~ section' -o effects.csv --draws 10 --threads 1
has out "sectiongames"
has out "Written to effects.csv"
has out "The intercept is a share in per cent, where every factor is at its reference."
has out "95 % interval"
has out "in percentage points, from 10 draws"
# For people per cent, in files shares from 0 to 1.
close "per cent" "$(awk '$1 == "sectiongames" { print $2 / 100; exit }' out)" \
    "$(awk -F, '$2 == "sectiongames" { printf "%.3e", $3; exit }' effects.csv)"
equal "the header" "$(head -1 effects.csv)" "topic,term,mean,sd,lower,upper"
equal "rows" "$(wc -l <effects.csv)" 65 # 8 topics, 8 sections

# Far from 0 an intercept is no share, and that is said.
awk 'BEGIN { print "year" } { print 2000 + NR % 9 }' "$corpus" >years.csv
try 0 topics effects model "$corpus" --covariates years.csv --formula '~ year' --draws 10 --splits 0 --topic 1
has out "where every number is 0"
has out "'scale(year)' in the formula puts 0 at the"
try 0 topics effects model "$corpus" --covariates years.csv --formula '~ scale(year)' --draws 10 --splits 0
! grep -q 'puts 0 at' out || fail "scale() suggested twice"

# Shares sum to 1, so the effects of a term sum to 0 over topics, the intercepts to 1.
awk -F, 'NR > 1 { sum[$2] += $3 }
    END { for (t in sum) { d = sum[t] - (t == "(Intercept)"); if (d*d > 1e-14) exit 1 } }' \
    effects.csv || fail "effects do not sum to 0 over topics"

# The same bytes at any number of threads.
try 0 topics effects model "$corpus" --covariates "$data/packages.csv" \
    --formula '~ section' -o - --draws 10 --threads 3
same out effects.csv
try 0 topics effects model "$corpus" --covariates "$data/packages.csv" \
    --formula '~ section' --draws 10 --splits 0 --topic 2 --json
close "the mean" "$(json out effects 1 mean)" \
    "$(awk -F, '$1 == 2 { if (++n == 2) print $3 }' effects.csv)"

# Shares over a covariate, and by groups: those of all topics sum to 1, differences to 0.
awk 'BEGIN { print "year,half" } { print 2000 + NR % 9 "," (NR % 2 ? "odd" : "even") }' "$corpus" >halves.csv
curve=(topics effects model "$corpus" --covariates halves.csv --formula '~ half * s(year)' --draws 10 --splits 0)
try 0 "${curve[@]}" --of year --by half -o curve.csv --svg curve.svg
has out "~ half * bs(year, df = 8)"
has out "Shares of topics in per cent, by 'year'"
equal "the header" "$(head -1 curve.csv)" "topic,year,half,mean,sd,lower,upper"
equal "rows" "$(wc -l <curve.csv)" 145 # 8 topics, 9 years, 2 halves
awk -F, 'NR > 1 { sum[$2 $3] += $4 } END { for (t in sum) if ((sum[t] - 1)^2 > 1e-14) exit 1 }' \
    curve.csv || fail "shares do not sum to 1 over topics"
has curve.svg "all other covariates as they are"
try 0 "${curve[@]}" --of year --by half --differences --topic 2 --json --reference half=odd
equal "the group that is compared with the reference" "$(json out points 0 by)" even
try 2 "${curve[@]}" --of section
has err "no column 'section', but 'year', 'half'"
try 2 "${curve[@]}" --by half
has err "--of COLUMN"
try 2 "${curve[@]}" --of year --differences
has err "--by COLUMN"

# The formula of the fit is the default.
try 0 topics fit "$corpus" -k 4 -o guided --max-iter 200 --quiet \
    --covariates "$data/packages.csv" --formula '~ section'
try 0 topics effects guided "$corpus" --covariates "$data/packages.csv" --draws 10 --splits 0
has out "~ section"
has out "sectionsound"
has out "The reference is 'database' of section."
try 0 topics effects guided "$corpus" --covariates "$data/packages.csv" --draws 10 --splits 0 \
    --svg effects.svg -q
has effects.svg "instead of the reference (&#39;database&#39;"
try 0 topics effects guided "$corpus" --covariates "$data/packages.csv" --draws 10 --splits 0 \
    --topic 2 --svg effect.svg -q
has effect.svg ">mean<"
awk -F, -v OFS=, '{ print $0, NR == 1 ? "x" : NR % 7 }' "$data/packages.csv" >numbers.csv
try 0 topics effects guided "$corpus" --covariates numbers.csv --draws 10 --splits 0 --formula '~ x'
! grep -q "The reference is" out || fail "numbers have no reference"
try 0 topics show guided
has out "~ section"

# A column that says nothing is named.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "one" : 7 }' "$data/packages.csv" >one.csv
try 1 topics effects model "$corpus" --covariates one.csv --formula '~ section + one'
has err ", 'one', is constant; leave it out"
try 1 topics fit "$corpus" -k 4 -o none --covariates one.csv --formula '~ one'
has err "covariate 2, 'one', is constant"
try 1 topics effects model "$corpus" --covariates "$data/packages.csv" --formula '~ sektion'
has err "sektion"
head -500 "$data/packages.csv" >short.csv
try 1 topics effects model "$corpus" --covariates short.csv --formula '~ section'
has err short.csv
try 2 topics effects model "$corpus" --covariates "$data/packages.csv" \
    --formula '~ 0 + section'
has err "intercept"

# ---- topics that are clusters ----

try 0 topics fit "$corpus" -k 8 -o clusters --method delta
has out "topics are clusters"
has out "Use --method laplace"
try 0 topics show clusters
has out "topics are clusters"
try 0 topics show clusters --json
equal clusters "$(json out mixing clusters)" true
try 0 topics show model
grep -q clusters out && fail "doubts a fit that is fine"
try 0 topics show model --json
equal clusters "$(json out mixing clusters)" false

# ---- documents that are short for so many topics: told beside correlations ----

try 0 simulate ctm -k 8 --terms 100 --documents 300 --words 15 --seed 3 -o brief.ldac
try 0 topics fit brief.ldac -k 8 -o brief --max-iter 300
has out "documents are short for so many topics"
for detail in "" "--topic 2"; do
    # shellcheck disable=SC2086
    try 0 topics show brief $detail
    sed '1,/95 % interval/d' out >after
    has after "documents are short for so many topics"
done
try 0 topics show brief --correlations 0
! grep -q "documents are short" out || fail "doubts correlations that are not shown"
try 0 topics show brief --json
equal "few words" "$(json out mixing few_words)" true
largest=$(json out mixing largest_words)
try 0 topics show brief --svg brief.svg -q
has brief.svg "Documents are short for so many topics"
try 0 report brief -o brief.html
has brief.html '"few_words":true'
# Topics that are shown as one are as doubtful as they were.
try 0 topics merge brief 1+2+3+4+5+6 -o fewer
try 0 topics show fewer --json
equal "words of the largest topic of the fit" "$(json out mixing largest_words)" "$largest"
equal "few words, merged" "$(json out mixing few_words)" true
# Words that are assigned on average: another doubt, and narrower intervals, everywhere the same.
try 0 topics fit brief.ldac -k 8 -o averaged --assign average --max-iter 300
has out "other topics may fit as well"
equal assign "$(json averaged/model.json settings assign)" average
try 0 topics show averaged --json
equal averaged "$(json out mixing averaged)" true
try 0 topics show averaged --svg averaged.svg -q
has averaged.svg "other topics may fit as well"
try 0 report averaged -o averaged.html
has averaged.html '"averaged":true'
try 0 topics fit brief.ldac -k 8 -o dirichlet --prior dirichlet --max-iter 300
! grep -q "documents are short" out || fail "doubts correlations that do not exist"
try 0 topics show model --json
equal "few words" "$(json out mixing few_words)" false
try 0 topics show model --svg fine.svg -q
! grep -q "are short" fine.svg || fail "doubts a fit that is fine"

# ---- search-k ----

try 0 topics search-k "$corpus" -k 3,5 -o k.csv --max-iter 300
has out "held-out"
has out "*"
has out "Held-out is best at K = 5 (*), coherence at K = "
has out "Held-out still grows at the largest K, where topics are less coherent than at K = 3:"
has out "No smaller K comes within 0.5 % of it."
has out " -k 5 -o model"
equal "the header" "$(head -1 k.csv)" \
    "K,log_evidence_per_word,heldout_per_word,coherence,exclusivity,iterations,outcome,seconds,dispersion,heldout_sd,coherence_sd,exclusivity_sd,dispersion_sd"
has out "Written to k.csv"
equal "the rows" "$(cut -d, -f1 k.csv | tail -n +2 | tr '\n' ' ')" "3 5 "
try 0 topics search-k "$corpus" --topics 3,5 --json --threads 2
cut -d, -f1-7 k.csv | sed -n 3p >first
equal "documents" "$(json out train D)" 480
close "the held-out likelihood" "$(json out fits 1 heldout_per_word)" "$(cut -d, -f3 first)"

equal "the best" "$(json out best_held_out)" 5
equal "the suggested" "$(json out suggested)" 5
equal "the most coherent" "$(json out best_coherence)" \
    "$(tail -n +2 k.csv | sort -t, -k4gr | head -1 | cut -d, -f1)"
# From too many topics down to fewer that are close: the fewest of these is suggested.
many=30,5,3,20
if sanitised; then many=10,3; fi
try 0 topics search-k "$corpus" -k $many --max-iter 300 -o many.csv --json
awk -F, 'NR > 1 { K[NR] = $1; held[NR] = $3; if (!best || $3 > held[best]) best = NR }
    END { n = K[best]
          for (i in K) if (held[best] - held[i] <= -0.002 * held[best] && K[i] < n) n = K[i]
          print K[best], n }' many.csv >wanted
equal "best and suggested" "$(json out best_held_out) $(json out suggested)" "$(cat wanted)"
try 0 topics search-k "$corpus" -k 3 --max-iter 300
! grep -q 'worth trying' out || fail "of one number nothing is the largest"

# It is that of topics evaluate on the same split, but for the settings of the fit.
try 0 corpus split "$corpus" --every 5 -o train.ldac --test test.ldac
try 0 topics fit train.ldac -k 5 -o five --quiet --max-iter 300
try 0 topics evaluate five test.ldac --json
awk -v a="$(json out heldout_per_word)" -v b="$(cut -d, -f3 first)" \
    'BEGIN { d = a - b; exit !(d < 0.05 && d > -0.05) }' || fail "evaluate differs"

for list in "" 1 "5," ",5" "5,x" "5,,6" 99999 -3; do
    try 2 topics search-k "$corpus" "--k=$list"
    has err "--k"
done
try 3 topics search-k "$corpus" -k 3 --max-iter 2
has out "max-iterations"
echo "1 0:1" >tiny.ldac
try 1 topics search-k tiny.ldac -k 2
has err "tiny.ldac: there is 1 document, but a search needs some to fit and some to hold out"
for _ in 1 2 3 4 5 6; do echo "2 0:2 1:1"; done >few.ldac
try 0 topics search-k few.ldac -k 2,9 --max-iter 1000
has err "few.ldac: 5 documents are too few to tell 9 topics apart; try -k 2"
try 0 topics search-k few.ldac -k 2,9 --max-iter 1000 -q
is_empty err
