#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The commands of the documents print what the documents say. In a block ```console, a
# line "$ command" is run, and the lines below it are its output; a line "..." stands for
# any number of lines.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
ln -s "$project/data" data

# The documents say "delaplace".
mkdir bin
ln -s "$program" bin/delaplace
PATH=$work/bin:$PATH

# matches WANTED GOT: line by line, "..." for any lines.
matches() {
    awk 'NR == FNR { want[++n] = $0; next }
    { got[++m] = $0 }
    END {
        i = 1
        for (k = 1; k <= n; k++) {
            if (want[k] == "...") { any = 1; continue }
            if (any) while (i <= m && got[i] != want[k]) i++
            if (i > m || got[i] != want[k]) { print "expected: " want[k]; exit 1 }
            i++
            any = 0
        }
        if (!any && i <= m) { print "unexpected: " got[i]; exit 1 }
    }' "$1" "$2"
}

commands=0
# check: runs the command read last, if any, and compares.
check() {
    [[ $command ]] || return 0
    bash -c "$command" >out 2>err </dev/null || fail "$document: $command"
    is_empty err
    matches wanted out >difference || fail "$document: $command: $(cat difference)"
    commands=$((commands + 1))
}

for document in README.md docs/regression.md docs/text.md docs/corpus-formats.md docs/topics.md docs/report.md; do
    inside=0 command=
    while IFS= read -r line; do
        case $inside$line in
        '0```console') inside=1 command= ;;
        0*) ;;
        '1```')
            check
            inside=0
            ;;
        '1$ '*)
            check
            command=${line#'$ '}
            : >wanted
            ;;
        *) printf '%s\n' "$line" >>wanted ;;
        esac
    done <"$project/$document"
done
# Every link to a file leads to one.
links=0
for document in "$project"/*.md "$project"/{docs,study,data}/*.md; do
    while IFS= read -r link; do
        [[ $link == *:* ]] && continue
        [[ -e $(dirname "$document")/${link%%#*} ]] || fail "$document links $link"
        links=$((links + 1))
    done < <(grep -o '](\([^)#][^) ]*\))' "$document" | sed 's/^](//; s/)$//')
done
((links >= 30)) || fail "only $links links were found"

((commands >= 12)) || fail "only $commands commands were found"
