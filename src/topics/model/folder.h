/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the files of a model folder change together. A fit writes each file X as X.new, and
 * last of all model.json.new, which holds the checksums of the others: from the moment it
 * is there, it is the model. What is left is to rename every X.new to X, model.json.new
 * last. A reader that finds model.json.new goes by it and takes X.new where there is one,
 * so it has the former model whole or the new one whole, whenever the writer was killed;
 * the next fit finishes the renames. Internal.
 */
#ifndef DLPI_TOPICS_FOLDER_H
#define DLPI_TOPICS_FOLDER_H

#include <delaplace/topic_model.h>

#include <jansson.h>
#include <stdbool.h>

struct dlp_topic_folder {
    char *path;
    bool made; /* it was not there before */
    int lock;
};

/* The path of a file of the folder, with a suffix to its name; to be freed, NULL without
   memory. */
char *dlpi_folder_path(const char *folder, const char *name, const char *suffix);
dlp_status dlpi_folder_no_path(dlp_error *error); /* says that it was NULL */

/* Whether the file of that name is in the folder. */
bool dlpi_folder_has(const char *folder, const char *name);

/* The size and checksum of a file, {bytes, crc32}. */
dlp_status dlpi_folder_checksum(const char *path, json_t **sum, dlp_error *error);

/* Writes info, which has a list "files" of the others' checksums, as model.json.new, and
   renames all. */
dlp_status dlpi_folder_commit(const char *folder, const json_t *info, dlp_error *error);
/* Removes what a fit that failed has written. */
void dlpi_folder_abandon(const char *folder);

/* model.json or model.json.new, to be released. */
dlp_status dlpi_folder_read_info(const char *folder, json_t **info, dlp_error *error);
/* The path of a file that info lists, X.new or X, to be freed; its checksum is right. */
dlp_status dlpi_folder_find(const char *folder, const json_t *info, const char *name,
                            char **path, dlp_error *error);
/* Such a file's array, of rows or (rows, columns) numbers: columns 0, one dimension. */
dlp_status dlpi_folder_read_array(const char *folder, const json_t *info,
                                  const char *name, dlp_index rows, dlp_index columns,
                                  double **x, dlp_error *error);
/* Its n lines, one block to be freed. */
dlp_status dlpi_folder_read_lines(const char *folder, const json_t *info,
                                  const char *name, dlp_index n, char ***lines,
                                  dlp_error *error);

#endif
