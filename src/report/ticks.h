/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of numbers, and axes: what an axis covers, and its ticks at round numbers.
   Internal. */
#ifndef DLPI_REPORT_TICKS_H
#define DLPI_REPORT_TICKS_H

#include <stdbool.h>

enum { DLPI_TICKS = 12 }; /* at most */

typedef struct dlpi_axis {
    double low, high; /* low < high; both positive if log */
    bool log;
    int count;
    double tick[DLPI_TICKS]; /* ascending, from low to high */
    int decimals;            /* enough to distinguish the ticks; -1: too many */
    int digits;              /* the same for the short form, 1.5e+09 */
} dlpi_axis;

/* From the smallest number to the largest. */
typedef struct dlpi_range {
    double low, high; /* low > high: empty */
} dlpi_range;
dlpi_range dlpi_range_of_none(void);
void dlpi_range_cover(dlpi_range *range, double x);

/* Whether a number can be on the axis: finite, not excessively large, and positive if
   log. */
bool dlpi_axis_takes(bool log, double x);

/* The axis for numbers from low to high (low <= high, both accepted by dlpi_axis_takes),
   with some room at both ends. About `wanted` ticks, 2 to 8. */
dlpi_axis dlpi_axis_make(double low, double high, bool log, int wanted);

/* The position of x: 0 at low, 1 at high. */
double dlpi_axis_place(const dlpi_axis *axis, double x);

/* Writes the label of a tick, with a minus sign instead of a hyphen. */
void dlpi_axis_label(const dlpi_axis *axis, double tick, char text[32]);

#endif
