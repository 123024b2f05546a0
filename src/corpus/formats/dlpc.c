/* SPDX-License-Identifier: BSD-3-Clause */
#include "corpus/formats/dlpc.h"

#include "core/core.h"
#include "corpus/formats/mapped.h"

#include <inttypes.h>
#include <string.h>

_Static_assert(sizeof(dlpi_dlpc_header) == 128, "as docs/corpus-formats.md has it");
_Static_assert(sizeof(dlp_index) == 8, "rows are mapped as they are");

static const char advice[] = "convert the corpus it was made from again";

/* FNV-1a over numbers of 8 bytes, with their upper half mixed in. */
static uint64_t mix(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * 0x100000001b3;
    return hash ^ hash >> 32;
}

uint64_t dlpi_dlpc_hash_pairs(uint64_t hash, dlp_index n, const int32_t *term,
                              const int32_t *count)
{
    for (dlp_index i = 0; i < n; i++)
        hash = mix(hash, (uint64_t)(uint32_t)count[i] << 32 | (uint32_t)term[i]);
    return hash;
}

uint64_t dlpi_dlpc_hash_rows(uint64_t hash, dlp_index n, const dlp_index *row)
{
    for (dlp_index i = 0; i < n; i++) hash = mix(hash, (uint64_t)row[i]);
    return hash;
}

static uint64_t hash_head(const dlpi_dlpc_header *header)
{
    uint64_t number[sizeof *header / 8], hash = DLPI_DLPC_BEGIN;
    memcpy(number, header, sizeof *header);
    for (size_t i = 0; i + 1 < sizeof *header / 8; i++) hash = mix(hash, number[i]);
    return hash;
}

void dlpi_dlpc_finish(dlpi_dlpc_header *header)
{
    memcpy(header->magic, DLPI_DLPC_MAGIC, sizeof header->magic);
    header->version = 1;
    header->head = hash_head(header);
}

dlpi_dlpc_header dlpi_dlpc_header_of(const dlp_corpus *c)
{
    dlpi_dlpc_header header = {.D = c->D, .V = c->V, .nnz = c->nnz, .words = c->words};
    header.pairs = header.rows = DLPI_DLPC_BEGIN;
    for (dlp_index from = 0, to; from < c->D; from = to) {
        to = dlpi_corpus_stretch(c, from);
        const dlp_index first = c->row[from], n = c->row[to] - first;
        header.pairs =
            dlpi_dlpc_hash_pairs(header.pairs, n, c->term + first, c->count + first);
        header.rows = dlpi_dlpc_hash_rows(header.rows, to - from, c->row + from);
        dlpi_corpus_leave(c, from, to);
    }
    header.rows = dlpi_dlpc_hash_rows(header.rows, 1, c->row + c->D);
    dlpi_dlpc_finish(&header);
    return header;
}

/* ---- reading ---- */

bool dlpi_looks_like_dlpc(const char *text, size_t size)
{
    const size_t length = sizeof DLPI_DLPC_MAGIC - 1;
    return size >= length && memcmp(text, DLPI_DLPC_MAGIC, length) == 0;
}

static dlp_status damaged(const char *name, const char *why, dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT, "%s: this dlpc corpus is damaged: %s; %s", name,
                    why, advice);
}

/* Sizes first: they are compared with the actual number of bytes before any is
   believed. */
