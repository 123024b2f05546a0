/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables and other text on their way to a file. */
#ifndef DLP_CLI_TEXT_FILE_H
#define DLP_CLI_TEXT_FILE_H

#include <delaplace.h>
#include <stdio.h>

typedef void cli_print_text(FILE *out, const void *what);

/* Writes what print makes of `what` to path, whole or not at all. */
dlp_status cli_text_write(const char *path, cli_print_text *print, const void *what,
                          dlp_error *error);

#endif
