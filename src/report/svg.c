/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/svg.h"

#include "report/ticks.h"
#include "report/xml.h"

#include <math.h>
#include <string.h>

/* The layout, in pixels at the picture's own size. */
enum {
    CHART_WIDTH = 390,
    CHART_HEIGHT = 290,
    LEFT = 72, /* of a chart, for its numbers */
    RIGHT = 14,
    TOP = 34,    /* for its title */
    BOTTOM = 50, /* for numbers and label */
    HEAD = 34,   /* of the figure, for its title */
    LEGEND_ROW = 20,
    LEGEND_LINE = 26, /* the sample of a line */
    LEGEND_GAP = 24,
    EDGE = 12, /* around the figure */
};
static const double LETTER = 6.6; /* mean width of one, by which texts are placed */
static const double NEAR = 0.4;   /* points closer than this are one */
enum { X_TICKS = 6, Y_TICKS = 6 };

/* Colours that readers who see few tell apart, too; the second of each is for the dark. */
static const char style[] =
    "  <style>\n"
    "    text { font: 12px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial,\n"
    "      sans-serif; fill: #24292f }\n"
    "    .page { fill: #ffffff } .grid { stroke: #d8dee4; stroke-width: 1 }\n"
    "    .axis { stroke: #6e7781; stroke-width: 1; fill: none }\n"
    "    .head { font-size: 15px; font-weight: 600 } .name { font-weight: 600 }\n"
    "    .end { text-anchor: end } .mid { text-anchor: middle } .dim { fill: #57606a }\n"
    "    .line { fill: none; stroke-width: 2; stroke-linejoin: round;\n"
    "      stroke-linecap: round }\n"
    "    .dashed { stroke-dasharray: 2 5 }\n"
    "    .c0 { stroke: #0969da } .c1 { stroke: #d4500b } .c2 { stroke: #1a7f37 }\n"
    "    .c3 { stroke: #8250df } .c4 { stroke: #9a6700 } .c5 { stroke: #57606a }\n"
    "    .m0 { fill: #0969da } .m1 { fill: #d4500b } .m2 { fill: #1a7f37 }\n"
    "    .m3 { fill: #8250df } .m4 { fill: #9a6700 } .m5 { fill: #57606a }\n"
    "    @media (prefers-color-scheme: dark) {\n"
    "      text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #2b323b }\n"
    "      .axis { stroke: #7d8590 } .dim { fill: #9aa4af }\n"
    "      .c0 { stroke: #58a6ff } .c1 { stroke: #ffa657 } .c2 { stroke: #56d364 }\n"
    "      .c3 { stroke: #bc8cff } .c4 { stroke: #e3b341 } .c5 { stroke: #9aa4af }\n"
    "      .m0 { fill: #58a6ff } .m1 { fill: #ffa657 } .m2 { fill: #56d364 }\n"
    "      .m3 { fill: #bc8cff } .m4 { fill: #e3b341 } .m5 { fill: #9aa4af }\n"
    "    }\n"
    "  </style>\n";

/* ---- text ---- */

