/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a dlpc file as its documents come. The number of pairs is not known before the
 * end, so counts and rows go into separate unnamed files, and are appended to the terms
 * once all documents have come.
 */
#include "core/core.h"
#include "core/file_begun.h"
#include "core/file_call.h"
#include "core/file_steps.h"
#include "corpus/companions.h"
#include "corpus/formats/dlpc.h"
#include "corpus/formats/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { TERMS, COUNTS, ROWS, PARTS, BUFFER = 1 << 20 };

/* A file, and what has not been written to it yet. */
typedef struct part {
    int fd; /* or -1 */
    size_t used;
    char *buffer; /* (BUFFER) */
} part;

struct dlp_corpus_writer {
    char *path, *temporary;
    dlpi_output_path place;
    part part[PARTS];
    dlpi_dlpc_header header;
    dlp_corpus named; /* without documents: V and vocab */
    int code;         /* what went wrong */
};

void dlp_corpus_writer_free(dlp_corpus_writer *w)
{
    if (!w) return;
    for (int i = 0; i < PARTS; i++) {
        if (w->part[i].fd >= 0) (void)close(w->part[i].fd);
        free(w->part[i].buffer);
    }
    dlpi_unstage(w->temporary);
    free(w->place.target);
    free(w->named.vocab);
    free(w->path);
    free(w);
}

static int flush(part *p)
{
    const int code = dlpi_write_all(p->fd, p->buffer, p->used);
    p->used = 0;
    return code;
}

static int put(part *p, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        const size_t room = BUFFER - p->used, n = size < room ? size : room;
        memcpy(p->buffer + p->used, at, n);
        p->used += n;
        at += n;
        size -= n;
        const int code = p->used == BUFFER ? flush(p) : 0;
        if (code) return code;
    }
    return 0;
}

/* The first part is the file itself; the others lose their names at once. */
static int begin_part(dlp_corpus_writer *w, int i)
{
    int code = 0;
    const mode_t mode = w->place.exists ? w->place.old.st_mode & 0777 : 0666;
    char *name = dlpi_create_beside(w->place.target, i == TERMS ? mode : 0600,
                                    &w->part[i].fd, &code);
    w->part[i].buffer = dlpi_calloc(BUFFER, 1);
    if (i == TERMS)
        w->temporary = name;
    else
        dlpi_unstage(name);
    return !name ? code : w->part[i].buffer ? 0 : ENOMEM;
}

static int begin(dlp_corpus_writer *w)
{
    int code = dlpi_find_place(w->path, &w->place);
    if (!code && !w->place.target) code = ESPIPE;
    if (!code && w->place.exists &&
        faccessat(AT_FDCWD, w->place.target, W_OK, AT_EACCESS) != 0)
        code = errno;
    for (int i = 0; i < PARTS && !code; i++) code = begin_part(w, i);
    if (code) return code;
    const dlp_index zero = 0;
    w->header.pairs = DLPI_DLPC_BEGIN;
    w->header.rows = dlpi_dlpc_hash_rows(DLPI_DLPC_BEGIN, 1, &zero);
    code = put(&w->part[TERMS], &w->header, sizeof w->header);
    return code ? code : put(&w->part[ROWS], &zero, sizeof zero);
}

dlp_status dlp_corpus_writer_open(const char *path, dlp_index V, char *const *vocab,
                                  dlp_corpus_writer **writer, dlp_error *error)
{
    *writer = NULL;
    if (!path || !*path || V < 0 || V > INT32_MAX)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_corpus_writer_open: needs a path, and V from 0 to "
                        "2147483647");
    dlp_corpus_writer *w = dlpi_calloc(1, sizeof *w);
    if (!w) return dlpi_no_memory(error, "a corpus");
    for (int i = 0; i < PARTS; i++) w->part[i].fd = -1;
    w->path = strdup(path);
    w->named.V = w->header.V = V;
    if (vocab) w->named.vocab = dlpi_names_copy((const char *const *)vocab, V);
    dlp_status status = w->path && (!vocab || w->named.vocab)
                            ? dlpi_corpus_plan_companions(&w->named, path, error)
                            : dlpi_no_memory(error, "a corpus");
    if (status == DLP_OK) status = dlpi_file_report(path, begin(w), error);
    if (status != DLP_OK) {
        dlp_corpus_writer_free(w);
        return status;
    }
    *writer = w;
    return DLP_OK;
}

