/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which documents of a corpus a process has. Process 0 reads the whole file. If that is
 * plain LDA-C, one document per line, it tells the others where their lines are, and they
 * read only those; if it is mapped, they map only their documents. Otherwise it sends them
 * their documents.
 */
#include "core/core.h"
#include "core/file_journal.h"
#include "corpus/corpus.h"
#include "corpus/formats/dlpc.h"
#include "corpus/formats/format.h"
#include "corpus/formats/mapped.h"
#include "topics/ctm/ctm_fit.h"

#include <delaplace/processes.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static dlp_index blocks_of(dlp_index D)
{
    return (D + DLPI_CTM_BLOCK - 1) / DLPI_CTM_BLOCK;
}

/* At least two blocks per part: a part costs the time and memory of its sums. But from
   this many documents on there are two parts, for two processes. */
enum { ENOUGH = 1024 };

dlp_index dlpi_ctm_parts(dlp_index D)
{
    const dlp_index parts = dlpi_tree_parts(blocks_of(D) / 2);
    return parts == 1 && D >= ENOUGH ? 2 : parts;
}

dlp_index dlpi_ctm_part_begins(dlp_index D, dlp_index parts, dlp_index part)
{
    const dlp_index blocks = blocks_of(D), first = blocks * part / parts * DLPI_CTM_BLOCK;
    if (blocks < 2 * parts) return D * part / parts;
    return first < D ? first : D;
}

dlp_index dlpi_ctm_rank_begins(dlp_index D, int rank, int size)
{
    const dlp_index parts = dlpi_ctm_parts(D);
    return dlpi_ctm_part_begins(D, parts, dlpi_tree_begins(parts, rank, size));
}

dlp_status dlpi_ctm_select(const dlp_corpus *corpus, dlp_index first, dlp_index to,
                           dlp_corpus **own, dlp_error *error)
{
    if (first == to) { /* with more processes than parts, some have none */
        *own = dlpi_corpus_alloc(0, 0, error);
        if (*own) (*own)->V = corpus->V;
        return *own ? DLP_OK : DLP_ENOMEM;
    }
    unsigned char *keep = dlpi_calloc(corpus->D, 1);
    if (!keep) return dlpi_no_memory(error, "the documents of this process");
    memset(keep + first, 1, (size_t)(to - first));
    const dlp_status status = dlp_corpus_select(corpus, keep, own, error);
    free(keep);
    return status;
}

dlp_status dlp_topics_share_corpus(dlp_processes *processes, dlp_corpus **corpus,
                                   dlp_error *error)
{
    const int rank = dlp_processes_rank(processes), size = dlp_processes_size(processes);
    dlp_corpus *own;
    if (rank == 0) return DLP_OK;
    if (!*corpus)
        return dlp_fail(error, DLP_EINVAL, "this process has no documents to share");
    const dlp_index D = (*corpus)->D;
    DLP_TRY(dlpi_ctm_select(*corpus, dlpi_ctm_rank_begins(D, rank, size),
                            dlpi_ctm_rank_begins(D, rank + 1, size), &own, error));
    dlp_corpus_free(*corpus);
    *corpus = own;
    return DLP_OK;
}

/* ---- lines of a file ---- */

/* The lines of a process, and what it must find there. */
typedef struct lines {
    int64_t from, to; /* bytes */
    int64_t documents, words;
} lines;

