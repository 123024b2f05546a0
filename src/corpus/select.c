/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a corpus: some of its documents, or some of its terms. */
#include "corpus/names.h"

#include <string.h>

/* The names i with keep[i], in a block of their own; *block is NULL without names. */
static dlp_status keep_names(char *const *name, dlp_index n, const unsigned char *keep,
                             char ***block, dlp_error *error)
{
    *block = NULL;
    if (!name) return DLP_OK;
    const char **kept = dlpi_calloc(n, sizeof *kept);
    if (!kept) return dlpi_no_memory(error, "the names of a corpus");
    dlp_index next = 0;
    for (dlp_index i = 0; i < n; i++)
        if (!keep || keep[i]) kept[next++] = name[i];
    *block = dlpi_names_copy(kept, next);
    free(kept);
    return *block ? DLP_OK : dlpi_no_memory(error, "the names of a corpus");
}

/* A new corpus with room for this many, and with the names that are kept (NULL: all). */
static dlp_status begin_part(const dlp_corpus *c, dlp_index D, dlp_index nnz,
                             const unsigned char *keep_document,
                             const unsigned char *keep_term, dlp_corpus **part,
                             dlp_error *error)
{
    *part = dlpi_corpus_alloc(D, nnz, error);
    if (!*part) return DLP_ENOMEM;
    DLP_TRY(keep_names(c->name, c->D, keep_document, &(*part)->name, error));
    DLP_TRY(keep_names(c->text, c->D, keep_document, &(*part)->text, error));
    if (c->origin) {
        const size_t size = strlen(c->origin) + 1;
        (*part)->origin = dlpi_calloc((dlp_index)size, 1);
        if (!(*part)->origin) return dlpi_no_memory(error, "a corpus");
        memcpy((*part)->origin, c->origin, size);
    }
    return keep_names(c->vocab, c->V, keep_term, &(*part)->vocab, error);
}

/* ---- documents ---- */

static void copy_documents(const dlp_corpus *c, const unsigned char *keep,
                           dlp_corpus *part)
{
    dlp_index next = 0;
    part->V = c->V;
    for (dlp_index d = 0; d < c->D; d++) {
        if (!keep[d]) continue;
        const dlp_index first = c->row[d], n = c->row[d + 1] - first;
        const dlp_index out = part->row[next];
        memcpy(part->term + out, c->term + first, (size_t)n * sizeof *c->term);
        memcpy(part->count + out, c->count + first, (size_t)n * sizeof *c->count);
        part->row[++next] = out + n;
    }
}

dlp_status dlp_corpus_select(const dlp_corpus *corpus, const unsigned char *keep,
                             dlp_corpus **selected, dlp_error *error)
{
    if (selected) *selected = NULL;
    if (!corpus || !keep || !selected)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_corpus_select: needs a corpus, what to keep, and room for "
                        "the result");
    dlp_index D = 0, nnz = 0;
    for (dlp_index d = 0; d < corpus->D; d++) {
        if (!keep[d]) continue;
        D++;
        nnz += corpus->row[d + 1] - corpus->row[d];
    }
    if (D == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "no document of %td is selected; a corpus needs one", corpus->D);
    dlp_status status = begin_part(corpus, D, nnz, keep, NULL, selected, error);
    if (status == DLP_OK) {
        copy_documents(corpus, keep, *selected);
        status = dlpi_corpus_canonicalise("the selected documents", *selected, error);
    }
    return dlpi_corpus_parse_end(status, selected);
}

/* ---- terms ---- */

/* How many documents have each term. */
static void count_documents(const dlp_corpus *c, dlp_index *documents)
{
    for (dlp_index i = 0; i < c->nnz; i++) documents[c->term[i]]++;
}

/* Gives terms that stay their new number, and others -1. Returns how many stay. */
static dlp_index number_terms(const dlp_corpus *c, const unsigned char *keep,
                              dlp_index *number)
{
    dlp_index next = 0;
    for (dlp_index v = 0; v < c->V; v++) number[v] = keep[v] ? next++ : -1;
    return next;
}

static void copy_terms(const dlp_corpus *c, const dlp_index *number, dlp_corpus *part)
{
    dlp_index out = 0;
    for (dlp_index d = 0; d < c->D; d++) {
        for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++) {
            if (number[c->term[i]] < 0) continue;
            part->term[out] = (int32_t)number[c->term[i]];
            part->count[out++] = c->count[i];
        }
        part->row[d + 1] = out;
    }
}

/* number has room for V numbers, all 0; keep for V bytes. */
static dlp_status prune(const dlp_corpus *c, dlp_index min_documents, double max_share,
                        dlp_index *number, unsigned char *keep, dlp_corpus **pruned,
                        dlp_error *error)
{
    const double most = max_share * (double)c->D;
    dlp_index nnz = 0;
    count_documents(c, number);
    for (dlp_index v = 0; v < c->V; v++) {
        keep[v] = number[v] >= min_documents && (double)number[v] <= most;
        if (keep[v]) nnz += number[v];
    }
    const dlp_index V = number_terms(c, keep, number);
    if (V == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "no term of %td occurs in at least %td documents and at most a "
                        "share of %g of them; loosen the limits",
                        c->V, min_documents, max_share);
    DLP_TRY(begin_part(c, c->D, nnz, NULL, keep, pruned, error));
    (*pruned)->V = V;
    copy_terms(c, number, *pruned);
    return dlpi_corpus_canonicalise("the pruned corpus", *pruned, error);
}

dlp_status dlp_corpus_prune(const dlp_corpus *corpus, dlp_index min_documents,
                            double max_share, dlp_corpus **pruned, dlp_error *error)
{
    if (pruned) *pruned = NULL;
    if (!corpus || !pruned || min_documents < 0 || !(max_share > 0 && max_share <= 1))
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_corpus_prune: needs a corpus, room for the result, "
                        "min_documents >= 0 and 0 < max_share <= 1");
    dlp_index *number = dlpi_calloc(corpus->V, sizeof *number);
    unsigned char *keep = dlpi_calloc(corpus->V, 1);
    const dlp_status status =
        number && keep
            ? prune(corpus, min_documents, max_share, number, keep, pruned, error)
            : dlpi_no_memory(error, "the terms of a corpus");
    free(number);
    free(keep);
    return dlpi_corpus_parse_end(status, pruned);
}
