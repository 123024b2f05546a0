#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace glm fit of a table that memory has no room for: the same bytes.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
sanitised && exit 0           # they take more memory than any limit here

# Some rows miss a value; the last column becomes text in its last rows.
awk 'BEGIN {
    print "y,n,x,z,w,g,late"
    for (i = 1; i <= 240000; i++) {
        s = (s * 16807 + i) % 2147483647; x = s / 2147483647
        s = (s * 16807 + i) % 2147483647; z = s / 2147483647
        s = (s * 16807 + i) % 2147483647; u = s / 2147483647
        print (u < 0.3 + 0.4 * x - 0.2 * z ? "yes" : "no") "," int(4 * u) "," x "," \
            (i % 1000 ? z : "NA") "," 1 + i % 3 "," substr("abcd", 1 + i % 4, 1) "," \
            (i > 239990 ? "end" : i % 5)
    }
}' >table.csv

# alike FORMULA OPTION...: fits in memory and from disk.
alike() {
    try 0 glm fit "$@" --data table.csv -o whole.json -q --threads 1
    try 0 glm fit "$@" --data table.csv -o disk.json -q --threads 2 --memory 50M
    same whole.json disk.json
}
alike 'y ~ x * z + g'
alike 'n ~ x + late' --family poisson --weights w
alike 'x ~ ns(z, df = 3) + g'

try 4 glm fit 'y ~ x + (1 | g)' --data table.csv -o none.json --memory 50M
has err "random effects and smooth terms need them there"
try 4 glm fit 'y ~ s(x)' --data table.csv -o none.json --memory 50M
has err "only regressions without groups read them from disk"
try 4 glm fit 'y ~ x' --data table.csv -o none.json --memory 50M --group g
has err "regressions by group need them there"

# No file of that size, or no folder.
(
    ulimit -f 1000
    try 4 glm fit 'y ~ x' --data table.csv -o none.json --memory 50M
    has err "GB there that do not fit in memory"
)
TMPDIR=/nonexistent try 4 glm fit 'y ~ x' --data table.csv -o none.json --memory 50M
has err "/nonexistent: cannot keep"
[[ ! -e none.json ]] || fail "a file was left"
