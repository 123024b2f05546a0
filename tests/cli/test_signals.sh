#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Interrupted: the result so far is written and marked, and the exit code says which
# signal it was.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

# Irregular counts: rounding keeps the mean moving, so that the fit never ends. Many groups:
# their fit ends after a few seconds.
awk 'BEGIN {
    x = 1
    for (d = 0; d < 40; d++) {
        line = ""
        n = 0
        for (v = d; v < 2000; v += 7) {
            x = (x * 69069 + 1) % 4294967296
            line = line " " v ":" 1 + int(x / 1e6) % 9
            n++
        }
        print n line
    }
}' >corpus
awk -v OFS=, 'BEGIN {
    print "y", "x", "g"
    x = 1
    for (i = 0; i < 200000; i++) {
        x = (x * 69069 + 1) % 4294967296
        print x % 7 < 3, x / 4294967296, i % 5000
    }
}' >table
forever=(-o fit.json --tol 1e-300 --max-iter 1000000)

# cancel SIGNAL CODE WORD...: the signal comes once the fit runs. One that comes before, on a
# slow machine, ends the program without a result: then a later one is tried.
cancel() {
    rm -f fit.json
    local name=$1 wanted=$2 seconds code
    shift 2
    for seconds in 0.5 4 32; do
        code=0
        timeout --foreground --preserve-status -s "$name" "$seconds" \
            "$program" "$@" "${forever[@]}" >out 2>err || code=$?
        [[ ! -e fit.json ]] || break
    done
    ((code == wanted)) || fail "SIG$name ended $* with $code, not $wanted"
    equal outcome "$(json fit.json outcome)" cancelled
    has out "was cancelled"
}
cancel INT 130 unigram fit corpus
cancel TERM 143 unigram fit corpus
cancel HUP 129 unigram fit corpus
cancel INT 130 glm fit 'y ~ x' --group g --data table
cancel TERM 143 glm fit 'y ~ x' --group g --data table
