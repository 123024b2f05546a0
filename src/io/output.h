/* SPDX-License-Identifier: BSD-3-Clause */
/* Text to be written to a file. Running out of memory is reported once, at the end.
   Internal. */
#ifndef DLPI_IO_OUTPUT_H
#define DLPI_IO_OUTPUT_H

#include "io/input.h"

#include <delaplace/file.h>
#include <stdint.h>

/* Zeroed is empty; bytes.data is owned. */
struct dlpi_output {
    struct dlpi_bytes bytes;
    bool failed; /* memory was short: what is put from then on is lost */
    struct dlpi_progress *progress; /* of putting and compressing; NULL: not reported */
};

void dlpi_put(struct dlpi_output *out, const char *text, size_t size);
void dlpi_put_string(struct dlpi_output *out, const char *text);
void dlpi_put_char(struct dlpi_output *out, char c);
/* In decimal; at least 0. */
void dlpi_put_whole(struct dlpi_output *out, int64_t number);
/* A field of CSV in quotes, those inside doubled. */
void dlpi_put_quoted(struct dlpi_output *out, const char *text);

/* Compresses what was put as the path's extension asks. */
dlp_status dlpi_output_compress(struct dlpi_output *out, const char *path,
                                dlp_error *error);
/* The same as one file of a set, which all appear together; at once if the set is
   NULL. */
dlp_status dlpi_output_write_in(dlp_file_set *set, const char *lead,
                                struct dlpi_output *out, const char *path,
                                dlp_error *error);

/* ---- compress.c ---- */

/* The length of path without .gz, .zst or .xz. */
size_t dlpi_uncompressed_length(const char *path);
/* Compresses the bytes as path's extension asks. On failure they are unchanged. Equal
   input gives equal output: no time stamps. */
dlp_status dlpi_compress(const char *path, struct dlpi_progress *progress,
                         struct dlpi_bytes *bytes, dlp_error *error);

#endif
