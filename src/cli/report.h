/* SPDX-License-Identifier: BSD-3-Clause */
/* What the reports of all fits share: numbers with their interval, how a fit ended, names
   and command lines on a screen. */
#ifndef DLP_CLI_REPORT_H
#define DLP_CLI_REPORT_H

#include "cli/outcome.h"

#include <delaplace.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The file that --output names: "-" is standard output. */
const char *cli_output_path(const char *typed);
/* Whether an option names standard output; NULL: it was not typed. */
bool cli_is_stdout(const char *typed);
/* What to say when two options do. */
extern const char cli_two_outputs[];
/* Refuses --json beside an option ("--output") that names standard output, too: says so
   and returns CLI_MISUSE, else CLI_DONE. */
int cli_check_json(const char *command, bool json, const char *option, const char *typed);
/* Says where a command has written, unless to standard output; NULL: it was not typed. */
void cli_print_written(const char *typed);
/* Fails as writing to it would, before the work is done; NULL: it was not typed. */
dlp_status cli_try_output(const char *typed, dlp_error *error);
/* How messages call an input: "-" is "standard input". */
const char *cli_input_name(const char *typed);
/* False for standard input and for what is not there. */
bool cli_is_folder(const char *path);

/* Puts the name of a file before the message of an input error, where the library did not
   know it; a message about the formula alone needs none. Returns status. */
dlp_status cli_in_file(const char *path, dlp_status status, dlp_error *error);

/* What to type next, for each reason why the library may refuse a table; NULL: nothing. */
typedef struct cli_design_advice {
    const char *missing, *level, *group;
} cli_design_advice;
/* Puts the advice behind the message of a design that failed. Returns status. */
dlp_status cli_design_advise(const dlp_design_problem *problem,
                             const cli_design_advice *advice, dlp_status status,
                             dlp_error *error);

/* "s" where a count wants it. */
const char *cli_plural(dlp_index count);

/* Prints a name in a column of that width. Control characters, which could steer a
   terminal, become question marks; bytes that continue a UTF-8 character take no room. */
void cli_print_name(const char *name, int width);
/* The same elsewhere, as wide as it is. */
void cli_write_name(FILE *out, const char *name);
/* The room that a name takes. */
int cli_name_width(const char *name);
/* Prints a word as a shell takes it: in quotes when it is not plain. */
void cli_print_shell_word(const char *word);

#endif
