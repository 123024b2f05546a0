/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A large plain file as text, mapped rather than read: the system can take its pages back
 * at any time, so reading a table takes no more memory than its columns.
 *
 * A file must not change while it is mapped. If it shrinks, reading beyond its new end
 * raises SIGBUS (dlp_file_mapped() tells a handler which file it was); elsewhere we may
 * read a mix of old and new, which dlpi_mapping_check() detects afterwards. So small
 * files, which programs rewrite all the time, are read instead; one of this size is
 * seldom overwritten in place. Internal.
 */
#ifndef DLPI_IO_MAPPING_H
#define DLPI_IO_MAPPING_H

#include "core/core.h"

#include <sys/stat.h>

/* From this size on files are mapped. */
#define DLPI_MAPPED ((size_t)1 << 24)

/* All zeros: none. */
struct dlpi_mapping {
    char *data;
    size_t size;
    struct stat file; /* as it was when it was mapped */
};

/* False, and *mapping is none, if the file must be read instead: it is small, compressed,
   not a regular file, standard input, or cannot be mapped. */
bool dlpi_mapping_open(const char *path, struct dlpi_mapping *mapping);
void dlpi_mapping_close(struct dlpi_mapping *mapping);
/* DLP_EIO if the file was written to since. If another file replaced it under its name,
   the mapping still holds the old one and is sound. */
dlp_status dlpi_mapping_check(const struct dlpi_mapping *mapping, dlp_error *error);

/* The text from..to of a mapping is not needed soon: gives its pages back, including the
   one it begins on but not the one it ends on. It can be read again. */
void dlpi_mapping_release(const char *from, const char *to);
/* Lets the mapping be written to, in memory: the file stays as it is. After that, nothing
   may be released. False: the system refuses that much memory. */
bool dlpi_mapping_own(const struct dlpi_mapping *mapping);

#endif
