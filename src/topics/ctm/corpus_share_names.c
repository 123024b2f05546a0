/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A corpus for processes that look up documents or terms by name before they share it:
 * process 0 reads it, the others get everything but its words.
 */
#include "core/core.h"
#include "corpus/corpus.h"
#include "corpus/names.h"
#include "topics/ctm/ctm_fit.h"

#include <delaplace/processes.h>

#include <string.h>

static int64_t bytes_of(char *const *name, dlp_index n)
{
    int64_t bytes = 0;
    for (dlp_index i = 0; name && i < n; i++) bytes += (int64_t)strlen(name[i]) + 1;
    return bytes;
}

/* The names as one block: n pointers, then the bytes, which only process 0 has so far. */
static char **begin_names(const dlpi_comm *comm, dlp_index n, int64_t bytes,
                          char *const *name)
{
    if (comm->rank == 0) return dlpi_names_copy((const char *const *)name, n);
    return dlpi_calloc(n * (dlp_index)sizeof *name + (dlp_index)bytes, 1);
}

static void point_to_names(char **name, dlp_index n, char *text)
{
    for (dlp_index i = 0; i < n; i++) {
        name[i] = text;
        text += strlen(text) + 1;
    }
}

/* Gives the other processes the n names that process 0 has, if it has any. */
static dlp_status pass_names(dlpi_comm *comm, dlp_index n, char ***name, dlp_error *error)
{
    int64_t bytes = comm->rank == 0 ? bytes_of(*name, n) : 0;
    DLP_TRY(comm->ops->broadcast(comm, sizeof bytes, &bytes, error));
    if (bytes == 0) return DLP_OK;
    char **block = begin_names(comm, n, bytes, *name);
    dlp_status status = block ? DLP_OK : dlpi_no_memory(error, "the names of a corpus");
    status = comm->ops->agree(comm, status, error);
    char *text = block ? (char *)(block + n) : NULL;
    if (status == DLP_OK)
        status = comm->ops->broadcast(comm, (dlp_index)bytes, text, error);
    if (status == DLP_OK && comm->rank > 0) {
        point_to_names(block, n, text);
        *name = block;
        block = NULL;
    }
    free(block);
    return status;
}

static dlp_status pass_all_names(dlp_processes *processes, dlp_corpus **corpus,
                                 dlp_error *error)
{
    dlpi_comm *comm = dlpi_processes_comm(processes);
    dlp_index size[2] = {0};
    dlp_status status = DLP_OK;
    if (comm->rank == 0) {
        size[0] = (*corpus)->D;
        size[1] = (*corpus)->V;
    }
    DLP_TRY(comm->ops->broadcast(comm, sizeof size, size, error));
    if (comm->rank > 0) {
        *corpus = dlpi_corpus_alloc(size[0], 0, error);
        status = *corpus ? DLP_OK : DLP_ENOMEM;
        if (*corpus) (*corpus)->V = size[1];
    }
    DLP_TRY(dlp_processes_agree(processes, status, error));
    DLP_TRY(pass_names(comm, size[0], &(*corpus)->name, error));
    return pass_names(comm, size[1], &(*corpus)->vocab, error);
}

dlp_status dlp_topics_open_names(dlp_processes *processes, const char *path,
                                 const dlp_corpus_options *options, dlp_corpus **corpus,
                                 dlp_error *error)
{
    dlp_status status = DLP_OK;
    *corpus = NULL;
    if (dlp_processes_rank(processes) == 0)
        status = dlp_corpus_open(path, options, corpus, error);
    status = dlp_processes_agree(processes, status, error);
    if (status == DLP_OK && dlp_processes_size(processes) > 1) {
        status = pass_all_names(processes, corpus, error);
        status = dlp_processes_agree(processes, status, error);
    }
    if (status == DLP_OK) return DLP_OK;
    dlp_corpus_free(*corpus);
    *corpus = NULL;
    return status;
}
