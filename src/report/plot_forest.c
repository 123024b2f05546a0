/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/plot_forest.h"

#include "report/letters.h"
#include "report/ticks.h"

#include <math.h>
#include <string.h>

/* The most that fits on a page. Panels are arranged in bands, each with the rows'
   names. */
enum { MOST_ROWS = 60, MOST_PANELS = 12 };
enum { BAND_ROWS = 6 }; /* the rows that each further band costs */
/* The layout, in pixels at the picture's own size. */
enum {
    HEADING = 20, /* above the rows, for the names of panels or columns */
    AXIS = 24,    /* below the rows, for the ticks' numbers */
    BAND_GAP = 10,
    APART_GAP = 6, /* above rows with an axis of their own */
    LEAST_NAME = 50,
    MOST_NAME = 210,
    LEAST_PANEL = 88,
    GAP = 20, /* between panels and columns; the numbers below reach into it */
    ARROW = 4,
};
static const double DOT = 3.2, SMALL_DOT = 2.4; /* small if there are many panels */
/* Line widths. If a row has two lines, the thick one is the estimate's interval and the
   thin one the spread; it ends in caps, which show even where the thick line covers
   it. */
static const double LINE = 1.5, THICK = 3.6, THIN = 1.1, CAP = 3.5;
/* The columns of numbers. */
enum { MEAN, INTERVAL, SPREAD, COLUMNS };
enum { FEW_TICKS = 4, TICKS = 6 };
/* Rows aside are cut off if they would make the axis this many times as long. */
static const double TOO_LONG = 4;

/* A plot that has been planned. */
typedef struct forest {
    FILE *out;
    const dlpi_forest *plot;
    int rows, panels;                       /* how many are shown */
    int row[MOST_ROWS], panel[MOST_PANELS]; /* which are shown */
    int bands, per_band;
    double name, pitch;          /* the width of names; the distance between rows */
    double left, width;          /* the left of the first panel; the width of each */
    double column[COLUMNS];      /* where each column of numbers ends; 0: not shown */
    dlpi_axis axis[MOST_PANELS]; /* one for each panel shown */
    int together;                /* how many rows, from the first, use the panels' axes */
    dlpi_axis apart;             /* for the remaining rows, if there is only one panel */
} forest;

/* Where a panel is drawn. */
typedef struct area {
    const dlpi_axis *axis;
    double left, width;
} area;

static const dlpi_estimate *estimate_of(const dlpi_forest *plot, ptrdiff_t panel,
                                        ptrdiff_t row)
{
    return &plot->estimate[panel * plot->rows + row];
}

/* ---- which to show ---- */

/* How far the mean is from 0, relative to its interval. */
static double strength(const dlpi_estimate *e)
{
    const double width = e->upper - e->lower;
    if (!isfinite(e->mean) || !(width >= 0)) return -1;
    return width > 0 ? fabs(e->mean) / width : e->mean != 0 ? INFINITY : 0;
}

static double row_strength(const dlpi_forest *plot, ptrdiff_t row)
{
    double most = -1;
    for (ptrdiff_t p = 0; p < plot->panels; p++)
        most = fmax(most, strength(estimate_of(plot, p, row)));
    return most;
}

static double panel_strength(const dlpi_forest *plot, ptrdiff_t panel)
{
    double most = -1;
    for (ptrdiff_t r = 0; r < plot->rows; r++)
        most = fmax(most, strength(estimate_of(plot, panel, r)));
    return most;
}

/* Lists the strongest of n, at most `most`, in their original order; returns how many. */
static int choose(const dlpi_forest *plot, ptrdiff_t n,
                  double (*size)(const dlpi_forest *, ptrdiff_t), int most, int *list)
{
    double kept[MOST_ROWS] = {0};
    int count = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        const double x = size(plot, i);
        int weakest = 0;
        for (int j = 1; j < count; j++)
            if (kept[j] <= kept[weakest]) weakest = j;
        if (count == most && x <= kept[weakest]) continue;
        if (count == most) {
            memmove(list + weakest, list + weakest + 1,
                    sizeof *list * (size_t)(count - weakest - 1));
            memmove(kept + weakest, kept + weakest + 1,
                    sizeof *kept * (size_t)(count - weakest - 1));
            count--;
        }
        list[count] = (int)i;
        kept[count++] = x;
    }
    return count;
}

