/* SPDX-License-Identifier: BSD-3-Clause */
/* The effects of covariates on topics, as text, CSV and JSON. */
#ifndef DLP_CLI_TOPICS_EFFECTS_REPORT_H
#define DLP_CLI_TOPICS_EFFECTS_REPORT_H

#include "cli/topics/covariates.h"
#include "cli/topics/model.h"

#include <jansson.h>

typedef struct cli_effects {
    const dlp_topic_model *model;
    const dlp_design *design;            /* what the shares are regressed on */
    dlp_index D;                         /* documents of the regression */
    dlp_index dropped;                   /* others, which lack a value */
    const cli_covariates *covariates[2]; /* a value of either of these */
    int draws;
    dlp_index topic; /* the one to show, from 0; -1: all */
    dlp_effects effects;
} cli_effects;

/* Finds the next factor, from *at on, whose other levels are compared with its first,
   and moves *at past it; NULL: there is none. Skips a factor that occurs only in
   interactions, since it has an effect for each level. */
const dlp_levels *cli_effects_next_factor(const cli_effects *e, dlp_index *at);

/* As text, in percentage points; plot: draw the intervals. */
dlp_status cli_effects_print(const cli_effects *e, bool plot, dlp_error *error);
/* topic,term,mean,sd,lower,upper: shares from 0 to 1 and their differences, as in JSON */
dlp_status cli_effects_write_csv(const cli_effects *e, const char *path,
                                 dlp_file_set *files, dlp_error *error);
/* effects_svg.c: as a picture for a paper. */
dlp_status cli_effects_write_svg(const cli_effects *e, const char *path,
                                 dlp_file_set *files, dlp_error *error);
/* NULL when out of memory. */
json_t *cli_effects_json(const cli_effects *e);

#endif
