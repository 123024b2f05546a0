/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of topics and of documents read with them share. */
#ifndef TESTS_TOPICS_SUPPORT_H
#define TESTS_TOPICS_SUPPORT_H

#include "support.h"

/* A corpus of D documents over V terms in which term v prefers documents with d = v mod 4,
   with lengths that vary and a document without words. */
static inline dlp_corpus *make_corpus(dlp_index D, dlp_index V)
{
    int32_t *x = calloc((size_t)(D * V), sizeof *x);
    for (dlp_index d = 0; d < D; d++) {
        dlp_rng rng = dlp_rng_at(11, (uint64_t)d);
        for (dlp_index n = 0; d != 5 && n < 20 + d % 37; n++) {
            const dlp_index v = (dlp_index)(dlp_draw_uniform(&rng) * (double)V);
            x[d * V + (dlp_draw_uniform(&rng) < 0.7 ? v / 4 * 4 + d % 4 : v) % V]++;
        }
    }
    dlp_corpus *corpus = NULL;
    assert_ok(dlp_corpus_from_counts(D, V, x, &corpus, error));
    free(x);
    return corpus;
}

static inline dlp_topics_settings settings_for(dlp_index K, const char *init)
{
    dlp_topics_settings s = dlp_topics_settings_default();
    s.K = K;
    s.init = init;
    s.max_iter = 8;
    s.threads = 1;
    s.tol = 1e-12;
    return s;
}

#endif
