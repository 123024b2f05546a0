/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV as the program writes it (RFC 4180). */
#ifndef DLP_CLI_CSV_H
#define DLP_CLI_CSV_H

#include <stdio.h>

/* A field made of two texts, in quotes where it needs them. */
void cli_csv_text(FILE *out, const char *before, const char *text);

#endif
