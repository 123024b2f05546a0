/* SPDX-License-Identifier: BSD-3-Clause */
/* The value of one option: reads, checks and stores it, and describes it in words. */
#ifndef DLP_CLI_VALUE_H
#define DLP_CLI_VALUE_H

#include "cli/options.h"

/* Enough for every description below; longer ones are cut. */
enum { CLI_TEXT = 512 };

/* The field at an offset in settings; the caller knows its type. */
void *cli_field(void *settings, size_t offset);

/* Reads text as the value of option into its field in settings. False if text has
   anything left over, is not of the option's type, or is out of range. */
bool cli_value_read(const cli_option *option, const char *text, void *settings);

/* The value in settings as it would be typed; numbers are written into text. NULL: the
   flag or value is not set. */
const char *cli_value_text(const cli_option *option, const void *settings,
                           char text[CLI_TEXT]);

/* What a value must be: "a whole number from 1 to 100". */
void cli_value_wanted(const cli_option *option, char text[CLI_TEXT]);

/* How the option is typed: "-o, --output FIT.json". */
void cli_option_label(const cli_option *option, char text[CLI_TEXT]);

/* What help adds to the option's sentences: what the value must be and its default. */
void cli_option_details(const cli_command *command, const cli_option *option,
                        char text[CLI_TEXT]);

#endif