/* ---- the axis ---- */

static void cover(dlpi_range *r, double x)
{
    if (dlpi_axis_takes(false, x)) dlpi_range_cover(r, x);
}

static bool share_axis(const forest *f, int p, int q)
{
    const ptrdiff_t *scale = f->plot->scale;
    return !scale || scale[f->panel[p]] == scale[f->panel[q]];
}

/* Extends r to the row in all panels that share an axis with the given one. */
static void cover_row(const forest *f, int given, int row, dlpi_range *r)
{
    const dlpi_forest *plot = f->plot;
    for (int p = 0; p < f->panels; p++) {
        if (!share_axis(f, given, p)) continue;
        const dlpi_estimate *e = estimate_of(plot, f->panel[p], row);
        cover(r, e->mean);
        cover(r, e->lower);
        cover(r, e->upper);
    }
    if (plot->spread) {
        cover(r, plot->spread[row].lower);
        cover(r, plot->spread[row].upper);
    }
    for (ptrdiff_t i = 0; i < plot->points; i++)
        cover(r, plot->point[row * plot->points + i]);
}

static bool is_aside(const forest *f, int row)
{
    return f->plot->aside && f->plot->aside[row];
}

/* Covers all intervals and 0, but not rows aside that would make the others too small. */
static dlpi_axis make_axis(const forest *f, int given)
{
    dlpi_range all = {0, 0}, others = {0, 0};
    for (int i = 0; i < f->rows; i++) {
        cover_row(f, given, f->row[i], &all);
        if (!is_aside(f, f->row[i])) cover_row(f, given, f->row[i], &others);
    }
    const double length = others.high - others.low;
    const bool cut = length > 0 && all.high - all.low > TOO_LONG * length;
    const dlpi_range *r = cut ? &others : &all;
    return dlpi_axis_make(r->low, r->high, false, f->panels > 2 ? FEW_TICKS : TICKS);
}

/* Whether part of the row is beyond the axis of the single panel. */
static bool is_cut(const forest *f, int row)
{
    dlpi_range r = {f->axis[0].low, f->axis[0].high};
    if (!is_aside(f, row)) return false;
    cover_row(f, 0, row, &r);
    return r.low < f->axis[0].low || r.high > f->axis[0].high;
}

/* Moves the rows that do not fit the single panel's axis below the others, onto an axis
   of their own, which need not include 0. */
static void part_rows(forest *f)
{
    int apart[MOST_ROWS], count = 0, kept = 0;
    dlpi_range r = dlpi_range_of_none();
    for (int i = 0; i < f->rows; i++) {
        if (is_cut(f, f->row[i]))
            apart[count++] = f->row[i];
        else
            f->row[kept++] = f->row[i];
    }
    for (int i = 0; i < count; i++) {
        f->row[kept + i] = apart[i];
        cover_row(f, 0, apart[i], &r);
    }
    f->together = kept;
    if (count > 0) f->apart = dlpi_axis_make(r.low, r.high, false, TICKS);
}

static double place(const area *p, double x)
{
    return p->left + p->width * fmin(1, fmax(0, dlpi_axis_place(p->axis, x)));
}

/* ---- numbers ---- */

/* Significant digits, not decimals: those would round the small end of an interval that
   excludes 0 to 0. */
enum { SHORT = -1 };

static void write_interval(double lower, double upper, char text[80])
{
    char low[32], high[32];
    dlpi_svg_number(lower, SHORT, low);
    dlpi_svg_number(upper, SHORT, high);
    snprintf(text, 80, "[%s, %s]", low, high);
}

static void write_number(const forest *f, int column, int row, char text[80])
{
    const dlpi_estimate *e = estimate_of(f->plot, 0, row);
    if (column == MEAN)
        dlpi_svg_number(e->mean, SHORT, text);
    else if (column == INTERVAL)
        write_interval(e->lower, e->upper, text);
    else if (isnan(f->plot->spread[row].lower))
        snprintf(text, 80, "one for all");
    else
        write_interval(f->plot->spread[row].lower, f->plot->spread[row].upper, text);
}

