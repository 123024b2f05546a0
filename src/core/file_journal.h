/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The journal of files that change together: ".NAME.delaplace" beside the leading file
 * NAME. It holds a line of its own, then pairs of names, each ended by a NUL: the file
 * to rename, and its new name; a name without a slash is in the journal's folder. While
 * the journal exists, the new state of each file is under the first name or, if that is
 * gone, under the second. Functions with a result return 0 or an errno. Internal.
 */
#ifndef DLPI_CORE_FILE_JOURNAL_H
#define DLPI_CORE_FILE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* The text of a journal under construction; starts as zeros; free text. */
struct dlpi_renames {
    char *text;
    size_t size;
};
int dlpi_renames_add(struct dlpi_renames *list, const char *lead, const char *from,
                     const char *to);

/* Writes the journal of the file lead, synced, under another name, which the caller
   frees. */
int dlpi_journal_stage(const char *lead, const struct dlpi_renames *list, char **staged);
/* Makes two writers take turns: returns a descriptor to close at the end, or -1. */
int dlpi_journal_lock(const char *lead);
/* Finishes what another writer had begun, then puts the journal in place: from here on
   the files have changed. staged may be NULL, for a file that needs no journal. */
int dlpi_journal_begin(const char *lead, const char *staged);
/* Removes the journal once all renames are done, or if none is. */
void dlpi_journal_end(const char *lead);

/* ---- for readers ---- */

/* The current name of the file at path, one of those that lead leads: path itself or
   another; the caller frees it. NULL without memory. */
char *dlpi_file_pending(const char *lead, const char *path);

/* The state of the files that lead leads: if it is the same before and after reading
   them, they belong together. */
struct dlpi_file_state {
    struct stat lead, journal; /* zeros if it does not exist */
};
struct dlpi_file_state dlpi_file_state_of(const char *lead);
bool dlpi_file_state_same(const struct dlpi_file_state *a,
                          const struct dlpi_file_state *b);

#endif
