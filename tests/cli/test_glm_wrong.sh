#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace glm: what is refused, with which words and which exit code, and nothing
# written.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
challenger=$project/data/challenger.csv

# wrong CODE TEXT FORMULA OPTION...: the fit ends with CODE and a message that holds TEXT.
wrong() {
    local code=$1 text=$2 formula=$3
    shift 3
    try "$code" glm fit "$formula" --data "$challenger" -o fit.json "$@"
    is_empty out
    has err "$text"
    [[ ! -e fit.json ]] || fail "it wrote a file"
}

# Formulas: the message points at the place.
wrong 1 "unknown column 'temprature'; did you mean 'temperature'?" 'distress ~ temprature'
has err "             ^"
wrong 1 "expected a variable, found the end" 'distress ~ temperature +'
wrong 1 "write '~' between response and terms" 'distress = temperature'
wrong 1 "unknown column 'Temperature'; did you mean 'temperature'?" 'distress ~ Temperature'
wrong 1 "challenger.csv: formula:1:12: unknown column 'zzz'; the 6 columns are flight, " \
    'distress ~ zzz'
wrong 1 "formula:1:1" ''
wrong 1 "neither terms nor an intercept" 'distress ~ 0'
wrong 1 "log() takes numbers above 0" 'distress ~ log(damaged)'
wrong 1 "is also on the right side" 'distress ~ distress'

# Responses and families that do not go together.
wrong 1 "has categories ('no', 'yes', ...), and family poisson needs numbers" \
    'distress ~ temperature' --family poisson
wrong 1 "has 23 levels" 'flight ~ temperature' --family bernoulli
wrong 1 "row 14: the response is 3; for family bernoulli it must be 0 or 1" \
    'damaged ~ temperature' --family bernoulli
wrong 1 "for family gamma it must be positive" 'damaged ~ temperature' --family gamma
wrong 1 "which is for family binomial or beta-binomial, not gaussian" \
    'cbind(damaged, sound) ~ temperature' --family gaussian
wrong 1 "is computed, and family ordinal needs a column" 'log(temperature) ~ damaged' \
    --family ordinal
wrong 1 "family ordinal has no place for offset()" 'damaged ~ offset(temperature)' \
    --family ordinal
wrong 2 "family bernoulli has no link log; it has logit, probit, cloglog" \
    'distress ~ temperature' --link log
wrong 2 "jaakkola-jordan bounds the logistic likelihood only" 'distress ~ temperature' \
    --link probit --method jaakkola-jordan
wrong 2 "jaakkola-jordan" 'damaged ~ temperature' --family poisson --method jaakkola-jordan
wrong 1 "has a level 'yes' too" 'distress ~ temperature' --levels no
wrong 1 "has no level 'maybe'" 'distress ~ temperature' --levels no,maybe
wrong 1 "names 'no' twice" 'distress ~ temperature' --levels no,no
wrong 2 "an order of levels needs a response with levels" 'damaged ~ temperature' --levels 0,1

# The command line.
wrong 2 "did you mean negative-binomial?" 'damaged ~ 1' --family negative-binomal
wrong 2 "--prior-sd needs a number above 0" 'damaged ~ 1' --prior-sd 0
wrong 2 "--prior-df needs a number above 0" 'damaged ~ 1' --prior-df=-1
wrong 2 "--method needs one of auto, laplace, delta, previous-mean, jaakkola-jordan" \
    'damaged ~ 1' --method nuts
wrong 2 "--threads needs a whole number from 0 to 1024" 'damaged ~ 1' --threads 1025
wrong 2 "--format needs one of auto, csv, tsv, arff, svmlight" 'damaged ~ 1' --format xls
wrong 2 "--missing needs one of drop, error" 'damaged ~ 1' --missing keep
try 2 glm fit
has err "FORMULA is missing"
try 2 glm fit 'y ~ x' -o fit.json
has err "--data FILE is missing"
try 2 glm fit 'y ~ x' --data "$challenger"
has err "--output FIT.json is missing"
try 2 glm show
has err "FIT.json is missing"
try 2 glm predict fit.json --data "$challenger"
has err "--output OUT.csv is missing"
try 2 glm predict fit.json --data "$challenger" -o out.csv --unseen keep
has err "--unseen needs one of error, drop, population, population,drop"

