#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Usage: test_docs.sh PROGRAM JSON_GET [PART]
#
# Every command that the documents show is run, and does what they say; with PART, those of
# its documents (part_of). Each document is read like a session in a folder of its own, with
# data/, examples/ and include/ of the project in it. By the word after the fence of a block:
#
#   console   a line "$ command" is run, and the lines below it are its output, where
#             "..." stands for anything (docs_match.awk)
#   sh        run as a script; what it prints is not compared
#   c         lines of a program of examples/, which are built and run by other tests
#   python, r run where there is an interpreter for it
#   text      no command: what is neither program nor command
#
# What cannot be run here is in `excused`, with the reason. Inline code is checked
# against --help (docs_names.sh).
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
needs text
needs compression
# shellcheck source=tests/cli/docs_names.sh
source "$project/tests/cli/docs_names.sh"

# part_of DOCUMENT: parts to run side by side.
part_of() {
    case $1 in
    *tutorial-topics.md) echo tutorial ;;
    *topics.md | *text.md | *corpus-formats.md | *report.md) echo topics ;;
    *tutorial-c.md | *regression.md | *mixed.md | *bugs.md) echo regression ;;
    *) echo rest ;;
    esac
}

part=${3-}
documents=()
for document in $(cd "$project" && ls -1 ./*.md {data,docs,study,bench}/*.md); do
    [[ $part && $(part_of "$document") != "$part" ]] || documents+=("$document")
done
cli=$project/tests/cli
commands=0 failures=0 skipped=0

# The documents say "delaplace", and the programs of the C tutorial find the library.
mkdir bin lib
ln -s "$program" bin/delaplace
PATH=$work/bin:$PATH
build=$(dirname "$(dirname "$program")")
cat >lib/delaplace.pc <<PC
Name: delaplace
Description: as it was built
Version: 0
Cflags: -I$project/include -I$build/include
Libs: -L$build/lib -ldelaplace
PC
export PKG_CONFIG_PATH=$work/lib LD_LIBRARY_PATH=$build/lib

# excused COMMAND: why it is not run; fails when it is to be run.
excused() {
    case $1 in
    ./script/* | script/* | bench/* | study/* | sudo\ *) echo "installs packages, or takes minutes" ;;
    cmake\ * | ctest\ * | tar\ *dist/*) echo "builds the project: script/test and test_install.sh do" ;;
    *'--data DIR'*) echo "needs the paper's data: test_study.sh runs it where they are" ;;
    *sleepstudy.csv*) excused_without_lme4 ;;
    *) return 1 ;;
    esac
}

# Where R has lme4 (script/setup peers), what we say beside it is checked, too.
excused_without_lme4() {
    ! Rscript -e 'library(lme4)' >/dev/null 2>&1 || return 1
    echo "needs data of R's lme4"
}

# wrong LINE TEXT...: counts a failure, and continues.
wrong() {
    local line=$1
    shift
    echo "$document:$line: $*" >&2
    failures=$((failures + 1))
}

# is_excused LINE COMMAND: true when it need not run. Its options must be right all the same.
is_excused() {
    local reason script
    reason=$(excused "$2") || return 1
    skipped=$((skipped + 1))
    echo "$document:$1: not run: $2: $reason"
    names_exist "$2" || wrong "$1" "$2: $unknown"
    script=${2%% *}
    [[ $script != *script/* || -x $project/$script ]] || wrong "$1" "there is no $script"
}

# ---- the comparison itself ----

# says WANTED FOUND: 0 when a document that says the one may print the other.
says() {
    awk -f "$cli/docs_match.awk" <(printf '%s\n' "$1") <(printf '%s\n' "$2") >/dev/null
}
says 'a   17.08 [1, 2]' 'a 17.08  [1, 2]' || fail "blanks count"
says 'in ... s' 'in 0.53 s' || fail "dots do not stand for any word"
says $'...\n2' $'1\n1.5\n2' || fail "dots do not stand for any lines"
if says 17.07 17.08 || says 0.98 0.980 || says 'in 0.53 s' 'in 0.54 s'; then
    fail "digits do not count"
fi

# ---- blocks: in the folder of a session; what the test itself writes is above it ----

# run_command LINE: runs `command`, if there is one, and compares with the file wanted.
run_command() {
    local began=$SECONDS
    [[ $command ]] || return 0
    is_excused "$1" "$command" && return 0
    bash -c "$command" >../out 2>&1 </dev/null ||
        { wrong "$1" "$command: ended with $?: $(cat ../out)" && return; }
    without_progress "$began" ../out
    awk -f "$cli/docs_match.awk" ../wanted ../out >../difference ||
        wrong "$1" "$command"$'\n'"$(cat ../difference)"
    commands=$((commands + 1))
}

# A command that ends with a backslash goes on in the next line.
run_console() {
    local at=$1 line command='' begun=0
    while IFS= read -r line; do
        if [[ $command == *\\ && ! -s ../wanted ]]; then
            command=${command%\\}$line
        elif [[ $line == '$ '* ]]; then
            run_command "$begun"
            command=${line#'$ '} begun=$at
            : >../wanted
        else
            [[ $command ]] || wrong "$at" "output before a command"
            printf '%s\n' "$line" >>../wanted
        fi
        at=$((at + 1))
    done <"$2"
    run_command "$begun"
}

# Without the commands that are excused, to the last of their lines.
run_sh() {
    local at=$1 line continued=0 left_out=0
    : >../script
    while IFS= read -r line; do
        if ((!continued)); then
            left_out=0
            if is_excused "$at" "$line"; then left_out=1; else commands=$((commands + 1)); fi
        fi
        ((left_out)) || printf '%s\n' "$line" >>../script
        if [[ $line == *\\ ]]; then continued=1; else continued=0; fi
        at=$((at + 1))
    done <"$2"
    bash -euo pipefail ../script >../out 2>&1 </dev/null || wrong "$1" "ended with $?: $(cat ../out)"
}

# run_by LINE INTERPRETER TRIAL FILE: where the interpreter passes the trial.
run_by() {
    if $2 "$3" >../out 2>&1 </dev/null; then
        $2 "$4" >../out 2>&1 </dev/null || wrong "$1" "ended with $?: $(cat ../out)"
        commands=$((commands + 1))
    else
        echo "$document:$1: skipped, for want of what it needs: $(tail -n 1 ../out)"
        skipped=$((skipped + 1))
    fi
}

# Lines of one file of examples/, in their order; a line of dots stands for what is left out.
check_c() {
    local example
    for example in "$project"/examples/{*,*/*}.c; do
        sed 's/^ *//; s/ *$//' "$example" >../plain
        sed 's/^ *//; s/ *$//; s|^/\* \.\.\. \*/$|...|' "$2" | { echo ... && cat && echo ...; } >../wanted
        if awk -f "$cli/docs_match.awk" ../wanted ../plain >../difference; then return; fi
    done
    wrong "$1" "these lines do not stand in a file of examples/"
}

