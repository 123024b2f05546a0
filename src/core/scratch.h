/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of numbers that may exceed memory: held in memory, or in a mapped file without a
   name, whose pages are released when they are not needed soon. Internal. */
#ifndef DLPI_CORE_SCRATCH_H
#define DLPI_CORE_SCRATCH_H

#include <delaplace/status.h>
#include <stdbool.h>
#include <stddef.h>

/* All zeros: none. */
typedef struct dlpi_scratch {
    double *x;
    size_t size;  /* bytes */
    bool on_disk; /* or mapped, at least */
} dlpi_scratch;

/* The pages of a mapping from..to are not needed soon, including the one that `from` is
   on but not the one that `to` is on. */
void dlpi_pages_release(const void *from, const void *to);

/* The folder requested or, if that is NULL or empty, $TMPDIR or /var/tmp. */
const char *dlpi_scratch_folder(const char *asked);

/* Zeros: count numbers in memory or, given a folder, in a file there that vanishes when
   the process ends, however it ends. DLP_EIO if the disk has no room for it. */
dlp_status dlpi_scratch_alloc(dlp_index count, const char *folder, dlpi_scratch *scratch,
                              dlp_error *error);
/* The same of which most is never used: pages that are not written take neither memory
   nor disk. DLP_EIO if the disk has no room now for the share of it that will be used; if it is
   full later, the process ends by a signal. folder NULL: in memory, which no limit of this
   process counts before it is used. */
dlp_status dlpi_scratch_alloc_sparse(dlp_index count, const char *folder, double share,
                                     dlpi_scratch *scratch, dlp_error *error);
void dlpi_scratch_free(dlpi_scratch *scratch); /* fine on a zeroed one */
/* Numbers from..to-1 are not needed soon. */
void dlpi_scratch_leave(const dlpi_scratch *scratch, dlp_index from, dlp_index to);

#endif
