/* SPDX-License-Identifier: BSD-3-Clause */
/* A model in the BUGS language and its data, as given on the command line. */
#ifndef DLP_CLI_BUGS_SOURCE_H
#define DLP_CLI_BUGS_SOURCE_H

#include "cli/options.h"

#include <delaplace.h>

typedef struct cli_bugs_source {
    const char *model;
    const char *data;  /* NULL: none */
    const char *inits; /* NULL: none */
} cli_bugs_source;

#define CLI_BUGS_MODEL(at)                                                               \
    {                                                                                    \
        .name = "MODEL", .offset = (at), .path = true,                                   \
        .help = "The model, in the language of BUGS and JAGS; - is standard input."      \
    }
#define CLI_BUGS_DATA(at)                                                                \
    {                                                                                    \
        .name = "data", .letter = 'd', .type = CLI_PATH, .value = "DATA",                \
        .offset = (at),                                                                  \
        .help =                                                                          \
            "The data: an R dump, JSON or CSV (a column is a vector), plain or "         \
            "compressed by gzip, zstd or xz; - is standard input."                       \
    }
#define CLI_BUGS_INITS(at)                                                               \
    {                                                                                    \
        .name = "inits", .type = CLI_PATH, .value = "FILE", .offset = (at),              \
        .help = "Initial values, in the format of the data."                             \
    }

/* Reads the model and its data. Reports errors on stderr, and warnings unless --quiet.
   Returns an exit code; *bugs is NULL unless the code is CLI_DONE. */
int cli_bugs_open(const char *command, const cli_bugs_source *source, bool quiet,
                  dlp_bugs **bugs);

#endif
