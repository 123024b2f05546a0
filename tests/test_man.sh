#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The man pages of the C library: one for every function of the public headers and every
# symbol of the library, and nothing in them that a formatter stumbles over.
# Usage: test_man.sh BUILD-FOLDER SOURCE-FOLDER

set -euo pipefail
build=$1 source=$2
pages=$build/generated/man3

fail() {
    echo "test_man: $*" >&2
    exit 1
}

# leads_to NAME: the page of a function describes it, itself or through the one it leads to.
leads_to() {
    local page=$pages/$1.3
    [[ -s $page ]] || fail "no man page of $1"
    if grep -q '^\.so ' "$page"; then page=$pages/$(sed 's|^\.so man3/||' "$page"); fi
    grep -qE "^(dlp_.*\b)?$1\b.* \\\\- " "$page" || fail "${page##*/} does not name $1"
    grep -qE "\\\\fB$1\\\\fR\(" "$page" || fail "${page##*/} does not declare $1"
}

# Every function, as the headers and the library have them.
list_functions() {
    sed -n 's/^DLP_API .*\b\(dlp_[a-z0-9_]*\)(.*/\1/p' "$source"/include/delaplace/*.h
    [[ ! -e $build/lib/libdelaplace.so ]] ||
        nm -D --defined-only "$build/lib/libdelaplace.so" | awk '$2 == "T" && $3 ~ /^dlp_/ { print $3 }'
}
functions=0
while read -r name; do
    leads_to "$name"
    functions=$((functions + 1))
done < <(list_functions | sort -u)
((functions >= 100)) || fail "only $functions functions were found"

# Every header has a page that says what the header says about itself and its types.
for header in "$source"/include/delaplace/*.h; do
    name=dlp_$(basename "$header" .h)
    [[ -s $pages/$name.3 ]] || fail "no man page of $header"
    grep -qF "$name(3)" <(sed 's/\\fB//g; s/\\fR//g' "$pages/delaplace.3") ||
        fail "$name is not in the index"
    while read -r type; do
        grep -qE "^\.SS .*\b$type\b" "$pages/$name.3" || fail "$name.3 does not describe $type"
    done < <(sed -nE 's/^typedef (struct|enum) (dlp_[a-z_0-9]+) \{.*/\2/p' "$header")
done

if ! command -v man groff >/dev/null; then
    echo "$functions functions; not formatted, for want of man"
    exit 0
fi
for page in "$pages"/*.3; do
    if grep -q '^\.so ' "$page"; then continue; fi
    said=$(LC_ALL=C.UTF-8 man --warnings -E UTF-8 -Tutf8 -Z -l "$page" 2>&1 >/dev/null)
    [[ -z $said ]] || fail "$page: $said"
done
if command -v mandoc >/dev/null; then mandoc -Tlint -Werror "$pages"/dlp_*.3; fi
echo "$functions functions"
