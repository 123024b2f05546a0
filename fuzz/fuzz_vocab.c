/* SPDX-License-Identifier: BSD-3-Clause */
#include "corpus/corpus.h"
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int32_t x[3] = {2, 0, 3};
    dlp_corpus *corpus = NULL;
    dlp_error error = {""};
    fuzz_expect(dlp_corpus_from_counts(1, 3, x, &corpus, NULL) == DLP_OK);
    if (dlpi_corpus_parse_vocab(corpus, "fuzz", (const char *)data, size, &error) ==
        DLP_OK) {
        fuzz_expect(corpus->V >= 3 && corpus_is_sound(corpus));
        for (dlp_index v = 0; v < corpus->V; v++)
            fuzz_expect(corpus->vocab[v][0] != '\0' && !strchr(corpus->vocab[v], '\n'));
    } else {
        fuzz_expect(corpus->V == 3 && !corpus->vocab && error.message[0] != '\0');
    }
    dlp_corpus_free(corpus);
    return 0;
}
