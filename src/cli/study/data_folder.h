/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the data are that come with the program. */
#ifndef DLP_CLI_STUDY_DATA_FOLDER_H
#define DLP_CLI_STUDY_DATA_FOLDER_H

#include <delaplace.h>
#include <limits.h>

/*
 * The folder of the data, as one would type it: from the current folder where they are
 * below it. `given` (NULL: none) is what the user says; else it is looked for from where
 * the program itself stands, so that an installed tree may be moved. The error says what
 * to type when it is not there.
 */
dlp_status cli_data_folder(const char *given, char path[PATH_MAX], dlp_error *error);

#endif