try 2 glm fit 'distress ~ temperature' --data "$challenger" -o - --json
has err "--json and --output - cannot be combined"
try 2 glm predict fit.json --data "$challenger" -o - --json
has err "--json and --output - cannot be combined"
try 2 glm show fit.json --svg - --json
has err "--json and --svg - cannot be combined"
try 2 glm evaluate fit.json --data "$challenger" --svg - --json
has err "--json and --svg - cannot be combined"

# Decimal commas, thousands and dates are no categories; few dates, and texts with commas, may be.
{
    echo 'y;comma;thousand;day;some;list'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        echo "$((i * 7 % 5));$i,$((i * 3 % 10));1 $((100 + i));2024-03-$((10 + i));2024-03-0$((i % 3));a,$((i % 3))"
    done
} >notation.csv
for column in comma thousand; do
    try 1 glm fit "y ~ $column" --data notation.csv -o notation.json
    has err "column '$column' has numbers with commas or gaps"
done
# the blanks and the minus of typesetters
awk 'BEGIN { print "y;thin;minus"; for (i = 1; i < 13; i++)
    printf "%d;%d\342\200\257%d;\342\210\222%d.5\n", i * 7 % 5, i, 100 + i, i * i % 11 }' >typeset.csv
for column in thin minus; do
    try 1 glm fit "y ~ $column" --data typeset.csv -o notation.json
    has err "column '$column' has numbers with commas or gaps"
done
# percents and money; few of them may be the names of doses
printf 'y,pct,euro,dose\n1,15%%,€ 20,5%%\n3,20%%,€ 31.5,0%%\n5,50%%,"€ 1,200",5%%\n2,10%%,-€ 3,10%%\n4,0%%,€ 7,0%%\n' >units.csv
try 1 glm fit 'y ~ pct' --data units.csv -o units.json
has err "column 'pct' has numbers with signs, as '15%' in row 1 (counted from 1); write them without"
try 1 glm fit 'y ~ euro' --data units.csv -o units.json
has err "column 'euro' has numbers with signs"
try 1 glm fit 'pct ~ y' --data units.csv -o units.json
has err "column 'pct' has numbers with signs"
try 0 glm fit 'y ~ dose' --data units.csv -o units.json
try 1 glm fit 'y ~ day' --data notation.csv -o notation.json
has err "column 'day' has dates, as '2024-03-11' in row 1 (counted from 1); turn them into numbers"
for form in '%d-%b-%Y' '%b %Y' '%A, %d %B %Y' '%Y-%m' '%d.%m.%y' '%Y-%m-%dT%H:%MZ'; do
    { echo "y,day"; for i in $(seq 30); do echo "$((i * i % 7)),\"$(LC_ALL=C date -u -d "2020-01-01 +$((37 * i)) days" "+$form")\""; done; } >dated.csv
    try 1 glm fit 'y ~ day' --data dated.csv -o dated.json
    has err "column 'day' has dates, as '"
done
printf 'y,day\n1,2020-01-01\n2,2020-02-01\n3,2020-03-01\n2.5,2020-04-01\n5,2020-05-02\n' >dated.csv
try 1 glm fit 'y ~ day' --data dated.csv -o dated.json
has err "column 'day' has dates"
# months, names and codes that are no dates
{ echo "y,m,g"; for i in $(seq 36); do echo "$((i * i % 7)),$(LC_ALL=C date -u -d "2020-01-15 +$((31 * i)) days" +%B),may$((i % 12))"; done; } >months.csv
try 0 glm fit 'y ~ m' --data months.csv -o months.json
try 0 glm fit 'y ~ g' --data months.csv -o months.json
try 0 glm fit 'y ~ some + list' --data notation.csv -o notation.json
try 0 glm fit 'y ~ factor(comma)' --data notation.csv -o notation.json

