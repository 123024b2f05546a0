/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON as files and programs have it here: numbers that read back to the same double.
   Internal. */
#ifndef DLPI_IO_JSON_H
#define DLPI_IO_JSON_H

#include <delaplace/status.h>

#include <jansson.h>

/* The number, or null when it is not finite: JSON has no NaN. */
json_t *dlpi_json_real(double x);
/* The text; when it is not UTF-8, its bytes as Latin-1, which loses nothing. */
json_t *dlpi_json_text(const char *text);

/* The value as lines for people, to be freed; NULL without memory or value. */
char *dlpi_json_lines(const json_t *value, size_t *size);
/* Writes the value to path, whole or not at all. */
dlp_status dlpi_json_write(const json_t *value, const char *path, dlp_error *error);

/* Reads the file at path, or standard input for "-". On failure *value is NULL and the
   error names file, line and column. */
dlp_status dlpi_json_read(const char *path, json_t **value, dlp_error *error);

#endif
