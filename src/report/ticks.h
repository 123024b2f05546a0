/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of numbers, and an axis: what it covers and the round numbers that stand on it. Internal. */
#ifndef DLPI_REPORT_TICKS_H
#define DLPI_REPORT_TICKS_H

#include <stdbool.h>

enum { DLPI_TICKS = 12 }; /* at most */

typedef struct dlpi_axis {
    double low, high; /* low < high; both positive where log */
    bool log;
    int count;
    double tick[DLPI_TICKS]; /* ascending, from low to high */
    int decimals;            /* that tell the ticks apart; -1: they would be too many */
    int digits;              /* that do, of numbers in short form: 1.5e+09 */
} dlpi_axis;

/* From the least number to the largest. */
typedef struct dlpi_range {
    double low, high; /* low > high: of none */
} dlpi_range;
dlpi_range dlpi_range_of_none(void);
void dlpi_range_cover(dlpi_range *range, double x);

/* Whether a number can stand on the axis: it is finite, within reason, and where log
   positive. */
bool dlpi_axis_takes(bool log, double x);

/* The axis for numbers from low to high (low <= high, which it takes), with a little room
   at both ends. About `wanted` ticks, 2 to 8. */
dlpi_axis dlpi_axis_make(double low, double high, bool log, int wanted);

/* Where x stands: 0 at low, 1 at high. */
double dlpi_axis_place(const dlpi_axis *axis, double x);

/* How a tick is written, with a minus sign and not a hyphen. */
void dlpi_axis_label(const dlpi_axis *axis, double tick, char text[32]);

#endif
