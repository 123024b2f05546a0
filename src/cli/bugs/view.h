/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the fit of a model written in the BUGS language. */
#ifndef DLP_CLI_BUGS_VIEW_H
#define DLP_CLI_BUGS_VIEW_H

#include <delaplace.h>
#include <stdbool.h>
#include <stdio.h>

/* graded: also print what importance sampling says about each node. */
void cli_bugs_print(const dlp_bugs *model, const char *path, bool graded);
/* What was done, and what is in doubt. */
void cli_bugs_print_head(FILE *out, const dlp_bugs *model);
/* The whole fit as an HTML page. */
dlp_status cli_bugs_report(const dlp_bugs *model, const char *title, const char *path,
                           dlp_file_set *files, dlp_error *error);
void cli_bugs_print_plan(const dlp_bugs *model);

#endif
