# SPDX-License-Identifier: BSD-3-Clause
# What the command-line tests share. Sourced with the program and the helper json_get:
# goes to an empty folder of its own, which disappears at the end.
# shellcheck shell=bash
set -euo pipefail
program=$(realpath "$1")
json_get=${2:+$(realpath "$2")}
# shellcheck disable=SC2034 # for the scripts that read the project's data and documents
project=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAILED, line ${BASH_LINENO[-2]}: $*" >&2
    [[ -s out ]] && sed 's/^/  stdout: /' out >&2
    [[ -s err ]] && sed 's/^/  stderr: /' err >&2
    exit 1
}

# without_progress BEGAN FILE: if more than ten seconds have passed since BEGAN ($SECONDS then),
# removes the lines that say how far a command is; it writes them from its tenth second on
# if stderr is not a terminal. So a slow machine fails no test, and a command that ends sooner
# must still say nothing.
without_progress() {
    ((SECONDS - $1 >= 10)) || return 0
    sed -i -E '/^delaplace: /!{
        /^[a-z].*(: ((.*, )?iteration [0-9]|[0-9]+ (of|%)).*|, [0-9]+ s)$/d
    }' "$2"
}

# try CODE WORD...: runs the program with the words; its output goes to the files out
# and err, and it must end with CODE.
try() {
    local wanted=$1 code=0 began=$SECONDS
    shift
    "$program" "$@" >out 2>err || code=$?
    [[ " $* " == *\ @(-v|--verbose)\ * ]] || without_progress "$began" err
    ((code == wanted)) || fail "delaplace $*: ended with $code, not $wanted"
}

# has FILE TEXT: the text is in the file.
has() {
    grep -qF -- "$2" "$1" || fail "'$2' is not in $1"
}

is_empty() {
    [[ ! -s $1 ]] || fail "$1 is not empty"
}

# same FILE FILE: the same bytes.
same() {
    cmp -s "$1" "$2" || fail "$1 and $2 differ"
}

# can text|compression: whether the program was built with it. needs: else the test is
# skipped.
can() {
    "$program" version --json | grep -q "\"$1\": true"
}
needs() {
    can "$1" && return
    echo "skipped: the program was built without $1"
    exit 77
}

# sanitised: whether the program was built with the sanitizers, which make it several times
# slower. Long runs are shortened then: the other build checks the numbers.
sanitised() {
    grep -qa __asan_init "$program"
}

# json FILE KEY... : the value at the path of keys and indices; fails on bad JSON.
json() {
    "$json_get" "$@" || fail "no JSON value at $*"
}

# equal WHAT GOT WANTED
equal() {
    [[ $2 == "$3" ]] || fail "$1 is '$2', not '$3'"
}

# wide_table: twelve rows of 'yes' and 'no' with fourteen columns, drawn.
wide_table() {
    awk 'BEGIN { u = 1
        for (i = 0; i <= 12; i++) {
            line = i ? (i % 2 ? "yes" : "no") : "y"
            for (j = 1; j <= 14; j++) {
                u = (u * 69069 + 1) % 4294967296
                line = line "," (i ? u / 4294967296 : "x" j)
            }
            print line
        } }'
}
