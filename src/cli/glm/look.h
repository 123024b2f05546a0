/* SPDX-License-Identifier: BSD-3-Clause */
/* What 'glm residuals', 'glm ppc' and 'glm sbc' share. */
#ifndef DLP_CLI_GLM_LOOK_H
#define DLP_CLI_GLM_LOOK_H

#include "cli/glm/charts.h"
#include "cli/glm/source.h"
#include "cli/progress.h"
#include "io/print_file.h"

#include <jansson.h>

typedef struct cli_look {
    cli_common common;
    const char *fit;
    cli_glm_source source;
    cli_list by;
    const char *output, *svg;
    dlp_index seed, draws, threads, top, replicates, bins;
    bool as_new, middle, influence, json;
} cli_look;

/* How one of the commands works: what it asks of the library, and how it reports the
   result. */
typedef struct cli_look_job {
    const char *name, *phase;
    const char *missing; /* what to do about rows with missing values, or NULL */
    dlp_status (*find)(const cli_look *s, const cli_glm_applied *a,
                       dlp_design_problem *problem, cli_progress *progress, void **found,
                       dlp_error *error);
    void (*free)(void *found);
    dlpi_print_text *csv;
    json_t *(*json)(const void *found);
    void (*text)(const cli_look *s, const void *found);
    void (*draw)(const dlp_regression *fit, const void *found, cli_charts *charts);
    const char *title, *caption; /* of the picture */
} cli_look_job;

/* Returns an exit code. */
int cli_look_run(const cli_look_job *job, const cli_look *s);

/* The library's settings for residuals and replicates. */
dlp_look_settings cli_look_settings(const cli_look *s, dlp_design_problem *problem,
                                    cli_progress *progress);
/* The report about columns, as JSON. */
json_t *cli_look_by_json(const dlp_look_by *by, dlp_index n, bool replicated);

/* residuals_write.c, residuals_svg.c */
void cli_residuals_csv(FILE *out, const void *what);
json_t *cli_residuals_json(const void *residuals);
void cli_residuals_draw(const dlp_regression *fit, const void *residuals, cli_charts *c);
/* ppc_write.c */
void cli_ppc_csv(FILE *out, const void *what);
json_t *cli_ppc_json(const void *replicates);
void cli_ppc_draw(const dlp_regression *fit, const void *replicates, cli_charts *c);

#endif
