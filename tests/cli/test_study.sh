#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The paper's experiments on small made-up data of the same formats and, where the real
# ones are at hand ($DELAPLACE_DATA), the numbers that come out of those.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
needs compression

# ---- data ----

# arff ROWS FEATURES LABELS SEED: a table like those of Mulan.
arff() {
    awk -v rows="$1" -v features="$2" -v labels="$3" -v seed="$4" '
    BEGIN {
        srand(seed)
        print "@relation made-up"
        for (j = 1; j <= features; j++) print "@attribute Att" j " numeric"
        for (k = 1; k <= labels; k++) print "@attribute Class" k " {0,1}"
        print "@data"
        for (i = 0; i < rows; i++) {
            line = ""
            for (j = 1; j <= features; j++) {
                x[j] = int(2000 * rand() - 1000) / 1000
                line = line x[j] ","
            }
            for (k = 1; k <= labels; k++)
                line = line (x[1 + k % features] + rand() > 0.5) (k < labels ? "," : "")
            print line
        }
    }'
}

mkdir -p data/yeast data/scene data/school
arff 60 3 14 1 >data/yeast/yeast-train.arff
arff 40 3 14 2 >data/yeast/yeast-test.arff
arff 50 2 6 3 >data/scene/scene-train.arff
arff 30 2 6 4 >data/scene/scene-test.arff
awk 'BEGIN {
    srand(5)
    print "school,score,a,b"
    for (m = 1; m <= 5; m++)
        for (i = 0; i < 16; i++) {
            a = int(100 * rand()) / 100
            print m "," int(20 * a + m + 10 * rand()) "," a "," (i % 2)
        }
}' >data/school/school.csv
awk 'BEGIN {
    print "split1,split2,split3"
    for (i = 0; i < 80; i++) print (i % 4 > 0) "," (i % 4 != 2) "," (i % 3 > 0)
}' >data/school/school_splits.csv

# ---- what is printed and written ----

try 0 study table1 --data data -o one.csv
has out 'yeast: 14 labels'
has out 'laplace         over  jaakkola-jordan'
is_empty err
equal lines "$(wc -l <one.csv)" $((1 + (14 + 6) * 3))
equal header "$(head -n 1 one.csv)" \
    data,label,setting,method,accuracy,log_likelihood,log_likelihood_averaged,seconds,outcome
try 0 study table2 --data data -o two.csv
has out 'school: 3 splits'
has out 'hierarchical* delta'
equal lines "$(wc -l <two.csv)" $((1 + 3 * 11))

try 0 study table1 --data data -o again.csv --threads 1 --quiet
is_empty out
cut -d, -f1-7,9 one.csv >one
cut -d, -f1-7,9 again.csv >again
same one again
try 0 study table1 --data data -o - --json
cut -d, -f1-7,9 out >again
same one again

try 0 study table2 --data data --method laplace --json
equal study "$(json out study)" table2
equal arms "$(json out data 0 arms)" 4
equal setting "$(json out data 0 arms 3 setting)" 'hierarchical*'
equal printed "$(json out data 0 arms 2 printed_log_likelihood)" -0.54900000000000004
equal problem "$(json out data 0 problems 2)" split3
equal tests "$(json out data 0 tests)" 4

# ---- the same as fitting and scoring by hand ----

try 0 glm fit 'Class2 ~ Att1 + Att2 + Att3' --data data/yeast/yeast-train.arff -o fit.json \
    --method delta --prior-sd 1 -q
try 0 glm evaluate fit.json --data data/yeast/yeast-test.arff --json
wanted=$(printf '%.10g' "$(json out log_likelihood)")
equal "the log likelihood" "$(awk -F, '/^yeast,2,,delta/ { print $6 }' one.csv)" "$wanted"

paste -d, data/school/school.csv data/school/school_splits.csv |
    awk -F, 'NR > 1 { print $2 }' | sort -n | awk '{ x[NR] = $1 } END { print (x[40] + x[41]) / 2 }' >median
paste -d, data/school/school.csv data/school/school_splits.csv |
    awk -F, -v m="$(cat median)" '
    NR == 1 { print "school,a,b,good" > "train.csv"; print "school,a,b,good" > "test.csv"; next }
    { print $1 "," $3 "," $4 "," ($2 > m) > ($6 == 1 ? "train.csv" : "test.csv") }'
for groups in separate pooled hierarchical; do
    prior=(--prior-sd 1)
    if [[ $groups == hierarchical ]]; then prior=(--hyperprior paper); fi
    try 0 glm fit 'good ~ a + b' --group school --groups "$groups" "${prior[@]}" \
        --data train.csv -o fit.json --method laplace -q
    try 0 glm evaluate fit.json --data test.csv --json
    wanted=$(printf '%.8g' "$(json out log_likelihood)")
    got=$(awk -F, -v g="$groups" '$2 == 2 && $3 == g && $4 == "laplace" { print $6 }' two.csv)
    equal "the log likelihood of $groups" "$(printf '%.8g' "$got")" "$wanted"
