/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files that this process has mapped, by their addresses: what dlp_file_mapped() tells a
 * handler of SIGBUS, the signal by which the system says that it cannot read a mapped page. Like
 * the files that were begun (file_begun.h) they are kept between calls, since a handler has nobody
 * to ask. Internal.
 */
#ifndef DLPI_CORE_FILE_MAPPED_H
#define DLPI_CORE_FILE_MAPPED_H

#include <stddef.h>

/* From now on these bytes are those of the file at path; one that finds no room is not known. */
void dlpi_mapped_add(const void *data, size_t size, const char *path);
/* Before they are unmapped. */
void dlpi_mapped_drop(const void *data);

#endif
