/* SPDX-License-Identifier: BSD-3-Clause */
/* How wide a text is, without a font to ask: by the widths of Helvetica, which Arial and
   Liberation Sans share, so that a picture is the same wherever it is made. Internal. */
#ifndef DLPI_REPORT_LETTERS_H
#define DLPI_REPORT_LETTERS_H

#include <stddef.h>

/* In pixels, of a text of that size, and of its first bytes. */
double dlpi_letters_width(const char *text, double size);
double dlpi_letters_width_of(const char *text, size_t bytes, double size);

/* How many bytes of the text fit into room: all, or what leaves room for an ellipsis. A
   character, and what combines with it, is never cut apart. */
size_t dlpi_letters_fit(const char *text, double size, double room);

#endif
