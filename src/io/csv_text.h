/* SPDX-License-Identifier: BSD-3-Clause */
/* Text as a field of CSV (RFC 4180). Internal, and compiled into the program too. */
#ifndef DLPI_IO_CSV_TEXT_H
#define DLPI_IO_CSV_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Where bytes go: a file, a text in memory. */
typedef void dlpi_csv_put(void *sink, const char *bytes, size_t size);

/* Whether a bare field would not be read back as it is. */
bool dlpi_csv_needs_quotes(const char *text);
/* Puts the text with its quotes doubled; the caller puts the quotes around it. */
void dlpi_csv_put_text(const char *text, dlpi_csv_put *put, void *sink);

#endif