static void put_text(FILE *out, double x, double y, const char *class, const char *text)
{
    fprintf(out, "  <text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    dlpi_xml_text(out, text);
    fputs("</text>\n", out);
}

/* About how wide a text is: bytes that continue a character take no room. */
static double width_of(const char *text)
{
    int letters = 0;
    for (; *text; text++) letters += ((unsigned char)*text & 0xC0) != 0x80;
    return LETTER * letters;
}

/* ---- one chart ---- */

/* A chart in its place. */
typedef struct frame {
    FILE *out;
    const dlpi_svg_chart *chart;
    double left, top, width, height; /* of the area of the lines */
    dlpi_axis x, y;
} frame;

static bool is_plotted(const frame *f, const dlpi_svg_series *s, size_t i)
{
    return dlpi_axis_takes(f->chart->log_x, s->x[i]) && dlpi_axis_takes(false, s->y[i]);
}

static double place_x(const frame *f, double x)
{
    return f->left + f->width * dlpi_axis_place(&f->x, x);
}

static double place_y(const frame *f, double y)
{
    return f->top + f->height * (1 - dlpi_axis_place(&f->y, y));
}

typedef struct range {
    double low, high;
} range;

static void cover(range *r, double x)
{
    r->low = fmin(r->low, x);
    r->high = fmax(r->high, x);
}

/* A chart without a point has axes from 0 to 1, or from 1 to 10. */
static void make_axes(frame *f)
{
    range x = {INFINITY, -INFINITY}, y = x;
    for (int j = 0; j < f->chart->count; j++) {
        const dlpi_svg_series *s = &f->chart->series[j];
        for (size_t i = 0; i < s->n; i++) {
            if (!is_plotted(f, s, i)) continue;
            cover(&x, s->x[i]);
            cover(&y, s->y[i]);
        }
    }
    if (!(x.low <= x.high)) {
        x = f->chart->log_x ? (range){1, 10} : (range){0, 1};
        y = (range){0, 1};
    }
    f->x = dlpi_axis_make(x.low, x.high, f->chart->log_x, X_TICKS);
    f->y = dlpi_axis_make(y.low, y.high, false, Y_TICKS);
}

static void print_y_ticks(const frame *f)
{
    for (int i = 0; i < f->y.count; i++) {
        const double y = place_y(f, f->y.tick[i]);
        char label[32];
        dlpi_axis_label(&f->y, f->y.tick[i], label);
        fprintf(f->out, "  <path class=\"grid\" d=\"M%.1f,%.1fh%.1f\"/>\n", f->left, y,
                f->width);
        put_text(f->out, f->left - 7, y + 4, "end dim", label);
    }
}

static void print_x_ticks(const frame *f)
{
    const double bottom = f->top + f->height;
    for (int i = 0; i < f->x.count; i++) {
        const double x = place_x(f, f->x.tick[i]);
        char label[32];
        dlpi_axis_label(&f->x, f->x.tick[i], label);
        fprintf(f->out, "  <path class=\"axis\" d=\"M%.1f,%.1fv5\"/>\n", x, bottom);
        put_text(f->out, x, bottom + 18, "mid dim", label);
    }
    fprintf(f->out, "  <path class=\"axis\" d=\"M%.1f,%.1fh%.1f\"/>\n", f->left, bottom,
            f->width);
}

static void print_labels(const frame *f)
{
    const double bottom = f->top + f->height, middle = f->top + f->height / 2;
    put_text(f->out, f->left, f->top - 12, "name", f->chart->title);
    put_text(f->out, f->left + f->width / 2, bottom + 38, "mid", f->chart->x_label);
    fprintf(f->out,
            "  <text transform=\"translate(%.1f,%.1f) rotate(-90)\" class=\"mid\">",
            f->left - 58, middle);
    dlpi_xml_text(f->out, f->chart->y_label);
    fputs("</text>\n", f->out);
}

static void open_line(FILE *out, const dlpi_svg_series *s)
{
    fprintf(out, "  <path class=\"line c%d%s\" d=\"", s->colour % DLPI_SVG_COLOURS,
            s->dashed ? " dashed" : "");
}

static void print_line(const frame *f, const dlpi_svg_series *s)
{
    double last_x = NAN, last_y = NAN;
    size_t last = s->n;
    while (last > 0 && !is_plotted(f, s, last - 1)) last--;
    if (last == 0) return;
    open_line(f->out, s);
    for (size_t i = 0; i < last; i++) {
        if (!is_plotted(f, s, i)) continue;
        const double x = place_x(f, s->x[i]), y = place_y(f, s->y[i]);
        if (fabs(x - last_x) < NEAR && fabs(y - last_y) < NEAR && i + 1 < last) continue;
        fprintf(f->out, "%c%.1f,%.1f", isnan(last_x) ? 'M' : 'L', x, y);
        last_x = x;
        last_y = y;
    }
    fputs("\"/>\n", f->out);
}

/* A circle, a square or a triangle around where the pen is. */
static const char *mark_of(const dlpi_svg_series *s)
{
    static const char *const marks[] = {"m-3,0a3,3 0 1,0 6,0a3,3 0 1,0-6,0",
                                        "m-2.7-2.7h5.4v5.4h-5.4z", "m0-3.6l3.4,6h-6.8z"};
    return marks[s->colour % 3];
}

static void open_marks(FILE *out, const dlpi_svg_series *s)
{
    fprintf(out, "  <path class=\"m%d\" d=\"", s->colour % DLPI_SVG_COLOURS);
}

static void print_marks(const frame *f, const dlpi_svg_series *s)
{
    if (!s->marked) return;
    open_marks(f->out, s);
    for (size_t i = 0; i < s->n; i++)
        if (is_plotted(f, s, i))
            fprintf(f->out, "M%.1f,%.1f%s", place_x(f, s->x[i]), place_y(f, s->y[i]),
                    mark_of(s));
    fputs("\"/>\n", f->out);
}

static void print_chart(FILE *out, const dlpi_svg_chart *chart, double left, double top)
{
    frame f = {.out = out,
               .chart = chart,
               .left = left + LEFT,
               .top = top + TOP,
               .width = CHART_WIDTH - LEFT - RIGHT,
               .height = CHART_HEIGHT - TOP - BOTTOM};
    make_axes(&f);
    print_y_ticks(&f);
    print_x_ticks(&f);
    print_labels(&f);
    for (int j = 0; j < chart->count; j++) {
        print_line(&f, &chart->series[j]);
        print_marks(&f, &chart->series[j]);
    }
}

/* ---- the figure ---- */

/* A sample of the line, and its name. */
static void print_entry(FILE *out, const dlpi_svg_series *s, double x, double y)
{
    open_line(out, s);
    fprintf(out, "M%.1f,%.1fh%d\"/>\n", x, y, LEGEND_LINE);
    if (s->marked) {
        open_marks(out, s);
        fprintf(out, "M%.1f,%.1f%s\"/>\n", x + LEGEND_LINE / 2.0, y, mark_of(s));
    }
    put_text(out, x + LEGEND_LINE + 6, y + 4, "", s->name);
}

/* The legend: columns as wide as its longest entry wants, in rows of the same length. */
typedef struct legend {
    const dlpi_svg_chart *chart;
    double column;
    int per_row, rows;
} legend;

static legend plan_legend(const dlpi_svg_chart *chart, double width)
{
    legend l = {.chart = chart, .per_row = 1};
    for (int j = 0; j < chart->count; j++)
        l.column =
            fmax(l.column, LEGEND_LINE + LEGEND_GAP + width_of(chart->series[j].name));
    const double fit = floor((width - 2 * EDGE) / fmax(l.column, 1));
    if (fit > 1) l.per_row = fit < chart->count ? (int)fit : chart->count;
    if (l.per_row < 1) l.per_row = 1; /* a chart without series */
    l.rows = (chart->count + l.per_row - 1) / l.per_row;
    if (l.rows > 0) l.per_row = (chart->count + l.rows - 1) / l.rows;
    return l;
}

static void print_legend(FILE *out, const legend *l)
{
    for (int j = 0; j < l->chart->count; j++) {
        const int row = j / l->per_row, column = j % l->per_row;
        print_entry(out, &l->chart->series[j], EDGE + 4 + l->column * column,
                    HEAD + LEGEND_ROW * (row + 0.5));
    }
}

void dlpi_svg_print(FILE *out, const char *title, int charts, const dlpi_svg_chart *chart)
{
    const int width = 2 * EDGE + charts * CHART_WIDTH;
    const legend l = plan_legend(chart, width);
    const int top = HEAD + LEGEND_ROW * l.rows;
    const int height = top + CHART_HEIGHT + EDGE;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\">\n  <title>",
            width, height, width, height);
    dlpi_xml_text(out, title);
    fputs("</title>\n", out);
    fputs(style, out);
    fprintf(out, "  <rect class=\"page\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", width,
            height);
    put_text(out, EDGE + 4, 24, "head", title);
    print_legend(out, &l);
    for (int i = 0; i < charts; i++)
        print_chart(out, &chart[i], EDGE + i * CHART_WIDTH, top);
    fputs("</svg>\n", out);
}
