/* SPDX-License-Identifier: BSD-3-Clause */
/* Vocabularies: the name of a term a line. Any bytes make a name, save none at all. */
#include "data/data.h"
#include "data/scan.h"

#include <string.h>

/* The bytes of the line without its end. */
static size_t line_length(const struct dlpi_scan *s)
{
    const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
    const char *end = newline ? newline : s->end;
    if (end > s->at && end[-1] == '\r') end--;
    return (size_t)(end - s->at);
}

/* Finds what is no name, and how many names and bytes there are. */
static dlp_status check_names(struct dlpi_scan s, dlp_index *names, size_t *bytes,
                              dlp_error *error)
{
    *names = 0;
    *bytes = 0;
    for (; !dlpi_scan_is_over(&s); dlpi_next_line(&s)) {
        const size_t length = line_length(&s);
        struct dlpi_scan first = s;
        dlpi_skip_blanks(&first);
        if (dlpi_at_line_end(&first))
            return dlpi_scan_fail(&s, s.at, "the name of a term",
                                  "a vocabulary has a name on each line", error);
        const char *zero = memchr(s.at, '\0', length);
        if (zero)
            return dlpi_scan_fail(&s, zero, "text", "a vocabulary has no zero bytes",
                                  error);
        ++*names;
        *bytes += length + 1;
        s.at += length;
    }
    return DLP_OK;
}

/* All names in one block, pointers first, so that one free() releases them. */
static char **copy_names(struct dlpi_scan s, dlp_index names, size_t bytes)
{
    const size_t pointers = (size_t)names * sizeof(char *);
    char **vocab = dlpi_calloc((dlp_index)(pointers + bytes), 1);
    if (!vocab) return NULL;
    char *next = (char *)vocab + pointers;
    for (dlp_index v = 0; v < names; v++, dlpi_next_line(&s)) {
        const size_t length = line_length(&s);
        memcpy(next, s.at, length);
        vocab[v] = next;
        next += length + 1; /* the NUL is there: the block began zeroed */
        s.at += length;
    }
    return vocab;
}

dlp_status dlpi_corpus_parse_vocab(dlp_corpus *corpus, const char *name, const char *text,
                                   size_t size, dlp_error *error)
{
    const struct dlpi_scan s = dlpi_scan_start(name, text, size);
    dlp_index names = 0;
    size_t bytes = 0;
    DLP_TRY(check_names(s, &names, &bytes, error));
    if (names < corpus->V || names > INT32_MAX)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: has %td names but the corpus has %td terms; give the "
                        "vocabulary that the corpus was made with",
                        name, names, corpus->V);
    char **vocab = copy_names(s, names, bytes);
    if (!vocab) return dlpi_no_memory(error, "a vocabulary");
    free(corpus->vocab);
    corpus->vocab = vocab;
    corpus->V = names;
    return DLP_OK;
}

dlp_status dlp_corpus_read_vocab(dlp_corpus *corpus, const char *path, dlp_error *error)
{
    struct dlpi_bytes bytes;
    if (!corpus || !path)
        return dlp_fail(error, DLP_EINVAL, "a reader needs a corpus and a path");
    DLP_TRY(dlpi_input_read(path, &bytes, error));
    const dlp_status status = dlpi_corpus_parse_vocab(corpus, dlpi_input_name(path),
                                                      bytes.data, bytes.size, error);
    free(bytes.data);
    return status;
}