/* Adds documents from..to-1, whose rows continue those before. */
static int add(dlp_corpus_writer *w, const dlp_corpus *c, dlp_index from, dlp_index to)
{
    dlpi_dlpc_header *h = &w->header;
    const dlp_index first = c->row[from], n = c->row[to] - first;
    const size_t size = (size_t)n * sizeof *c->term;
    int code = put(&w->part[TERMS], c->term + first, size);
    if (!code) code = put(&w->part[COUNTS], c->count + first, size);
    for (dlp_index d = from; d < to && !code; d++) {
        const dlp_index row = h->nnz + c->row[d + 1] - first;
        h->rows = dlpi_dlpc_hash_rows(h->rows, 1, &row);
        code = put(&w->part[ROWS], &row, sizeof row);
    }
    h->pairs = dlpi_dlpc_hash_pairs(h->pairs, n, c->term + first, c->count + first);
    h->nnz += n;
    return code;
}

dlp_status dlp_corpus_writer_add(dlp_corpus_writer *w, const dlp_corpus *c,
                                 dlp_error *error)
{
    DLP_TRY(dlp_corpus_check(c, error));
    if (c->V > w->header.V)
        return dlp_fail(error, DLP_EINVAL,
                        "documents over %td terms are added to a corpus of %td", c->V,
                        (dlp_index)w->header.V);
    if (c->words > INT64_MAX - INT32_MAX - w->header.words)
        return dlp_fail(error, DLP_EINPUT, "%s: there are too many words", w->path);
    dlpi_file_call("writing", w->path);
    for (dlp_index from = 0, to; from < c->D && !w->code; from = to) {
        to = dlpi_corpus_stretch(c, from);
        w->code = add(w, c, from, to);
        dlpi_corpus_leave(c, from, to);
    }
    dlpi_file_called();
    w->header.D += c->D;
    w->header.words += c->words;
    DLP_TRY(dlpi_corpus_unchanged(c, error));
    return dlpi_file_report(w->path, w->code, error);
}

/* Appends an unnamed part to the terms. */
static int append(part *from, part *to)
{
    int code = flush(from);
    if (!code && lseek(from->fd, 0, SEEK_SET) != 0) code = errno;
    while (!code) {
        const ssize_t got = read(from->fd, from->buffer, BUFFER);
        if (got == 0) return 0;
        if (got < 0 && errno != EINTR) return errno;
        if (got > 0) code = dlpi_write_all(to->fd, from->buffer, (size_t)got);
    }
    return code;
}

static int end(dlp_corpus_writer *w)
{
    part *file = &w->part[TERMS];
    int code = w->code ? w->code : flush(file);
    for (int i = COUNTS; i < PARTS && !code; i++) code = append(&w->part[i], file);
    dlpi_dlpc_finish(&w->header);
    if (!code && lseek(file->fd, 0, SEEK_SET) != 0) code = errno;
    if (!code)
        code = dlpi_write_all(file->fd, (const char *)&w->header, sizeof w->header);
    if (!code) code = dlpi_sync(file->fd);
    const int fd = file->fd;
    file->fd = -1;
    return dlpi_close_after(fd, code);
}

static dlp_status give(dlp_corpus_writer *w, dlp_file_set *set, dlp_error *error)
{
    DLP_TRY(dlpi_file_set_take(set, w->path, w->path, w->temporary, error));
    w->temporary = NULL;
    return dlpi_corpus_put_companions(&w->named, w->path, set, error);
}

dlp_status dlp_corpus_writer_finish(dlp_corpus_writer *w, dlp_file_set *files,
                                    dlp_error *error)
{
    dlp_file_set *own = NULL;
    if (!w->temporary || w->header.D < 1)
        return dlp_fail(error, DLP_EINPUT, "%s: the corpus has no documents", w->path);
    dlpi_file_call("writing", w->path);
    const int code = end(w);
    dlpi_file_called();
    DLP_TRY(dlpi_file_report(w->path, code, error));
    if (files) return give(w, files, error);
    DLP_TRY(dlp_file_set_alloc(&own, error));
    dlp_status status = give(w, own, error);
    if (status == DLP_OK) status = dlp_file_set_commit(own, error);
    dlp_file_set_free(own);
    return status;
}
