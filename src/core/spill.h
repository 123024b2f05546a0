/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays that grow with the rows of a table and may exceed memory. They are in memory,
 * or in mapped files without names. In files, a thread watches how much of the process
 * is resident, and releases the pages of all of them when that exceeds a third of the
 * memory. The system reads them again on access, from its cache or the disk, so that
 * code that computes with them need not know where they are. Internal.
 */
#ifndef DLPI_CORE_SPILL_H
#define DLPI_CORE_SPILL_H

#include <delaplace/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dlpi_spill dlpi_spill;

/* Arrays in files of the folder; `most` bytes may be resident. NULL without memory. */
dlpi_spill *dlpi_spill_open(const char *folder, double most);
/* Arrays of rows that are divided among processes, so that most of each is never used
   (dlpi_scratch_alloc_sparse). folder NULL: in memory. */
dlpi_spill *dlpi_spill_open_sparse(const char *folder, double most);
/* The share of later arrays that is used; at first all. */
void dlpi_spill_use(dlpi_spill *spill, double share);
/* Whether arrays are in files; false for NULL. */
bool dlpi_spill_is_on_disk(const dlpi_spill *spill);
/* After all of its arrays; NULL is fine. */
void dlpi_spill_close(dlpi_spill *spill);

/* count * size zeroed bytes, aligned to a cache line; NULL as for dlpi_calloc, and if the
   disk has no room. spill NULL: in memory. */
void *dlpi_rows_alloc(dlpi_spill *spill, dlp_index count, size_t size);
void dlpi_rows_free(void *rows); /* NULL is fine */

/* Releases pages if needed, as the thread does. For loops over many rows: on a busy
   machine the thread may come late. NULL is fine. */
void dlpi_spill_tend(dlpi_spill *spill);

/* If an allocation failed because of the disk, says so instead. */
dlp_status dlpi_spill_explain(const dlpi_spill *spill, dlp_status status,
                              dlp_error *error);

#endif
