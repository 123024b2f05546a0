/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a table for a command, as a phase of its own; finds columns by name; and advises
   the user when the library refuses the table. */
#ifndef DLP_CLI_TABLE_H
#define DLP_CLI_TABLE_H

#include <delaplace.h>

/* dlp_table_read, with progress. */
dlp_status cli_table_read(const char *path, const dlp_table_options *options,
                          dlp_table **table, dlp_error *error);

/* What to do with rows that lack a value: "drop" leaves them out, "error" refuses
   them. */
const char *cli_table_missing(int i);
const char *cli_missing_usual(void);

/* Refuses a column that is missing from the table read from path. option is the one that
   named it: "--by". */
dlp_status cli_table_check_column(const dlp_table *table, const char *path,
                                  const char *option, const char *column,
                                  dlp_error *error);

/* What to type next, for each reason why the library may refuse a table; NULL:
   nothing. */
typedef struct cli_design_advice {
    const char *missing, *level, *group;
} cli_design_advice;
/* Appends the advice to the message of a design that failed. Returns status. */
dlp_status cli_design_advise(const dlp_design_problem *problem,
                             const cli_design_advice *advice, dlp_status status,
                             dlp_error *error);

#endif
