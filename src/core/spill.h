/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays that grow with the rows of a table, which may be more than memory. They are in memory, or in
 * files without names that are mapped; then a thread looks how much of the process is resident, and
 * gives the pages of all of them back when that is more than a third of what there is. They come again
 * when they are read, from the system's cache or the disk, so that what computes with them need not
 * know where they are. Internal.
 */
#ifndef DLPI_CORE_SPILL_H
#define DLPI_CORE_SPILL_H

#include <delaplace/status.h>
#include <stddef.h>

typedef struct dlpi_spill dlpi_spill;

/* Arrays in files of the folder; `most` bytes may be resident. NULL without memory. */
dlpi_spill *dlpi_spill_open(const char *folder, double most);
/* After all of its arrays; NULL is fine. */
void dlpi_spill_close(dlpi_spill *spill);

/* count * size zeroed bytes, aligned to a cache line; NULL as of dlpi_calloc, and where the disk
   has no room. spill NULL: in memory. */
void *dlpi_rows_alloc(dlpi_spill *spill, dlp_index count, size_t size);
void dlpi_rows_free(void *rows); /* NULL is fine */

/* Looks whether pages are to be given back, as the thread does, for loops over many rows: on a busy machine
   the thread may come late. NULL is fine. */
void dlpi_spill_tend(dlpi_spill *spill);

/* Where memory was short and a disk is why, says so instead. */
dlp_status dlpi_spill_explain(const dlpi_spill *spill, dlp_status status,
                              dlp_error *error);

#endif
