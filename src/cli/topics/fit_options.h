/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be typed after 'topics fit'. */
#ifndef DLP_CLI_TOPICS_FIT_OPTIONS_H
#define DLP_CLI_TOPICS_FIT_OPTIONS_H

#include "cli/options.h"

#include <delaplace.h>

typedef struct cli_topics_fit_settings {
    cli_common common;
    const char *corpus;
    const char *output;
    dlp_index K;
    const char *vocab;
    const char *format;
    const char *method;
    const char *prior;
    const char *route;
    const char *covariance;
    const char *assign;
    const char *init;
    dlp_index seed;
    dlp_index threads;
    dlp_index max_iter;
    double tol;
    double smooth;
    double shrink;
    bool diagonal;
    const char *covariates;
    const char *formula;
    const char *document;
    const char *missing;
    const char *seeds;
    double seed_weight;
    const char *fixed;
    const char *time;
    dlp_index slices;
    dlp_index online;
    double drift;
    const char *content;
    dlp_index restarts;
    const char *labels;
    double ridge;
    double every;
    bool resume;
    bool json;
} cli_topics_fit_settings;

extern const cli_operand cli_topics_fit_operands[];
extern const cli_option cli_topics_fit_options[];
/* Sets the options to the library's defaults. */
void cli_topics_fit_defaults(void *settings);

#endif
