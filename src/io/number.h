/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimal numbers: from text to the nearest double, whatever the locale, and back. Internal. */
#ifndef DLPI_IO_NUMBER_H
#define DLPI_IO_NUMBER_H

#include <stdint.h>

/*
 * Reads the number that begins at `at`: a sign, digits with a point among them, an
 * exponent; or a sign and "inf" or "infinity" in any case. These are what strtod reads
 * in the C locale, save hexadecimal, NaN and blanks before the number. The value is the
 * double nearest to what is written, of two the even one; it is infinite beyond the
 * largest double. Returns where the number ends, or NULL when none begins there.
 */
const char *dlpi_number_scan(const char *at, const char *end, double *value);

/*
 * The slow and sure end of it. The digits from `at` to `end`, a point among them
 * skipped, make a whole number that stands for itself times 10^exponent. `below` is the
 * nearest double to the number made by its first 19 digits and zeros, as bits. Returns
 * the nearest double, as bits.
 */
uint64_t dlpi_number_settle(const char *at, const char *end, int64_t exponent,
                            uint64_t below);

/* x as printf's "%.17g" in the C locale has it, which reads back to x. */
enum { DLPI_NUMBER_PRINT = 32 };
void dlpi_number_print(double x, char text[DLPI_NUMBER_PRINT]);

#endif
