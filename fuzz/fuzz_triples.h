/* SPDX-License-Identifier: BSD-3-Clause */
/* For the fuzzers of formats whose header has the numbers of documents, terms and triples. */
#ifndef DLP_FUZZ_TRIPLES_H
#define DLP_FUZZ_TRIPLES_H

#include "fuzz_lines.h"

typedef struct fuzz_sizes {
    int D, V, nnz;
} fuzz_sizes;

static const char *const fuzz_whole_counts[] = {"1", "2", "17", "0", "2147483647"};

/* The bytes of the first n lines. */
static inline size_t fuzz_size_of_lines(const char *text, size_t size, int n)
{
    size_t at = 0;
    for (; n > 0 && at < size; n--) {
        const char *end = memchr(text + at, '\n', size - at);
        at = end ? (size_t)(end - text) + 1 : size;
    }
    return at;
}

/* A header for n triples that keeps the other numbers if they are small. */
static inline fuzz_sizes fuzz_sizes_like(fuzz_text *t, fuzz_span was, int n)
{
    char text[128] = "";
    fuzz_sizes sizes = {0, 0, n};
    memcpy(text, was.at, was.size < sizeof text ? was.size : sizeof text - 1);
    const bool read = sscanf(text, "%5d %5d", &sizes.D, &sizes.V) == 2;
    if (!read || sizes.D < 1) sizes.D = 1 + fuzz_chance(t, 5);
    if (!read || sizes.V < 1) sizes.V = 1 + fuzz_chance(t, 9);
    return sizes;
}

static inline void fuzz_put_triple(fuzz_text *t, fuzz_sizes sizes, const char *count)
{
    fuzz_put(t, "%d %d%s%s%s", 1 + fuzz_chance(t, sizes.D), 1 + fuzz_chance(t, sizes.V),
             *count ? " " : "", count, fuzz_chance(t, 8) ? "\n" : "\t\r\n");
}

#endif