/* Whether documents are lines of the file itself: plain LDA-C, not compressed. */
static bool is_plain(const char *path, const char *format)
{
    struct stat st;
    char head[1 << 12];
    if (!strcmp(path, "-") || stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    if (format && strcmp(format, "ldac") != 0) return false;
    char *pending = dlpi_file_pending(path, path);
    const bool settled = pending && !strcmp(pending, path);
    free(pending);
    FILE *file = settled ? fopen(path, "rb") : NULL;
    if (!file) return false;
    const struct dlpi_bytes bytes = {.data = head,
                                     .size = fread(head, 1, sizeof head, file)};
    fclose(file);
    return bytes.size > 0 && !dlpi_is_compressed(&bytes) &&
           (format ||
            !strcmp(dlpi_corpus_format_of_text(bytes.data, bytes.size)->name, "ldac"));
}

/* Finds the bytes where the lines of each process begin; false: there are too few
   lines. */
static bool find_lines(FILE *file, const dlp_corpus *c, int size, lines *found)
{
    enum { STEP = 1 << 16 };
    char buffer[STEP];
    size_t got;
    int64_t byte = 0, line = 0;
    int rank = 0;
    for (; rank < size && dlpi_ctm_rank_begins(c->D, rank, size) == 0; rank++)
        found[rank].from = 0;
    while (rank < size && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
        for (size_t i = 0; i < got; i++, byte++) {
            if (buffer[i] != '\n') continue;
            line++;
            for (; rank < size && dlpi_ctm_rank_begins(c->D, rank, size) == line; rank++)
                found[rank].from = byte + 1;
        }
    if (fseek(file, 0, SEEK_END) != 0) return false;
    for (; rank < size && line + 1 >= c->D; rank++) found[rank].from = ftell(file);
    for (int r = 0; r < rank; r++)
        found[r].to = r + 1 < size ? found[r + 1].from : ftell(file);
    return rank == size;
}

static void count_words(const dlp_corpus *c, int size, lines *found)
{
    for (int rank = 0; rank < size; rank++) {
        const dlp_index first = dlpi_ctm_rank_begins(c->D, rank, size),
                        to = dlpi_ctm_rank_begins(c->D, rank + 1, size);
        found[rank].documents = to - first;
        found[rank].words = 0;
        for (dlp_index i = c->row[first]; i < c->row[to]; i++)
            found[rank].words += c->count[i];
    }
}

static bool find_all(const char *path, const char *format, const dlp_corpus *c, int size,
                     lines *found)
{
    FILE *file = is_plain(path, format) ? fopen(path, "rb") : NULL;
    if (!file) return false;
    const bool good = find_lines(file, c, size, found);
    fclose(file);
    if (good) count_words(c, size, found);
    return good;
}

static dlp_status read_bytes(const char *path, const lines *own, char *text,
                             dlp_error *error)
{
    FILE *file = fopen(path, "rb");
    const size_t size = (size_t)(own->to - own->from);
    bool good = file && fseek(file, (long)own->from, SEEK_SET) == 0;
    good = good && fread(text, 1, size, file) == size;
    const int code = errno;
    if (file) fclose(file);
    if (good) return DLP_OK;
    return dlp_fail(error, DLP_EIO,
                    "%s: cannot read it: %s; all processes must see the same file", path,
                    strerror(code));
}

static dlp_status parse(const char *path, const lines *own, dlp_index V, const char *text,
                        dlp_corpus **corpus, dlp_error *error)
{
    DLP_TRY(
        dlp_corpus_parse_ldac(path, text, (size_t)(own->to - own->from), corpus, error));
    dlp_corpus *c = *corpus;
    if (c->D == own->documents && c->words == own->words && c->V <= V) {
        c->V = V;
        return DLP_OK;
    }
    dlp_corpus_free(c);
    *corpus = NULL;
    return dlp_fail(
        error, DLP_EIO,
        "%s: this process finds other documents in it than process 0 does; make "
        "sure that all see the same file and that nothing writes to it",
        path);
}

static dlp_status read_own(const char *path, const lines *own, dlp_index V,
                           dlp_corpus **corpus, dlp_error *error)
{
    if (own->documents == 0) {
        const dlp_corpus none = {.V = V};
        return dlpi_ctm_select(&none, 0, 0, corpus, error);
    }
    char *text = dlpi_calloc((dlp_index)(own->to - own->from), 1);
    if (!text) return dlpi_no_memory(error, "the documents of this process");
    dlp_status status = read_bytes(path, own, text, error);
    if (status == DLP_OK) status = parse(path, own, V, text, corpus, error);
    free(text);
    return status;
}

/* ---- documents that are sent ---- */

static dlp_status send_documents(dlpi_comm *comm, int rank, const dlp_corpus *c,
                                 dlp_error *error)
{
    const dlp_index first = dlpi_ctm_rank_begins(c->D, rank, comm->size),
                    to = dlpi_ctm_rank_begins(c->D, rank + 1, comm->size),
                    pairs = c->row[to] - c->row[first];
    DLP_TRY(comm->ops->send(comm, rank, (to - first + 1) * (dlp_index)sizeof *c->row,
                            c->row + first, error));
    DLP_TRY(comm->ops->send(comm, rank, pairs * (dlp_index)sizeof *c->term,
                            c->term + c->row[first], error));
    return comm->ops->send(comm, rank, pairs * (dlp_index)sizeof *c->count,
                           c->count + c->row[first], error);
}

static dlp_status receive_documents(dlpi_comm *comm, dlp_corpus *c, dlp_error *error)
{
    DLP_TRY(comm->ops->receive(comm, 0, (c->D + 1) * (dlp_index)sizeof *c->row, c->row,
                               error));
    DLP_TRY(
        comm->ops->receive(comm, 0, c->nnz * (dlp_index)sizeof *c->term, c->term, error));
    DLP_TRY(comm->ops->receive(comm, 0, c->nnz * (dlp_index)sizeof *c->count, c->count,
                               error));
    for (dlp_index d = c->D; d >= 0; d--) c->row[d] -= c->row[0];
    return DLP_OK;
}

/* Room for documents that are to come: `found` says how many, and of what size. */
static dlp_status make_room(const lines *found, dlp_index V, dlp_corpus **corpus,
                            dlp_error *error)
{
    *corpus = dlpi_corpus_alloc((dlp_index)found->documents,
                                (dlp_index)(found->to - found->from), error);
    if (!*corpus) return DLP_ENOMEM;
    (*corpus)->V = V;
    (*corpus)->words = (dlp_index)found->words;
    return DLP_OK;
}

/* `found` then counts pairs, not bytes. */
static void count_pairs(const dlp_corpus *c, int size, lines *found)
{
    count_words(c, size, found);
    for (int rank = 0; rank < size; rank++) {
        found[rank].from = c->row[dlpi_ctm_rank_begins(c->D, rank, size)];
        found[rank].to = c->row[dlpi_ctm_rank_begins(c->D, rank + 1, size)];
    }
}

/* A process without memory says so before anything is sent. */
static dlp_status pass_documents(dlpi_comm *comm, lines *found, dlp_index V,
                                 dlp_corpus **corpus, dlp_error *error)
{
    dlp_status status = DLP_OK;
    if (comm->rank > 0) status = make_room(&found[comm->rank], V, corpus, error);
    DLP_TRY(comm->ops->agree(comm, status, error));
    if (comm->rank > 0) return receive_documents(comm, *corpus, error);
    for (int rank = 1; rank < comm->size; rank++)
        DLP_TRY(send_documents(comm, rank, *corpus, error));
    return DLP_OK;
}

/* ---- a file that is mapped ---- */

/* Process 0 has mapped and checked it; the others map their documents. */
static dlp_status share_mapping(dlpi_comm *comm, const char *path, dlp_index V,
                                dlp_corpus **corpus, dlp_error *error)
{
    dlpi_dlpc_header header = {.version = 0};
    if (comm->rank == 0 && *corpus && (*corpus)->file)
        memcpy(&header, (*corpus)->file->mapping.data, sizeof header);
    DLP_TRY(comm->ops->broadcast(comm, sizeof header, &header, error));
    const dlp_index first = dlpi_ctm_rank_begins(header.D, comm->rank, comm->size),
                    to = dlpi_ctm_rank_begins(header.D, comm->rank + 1, comm->size);
    if (comm->rank == 0) return DLP_OK;
    if (first == to) {
        const dlp_corpus none = {.V = V};
        return dlpi_ctm_select(&none, 0, 0, corpus, error);
    }
    char *pending = dlpi_file_pending(path, path);
    if (!pending) return dlpi_no_memory(error, "a file's name");
    const dlp_status status =
        dlpi_dlpc_open_part(pending, &header, first, to, corpus, error);
    free(pending);
    if (status == DLP_OK) (*corpus)->V = V;
    return status;
}

/* How the other processes can get their parts of process 0's corpus. */
enum { RECEIVE, READ_LINES, READ_MAPPED };

static dlp_status share_file(dlp_processes *processes, const char *path,
                             const dlp_corpus_options *options, lines *found,
                             dlp_corpus **corpus, dlp_error *error)
{
    dlpi_comm *comm = dlpi_processes_comm(processes);
    const dlp_corpus_options chosen = dlpi_corpus_options_take(options);
    int how = RECEIVE;
    if (comm->rank == 0 && *corpus && (*corpus)->file)
        how = READ_MAPPED;
    else if (comm->rank == 0 && *corpus &&
             find_all(path, chosen.format, *corpus, comm->size, found))
        how = READ_LINES;
    else if (comm->rank == 0)
        count_pairs(*corpus, comm->size, found);
    dlp_index V = comm->rank == 0 && *corpus ? (*corpus)->V : 0;
    DLP_TRY(dlp_processes_tell(processes, &how, error));
    DLP_TRY(comm->ops->broadcast(comm, sizeof V, &V, error));
    if (how == READ_MAPPED) return share_mapping(comm, path, V, corpus, error);
    DLP_TRY(
        comm->ops->broadcast(comm, comm->size * (dlp_index)sizeof *found, found, error));
    if (how == RECEIVE) return pass_documents(comm, found, V, corpus, error);
    return comm->rank == 0 ? DLP_OK
                           : read_own(path, &found[comm->rank], V, corpus, error);
}

dlp_status dlp_topics_open_corpus(dlp_processes *processes, const char *path,
                                  const dlp_corpus_options *options, dlp_corpus **corpus,
                                  dlp_error *error)
{
    const int size = dlp_processes_size(processes);
    *corpus = NULL;
    dlp_status status = DLP_OK;
    lines *found = dlpi_calloc(size, sizeof *found);
    if (!found)
        status = dlpi_no_memory(error, "the documents of processes");
    else if (dlp_processes_rank(processes) == 0)
        status = dlp_corpus_open(path, options, corpus, error);
    status = dlp_processes_agree(processes, status, error);
    if (status == DLP_OK && found && size > 1) {
        status = share_file(processes, path, options, found, corpus, error);
        status = dlp_processes_agree(processes, status, error);
    }
    free(found);
    if (status == DLP_OK) return DLP_OK;
    dlp_corpus_free(*corpus);
    *corpus = NULL;
    return status;
}
