/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes inputs so that most of them pass the door, for any format: several changes are tried
 * until the parser takes one, and they begin with an input that it took. One input in eight stays
 * as it is, so that refusals are tested, too.
 */
#ifndef DLP_FUZZ_SOUND_INPUT_H
#define DLP_FUZZ_SOUND_INPUT_H

#include "fuzz_chance.h"
#include "fuzz_tried.h"

enum { FUZZ_TRIES = 6, FUZZ_KEPT = 32, FUZZ_LONGEST = 1 << 14 };

typedef struct fuzz_sound {
    /* Whether the parser takes it. */
    bool (*passes)(const uint8_t *data, size_t size);
    /* Changes it in place, and returns the size; 0: cannot be done. NULL: as libFuzzer does. */
    size_t (*change)(fuzz_text *t, uint8_t *data, size_t size, size_t most);
} fuzz_sound;

/* The last inputs that passed. */
static struct {
    int n;
    size_t size[FUZZ_KEPT];
    uint8_t data[FUZZ_KEPT][FUZZ_LONGEST];
} fuzz_kept;

static inline void fuzz_keep(const uint8_t *data, size_t size)
{
    const int i = fuzz_kept.n++ % FUZZ_KEPT;
    fuzz_kept.size[i] = size;
    memcpy(fuzz_kept.data[i], data, size);
}

static inline size_t fuzz_recall(fuzz_text *t, uint8_t *data, size_t most)
{
    const int n = fuzz_kept.n < FUZZ_KEPT ? fuzz_kept.n : FUZZ_KEPT,
              i = n > 0 ? fuzz_chance(t, n) : 0;
    if (n == 0 || fuzz_kept.size[i] > most) return 0;
    memcpy(data, fuzz_kept.data[i], fuzz_kept.size[i]);
    return fuzz_kept.size[i];
}

static inline bool fuzz_try(const fuzz_sound *of, const uint8_t *data, size_t size)
{
    fuzz_tried(data, size);
    const bool passed = of->passes(data, size);
    fuzz_tried(NULL, 0);
    return passed;
}

/* LLVMFuzzerCustomMutator() of such a fuzzer. */
static inline size_t fuzz_mutate_sound(const fuzz_sound *of, uint8_t *data, size_t size,
                                       size_t most, unsigned int seed)
{
    static uint8_t tried[FUZZ_LONGEST];
    fuzz_text t = {.state = seed};
    if (most > sizeof tried) most = sizeof tried;
    if (size > most || fuzz_chance(&t, 8) == 0) return LLVMFuzzerMutate(data, size, most);
    if (fuzz_try(of, data, size))
        fuzz_keep(data, size);
    else if (fuzz_kept.n > 0)
        size = fuzz_recall(&t, data, most);
    size_t now = 0;
    for (int i = 0; i < FUZZ_TRIES; i++) {
        memcpy(tried, data, size);
        now = of->change && fuzz_chance(&t, 8) ? of->change(&t, tried, size, most) : 0;
        if (now == 0) now = LLVMFuzzerMutate(tried, size, most);
        if (fuzz_try(of, tried, now)) break;
    }
    memcpy(data, tried, now);
    return now;
}

#endif
