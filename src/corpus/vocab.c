/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of a corpus' terms and documents, from files of their own. */
#include "corpus/names.h"

/* Takes the names over, or frees them on failure. */
static dlp_status set_vocab(dlp_corpus *corpus, const char *file,
                            const struct dlpi_names *names, dlp_error *error)
{
    if (names->n < corpus->V || names->n > INT32_MAX) {
        free(names->name);
        return dlp_fail(error, DLP_EINPUT,
                        "%s: has %td names but the corpus has %td terms; give the "
                        "vocabulary that the corpus was made with",
                        file, names->n, corpus->V);
    }
    free(corpus->vocab);
    corpus->vocab = names->name;
    corpus->V = names->n;
    return DLP_OK;
}

dlp_status dlpi_corpus_parse_vocab(dlp_corpus *corpus, const char *name, const char *text,
                                   size_t size, dlp_error *error)
{
    struct dlpi_names names;
    DLP_TRY(dlpi_names_parse(name, text, size, &dlpi_named_terms, &names, error));
    return set_vocab(corpus, name, &names, error);
}

dlp_status dlp_corpus_read_vocab(dlp_corpus *corpus, const char *path, dlp_error *error)
{
    struct dlpi_names names;
    if (!corpus || !path)
        return dlp_fail(error, DLP_EINVAL, "a vocabulary needs a corpus and a path");
    DLP_TRY(dlpi_names_read(path, &dlpi_named_terms, &names, error));
    return set_vocab(corpus, dlpi_input_name(path), &names, error);
}

dlp_status dlp_corpus_read_names(dlp_corpus *corpus, const char *path, dlp_error *error)
{
    struct dlpi_names names;
    if (!corpus || !path)
        return dlp_fail(error, DLP_EINVAL, "a vocabulary needs a corpus and a path");
    DLP_TRY(dlpi_names_read(path, &dlpi_named_documents, &names, error));
    if (names.n != corpus->D) {
        free(names.name);
        return dlp_fail(error, DLP_EINPUT,
                        "%s: has %td names but the corpus has %td documents; give the "
                        "names that the corpus was made with",
                        dlpi_input_name(path), names.n, corpus->D);
    }
    free(corpus->name);
    corpus->name = names.name;
    return DLP_OK;
}
