# SPDX-License-Identifier: BSD-3-Clause
# Makes the man pages of the C library (section 3) from its public headers:
#
#   awk -v out=FOLDER -v version=0.1.0 -f man3.awk delaplace.h delaplace/fit.h ...
#
# delaplace.h comes first: what it includes needs no other header.
#
# delaplace/fit.h becomes dlp_fit.3, with a page that leads there for each function in it;
# delaplace.h becomes delaplace.3, the index. What it relies on is how the headers are
# written: the first comment but the licence tells of the header; any other tells of the
# declarations below it, up to a blank line or the next comment.

# ---- reading: a header is a list of comments and pieces of code ----

function add(what, words) {
    kind[++n] = what
    text[n] = words
    gap[n] = blank
    blank = 0
}

# Without comments; the rest of one that is still open stays, so that it does not end.
function bare(code, i, j) {
    while ((i = index(code, "/*")) > 0 && (j = index(substr(code, i), "*/")) > 0)
        code = substr(code, 1, i - 1) " " substr(code, i + j + 1)
    sub(/[ \t\n]+$/, "", code)
    return code
}

# Does a declaration, a definition or a directive end here?
function is_whole(code, plain, opened, closed) {
    if (code ~ /^#if/) return gsub(/(^|\n)#if/, "&", code) == gsub(/\n#endif/, "&", code)
    if (code ~ /^#/) return code !~ /\\$/
    plain = bare(code)
    if (plain ~ /\/\*/) return 0
    opened = gsub(/{/, "{", plain)
    closed = gsub(/}/, "}", plain)
    return opened == closed && plain ~ /[;}]$/
}

function begin_header(path) {
    n = opening = blank = 0
    open = skipping = ""
    header = path
    sub(/.*\//, "", header)
    sub(/\.h$/, "", header)
    page = header == "delaplace" ? "delaplace" : "dlp_" header
    is_index = header == "delaplace"
    see_also = ""
}

FNR == 1 {
    if (page != "") end_header()
    begin_header(FILENAME)
}

# The parts of a header that are the same in all of them.
skipping != "" { if ($0 ~ /^#endif/) skipping = ""; next }
open == "" && /^#ifdef __cplusplus/ { skipping = "extern"; next }
open == "" && (/^#ifndef DELAPLACE_/ || /^#define DELAPLACE_/ || /^#endif/) { next }
open == "" && /^#include <delaplace\// {
    match($0, /\/[a-z_0-9]*\.h/)
    see_also = see_also " dlp_" substr($0, RSTART + 1, RLENGTH - 3)
    next
}
open == "" && /^#include/ { next }
open == "" && /^[ \t]*$/ { blank = 1; next }
{
    if (open == "") { open = $0 ~ /^[ \t]*\/\*/ ? "comment" : "code"; whole = $0 }
    else whole = whole "\n" $0
    if (open == "comment" ? whole ~ /\*\// : is_whole(whole)) {
        if (whole !~ /SPDX-License-Identifier/) add(open, whole)
        open = ""
    }
}

# ---- writing ----

# Characters that troff takes for its own.
function escaped(words) {
    gsub(/\\/, "\\e", words)
    gsub(/-/, "\\-", words)
    gsub(/\^/, "\\(ha", words)
    gsub(/~/, "\\(ti", words)
    gsub(/`/, "\\(ga", words)
    gsub(/'/, "\\(aq", words)
    return words
}

# The names of the library in bold; a line must not begin with a request.
function marked(words, done) {
    words = escaped(words)
    while (match(words, /dlp_[a-z0-9_]+/)) {
        done = done substr(words, 1, RSTART - 1) "\\fB" substr(words, RSTART, RLENGTH) "\\fR"
        words = substr(words, RSTART + RLENGTH)
    }
    words = done words
    return words ~ /^[.]/ ? "\\&" words : words
}

function write(line) { print line >file }

function write_code(code, lines, count, i) {
    write(".PP")
    write(".nf")
    write(".RS 2")
    count = split(code, lines, "\n")
    for (i = 1; i <= count; i++) write(marked(lines[i]))
    write(".RE")
    write(".fi")
}

# The words of a comment, line by line, without its frame.
function unframed(comment) {
    sub(/^[ \t]*\/\*[ \t]?/, "", comment)
    sub(/[ \t]*\*\/.*$/, "", comment)
    if (!gsub(/\n \*[ \t]?/, "\n", comment)) gsub(/\n   /, "\n", comment)
    sub(/^\n/, "", comment)
    sub(/[ \t\n]+$/, "", comment)
    return comment
}

# A line that is set in by more than the others is code, or a formula.
function write_comment(comment, lines, count, i, set) {
    count = split(unframed(comment), lines, "\n")
    write(".PP")
    for (i = 1; i <= count; i++) {
        if (lines[i] ~ /^[ \t]*$/) {
            write(set ? ".sp" : ".PP")
            continue
        }
        if (lines[i] ~ /^  / && !set) { set = 1; write(".PP"); write(".nf"); write(".RS 2") }
        if (lines[i] !~ /^  / && set) { set = 0; write(".RE"); write(".fi"); write(".PP") }
        write(marked(lines[i]))
    }
    if (set) { write(".RE"); write(".fi") }
}

# What a piece of code declares.
function declared(code, plain) {
    if (code ~ /^#define/) {
        match(code, /DLP_[A-Z0-9_]+/)
        return RSTART ? substr(code, RSTART, RLENGTH) : ""
    }
    plain = bare(code)
    if (is_function(code)) {
        match(plain, /dlp_[a-z0-9_]+[ \t\n]*\(/)
        plain = substr(plain, RSTART, RLENGTH - 1)
        sub(/[ \t\n]+$/, "", plain)
        return plain
    }
    if (match(plain, /dlp_[a-z0-9_]+;$/)) return substr(plain, RSTART, RLENGTH - 1)
    return match(plain, /dlp_[a-z0-9_]+/) ? substr(plain, RSTART, RLENGTH) : ""
}

function is_function(code) {
    return code ~ /^(DLP_API|static inline) / && bare(code) ~ /dlp_[a-z0-9_]+[ \t\n]*\(/
}

# As a program sees it: no attributes, and no body of an inline function.
function as_declared(code) {
    if (code ~ /^static inline/) {
        code = bare(code)
        sub(/^static inline /, "DLP_API ", code)
        sub(/[ \t\n]*{.*/, ";", code)
    }
    gsub(/[ \t\n]*DLP_PRINTF\([0-9, ]*\)/, "", code)
    if (is_function(code)) gsub(/\n +/, "\n        ", code)
    sub(/^DLP_API /, "", code)
    return code
}

# The first sentence of the header's own comment.
function summary(comment, words) {
    words = unframed(comment)
    sub(/\n[ \t]*\n.*/, "", words)
    gsub(/[ \t\n]+/, " ", words)
    sub(/^delaplace: /, "", words)
    if (match(words, /[.] [A-Z]/)) words = substr(words, 1, RSTART)
    sub(/[.:]$/, "", words)
    return words
}

function head_of_page(    i, names) {
    file = out "/" page ".3"
    write(".\\\" made from " header ".h by cmake/man3.awk")
    write(".TH \"" toupper(page) "\" \"3\" \"\" \"delaplace " version "\" \"delaplace library\"")
    write(".nh")
    write(".ad l")
    write(".SH NAME")
    names = page
    for (i = 1; i <= n; i++)
        if (kind[i] == "code" && is_function(text[i]) && declared(text[i]) != page)
            names = names ", " declared(text[i])
    write(names " \\- " escaped(told[page]))
    write(".SH SYNOPSIS")
    write(".nf")
    write("\\fB#include <" (by_umbrella[page] ? "delaplace" : "delaplace/" header) ".h>\\fR")
}

function list_functions(    i) {
    for (i = 1; i <= n; i++) {
        if (kind[i] != "code" || !is_function(text[i])) continue
        write(".PP")
        write(marked(as_declared(bare(text[i]))))
        functions[page] = functions[page] (page in functions ? " " : "") declared(text[i])
    }
}

# The pieces of code from i on that one comment tells of; their number.
function group_of(i, count) {
    while (i + count <= n && kind[i + count] == "code" && (!count || !gap[i + count])) count++
    return count
}

function write_group(first, count, comment, i, names, code) {
    for (i = first; i < first + count; i++) {
        names = names (names == "" ? "" : ", ") declared(text[i])
        code = code (code == "" ? "" : "\n") as_declared(text[i])
    }
    write(".SS " names)
    write_code(code)
    if (comment) write_comment(text[comment])
}

function write_body(    i, count, comment) {
    for (i = opening + 1; i <= n; i += count) {
        comment = 0
        count = 1
        if (kind[i] == "comment") {
            if (i == n || kind[i + 1] == "comment" || gap[i + 1]) { write_comment(text[i]); continue }
            comment = i++
        }
        count = group_of(i, 0)
        write_group(i, count, comment)
    }
}

function write_see_also(    i, count, pages, line) {
    write(".SH SEE ALSO")
    count = split(see_also, pages, " ")
    line = "\\fBdelaplace\\fR(3)"
    for (i = 1; i <= count; i++)
        if (pages[i] != page) line = line ", \\fB" pages[i] "\\fR(3)"
    write(line)
}

# A page for each function, which leads to that of its header.
function write_links(    i, name) {
    for (i = 1; i <= n; i++) {
        if (kind[i] != "code" || !is_function(text[i])) continue
        name = declared(text[i])
        if (name == page) continue
        file = out "/" name ".3"
        write(".so man3/" page ".3")
        close(file)
    }
}

function keep_index(    i, count, pages) {
    index_words = opening ? text[1] : ""
    by_umbrella["delaplace"] = 1
    count = split(see_also, pages, " ")
    for (i = 1; i <= count; i++) by_umbrella[pages[i]] = 1
}

function end_header() {
    opening = n && kind[1] == "comment" ? 1 : 0
    told[page] = opening ? summary(text[1]) : header ".h"
    if (is_index) { keep_index(); return }
    pages[++n_pages] = page
    head_of_page()
    list_functions()
    write(".fi")
    write(".SH DESCRIPTION")
    if (opening) write_comment(text[1])
    write_body()
    write_see_also()
    close(file)
    write_links()
}

function write_index(    i) {
    page = header = "delaplace"
    n = 0
    head_of_page()
    write(".PP")
    write("cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs delaplace)")
    write(".fi")
    write(".SH DESCRIPTION")
    write_comment(index_words)
    write(".SH PAGES")
    for (i = 1; i <= n_pages; i++) {
        write(".TP")
        write("\\fB" pages[i] "\\fR(3)")
        write(escaped(told[pages[i]]) ".")
        if (pages[i] in functions) { write(".br"); write(marked(functions[pages[i]])) }
    }
    write(".SH SEE ALSO")
    write("\\fBdelaplace\\fR(1), and the tutorial for programs in C of the documentation")
    close(file)
}

END {
    end_header()
    write_index()
}
