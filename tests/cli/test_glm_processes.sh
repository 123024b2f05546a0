#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# mpirun -n P delaplace glm fit: the same bytes at any number of processes, for regressions of one
# level, by group, hierarchies and mixed models; and a failure of one ends all, with one message.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/processes.sh
source "$(dirname "$0")/processes.sh"

# alike WORD...: glm fit, by one and three processes
alike() {
    try 0 glm fit "$@" --threads 1 -o alone.json -q
    tries 0 3 glm fit "$@" --threads 2 -o three.json -v
    once err "3 processes received"
    cmp alone.json three.json || fail "3 processes: other bytes of $*"
}

# alike_by_any WORD...: also by two and four
alike_by_any() {
    alike "$@"
    for size in 2 4; do
        tries 0 $size glm fit "$@" --threads 1 -o other.json -v
        cmp alone.json other.json || fail "$size processes: other bytes of $*"
    done
}

# A file that is large enough to be divided. Of z there are marks everywhere, of g text in the last part,
# of s a level in the first part alone, and of t a line end inside quotes.
awk 'BEGIN {
    print "y,x,z,g,s,t"
    for (i = 0; i < 800000; i++) {
        g = i % 6
        e = sin(i) + 0.3 * g - 1 + 2 * sin(i * i)
        printf "%d,%.8f,%s,%s,%s,%s\n", (e > 0), sin(i), i % 5 ? i % 11 : "-",
            i < 590000 ? g : "\"l," g "\"", i % 7 ? "a" i % 3 + (i < 9) : "NA",
            i % 997 ? "b" : "\"b\nb\""
    }
}' >large.csv
(($(wc -c <large.csv) > 1 << 24)) || fail "the table is not divided"
alike_by_any 'y ~ x + z + g + s + t' --data large.csv --family bernoulli
received=$(awk '/processes received/ { print $4 }' err)
# Each keeps its rows: less goes round than a column has, though z and s are missing here and there.
((received < 800000 * 8)) || fail "rows were not divided: $received bytes"
alike 'z ~ x * s + offset(y)' --data large.csv
alike 'z ~ 0 + s + x:t' --data large.csv --family negbin --weights y
awk 'BEGIN {
    print "g,x,long,y,v,h"
    for (i = 0; i < 150000; i++) {
        h = i < 140000 ? i * i % 1013 % 37 : 37 + i % 3
        v = sin(i * i) + sin(h) * cos(i)
        printf "m%d,%.5f,%0100d,%d,%.5f,%s\n", i * i % 7 % 3, cos(i), 1, (v > 0), v, i % 9999 ? h / 2 : "NA"
    }
}' >levels.csv
(($(wc -c <levels.csv) > 1 << 24)) || fail "the table is not divided"

# Families of levels, of two scales, with degrees of freedom, with limits, with predictors that must be positive;
# and groups: each process gets the rows of its own, wherever they were read; factor() of numbers.
moved() {
    alike "$@"
    received=$(awk '/processes received/ { print $4 }' err)
    # All rows in each of three would be twice the rows, of three numbers at least.
    ((received < 2 * 3 * 150000 * 8)) || fail "rows did not stay divided: $received bytes"
}
moved 'g ~ x' --data levels.csv
moved 'g ~ x' --data levels.csv --family ordinal --levels m2,m0,m1 --weights y
moved 'y ~ x' --data levels.csv --family zero-inflated-poisson
moved 'v ~ x' --data levels.csv --family student
moved 'Surv(exp(v), y) ~ x' --data levels.csv
moved 'tobit(v, left = -0.5, right = 1) ~ x' --data levels.csv --group h --groups separate
moved 'y ~ x' --data levels.csv --family poisson --link identity
moved 'y ~ x' --data levels.csv --family bernoulli --group h
moved 'v ~ x' --data levels.csv --group h --weights y
moved 'v ~ (1 + x | h)' --data levels.csv --groups separate
alike 'v ~ x + factor(h)' --data levels.csv
# Levels of a single grouping move in the same way; two levels are too few for three processes.
moved 'y ~ x + (1 | factor(h))' --data levels.csv --family bernoulli
moved 'v ~ x + (1 | factor(h))' --data levels.csv --weights y
alike 'v ~ x + (1 + x | factor(h))' --data levels.csv
alike 'v ~ x + (1 | y)' --data levels.csv
# (what MPI keeps for itself counts as memory)
disk=(glm fit 'y ~ x + z' --data large.csv --family bernoulli --memory 150M)
try 0 "${disk[@]}" -o alone.json -q
tries 0 2 "${disk[@]}" -o two.json -v
cmp alone.json two.json || fail "other bytes of rows on disk"

