/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A large plain file as text, mapped rather than read: its pages are the system's, which
 * can take them back at any time, and a table takes no more memory than its columns.
 *
 * A file must not shrink while it is mapped: reading beyond its new end ends the process
 * (SIGBUS). So small files, which programs write anew all the time, are read instead; a
 * file of this size is seldom overwritten in place. Internal.
 */
#ifndef DLPI_IO_MAPPING_H
#define DLPI_IO_MAPPING_H

#include "core/core.h"

/* From this size on files are mapped. */
#define DLPI_MAPPED ((size_t)1 << 24)

/* Zeroed, it is none. */
struct dlpi_mapping {
    char *data;
    size_t size;
};

/* False, and *mapping is none, where the file is to be read: it is small, compressed, no
   regular file, standard input, or cannot be mapped. */
bool dlpi_mapping_open(const char *path, struct dlpi_mapping *mapping);
void dlpi_mapping_close(struct dlpi_mapping *mapping);

/* The text from..to of a mapping is not needed soon: gives its pages back, and that on which
   it begins, but not that on which it ends. It can be read again. */
void dlpi_mapping_release(const char *from, const char *to);
/* The mapping may be written to: in memory, the file stays as it is. Then nothing may be released
   any more. False: the system refuses so much memory. */
bool dlpi_mapping_own(const struct dlpi_mapping *mapping);

#endif
