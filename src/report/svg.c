/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/svg.h"

#include "report/letters.h"
#include "report/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The layout, in pixels at the picture's own size. */
enum { HEAD = 34, TITLE_BASELINE = 24, NOTE_LINE = 14, NOTE_GAP = 6 };
static const double TITLE_SIZE = 15;

/* Classes: c and m are the colours of lines and of their marks, g those of areas, as in
   reports (web/src/style.css). Dark text is legible on every g, and they differ in
   lightness for readers with colour blindness. */
static const char style[] =
    "  <style>\n"
    "    text { font-family: Helvetica, Arial, 'Liberation Sans', sans-serif;\n"
    "      font-size: 12px; fill: #24292f }\n"
    "    .page { fill: #ffffff } .grid { stroke: #d8dee4; stroke-width: 1 }\n"
    "    .axis { stroke: #6e7781; stroke-width: 1; fill: none }\n"
    "    .head { font-size: 15px; font-weight: bold } .name { font-weight: bold }\n"
    "    .end { text-anchor: end } .mid { text-anchor: middle } .dim { fill: #57606a }\n"
    "    .small { font-size: 10.5px } .warn { fill: #a40e26; font-weight: bold }\n"
    "    .line { fill: none; stroke-width: 2; stroke-linejoin: round;\n"
    "      stroke-linecap: round }\n"
    "    .dashed { stroke-dasharray: 2 5 }\n"
    "    .halo { fill: #ffffff; stroke: #ffffff; stroke-width: 3.5;\n"
    "      stroke-linejoin: round }\n"
    "    .number { font-size: 9px; font-weight: bold; text-anchor: middle;\n"
    "      fill: #14181d }\n"
    "    .dots { fill: none; stroke: #57606a; stroke-opacity: 0.45; stroke-width: 3.6;\n"
    "      stroke-linecap: round }\n"
    "    .c0 { stroke: #0969da } .c1 { stroke: #d4500b } .c2 { stroke: #1a7f37 }\n"
    "    .c3 { stroke: #8250df } .c4 { stroke: #9a6700 } .c5 { stroke: #57606a }\n"
    "    .m0 { fill: #0969da } .m1 { fill: #d4500b } .m2 { fill: #1a7f37 }\n"
    "    .m3 { fill: #8250df } .m4 { fill: #9a6700 } .m5 { fill: #57606a }\n"
    "    .g0 { fill: #6db4f6 } .g1 { fill: #c26b49 } .g2 { fill: #73ce95 }\n"
    "    .g3 { fill: #9c70bc } .g4 { fill: #ca9d42 } .g5 { fill: #00b5b9 }\n"
    "    .g6 { fill: #dd7d90 } .g7 { fill: #a4bd63 } .g8 { fill: #b4b9bf }\n";
static const char dark_style[] =
    "    @media (prefers-color-scheme: dark) {\n"
    "      text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #2b323b }\n"
    "      .axis { stroke: #7d8590 } .dim { fill: #9aa4af }\n"
    "      .c0 { stroke: #58a6ff } .c1 { stroke: #ffa657 } .c2 { stroke: #56d364 }\n"
    "      .c3 { stroke: #bc8cff } .c4 { stroke: #e3b341 } .c5 { stroke: #9aa4af }\n"
    "      .m0 { fill: #58a6ff } .m1 { fill: #ffa657 } .m2 { fill: #56d364 }\n"
    "      .m3 { fill: #bc8cff } .m4 { fill: #e3b341 } .m5 { fill: #9aa4af }\n"
    "    }\n";

/* ---- text ---- */

