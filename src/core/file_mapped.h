/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mapped files of this process, by address. dlp_file_mapped() looks them up for a
 * handler of SIGBUS, the signal for a mapped page that the system cannot read. Like
 * unfinished files (file_begun.h) they are kept between calls, since a handler is given
 * no context. Internal.
 */
#ifndef DLPI_CORE_FILE_MAPPED_H
#define DLPI_CORE_FILE_MAPPED_H

#include <stddef.h>

/* From now on these bytes belong to the file at path; without room for it, it is not
   recorded. */
void dlpi_mapped_add(const void *data, size_t size, const char *path);
/* To be called before they are unmapped. */
void dlpi_mapped_drop(const void *data);

#endif
