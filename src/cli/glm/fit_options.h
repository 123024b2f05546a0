/* SPDX-License-Identifier: BSD-3-Clause */
/* The options and operands of 'glm fit'. */
#ifndef DLP_CLI_GLM_FIT_OPTIONS_H
#define DLP_CLI_GLM_FIT_OPTIONS_H

#include "cli/options.h"

#include <delaplace.h>

typedef struct cli_glm_fit_settings {
    cli_common common;
    const char *formula;
    const char *data, *format, *encoding;
    const char *missing; /* one of cli_table_missing */
    const char *output;
    const char *family, *link;
    const char *levels;     /* "low,middle,high" */
    const char *references; /* in the format of reference.h */
    const char *group, *weights, *precision, *trials;
    const char *adjacency; /* a file */
    const char *groups;    /* how: one of dlp_grouping_name */
    const char *method;
    double prior_sd, prior_df, intercept_sd;
    const char *prior_file, *prior_covariance;
    cli_list priors;   /* as dlp_regression_settings.priors */
    const char *hyper; /* one of dlp_hyper_name */
    const char *hyperprior, *sigma0_update, *scale;
    double df;
    double nu, phi0, phi1;
    double tol;
    dlp_index max_iter;
    dlp_index threads;
    bool verify, no_grades;
    const char *level;
    bool exponentiate;
    bool json;
} cli_glm_fit_settings;

extern const cli_operand cli_glm_fit_operands[];
extern const cli_option cli_glm_fit_options[];

#endif
