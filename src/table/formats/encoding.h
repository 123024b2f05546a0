/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in other encodings is converted to UTF-8 before it is read. Internal. */
#ifndef DLPI_TABLE_ENCODING_H
#define DLPI_TABLE_ENCODING_H

#include "io/scan.h"

#include <delaplace/status.h>

/* Converts what is left of the text to UTF-8, in *made, to be freed; NULL if it is UTF-8
   already, as it is taken to be for encoding NULL. DLP_EINVAL: the encoding is
   unknown. */
dlp_status dlpi_encoding_to_utf8(const char *encoding, struct dlpi_scan *text,
                                 char **made, dlp_error *error);

#endif
