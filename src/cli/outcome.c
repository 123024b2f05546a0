/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/outcome.h"

#include "cli/message.h"
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>

const char *cli_outcome_sentence(dlp_outcome outcome)
{
    switch (outcome) {
    case DLP_CONVERGED: return "converged";
    case DLP_MAX_ITERATIONS: return "stopped before convergence";
    case DLP_NOT_CONCAVE: return "found no maximum";
    case DLP_DIVERGED: return "diverged";
    case DLP_STALLED: return "stalled short of convergence";
    case DLP_CANCELLED: return "was cancelled";
    case DLP_RUNNING:
    case DLP_NOT_STARTED:
    case DLP_FAILED: break;
    }
    return "did not end";
}

int cli_outcome_exit(dlp_outcome outcome)
{
    if (outcome == DLP_CONVERGED) return CLI_DONE;
    /* with --quiet, nothing else reports it */
    if (outcome == DLP_CANCELLED) {
        fputs("delaplace: stopped by a signal; the result so far says so\n", stderr);
        return cli_progress_exit();
    }
    const char *sentence = cli_outcome_sentence(outcome),
               *name = dlp_outcome_name(outcome);
    const bool same = !strcmp(sentence, name);
    fprintf(stderr, "delaplace: the fit %s%s%s%s\n", sentence, same ? "" : " (",
            same ? "" : name, same ? "" : ")");
    return CLI_NOT_CONVERGED;
}
