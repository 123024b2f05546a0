# SPDX-License-Identifier: BSD-3-Clause
# Two files: what a document says that a command prints, and what it printed. A line "..."
# stands for any lines, a word "..." for any words. Numbers with a decimal point may differ by
# half a percent or one unit of the last digit, so that a document need not be written
# anew where an algorithm stops a little earlier; all else must be the same, but for how
# many blanks part two words. Says where the files differ.

# Does the number b agree with a, as a is written?
function near(a, b, mantissa, point, unit, difference) {
    if (a == b) return 1
    if (a !~ /[.e]/) return 0
    mantissa = a
    sub(/e.*/, "", mantissa)
    point = index(mantissa, ".")
    unit = (point ? 10 ^ (point - length(mantissa)) : 1)
    if (a ~ /e/) unit *= 10 ^ substr(a, index(a, "e") + 1)
    difference = a - b < 0 ? b - a : a - b # as numbers, for a and b are texts
    return difference <= 1.000001 * unit || difference <= 0.005 * (a < 0 ? -a : +a)
}

# One word: the same text around numbers that agree.
function agree(want, got, i, j, wanted, found) {
    while (want != got) {
        i = match(want, /-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/)
        wanted = substr(want, RSTART, RLENGTH)
        j = match(got, /-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/)
        found = substr(got, RSTART, RLENGTH)
        if (!i || !j || substr(want, 1, i - 1) != substr(got, 1, j - 1)) return 0
        if (!near(wanted, found)) return 0
        want = substr(want, i + length(wanted))
        got = substr(got, j + length(found))
    }
    return 1
}

# Do the words of `want` from k on match those of `got` from i on?
function words_match(want, n, k, got, m, i) {
    if (k > n) return i > m
    if (want[k] != "...")
        return i <= m && agree(want[k], got[i]) && words_match(want, n, k + 1, got, m, i + 1)
    for (; i <= m + 1; i++)
        if (words_match(want, n, k + 1, got, m, i)) return 1
    return 0
}

function line_matches(want, got, words, found, n, m) {
    if (want == got) return 1
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
