/* SPDX-License-Identifier: BSD-3-Clause */
/* Files as options name them: "-" is standard input or output. */
#ifndef DLP_CLI_FILES_H
#define DLP_CLI_FILES_H

#include <delaplace.h>
#include <stdbool.h>

/* The file that --output names: "-" is standard output. */
const char *cli_output_path(const char *typed);
/* Whether an option names standard output; NULL: the option was not typed. */
bool cli_is_stdout(const char *typed);
/* The message when two options both name standard output. */
extern const char cli_two_outputs[];
/* Refuses --json together with an option ("--output") that also names standard output:
   says so and returns CLI_MISUSE, else CLI_DONE. */
int cli_check_json(const char *command, bool json, const char *option, const char *typed);
/* Says which file a command has written; silent for standard output. NULL: the option was
   not typed. */
void cli_print_written(const char *typed);
/* Fails before the work is done if writing to the file would fail later. NULL: the option
   was not typed. */
dlp_status cli_try_output(const char *typed, dlp_error *error);
/* The name of an input in messages: "-" is "standard input". */
const char *cli_input_name(const char *typed);
/* False for standard input and for files that do not exist. */
bool cli_is_folder(const char *path);

/* Puts the file's name before the message of an input error if the library did not know
   it. Messages about the formula alone need no name. Returns status. */
dlp_status cli_in_file(const char *path, dlp_status status, dlp_error *error);

#endif
