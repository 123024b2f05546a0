/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that is not UTF-8, made so before it is read. Internal. */
#ifndef DLPI_TABLE_ENCODING_H
#define DLPI_TABLE_ENCODING_H

#include "io/scan.h"

#include <delaplace/status.h>

/* What is left of the text as UTF-8, at *made, to be freed; NULL: it is UTF-8 already.
   encoding NULL: so it is. DLP_EINVAL: it is none that is known. */
dlp_status dlpi_encoding_to_utf8(const char *encoding, struct dlpi_scan *text,
                                 char **made, dlp_error *error);

#endif
