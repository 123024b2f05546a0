/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, counts and command lines on a screen. */
#ifndef DLP_CLI_PRINT_H
#define DLP_CLI_PRINT_H

#include <delaplace.h>
#include <stdio.h>

/* "s" where a count wants it. */
const char *cli_plural(dlp_index count);

/* Prints a name in a column of that width. Control characters, which could steer a
   terminal, become question marks; bytes that continue a UTF-8 character take no room. */
void cli_print_name(const char *name, int width);
/* The same elsewhere, as wide as it is. */
void cli_write_name(FILE *out, const char *name);
/* The room that a name takes. */
int cli_name_width(const char *name);
/* Prints a word as a shell takes it: in quotes when it is not plain. */
void cli_print_shell_word(const char *word);

#endif
