#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace topics fit with less memory than the documents' means need: the same bytes.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
sanitised && exit 0           # they take more memory than any limit here

try 0 simulate ctm -k 5 --terms 1000 --documents 100000 --words 25 -o corpus.dlpc -q
(($(wc -c <corpus.dlpc) > 1 << 24)) || fail "the corpus is not mapped"
fit=(topics fit corpus.dlpc -k 20 -q)
little=("${fit[@]}" --threads 3 --memory 50M)

# No file of that size: what would be kept on disk cannot be.
(
    ulimit -f 10000
    try 4 "${little[@]}" -o full
    has err "GB there that do not fit in memory"
)
[[ ! -e full ]] || fail "the folder was left"

# A checkpoint is read into the means on disk.
try 3 "${little[@]}" --max-iter 1 -o little
try 3 "${little[@]}" --max-iter 2 -o little --resume
[[ -z $(find little -name '.delaplace*') ]] || fail "the means' file was left"
try 3 "${fit[@]}" --max-iter 2 -o whole
for name in beta mu sigma theta; do same whole/$name.npy little/$name.npy; done

# in_the_middle COMMAND: runs COMMAND once the fit has begun to iterate over the mapped corpus.
in_the_middle() {
    cp corpus.dlpc cut.dlpc
    "$program" topics fit cut.dlpc -k 20 -v --max-iter 1000 -o little >out 2>err &
    local process=$! waited=0
    until grep -q 'iteration 1:' err || ((waited++ > 600)); do sleep 0.1; done
    "$@"
    code=0
    wait "$process" || code=$?
    equal "the exit code" "$code" 4
    [[ -z $(find little -name '.delaplace*') ]] || fail "a file was left"
    for name in beta mu sigma theta; do same whole/$name.npy little/$name.npy; done
}
# Another program cuts the corpus off.
in_the_middle truncate -s 100000 cut.dlpc
has err "cut.dlpc: can no longer be read: another program cut it short"

# Minibatches: the documents in another order are on disk, too.
try 3 "${little[@]}" --init random --online 1 --max-iter 1 -o little
try 0 corpus convert corpus.dlpc -o lines.ldac -q
seq 1000 >lines.vocab # so that terms which no document has are counted
try 3 topics fit lines.ldac -k 20 -q --init random --online 1 --max-iter 1 -o whole
for name in beta mu sigma theta; do same whole/$name.npy little/$name.npy; done

# Even topics are too many.
try 4 topics fit corpus.dlpc -k 2000 -o many --memory 50M
has err "of memory, but only 50 MB are available; ask for fewer topics"
[[ ! -e many ]] || fail "the folder was left"
