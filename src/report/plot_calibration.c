/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/plot_calibration.h"

#include "report/ticks.h"

#include <math.h>
#include <string.h>

enum { MOST_SERIES = 12 };
/* The layout, in pixels at the picture's own size. */
enum {
    LEFT = 58, /* left of a chart, for its numbers and label */
    RIGHT = 10,
    TOP = 22,    /* above a chart, for its name */
    BOTTOM = 46, /* below a chart, for numbers and label */
    HEAD = 6,    /* above a chart without a name */
    ALONE = 340, /* the size of a single chart */
    TABLE_ROW = 19,
};
/* The right end of each column of the table, from the table's left edge. */
static const double column_end[] = {38, 102, 168, 286};
enum { TICKS = 5, MORE_TICKS = 8, MOST_DECIMALS_ROWS = 64 };
static const double DOT = 3.6;

/* A chart and its position. */
typedef struct frame {
    FILE *out;
    const dlp_calibration_series *series;
    double left, top, size; /* of the square */
    dlpi_axis axis;         /* the same for x and y */
} frame;

/* ---- the axis ---- */

static void cover(dlpi_range *r, double x)
{
    if (dlpi_axis_takes(false, x)) dlpi_range_cover(r, x);
}

static dlpi_axis axis_of(const dlp_calibration_series *s, bool shares, int ticks)
{
    dlpi_range r = dlpi_range_of_none();
    if (shares) cover(&r, 0);
    for (ptrdiff_t i = 0; i < s->parts; i++) {
        cover(&r, s->part[i].fitted);
        cover(&r, s->part[i].lower);
        cover(&r, s->part[i].upper);
    }
    for (ptrdiff_t i = 0; i < s->points; i++) {
        cover(&r, s->point[i].fitted);
        cover(&r, s->point[i].observed);
    }
    if (!(r.low <= r.high)) r = (dlpi_range){0, 1};
    return dlpi_axis_make(r.low, r.high, false, ticks);
}

static double place_x(const frame *f, double x)
{
    return f->left + f->size * fmin(1, fmax(0, dlpi_axis_place(&f->axis, x)));
}

static double place_y(const frame *f, double y)
{
    return f->top + f->size * (1 - fmin(1, fmax(0, dlpi_axis_place(&f->axis, y))));
}

/* ---- one chart ---- */

static void print_axes(const frame *f)
{
    const double bottom = f->top + f->size, middle = f->top + f->size / 2;
    for (int i = 0; i < f->axis.count; i++) {
        const double x = place_x(f, f->axis.tick[i]), y = place_y(f, f->axis.tick[i]);
        char label[32];
        dlpi_axis_label(&f->axis, f->axis.tick[i], label);
        fprintf(f->out, "  <path class=\"grid\" d=\"M%.1f,%.1fV%.1fM%.1f,%.1fH%.1f\"/>\n",
                x, f->top, bottom, f->left, y, f->left + f->size);
        dlpi_svg_text(f->out, x, bottom + 15, "small mid dim", label);
        dlpi_svg_text(f->out, f->left - 6, y + 4, "small end dim", label);
    }
    fprintf(f->out, "  <path class=\"axis dashed\" d=\"M%.1f,%.1fL%.1f,%.1f\"/>\n",
            f->left, bottom, f->left + f->size, f->top);
    dlpi_svg_text(f->out, f->left + f->size / 2, bottom + 34, "mid", "fitted");
    dlpi_svg_text_up(f->out, f->left - LEFT + 14, middle, "observed");
}

static void print_points(const frame *f)
{
    const dlp_calibration_series *s = f->series;
    if (s->points == 0) return;
    fputs("  <path class=\"dots\" d=\"", f->out);
    for (ptrdiff_t i = 0; i < s->points; i++)
        if (dlpi_axis_takes(false, s->point[i].fitted) &&
            dlpi_axis_takes(false, s->point[i].observed))
            fprintf(f->out, "M%.1f,%.1fh0", place_x(f, s->point[i].fitted),
                    place_y(f, s->point[i].observed));
    fputs("\"/>\n", f->out);
}

static void print_part(const frame *f, const dlp_calibration_part *p)
{
    if (!dlpi_axis_takes(false, p->fitted) || !dlpi_axis_takes(false, p->observed))
        return;
    const double x = place_x(f, p->fitted);
    if (!isnan(p->lower) && !isnan(p->upper))
        fprintf(f->out,
                "  <path class=\"line c0\" style=\"stroke-width:1.5\" "
                "d=\"M%.1f,%.1fV%.1f\"/>\n",
                x, place_y(f, p->lower), place_y(f, p->upper));
    fprintf(f->out, "  <circle class=\"m0\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", x,
            place_y(f, p->observed), DOT);
}

