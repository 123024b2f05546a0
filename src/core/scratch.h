/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that may be more than memory: in memory, or in a file without a name that is mapped,
   whose pages are given back when they are not needed soon. Internal. */
#ifndef DLPI_CORE_SCRATCH_H
#define DLPI_CORE_SCRATCH_H

#include <delaplace/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Zeroed, it is none. */
typedef struct dlpi_scratch {
    double *x;
    size_t size; /* bytes */
    bool on_disk;
} dlpi_scratch;

/* Pages of a mapping from..to are not needed soon, and that on which they begin; the one on which
   they end stays. */
void dlpi_pages_release(const void *from, const void *to);

/* The folder asked for, or where that is NULL or empty $TMPDIR, or /var/tmp. */
const char *dlpi_scratch_folder(const char *asked);

/* Zeros: count numbers in memory, or with a folder in a file there, which is gone when the process
   ends, however it does. DLP_EIO where the disk has no room for it. */
dlp_status dlpi_scratch_alloc(dlp_index count, const char *folder, dlpi_scratch *scratch,
                              dlp_error *error);
void dlpi_scratch_free(dlpi_scratch *scratch); /* fine on a zeroed one */
/* Numbers from..to-1 are not needed soon. */
void dlpi_scratch_leave(const dlpi_scratch *scratch, dlp_index from, dlp_index to);

#endif
