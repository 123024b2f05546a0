/* SPDX-License-Identifier: BSD-3-Clause */
/* A corpus by columns: counting sort by term, which keeps the documents in order. */
#include "corpus/transpose.h"
#include "corpus/corpus.h"

void dlpi_postings_free(dlpi_postings *postings)
{
    if (!postings) return;
    free(postings->row);
    free(postings->document);
    free(postings->count);
    free(postings);
}

static dlpi_postings *alloc_postings(const dlp_corpus *c)
{
    dlpi_postings *p = dlpi_calloc(1, sizeof *p);
    if (!p) return NULL;
    p->row = dlpi_calloc(c->V + 1, sizeof *p->row);
    p->document = dlpi_calloc(c->nnz, sizeof *p->document);
    p->count = dlpi_calloc(c->nnz, sizeof *p->count);
    if (p->row && p->document && p->count) return p;
    dlpi_postings_free(p);
    return NULL;
}

/* On the way, row[v] is where the next pair of term v goes, so it ends where term v + 1
   begins: one step to the right and it is the row of the header. */
static void fill_postings(const dlp_corpus *c, dlpi_postings *p)
{
    dlp_index *const row = p->row;
    for (dlp_index i = 0; i < c->nnz; i++) row[c->term[i] + 1]++;
    for (dlp_index v = 0; v < c->V; v++) row[v + 1] += row[v];
    for (dlp_index d = 0; d < c->D; d++)
        for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++) {
            const dlp_index place = row[c->term[i]]++;
            p->document[place] = (int32_t)d;
            p->count[place] = c->count[i];
        }
    for (dlp_index v = c->V; v > 0; v--) row[v] = row[v - 1];
    row[0] = 0;
}

dlp_status dlpi_corpus_transpose(const dlp_corpus *corpus, dlpi_postings **postings,
                                 dlp_error *error)
{
    if (postings) *postings = NULL;
    if (!corpus || !postings || corpus->D > INT32_MAX)
        return dlp_fail(error, DLP_EINVAL,
                        "dlpi_corpus_transpose: needs a corpus of at most 2147483647 "
                        "documents and room for its postings");
    dlpi_postings *p = alloc_postings(corpus);
    if (!p) return dlpi_no_memory(error, "the postings of a corpus");
    fill_postings(corpus, p);
    *postings = p;
    return DLP_OK;
}
