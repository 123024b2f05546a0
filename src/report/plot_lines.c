/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/plot_lines.h"

#include "report/letters.h"
#include "report/ticks.h"

#include <math.h>

/* The layout, in pixels at the picture's own size. */
enum {
    LEFT = 72, /* left of a chart, for its numbers */
    RIGHT = 14,
    TOP = 34,    /* above a chart, for its title */
    BOTTOM = 50, /* below a chart, for numbers and label */
    LEGEND_ROW = 20,
    LEGEND_LINE = 26, /* the sample of a line */
    LEGEND_GAP = 24,
};
static const double NEAR = 0.4; /* points closer than this are one */
enum { X_TICKS = 6, Y_TICKS = 6 };

/* ---- one chart ---- */

/* A chart and its position. */
typedef struct frame {
    FILE *out;
    const dlpi_line_chart *chart;
    double left, top, width, height; /* of the plotting area */
    dlpi_axis x, y;
} frame;

static bool is_plotted(const frame *f, const dlpi_line *s, size_t i)
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

static bool has_band(const dlpi_line *s, size_t i)
{
    return s->low && s->high && isfinite(s->low[i]) && isfinite(s->high[i]);
}

/* A chart without points has axes from 0 to 1, or from 1 to 10 if logarithmic. */
static void make_axes(frame *f)
{
    dlpi_range x = dlpi_range_of_none(), y = x;
    for (int j = 0; j < f->chart->count; j++) {
        const dlpi_line *s = &f->chart->line[j];
        for (size_t i = 0; i < s->n; i++) {
            if (!is_plotted(f, s, i)) continue;
            dlpi_range_cover(&x, s->x[i]);
            dlpi_range_cover(&y, s->y[i]);
            if (!has_band(s, i)) continue;
            dlpi_range_cover(&y, s->low[i]);
            dlpi_range_cover(&y, s->high[i]);
        }
    }
    if (!(x.low <= x.high)) {
        x = f->chart->log_x ? (dlpi_range){1, 10} : (dlpi_range){0, 1};
        y = (dlpi_range){0, 1};
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
        dlpi_svg_text(f->out, f->left - 7, y + 4, "end dim", label);
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
        dlpi_svg_text(f->out, x, bottom + 18, "mid dim", label);
    }
    fprintf(f->out, "  <path class=\"axis\" d=\"M%.1f,%.1fh%.1f\"/>\n", f->left, bottom,
            f->width);
}

static void print_labels(const frame *f)
{
    const double bottom = f->top + f->height, middle = f->top + f->height / 2;
    dlpi_svg_text(f->out, f->left, f->top - 12, "name", f->chart->title);
    dlpi_svg_text(f->out, f->left + f->width / 2, bottom + 38, "mid", f->chart->x_label);
    dlpi_svg_text_up(f->out, f->left - 58, middle, f->chart->y_label);
}

static void open_line(FILE *out, const dlpi_line *s)
{
    fprintf(out, "  <path class=\"line c%d%s\" d=\"", s->colour % DLPI_LINE_COLOURS,
            s->dashed ? " dashed" : "");
}

/* Follows the upper edge forwards, then the lower one back. */
static void print_band(const frame *f, const dlpi_line *s)
{
    char pen = 'M';
    if (!s->low || !s->high) return;
    fprintf(f->out, "  <path class=\"m%d\" fill-opacity=\"0.18\" d=\"",
            s->colour % DLPI_LINE_COLOURS);
    for (size_t i = 0; i < 2 * s->n; i++) {
        const bool there = i < s->n;
        const size_t at = there ? i : 2 * s->n - 1 - i;
        if (!is_plotted(f, s, at) || !has_band(s, at)) continue;
        fprintf(f->out, "%c%.1f,%.1f", pen, place_x(f, s->x[at]),
                place_y(f, there ? s->high[at] : s->low[at]));
        pen = 'L';
    }
    fputs("z\"/>\n", f->out);
}

/* Dots are lines of length zero with round ends. */
static void print_dots(const frame *f, const dlpi_line *s)
{
    fputs("  <path class=\"dots\" d=\"", f->out);
    for (size_t i = 0; i < s->n; i++)
        if (is_plotted(f, s, i))
            fprintf(f->out, "M%.1f,%.1fh0", place_x(f, s->x[i]), place_y(f, s->y[i]));
    fputs("\"/>\n", f->out);
}

static void print_line(const frame *f, const dlpi_line *s)
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

