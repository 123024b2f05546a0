#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What the program promises about its files, limits and words, where it once did not hold: each of
# these is tested with a whole command. tests/faults fails system calls one by one.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

awk 'BEGIN {
    print "y,x,g"
    for (i = 0; i < 40; i++) print (i * i % 7 < 3) "," (i * 37 % 101) / 50 - 1 "," i % 4
}' >table.csv
cp table.csv kept.csv

# A result does not replace its own input, under whatever name.
ln -s table.csv link.csv
for data in table.csv link.csv ./table.csv; do
    try 2 glm fit 'y ~ x' --data $data -o table.csv
    has err "would be replaced by the result"
done
cmp -s table.csv kept.csv || fail "the data were replaced"

# The two files of --coda are results, too.
echo 'model { for (i in 1:3) { y[i] ~ dnorm(mu, 1) } mu ~ dnorm(0, 1) }' >few.bug
echo '{"y": [1, 2, 0.5]}' | tee myindex.txt >kept.json
try 2 bugs fit few.bug --data myindex.txt --coda my
has err "would be replaced by the result"
cmp -s myindex.txt kept.json || fail "the data were replaced"
try 2 bugs fit few.bug --data kept.json --coda my --draws-to ./mychain1.txt
has err "cannot be both"

try 0 glm fit 'y ~ x' --data table.csv -o fromindex.txt -q
try 2 glm draws fromindex.txt --as coda -o from
has err "would be replaced by the result"
try 0 glm draws fromindex.txt --draws 2 --as coda -o other
[[ -s otherchain1.txt ]] || fail "no draws"

# With --quiet a fit that did not converge says so, by the name that FIT.json has.
try 3 glm fit 'y ~ x' --group g --data table.csv -o fit.json --max-iter 1 -q
has err "(max-iterations)"
equal outcome "$(json fit.json outcome)" max-iterations

# A limit of file sizes is a failure of the system; what was there stays, and nothing is left.
cp fit.json earlier.json
if (
    ulimit -f 1
    "$program" glm fit 'y ~ x + g' --data table.csv -o fit.json -q
) >out 2>err; then fail "a file beyond the limit"; else (($? == 4)) || fail "not 4"; fi
has err "File too large"
cmp -s fit.json earlier.json || fail "the earlier fit is gone"
[[ -z $(find . -name '.delaplace-*') ]] || fail "a temporary file is left"

# With little memory a fit of any kind ends, with a result or with 4 and a message. 300 columns are
# enough for a BLAS, and OpenBLAS would try for ever to get its buffer.
printf '3 0:2 1:1 2:1\n3 1:2 2:1 3:1\n2 0:1 3:2\n' >few.ldac
echo 'model { for (i in 1:N) { y[i] ~ dnorm(mu, 1) } mu ~ dnorm(0, 1) }' >model.bug
echo '{"N": 3, "y": [1, 2, 0.5]}' >data.json
# with_little KILOBYTES WORD...
with_little() {
    local kilobytes=$1 code=0
    shift
    (
        ulimit -v "$kilobytes"
        exec timeout 60 "$program" -q "$@"
    ) >out 2>err || code=$?
    case $code in
    0 | 3) ;;
    4) has err "memory" ;;
    *) fail "with $kilobytes KB, $*: ended with $code" ;;
    esac
}
if ! sanitised; then
    awk 'BEGIN {
        for (i = -1; i < 320; i++) {
            line = i < 0 ? "y" : i % 5
            for (j = 0; j < 300; j++) line = line "," (i < 0 ? "v" j : (i * (j + 3) + j * j * i * i) % 101)
            print line
        }
    }' >wide.csv
    for kilobytes in 50000 60000 80000 100000 150000 200000 300000; do
        with_little $kilobytes glm fit 'y ~ .' --family gaussian --data wide.csv -o wide.json
        with_little $kilobytes glm fit 'y ~ x' --data table.csv -o fit.json
        with_little $kilobytes glm fit 'y ~ x + (1 | g)' --data table.csv -o fit.json
        with_little $kilobytes topics fit few.ldac -k 2 --max-iter 2 -o small
        with_little $kilobytes bugs fit model.bug --data data.json -o bugs.json
    done
fi

# Coherences of terms that never meet are numbers or dashes.
printf '1 0:3\n1 1:3\n1 2:3\n1 3:3\n' >alone.ldac
try 3 topics fit alone.ldac -k 2 -o model -q --max-iter 2
try 0 topics show model
! grep -qi "\bnan\b" out || fail "a NaN is printed"
try 0 topics show model --json
! grep -qi "\bnan\b" out || fail "a NaN is printed"

# A pipe is read once, whole.
mkfifo pipe
piped() {
    local from=$1 code=0
    shift
    (exec cat "$from" >pipe) 2>/dev/null &
    timeout 60 "$program" -q "$@" >out 2>err || code=$?
    kill $! 2>/dev/null || true
    wait $! 2>/dev/null || true
    ((code == 0)) || fail "$*: ended with $code"
}
piped table.csv glm fit 'y ~ x' --data pipe -o fit.json
piped model.bug bugs graph pipe -o graph.svg

# A report may load nothing.
try 0 glm fit 'y ~ x' --data table.csv -o fit.json -q
try 0 report fit.json -o report.html -q
has report.html "Content-Security-Policy\" content=\"default-src 'none'"
