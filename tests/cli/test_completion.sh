#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Completion: what a shell offers after some words.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
try 0 __completion bash
# shellcheck disable=SC1091 # made by the program
source ./out
touch corpus.ldac "with space"

# offers WANTED WORD...: the last word is the one being completed; --option=value comes
# in three words, as readline passes it on.
offers() {
    local wanted=$1
    shift
    COMP_WORDS=(delaplace "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _delaplace || true # compopt fails where no completion is under way
    equal "what '$*' offers" "${COMPREPLY[*]-}" "$wanted"
}
offers "unigram" un
try 0 help
groups=$(awk '/^Commands:/ {on = 1; next} /^$/ {on = 0} on && /^  [a-z]/ && !seen[$1]++ {print $1}' out | xargs)
has out "topics fit"
offers "$groups --version --json --help --quiet --verbose --memory" ""
offers "fit --help --quiet --verbose --memory" unigram ""
offers "fit show predict evaluate check residuals ppc compare cv sbc draws effects means contrast dose --help --quiet --verbose --memory" glm ""
offers "hierarchical separate pooled mixed" glm fit 'y ~ x' --groups ""
offers "population population,drop" glm predict fit.json --unseen p
offers "--method --max-iter --memory" unigram fit --m
offers "laplace delta previous-mean" unigram fit corpus --method ""
offers "delta" unigram fit --method = d
offers "laplace delta previous-mean" unigram fit --method =
offers "" unigram fit --tol ""
offers "corpus.ldac" unigram fit c
offers "with space" unigram fit -o w
offers "unigram" help u

try 0 __completion zsh
has out "#compdef delaplace"
has out "--method=["
if command -v zsh >/dev/null; then zsh -n out || fail "zsh does not read its script"; fi
try 2 __completion fish
has err "bash or zsh"
