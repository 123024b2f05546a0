/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear whole or not at all. */
#ifndef DELAPLACE_FILE_H
#define DELAPLACE_FILE_H

#include <delaplace/export.h>
#include <delaplace/status.h>

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

/* Whether two paths lead to one regular file: a result that is written to the one replaces the
   other. False where there is none. */
DLP_API int dlp_file_same(const char *a, const char *b);

/*
 * Several files that change together. Each is written beside its place, as dlp_file_write
 * does; the commit puts all in place. If anything fails before, all files are as they were,
 * and nothing is left beside them. A pipe or a terminal gets its bytes with the commit.
 *
 * Files of one lead belong together: a program that is killed during the commit leaves a
 * journal beside the lead, ".NAME.delaplace", by which dlp_corpus_open sees all of the new
 * files, never old ones beside new ones, and which the next commit with this lead finishes.
 * A rename that the system refuses is tried again; if it keeps refusing after another has
 * been done, the commit fails and the journal stays, too.
 */
typedef struct dlp_file_set dlp_file_set;
DLP_API dlp_status dlp_file_set_alloc(dlp_file_set **set, dlp_error *error);
/* lead is path itself or one that was written to the set before; NULL: the first one. */
DLP_API dlp_status dlp_file_set_write(dlp_file_set *set, const char *lead,
                                      const char *path, const void *data, size_t size,
                                      dlp_error *error);
/* All of the commit that can fail except the renames, so that something else may be written
   between; a commit without it does it itself. */
DLP_API dlp_status dlp_file_set_prepare(dlp_file_set *set, dlp_error *error);
DLP_API dlp_status dlp_file_set_commit(dlp_file_set *set, dlp_error *error);
/* What was not committed is removed; NULL is fine. */
DLP_API void dlp_file_set_free(dlp_file_set *set);

/*
 * For a handler of signals that is about to end the process, and for nothing else: removes
 * the files that were begun beside their places and returns 1; no file can take its place
 * from then on. Returns 0 while files are changing places: the handler should return and be
 * called again after a moment (alarm), so that they change together. May be called from a
 * handler (async-signal-safe).
 */
DLP_API int dlp_file_abandon(void);

/*
 * For a handler of SIGBUS, and for nothing else: the path of the file whose mapped bytes are at an
 * address (si_addr), or NULL where they are none of this library's. Large tables and corpora of the
 * format dlpc are mapped rather than read; one that another program cuts off meanwhile, or whose
 * disk fails, can no longer be read, and the system sends that signal. A program without
 * such a handler ends by it. The path is good until the handler ends the process.
 */
DLP_API const char *dlp_file_mapped(const void *address);

#ifdef __cplusplus
}
#endif

#endif