static const char *column_name(const dlpi_forest *plot, int column)
{
    return column == MEAN       ? plot->mean_is
           : column == INTERVAL ? plot->interval_is
                                : plot->spread_is;
}

static double column_room(const forest *f, int column)
{
    double room = dlpi_letters_width(column_name(f->plot, column), DLPI_SVG_SMALL);
    for (int i = 0; i < f->rows; i++) {
        char text[80];
        write_number(f, column, f->row[i], text);
        room = fmax(room, dlpi_letters_width(text, DLPI_SVG_SMALL));
    }
    return room + GAP;
}

/* A single panel leaves room for columns of numbers: they are laid out from the right,
   and the plot gets the rest. If too little would remain, the spread gets no numbers. */
static void plan_numbers(forest *f)
{
    double room[COLUMNS] = {0};
    for (int c = 0; c < COLUMNS; c++)
        if (c != SPREAD || f->plot->spread) room[c] = column_room(f, c);
    if (f->width - room[MEAN] - room[INTERVAL] - room[SPREAD] < LEAST_PANEL)
        room[SPREAD] = 0;
    double end = f->left + f->width;
    for (int c = COLUMNS - 1; c >= 0; c--) {
        if (room[c] > 0) f->column[c] = end;
        end -= room[c];
    }
    f->width = end - f->left;
}

/* ---- the plan ---- */

static double name_room(const forest *f)
{
    double room = LEAST_NAME;
    for (int i = 0; i < f->rows; i++)
        room = fmax(room, dlpi_letters_width(f->plot->row[f->row[i]], DLPI_SVG_SMALL));
    return fmin(room, MOST_NAME) + 1;
}

static forest make_plan(FILE *out, const dlpi_forest *plot)
{
    forest f = {.out = out, .plot = plot};
    f.panels = choose(plot, plot->panels, panel_strength, MOST_PANELS, f.panel);
    f.rows = choose(plot, plot->rows, row_strength, MOST_ROWS, f.row);
    f.name = name_room(&f);
    f.left = DLPI_SVG_EDGE + 2 + f.name + GAP;
    const double room = plot->page.width - DLPI_SVG_EDGE - 2 - f.left;
    const int most = (int)((room + GAP) / (LEAST_PANEL + GAP));
    f.bands = (f.panels + most - 1) / most;
    f.per_band = (f.panels + f.bands - 1) / f.bands;
    const int rows = (MOST_ROWS - BAND_ROWS * (f.bands - 1)) / f.bands;
    if (f.rows > rows) f.rows = choose(plot, plot->rows, row_strength, rows, f.row);
    f.width = (room + GAP) / f.per_band - GAP;
    f.pitch = plot->points > 0 ? 24 : f.rows * f.bands > 30 ? 14 : 18;
    if (plot->panels == 1) plan_numbers(&f);
    for (int p = 0; p < f.panels; p++) f.axis[p] = make_axis(&f, p);
    f.together = f.rows;
    if (plot->panels == 1) part_rows(&f);
    return f;
}

/* The distance from the top of the rows to the middle of the i-th shown. */
static double middle_of(const forest *f, int i)
{
    return f->pitch * (i + 0.5) + (i < f->together ? 0 : AXIS + APART_GAP);
}

/* The distance from the top of the first row to the bottom of the last. */
static double rows_height(const forest *f)
{
    return middle_of(f, f->rows - 1) + 0.5 * f->pitch;
}

/* ---- rows ---- */

/* Arrows at the ends of an interval that are beyond the axis. */
static void print_arrows(FILE *out, const area *p, double lower, double upper, double y)
{
    const bool more = upper > p->axis->high, less = lower < p->axis->low;
    if (!more && !less) return;
    fprintf(out, "  <path class=\"line c0\" style=\"stroke-width:%.1f\" d=\"", LINE);
    if (less)
        fprintf(out, "M%.1f,%.1fl%d,%dl%d,%d", place(p, lower) + ARROW, y - ARROW + 1,
                -ARROW, ARROW - 1, ARROW, ARROW - 1);
    if (more)
        fprintf(out, "M%.1f,%.1fl%d,%dl%d,%d", place(p, upper) - ARROW, y - ARROW + 1,
                ARROW, ARROW - 1, -ARROW, ARROW - 1);
    fputs("\"/>\n", out);
}

