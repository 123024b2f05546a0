/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fuzzers share. A fuzzer is one function; libFuzzer or replay.c calls it. */
#ifndef DLP_FUZZ_H
#define DLP_FUZZ_H

#include "sound.h"

#include <delaplace/corpus.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program where the library broke a promise. */
static inline void fuzz_expect(bool kept)
{
    if (!kept) abort();
}

typedef dlp_status fuzz_parse(const char *name, const char *text, size_t size,
                              dlp_corpus **corpus, dlp_error *error);

/* A parser either makes a sound corpus, or says what is wrong and makes none. */
static inline void fuzz_parser(fuzz_parse *parse, const uint8_t *data, size_t size)
{
    dlp_corpus *corpus = NULL;
    dlp_error error = {""};
    if (parse("fuzz", (const char *)data, size, &corpus, &error) == DLP_OK)
        fuzz_expect(corpus_is_sound(corpus));
    else
        fuzz_expect(!corpus && error.message[0] != '\0');
    dlp_corpus_free(corpus);
}

#endif
