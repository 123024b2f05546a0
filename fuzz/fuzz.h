/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fuzzers share. A fuzzer is one function; libFuzzer or replay.c calls it. */
#ifndef DLP_FUZZ_H
#define DLP_FUZZ_H

#include "sound.h"

#include <delaplace/corpus.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program where the library broke a promise. */
static inline void fuzz_expect(bool kept)
{
    if (!kept) abort();
}

static struct {
    long inputs, passed;
} fuzz_door;

static inline void fuzz_print_door(void)
{
    fprintf(stderr, "passed the door: %.1f %% of %ld inputs\n",
            100.0 * (double)fuzz_door.passed / (double)fuzz_door.inputs,
            fuzz_door.inputs);
}

/* Counts an input: was it read, or refused at the door? Only what passes tests more than the
   messages. Printed at the end. Returns passed. */
static inline bool fuzz_passes(bool passed)
{
    if (fuzz_door.inputs == 0) (void)atexit(fuzz_print_door);
    fuzz_door.inputs++;
    fuzz_door.passed += passed;
    return passed;
}

typedef dlp_status fuzz_parse(const char *name, const char *text, size_t size,
                              dlp_corpus **corpus, dlp_error *error);

/* A parser either makes a sound corpus, or says what is wrong and makes none. */
static inline void fuzz_parser(fuzz_parse *parse, const uint8_t *data, size_t size)
{
    dlp_corpus *corpus = NULL;
    dlp_error error = {0};
    if (fuzz_passes(parse("fuzz", (const char *)data, size, &corpus, &error) == DLP_OK))
        fuzz_expect(corpus_is_sound(corpus));
    else
        fuzz_expect(!corpus && error.message[0] != '\0');
    dlp_corpus_free(corpus);
}

/* Whether it makes a corpus, and not a large one, which would take the time of many
   others. */
static inline bool fuzz_reads(fuzz_parse *parse, const char *text, size_t size)
{
    dlp_corpus *corpus = NULL;
    const bool small = parse("fuzz", text, size, &corpus, NULL) == DLP_OK &&
                       corpus->D + corpus->V < 1000;
    dlp_corpus_free(corpus);
    return small;
}

#endif
