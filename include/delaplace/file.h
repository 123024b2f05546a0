/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear whole or not at all. */
#ifndef DELAPLACE_FILE_H
#define DELAPLACE_FILE_H

#include <delaplace/export.h>
#include <delaplace/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes size bytes to path: to a new file beside it, synced, then renamed over
 * it. On failure (disk full, no permission, path is a folder) an existing file is
 * unchanged, nothing is left beside it, and the error names the path.
 *
 * The permission bits of an existing file are kept; a read-only one is not replaced. A
 * symbolic link stays, and the file it points to is replaced. Anything other than a
 * regular file (a pipe, a terminal, /dev/null) is written in place, and /dev/stdout,
 * /dev/stderr and /dev/fd/N mean that open descriptor: there, a failure may come after
 * some of the bytes are written.
 */
DLP_API dlp_status dlp_file_write(const char *path, const void *data, size_t size,
                                  dlp_error *error);

/* Whether dlp_file_write could start, as far as can be known without writing: for programs
   that would rather fail before long work than after it. Fails as dlp_file_write would. */
DLP_API dlp_status dlp_file_try(const char *path, dlp_error *error);

/*
 * Several files that change together. Each is written beside its destination, as
 * dlp_file_write does; the commit puts all in place. If anything fails before that, all
 * files are unchanged, and nothing is left beside them. A pipe or a terminal gets its
 * bytes at the commit.
 *
 * Files with the same lead belong together: a program that is killed during the commit
 * leaves a journal beside the lead, ".NAME.delaplace". With it dlp_corpus_open sees all
 * of the new files, never a mixture of old and new, and the next commit with this lead
 * completes it. A rename that fails is tried again; if it still fails after others have
 * succeeded, the commit fails and the journal stays, too.
 */
typedef struct dlp_file_set dlp_file_set;
DLP_API dlp_status dlp_file_set_alloc(dlp_file_set **set, dlp_error *error);
/* Adds a file to the set. lead is path itself or one that was added before; NULL: the
   first one. */
DLP_API dlp_status dlp_file_set_write(dlp_file_set *set, const char *lead,
                                      const char *path, const void *data, size_t size,
                                      dlp_error *error);
/* Everything in the commit that can fail except the renames, so that something else can
   be written before them. Optional: the commit does it if it was not called. */
DLP_API dlp_status dlp_file_set_prepare(dlp_file_set *set, dlp_error *error);
DLP_API dlp_status dlp_file_set_commit(dlp_file_set *set, dlp_error *error);
/* Removes what was not committed; NULL is fine. */
DLP_API void dlp_file_set_free(dlp_file_set *set);

/*
 * Only for a signal handler that is about to end the process: removes unfinished files
 * beside their destinations and returns 1; from then on no file is put in place. Returns
 * 0 during a commit: the handler should then return and be called again after a moment
 * (alarm), so that the files change together. Async-signal-safe.
 */
DLP_API int dlp_file_abandon(void);

/*
 * Only for a SIGBUS handler: the path of the file that is mapped at an address (si_addr),
 * or NULL if this library mapped none there. Large tables and corpora of the format dlpc
 * are mapped rather than read; if another program truncates such a file, or its disk
 * fails, the system sends SIGBUS when it is read, which ends a program without a handler.
 * The path is valid until the handler ends the process.
 */
DLP_API const char *dlp_file_mapped(const void *address);

/* A call of this library that waits for a file system. */
typedef struct dlp_file_call {
    uint64_t number;   /* larger for later calls */
    const char *doing; /* "opening", "reading", "writing", "syncing", "renaming" */
    char path[1024];   /* a longer path is cut off: it is for a message */
} dlp_file_call;

/*
 * For a thread that watches the others, since a file system that hangs (a server that
 * does not answer, a disk that fails) would hold them up without a word. Fills in the
 * call that has waited longest and returns 1, or returns 0 if none waits. If the number
 * is still the same a minute later, the call has taken a minute. Files are read and
 * written in parts of at most 16 MB per call. Pipes, terminals and standard input are not
 * among them, and neither is the reading of mapped files, for which such a thread can
 * only see that others sleep.
 */
DLP_API int dlp_file_waits(dlp_file_call *call);
/* The path of a mapped file, i = 0, 1, ...; returns 0 beyond the last. */
DLP_API int dlp_file_mapped_path(int i, char *path, size_t size);

#ifdef __cplusplus
}
#endif

#endif
