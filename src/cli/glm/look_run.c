/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps that 'glm residuals', 'glm ppc' and 'glm sbc' share: open, find, write,
   report. */
#include "cli/files.h"
#include "cli/glm/look.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>

static dlp_status find(const cli_look_job *job, const cli_look *s,
                       const cli_glm_applied *a, void **found, dlp_error *error)
{
    const cli_design_advice advice = {.missing = job->missing};
    dlp_design_problem problem = {.kind = DLP_PROBLEM_OTHER};
    cli_progress progress = cli_progress_begin(job->phase);
    const dlp_status status = job->find(s, a, &problem, &progress, found, error);
    cli_progress_end();
    return cli_design_advise(&problem, &advice, status, error);
}

static dlp_status draw(const cli_look_job *job, const dlp_regression *fit,
                       const void *found, const char *path, dlp_file_set *files,
                       dlp_error *error)
{
    cli_charts *c = calloc(1, sizeof *c);
    if (!c) return dlp_fail(error, DLP_ENOMEM, "not enough memory to draw %s", path);
    job->draw(fit, found, c);
    const dlp_status status =
        cli_charts_write(c, fit, job->title, job->caption, path, files, error);
    cli_charts_clear(c);
    free(c);
    return status;
}

/* Writes the table and the picture together, or neither. */
static dlp_status write_files(const cli_look_job *job, const cli_look *s,
                              const dlp_regression *fit, const void *found,
                              dlp_error *error)
{
    dlp_file_set *files = NULL;
    CLI_TRY(dlp_file_set_alloc(&files, error));
    dlp_status status = DLP_OK;
    if (s->output)
        status =
            dlpi_print_file_in(files, cli_output_path(s->output), job->csv, found, error);
    if (status == DLP_OK && s->svg)
        status = draw(job, fit, found, cli_output_path(s->svg), files, error);
    if (status == DLP_OK) status = dlp_file_set_commit(files, error);
    dlp_file_set_free(files);
    return status;
}

static dlp_status tell(const cli_look_job *job, const cli_look *s, const void *found,
                       dlp_error *error)
{
    if (cli_is_stdout(s->output) || cli_is_stdout(s->svg)) return DLP_OK;
    if (s->json) {
        json_t *root = job->json(found);
        const dlp_status status = cli_json_print(root, error);
        json_decref(root);
        return status;
    }
    job->text(s, found);
    if (s->common.quiet || (!s->output && !s->svg)) return DLP_OK;
    putchar('\n');
    cli_print_written(s->output);
    cli_print_written(s->svg);
    return DLP_OK;
}

int cli_look_run(const cli_look_job *job, const cli_look *s)
{
    if (cli_check_json(job->name, s->json, "--svg", s->svg) ||
        cli_check_json(job->name, s->json, "--output", s->output))
        return CLI_MISUSE;
    cli_glm_applied applied = {.fit = NULL};
    void *found = NULL;
    dlp_error error = {0};
    dlp_status status = cli_try_output(s->output, &error);
    if (status == DLP_OK) status = cli_try_output(s->svg, &error);
    if (status == DLP_OK) status = cli_glm_open(s->fit, &s->source, &applied, &error);
    if (status == DLP_OK) status = find(job, s, &applied, &found, &error);
    if (status == DLP_OK) status = write_files(job, s, applied.fit, found, &error);
    if (status == DLP_OK) status = tell(job, s, found, &error);
    if (found) job->free(found);
    cli_glm_applied_clear(&applied);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}
