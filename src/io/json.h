/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON files: numbers that read back to the same double, with line breaks for readers.
   Internal, and compiled into the program too. */
#ifndef DLPI_IO_JSON_H
#define DLPI_IO_JSON_H

#include <delaplace/status.h>
#include <jansson.h>

/* The number, or null when it is not finite: JSON has no NaN. */
json_t *dlpi_json_real(double x);
/* The text; when it is not UTF-8, its bytes as Latin-1, which loses nothing. */
json_t *dlpi_json_text(const char *text);
/* A list of n values, each made by item; NULL without memory. */
typedef json_t *dlpi_json_item(const void *of, dlp_index i);
json_t *dlpi_json_list(dlp_index n, dlpi_json_item *item, const void *of);

/* A copy of an object, to be freed; NULL without memory. jansson's own copy silently
   leaves out what it had no memory for. */
json_t *dlpi_json_copy(const json_t *object);
/* json_dumps, but NULL when memory is short, where jansson's loses the names of
   values. */
char *dlpi_json_dumps(const json_t *value, size_t flags);
/* The value as text with a final newline, to be freed; NULL without memory, and for
   NULL. */
char *dlpi_json_lines(const json_t *value, size_t *size);
/* Writes the value to path, whole or not at all. A NULL value is reported as
   DLP_ENOMEM. */
dlp_status dlpi_json_write(const json_t *value, const char *path, dlp_error *error);

/* Reads the file at path, or standard input for "-". On failure *value is NULL and the
   error names file, line and column, or what was expected ("a fit") where the file is not
   JSON at all. */
dlp_status dlpi_json_read(const char *path, const char *expected, json_t **value,
                          dlp_error *error);
/* The same from bytes in memory, which messages call `name`. */
dlp_status dlpi_json_parse(const char *name, const char *text, size_t size,
                           const char *expected, json_t **value, dlp_error *error);
/* json_loadb, but it notices when memory is short and then sets the error code to
   json_error_out_of_memory. wrong may be NULL. */
json_t *dlpi_json_loadb(const char *text, size_t size, size_t flags, json_error_t *wrong);

#endif
