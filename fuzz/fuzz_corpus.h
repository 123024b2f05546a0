/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzzes a format of corpora both ways: what was read is written, and read again to the
   same corpus. */
#ifndef DLP_FUZZ_CORPUS_H
#define DLP_FUZZ_CORPUS_H

#include "corpus/formats/format.h"
#include "fuzz.h"

static inline bool same_pairs(const dlp_corpus *a, const dlp_corpus *b)
{
    return a->D == b->D && a->nnz == b->nnz && a->words == b->words &&
           memcmp(a->term, b->term, (size_t)a->nnz * sizeof *a->term) == 0 &&
           memcmp(a->count, b->count, (size_t)a->nnz * sizeof *a->count) == 0;
}

/* A format may lose what only the names tell: terms that no document uses, documents
   without words. Then nothing is left to compare. */
static inline void fuzz_rewrite(const struct dlpi_corpus_format *format,
                                fuzz_parse *parse, const dlp_corpus *corpus, bool whole)
{
    struct dlpi_output out = {0};
    if (format->put(corpus, &out, NULL) == DLP_OK) {
        dlp_corpus *again = NULL;
        fuzz_expect(!out.failed && parse("again", out.bytes.data, out.bytes.size, &again,
                                         NULL) == DLP_OK);
        fuzz_expect(corpus_is_sound(again));
        fuzz_expect(!whole || same_pairs(corpus, again));
        dlp_corpus_free(again);
    }
    free(out.bytes.data);
}

/* `whole` says whether the format keeps a corpus whole. */
static inline void fuzz_format(const char *name, fuzz_parse *parse, const uint8_t *data,
                               size_t size, bool (*whole)(const dlp_corpus *))
{
    const struct dlpi_corpus_format *format = dlpi_corpus_format_named(name, NULL);
    dlp_corpus *corpus = NULL;
    fuzz_parser(parse, data, size);
    (void)format->detect((const char *)data, size);
    /* A header may claim many documents; writing them all would only be slow. */
    if (parse("fuzz", (const char *)data, size, &corpus, NULL) == DLP_OK &&
        corpus->D < 10000)
        fuzz_rewrite(format, parse, corpus, whole(corpus));
    dlp_corpus_free(corpus);
}

#endif