/* With butt ends: round ones would lengthen a thick line. */
static void print_interval(const forest *f, const area *p, const dlpi_estimate *e,
                           double y)
{
    fprintf(f->out,
            "  <path class=\"line c0\" style=\"stroke-width:%.1f;stroke-linecap:butt\" "
            "d=\"M%.1f,%.1fH%.1f\"/>\n",
            f->plot->spread ? THICK : LINE, place(p, e->lower), y, place(p, e->upper));
    print_arrows(f->out, p, e->lower, e->upper, y);
}

static void print_cap(FILE *out, const area *p, double x, double y)
{
    if (x < p->axis->low || x > p->axis->high) return;
    fprintf(out, "M%.1f,%.1fv%.1f", place(p, x), y - CAP, 2 * CAP);
}

/* Drawn behind the estimate. */
static void print_spread(FILE *out, const area *p, const dlpi_spread *s, double y)
{
    if (isnan(s->lower) || isnan(s->upper)) return;
    fprintf(out,
            "  <path class=\"line c0\" style=\"stroke-width:%.1f\" d=\"M%.1f,%.1fH%.1f",
            THIN, place(p, s->lower), y, place(p, s->upper));
    print_cap(out, p, s->lower, y);
    print_cap(out, p, s->upper, y);
    fputs("\"/>\n", out);
    print_arrows(out, p, s->lower, s->upper, y);
}

/* The dot is filled if the interval excludes 0. */
static void print_estimate(const forest *f, const area *p, const dlpi_estimate *e,
                           double y)
{
    if (isnan(e->mean) || isnan(e->lower) || isnan(e->upper)) return;
    print_interval(f, p, e, y);
    if (e->mean < p->axis->low || e->mean > p->axis->high) return;
    const bool clear = e->lower > 0 || e->upper < 0;
    fprintf(
        f->out,
        "  <circle class=\"c0 %s\" style=\"stroke-width:1.5\" cx=\"%.1f\" cy=\"%.1f\" "
        "r=\"%.1f\"/>\n",
        clear ? "m0" : "page", place(p, e->mean), y, f->panels > 2 ? SMALL_DOT : DOT);
}

/* Offsets points vertically by the golden ratio, so that neighbours are apart. */
static void print_points(const forest *f, const area *p, int row, double y)
{
    const ptrdiff_t n = f->plot->points;
    if (n == 0) return;
    fputs("  <path class=\"dots\" d=\"", f->out);
    for (ptrdiff_t i = 0; i < n; i++) {
        const double x = f->plot->point[row * n + i], fraction = 0.6180339887 * (double)i;
        if (!(x >= p->axis->low && x <= p->axis->high)) continue;
        fprintf(f->out, "M%.1f,%.1fh0", place(p, x),
                y + 0.7 * f->pitch * (fraction - floor(fraction) - 0.5));
    }
    fputs("\"/>\n", f->out);
}

static void print_numbers(const forest *f, int row, double y)
{
    char text[80];
    for (int c = 0; c < COLUMNS; c++) {
        if (f->column[c] <= 0) continue;
        write_number(f, c, row, text);
        dlpi_svg_text(f->out, f->column[c], y, c == MEAN ? "small end" : "small end dim",
                      text);
    }
}

/* ---- panels ---- */

static void print_axis(FILE *out, const area *p, double top, double bottom)
{
    for (int i = 0; i < p->axis->count; i++) {
        const double x = place(p, p->axis->tick[i]);
        const bool zero = p->axis->tick[i] == 0;
        char label[32];
        dlpi_axis_label(p->axis, p->axis->tick[i], label);
        fprintf(out, "  <path class=\"%s\" d=\"M%.1f,%.1fV%.1f\"/>\n",
                zero ? "axis" : "grid", x, top, bottom + 4);
        dlpi_svg_text(out, x, bottom + 16, "small mid dim", label);
    }
}

