# SPDX-License-Identifier: BSD-3-Clause
# Two files: what a document says that a command prints, and what it printed. A line "..."
# stands for any lines, a word "..." for any words: so a document marks what differs from run
# to run or from machine to machine, such as times and versions, or leaves out what is long.
# All else must be the same, to the last digit, except for the number of blanks between two
# words. Says where the files differ.

# Compared as texts (""), for awk would take 0.98 and 0.980 for one number.

# Do the words of `want` from k on match those of `got` from i on?
function words_match(want, n, k, got, m, i) {
    if (k > n) return i > m
    if (want[k] != "...")
        return i <= m && want[k] "" == got[i] "" && words_match(want, n, k + 1, got, m, i + 1)
    for (; i <= m + 1; i++)
        if (words_match(want, n, k + 1, got, m, i)) return 1
    return 0
}

function line_matches(want, got, words, found, n, m) {
    if (want "" == got "") return 1
    n = split(want, words, / +/)
    m = split(got, found, / +/)
    return words_match(words, n, 1, found, m, 1)
}

# The same of lines. Remembers how far it came.
function matches(k, i) {
    if (k > furthest) { furthest = k; at = i }
    if (k > n) return i > m
    if (want[k] != "...") return i <= m && line_matches(want[k], got[i]) && matches(k + 1, i + 1)
    for (; i <= m + 1; i++)
        if (matches(k + 1, i)) return 1
    return 0
}

FILENAME == ARGV[1] { want[++n] = $0; next }
{ got[++m] = $0 }
END {
    if (matches(1, 1)) exit 0
    print "expected: " (furthest <= n ? want[furthest] : "the end")
    print "found:    " (at <= m ? got[at] : "the end")
    exit 1
}
