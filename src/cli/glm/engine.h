/* SPDX-License-Identifier: BSD-3-Clause */
/* A regression fitted to rows: one posterior, one for each group, or a hierarchy. */
#ifndef DLP_CLI_GLM_ENGINE_H
#define DLP_CLI_GLM_ENGINE_H

#include "cli/glm/rows.h"
#include "cli/progress.h"

/*
 * Fits the rows, and parts them first where the fit is grouped. On entry *fit says what
 * to do: terms, family, link, method, grouping, prior, tol, max_iter, columns and shape.
 * The rest of it is filled in.
 */
dlp_status cli_glm_run(cli_glm_rows *rows, int threads, cli_progress *progress,
                       cli_glm_fit *fit, dlp_error *error);

#endif
