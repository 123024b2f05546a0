/* SPDX-License-Identifier: BSD-3-Clause */
/* What 'glm residuals' and 'glm ppc' share. */
#ifndef DLP_CLI_GLM_LOOK_H
#define DLP_CLI_GLM_LOOK_H

#include "cli/glm/source.h"

#include <jansson.h>

typedef struct cli_look {
    cli_common common;
    const char *fit;
    cli_glm_source source;
    cli_list by;
    const char *output, *svg;
    dlp_index seed, draws, threads, top;
    bool as_new, middle, influence, json;
} cli_look;

/* The library's settings. */
dlp_look_settings cli_look_settings(const cli_look *s);
/* What is told of columns. */
json_t *cli_look_by_json(const dlp_look_by *by, dlp_index n, bool replicated);

/* residuals_write.c */
dlp_status cli_residuals_csv(const dlp_residuals *r, const char *path, dlp_error *error);
json_t *cli_residuals_json(const dlp_residuals *r);
/* residuals_svg.c */
dlp_status cli_residuals_svg(const dlp_regression *fit, const dlp_residuals *r,
                             const char *path, dlp_error *error);
/* ppc_write.c */
dlp_status cli_ppc_csv(const dlp_replicates *r, const char *path, dlp_error *error);
json_t *cli_ppc_json(const dlp_replicates *r);
dlp_status cli_ppc_svg(const dlp_regression *fit, const dlp_replicates *r,
                       const char *path, dlp_error *error);

#endif