static void print_chart(const frame *f)
{
    if (f->series->level)
        dlpi_svg_text_in(f->out, f->left, f->top - 8, "name", f->series->level,
                         1.08 * DLPI_SVG_TEXT, f->size);
    print_axes(f);
    print_points(f);
    for (ptrdiff_t i = 0; i < f->series->parts; i++) print_part(f, &f->series->part[i]);
}

/* ---- the table ---- */

static void print_row(FILE *out, const dlp_calibration_part *p, int decimals, double left,
                      double y)
{
    char text[80], lower[32], upper[32];
    snprintf(text, sizeof text, "%td", p->rows);
    dlpi_svg_text(out, left + column_end[0], y, "small end", text);
    dlpi_svg_number(p->fitted, decimals, text);
    dlpi_svg_text(out, left + column_end[1], y, "small end", text);
    dlpi_svg_number(p->observed, decimals, text);
    dlpi_svg_text(out, left + column_end[2], y, "small end", text);
    dlpi_svg_number(p->lower, decimals, lower);
    dlpi_svg_number(p->upper, decimals, upper);
    snprintf(text, sizeof text, "[%s, %s]", lower, upper);
    dlpi_svg_text(out, left + column_end[3], y, "small end dim", text);
}

static void print_table(FILE *out, const dlp_calibration_series *s, double left, double y)
{
    static const char *const heads[] = {"rows", "fitted", "observed", "95 % interval"};
    double sd[MOST_DECIMALS_ROWS];
    ptrdiff_t n = s->parts < MOST_DECIMALS_ROWS ? s->parts : MOST_DECIMALS_ROWS;
    for (ptrdiff_t i = 0; i < n; i++) sd[i] = (s->part[i].upper - s->part[i].lower) / 4;
    const int decimals = dlpi_svg_decimals((size_t)n, sd);
    for (int i = 0; i < 4; i++)
        dlpi_svg_text(out, left + column_end[i], y, "small end dim", heads[i]);
    for (ptrdiff_t i = 0; i < s->parts; i++)
        print_row(out, &s->part[i], decimals, left, y + TABLE_ROW * (double)(i + 1));
}

/* ---- the page ---- */

static void print_alone(FILE *out, const dlpi_calibration *plot)
{
    const double head = plot->series->level ? TOP : HEAD;
    const double top = dlpi_svg_open(out, &plot->page, head + ALONE + BOTTOM) + head;
    const frame f = {.out = out,
                     .series = plot->series,
                     .left = DLPI_SVG_EDGE + LEFT,
                     .top = top,
                     .size = ALONE,
                     .axis = axis_of(plot->series, plot->shares, MORE_TICKS)};
    print_chart(&f);
    print_table(out, plot->series, f.left + f.size + RIGHT, f.top + 10);
}

static void print_several(FILE *out, const dlpi_calibration *plot, int n)
{
    const int per_row = n == 2 || n == 4 ? 2 : 3;
    const double cell = (plot->page.width - 2 * DLPI_SVG_EDGE) / per_row;
    const double size = cell - LEFT - RIGHT, height = TOP + size + BOTTOM;
    const int rows = (n + per_row - 1) / per_row;
    const double top = dlpi_svg_open(out, &plot->page, height * rows);
    for (int i = 0; i < n; i++) {
        const int row = i / per_row, column = i % per_row;
        const frame f = {.out = out,
                         .series = &plot->series[i],
                         .left = DLPI_SVG_EDGE + cell * column + LEFT,
                         .top = top + height * row + TOP,
                         .size = size,
                         .axis = axis_of(&plot->series[i], plot->shares, TICKS)};
        print_chart(&f);
    }
}

void dlpi_plot_calibration(FILE *out, const dlpi_calibration *plot)
{
    dlpi_calibration shown = *plot;
    char note[1024];
    snprintf(note, sizeof note, "%s", plot->page.caption ? plot->page.caption : "");
    const size_t at = strlen(note);
    if (plot->n > MOST_SERIES)
        snprintf(note + at, sizeof note - at, " Shown are the first %d of %td levels.",
                 MOST_SERIES, plot->n);
    shown.page.caption = note;
    if (plot->n == 1)
        print_alone(out, &shown);
    else
        print_several(out, &shown, plot->n < MOST_SERIES ? (int)plot->n : MOST_SERIES);
    dlpi_svg_close(out);
}
