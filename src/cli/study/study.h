/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's experiments on regressions: the options, and how results are shown. */
#ifndef DLP_CLI_STUDY_STUDY_H
#define DLP_CLI_STUDY_STUDY_H

#include "cli/options.h"
#include "study/study.h"

#include <jansson.h>

/* What the user types after 'study table1' or 'study table2'. */
typedef struct cli_study_settings {
    cli_common common;
    const char *data, *output;
    const char *method; /* NULL: all */
    dlp_index threads;
    bool json;
} cli_study_settings;

/* The options that fill cli_study_settings. */
extern const cli_option cli_study_options[];

/* A table of the paper. */
typedef struct cli_study_table {
    const char *name;    /* "table1" */
    const char *title;   /* the heading of the text report */
    const char *remarks; /* below the table */
    int studies;
    dlpi_study *study; /* (studies) */
} cli_study_table;

/* Runs all studies of the table, reports, and returns an exit code. */
int cli_study_run(const cli_study_settings *settings, cli_study_table *table);

/* ---- reports ---- */

void cli_study_print(const cli_study_table *table);
/* NULL when out of memory. */
json_t *cli_study_json(const cli_study_table *table);
/* A line for each arm of each problem. */
dlp_status cli_study_write_csv(const cli_study_table *table, const char *path,
                               dlp_error *error);

#endif
