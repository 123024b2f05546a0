# SPDX-License-Identifier: BSD-3-Clause
# What the tests of commands under mpirun share; sourced after harness.sh.
# shellcheck shell=bash
needs mpi
if ! command -v mpirun >/dev/null; then
    echo "skipped: there is no mpirun (script/setup mpi installs Open MPI)"
    exit 77
fi
if sanitised; then
    echo "skipped: MPI leaks what sanitizers look for"
    exit 77
fi
# Processes that wait yield: other tests run beside them.
run=(timeout -k 5 120 mpirun --allow-run-as-root --oversubscribe --bind-to none
    --mca mpi_yield_when_idle 1 -q)

# tries CODE P WORD...: like `try`, with P processes.
tries() {
    local wanted=$1 size=$2 code=0
    shift 2
    "${run[@]}" -n "$size" "$program" "$@" >out 2>err || code=$?
    ((code == wanted)) || fail "$size processes of delaplace $*: $code, not $wanted"
}

# once FILE TEXT: the text is in exactly one line of the file.
once() {
    equal "lines in $1 with '$2'" "$(grep -cF -- "$2" "$1")" 1
}
