/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean ...?": suggests the closest of the valid words. */
#ifndef DLP_CLI_SUGGEST_H
#define DLP_CLI_SUGGEST_H

#include "cli/options.h"
#include "core/suggest.h"

typedef struct dlpi_suggestion cli_suggestion;

/* A suggestion for a word of any length. Distant words are never suggested, except known
   synonyms ("logistic" for "bernoulli"). */
cli_suggestion cli_suggestion_for(const char *typed);
void cli_suggestion_consider(cli_suggestion *suggestion, const char *candidate);

/* The next two print what is wrong and what was probably meant, and return CLI_MISUSE. */

/* An unknown option. typed includes its dashes; anything from "=" on is ignored. */
int cli_unknown_option(const cli_command *command, const char *typed);

/* A value that the option does not take. */
int cli_wrong_value(const cli_command *command, const cli_option *option,
                    const char *text);

#endif
