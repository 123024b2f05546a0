/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the files of a model folder change together. A fit writes each file X as X.new, and
 * last of all model.json.new, which holds the checksums of the others: from the moment it
 * is there, it is the model. What is left is to rename every X.new to X, model.json.new
 * last. A reader that finds model.json.new goes by it and takes X.new where there is one,
 * so it has the former model whole or the new one whole, whenever the writer was killed;
 * the next fit finishes the renames.
 */
#ifndef DLP_CLI_TOPICS_COMMIT_H
#define DLP_CLI_TOPICS_COMMIT_H

#include <delaplace.h>
#include <jansson.h>
#include <stdbool.h>

/* The path of a file of the folder, with a suffix to its name; to be freed, NULL without
   memory. */
char *cli_topics_path(const char *folder, const char *name, const char *suffix);
dlp_status cli_topics_no_path(dlp_error *error); /* says that it was NULL */

/* Makes the folder where it is not there, tells whether it did, and whether it may be
   written to. One that holds other things than a model is misuse. Finishes what an earlier fit left to rename, and removes what it left half
   done. The folder is this process's until *lock is closed. */
dlp_status cli_topics_claim(const char *folder, bool *made, int *lock, dlp_error *error);

/* Whether the file of that name is in the folder. */
bool cli_topics_has(const char *folder, const char *name);

/* The size and checksum of a file, {bytes, crc32}. */
dlp_status cli_topics_checksum(const char *path, json_t **sum, dlp_error *error);

/* Writes info, which has a list "files" of the others' checksums, as model.json.new, and
   renames all. */
dlp_status cli_topics_commit(const char *folder, const json_t *info, dlp_error *error);
/* Removes what a fit that failed has written. */
void cli_topics_abandon(const char *folder);

/* model.json or model.json.new, to be released. */
dlp_status cli_topics_read_info(const char *folder, json_t **info, dlp_error *error);
/* The path of a file that info lists, X.new or X, to be freed; its checksum is right. */
dlp_status cli_topics_find(const char *folder, const json_t *info, const char *name,
                           char **path, dlp_error *error);

#endif