static void open_text(FILE *out, double x, double y, const char *class)
{
    fprintf(out, "  <text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
}

void dlpi_svg_text(FILE *out, double x, double y, const char *class, const char *text)
{
    open_text(out, x, y, class);
    dlpi_xml_text(out, text);
    fputs("</text>\n", out);
}

void dlpi_svg_text_up(FILE *out, double x, double y, const char *text)
{
    fprintf(out, "  <text transform=\"translate(%.1f,%.1f) rotate(-90)\" class=\"mid\">",
            x, y);
    dlpi_xml_text(out, text);
    fputs("</text>\n", out);
}

void dlpi_svg_text_in(FILE *out, double x, double y, const char *class, const char *text,
                      double size, double room)
{
    const size_t fit = dlpi_letters_fit(text, size, room);
    open_text(out, x, y, class);
    if (text[fit]) {
        fputs("<title>", out);
        dlpi_xml_text(out, text);
        fputs("</title>", out);
    }
    dlpi_xml_bytes(out, text, fit);
    fputs(text[fit] ? "\xe2\x80\xa6</text>\n" : "</text>\n", out);
}

/* ---- numbers ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int dlpi_svg_decimals(size_t n, double *sd)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(sd[i]) && sd[i] > 0) sd[kept++] = sd[i];
    if (kept == 0) return 2;
    qsort(sd, kept, sizeof *sd, compare);
    const double decimals = 1 - floor(log10(sd[(kept - 1) / 2]));
    return decimals > 6 ? -1 : decimals > 0 ? (int)decimals : 0;
}

void dlpi_svg_number(double x, int decimals, char text[32])
{
    char digits[32];
    if (!isfinite(x)) {
        snprintf(text, 32, "\xe2\x80\x93");
        return;
    }
    const bool whole = decimals < 0 && fabs(x) >= 9999.5; /* 12345, not 1.234e+04 */
    if ((decimals >= 0 || whole) && fabs(x) < 1e7)
        snprintf(digits, sizeof digits, "%.*f", whole ? 0 : decimals, fabs(x));
    else
        snprintf(digits, sizeof digits, "%.4g", fabs(x));
    const bool negative = x < 0 && strspn(digits, "0.") < strlen(digits);
    snprintf(text, 32, "%s%.28s", negative ? "\xe2\x88\x92" : "", digits);
}

/* ---- notes ---- */

/* Where the line that begins at text ends: before the first word that does not fit. */
static size_t line_end(const char *text, double room)
{
    size_t end = 0;
    while (text[end]) {
        size_t next = end + strcspn(text + end, " ");
        if (end > 0 && dlpi_letters_width_of(text, next, DLPI_SVG_SMALL) > room) break;
        end = next + strspn(text + next, " ");
    }
    return end;
}

/* Prints a note, or only counts its lines if out is NULL. */
static int put_note(FILE *out, double x, double y, const char *class, const char *text,
                    double room)
{
    int lines = 0;
    for (; text && *text; lines++) {
        const size_t end = line_end(text, room);
        if (out) {
            open_text(out, x, y + NOTE_LINE * (lines + 1), class);
            dlpi_xml_bytes(out, text, end);
            fputs("</text>\n", out);
        }
        text += end;
    }
    return lines;
}

/* ---- the page ---- */

static void describe(FILE *out, const dlpi_svg_page *page)
{
    fputs("  <title>", out);
    dlpi_xml_text(out, page->title);
    fputs("</title>\n  <desc>", out);
    dlpi_xml_text(out, page->kind);
    if (page->caption && *page->caption) {
        fputs(". ", out);
        dlpi_xml_text(out, page->caption);
    }
    if (page->warning && *page->warning) {
        fputc(' ', out);
        dlpi_xml_text(out, page->warning);
    }
    fputs("</desc>\n", out);
}

double dlpi_svg_open(FILE *out, const dlpi_svg_page *page, double height)
{
    const double room = page->width - 2 * DLPI_SVG_EDGE - 4, left = DLPI_SVG_EDGE + 2;
    const int caption = put_note(NULL, 0, 0, "", page->caption, room);
    const int warning = put_note(NULL, 0, 0, "", page->warning, 0.92 * room); /* bold */
    const double notes = HEAD + height + NOTE_GAP * (caption + warning > 0);
    const double whole = notes + NOTE_LINE * (caption + warning) + DLPI_SVG_EDGE;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n",
            page->width, whole, page->width, whole);
    describe(out, page);
    fputs(style, out);
    if (page->screen) fputs(dark_style, out);
    fprintf(out, "  </style>\n  <rect class=\"page\" width=\"%.0f\" height=\"%.0f\"/>\n",
            page->width, whole);
    dlpi_svg_text_in(out, left, TITLE_BASELINE, "head", page->title, 1.08 * TITLE_SIZE,
                     room);
    put_note(out, left, notes, "small dim", page->caption, room);
    put_note(out, left, notes + NOTE_LINE * caption, "small warn", page->warning,
             0.92 * room);
    return HEAD;
}

void dlpi_svg_close(FILE *out)
{
    fputs("</svg>\n", out);
}
