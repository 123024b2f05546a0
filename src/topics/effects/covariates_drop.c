/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaves out documents that lack a value of their covariates. */
#include <delaplace/covariates.h>

#include "core/core.h"

#include <stdio.h>
#include <string.h>

/* Returns how many documents are not kept. */
static dlp_index choose(int n, dlp_document_covariates *const covariates[], dlp_index D,
                        unsigned char *keep)
{
    dlp_index dropped = 0;
    for (dlp_index d = 0; d < D; d++) {
        keep[d] = 1;
        for (int i = 0; i < n; i++)
            if (covariates[i]->known && !covariates[i]->known[d]) keep[d] = 0;
        dropped += !keep[d];
    }
    return dropped;
}

/* "1", "2", ... in one block, as a corpus has its names. */
static dlp_status number_documents(dlp_corpus *corpus, dlp_error *error)
{
    enum { ROOM = 24 };
    const size_t D = (size_t)corpus->D;
    char **name = malloc(D * (sizeof *name + ROOM));
    if (!name) return dlpi_no_memory(error, "leaving documents out");
    char *text = (char *)(name + D);
    for (size_t d = 0; d < D; d++) {
        name[d] = text + d * ROOM;
        snprintf(name[d], ROOM, "%zu", d + 1);
    }
    corpus->name = name;
    return DLP_OK;
}

static void keep_rows(dlp_document_covariates *c, const unsigned char *keep)
{
    const dlp_index p = c->p;
    dlp_index left = 0;
    for (dlp_index d = 0; d < c->D; d++) {
        if (!keep[d]) continue;
        memmove(c->X + left * p, c->X + d * p, (size_t)p * sizeof *c->X);
        c->row[left++] = c->row[d];
    }
    c->D = left;
    memset(c->known, 1, (size_t)left);
}

static dlp_status keep_documents(dlp_corpus **corpus, const unsigned char *keep,
                                 dlp_error *error)
{
    dlp_corpus *selected;
    if (!(*corpus)->name) DLP_TRY(number_documents(*corpus, error));
    DLP_TRY(dlp_corpus_select(*corpus, keep, &selected, error));
    dlp_corpus_free(*corpus);
    *corpus = selected;
    return DLP_OK;
}

dlp_status dlp_covariates_drop(int n, dlp_document_covariates *const covariates[],
                               dlp_corpus **corpus, dlp_index *dropped, dlp_error *error)
{
    unsigned char *keep = calloc((size_t)(*corpus)->D + 1, 1);
    if (!keep) return dlpi_no_memory(error, "leaving documents out");
    *dropped = choose(n, covariates, (*corpus)->D, keep);
    const bool some = *dropped > 0;
    const dlp_status status = some ? keep_documents(corpus, keep, error) : DLP_OK;
    for (int i = 0; some && status == DLP_OK && i < n; i++)
        if (covariates[i]->known) keep_rows(covariates[i], keep);
    for (int i = 0; i < n; i++) covariates[i]->dropped += *dropped;
    free(keep);
    return status;
}
