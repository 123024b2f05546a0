/* SPDX-License-Identifier: BSD-3-Clause */
/* What readers and writers of files share: the message of a failed system call. */
#ifndef DLPI_FILE_H
#define DLPI_FILE_H

#include <delaplace/file.h>

/* "PATH: cannot DOING: what the system says of code; ADVICE". */
dlp_status dlpi_fail_errno(dlp_error *error, dlp_status status, const char *path,
                           const char *doing, int code, const char *advice);

#endif
