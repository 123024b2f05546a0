/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/ticks.h"

#include <math.h>
#include <stdio.h>

/* Beyond these, differences overflow, and on a logarithmic axis quotients do. */
static const double LARGEST = 1e300, LARGEST_QUOTIENT = 1e100;
/* The share of an axis that stays free at each end. */
static const double MARGIN = 0.04;

dlpi_range dlpi_range_of_none(void)
{
    return (dlpi_range){INFINITY, -INFINITY};
}

void dlpi_range_cover(dlpi_range *range, double x)
{
    range->low = fmin(range->low, x);
    range->high = fmax(range->high, x);
}

bool dlpi_axis_takes(bool log, double x)
{
    if (log) return x >= 1 / LARGEST_QUOTIENT && x <= LARGEST_QUOTIENT;
    return fabs(x) <= LARGEST;
}

/* ---- linear ---- */

/* The smallest of 1, 2, 5 times a power of ten that is not below x > 0. */
static double round_up(double x)
{
    const double power = pow(10, floor(log10(x)));
    const double steps[] = {1, 2, 5};
    for (int i = 0; i < 3; i++)
        if (steps[i] * power >= x * (1 - 1e-9)) return steps[i] * power;
    return 10 * power;
}

/* If all numbers are the same, makes an axis around them, wide enough for doubles to
   differ on it. */
static void widen(double *low, double *high)
{
    const double size = fmax(fabs(*low), fabs(*high));
    if (*high - *low > 1e-9 * size) return;
    const double room = size > 0 ? 0.05 * size : 1;
    *low -= room;
    *high += room;
}

/* Chooses how the ticks of a linear axis are written. */
static void write_linear(dlpi_axis *axis, double step)
{
    const double largest = fmax(fabs(axis->low), fabs(axis->high));
    const int decimals = (int)-floor(log10(step) + 1e-9);
    axis->decimals = decimals > 0 ? decimals : 0;
    if (decimals > 6 || largest > 1e7) axis->decimals = -1;
    axis->digits = (int)floor(log10(largest)) + decimals + 1;
}

static void make_linear(dlpi_axis *axis, int wanted)
{
    widen(&axis->low, &axis->high);
    const double room = MARGIN * (axis->high - axis->low);
    axis->low -= room;
    axis->high += room;
    const double step = round_up((axis->high - axis->low) / wanted);
    const double first = ceil(axis->low / step);
    for (double i = first; i * step <= axis->high && axis->count < DLPI_TICKS; i++)
        axis->tick[axis->count++] = i * step;
    write_linear(axis, step);
}

/* ---- logarithmic ---- */

/* 1, 2, 5, 10, 20, ... if that gives few enough ticks; else every few powers of ten. */
static void make_log(dlpi_axis *axis, int wanted)
{
    if (axis->high < axis->low * 1.5) {
        axis->low /= 1.5;
        axis->high *= 1.5;
    }
    const double room = pow(axis->high / axis->low, MARGIN);
    axis->low /= room;
    axis->high *= room;
    const int first = (int)floor(log10(axis->low)), last = (int)floor(log10(axis->high));
    const bool dense = 3 * (last - first) <= wanted + 3;
    const int stride = dense ? 1 : (last - first + wanted - 1) / wanted;
    const double steps[] = {1, 2, 5};
    for (int p = first; p <= last; p += stride)
        for (int i = 0; i < (dense ? 3 : 1); i++) {
            const double tick = steps[i] * pow(10, p);
            if (tick >= axis->low && tick <= axis->high && axis->count < DLPI_TICKS)
                axis->tick[axis->count++] = tick;
        }
    axis->decimals = -1;
    axis->digits = 6;
}

/* ---- both ---- */

dlpi_axis dlpi_axis_make(double low, double high, bool log, int wanted)
{
    dlpi_axis axis = {.low = low, .high = high, .log = log};
    if (log)
        make_log(&axis, wanted);
    else
        make_linear(&axis, wanted);
    return axis;
}

double dlpi_axis_place(const dlpi_axis *axis, double x)
{
    if (axis->log) return log(x / axis->low) / log(axis->high / axis->low);
    return (x - axis->low) / (axis->high - axis->low);
}

void dlpi_axis_label(const dlpi_axis *axis, double tick, char text[32])
{
    const char *sign = tick < 0 ? "\xe2\x88\x92" : ""; /* U+2212 */
    if (axis->decimals >= 0)
        snprintf(text, 32, "%s%.*f", sign, axis->decimals, fabs(tick));
    else
        snprintf(text, 32, "%s%.*g", sign, axis->digits, fabs(tick));
}