# Tables.
# bad TEXT FORMULA CONTENT OPTION...: a table with the content is refused.
bad() {
    printf '%b' "$3" >bad.csv
    try 1 glm fit "$2" --data bad.csv -o fit.json "${@:4}"
    is_empty out
    has err "$1"
    [[ ! -e fit.json ]] || fail "it wrote a file"
}
bad "is '1' in each of the 2 rows used" 'y ~ x' 'y,x\n1,2\n1,3\n'
bad "is '1' in the 1 row used" 'y ~ x' 'y,x\n1,2\n'
bad "unknown column 'qqqq'; the 1 column is y" 'y ~ qqqq' 'y\n1\n0\n'
bad "lacks 1 of 2 values" 'y ~ x' 'y,x\n1,2\n0,NA\n' --missing error
bad "no row is left" 'y ~ x' 'y,x\n1,NA\n0,NA\n'
bad "'f' is 'a' in each of the 2 rows used, and a factor needs two" 'y ~ f' 'y,f\n1,a\n0,a\n'
bad "infinite" 'y ~ x' 'y,x\n1,2\n0,inf\n'
bad "too large to compute with, most of all those of 'x', up to 1e+300" 'y ~ x' \
    'y,x\n1,2\n0,1e300\n'
numbers='1,5\n0,6\n1,7.5\n0,8\n1,9\n0,1\n1,2\n0,3\n1,4\n0,0\n'
bad "bad.csv: column 'x' holds numbers, and 'abc' in row 11 (counted from 1)" 'y ~ x' \
    "y,x\n${numbers}1,abc\n"
bad "column 'x' holds numbers, and '2O' in row 2" 'y ~ x' 'y,x\n1,15\n3,2O\n5,50\n2,10\n4,40\n'
bad "such as 'abc' in row 11 (counted from 1)" 'y ~ scale(x)' "y,x\n${numbers}1,abc\n"
bad "column 'x' lacks 1 of 11 values" 'y ~ x' "y,x\n${numbers}1,?\n" --missing error
bad "bad.csv:3" 'y ~ x' 'y,x\n1,2\n0\n'
bad "bad.csv" 'y ~ x' ''
bad "row 3: the response is 7; for family bernoulli it must be 0 or 1 (rows that miss" \
    'y ~ x' 'y,x\n1,2\n0,NA\n1,2\n7,2\n' --family bernoulli
bad "row 2: the response is 7; for family bernoulli it must be 0 or 1" 'y ~ x' \
    'y,x,g\n1,2,b\n7,2,a\n1,2,b\n' --family bernoulli --group g
bad "is not UTF-8" 'y ~ f' 'y,f\n1,caf\351\n0,tea\n1,tea\n'
for groups in hierarchical separate; do
    bad "most of all those of 'x'" 'y ~ x' 'y,x,g\n1,1,a\n0,1e300,a\n1,3,b\n' --group g \
        --groups $groups
    bad "cannot be fitted" 'y ~ x + offset(z)' 'y,x,z,g\n1,1,0,b\n0,2,900,a\n1,3,0,b\n' \
        --family poisson --group g --groups $groups --method laplace
done
bad "too large to compute with, most of all those of 'offset()', up to 900" \
    'y ~ x + offset(z)' 'y,x,z\n1,1,0\n0,2,900\n' --family poisson --method laplace
bad "row 2: the response is 1e+30; use units in which it is at most 1e+20" 'y ~ x' \
    'y,x\n1,1\n1e30,2\n3,4\n'
try 1 glm fit 'y ~ x' --data nowhere -o fit.json
has err "nowhere"
try 1 glm fit 'y ~ x' --data "$work" -o fit.json
has err "$work"
gzip -c "$challenger" | head -c 100 >cut.csv.gz
try 1 glm fit 'distress ~ temperature' --data cut.csv.gz -o fit.json
has err "cut.csv.gz"

