#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Usage: test_report_bundle.sh SOURCE
#
# src/report/report.html is what script/build-report makes of web/. Skipped without npm and
# its packages, which script/test fetches.
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! command -v npm >/dev/null; then
    echo "skipped: npm is missing; script/setup web installs it"
    exit 77
fi
if [[ ! -d $source/web/node_modules/esbuild ]]; then
    echo "skipped: esbuild is missing; script/setup web fetches it when npm can reach its registry"
    exit 77
fi
mkdir "$work/src"
cp -r "$source/script" "$work/script"
cp -r "$source/web" "$work/web"
if ! (cd "$work" && timeout 120 script/build-report "$work/report.html") >"$work/log" 2>&1; then
    cat "$work/log" >&2
    exit 1
fi
if ! cmp "$work/report.html" "$source/src/report/report.html"; then
    echo "src/report/report.html is not what web/ makes; run script/build-report" >&2
    exit 1
fi
