/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean ...?": the nearest of the words that would have been right. */
#ifndef DLP_CLI_GUESS_H
#define DLP_CLI_GUESS_H

#include "core/suggest.h"

typedef struct dlpi_suggestion cli_guess;

/* A guess for a word, of any length; words too far from it are never offered. */
cli_guess cli_guess_for(const char *typed);

void cli_guess_consider(cli_guess *guess, const char *candidate);

#endif
