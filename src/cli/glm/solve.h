/* SPDX-License-Identifier: BSD-3-Clause */
/* One regression and its posterior: by the engine, or, where that is no good, without it. */
#ifndef DLP_CLI_GLM_SOLVE_H
#define DLP_CLI_GLM_SOLVE_H

#include "cli/glm/fit.h"

/* How the fit of a block ended, as one of many. */
typedef struct cli_glm_ending {
    dlp_status status;
    dlp_outcome outcome;
    int iterations, fallbacks;
    long evaluations;
    double objective;
    bool summed;     /* over the scale */
    bool propagated; /* by expectation propagation */
} cli_glm_ending;

/* Fits glm, which has these data, into block m of the fit, which says how. DLP_EINPUT where
   the numbers are too large. */
dlp_status cli_glm_solve(const dlp_glm_data *data, dlp_glm *glm, dlp_index m,
                         const dlp_settings *settings, cli_glm_fit *fit,
                         cli_glm_ending *end, dlp_error *error);

/* mu and Sigma of block m; and the trace of n rows, copied. */
void cli_glm_keep_block(cli_glm_fit *fit, dlp_index m, const double *mu,
                        const dlp_sym *Sigma);
dlp_status cli_glm_keep_trace(cli_glm_fit *fit, int n, const dlp_trace_row *trace,
                              dlp_error *error);

#endif
