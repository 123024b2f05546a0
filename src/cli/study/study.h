/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paper's experiments on regressions (Section 5.2). A study is one data
 * set with several problems (the labels of Table 1, the splits of Table 2). Every arm, a
 * method in a setting, is fitted to every problem and scored on it.
 *
 * cmd_table1.c and cmd_table2.c say what the problems and arms are; the rest
 * is the same for both: data.c reads, fit.c fits and scores one arm of one
 * problem, run.c runs them all, test.c compares arms, print.c and
 * write.c show the results.
 */
#ifndef DLP_CLI_STUDY_STUDY_H
#define DLP_CLI_STUDY_STUDY_H

#include "cli/options.h"

#include <delaplace.h>
#include <delaplace/special.h>
#include <jansson.h>

#include <limits.h>

/* ---- problems ---- */

/* The training and test tables, which have the same columns. The columns are the study's
   own, or copies of some of their rows. Zeroed, it is empty. */
typedef struct cli_study_problem {
    dlp_formula *formula;
    const char *group; /* the column of the groups; NULL: there are none */
    dlp_table *train, *test;
} cli_study_problem;

/* ---- arms ---- */

typedef struct cli_study_arm {
    const char *method;              /* one of dlp_regression_method */
    dlp_grouping grouping;           /* DLP_UNGROUPED: the problem has no groups */
    bool paper_sigma0;               /* Sigma_0's update as printed */
    double accuracy, log_likelihood; /* in the paper's table; NaN: not given */
} cli_study_arm;

/* "hierarchical", "hierarchical*" with the printed update; "" without groups. */
const char *cli_study_setting(const cli_study_arm *arm);

/* How an arm did on the test rows of a problem. */
typedef struct cli_study_score {
    double accuracy;
    double log_likelihood;          /* mean over rows, at the posterior mean */
    double log_likelihood_averaged; /* the same, averaged over the posterior */
    double seconds;                 /* of the fit */
    dlp_outcome outcome;
} cli_study_score;

/* Fits the arm to the problem and scores it. */
dlp_status cli_study_fit(const cli_study_problem *problem, const cli_study_arm *arm,
                         cli_study_score *score, dlp_error *error);

/* ---- studies ---- */

/* A claim of the paper: the first arm does better than the second. */
typedef struct cli_study_claim {
    int better, than; /* arms */
} cli_study_claim;

/* One data set. */
typedef struct cli_study {
    const char *data, *unit; /* "yeast"; "label", what a problem is called */
    const char *file[2];     /* below the data folder, without .xz and the like */
    int arms, claims;
    const cli_study_arm *arm;     /* (arms) */
    const cli_study_claim *claim; /* (claims) */
    /* Finds the problems in the tables: sets problems, names and response. */
    dlp_status (*prepare)(struct cli_study *study, dlp_error *error);
    /* Makes problem i, from 0. The caller clears it, on failure, too. */
    dlp_status (*make)(const struct cli_study *study, dlp_index i,
                       cli_study_problem *problem, dlp_error *error);

    /* Everything below is zero until it runs. */
    dlp_table *table[2];
    dlp_table *joined; /* table[0] with the response, if problems select its rows */
    dlp_index problems;
    const dlp_column *names; /* (problems) columns that give the problems their names */
    double *response;        /* (rows) if it is not a column */
    cli_study_score *score;  /* (problems, arms) */
    double *paired;          /* (2, problems) to compare two arms */
} cli_study;

/* Whether the arm ran: --method leaves out the arms of other methods. */
bool cli_study_ran(const cli_study *study, int arm);
/* The mean score of an arm over the problems; seconds are summed, and the outcome is
   the first other than converged. */
cli_study_score cli_study_mean(const cli_study *study, int arm);

/* ---- data: data.c ---- */

/* Finds the path of a file below the folder; the file may be compressed. */
dlp_status cli_study_find(const char *folder, const char *name, char path[PATH_MAX],
                          dlp_error *error);

/* Reads the two tables. Every column must be numeric, without missing values. */
dlp_status cli_study_read(const char *folder, cli_study *study, dlp_error *error);
void cli_study_clear(cli_study *study);

/* Sets the formula to "`response` ~ ."; clearing the problem frees it. */
dlp_status cli_study_formula(const char *response, cli_study_problem *problem,
                             dlp_error *error);
void cli_study_problem_clear(cli_study_problem *problem);

/* ---- running: run.c ---- */

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
    cli_study *study; /* (studies) */
} cli_study_table;

/* Runs all studies of the table, reports, and returns an exit code. */
int cli_study_run(const cli_study_settings *settings, cli_study_table *table);

/* ---- comparisons ---- */

typedef enum cli_study_measure {
    CLI_ACCURACY,
    CLI_LOG_LIKELIHOOD,
    CLI_LOG_LIKELIHOOD_AVERAGED
} cli_study_measure;

/* Whether both arms ran. */
bool cli_study_is_tested(const cli_study *study, const cli_study_claim *claim);
/* A paired t-test, over the problems, of whether the first arm beats the second. */
dlp_paired_test cli_study_compare(const cli_study *study, const cli_study_claim *claim,
                                  cli_study_measure measure);

/* ---- reports ---- */

void cli_study_print(const cli_study_table *table);
/* NULL when out of memory. */
json_t *cli_study_json(const cli_study_table *table);
/* A line for each arm of each problem. */
dlp_status cli_study_write_csv(const cli_study_table *table, const char *path,
                               dlp_error *error);

#endif