/* Prints the rows from first up to last over their axis, in the n-th panel shown. */
static void print_rows(const forest *f, int n, const area *p, int first, int last,
                       double top)
{
    if (first == last) return;
    print_axis(f->out, p, top + middle_of(f, first) - 0.5 * f->pitch,
               top + middle_of(f, last - 1) + 0.5 * f->pitch);
    for (int i = first; i < last; i++)
        print_points(f, p, f->row[i], top + middle_of(f, i));
    for (int i = first; n == 0 && f->plot->spread && i < last; i++)
        print_spread(f->out, p, &f->plot->spread[f->row[i]], top + middle_of(f, i));
    for (int i = first; i < last; i++)
        print_estimate(f, p, estimate_of(f->plot, f->panel[n], f->row[i]),
                       top + middle_of(f, i));
}

/* Prints the n-th panel shown. */
static void print_panel(const forest *f, int n, double left, double top)
{
    const area p = {.axis = &f->axis[n], .left = left, .width = f->width},
               apart = {.axis = &f->apart, .left = left, .width = f->width};
    if (f->plot->panel)
        dlpi_svg_text_in(f->out, left + f->width / 2, top - 7, "small mid name",
                         f->plot->panel[f->panel[n]], 1.08 * DLPI_SVG_SMALL,
                         f->width + GAP - 4);
    print_rows(f, n, &p, 0, f->together, top);
    print_rows(f, n, &apart, f->together, f->rows, top);
}

static void print_names(const forest *f, double top)
{
    const double middle = 0.35 * DLPI_SVG_SMALL; /* above the baseline */
    for (int c = 0; c < COLUMNS; c++)
        if (f->column[c] > 0)
            dlpi_svg_text(f->out, f->column[c], top - 7, "small end dim",
                          column_name(f->plot, c));
    for (int i = 0; i < f->rows; i++) {
        const double y = top + middle_of(f, i) + middle;
        dlpi_svg_text_in(f->out, DLPI_SVG_EDGE + 2, y, "small", f->plot->row[f->row[i]],
                         DLPI_SVG_SMALL, f->name);
        print_numbers(f, f->row[i], y);
    }
}

static void note_apart(const forest *f, char *note, size_t room)
{
    const int apart = f->rows - f->together;
    const size_t at = strlen(note);
    if (apart == 1)
        snprintf(note + at, room - at, " The last row has its own axis.");
    else if (apart > 1)
        snprintf(note + at, room - at, " The last %d rows have their own axis.", apart);
}

/* Says after the caption what is left out. */
static void note_choice(const forest *f, char *note, size_t room)
{
    const dlpi_forest *plot = f->plot;
    char rows[80] = "", panels[80] = "";
    if (f->rows < plot->rows)
        snprintf(rows, sizeof rows, "%d of the %td %s", f->rows, plot->rows,
                 plot->rows_are);
    if (f->panels < plot->panels)
        snprintf(panels, sizeof panels, "%d of the %td %s", f->panels, plot->panels,
                 plot->panels_are);
    note_apart(f, note, room);
    if (!*rows && !*panels) return;
    const size_t at = strlen(note);
    snprintf(note + at, room - at,
             " Shown are %s%s%s: those farthest from 0 in units of their intervals.",
             rows, *rows && *panels ? " and " : "", panels);
}

void dlpi_plot_forest(FILE *out, const dlpi_forest *plot)
{
    const forest f = make_plan(out, plot);
    const double band = HEADING + rows_height(&f) + AXIS;
    dlpi_svg_page page = plot->page;
    char note[1024];
    snprintf(note, sizeof note, "%s", page.caption ? page.caption : "");
    note_choice(&f, note, sizeof note);
    page.caption = note;
    const double top =
        dlpi_svg_open(out, &page, band * f.bands + BAND_GAP * (f.bands - 1)) + HEADING;
    for (int b = 0; b < f.bands; b++) {
        const double at = top + (band + BAND_GAP) * b;
        print_names(&f, at);
        for (int p = b * f.per_band; p < f.panels && p < (b + 1) * f.per_band; p++)
            print_panel(&f, p, f.left + (f.width + GAP) * (p % f.per_band), at);
    }
    dlpi_svg_close(out);
}