# A block of words or numbers; a command in it would not be run.
check_text() {
    local found
    found=$(grep -nE '^ *(\$ |delaplace |\./|script/|build[a-z-]*/bin/|(cmake|ctest|sudo|apt|tar|cc|Rscript|python3?) )' "$2") ||
        return 0
    wrong "$1" "a command that is not run: use a block \`\`\`console or \`\`\`sh: $found"
}

# ---- documents ----

# What some documents take for granted: text files of one's own, and the corpus AP.
begin_session() {
    mkdir -p "$work/session/$1/blocks" "$work/session/$1/run"
    cd "$work/session/$1/run"
    ln -s "$project"/{data,examples,include} .
    mkdir texts new
    cp "$project"/include/delaplace/*.h texts
    cp "$project"/examples/*.c new
    cp "$project/tests/data/packages.ldac" ap.dat
    cp "$project/tests/data/packages.vocab" vocab.txt
    printf 'library(jsonlite)\n' >"$work/trial-r"
    printf 'import numpy\n' >"$work/trial-python"
}

python=python3
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3

for document in "${documents[@]}"; do
    begin_session "${document//[.\/]/-}"
    awk -v out=../blocks -f "$cli/docs_blocks.awk" "$project/$document"
    for block in ../blocks/*; do
        [[ -e $block ]] || continue
        line=$((10#$(basename "${block%%-*}")))
        case ${block#*-} in
        console) run_console "$line" "$block" ;;
        sh) run_sh "$line" "$block" ;;
        c) check_c "$line" "$block" ;;
        r) run_by "$line" Rscript "$work/trial-r" "$block" ;;
        python) run_by "$line" "$python" "$work/trial-python" "$block" ;;
        text | indented) check_text "$line" "$block" ;;
        inline)
            while read -r line code; do
                code_is_known "$code" || wrong "$line" "\`$code\`: $unknown"
            done <"$block"
            ;;
        *) wrong "$line" "a block of an unknown kind, ${block#*-}: see the head of $0" ;;
        esac
    done
done
cd "$work"

# ---- links ----

# headings FILE: as links name them.
headings() {
    sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# leads_somewhere LINK: to a file of the project, and to a heading of it.
leads_somewhere() {
    local file=$project/$document
    [[ $1 == '#'* ]] || file=$(dirname "$file")/${1%%#*}
    [[ -e $file ]] || return 1
    [[ $1 != *'#'* ]] || grep -qx -- "${1#*#}" <<<"$(headings "$file")"
}

links=0
for document in "${documents[@]}"; do
    while IFS= read -r link; do
        [[ $link == *:* ]] && continue
        links=$((links + 1))
        leads_somewhere "$link" || wrong 1 "links $link, which is not there"
    done < <(grep -o ']([^) ]*)' "$project/$document" | sed 's/^](//; s/)$//')
done

# ---- homes ----

# The tables of docs/ways.md say "| step | function | file |": each function is defined in one of
# the files of its row. Asked once, in the part that has it.
homes=0 least=(60 30 30) # commands, links, homes
[[ $part ]] && least=(10 3 0)
[[ $part == rest ]] && least=(10 3 30)
while IFS='|' read -r _ _ functions files _; do
    mapfile -t paths < <(grep -o 'src/[a-z_/]*\.c' <<<"$files" | sed "s|^|$project/|")
    ((${#paths[@]} > 0)) || continue
    while read -r name; do
        homes=$((homes + 1))
        grep -hE "^[a-z].*\b$name\(" "${paths[@]}" | grep -qv ';$' ||
            document=docs/ways.md wrong 1 "$name is not defined in the files beside it"
    done < <(grep -o 'dlpi\?_[a-z0-9_]*' <<<"$functions")
done < <(((least[2])) && grep -E '^\|.*\|.*dlp.*\|.*src/' "$project/docs/ways.md")

echo "$commands commands run, $skipped not, for the reasons above; $links links followed"
((failures == 0)) || fail "$failures failures in the documents"
((commands >= least[0] && links >= least[1] && homes >= least[2])) || fail "too few were found"
