/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/study/data_folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file by which the folder is recognized. */
static const char landmark[] = "packages.ldac";

/* Whether the folder has a readable landmark. */
static bool holds_data(const char *folder)
{
    char file[PATH_MAX];
    const int length = snprintf(file, sizeof file, "%s/%s", folder, landmark);
    return length < (int)sizeof file && access(file, R_OK) == 0;
}

/* Finds the folder beside the program, with symbolic links resolved; false if there is
   none. */
static bool beside_program(char path[PATH_MAX])
{
    char program[PATH_MAX], folder[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) return false;
    program[length] = '\0';
    char *name = strrchr(program, '/');
    if (!name) return false;
    *name = '\0';
    const int needed =
        snprintf(folder, sizeof folder, "%s/%s", program, DLP_DATA_FROM_BIN);
    return needed < (int)sizeof folder && realpath(folder, path) && holds_data(path);
}

/* Makes the path relative if it is below the current folder. */
static void shorten(char path[PATH_MAX])
{
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here)) return;
    const size_t length = strlen(here);
    if (!strncmp(path, here, length) && path[length] == '/')
        memmove(path, path + length + 1, strlen(path + length + 1) + 1);
}

dlp_status cli_data_folder(const char *given, char path[PATH_MAX], dlp_error *error)
{
    if (given) {
        const int length = snprintf(path, PATH_MAX, "%s", given);
        if (length < PATH_MAX && holds_data(given)) return DLP_OK;
        snprintf(error->message, sizeof error->message,
                 "%.400s: has no %s; name the folder data/ of the project, or "
                 "share/delaplace of an installation",
                 given, landmark);
        return DLP_EINPUT;
    }
    if (beside_program(path)) {
        shorten(path);
        return DLP_OK;
    }
    snprintf(error->message, sizeof error->message,
             "the data that come with the program are not where it was installed; name "
             "their folder with --data");
    return DLP_EINPUT;
}
