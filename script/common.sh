# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of this folder share. Sourced, first of all, with the script's
# arguments: it goes to the top of the project and answers --help with the comment at
# the head of the script.
# shellcheck shell=bash
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1-} in
-h | --help)
    sed -n '3,/^$/s/^# \{0,1\}//p' "script/${0##*/}"
    exit 0
    ;;
esac

jobs=$(nproc 2>/dev/null || echo 2)

# quietly LOG COMMAND...: shows what the command said only when it failed.
quietly() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        return 1
    }
}

# build_in FOLDER [CMAKE OPTION...]: configures and builds there.
build_in() {
    configure_in "$@" && cmake --build "$1" --parallel "$jobs"
}

# configure_in FOLDER [CMAKE OPTION...]: keeps the generator of a folder that exists.
configure_in() {
    local folder=$1 generator=(-G Ninja)
    shift
    [[ -f $folder/CMakeCache.txt ]] && generator=()
    mkdir -p "$folder"
    quietly "$folder/configure.log" cmake -S . -B "$folder" "${generator[@]}" "$@"
}
