/* SPDX-License-Identifier: BSD-3-Clause */
#include "corpus/corpus.h"
#include "fuzz_sound.h"

#include <string.h>

static dlp_corpus *make_corpus(void)
{
    static const int32_t x[3] = {2, 0, 3};
    dlp_corpus *corpus = NULL;
    fuzz_expect(dlp_corpus_from_counts(1, 3, x, &corpus, NULL) == DLP_OK);
    return corpus;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_corpus *corpus = make_corpus();
    dlp_error error = {0};
    if (fuzz_passes(dlpi_corpus_parse_vocab(corpus, "fuzz", (const char *)data, size,
                                            &error) == DLP_OK)) {
        fuzz_expect(corpus->V >= 3 && corpus_is_sound(corpus));
        for (dlp_index v = 0; v < corpus->V; v++)
            fuzz_expect(corpus->vocab[v][0] != '\0' && !strchr(corpus->vocab[v], '\n'));
    } else {
        fuzz_expect(corpus->V == 3 && !corpus->vocab && error.message[0] != '\0');
    }
    dlp_corpus_free(corpus);
    return 0;
}

static bool passes(const uint8_t *data, size_t size)
{
    dlp_corpus *corpus = make_corpus();
    const bool read =
        dlpi_corpus_parse_vocab(corpus, "fuzz", (const char *)data, size, NULL) == DLP_OK;
    dlp_corpus_free(corpus);
    return read;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static const fuzz_sound sound = {.passes = passes};
    return fuzz_mutate_sound(&sound, data, size, most, seed);
}