/* A circle, a square or a triangle around the current point. */
static const char *mark_of(const dlpi_line *s)
{
    static const char *const marks[] = {"m-3,0a3,3 0 1,0 6,0a3,3 0 1,0-6,0",
                                        "m-2.7-2.7h5.4v5.4h-5.4z", "m0-3.6l3.4,6h-6.8z"};
    return marks[s->colour % 3];
}

static void open_marks(FILE *out, const dlpi_line *s)
{
    fprintf(out, "  <path class=\"m%d\" d=\"", s->colour % DLPI_LINE_COLOURS);
}

static void print_marks(const frame *f, const dlpi_line *s)
{
    if (!s->marked) return;
    open_marks(f->out, s);
    for (size_t i = 0; i < s->n; i++)
        if (is_plotted(f, s, i))
            fprintf(f->out, "M%.1f,%.1f%s", place_x(f, s->x[i]), place_y(f, s->y[i]),
                    mark_of(s));
    fputs("\"/>\n", f->out);
}

static void print_chart(FILE *out, const dlpi_lines *plot, int i, double top)
{
    const double width = (plot->page.width - 2 * DLPI_SVG_EDGE) / plot->per_row;
    const int row = i / plot->per_row, column = i % plot->per_row;
    frame f = {.out = out,
               .chart = &plot->chart[i],
               .left = DLPI_SVG_EDGE + width * column + LEFT,
               .top = top + plot->chart_height * row + TOP,
               .width = width - LEFT - RIGHT,
               .height = plot->chart_height - TOP - BOTTOM};
    make_axes(&f);
    print_y_ticks(&f);
    print_x_ticks(&f);
    print_labels(&f);
    for (int j = 0; j < f.chart->count; j++) {
        print_band(&f, &f.chart->line[j]);
        if (f.chart->line[j].dots)
            print_dots(&f, &f.chart->line[j]);
        else
            print_line(&f, &f.chart->line[j]);
        print_marks(&f, &f.chart->line[j]);
    }
}

/* ---- the figure ---- */

/* A sample of the line, and its name. */
static void print_entry(FILE *out, const dlpi_line *s, double x, double y)
{
    open_line(out, s);
    fprintf(out, "M%.1f,%.1fh%d\"/>\n", x, y, LEGEND_LINE);
    if (s->marked) {
        open_marks(out, s);
        fprintf(out, "M%.1f,%.1f%s\"/>\n", x + LEGEND_LINE / 2.0, y, mark_of(s));
    }
    dlpi_svg_text(out, x + LEGEND_LINE + 6, y + 4, "", s->name);
}

/* The legend: columns as wide as its longest entry, in rows of the same length. */
typedef struct legend {
    const dlpi_line_chart *chart;
    double column;
    int per_row, rows;
} legend;

static legend plan_legend(const dlpi_lines *plot)
{
    legend l = {.chart = plot->chart, .per_row = 1};
    const int count = plot->legend ? plot->chart->count : 0;
    for (int j = 0; j < count; j++)
        l.column = fmax(l.column,
                        LEGEND_LINE + LEGEND_GAP +
                            dlpi_letters_width(plot->chart->line[j].name, DLPI_SVG_TEXT));
    const double fit = floor((plot->page.width - 2 * DLPI_SVG_EDGE) / fmax(l.column, 1));
    if (fit > 1) l.per_row = fit < count ? (int)fit : count;
    if (l.per_row < 1) l.per_row = 1; /* no lines */
    l.rows = (count + l.per_row - 1) / l.per_row;
    if (l.rows > 0) l.per_row = (count + l.rows - 1) / l.rows;
    return l;
}

static void print_legend(FILE *out, const legend *l, double top)
{
    for (int j = 0; l->rows > 0 && j < l->chart->count; j++) {
        const int row = j / l->per_row, column = j % l->per_row;
        print_entry(out, &l->chart->line[j], DLPI_SVG_EDGE + 4 + l->column * column,
                    top + LEGEND_ROW * (row + 0.5));
    }
}

void dlpi_plot_lines(FILE *out, const dlpi_lines *plot)
{
    const legend l = plan_legend(plot);
    const int rows = (plot->charts + plot->per_row - 1) / plot->per_row;
    const double key = LEGEND_ROW * l.rows;
    const double top = dlpi_svg_open(out, &plot->page, key + rows * plot->chart_height);
    print_legend(out, &l, top);
    for (int i = 0; i < plot->charts; i++) print_chart(out, plot, i, top + key);
    dlpi_svg_close(out);
}
