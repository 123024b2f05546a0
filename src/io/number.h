/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimal numbers: from text to the nearest double, whatever the locale, and back.
   Internal. */
#ifndef DLPI_IO_NUMBER_H
#define DLPI_IO_NUMBER_H

#include <stdint.h>
#include <stdio.h>

/*
 * Reads the number that begins at `at`: a sign, digits with a point among them, an
 * exponent; or a sign and "inf" or "infinity" in any case. These are what strtod reads in
 * the C locale, except hexadecimal, NaN and blanks before the number. The value is the
 * double nearest to what is written, the even one in a tie; it is infinite beyond the
 * largest double. Returns where the number ends, or NULL when none begins there.
 */
const char *dlpi_number_scan(const char *at, const char *end, double *value);

/*
 * The slow, exact path for what the fast one cannot decide. The digits from `at` to
 * `end`, skipping a point among them, make a whole number; the value is that times
 * 10^exponent. `below` is the double nearest to the number with its digits after the 19th
 * set to zero, as bits. Returns the nearest double, as bits.
 */
uint64_t dlpi_number_settle(const char *at, const char *end, int64_t exponent,
                            uint64_t below);

/* The number at the beginning of a text, after blanks; *end: where it ends, the text itself
   if there is none. */
double dlpi_number_read(const char *text, char **end);

/* Gives a number that printf printed the point of the C locale. */
void dlpi_number_point(char *text);
/* "%.*g" in the C locale. */
void dlpi_number_put(FILE *out, int digits, double x);

/* Prints x as printf's "%.17g" does in the C locale, which reads back to x. */
enum { DLPI_NUMBER_PRINT = 32 };
void dlpi_number_print(double x, char text[DLPI_NUMBER_PRINT]);

#endif
