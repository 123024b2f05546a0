/* SPDX-License-Identifier: BSD-3-Clause */
#include "corpus/formats/mapped.h"

#include "core/core.h"
#include "core/scratch.h"

dlp_corpus *dlpi_corpus_alloc_mapped(struct dlpi_mapping *mapping)
{
    dlp_corpus *c = dlpi_calloc(1, sizeof *c);
    if (c) c->file = dlpi_calloc(1, sizeof *c->file);
    if (!c || !c->file) {
        free(c);
        return NULL;
    }
    c->file->mapping = *mapping;
    *mapping = (struct dlpi_mapping){0};
    return c;
}

dlp_index dlpi_corpus_stretch(const dlp_corpus *c, dlp_index from)
{
    const dlp_index most = (dlp_index)16 * DLPI_CORPUS_STRETCH;
    dlp_index to = c->D - from < DLPI_CORPUS_STRETCH ? c->D : from + DLPI_CORPUS_STRETCH;
    while (to > from + 1 && c->row[to] - c->row[from] > most) to = from + (to - from) / 2;
    return to;
}

void dlpi_corpus_leave(const dlp_corpus *c, dlp_index from, dlp_index to)
{
    if (!c->file || c->file->owned) return;
    const dlp_index first = c->row[from], end = c->row[to];
    dlpi_pages_release(c->term + first, c->term + end);
    dlpi_pages_release(c->count + first, c->count + end);
    dlpi_corpus_leave_rows(c, from, to);
}

void dlpi_corpus_leave_rows(const dlp_corpus *c, dlp_index from, dlp_index to)
{
    if (c->file && !c->file->owned && !c->file->row)
        dlpi_pages_release(c->row + from, c->row + to);
}

dlp_status dlpi_corpus_unchanged(const dlp_corpus *c, dlp_error *error)
{
    return c->file ? dlpi_mapping_check(&c->file->mapping, error) : DLP_OK;
}

dlp_status dlpi_corpus_own(dlp_corpus *c, dlp_error *error)
{
    if (!c->file || c->file->owned) return DLP_OK;
    if (!dlpi_mapping_own(&c->file->mapping))
        return dlpi_no_memory(error, "the terms of a corpus in another order");
    c->file->owned = true;
    return DLP_OK;
}
