/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is what a regression says of rows borne out? Rows are sorted by what it says and dealt
 * into parts of as many rows; in each, the mean of what it said stands against the mean of
 * what was observed, with an interval of 95 % for the latter: Wilson's for proportions,
 * else that of a mean. A response of several levels has a series for each.
 */
#ifndef DLP_CLI_GLM_CALIBRATION_H
#define DLP_CLI_GLM_CALIBRATION_H

#include "cli/glm/score.h"
#include "report/plot_calibration.h"

/* Zeroed, it is empty. */
typedef struct cli_calibration {
    dlp_index rows;
    bool shares; /* what is fitted are proportions */
    dlp_index n;
    dlpi_calibration_series *series; /* (n) */
} cli_calibration;

/* applied has scores, and must outlive it. */
dlp_status cli_calibrate(const cli_glm_applied *applied, cli_calibration *calibration,
                         dlp_error *error);
void cli_calibration_clear(cli_calibration *calibration);

/* glm_calibration_svg.c */
dlp_status cli_calibration_write_svg(const cli_glm_fit *fit,
                                     const cli_calibration *calibration, const char *path,
                                     dlp_error *error);

#endif
