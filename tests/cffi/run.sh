#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a Python program of this folder that calls the shared library by cffi, as a binding
# would. Skipped, with the reason, where there is no cffi.
# Usage: run.sh BUILD-FOLDER SOURCE-FOLDER PROGRAM.py COMMAND-LINE
set -euo pipefail
here=$(dirname "$(realpath "$0")")
build=$(realpath "$1") source=$(realpath "$2") test=$here/$3 program=$(realpath "$4")

python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import cffi' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [[ -z $python ]]; then
    echo "skipped: no python3 here can import cffi (Debian: apt install python3-cffi)"
    exit 77
fi
library=$build/lib/libdelaplace.so
if [[ ! -e $library ]]; then
    echo "skipped: $library was not built"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# An instrumented library must find its sanitizer already loaded; what Python itself leaves
# unfreed at its end is not ours.
preload=$(ldd "$library" | awk '$1 ~ /^lib(asan|ubsan)/ { printf "%s%s", n++ ? ":" : "", $3 }')
if [[ $preload ]]; then export ASAN_OPTIONS=detect_leaks=0; fi
export DELAPLACE_LIBRARY=$library DELAPLACE_PROGRAM=$program DELAPLACE_SOURCE=$source
export DELAPLACE_INCLUDE=$source/include:$build/include PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1
LD_PRELOAD=$preload "$python" "$test"
