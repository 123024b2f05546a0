/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON as the program writes it: numbers that read back to the same double. */
#ifndef DLP_CLI_JSON_H
#define DLP_CLI_JSON_H

#include <delaplace.h>
#include <jansson.h>

/* The number, or null when it is not finite: JSON has no NaN. */
json_t *cli_json_real(double x);
/* The text; when it is not UTF-8, its bytes as Latin-1, which loses nothing. */
json_t *cli_json_text(const char *text);

/* Prints the value on stdout, from a line of its own on. */
dlp_status cli_json_print(const json_t *value, dlp_error *error);
/* Writes the value to path, whole or not at all. */
dlp_status cli_json_write(const json_t *value, const char *path, dlp_error *error);

/* Reads the file at path, or standard input for "-". On failure *value is NULL and the
   error names file, line and column. */
dlp_status cli_json_read(const char *path, json_t **value, dlp_error *error);

#endif