# Files that are not fits, or no longer.
try 0 glm fit 'distress ~ scale(temperature) + factor(pressure)' --data "$challenger" \
    -o fit.json -q
# damaged TEXT: bad.json is refused by each of the verbs, with a message that holds TEXT.
damaged() {
    try 1 glm show bad.json
    is_empty out
    has err "bad.json"
    has err "$1"
    try 1 glm predict bad.json --data "$challenger" -o out.csv
    has err "$1"
    [[ ! -e out.csv ]] || fail "it predicted from a damaged file"
    try 1 glm evaluate bad.json --data "$challenger"
    has err "$1"
}
# edited FROM TO TEXT: the same of the fit with one place changed.
edited() {
    sed "s/$1/$2/" fit.json >bad.json
    if cmp -s bad.json fit.json; then fail "'$1' is not in the file"; fi
    damaged "$3"
}
head -n 20 fit.json >bad.json
damaged "bad.json:2"
has err "not complete JSON"
: >bad.json
damaged "bad.json: is empty; expected a fitted regression"
printf '[1, 2' >bad.json
damaged "bad.json:1:"
printf '[1, 2]\n' >bad.json
damaged "not a fitted regression"
printf '{"format": "delaplace-unigram", "version": 1}\n' >bad.json
damaged "not a fitted regression"
cp "$challenger" bad.json
damaged "bad.json: is not JSON; expected a fitted regression"
edited '"version": 1' '"version": 2' "reads version 1"
edited '"family": "bernoulli"' '"family": "tweedie"' '"family" must be'
edited '"family": "bernoulli"' '"family": "gaussian"' '"link" must be'
edited '"family": "bernoulli"' '"family": 7' '"family" must be a text'
edited '"link": "logit"' '"link": "log"' '"link" must be'
edited '"method": "delta"' '"method": "nuts"' '"method" must be'
edited '"grouping": "none"' '"grouping": "separate"' '"unsettled" must be'
edited '"outcome": "converged"' '"outcome": "happy"' '"outcome" must be'
edited '"rows": 23' '"rows": -1' '"rows" must be a whole number'
edited '"rows": 23' '"rows": 1.5' '"rows" must be a whole number'
edited '"iterations": 1' '"iterations": 99999999999' '"iterations" must be'
edited '"sd": 2.5,' '"sd": null,' '"sd" must be a number'
edited '"mean": \[' '"mean": [0, ' '"mean" must be'
edited '^  \[[^,]*,' '  [' '"covariance" must be'
edited '^  \[[^,]*,' '  ["one",' '"covariance" must be'
edited '^  \[[^,]*,' '  [-1,' '"covariance" must be without negative variances'
edited '"parameters": \[' '"parameters": ["more", ' '"parameters" must be'
edited '"columns": \["(Intercept)", ' '"columns": [' '"prior" must be one for each column'
edited '"scalings": \[' '"scalings": [{"variable": "x"}, ' '"centre" must be'
edited '"levels": \["50"' '"levels": [50' '"factors" must be a list of texts'
edited '"formula": "distress' '"formula": 1, "was": "distress' '"formula" must be a text'
edited '"objective": -[0-9.]*' '"objective": "good"' '"objective" must be a number'
# What only the data show.
sed 's/"50", "100", "200"/"50", "100", "300"/' fit.json >bad.json
try 1 glm predict bad.json --data "$challenger" -o out.csv
has err "level '200'"
sed 's/"factor(pressure)100"/"factor(pressure)101"/g' fit.json >bad.json
try 1 glm predict bad.json --data "$challenger" -o out.csv
has err "do not give the columns that it has"
try 1 glm show nowhere.json
has err "nowhere.json: cannot read"
try 1 glm show "$work"
has err "$work: is a folder; expected a fitted regression"
try 1 glm fit 'y ~ x' --data fit.json -o new.json
has err "fit.json: is JSON; expected a table"
printf '\377\376\0' >bad.json
damaged "bad.json: is not JSON"
printf '{"format": "delaplace-topics", "version": 1}\n' >bad.json
damaged "belongs to a topic model; give its folder"
try 2 glm show fit.json --group 3
has err "the fit has no groups; remove --group"
# A NaN is not JSON at all.
sed 's/"mean": \[[^,]*/"mean": [NaN/' fit.json >bad.json
damaged "not complete JSON"

