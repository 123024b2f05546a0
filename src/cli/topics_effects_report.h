/* SPDX-License-Identifier: BSD-3-Clause */
/* The effects of covariates on topics, as text, CSV and JSON. */
#ifndef DLP_CLI_TOPICS_EFFECTS_REPORT_H
#define DLP_CLI_TOPICS_EFFECTS_REPORT_H

#include "cli/topics_folder.h"

#include <stdbool.h>

typedef struct cli_effects {
    const cli_topics_folder *folder;
    const char *formula;
    const char *const *name; /* (p) of the columns */
    dlp_index D;             /* documents */
    int draws;
    dlp_index topic; /* the one to show, from 0; -1: all */
    dlp_effects effects;
} cli_effects;

/* For people; plot: draw the intervals. */
dlp_status cli_effects_print(const cli_effects *e, bool plot, dlp_error *error);
/* topic,term,estimate,sd,lower,upper */
dlp_status cli_effects_write_csv(const cli_effects *e, const char *path,
                                 dlp_error *error);
/* topics_effects_svg.c: as a picture for a paper. */
dlp_status cli_effects_write_svg(const cli_effects *e, const char *path,
                                 dlp_error *error);
/* NULL without memory. */
json_t *cli_effects_json(const cli_effects *e);

#endif
