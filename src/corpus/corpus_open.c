/* SPDX-License-Identifier: BSD-3-Clause */
/* A corpus with the files of names that belong to it. */
#include "core/settings.h"
#include "corpus/align.h"
#include "corpus/format.h"

#include <string.h>
#include <unistd.h>

/* Which file of names, and how it is read into a corpus without such names or with. */
struct companion {
    const char *extension;
    dlp_status (*read)(dlp_corpus *corpus, const char *path, dlp_error *error);
    dlp_status (*align)(dlp_corpus *corpus, const char *path, dlp_error *error);
};
static const struct companion vocab_file = {".vocab", dlp_corpus_read_vocab,
                                            dlpi_corpus_align_terms};
static const struct companion docs_file = {".docs", dlp_corpus_read_names,
                                           dlpi_corpus_align_documents};

/* Reads the file of names at `given`, or the one beside the corpus if there is one. */
static dlp_status read_companion(dlp_corpus *corpus, const struct companion *companion,
                                 const char *path, const char *given, bool has_names,
                                 dlp_error *error)
{
    char *beside = NULL;
    if (!given && strcmp(path, "-") != 0) {
        beside = dlp_corpus_beside(path, companion->extension);
        if (!beside) return dlpi_no_memory(error, "a file's name");
        if (strcmp(beside, path) != 0 && access(beside, F_OK) == 0) given = beside;
    }
    dlp_status status = DLP_OK;
    if (given)
        status = (has_names ? companion->align : companion->read)(corpus, given, error);
    free(beside);
    return status;
}

dlp_status dlp_corpus_open(const char *path, const dlp_corpus_options *options,
                           dlp_corpus **corpus, dlp_error *error)
{
    DLP_TRY(dlpi_settings_check(options, error));
    const dlp_corpus_options chosen = dlpi_corpus_options_take(options);
    struct dlpi_progress progress, *const p =
                                       dlpi_progress_for(chosen.progress, chosen.context,
                                                         "reading", &progress);
    dlp_status status;
    if (corpus) *corpus = NULL;
    if (!corpus || !path)
        return dlp_fail(error, DLP_EINVAL, "a reader needs a path and a corpus");
    const struct dlpi_corpus_format *known = NULL;
    if (chosen.format) {
        known = dlpi_corpus_format_named(chosen.format, error);
        if (!known) return DLP_EINVAL;
    }
    DLP_TRY(dlpi_corpus_read(path, known, p, corpus, error));
    dlp_corpus *c = *corpus;
    DLP_TRY_OR(done, read_companion(c, &vocab_file, path, chosen.vocab, c->vocab != NULL,
                                    error));
    DLP_TRY_OR(done, read_companion(c, &docs_file, path, NULL, c->name != NULL, error));
    status = dlpi_progress_end(p, error);
done:
    return dlpi_corpus_parse_end(status, corpus);
}
