/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which documents of a corpus a process has. Process 0 reads the whole file. If that is
 * plain text whose documents are lines in a row, it tells the others where theirs are, and
 * they read only those; if it is mapped, they map only their documents. Otherwise it sends
 * them their documents.
 */
#include "core/core.h"
#include "core/file_journal.h"
#include "corpus/corpus.h"
#include "corpus/formats/dlpc.h"
#include "corpus/formats/format.h"
#include "corpus/formats/lines.h"
#include "corpus/formats/mapped.h"
#include "topics/ctm/ctm_fit.h"

#include <delaplace/processes.h>

#include <string.h>

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

/* What each process has of process 0's corpus; the bytes are found later. */
static void count_parts(const dlp_corpus *c, int size, struct dlpi_corpus_part *part)
{
    for (int rank = 0; rank < size; rank++) {
        const dlp_index first = dlpi_ctm_rank_begins(c->D, rank, size),
                        to = dlpi_ctm_rank_begins(c->D, rank + 1, size);
        part[rank] = dlpi_corpus_part_of(c, first, to);
    }
}

static dlp_status read_own(const char *path, const struct dlpi_corpus_format *format,
                           const struct dlpi_corpus_part *own, dlp_corpus **corpus,
                           dlp_error *error)
{
    if (own->documents > 0)
        return dlpi_corpus_read_part(path, format, own, corpus, error);
    const dlp_corpus none = {.V = (dlp_index)own->terms};
    return dlpi_ctm_select(&none, 0, 0, corpus, error);
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

/* Room for documents that are to come. */
static dlp_status make_room(const struct dlpi_corpus_part *own, dlp_corpus **corpus,
                            dlp_error *error)
{
    *corpus = dlpi_corpus_alloc((dlp_index)own->documents, (dlp_index)own->pairs, error);
    if (!*corpus) return DLP_ENOMEM;
    (*corpus)->V = (dlp_index)own->terms;
    (*corpus)->words = (dlp_index)own->words;
    return DLP_OK;
}

/* A process without memory says so before anything is sent. */
static dlp_status pass_documents(dlpi_comm *comm, const struct dlpi_corpus_part *part,
                                 dlp_corpus **corpus, dlp_error *error)
{
    dlp_status status = DLP_OK;
    if (comm->rank > 0) status = make_room(&part[comm->rank], corpus, error);
    DLP_TRY(comm->ops->agree(comm, status, error));
    if (!*corpus) return DLP_ENOMEM; /* which all know */
    if (comm->rank > 0) return receive_documents(comm, *corpus, error);
    for (int rank = 1; rank < comm->size; rank++)
        DLP_TRY(send_documents(comm, rank, *corpus, error));
    return DLP_OK;
}

dlp_status dlp_topics_share_corpus(dlp_processes *processes, dlp_corpus **corpus,
                                   dlp_error *error)
{
    dlpi_comm *comm = dlpi_processes_comm(processes);
    dlp_status status = DLP_OK;
    if (comm->size == 1) return DLP_OK;
    struct dlpi_corpus_part *part = dlpi_calloc(comm->size, sizeof *part);
    if (!part)
        status = dlpi_no_memory(error, "the documents of processes");
    else if (comm->rank == 0 && !*corpus)
        status = dlp_fail(error, DLP_EINVAL, "process 0 has no documents to share");
    else if (comm->rank == 0)
        count_parts(*corpus, comm->size, part);
    status = dlp_processes_agree(processes, status, error);
    if (status == DLP_OK && part) {
        if (comm->rank > 0) {
            dlp_corpus_free(*corpus);
            *corpus = NULL;
        }
        status =
            comm->ops->broadcast(comm, comm->size * (dlp_index)sizeof *part, part, error);
        if (status == DLP_OK) status = pass_documents(comm, part, corpus, error);
    }
    free(part);
    return status;
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

/* ---- all of them ---- */

/* How the other processes get their parts of process 0's corpus: mapped, by reading lines
   in one of the formats, or sent. */
enum { READ_MAPPED = -1, RECEIVE = -2 };

static int number_of(const struct dlpi_corpus_format *format)
{
    int i = 0;
    while (strcmp(dlp_corpus_format_name(i), format->name) != 0) i++;
    return i;
}

static int choose_way(const char *path, const struct dlpi_corpus_format *format, int size,
                      const dlp_corpus *corpus, struct dlpi_corpus_part *part)
{
    if (corpus->file) return READ_MAPPED;
    count_parts(corpus, size, part);
    return dlpi_corpus_find_parts(path, format, size, part) ? number_of(format) : RECEIVE;
}

static dlp_status share_file(dlp_processes *processes, const char *path,
                             const struct dlpi_corpus_format *format,
                             struct dlpi_corpus_part *part, dlp_corpus **corpus,
                             dlp_error *error)
{
    dlpi_comm *comm = dlpi_processes_comm(processes);
    int how = RECEIVE;
    if (comm->rank == 0 && *corpus)
        how = choose_way(path, format, comm->size, *corpus, part);
    dlp_index V = comm->rank == 0 && *corpus ? (*corpus)->V : 0;
    DLP_TRY(dlp_processes_tell(processes, &how, error));
    DLP_TRY(comm->ops->broadcast(comm, sizeof V, &V, error));
    if (how == READ_MAPPED) return share_mapping(comm, path, V, corpus, error);
    DLP_TRY(
        comm->ops->broadcast(comm, comm->size * (dlp_index)sizeof *part, part, error));
    if (how == RECEIVE) return pass_documents(comm, part, corpus, error);
    if (comm->rank == 0) return DLP_OK;
    format = dlpi_corpus_format_named(dlp_corpus_format_name(how), error);
    return read_own(path, format, &part[comm->rank], corpus, error);
}

dlp_status dlp_topics_open_corpus(dlp_processes *processes, const char *path,
                                  const dlp_corpus_options *options, dlp_corpus **corpus,
                                  dlp_error *error)
{
    const int size = dlp_processes_size(processes);
    const struct dlpi_corpus_format *format = NULL;
    *corpus = NULL;
    dlp_status status = DLP_OK;
    struct dlpi_corpus_part *part = dlpi_calloc(size, sizeof *part);
    if (!part)
        status = dlpi_no_memory(error, "the documents of processes");
    else if (dlp_processes_rank(processes) == 0)
        status = dlpi_corpus_open(path, options, &format, corpus, error);
    status = dlp_processes_agree(processes, status, error);
    if (status == DLP_OK && part && size > 1) {
        status = share_file(processes, path, format, part, corpus, error);
        status = dlp_processes_agree(processes, status, error);
    }
    free(part);
    if (status == DLP_OK) return DLP_OK;
    dlp_corpus_free(*corpus);
    *corpus = NULL;
    return status;
}
