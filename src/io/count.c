/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/count.h"

#include "io/scan.h"

#include <math.h>

static bool goes_on(char c)
{
    return c == '.' || c == 'e' || c == 'E';
}

const char *dlpi_count_scan(const char *at, const char *end, int64_t *count)
{
    struct dlpi_scan s = {.at = at, .end = end};
    if (dlpi_scan_whole(&s, count) && (s.at == end || !goes_on(*s.at))) return s.at;
    const double beyond = 0x1p63;
    double number = 0;
    const char *after = dlpi_number_scan(at, end, &number);
    if (!after || !(number >= 0) || floor(number) != number) return NULL;
    *count = number < beyond ? (int64_t)number : INT64_MAX;
    return after;
}
