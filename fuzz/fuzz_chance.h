/* SPDX-License-Identifier: BSD-3-Clause */
/* What fuzzers share that change their inputs themselves: chance, and text being written. */
#ifndef DLP_FUZZ_CHANCE_H
#define DLP_FUZZ_CHANCE_H

#include "fuzz.h"

#include <math.h>
#include <stdarg.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned int seed);

/* Text that is being written, and chance. What does not fit is left out. */
typedef struct fuzz_text {
    char *at;
    size_t size, most;
    uint64_t state;
} fuzz_text;

/* From 0 to n - 1. */
static inline int fuzz_chance(fuzz_text *t, int n)
{
    t->state = t->state * 6364136223846793005U + 1442695040888963407U;
    return (int)((t->state >> 33) % (uint64_t)n);
}

#define FUZZ_ONE_OF(t, list)                                                             \
    ((list)[fuzz_chance((t), (int)(sizeof(list) / sizeof *(list)))])

static inline void fuzz_put_bytes(fuzz_text *t, const char *bytes, size_t size)
{
    if (size > t->most - t->size) return;
    memcpy(t->at + t->size, bytes, size);
    t->size += size;
}

__attribute__((format(printf, 2, 3))) static inline void fuzz_put(fuzz_text *t,
                                                                  const char *format, ...)
{
    char bytes[256];
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(bytes, sizeof bytes, format, values);
    va_end(values);
    if (length > 0 && (size_t)length < sizeof bytes)
        fuzz_put_bytes(t, bytes, (size_t)length);
}

typedef struct fuzz_span {
    const char *at;
    size_t size;
} fuzz_span;

/* Another number. */
static inline double fuzz_real(fuzz_text *t, double was)
{
    static const double other[] = {0,      1,    -1,    0.5,    2,        1e-300, 1e300,
                                   -1e300, 1e10, 1e-10, -1e-10, INFINITY, NAN};
    switch (fuzz_chance(t, 4)) {
    case 0: return -was;
    case 1: return was * (1 + 1e-3 * (fuzz_chance(t, 2001) - 1000));
    case 2: return was * pow(10, fuzz_chance(t, 21) - 10);
    default: return FUZZ_ONE_OF(t, other);
    }
}

/* One of the numbers (8 bytes) in these bytes changes. */
static inline void fuzz_change_numbers(fuzz_text *t, uint8_t *bytes, size_t size)
{
    const int n = (int)(size / sizeof(double));
    double x;
    if (n == 0) return;
    uint8_t *at = bytes + (size_t)fuzz_chance(t, n) * sizeof x;
    memcpy(&x, at, sizeof x);
    x = fuzz_real(t, x);
    memcpy(at, &x, sizeof x);
}

#endif
