/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of a topic model on their way into its folder: written as X.new and listed
   with their checksums, then committed all at once (topics_commit.h). */
#ifndef DLP_CLI_TOPICS_FILES_H
#define DLP_CLI_TOPICS_FILES_H

#include "cli/text_file.h"

#include <delaplace.h>
#include <jansson.h>
#include <stdbool.h>

typedef struct cli_topics_files {
    const char *folder;
    json_t *list; /* name to checksum; NULL without memory */
    dlp_error *error;
} cli_topics_files;

cli_topics_files cli_topics_files_begin(const char *folder, dlp_error *error);

/* A matrix, or with columns = 0 a vector. */
dlp_status cli_topics_put_array(const cli_topics_files *files, const char *name,
                                dlp_index rows, dlp_index columns, const double *x);
/* What print prints. Only files that are the same in every run are `listed`. */
dlp_status cli_topics_put_text(const cli_topics_files *files, const char *name,
                               cli_print_text *print, const void *what, bool listed);
/* n lines; nothing where there are none (NULL). */
dlp_status cli_topics_put_lines(const cli_topics_files *files, const char *name,
                                char *const *line, dlp_index n);

/* With the status so far: commits the files with info (model.json but for the list;
   taken over, NULL: no memory), or forgets them. Returns the status of it all. */
dlp_status cli_topics_files_end(cli_topics_files *files, dlp_status status, json_t *info);

#endif
