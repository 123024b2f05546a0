/* SPDX-License-Identifier: BSD-3-Clause */
/* EM from its start, or from a checkpoint, to its end or to a signal. */
#ifndef DLP_CLI_TOPICS_RUN_H
#define DLP_CLI_TOPICS_RUN_H

#include "cli/progress.h"
#include "cli/topics/write.h"

typedef struct cli_topics_run {
    cli_topics_fit *fit;    /* with its ctm: as allocated, or as loaded */
    double every;           /* seconds between checkpoints; 0: after each iteration */
    cli_progress *progress; /* begun */
} cli_topics_run;

/* The path of the checkpoint in a folder, to be freed; NULL without memory. */
char *cli_topics_checkpoint(const char *folder);

/* Steps until the fit ends or a signal comes, in which case *stopped is true and a
   checkpoint is written. started is the time when the program began to work. */
dlp_status cli_topics_run_to_end(const cli_topics_run *run, double started, bool *stopped,
                                 dlp_error *error);

#endif
