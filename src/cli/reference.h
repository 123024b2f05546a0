/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists as they are typed, separated by commas: --reference COLUMN=LEVEL,..., the
   reference levels of factors, and --levels A,B,... of the response. */
#ifndef DLP_CLI_REFERENCE_H
#define DLP_CLI_REFERENCE_H

#include <delaplace.h>

/* Zeroed, it is empty. */
typedef struct cli_references {
    dlp_index n;
    dlp_reference *item; /* (n) */
    char *text;          /* the buffer that the items point into */
} cli_references;

/* Parses what was typed; NULL is an empty list. A comma starts a new item if COLUMN=
   follows, else it is part of the level. */
dlp_status cli_references_read(const char *typed, cli_references *references,
                               dlp_error *error);
void cli_references_clear(cli_references *references);

/* Zeroed, it is empty. */
typedef struct cli_levels {
    dlp_index n;
    const char **name; /* (n) */
    char *text;        /* the buffer that the names point into */
} cli_levels;

dlp_status cli_levels_read(const char *typed, cli_levels *levels, dlp_error *error);
void cli_levels_clear(cli_levels *levels);

#endif