static dlp_status check_header(const char *name, const dlpi_dlpc_header *h, size_t size,
                               dlp_error *error)
{
    if (h->version != 1)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: is of version %" PRId64
                        ", or of a machine with another byte "
                        "order; this is version 1: %s",
                        name, h->version, advice);
    if (h->head != hash_head(h))
        return damaged(name, "its first bytes were changed", error);
    const uint64_t rest = size - sizeof *h;
    if (h->D < 1 || h->V < 0 || h->V > INT32_MAX || h->nnz < 0 || h->words < h->nnz ||
        h->words > INT64_MAX - INT32_MAX || (uint64_t)h->D >= rest / 8 ||
        (uint64_t)h->nnz > rest / 8 ||
        8 * (uint64_t)h->nnz + 8 * ((uint64_t)h->D + 1) != rest)
        return damaged(name, "it does not have as many bytes as it says", error);
    for (int i = 0; i < 6; i++)
        if (h->reserved[i] != 0)
            return damaged(name, "it has something that version 1 does not know", error);
    if (h->V > dlpi_corpus_most_terms(h->nnz))
        return dlp_fail(error, DLP_EINPUT,
                        "%s: has %" PRId64 " terms but only %" PRId64
                        " pairs of term and count, which may have %td terms",
                        name, h->V, h->nnz, dlpi_corpus_most_terms(h->nnz));
    return DLP_OK;
}

/* The corpus that the bytes of a checked header hold, without copying them. */
static void point(const dlpi_dlpc_header *h, const char *bytes, dlp_corpus *c)
{
    c->D = h->D;
    c->V = h->V;
    c->nnz = h->nnz;
    c->words = h->words;
    c->term = (int32_t *)(bytes + sizeof *h);
    c->count = c->term + h->nnz;
    c->row = (dlp_index *)(c->count + h->nnz);
}

static dlp_status check_checksums(const char *name, const dlpi_dlpc_header *h,
                                  uint64_t pairs, uint64_t rows, dlp_index words,
                                  dlp_error *error)
{
    if (pairs != h->pairs || rows != h->rows)
        return damaged(name, "its checksum is that of other documents", error);
    if (words != h->words) return damaged(name, "it has fewer words than it says", error);
    return DLP_OK;
}

/* Documents from..to-1, whose rows are sound. */
static dlp_status check_pairs(const char *name, const dlp_corpus *c, dlp_index from,
                              dlp_index to, dlp_index *words, dlp_error *error)
{
    for (dlp_index d = from; d < to; d++) {
        int32_t last = -1;
        for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++) {
            if (c->term[i] <= last || c->term[i] >= c->V || c->count[i] < 1)
                return damaged(name, "terms do not ascend, or counts are not positive",
                               error);
            last = c->term[i];
            *words += c->count[i];
            if (*words > c->words)
                return damaged(name, "it has more words than it says", error);
        }
    }
    return DLP_OK;
}

static dlp_status check_rows(const char *name, const dlp_corpus *c, dlp_index from,
                             dlp_index to, dlp_error *error)
{
    for (dlp_index d = from; d < to; d++)
        if (c->row[d] < 0 || c->row[d] > c->row[d + 1] || c->row[d + 1] > c->nnz)
            return damaged(name, "its documents do not follow each other", error);
    return DLP_OK;
}

/* A stretch of documents at a time: no more of a mapping is in memory. */
static dlp_status check_documents(const char *name, const dlpi_dlpc_header *h,
                                  const dlp_corpus *c, struct dlpi_progress *progress,
                                  dlp_error *error)
{
    uint64_t pairs = DLPI_DLPC_BEGIN, rows = DLPI_DLPC_BEGIN;
    dlp_index words = 0;
    if (c->row[0] != 0 || c->row[c->D] != c->nnz)
        return damaged(name, "its documents are not those of its pairs", error);
    for (dlp_index from = 0, to; from < c->D; from = to) {
        const dlp_index rest = c->D - from;
        DLP_TRY(check_rows(name, c, from,
                           rest < DLPI_CORPUS_STRETCH ? c->D : from + DLPI_CORPUS_STRETCH,
                           error));
        to = dlpi_corpus_stretch(c, from);
        const dlp_index first = c->row[from], n = c->row[to] - first;
        pairs = dlpi_dlpc_hash_pairs(pairs, n, c->term + first, c->count + first);
        rows = dlpi_dlpc_hash_rows(rows, to - from, c->row + from);
        DLP_TRY(check_pairs(name, c, from, to, &words, error));
        dlpi_corpus_leave(c, from, to);
        DLP_TRY(dlpi_progress_tell(progress, 8 * (size_t)(first + n), error));
    }
    rows = dlpi_dlpc_hash_rows(rows, 1, c->row + c->D);
    return check_checksums(name, h, pairs, rows, words, error);
}

