/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a corpus keeps every promise of <delaplace/corpus.h>; for tests and fuzzers. */
#ifndef DLP_FUZZ_SOUND_H
#define DLP_FUZZ_SOUND_H

#include <delaplace/corpus.h>
#include <stdbool.h>
#include <string.h>

static inline bool document_is_sound(const dlp_corpus *c, dlp_index d, dlp_index *words)
{
    for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++) {
        if (c->term[i] < 0 || c->term[i] >= c->V || c->count[i] < 1) return false;
        if (i > c->row[d] && c->term[i] <= c->term[i - 1]) return false;
        *words += c->count[i];
    }
    return c->row[d] <= c->row[d + 1];
}

/* A line of a file can hold each name. */
static inline bool names_are_sound(char *const *name, dlp_index n)
{
    for (dlp_index i = 0; name && i < n; i++)
        if (name[i][0] == '\0' || strchr(name[i], '\n')) return false;
    return true;
}

static inline bool corpus_is_sound(const dlp_corpus *c)
{
    dlp_index words = 0;
    if (!c || c->D < 1 || c->V < 0 || c->V > INT32_MAX || c->row[0] != 0) return false;
    for (dlp_index d = 0; d < c->D; d++)
        if (!document_is_sound(c, d, &words)) return false;
    return c->row[c->D] == c->nnz && words == c->words &&
           names_are_sound(c->vocab, c->V) && names_are_sound(c->name, c->D);
}

#endif
