/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The journal of files that change together: ".NAME.delaplace" beside the file NAME that
 * leads them. It holds a line of its own, then pairs of names, each ended by a NUL: what is
 * to be renamed, and to what; a name without a slash is in the journal's folder. While it
 * is there, the new state of each file is under the first name, or, where that is gone,
 * under the second. Functions with a result return 0 or an errno. Internal.
 */
#ifndef DLPI_CORE_FILE_JOURNAL_H
#define DLPI_CORE_FILE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* The text of a journal as it grows; begins as zeros, text is to be freed. */
struct dlpi_renames {
    char *text;
    size_t size;
};
int dlpi_renames_add(struct dlpi_renames *list, const char *lead, const char *from,
                     const char *to);

/* The journal of the file lead, synced under another name, which is to be freed. */
int dlpi_journal_stage(const char *lead, const struct dlpi_renames *list, char **staged);
/* Two writers take turns: a descriptor to close at the end, or -1. */
int dlpi_journal_lock(const char *lead);
/* What another writer had begun is finished; then the journal is there, and from here on the
   files have changed. staged may be NULL, for a file that needs no journal. */
int dlpi_journal_begin(const char *lead, const char *staged);
/* Removes the journal of renames that are done, or of which none is. */
void dlpi_journal_end(const char *lead);

/* ---- for readers ---- */

/* Where the file at path is now, which belongs to those that lead leads: path itself or
   another name; to be freed, NULL without memory. */
char *dlpi_file_pending(const char *lead, const char *path);

/* The state of the files that lead leads: if it is the same before and after they were
   read, they belong together. */
struct dlpi_file_state {
    struct stat lead, journal; /* zeros for one that is not there */
};
struct dlpi_file_state dlpi_file_state_of(const char *lead);
bool dlpi_file_state_same(const struct dlpi_file_state *a,
                          const struct dlpi_file_state *b);

#endif
