/* SPDX-License-Identifier: BSD-3-Clause */
/* Documents to learn from, and documents to test on. */
#include "core/settings.h"
#include "corpus/corpus.h"

#include <delaplace/random.h>

static const dlp_split_settings defaults = {.every = 5, .seed = 1};

void dlp_split_settings_init(dlp_split_settings *settings, size_t size)
{
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

static bool is_test(const dlp_split_settings *s, dlp_index d)
{
    if (s->fraction == 0) return (d + 1 + s->before) % s->every == 0;
    dlp_rng rng = dlp_rng_at(s->seed, (uint64_t)d);
    return dlp_draw_uniform(&rng) < s->fraction;
}

static dlp_status select_parts(const dlp_corpus *corpus, const dlp_split_settings *s,
                               unsigned char *keep, dlp_corpus **train, dlp_corpus **test,
                               dlp_error *error)
{
    dlp_index tests = 0;
    for (dlp_index d = 0; d < corpus->D; d++) tests += keep[d] = is_test(s, d);
    if (tests == 0 || tests == corpus->D)
        return dlp_fail(
            error, DLP_EINPUT,
            "%s of the %td document%s becomes a test document; change every or "
            "fraction",
            tests == 0 ? "none" : "each", corpus->D, corpus->D == 1 ? "" : "s");
    DLP_TRY(dlp_corpus_select(corpus, keep, test, error));
    for (dlp_index d = 0; d < corpus->D; d++) keep[d] = !keep[d];
    return dlp_corpus_select(corpus, keep, train, error);
}

dlp_status dlp_corpus_split(const dlp_corpus *corpus, const dlp_split_settings *settings,
                            dlp_corpus **train, dlp_corpus **test, dlp_error *error)
{
    dlp_split_settings s = defaults;
    if (train) *train = NULL;
    if (test) *test = NULL;
    if (!corpus || !train || !test)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_corpus_split: needs a corpus, and room for both parts");
    DLP_TRY(dlpi_settings_take(&s, sizeof s, settings, error));
    if (s.every < 2 || !(s.fraction >= 0 && s.fraction < 1) || s.before < 0 ||
        s.before >= s.every)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_corpus_split: every is %td, before %td, fraction %g; "
                        "expected 2 or more, "
                        "0 <= before < every and 0 <= fraction < 1",
                        s.every, s.before, s.fraction);
    unsigned char *keep = dlpi_calloc(corpus->D, 1);
    const dlp_status status = keep ? select_parts(corpus, &s, keep, train, test, error)
                                   : dlpi_no_memory(error, "the parts of a corpus");
    free(keep);
    if (status == DLP_OK) return DLP_OK;
    dlp_corpus_free(*test);
    *test = NULL;
    return status;
}
