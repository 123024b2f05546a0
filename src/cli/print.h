/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, counts and command lines on a screen. */
#ifndef DLP_CLI_PRINT_H
#define DLP_CLI_PRINT_H

#include <delaplace.h>
#include <stdio.h>

/* "s" if the count needs a plural. */
const char *cli_plural(dlp_index count);

/* Prints a name in a column of that width. Control characters, which could steer a
   terminal, become question marks; bytes that continue a UTF-8 character take no room. */
void cli_print_name(const char *name, int width);
/* The same to another stream, without padding. */
void cli_write_name(FILE *out, const char *name);
/* The width of a name in columns. */
int cli_name_width(const char *name);
/* Prints a word so that a shell reads it back: quoted unless it is plain. */
void cli_print_shell_word(const char *word);

#endif
