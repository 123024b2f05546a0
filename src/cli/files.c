/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/files.h"

#include "cli/message.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *cli_output_path(const char *typed)
{
    return strcmp(typed, "-") ? typed : "/dev/stdout";
}

const char cli_two_outputs[] =
    "--output and --svg cannot both be standard output; name a file for one";

bool cli_is_stdout(const char *typed)
{
    return typed && !strcmp(typed, "-");
}

int cli_check_json(const char *command, bool json, const char *option, const char *typed)
{
    if (!json || !cli_is_stdout(typed)) return CLI_DONE;
    return cli_misuse(command,
                      "--json and %s - cannot be combined: both write to standard output",
                      option);
}

void cli_print_written(const char *typed)
{
    if (typed && !cli_is_stdout(typed)) printf("Written to %s\n", typed);
}

dlp_status cli_try_output(const char *typed, dlp_error *error)
{
    return typed ? dlp_file_try(cli_output_path(typed), error) : DLP_OK;
}

const char *cli_input_name(const char *typed)
{
    return strcmp(typed, "-") ? typed : "standard input";
}

bool cli_is_folder(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

dlp_status cli_in_file(const char *path, dlp_status status, dlp_error *error)
{
    const dlp_error why = *error;
    if (status != DLP_EINPUT) return status;
    (void)dlp_fail(error, status, "%s: %s", cli_input_name(path), why.message);
    error->remedy = why.remedy;
    return status;
}
