/* SPDX-License-Identifier: BSD-3-Clause */
/* The fit of a model in the language of BUGS on a screen. */
#ifndef DLP_CLI_BUGS_VIEW_H
#define DLP_CLI_BUGS_VIEW_H

#include <delaplace.h>
#include <stdbool.h>
#include <stdio.h>

/* graded: with what importance sampling says about each node. */
void cli_bugs_print(const dlp_bugs *model, const char *path, bool graded);
/* What was done, and what is in doubt. */
void cli_bugs_print_head(FILE *out, const dlp_bugs *model);
/* All of it as a page. */
dlp_status cli_bugs_report(const dlp_bugs *model, const char *title, const char *path,
                           dlp_file_set *files, dlp_error *error);
void cli_bugs_print_plan(const dlp_bugs *model);

#endif
