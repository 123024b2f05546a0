/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates the width of a text without access to a font: from the widths of Helvetica,
   which Arial and Liberation Sans share, so that a picture is the same wherever it is
   made. Internal. */
#ifndef DLPI_REPORT_LETTERS_H
#define DLPI_REPORT_LETTERS_H

#include <stddef.h>

/* The width in pixels of a text in this font size, and of its first bytes. */
double dlpi_letters_width(const char *text, double size);
double dlpi_letters_width_of(const char *text, size_t bytes, double size);

/* How many bytes of the text fit into room: all, or fewer to leave room for an ellipsis.
   Never splits a character from those that combine with it. */
size_t dlpi_letters_fit(const char *text, double size, double room);

#endif
