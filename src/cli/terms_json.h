/* SPDX-License-Identifier: BSD-3-Clause */
/* What makes the columns of a design, as the JSON files of fits keep it. */
#ifndef DLP_CLI_TERMS_JSON_H
#define DLP_CLI_TERMS_JSON_H

#include <delaplace.h>
#include <jansson.h>

/* {formula, response, group, factors, scalings, columns}; p columns. NULL without
   memory. */
json_t *cli_terms_json(const dlp_terms *terms, dlp_index p, const char *const *column);

/* What was read back: own copies, which the caller frees. */
typedef struct cli_read_columns {
    dlp_terms *terms;
    dlp_index p;
    char **column; /* (p) each to be freed */
} cli_read_columns;

/* name stands for the file in messages. The value may be damaged or made by hand, so
   nothing of it is believed before it is checked. On failure *columns is zeroed. */
dlp_status cli_terms_parse(const char *name, const json_t *object,
                           cli_read_columns *columns, dlp_error *error);
/* Frees what it holds and zeroes it. */
void cli_read_columns_clear(cli_read_columns *columns);

#endif