# Where the output cannot go: 4, and the earlier result as it was.
try 4 glm fit 'distress ~ 1' --data "$challenger" -o nowhere/fit.json
has err "nowhere/fit.json"
try 4 glm fit 'distress ~ 1' --data "$challenger" -o /dev/full
cp fit.json before.json
try 1 glm fit 'distress ~ nothing' --data "$challenger" -o fit.json
same fit.json before.json
for words in "glm show fit.json" "glm show fit.json --json" \
    "glm evaluate fit.json --data $challenger"; do
    code=0
    # shellcheck disable=SC2086 # words, not one word
    "$program" $words >/dev/full 2>err || code=$?
    ((code == 4)) || fail "$words on a full disk ended with $code"
    has err "standard output"
done

# A column that gives the response away leaves nothing for the noise: 3, and a hint.
seq 40 | awk 'BEGIN { print "y,x" } { print 2 * $1 + 1 "," $1 }' >exact.csv
try 3 glm fit 'y ~ x' --data exact.csv -o exact.json
has out "there is nothing to estimate the sd from"

# Where no iteration succeeds there are no numbers to show, nor to predict from.
seq 40 | awk 'BEGIN { print "y,x" } { print ($1 < 40 ? 1 : 1e6) "," $1 }' >jump.csv
try 3 glm fit 'y ~ x' --data jump.csv --family poisson --method previous-mean -o start.json
has out "Nothing was estimated: no iteration succeeded"
! grep -q "95 % interval" out || fail "numbers that are no estimate"
try 3 glm fit 'y ~ x' --data jump.csv --family poisson --method previous-mean -o start.json --json
equal estimated "$(json out estimated)" false
try 0 glm show start.json
has out "Nothing was estimated"
try 1 glm predict start.json --data jump.csv -o p.csv
has err "start.json: the fit estimated nothing"

# The mode of columns that are almost one another is not found in the units of R's longley
# (Longley, JASA 62, 1967): the hint is a command that works.
cat >longley.csv <<'TABLE'
deflator,gnp,unemployed,forces,population,year,employed
83,234.289,235.6,159,107.608,1947,60.323
88.5,259.426,232.5,145.6,108.632,1948,61.122
88.2,258.054,368.2,161.6,109.773,1949,60.171
89.5,284.599,335.1,165,110.929,1950,61.187
96.2,328.975,209.9,309.9,112.075,1951,63.221
98.1,346.999,193.2,359.4,113.27,1952,63.639
99,365.385,187,354.7,115.094,1953,64.989
100,363.112,357.8,335,116.219,1954,63.761
101.2,397.469,290.4,304.8,117.388,1955,66.019
104.6,419.18,282.2,285.7,118.734,1956,67.857
108.4,442.769,293.6,279.8,120.445,1957,68.169
110.8,444.546,468.1,263.7,121.95,1958,66.513
112.6,482.704,381.3,255.2,123.366,1959,68.655
114.2,502.601,393.1,251.4,125.368,1960,69.564
115.7,518.173,480.6,257.2,127.852,1961,69.331
116.9,554.894,400.7,282.7,130.081,1962,70.551
TABLE
try 3 glm fit 'employed ~ .' --data longley.csv --method laplace --prior-sd 1e4 -o fit.json
has out "Without --method laplace"
has out "Next, let the program choose the method:"
next=$(sed -n '/^Next, let/,$p' out | sed -n 's/^  delaplace //p')
eval "try 0 $next"
! grep -q "gives the response away" out || fail "a hint that misleads"