done

# ---- the t-test, by its definition ----

try 0 study table1 --data data --json
awk -F, -v t="$(json out data 0 tests 0 log_likelihood t)" '
$1 == "yeast" { score[$2, $4] = $6 }
END {
    for (i = 1; i <= 14; i++) mean += (score[i, "laplace"] - score[i, "jaakkola-jordan"]) / 14
    for (i = 1; i <= 14; i++)
        s += (score[i, "laplace"] - score[i, "jaakkola-jordan"] - mean) ^ 2
    wanted = mean / sqrt(s / 13 / 14)
    exit !((t - wanted) ^ 2 < 1e-8 * wanted ^ 2)
}' one.csv || fail "t is $(json out data 0 tests 0 log_likelihood t)"
equal df "$(json out data 0 tests 0 log_likelihood df)" 13

# ---- packed files ----

gzip data/yeast/yeast-train.arff
xz data/yeast/yeast-test.arff
zstd -q --rm data/scene/scene-train.arff
try 0 study table1 --data data -o again.csv -q
cut -d, -f1-7,9 again.csv >again
same one again

# ---- what goes wrong ----

try 2 study
try 2 study table1
has err '--data'
try 2 study table1 --data data --method previous-mean
try 1 study table1 --data nowhere
has err 'nowhere/yeast/yeast-train.arff: no such file'
try 4 study table1 --data data -o /no/such/folder/out.csv
cp -r data bad
sed -i '3s/,.*//' bad/school/school_splits.csv
try 1 study table2 --data bad
head -n 60 data/school/school_splits.csv >bad/school/school_splits.csv
try 1 study table2 --data bad
has err 'there are 59 rows, but 80 in school/school.csv'
sed 's/^\(.\),[01]/\1,1/' data/school/school_splits.csv >bad/school/school_splits.csv
try 1 study table2 --data bad
has err 'school, split split2: every school needs a training row'
cp data/school/school_splits.csv bad/school
sed -i 's/^school,score/score,school/' bad/school/school.csv
try 1 study table2 --data bad
has err "the first columns must be 'school' and 'score'"
sed '2,17d' data/school/school.csv >bad/school/school.csv
sed -n '2,17p' data/school/school.csv >>bad/school/school.csv
try 1 study table2 --data bad
has err 'the rows must be sorted by school'
sed 's/^1,[0-9]*,/1,x,/' data/school/school.csv >bad/school/school.csv
try 1 study table2 --data bad
has err "column 'score' must be numeric, without missing values"
arff 30 2 7 4 >bad/scene/scene-test.arff
try 1 study table1 --data bad
has err 'have different columns'

# ---- the real data ----

real=${DELAPLACE_DATA-}
if [[ ! -d $real/yeast || ! -d $real/school ]]; then
    echo "the real data are not tried: DELAPLACE_DATA names no folder with them"
    exit 0
fi
if sanitised; then
    echo "the real data are not tried under a sanitizer, where they take minutes"
    exit 0
fi

# The rows of docs/study.md are those that the command prints. Of Table 2, whose other methods
# take 15 seconds, only Laplace's, unless DELAPLACE_LONG is set.

# documented TITLE: the rows of a section's tables, in the command's words.
documented() {
    sed -n "/^## $1/,/^##/p" "$project/docs/study.md" |
        grep -E '^\| (Yeast|Scene|separate|pooled|hierarchical)' |
        sed 's/Jaakkola and Jordan/jaakkola-jordan/g; s/|//g' | tr '[:upper:]' '[:lower:]' |
        tr -s ' ' | sed 's/^ //; s/ $//'
}
# printed: the same rows of out, whose tests have no methods of their own; those of Table 1
# after the name of their data, and means without the seconds.
printed() {
    awk '/^[a-z]+: [0-9]+ labels/ { data = substr($1, 1, length($1) - 1) " " }
         / over / || /^  [a-z].* -0[.]/ { if (!/ over /) NF--; $1 = $1; print data $0 }' out
}
# compare TITLE ROWS: every documented row is printed; there are as many as that.
compare() {
    documented "$1" | if [[ $3 ]]; then grep -vE "$3"; else cat; fi | sort >wanted
    printed | sort >got
    equal "rows of $1" "$(wc -l <wanted)" "$2"
    comm -23 wanted got >missing
    [[ ! -s missing ]] || fail "not printed: $(<missing)"
}
try 0 study table1 --data "$real"
compare 'Table 1' 12 ''
if [[ ${DELAPLACE_LONG-} ]]; then
    try 0 study table2 --data "$real"
    compare 'Table 2' 17 ''
else
    try 0 study table2 --data "$real" --method laplace
    compare 'Table 2' 8 'jaakkola-jordan|delta'
fi
