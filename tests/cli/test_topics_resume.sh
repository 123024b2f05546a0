#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace topics fit --resume: after signals, after kill -9, and at every moment of the
# writing of the folder, the bytes of a fit that was left alone. script/kill-test does it
# more often.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/topics.sh
source "$(dirname "$0")/topics.sh"
tol=1e-7
if sanitised; then tol=1e-5; fi # fewer iterations, which take as long
fit+=(--tol "$tol" --max-iter 2000 --threads 1)

try 0 "${fit[@]}" -o alone -q

# In pieces, each to its own limit.
try 3 "${fit[@]}" -o pieces --max-iter 5 -q
try 3 "${fit[@]}" -o pieces --max-iter 9 --resume
has err "pieces: resuming after iteration 5"
equal iterations "$(json pieces/model.json iterations)" 9
try 3 "${fit[@]}" -o pieces --max-iter 3 --resume
has out " --max-iter 90 --tol"
try 0 "${fit[@]}" -o pieces --resume -q --threads 2
is_empty err
same_model alone pieces
equal "known times" "$(awk -F, 'NR > 1 && $7 != "" { print $1; exit }' pieces/trace.csv)" 10

# Again: done. With other settings: from the beginning.
try 0 "${fit[@]}" -o pieces --resume
has err "this fit has already finished"
has out "delaplace topics show pieces"
try 0 "${fit[@]}" -o pieces --resume --json -q
equal outcome "$(json out outcome)" converged
same_model alone pieces
try 0 "${fit[@]}" -o pieces --resume --smooth 2 --tol 1e-4
has err "pieces: has no checkpoint; starting from the beginning"
try 0 "${fit[@]}" -o nothing --resume
has err "nothing: has no checkpoint; starting from the beginning"
same_model alone nothing

# Words that are assigned on average: what the topics' posterior needs is in the checkpoint.
average=("${fit[@]}" --assign average --max-iter 25)
code=0
"$program" "${average[@]}" -o whole -q || code=$?
try 3 "${average[@]}" -o parts --max-iter 5 -q
try $code "${average[@]}" -o parts --resume -q --threads 2
rm -f {whole,parts}/checkpoint
same_model whole parts

# interrupt SIGNAL CODE: ends with the code, keeps the earlier model, and continues. A signal
# that comes before the fit runs, on a slow machine, ends the program at once; one that
# comes too late finds it done: then another moment is tried.
interrupt() {
    local name=$1 wanted=$2 seconds code
    for seconds in 0.1 0.05 0.2 0.4 0.8 1.6 3.2; do
        rm -rf cut
        cp -r nothing cut
        code=0
        timeout --foreground --preserve-status -s "$name" "$seconds" \
            "$program" "${fit[@]}" -o cut >out 2>err || code=$?
        [[ ! -e cut/checkpoint ]] || break
    done
    [[ -e cut/checkpoint ]] || fail "SIG$name never came in time"
    ((code == wanted)) || fail "SIG$name ended with $code, not $wanted"
    has out "Next, continue it:"
    has out " --output cut --threads 1 --max-iter 2000 --tol $tol --resume"
    mv cut/checkpoint .
    same_model nothing cut
    mv checkpoint cut
    try 0 "${fit[@]}" -o cut --resume
    has err "cut: resuming after iteration"
    same_model alone cut
}
interrupt INT 130
interrupt TERM 143

# A signal that comes before the first iteration, here while the corpus is waited for.
early() {
    local name=$1 wanted=$2 code=0
    mkfifo pipe
    # a script's background jobs ignore SIGINT
    env --default-signal=INT "$program" topics fit pipe -k 4 -o early >out 2>err &
    local process=$!
    exec 3>pipe # opens once the program reads
    kill -"$name" $process
    wait $process || code=$?
    exec 3>&-
    rm pipe
    ((code == wanted)) || fail "an early SIG$name ended with $code, not $wanted"
    has err "before there was a result"
}
early INT 130
early TERM 143

# kill -9 at several moments of one fit, resumed each time.
for seconds in 0.03 0.1 0.1 0.2 0.3; do
    "$program" "${fit[@]}" -o killed --checkpoint-every 0 --resume -q >out 2>err &
    process=$!
    sleep $seconds
    kill -KILL $process 2>/dev/null || true # it may be done
    wait $process 2>/dev/null || true
done
try 0 "${fit[@]}" -o killed --resume -q
same_model alone killed

# Killed between two renames: readers see the new model whole, and the next fit renames
# the rest.
try 0 "${fit[@]}" -o half -q --seed 3 --init random
for file in model.json beta.npy sigma.npy theta.npy trace.csv vocab.txt; do
    cp "alone/$file" "half/$file.new"
done
cp alone/mu.npy half/mu.npy
try 0 topics evaluate alone "$packages" --json
cp out wanted
try 0 topics evaluate half "$packages" --json
same out wanted
try 0 "${fit[@]}" -o half --resume
has err "this fit has already finished"
same_model alone half
# Killed before the last file: the former model.
cp -r alone before
cp nothing/mu.npy before/beta.npy.new
try 0 topics evaluate before "$packages" --json
same out wanted
try 0 "${fit[@]}" -o before --resume -q
same_model alone before

# A checkpoint of other settings, or damaged, is refused; without --resume it is not used.
try 3 "${fit[@]}" -o other --max-iter 4 -q
try 1 topics fit "$packages" -k 5 -o other --resume
has err "this checkpoint belongs to another corpus or to other settings"
try 1 "${fit[@]}" -o other --resume --smooth 3
printf 'x' | dd of=other/checkpoint bs=1 seek=3000 conv=notrunc 2>/dev/null
try 1 "${fit[@]}" -o other --resume
has err "this checkpoint is damaged"
try 0 "${fit[@]}" -o other
has err "starting afresh; --resume would continue from its checkpoint"
same_model alone other

# Two fits do not write to one folder.
"$program" topics fit "$packages" -k 4 -o busy -q --tol 1e-300 --max-iter 1000000 \
    --threads 1 --checkpoint-every 0 >/dev/null 2>&1 &
process=$!
for ((i = 0; i < 300; i++)); do
    [[ ! -e busy/checkpoint ]] || break
    sleep 0.1
done
try 4 "${fit[@]}" -o busy
has err "another fit is writing to this folder"
kill -KILL $process
wait $process 2>/dev/null || true
try 0 "${fit[@]}" -o busy -q
same_model alone busy
