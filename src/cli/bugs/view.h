/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands of models in the language of BUGS share. */
#ifndef DLP_CLI_BUGS_VIEW_H
#define DLP_CLI_BUGS_VIEW_H

#include "cli/options.h"

#include <delaplace.h>

#define CLI_BUGS_MODEL(at)                                                               \
    {                                                                                    \
        .name = "MODEL", .offset = (at), .path = true,                                   \
        .help = "The model, in the language of BUGS and JAGS; - is standard input."      \
    }
#define CLI_BUGS_DATA(at)                                                                \
    {                                                                                    \
        .name = "data", .letter = 'd', .type = CLI_PATH, .value = "FILES",               \
        .offset = (at),                                                                  \
        .help = "The data: R's dump format, JSON or CSV, plain or compressed; several "  \
                "files are parted by commas."                                            \
    }
#define CLI_BUGS_INITS(at)                                                               \
    {                                                                                    \
        .name = "inits", .type = CLI_PATH, .value = "FILE", .offset = (at),              \
        .help = "Where to begin, as data are written. The answer does not depend on it " \
                "where the posterior has one mode."                                      \
    }

/* Words parted by commas that stand outside of brackets. */
typedef struct cli_words_of {
    int n;
    char **word;
} cli_words_of;

dlp_status cli_bugs_split(const char *text, cli_words_of *words, dlp_error *error);
void cli_bugs_words_free(cli_words_of *words);

/* Reads the model and its data, and prints what is doubtful. */
dlp_status cli_bugs_read(const char *model_path, const char *data, const char *inits,
                         dlp_bugs **model, dlp_error *error);
/* Prints all that is wrong; the exit code. model may be NULL. */
int cli_bugs_failed(const dlp_bugs *model, dlp_status status, const dlp_error *error);

void cli_bugs_print(const dlp_bugs *model, const char *path);
void cli_bugs_print_plan(const dlp_bugs *model);
dlp_status cli_bugs_write_draws(const dlp_bugs *model, const char *path,
                                dlp_error *error);

#endif
