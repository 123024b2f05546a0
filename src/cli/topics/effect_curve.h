/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of topics as a covariate changes, as text, CSV, JSON and a picture. */
#ifndef DLP_CLI_TOPICS_EFFECT_CURVE_H
#define DLP_CLI_TOPICS_EFFECT_CURVE_H

#include "cli/topics/model.h"

#include <jansson.h>

typedef struct cli_effect_curve {
    const dlp_topic_model *model;
    const char *formula;
    const char *of, *by; /* columns; by may be NULL */
    dlp_index topic;     /* the one to show, from 0; -1: all */
    bool differences;    /* show differences from the first level of by, not shares */
    dlp_effect_curve curve;
} cli_effect_curve;

/* What to show at value i of curve c of topic k. */
dlp_share cli_effect_curve_at(const cli_effect_curve *e, dlp_index k, dlp_index c,
                              dlp_index i);
/* The first curve to show: for differences the second, since the first has none. */
dlp_index cli_effect_curve_first(const cli_effect_curve *e);
/* How many of the shares shown cannot be (dlp_effect_curve.impossible). */
dlp_index cli_effect_curve_impossible(const cli_effect_curve *e);

/* As text, in per cent; if there are many values, only some of them. */
dlp_status cli_effect_curve_print(const cli_effect_curve *e, dlp_error *error);
/* topic,OF[,BY],mean,sd,lower,upper: shares from 0 to 1, as in JSON */
dlp_status cli_effect_curve_csv(const cli_effect_curve *e, const char *path,
                                dlp_file_set *files, dlp_error *error);
/* effect_curve_svg.c: a chart for each topic. */
dlp_status cli_effect_curve_svg(const cli_effect_curve *e, const char *path,
                                dlp_file_set *files, dlp_error *error);
/* NULL when out of memory. */
json_t *cli_effect_curve_json(const cli_effect_curve *e);

#endif
