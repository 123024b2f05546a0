# SPDX-License-Identifier: BSD-3-Clause
# Checks the names that documents mention against the program and the project: commands,
# their options, files. Sourced by test_docs.sh after harness.sh. What is wrong goes to
# `unknown`.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # program and project come from there, unknown goes there

unknown=
nouns=$("$program" __man | sed -n 's/^delaplace-\([a-z]*\)-.*/\1/p' | sort -u | paste -sd '|')
# Scripts have options of their own, described in the comments at their heads.
all_help=$({
    cat "$project"/script/* "$project"/bench/peers
    "$program" --help
    "$program" __man | sed -n 's/^delaplace-//p' | while read -r page; do
        # shellcheck disable=SC2086 # two words: noun and verb (search-k has a dash of its own)
        "$program" ${page/-/ } --help
    done
})
declare -A help_of=()
# The library's own names, one per line.
identifiers=$(grep -rhow 'dlpi\?_[a-z0-9_]*' "$project"/{src,include,tests,examples} | sort -u)

# help_for WORD WORD: into `help`, of the command that the words begin with.
help_for() {
    local key="$1 $2"
    if [[ ! ${help_of[$key]-} ]]; then
        help_of[$key]=$("$program" "$1" "$2" --help 2>/dev/null || "$program" "$1" --help 2>/dev/null) ||
            return 1
    fi
    help=${help_of[$key]}
}

# options_in TEXT HELP: every --option of the text is in the help.
options_in() {
    local word edge="[[:space:],.:;')(]"
    for word in $1; do
        [[ $word =~ ^--[a-z][a-z0-9-]* ]] || continue
        word=${BASH_REMATCH[0]}
        if ! [[ $2 =~ $edge$word$edge ]]; then
            unknown="there is no option $word"
            return 1
        fi
    done
}

# names_exist COMMAND: where it calls delaplace, the command and its options are there.
names_exist() {
    local first second
    [[ $1 == *'delaplace '* ]] || return 0
    read -r first second _ <<<"${1#*delaplace }"
    if [[ $first != [a-z]* ]]; then
        options_in "$1" "$all_help"
    elif help_for "$first" "$second"; then
        options_in "$1" "$help"
    else
        unknown="there is no command $first $second"
        return 1
    fi
}

# code_is_known TEXT: code between words, that may name a command, options, a function of
# the library or a file.
code_is_known() {
    local text=$1 path
    if [[ $text == delaplace\ [a-z]* ]]; then
        names_exist "$text"
    elif [[ $text =~ ^($nouns)\ [a-z] ]]; then
        names_exist "delaplace $text"
    elif [[ $text == --* ]]; then
        options_in "$text" "$all_help"
    elif [[ $text =~ ^dlpi?_[a-z0-9_]+$ && $text != *xxx* ]]; then
        unknown="the sources have no such name"
        grep -qx "$text" <<<"$identifiers"
    elif [[ $text =~ ^build(-bench)?/bin/((test|bench)_[a-z_0-9]+) ]]; then
        unknown="no source has that name"
        [[ -e $project/tests/${BASH_REMATCH[2]}.c || -e $project/bench/${BASH_REMATCH[2]}.c ]]
    elif [[ $text =~ ^(src|include|tests|examples|script|study|bench|docs|data|web)/[^\ *\{]+ ]]; then
        path=${BASH_REMATCH[0]}
        unknown="there is no such file"
        [[ -e $project/$path ]]
    fi
}
