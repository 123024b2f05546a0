#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A file system that hangs ends in a message from the process that saw it, and in exit code 4. The third
# argument is the library of hang.c.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
hang=$(realpath "$3")
if sanitised; then
    echo "skipped: sanitizers want to be loaded first"
    exit 77
fi
export DELAPLACE_FILE_TIMEOUT=2

{
    echo y,x
    for i in 1 2 3 4 5 6 7 8 9; do echo "$((i * i % 5)),$i"; done
} >table.csv
fit=(glm fit 'y ~ x' --data ../table.csv -o fit.json -q)

# stuck CALL FILE TEXT WORD...: in a folder of its own, a command whose CALL on FILE hangs says so, and
# says so again when it ends.
stuck() {
    local call=$1 file=$2 text=$3 code=0
    shift 3
    mkdir "$call"
    cd "$call"
    HANG_CALL=$call HANG_FILE=$file LD_PRELOAD=$hang timeout -k 1 60 "$program" "$@" >out 2>err || code=$?
    equal "the code when $call hangs" $code 4
    has err "delaplace: $text has taken 1 s: the file system hangs, or is very slow"
    has err "delaplace: $text has taken 2 s: the file system hangs; ended"
    equal "lines of the message" "$(wc -l <err)" 2
}
began=()
beside() {
    stuck "$@" &
    began+=($!)
}
beside read table.csv "reading ../table.csv" "${fit[@]}"
beside write .delaplace- "writing fit.json" "${fit[@]}"
beside fsync .delaplace- "writing fit.json" "${fit[@]}"
beside rename fit.json "renaming fit.json" "${fit[@]}"
# Pages of a file that is mapped: no call of ours.
awk 'BEGIN { print "y,x"; for (i = 0; i < 900000; i++) printf "%.8f,%.8f\n", sin(i * i), cos(i) }' >large.csv
(($(wc -c <large.csv) > 1 << 24)) || fail "the table is not mapped"
beside page - "waiting for a disk, perhaps that of ../large.csv" glm fit 'y ~ x' --data ../large.csv -o fit.json -q

# What does not come from a disk may take any time.
slowly() {
    sleep 3
    cat table.csv
}
from_pipes() {
    slowly | "$program" glm fit 'y ~ x' --data - -o slow.json -q &>slow
    is_empty slow
    mkfifo pipe
    slowly >pipe &
    "$program" glm fit 'y ~ x' --data pipe -o piped.json -q &>slow
    is_empty slow
    same slow.json piped.json
}
from_pipes &
began+=($!)

# One process of several: all end, with its message.
if can mpi && command -v mpirun >/dev/null; then
    code=0
    HANG_CALL=read HANG_FILE=table.csv HANG_RANK=1 timeout -k 5 60 mpirun --allow-run-as-root --oversubscribe \
        --bind-to none -q -x LD_PRELOAD="$hang" -n 3 "$program" glm fit 'y ~ x' --data table.csv -o shared.json \
        >out 2>err || code=$?
    equal "the code when process 1 hangs" $code 4
    has err "delaplace: process 1: reading table.csv has taken 2 s: the file system hangs; ended"
    [[ ! -e shared.json ]] || fail "a failure left a file"

    # It reads the lines of its own documents, which process 0 has found.
    for ((i = 0; i < 1100; i++)); do echo "2 0:$((i % 3 + 1)) 1:1"; done >corpus.ldac
    code=0
    HANG_CALL=read HANG_FILE=corpus.ldac HANG_RANK=1 timeout -k 5 60 mpirun --allow-run-as-root --oversubscribe \
        --bind-to none -q -x LD_PRELOAD="$hang" -n 2 "$program" topics fit corpus.ldac -k 2 -o shared >out 2>err || code=$?
    equal "the code when process 1 hangs with its documents" $code 4
    has err "delaplace: process 1: reading corpus.ldac has taken 2 s: the file system hangs; ended"
fi

for job in "${began[@]}"; do wait "$job" || fail "see above"; done