/* Bytes in memory are copied: they belong to the caller and may not be aligned. */
static dlp_status copy(const char *name, const dlpi_dlpc_header *h, const char *bytes,
                       dlp_corpus **corpus, dlp_error *error)
{
    dlp_corpus *c = *corpus = dlpi_corpus_alloc(h->D, h->nnz, error);
    if (!c) return DLP_ENOMEM;
    const size_t pairs = (size_t)h->nnz * sizeof *c->term;
    c->V = h->V;
    c->words = h->words;
    memcpy(c->term, bytes + sizeof *h, pairs);
    memcpy(c->count, bytes + sizeof *h + pairs, pairs);
    memcpy(c->row, bytes + sizeof *h + 2 * pairs, (size_t)(h->D + 1) * sizeof *c->row);
    return check_documents(name, h, c, NULL, error);
}

static dlp_status read_header(const char *name, const char *bytes, size_t size,
                              dlpi_dlpc_header *h, dlp_error *error)
{
    if (!dlpi_looks_like_dlpc(bytes, size))
        return dlpi_advise(
            error, DLP_REMEDY_CONVERT_CORPUS,
            dlp_fail(error, DLP_EINPUT, "%s: is not a dlpc corpus; convert it", name));
    if (size < sizeof *h + 16) return damaged(name, "it was cut off", error);
    memcpy(h, bytes, sizeof *h);
    return check_header(name, h, size, error);
}

dlp_status dlpi_corpus_parse_dlpc(struct dlpi_scan s, dlp_corpus **corpus,
                                  dlp_error *error)
{
    dlpi_dlpc_header h;
    DLP_TRY(read_header(s.name, s.at, (size_t)(s.end - s.at), &h, error));
    return copy(s.name, &h, s.at, corpus, error);
}

/* The corpus owns the mapping from the start, so that it is closed with it. */
static dlp_status take(const char *name, const struct dlpi_mapping *mapping,
                       struct dlpi_progress *progress, dlp_corpus *c, dlp_error *error)
{
    dlpi_dlpc_header h;
    DLP_TRY(read_header(name, mapping->data, mapping->size, &h, error));
    point(&h, mapping->data, c);
    dlpi_progress_step(progress, 1, mapping->size);
    return check_documents(name, &h, c, progress, error);
}

bool dlpi_dlpc_take(const char *name, struct dlpi_mapping *mapping,
                    struct dlpi_progress *progress, dlp_corpus **corpus,
                    dlp_status *status, dlp_error *error)
{
    if (!dlpi_looks_like_dlpc(mapping->data, mapping->size)) return false;
    const struct dlpi_mapping whole = *mapping;
    dlp_corpus *c = *corpus = dlpi_corpus_alloc_mapped(mapping);
    *status =
        c ? take(name, &whole, progress, c, error) : dlpi_no_memory_to_read(error, name);
    return true;
}

/* ---- a part of it ---- */

/* The places of documents first..to-1 among the part's own pairs. */
static dlp_status take_rows(const char *name, const dlp_corpus *whole, dlp_index first,
                            dlp_index to, dlp_corpus *c, dlp_error *error)
{
    const dlp_index before = whole->row[first], n = to - first;
    DLP_TRY(check_rows(name, whole, first, to, error));
    c->row = c->file->row = dlpi_calloc(n + 1, sizeof *c->row);
    if (!c->row) return dlpi_no_memory_to_read(error, name);
    for (dlp_index d = 0; d <= n; d++) c->row[d] = whole->row[first + d] - before;
    c->D = n;
    c->V = whole->V;
    c->nnz = c->row[n];
    c->term = whole->term + before;
    c->count = whole->count + before;
    return DLP_OK;
}

