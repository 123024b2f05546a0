#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Usage: test_includes.sh SOURCE
# The folders of SOURCE include only from those to their left, and script/check-includes
# finds what does not.

set -euo pipefail
source=$1
"$source/script/check-includes" "$source"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$source/src" "$source/include" "$folder"

# finds WHAT: the check fails and says so.
finds() {
    if said=$("$source/script/check-includes" "$folder"); then
        echo "not found: $1" >&2
        exit 1
    fi
    grep -qF "$1" <<<"$said" || { printf '%s\nhas no: %s\n' "$said" "$1" >&2 && exit 1; }
}

printf '\n#include "infer/infer.h"\n' >"$folder/src/math/wrong.c"
finds "src/math/wrong.c:2: math may not include infer/"
rm "$folder/src/math/wrong.c"
echo '#  include "glm/families/family.h"' >"$folder/src/cli/wrong.h"
finds "src/cli/wrong.h:1: cli may not include glm/"
rm "$folder/src/cli/wrong.h"
mkdir "$folder/src/new"
finds "src/new:1: no row"
rmdir "$folder/src/new"
echo '#include "core/core.h"' >"$folder/include/delaplace/wrong.h"
finds "include/delaplace/wrong.h:1: a public header may not include an internal one"
rm "$folder/include/delaplace/wrong.h"
echo '#include <delaplace/special.h>' >>"$folder/include/delaplace.h"
finds "is a header of its own"