# Names of rows, as R's write.csv puts them in front, are no factor; by hand they may be.
awk 'BEGIN { print "\"\",y,x"; for (i = 0; i < 12; i++) printf "row %d,%d,%d\n", i, i * 7 % 5, i % 3 }' >named.csv
try 1 glm fit 'y ~ .' --data named.csv -o fit.json
has err "named.csv: column 'V1' has a different value in every row, as names have; leave it out: '. - V1'"
try 0 glm fit 'y ~ . - V1' --data named.csv -o fit.json
try 0 glm fit 'y ~ V1' --data named.csv -o fit.json

# Latin-1 is named, and read when told.
printf 'y,st\344dte\n1,K\366ln\n2,Bonn\n3,Bonn\n2,K\366ln\n' >latin.csv
try 1 glm fit 'y ~ städte' --data latin.csv -o fit.json
has err "the table is not UTF-8"
try 0 glm fit 'y ~ städte' --data latin.csv --encoding latin1 -o fit.json
has out "städteKöln"
try 0 glm predict fit.json --data latin.csv --encoding latin1 -o -
for command in check ppc residuals evaluate compare cv; do
    try 0 glm "$command" fit.json --data latin.csv --encoding latin1
done
try 0 glm sbc fit.json --data latin.csv --encoding latin1 --replicates 20
try 0 report fit.json --data latin.csv --encoding latin1 -o report.html

# Columns that make each other up.
printf 'y,a,b,c\n1,1,2,3\n2,2,1,3\n4,3,5,8\n3,1,7,8\n2,4,4,8\n5,6,1,7\n' >same.csv
try 0 glm fit 'y ~ a + b + c' --data same.csv -o fit.json
has out "The column 'c' is a combination of 'a' and 'b'"

# ---- powers far from 0, and slopes that vary by group ----

awk 'BEGIN { print "y,v,year,g"; for (i = 0; i < 90; i++)
    printf "%s,%g,%d,g%d\n", substr("abc", 1 + i % 7 % 3, 1), i % 11, 2003 + i % 15, i % 8 }' >years.csv
# about_centre OPTIONS: 'written' and 'centred' are formulas of one model
about_centre() {
    try 0 glm fit "$written" --data years.csv -o written.json "$@"
    has out "centre     year = 2010:"
    try 0 glm fit "$centred" --data years.csv -o centred.json "$@"
    try 0 glm predict written.json --data years.csv -o written.csv
    try 0 glm predict centred.json --data years.csv -o centred.csv
    same written.csv centred.csv
}
written='y ~ year + I(year^2) + I(year^3)'
centred='y ~ I(year - 2010) + I((year - 2010)^2) + I((year - 2010)^3)'
about_centre --family ordinal
written='v ~ year + I(year^2) + I(year^3) + (year | g)'
centred='v ~ I(year - 2010) + I((year - 2010)^2) + I((year - 2010)^3) + (I(year - 2010) | g)'
about_centre
# At the year 0 intercepts would vary by 2010 times what slopes do, which their prior does not allow.
written='v ~ year + (year | g)' centred='v ~ I(year - 2010) + (I(year - 2010) | g)'
about_centre
# Whatever the other columns are called.
awk -F, '{ print $0 "," (NR == 1 ? "years" : $2 * NR % 5) }' years.csv >more.csv && mv more.csv years.csv
written='v ~ year + (year + years | g)' centred='v ~ I(year - 2010) + (I(year - 2010) + years | g)'
about_centre
written='y ~ year + (year | g)' centred='y ~ I(year - 2010) + (I(year - 2010) | g)'
about_centre --family ordinal
# Slopes without intercepts hinge on where years are counted from: as it is written, or not at all.
try 0 glm fit 'v ~ year + (0 + year | g)' --data years.csv -o years.json
if grep -q "centre  " out; then fail "(0 + year | g) was centred"; fi
try 1 glm fit 'v ~ year + I(year^2) + I(year^3) + (0 + year | g)' --data years.csv -o years.json
has err "I(year - 2010), I((year - 2010)^3)"
