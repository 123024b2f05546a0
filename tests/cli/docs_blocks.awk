# SPDX-License-Identifier: BSD-3-Clause
# The parts of a Markdown document that are not prose, one file each in the folder `out`:
#
#   00018-console    the block ```console whose first line is line 18
#   00046-indented   lines indented by four blanks, after a blank line
#   99999-inline     inline `code`: the line of its paragraph, a blank, the code
#
# A block without a word after its fence is called "nameless".

function open_file(line, kind) { file = sprintf("%s/%05d-%s", out, line, kind); printf "" >file }
function close_file() { if (file != "") close(file); file = "" }

# Code that a line break splits is one piece, so a paragraph is read as a whole.
function end_paragraph(n, piece, i) {
    n = split(paragraph, piece, "`")
    for (i = 2; i < n; i += 2) print start, piece[i] >(out "/99999-inline")
    paragraph = ""
}

fenced && /^```/ { close_file(); fenced = 0; next }
fenced { print >file; next }
/^```/ {
    end_paragraph()
    open_file(NR + 1, length($0) > 3 ? substr($0, 4) : "nameless")
    fenced = 1
    next
}
/^    / && (blank || indented) {
    if (!indented) open_file(NR, "indented")
    indented = 1
    print substr($0, 5) >file
    next
}
indented && NF { close_file(); indented = 0 }
{ blank = !NF }
!NF { end_paragraph(); next }
paragraph == "" { start = NR }
{ paragraph = paragraph (paragraph == "" ? "" : " ") $0 }
END { end_paragraph() }
