/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a topic model on their way into its folder: written as X.new and listed
   with their checksums, then committed all at once (folder.h). Internal. */
#ifndef DLPI_TOPICS_FOLDER_FILES_H
#define DLPI_TOPICS_FOLDER_FILES_H

#include "io/print_file.h"

#include <delaplace/status.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct dlpi_folder_files {
    const char *folder;
    json_t *list; /* name to checksum; NULL without memory */
    dlp_error *error;
} dlpi_folder_files;

dlpi_folder_files dlpi_folder_files_begin(const char *folder, dlp_error *error);

/* A matrix, or with columns = 0 a vector. */
dlp_status dlpi_folder_put_array(const dlpi_folder_files *files, const char *name,
                                 dlp_index rows, dlp_index columns, const double *x);
/* The same; `mapped`: the numbers are in a mapping, whose pages are released once
   written. */
dlp_status dlpi_folder_put_numbers(const dlpi_folder_files *files, const char *name,
                                   dlp_index rows, dlp_index columns, const double *x,
                                   bool mapped);
/* What print prints. Only files that are the same in every run are `listed`. */
dlp_status dlpi_folder_put_text(const dlpi_folder_files *files, const char *name,
                                dlpi_print_text *print, const void *what, bool listed);
/* n lines; nothing where there are none (NULL). */
dlp_status dlpi_folder_put_lines(const dlpi_folder_files *files, const char *name,
                                 char *const *line, dlp_index n);

/* With the status so far: commits the files with info (model.json except the list; taken
   over, NULL: no memory), or forgets them. Returns the overall status. */
dlp_status dlpi_folder_files_end(dlpi_folder_files *files, dlp_status status,
                                 json_t *info);

#endif
