/* SPDX-License-Identifier: BSD-3-Clause */
/* The fit of a model in the language of BUGS on a screen. */
#ifndef DLP_CLI_BUGS_VIEW_H
#define DLP_CLI_BUGS_VIEW_H

#include <delaplace.h>

void cli_bugs_print(const dlp_bugs *model, const char *path);
void cli_bugs_print_plan(const dlp_bugs *model);

#endif
