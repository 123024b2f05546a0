/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of 128 bits, with or without a type for them. Internal. */
#ifndef DLPI_IO_PRODUCT_H
#define DLPI_IO_PRODUCT_H

#include <stdint.h>

struct dlpi_wide {
    uint64_t high, low;
};

static inline struct dlpi_wide dlpi_multiply(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    const wide ab = (wide)a * b;
    return (struct dlpi_wide){.high = (uint64_t)(ab >> 64), .low = (uint64_t)ab};
#else
    const uint64_t half = UINT32_MAX;
    const uint64_t low = (a & half) * (b & half), cross = (a >> 32) * (b & half);
    const uint64_t middle = (a & half) * (b >> 32) + (low >> 32) + (cross & half);
    return (struct dlpi_wide){.high =
                                  (a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32),
                              .low = middle << 32 | (low & half)};
#endif
}

#endif
