/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A large plain file as text, mapped rather than read: its pages are the system's, which
 * can take them back at any time, and a table takes no more memory than its columns.
 *
 * A file must not change while it is mapped. Beyond a new end it cannot be read (SIGBUS:
 * dlp_file_mapped() tells a handler which file that was), and elsewhere it may be a mix of old and
 * new, which dlpi_mapping_check() sees afterwards. So small files, which programs write anew all
 * the time, are read instead; a file of this size is seldom overwritten in place. Internal.
 */
#ifndef DLPI_IO_MAPPING_H
#define DLPI_IO_MAPPING_H

#include "core/core.h"

#include <sys/stat.h>

/* From this size on files are mapped. */
#define DLPI_MAPPED ((size_t)1 << 24)

/* Zeroed, it is none. */
struct dlpi_mapping {
    char *data;
    size_t size;
    struct stat file; /* as it was then */
};

/* False, and *mapping is none, where the file is to be read: it is small, compressed, no
   regular file, standard input, or cannot be mapped. */
bool dlpi_mapping_open(const char *path, struct dlpi_mapping *mapping);
void dlpi_mapping_close(struct dlpi_mapping *mapping);
/* DLP_EIO where the file was written to since; one that another took the place of is as it was. */
dlp_status dlpi_mapping_check(const struct dlpi_mapping *mapping, dlp_error *error);

/* The text from..to of a mapping is not needed soon: gives its pages back, and that on which
   it begins, but not that on which it ends. It can be read again. */
void dlpi_mapping_release(const char *from, const char *to);
/* The mapping may be written to: in memory, the file stays as it is. Then nothing may be released
   any more. False: the system refuses so much memory. */
bool dlpi_mapping_own(const struct dlpi_mapping *mapping);

#endif
