/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixes numbers into a seed; the bits of a number. Hash tables use core/sip.h.
   Internal. */
#ifndef DLPI_DENSITY_MIX_H
#define DLPI_DENSITY_MIX_H

#include <stdint.h>
#include <string.h>

static inline uint64_t dlpi_mix(uint64_t hash, uint64_t bits)
{
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15;
    return hash ^ (hash >> 32);
}

static inline uint64_t dlpi_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

#endif