# Lines that end nearly nowhere outside of quotes: all read the whole.
awk 'BEGIN {
    print "y,x,t"
    for (i = 0; i < 9000; i++) {
        printf "%.3f,%.3f,\"", sin(i * i), cos(i)
        for (k = 0; k < 190; k++) print "123456789"
        print "\""
    }
}' >quotes.csv
(($(wc -c <quotes.csv) > 1 << 24)) || fail "the table is not divided"
alike 'y ~ x' --data quotes.csv

# Groups, and points of scales.
awk 'BEGIN {
    srand(3)
    print "y,x,g,h"
    for (i = 0; i < 3000; i++) {
        x = rand() - 0.5
        g = int(75 * rand())
        h = int(12 * rand())
        print (rand() < 1 / (1 + exp(-x - sin(g) - 0.5 * cos(3 * h)))) "," x "," g "," h
    }
}' >groups.csv
alike 'y ~ x' --data groups.csv --family bernoulli --group h
sed 's/,[^,]*$/,a/; $s/a$/b/; 1s/a$/h/' groups.csv >two.csv
alike 'y ~ x' --data two.csv --group h # one process has no group
alike 'y ~ x + (1 | g)' --data groups.csv --family bernoulli
alike 'y ~ x + (1 + x | g) + (1 | h)' --data groups.csv --family bernoulli
alike 'y ~ s(x) + (1 | g) + (1 | h)' --data groups.csv --family gaussian

# What is found must not depend on which thread was where before, either.
mixed=(glm fit 'y ~ x + (1 + x | g) + (1 | h)' --data groups.csv --family bernoulli -q)
try 0 "${mixed[@]}" --threads 1 -o one.json
try 0 "${mixed[@]}" --threads 3 -o three.json
cmp one.json three.json || fail "other bytes by three threads"

# Failures: of all processes, of one; misuse; commands that run alone.
tries 1 3 glm fit 'y ~ x' --data absent.csv -o x.json
once err "absent.csv"
sed '400000s/,.*//' large.csv >ragged.csv
tries 1 3 glm fit 'y ~ x' --data ragged.csv -o x.json
once err "expected 6 fields as in the first line"
# A row of the last process alone is wrong: all end, and its number is that in the file.
sed '$s/^[^,]*,[^,]*/7,0/' large.csv >wrong.csv
tries 1 3 glm fit 'y ~ x' --data wrong.csv --family bernoulli -o x.json
once err "row 800000: the response is 7"
sed '$s/,[^,]*,\([^,]*\)$/,1e200,\1/' levels.csv >wrong.csv
tries 1 3 glm fit 'v ~ x' --data wrong.csv --group h -o x.json
once err "row 149984: the response is 1e+200"
tries 1 3 glm fit 'Surv(exp(x), h) ~ v' --data levels.csv -o x.json
once err "the status in 'Surv(exp(x), h)' is "
tries 1 2 glm fit 'y ~ nothing' --data groups.csv -o x.json
once err "unknown column 'nothing'"
code=0
"${run[@]}" -n 1 "$program" glm fit 'y ~ x' --data groups.csv -o x.json : -n 1 "$program" \
    glm fit 'y ~ x' --data absent.csv -o x.json >out 2>err || code=$?
((code > 0)) || fail "a failure of process 1 is none"
once err "process 1: absent.csv"
# The disk of process 1 has no room for rows that memory has no room for.
awk 'BEGIN {
    print "y,x,a,b,c,d,e,f,g"
    for (i = 0; i < 700000; i++) printf "%d,%.8f,1,2,3,4,5,6,7\n", (sin(i * i) > 0), sin(i)
}' >wide.csv
(($(wc -c <wide.csv) > 1 << 24)) || fail "the table is not divided"
full=(glm fit 'y ~ x' --data wide.csv --family bernoulli --memory 110M -o x.json)
code=0
# shellcheck disable=SC2016 # for the other shell
"${run[@]}" -n 1 "$program" "${full[@]}" : -n 1 bash -c 'ulimit -f 100; exec "$@"' - "$program" "${full[@]}" \
    >out 2>err || code=$?
equal "the code when the disk of process 1 is full" $code 4
once err "process 1: "
once err "that do not fit in memory"
tries 2 2 glm fit 'y ~ x' --data - -o x.json
once err "only one process can read standard input"
tries 2 2 glm predict alone.json --data groups.csv -o x.json
once err "this command runs as a single process"

# A process is killed: all end, and nothing is left.
killed() {
    local job parent process='' code=0
    "${run[@]}" -n 2 "$program" "${mixed[@]}" -o x.json >out 2>err &
    job=$!
    for ((i = 0; i < 100; i++)); do
        parent=$(pgrep -P $job) || true
        [[ ! $parent ]] || process=$(pgrep -P "$parent" | tail -1) || true
        [[ ! $process ]] || break
        sleep 0.05
    done
    sleep 0.3
    [[ ! $process ]] || kill -9 "$process" 2>/dev/null || true
    wait $job || code=$?
    ((code > 0))
}
killed || killed || fail "no process could be killed in time"
[[ ! -e x.json ]] || fail "a failure left a file"
