/* SPDX-License-Identifier: BSD-3-Clause */
/* Text inside XML. Internal. */
#ifndef DLPI_REPORT_XML_H
#define DLPI_REPORT_XML_H

#include <stdio.h>

/* Prints any bytes as text of an element or an attribute: escapes what has a meaning in
   XML; what XML does not allow becomes a question mark. */
void dlpi_xml_text(FILE *out, const char *text);
/* The same for the first bytes of a text. */
void dlpi_xml_bytes(FILE *out, const char *text, size_t size);

#endif
