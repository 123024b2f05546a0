/* SPDX-License-Identifier: BSD-3-Clause */
/* A corpus of compressed sparse rows that are in memory already. */
#include "corpus/names.h"

#include <string.h>

static const char call[] = "dlp_corpus_from_csr";

static dlp_status check_rows(dlp_index D, const dlp_index *row, dlp_error *error)
{
    if (row[0] != 0)
        return dlp_fail(error, DLP_EINVAL, "%s: row[0] is %td, not 0", call, row[0]);
    for (dlp_index d = 0; d < D; d++)
        if (row[d + 1] < row[d])
            return dlp_fail(
                error, DLP_EINVAL,
                "%s: document %td ends before it starts; row must be ascending", call, d);
    return DLP_OK;
}

/* The rows are sound. */
static dlp_status check_pairs(dlp_index D, dlp_index V, const dlp_index *row,
                              const int32_t *term, const int32_t *count, dlp_error *error)
{
    for (dlp_index d = 0; d < D; d++)
        for (dlp_index i = row[d]; i < row[d + 1]; i++)
            if (term[i] < 0 || term[i] >= V || count[i] < 0)
                return dlp_fail(error, DLP_EINVAL,
                                "%s: document %td has term %d with count %d; terms are 0 "
                                "to %td, counts 0 or more",
                                call, d, (int)term[i], (int)count[i], V - 1);
    return DLP_OK;
}

static dlp_status copy_names(const char *const *name, dlp_index n, const char *what,
                             char ***copy, dlp_error *error)
{
    if (!name) return DLP_OK;
    for (dlp_index i = 0; i < n; i++)
        if (!name[i] || !dlpi_name_is_sound(name[i]))
            return dlp_fail(error, DLP_EINVAL,
                            "%s: the name of %s %td is %s; a name is one line of text",
                            call, what, i, name[i] ? "blank or has a line end" : "NULL");
    *copy = dlpi_names_copy(name, n);
    return *copy ? DLP_OK : dlpi_no_memory(error, "the names of a corpus");
}

static void copy_pairs(const dlp_index *row, const int32_t *term, const int32_t *count,
                       dlp_corpus *corpus)
{
    memcpy(corpus->row, row, ((size_t)corpus->D + 1) * sizeof *row);
    if (corpus->nnz == 0) return; /* and term and count may be NULL */
    memcpy(corpus->term, term, (size_t)corpus->nnz * sizeof *term);
    memcpy(corpus->count, count, (size_t)corpus->nnz * sizeof *count);
}

dlp_status dlp_corpus_from_csr(dlp_index D, dlp_index V, const dlp_index *row,
                               const int32_t *term, const int32_t *count,
                               const char *const *vocab, const char *const *name,
                               dlp_corpus **corpus, dlp_error *error)
{
    dlp_status status;
    if (corpus) *corpus = NULL;
    if (!corpus || !row || D < 1 || D >= INT32_MAX || V < 1 || V > INT32_MAX)
        return dlp_fail(error, DLP_EINVAL,
                        "%s: needs a corpus, row, and D and V from 1 to 2147483647",
                        call);
    DLP_TRY(check_rows(D, row, error));
    if (row[D] > 0 && (!term || !count))
        return dlp_fail(error, DLP_EINVAL, "%s: needs term and count", call);
    DLP_TRY(check_pairs(D, V, row, term, count, error));
    dlp_corpus *c = *corpus = dlpi_corpus_alloc(D, row[D], error);
    if (!c) return DLP_ENOMEM;
    c->V = V;
    copy_pairs(row, term, count, c);
    status = dlpi_corpus_canonicalise(call, c, error);
    if (status == DLP_OK) status = copy_names(vocab, V, "term", &c->vocab, error);
    if (status == DLP_OK) status = copy_names(name, D, "document", &c->name, error);
    return dlpi_corpus_parse_end(status, corpus);
}
