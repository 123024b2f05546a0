/* SPDX-License-Identifier: BSD-3-Clause */
/* A corpus with the files of names that belong to it. */
#include "core/file.h"
#include "core/file_journal.h"
#include "core/settings.h"
#include "corpus/align.h"
#include "corpus/formats/format.h"

#include <string.h>
#include <unistd.h>

/* Which file of names, and how it is read into a corpus with or without such names. */
struct companion {
    const char *extension;
    dlp_status (*read)(dlp_corpus *corpus, const char *path, dlp_error *error);
    dlp_status (*align)(dlp_corpus *corpus, const char *path, dlp_error *error);
};
static const struct companion vocab_file = {".vocab", dlp_corpus_read_vocab,
                                            dlpi_corpus_align_terms};
static const struct companion docs_file = {".docs", dlp_corpus_read_names,
                                           dlpi_corpus_align_documents};
static const struct companion text_file = {".text.jsonl", dlpi_corpus_read_text, NULL};
static const struct companion origin_file = {".words.json", dlpi_corpus_read_origin,
                                             NULL};

/* Where the file may be beside the corpus, if it is there: X.vocab, or else X.vocab.xz for
   X.ldac.xz. To be freed; NULL without memory. */
static char *find_beside(const char *path, const char *extension)
{
    char *plain = dlp_corpus_beside(path, extension),
         *found = plain ? dlpi_file_pending(path, plain) : NULL;
    free(plain);
    if (!found || access(found, F_OK) == 0) return found;
    free(found);
    return dlpi_corpus_beside_compressed(path, extension);
}

/* Reads the file of names at `given`, or the one beside the corpus if there is one. */
static dlp_status read_companion(dlp_corpus *corpus, const struct companion *companion,
                                 const char *path, const char *given, bool has_names,
                                 dlp_error *error)
{
    char *beside = NULL;
    if (!given && strcmp(path, "-") != 0) {
        beside = find_beside(path, companion->extension);
        if (!beside) return dlpi_no_memory(error, "a file's name");
        if (strcmp(beside, path) != 0 && access(beside, F_OK) == 0) given = beside;
    }
    dlp_status status = DLP_OK;
    if (given)
        status = (has_names ? companion->align : companion->read)(corpus, given, error);
    free(beside);
    return status;
}

/* The cost of a fit grows with V. If no file of names confirms V, a single large id must
   not determine it. */
static dlp_status check_terms(const dlp_corpus *c, const char *path, dlp_error *error)
{
    const dlp_index most = dlpi_corpus_most_unnamed(c->nnz);
    if (c->vocab || c->V <= most) return DLP_OK;
    return dlpi_advise(
        error, DLP_REMEDY_VOCABULARY,
        dlp_fail(
            error, DLP_EINPUT,
            "%s: has %td terms by their ids, but only %td pairs of term and count; "
            "without names there may be %td terms; if the ids are right, name the terms, "
            "one per line, in a file beside it (.vocab) or in another",
            dlpi_input_name(path), c->V, c->nnz, most));
}

static dlp_status open_once(const char *path, const struct dlpi_corpus_format **format,
                            const dlp_corpus_options *options,
                            struct dlpi_progress *progress, dlp_corpus **corpus,
                            dlp_error *error)
{
    char *pending = dlpi_file_pending(path, path);
    if (!pending) return dlpi_no_memory(error, "a file's name");
    dlp_status status = dlpi_corpus_read(pending, format, progress, corpus, error);
    free(pending);
    if (status != DLP_OK) return status;
    dlp_corpus *c = *corpus;
    DLP_TRY_OR(done, read_companion(c, &vocab_file, path, options->vocab,
                                    c->vocab != NULL, error));
    DLP_TRY_OR(done, check_terms(c, path, error));
    DLP_TRY_OR(done, read_companion(c, &docs_file, path, NULL, c->name != NULL, error));
    if (options->text)
        DLP_TRY_OR(done, read_companion(c, &text_file, path, NULL, false, error));
    /* Terms of another file were made in another way. */
    if (!options->vocab)
        DLP_TRY_OR(done, read_companion(c, &origin_file, path, NULL, false, error));
    status = dlpi_progress_end(progress, error);
done:
    return dlpi_corpus_parse_end(status, corpus);
}

/* A corpus and its names are read one after the other: if a writer came between, they are
   read again. */
static dlp_status open_whole(const char *path, const struct dlpi_corpus_format *known,
                             const struct dlpi_corpus_format **format,
                             const dlp_corpus_options *options,
                             struct dlpi_progress *progress, dlp_corpus **corpus,
                             dlp_error *error)
{
    enum { TRIES = 5 };
    for (int i = 0; i < TRIES; i++) {
        const struct dlpi_file_state before = dlpi_file_state_of(path);
        *format = known;
        const dlp_status status =
            open_once(path, format, options, progress, corpus, error);
        const struct dlpi_file_state after = dlpi_file_state_of(path);
        if (!S_ISREG(after.lead.st_mode) || dlpi_file_state_same(&before, &after))
            return status;
        dlp_corpus_free(*corpus);
        *corpus = NULL;
    }
    return dlp_fail(error, DLP_EIO,
                    "%s: changed each time it was read; wait until nothing writes to it",
                    path);
}

dlp_status dlpi_corpus_open(const char *path, const dlp_corpus_options *options,
                            const struct dlpi_corpus_format **format, dlp_corpus **corpus,
                            dlp_error *error)
{
    DLP_TRY(dlpi_settings_check(options, error));
    const dlp_corpus_options chosen = dlpi_corpus_options_take(options);
    struct dlpi_progress progress, *const p =
                                       dlpi_progress_for(chosen.progress, chosen.context,
                                                         "reading", &progress);
    *format = NULL;
    if (corpus) *corpus = NULL;
    if (!corpus || !path)
        return dlp_fail(error, DLP_EINVAL, "a reader needs a path and a corpus");
    const struct dlpi_corpus_format *known = NULL;
    if (chosen.format) {
        known = dlpi_corpus_format_named(chosen.format, error);
        if (!known) return DLP_EINVAL;
    }
    return open_whole(path, known, format, &chosen, p, corpus, error);
}

dlp_status dlp_corpus_open(const char *path, const dlp_corpus_options *options,
                           dlp_corpus **corpus, dlp_error *error)
{
    const struct dlpi_corpus_format *format;
    return dlpi_corpus_open(path, options, &format, corpus, error);
}

int dlp_corpus_has_file(const char *corpus, const char *path)
{
    const struct companion *const all[] = {&vocab_file, &docs_file, &text_file,
                                           &origin_file};
    bool found = dlpi_file_same(corpus, path);
    for (size_t i = 0; i < sizeof all / sizeof all[0] && !found; i++) {
        char *beside = dlp_corpus_beside(corpus, all[i]->extension),
             *compressed = dlpi_corpus_beside_compressed(corpus, all[i]->extension);
        found = (beside && dlpi_file_same(beside, path)) ||
                (compressed && dlpi_file_same(compressed, path));
        free(beside);
        free(compressed);
    }
    return found;
}
