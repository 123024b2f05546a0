/* SPDX-License-Identifier: BSD-3-Clause */
#include "corpus/formats/lines.h"

#include "core/core.h"
#include "core/file_call.h"
#include "core/file_journal.h"
#include "corpus/formats/dlpc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct dlpi_corpus_part dlpi_corpus_part_of(const dlp_corpus *c, dlp_index first,
                                            dlp_index to)
{
    struct dlpi_corpus_part part = {.first = first,
                                    .documents = to - first,
                                    .pairs = c->row[to] - c->row[first],
                                    .checksum = DLPI_DLPC_BEGIN,
                                    .terms = c->V};
    for (dlp_index d = first; d < to; d++) {
        const dlp_index at = c->row[d], n = c->row[d + 1] - at;
        for (dlp_index i = 0; i < n; i++) part.words += c->count[at + i];
        part.checksum = dlpi_dlpc_hash_rows(part.checksum, 1, &n);
        part.checksum =
            dlpi_dlpc_hash_pairs(part.checksum, n, c->term + at, c->count + at);
    }
    return part;
}

/* ---- where the parts are ---- */

/* Whether the file itself is the text: not compressed, not about to be replaced. */
static bool is_plain(const char *path)
{
    struct stat st;
    char head[16];
    if (!strcmp(path, "-") || stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    char *pending = dlpi_file_pending(path, path);
    const bool settled = pending && !strcmp(pending, path);
    free(pending);
    FILE *file = settled ? dlpi_file_stream(path) : NULL;
    if (!file) return false;
    const size_t size = dlpi_file_read(path, file, head, sizeof head);
    const struct dlpi_bytes bytes = {.data = head, .size = size};
    (void)fclose(file);
    return size > 0 && !dlpi_is_compressed(&bytes);
}

/* The next line of a file, which may hang; its length, or 0 at the end. */
static size_t next_line(FILE *file, char **text, size_t *room)
{
    const ssize_t length = getline(text, room, file);
    dlpi_file_call_again();
    return length > 0 ? (size_t)length : 0;
}

/* How many of n parts begin before the document, or with it. */
static int parts_begun(const struct dlpi_corpus_part *part, int n, int begun,
                       int64_t document)
{
    while (begun < n && part[begun].first <= document) begun++;
    return begun;
}

/* False where a line belongs to a document before that of the line before it. */
static bool find_beginnings(FILE *file, const struct dlpi_corpus_lines *lines, int n,
                            struct dlpi_corpus_part *part)
{
    struct dlpi_line_state state = {.document = -1};
    char *text = NULL;
    size_t room = 0, length;
    int64_t byte = 0, last = -1;
    bool ordered = true;
    int begun = 0;
    for (; ordered && (length = next_line(file, &text, &room)) > 0; state.line++) {
        if (lines->is_of_document(dlpi_scan_start("", text, length), &state)) {
            const int now = parts_begun(part, n, begun, state.document);
            for (; begun < now; begun++) part[begun].from = byte;
            ordered = state.document >= last;
            last = state.document;
        }
        byte += (int64_t)length;
    }
    free(text);
    for (; begun < n; begun++) part[begun].from = byte;
    for (int i = 0; i < n; i++) {
        part[i].to = i + 1 < n ? part[i + 1].from : byte;
        part[i].style = state.style;
    }
    return ordered && feof(file) && !ferror(file);
}

bool dlpi_corpus_find_parts(const char *path, const struct dlpi_corpus_format *format,
                            int n, struct dlpi_corpus_part *part)
{
    FILE *file = format->lines && is_plain(path) ? dlpi_file_stream(path) : NULL;
    if (!file) return false;
    dlpi_file_call("reading", path);
    const bool found = find_beginnings(file, format->lines, n, part);
    dlpi_file_called();
    (void)fclose(file);
    return found;
}

/* ---- one of them ---- */

static dlp_status fail_other(const char *path, dlp_error *error)
{
    return dlp_fail(error, DLP_EIO,
                    "%s: this process finds other documents in it than process 0 does; "
                    "make sure that all see the same file and that nothing writes to it",
                    path);
}

/* Reads as much of the text as there is; its size, or -1 after a failure. */
static int64_t read_up_to(int fd, const char *path, char *text, int64_t size)
{
    enum { AT_ONCE = 1 << 24 };
    int64_t got = 0;
    while (got < size) {
        const int64_t left = size - got;
        dlpi_file_call("reading", path);
        const ssize_t more = read(fd, text + got, left < AT_ONCE ? left : AT_ONCE);
        dlpi_file_called();
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) return more < 0 ? -1 : got;
        got += more;
    }
    return got;
}

static dlp_status read_bytes(const char *path, const struct dlpi_corpus_part *part,
                             char *text, dlp_error *error)
{
    const int64_t size = part->to - part->from;
    const int fd = dlpi_file_open(path, O_RDONLY);
    int64_t got = -1;
    if (fd >= 0 && lseek(fd, part->from, SEEK_SET) == part->from)
        got = read_up_to(fd, path, text, size);
    const int code = errno;
    if (fd >= 0) (void)close(fd);
    if (got < 0)
        return dlp_fail(error, DLP_EIO,
                        "%s: cannot read it: %s; all processes must see the same file",
                        path, strerror(code));
    return got == size ? DLP_OK : fail_other(path, error);
}

static dlp_status parse(const char *path, const struct dlpi_corpus_format *format,
                        const struct dlpi_corpus_part *part, const char *text,
                        dlp_corpus **corpus, dlp_error *error)
{
    const struct dlpi_scan s =
        dlpi_scan_start(path, text, (size_t)(part->to - part->from));
    DLP_TRY(format->lines->parse_part(s, part, corpus, error));
    dlp_corpus *c = *corpus;
    const struct dlpi_corpus_part found = dlpi_corpus_part_of(c, 0, c->D);
    if (found.documents != part->documents || found.checksum != part->checksum ||
        found.terms > part->terms)
        return fail_other(path, error);
    c->V = (dlp_index)part->terms;
    return DLP_OK;
}

dlp_status dlpi_corpus_read_part(const char *path,
                                 const struct dlpi_corpus_format *format,
                                 const struct dlpi_corpus_part *part, dlp_corpus **corpus,
                                 dlp_error *error)
{
    *corpus = NULL;
    char *text = dlpi_calloc((dlp_index)(part->to - part->from), 1);
    if (!text) return dlpi_no_memory(error, "the documents of this process");
    dlp_status status = read_bytes(path, part, text, error);
    if (status == DLP_OK) status = parse(path, format, part, text, corpus, error);
    free(text);
    return dlpi_corpus_parse_end(status, corpus);
}