static dlp_status take_part(const char *name, const dlpi_dlpc_header *header,
                            dlp_index first, dlp_index to, dlp_corpus *c,
                            dlp_error *error)
{
    const struct dlpi_mapping *mapping = &c->file->mapping;
    dlp_corpus whole = {.D = 0};
    dlpi_dlpc_header h;
    DLP_TRY(read_header(name, mapping->data, mapping->size, &h, error));
    if (memcmp(&h, header, sizeof h) != 0)
        return dlp_fail(
            error, DLP_EIO,
            "%s: this process finds another corpus there than process 0 does; make "
            "sure that all see the same file and that nothing writes to it",
            name);
    point(&h, mapping->data, &whole);
    DLP_TRY(take_rows(name, &whole, first, to, c, error));
    c->words = h.words; /* the most there may be */
    dlp_index words = 0;
    for (dlp_index from = 0, end; from < c->D; from = end) {
        end = dlpi_corpus_stretch(c, from);
        DLP_TRY(check_pairs(name, c, from, end, &words, error));
        dlpi_corpus_leave(c, from, end);
    }
    c->words = words;
    return DLP_OK;
}

dlp_status dlpi_dlpc_open_part(const char *path, const dlpi_dlpc_header *header,
                               dlp_index first, dlp_index to, dlp_corpus **corpus,
                               dlp_error *error)
{
    struct dlpi_mapping mapping;
    *corpus = NULL;
    if (!dlpi_mapping_open(path, &mapping))
        return dlp_fail(
            error, DLP_EIO,
            "%s: this process cannot map it, but process 0 can; all processes "
            "must see the same file",
            path);
    dlp_corpus *c = dlpi_corpus_alloc_mapped(&mapping);
    if (!c) {
        dlpi_mapping_close(&mapping);
        return dlpi_no_memory_to_read(error, path);
    }
    const dlp_status status = take_part(path, header, first, to, c, error);
    if (status == DLP_OK)
        *corpus = c;
    else
        dlp_corpus_free(c);
    return status;
}

/* ---- writing ---- */

dlp_status dlpi_corpus_put_dlpc(const dlp_corpus *c, struct dlpi_output *out,
                                dlp_error *error)
{
    const dlpi_dlpc_header header = dlpi_dlpc_header_of(c);
    const size_t pairs = (size_t)c->nnz * sizeof *c->term;
    (void)error;
    dlpi_put(out, (const char *)&header, sizeof header);
    dlpi_put(out, (const char *)c->term, pairs);
    dlpi_put(out, (const char *)c->count, pairs);
    dlpi_put(out, (const char *)c->row, (size_t)(c->D + 1) * sizeof *c->row);
    return DLP_OK;
}

void dlpi_dlpc_seal(char *bytes, size_t size)
{
    dlpi_dlpc_header h;
    if (size < sizeof h) return;
    memcpy(&h, bytes, sizeof h);
    const uint64_t rest = (size - sizeof h) / 8;
    if (h.nnz >= 0 && h.D >= 0 && (uint64_t)h.nnz < rest && (uint64_t)h.D < rest &&
        (uint64_t)h.nnz + (uint64_t)h.D + 1 == rest) {
        dlp_corpus c = {.D = 0};
        char *copied = dlpi_calloc((dlp_index)size, 1);
        if (!copied) return;
        memcpy(copied, bytes, size);
        point(&h, copied, &c);
        h.pairs = dlpi_dlpc_hash_pairs(DLPI_DLPC_BEGIN, c.nnz, c.term, c.count);
        h.rows = dlpi_dlpc_hash_rows(DLPI_DLPC_BEGIN, c.D + 1, c.row);
        free(copied);
    }
    dlpi_dlpc_finish(&h);
    memcpy(bytes, &h, sizeof h);
}
