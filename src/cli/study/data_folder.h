/* SPDX-License-Identifier: BSD-3-Clause */
/* Where to find the data that come with the program. */
#ifndef DLP_CLI_STUDY_DATA_FOLDER_H
#define DLP_CLI_STUDY_DATA_FOLDER_H

#include <delaplace.h>
#include <limits.h>

/*
 * The folder of the data, as a user would type it: relative to the current folder if the
 * data are below it. `given` is the user's choice; if it is NULL, this searches relative
 * to the program itself, so that an installed tree may be moved. If the folder is not
 * found, the error says what to type.
 */
dlp_status cli_data_folder(const char *given, char path[PATH_MAX], dlp_error *error);

#endif
