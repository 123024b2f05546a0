/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paper's experiments on regressions (Section 5.2), as a program of the library. A study
 * is one data set with several problems (the labels of Table 1, the splits of Table 2). Every
 * arm, a method in a setting, is fitted to every problem and scored on it.
 *
 * labels.c and schools.c say what the problems and arms are; the rest is the same for both:
 * data.c reads, fit.c fits and scores one arm of one problem, run.c runs them all,
 * compare.c compares arms. The command line shows the results (src/cli/study). Internal.
 */
#ifndef DLPI_STUDY_STUDY_H
#define DLPI_STUDY_STUDY_H

#include <delaplace.h>
#include <delaplace/special.h>
#include <stdbool.h>

#include <limits.h>

/* ---- problems ---- */

/* The training and test tables, which have the same columns. The columns are the study's
   own, or copies of some of their rows. Zeroed, it is empty. */
typedef struct dlpi_study_problem {
    dlp_formula *formula;
    const char *group; /* the column of the groups; NULL: there are none */
    dlp_table *train, *test;
} dlpi_study_problem;

/* ---- arms ---- */

typedef struct dlpi_study_arm {
    const char *method;              /* one of dlp_regression_method */
    dlp_grouping grouping;           /* DLP_UNGROUPED: the problem has no groups */
    bool paper_sigma0;               /* Sigma_0's update as printed */
    double accuracy, log_likelihood; /* in the paper's table; NaN: not given */
} dlpi_study_arm;

/* "hierarchical", "hierarchical*" with the printed update; "" without groups. */
const char *dlpi_study_setting(const dlpi_study_arm *arm);

/* How an arm did on the test rows of a problem. */
typedef struct dlpi_study_score {
    double accuracy;
    double log_likelihood;          /* mean over rows, at the posterior mean */
    double log_likelihood_averaged; /* the same, averaged over the posterior */
    double seconds;                 /* of the fit */
    dlp_outcome outcome;
} dlpi_study_score;

/* Fits the arm to the problem and scores it. */
dlp_status dlpi_study_fit(const dlpi_study_problem *problem, const dlpi_study_arm *arm,
                          dlp_progress_call *stop, dlpi_study_score *score,
                          dlp_error *error);

/* ---- studies ---- */

/* A claim of the paper: the first arm does better than the second. */
typedef struct dlpi_study_claim {
    int better, than; /* arms */
} dlpi_study_claim;

/* One data set. */
typedef struct dlpi_study {
    const char *data, *unit; /* "yeast"; "label", what a problem is called */
    const char *file[2];     /* below the data folder, without .xz and the like */
    int arms, claims;
    const dlpi_study_arm *arm;     /* (arms) */
    const dlpi_study_claim *claim; /* (claims) */
    /* Finds the problems in the tables: sets problems, names and response. */
    dlp_status (*prepare)(struct dlpi_study *study, dlp_error *error);
    /* Makes problem i, from 0. The caller clears it, on failure, too. */
    dlp_status (*make)(const struct dlpi_study *study, dlp_index i,
                       dlpi_study_problem *problem, dlp_error *error);

    /* Everything below is zero until it runs. */
    dlp_table *table[2];
    dlp_table *joined; /* table[0] with the response, if problems select its rows */
    dlp_index problems;
    const dlp_column *names; /* (problems) columns that give the problems their names */
    double *response;        /* (rows) if it is not a column */
    dlpi_study_score *score; /* (problems, arms) */
    double *paired;          /* (2, problems) to compare two arms */
} dlpi_study;

/* Whether the arm ran: --method leaves out the arms of other methods. */
bool dlpi_study_ran(const dlpi_study *study, int arm);
/* The mean score of an arm over the problems; seconds are summed, and the outcome is
   the first other than converged. */
dlpi_study_score dlpi_study_mean(const dlpi_study *study, int arm);

/* ---- data ---- */

/* Finds the path of a file below the folder; the file may be compressed. */
dlp_status dlpi_study_find(const char *folder, const char *name, char path[PATH_MAX],
                           dlp_error *error);

/* Reads the two tables. Every column must be numeric, without missing values. */
dlp_status dlpi_study_read(const char *folder, dlpi_study *study, dlp_error *error);
void dlpi_study_clear(dlpi_study *study);

/* Sets the formula to "`response` ~ ."; clearing the problem frees it. */
dlp_status dlpi_study_formula(const char *response, dlpi_study_problem *problem,
                              dlp_error *error);
void dlpi_study_problem_clear(dlpi_study_problem *problem);

/* ---- running ---- */

typedef struct dlpi_study_settings {
    const char *method; /* the only one to run; NULL: all */
    int threads;        /* 0: one for each core */
    /* Whether to stop; called by all threads, without a context or progress. */
    dlp_progress_call *stop;
    /* So many fits are done; by one thread at a time. */
    void (*counted)(void *context, dlp_index done, dlp_index all);
    void *context;
} dlpi_study_settings;

/* Runs every arm on every problem, in parallel. *stopped: `stop` said so. */
dlp_status dlpi_study_run(const dlpi_study_settings *settings, dlpi_study *study,
                          bool *stopped, dlp_error *error);

/* The studies, before anything is read: Table 1's two, and Table 2's. */
dlpi_study dlpi_study_of_yeast(void);
dlpi_study dlpi_study_of_scene(void);
dlpi_study dlpi_study_of_schools(void);

/* ---- comparisons ---- */

typedef enum dlpi_study_measure {
    DLPI_STUDY_ACCURACY,
    DLPI_STUDY_LOG_LIKELIHOOD,
    DLPI_STUDY_LOG_LIKELIHOOD_AVERAGED
} dlpi_study_measure;

/* Whether both arms ran. */
bool dlpi_study_is_tested(const dlpi_study *study, const dlpi_study_claim *claim);
/* A paired t-test, over the problems, of whether the first arm beats the second. */
dlp_paired_test dlpi_study_compare(const dlpi_study *study, const dlpi_study_claim *claim,
                                   dlpi_study_measure measure);

#endif
