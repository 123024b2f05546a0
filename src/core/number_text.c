/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as R writes them. */
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 15 };

/* x > 0 as 0.d1 d2 ... dn times 10^(exponent + 1), without zeros at the end. */
struct decimal {
    char digit[DIGITS + 1];
    int n, exponent;
};

static struct decimal decimal_of(double x)
{
    struct decimal d = {.n = 0};
    char text[48]; /* "d.dd...de+dd", with the locale's point, which may be any bytes */
    snprintf(text, sizeof text, "%.*e", DIGITS - 1, x);
    const char *at = text;
    for (; *at != 'e'; at++)
        if (*at >= '0' && *at <= '9') d.digit[d.n++] = *at;
    while (d.n > 1 && d.digit[d.n - 1] == '0') d.n--;
    d.exponent = (int)strtol(at + 1, NULL, 10);
    return d;
}

static void write_scientific(const struct decimal *d, char *out, size_t room)
{
    const int size = snprintf(out, room, "%c%s%.*s", d->digit[0], d->n > 1 ? "." : "",
                              d->n - 1, d->digit + 1);
    snprintf(out + size, room - (size_t)size, "e%c%02d", d->exponent < 0 ? '-' : '+',
             abs(d->exponent));
}

static void write_fraction(const struct decimal *d, char *out, size_t room)
{
    const int whole = d->exponent + 1; /* digits before the point */
    if (whole > 0)
        snprintf(out, room, "%.*s.%.*s", whole, d->digit, d->n - whole, d->digit + whole);
    else
        snprintf(out, room, "0.%.*s%.*s", -whole, "0000", d->n, d->digit);
}

void dlpi_number_text(double x, char out[DLPI_NUMBER_TEXT])
{
    size_t room = DLPI_NUMBER_TEXT;
    if (x == 0) {
        snprintf(out, room, "0");
        return;
    }
    const struct decimal d = decimal_of(fabs(x));
    const int decimals = d.n - 1 > d.exponent ? d.n - 1 - d.exponent : 0;
    const int whole = d.exponent >= 0 ? d.exponent + 1 : 1;
    const int fixed = whole + (decimals > 0 ? decimals + 1 : 0);
    const int scientific = d.n + (d.n > 1) + (abs(d.exponent) >= 100 ? 5 : 4);
    if (x < 0) {
        *out++ = '-';
        room--;
    }
    if (fixed > scientific)
        write_scientific(&d, out, room);
    else if (decimals > 0)
        write_fraction(&d, out, room);
    else
        snprintf(out, room, "%.0f", fabs(x));
}
