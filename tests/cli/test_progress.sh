#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What a command says while it works: a line on a terminal that is gone at the end, a few
# plain ones elsewhere, those of --verbose on stderr, and nothing with --quiet.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/topics.sh
source "$(dirname "$0")/topics.sh"
printf '2 0:2 1:1\n1 1:3\n' >corpus

# Where nobody looks, a long wait is reported in plain lines, from the tenth second on; a short
# one, --quiet and --verbose need none. These wait while the rest goes on.
log() { # log NAME SECONDS OPTION...
    local name=$1 seconds=$2
    shift 2
    (sleep "$seconds"; cat corpus) | "$program" corpus stats - "$@" >/dev/null 2>"$name" &
}
log long 12
log short 0
log long_quiet 12 --quiet
log long_verbose 12 --verbose
check_logs() {
    wait
    grep -qE '^reading standard input, [0-9]+ s$' long || fail "a long wait is not reported"
    if grep -q $'[\r\033]' long; then fail "a log has escapes"; fi
    is_empty short
    is_empty long_quiet
    equal "what --verbose leaves" "$(grep -c 'reading standard input' long_verbose)" 1
}

# --verbose: what was read, every iteration, how it ended; stdout stays as it is.
try 0 "${fit[@]}" -o model --max-iter 200
cp out plain
try 0 "${fit[@]}" -o model --max-iter 200 --verbose
sed 's/ and [0-9.]* s\.$//' plain >wanted
sed 's/ and [0-9.]* s\.$//' out >got
same got wanted
has err "reading $packages: 600 documents, "
has err "choosing the first topics: "
has err "iteration 1: log evidence per word -"
has err "fitting: converged, "
has err "writing model: "
try 0 unigram fit corpus -o unigram.json -v --json
has err "iteration 1: objective "
[[ $(json out outcome) == converged ]] || fail "--verbose spoils --json"
try 0 glm fit 'distress ~ temperature' --data "$project/data/challenger.csv" -o fit.json -v
has err "challenger.csv: 23 rows, 6 columns, "
if grep -q $'\033' err; then fail "escapes without a terminal"; fi

# Results are no chatter: --quiet leaves them, and takes the rest.
try 0 corpus stats corpus -q
has out documents
try 0 topics evaluate model "$packages" -q
has out "per word, held out"
is_empty err
try 0 topics infer model "$packages" -o proportions.csv -q
is_empty out
is_empty err

# On a terminal: input that takes its time.
command -v script >/dev/null || {
    check_logs
    echo "script is not there: what a terminal shows is not tested"
    exit 0
}
cat >slow <<END
(sleep 1.7; cat corpus) | $(printf %q "$program") corpus stats - "\$@"
END
# The corpus is read, and how far is known; its terms come late.
mkfifo terms
cat >late_terms <<END
(sleep 1.7; printf 'a\nb\n') >terms &
$(printf %q "$program") corpus stats corpus --vocab terms "\$@"
END
# terminal TERM WORD...: what a terminal gets of the script, in `seen`.
terminal() {
    local term=$1
    shift
    TERM=$term script -qec "bash $*" /dev/null </dev/null >seen
}
terminal xterm late_terms
grep -qE 'reading corpus: [0-9]+ %, about [0-9]+ s left' seen || fail "no time left"
has seen $'\r\033[Kcorpus'
terminal xterm late_terms --quiet
if grep -q reading seen; then fail "progress with --quiet"; fi
terminal dumb late_terms
if grep -q reading seen; then fail "progress on a dumb terminal"; fi
terminal xterm slow
has seen "reading standard input, 1 s"
# The line is erased before anything else is printed.
has seen $'\r\033[Kstandard input'
terminal xterm slow --quiet
if grep -q reading seen; then fail "progress with --quiet"; fi
terminal dumb slow
if grep -q $'\033' seen; then fail "escapes on a dumb terminal"; fi
has seen documents
check_logs
