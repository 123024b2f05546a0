/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs every arm on every problem of a study, in parallel, and then reports. */
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/outcome.h"
#include "cli/progress.h"
#include "cli/study/study.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A running study; the threads share it. */
typedef struct running {
    cli_study *study;
    const char *method; /* the only one to run; NULL: all */
    int threads;
    cli_progress *progress;
    dlp_index fits, done; /* how many in all, how many have ended */
    bool stopped;         /* by the user */
    dlp_index at;         /* the first problem that failed, and why */
    dlp_status status;
    dlp_error error;
} running;

static bool is_wanted(const running *r, const cli_study_arm *arm)
{
    return !r->method || !strcmp(r->method, arm->method);
}

static dlp_index count_fits(const running *r)
{
    dlp_index arms = 0;
    for (int j = 0; j < r->study->arms; j++) arms += is_wanted(r, &r->study->arm[j]);
    return r->study->problems * arms;
}

static void show_progress(running *r)
{
#pragma omp critical(study)
    {
        r->done++;
        cli_progress_count(r->progress, r->done, r->fits, "fits");
    }
}

/* Keeps the failure of the first problem in the list, in whatever order they ran. */
static void note_failure(running *r, dlp_index i, dlp_status status,
                         const dlp_error *error)
{
#pragma omp critical(study)
    {
        if (r->status == DLP_OK || i < r->at) {
            r->status = status;
            r->at = i;
            r->error = *error;
        }
    }
}

static bool is_stopped(running *r)
{
    bool stopped;
#pragma omp atomic read
    stopped = r->stopped;
    return stopped;
}

static void stop(running *r)
{
#pragma omp atomic write
    r->stopped = true;
}

static dlp_status run_arms(running *r, dlp_index i, const cli_study_problem *problem,
                           dlp_error *error)
{
    const cli_study *study = r->study;
    for (int j = 0; j < study->arms && !is_stopped(r); j++) {
        if (!is_wanted(r, &study->arm[j])) continue;
        cli_study_score *score = &study->score[i * study->arms + j];
        CLI_TRY(cli_study_fit(problem, &study->arm[j], score, error));
        if (score->outcome == DLP_CANCELLED) stop(r);
        show_progress(r);
    }
    return DLP_OK;
}

static void run_problem(running *r, dlp_index i)
{
    cli_study_problem problem = {.train = NULL};
    dlp_error error = {0};
    dlp_status status = r->study->make(r->study, i, &problem, &error);
    if (status == DLP_OK) status = run_arms(r, i, &problem, &error);
    if (status != DLP_OK) note_failure(r, i, status, &error);
    cli_study_problem_clear(&problem);
}

/* Runs problems in parallel, and the arms of each problem in turn: there are enough
   problems, and this way the rows of each are made only once. */
static dlp_status run_study(const cli_study_settings *s, cli_study *study, bool *stopped,
                            dlp_error *error)
{
    study->score = calloc((size_t)(study->problems * study->arms), sizeof *study->score);
    study->paired = calloc((size_t)study->problems, 2 * sizeof *study->paired);
    if (!study->score || !study->paired)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the scores");
    cli_progress progress = cli_progress_begin(study->data);
    running r = {
        .study = study,
        .method = s->method,
        .threads = s->threads > 0 ? (int)s->threads : omp_get_num_procs(),
        .progress = &progress,
    };
    r.fits = count_fits(&r);
#pragma omp parallel for schedule(dynamic) num_threads(r.threads)
    for (dlp_index i = 0; i < study->problems; i++)
        if (!is_stopped(&r)) run_problem(&r, i);
    cli_progress_end();
    *stopped = r.stopped;
    if (r.status == DLP_OK) return DLP_OK;
    return dlp_fail(error, r.status, "%s, %s %s: %s", study->data, study->unit,
                    study->names[r.at].name, r.error.message);
}

static dlp_status run_studies(const cli_study_settings *s, cli_study_table *table,
                              bool *stopped, dlp_error *error)
{
    for (int i = 0; i < table->studies; i++)
        CLI_TRY(cli_study_read(s->data, &table->study[i], error));
    dlp_status status = DLP_OK;
    for (int i = 0; i < table->studies && status == DLP_OK && !*stopped; i++)
        status = run_study(s, &table->study[i], stopped, error);
    return status;
}

static dlp_status report(const cli_study_settings *s, const cli_study_table *table,
                         dlp_error *error)
{
    if (s->output) CLI_TRY(cli_study_write_csv(table, cli_output_path(s->output), error));
    if (s->output && !strcmp(s->output, "-")) return DLP_OK;
    if (s->json) {
        json_t *root = cli_study_json(table);
        const dlp_status status = cli_json_print(root, error);
        json_decref(root);
        return status;
    }
    if (!s->output || !s->common.quiet) cli_study_print(table);
    return DLP_OK;
}

/* The exit code of the first fit that did not converge. */
static int exit_code(const cli_study_table *table)
{
    for (int i = 0; i < table->studies; i++)
        for (int j = 0; j < table->study[i].arms; j++) {
            if (!cli_study_ran(&table->study[i], j)) continue;
            const int code =
                cli_outcome_exit(cli_study_mean(&table->study[i], j).outcome);
            if (code != CLI_DONE) return code;
        }
    return CLI_DONE;
}

int cli_study_run(const cli_study_settings *s, cli_study_table *table)
{
    dlp_error error = {0};
    bool stopped = false;
    int code = CLI_DONE;
    dlp_status status = DLP_OK;
    if (s->output) status = dlp_file_try(cli_output_path(s->output), &error);
    if (status == DLP_OK) status = run_studies(s, table, &stopped, &error);
    if (status == DLP_OK && !stopped) status = report(s, table, &error);
    if (status != DLP_OK) {
        code = cli_failed(status, &error);
    } else if (stopped) {
        fputs("delaplace: the study was cancelled; nothing is written\n", stderr);
        code = cli_progress_exit();
    } else {
        code = exit_code(table);
    }
    for (int i = 0; i < table->studies; i++) cli_study_clear(&table->study[i]);
    return code;
}

/* The methods of the paper's tables. */
static const char *method_name(int i)
{
    static const char *const names[] = {"jaakkola-jordan", "laplace", "delta", NULL};
    return names[i];
}

#define FIELD(name) offsetof(cli_study_settings, name)

const cli_option cli_study_options[] = {
    CLI_STUDY_DATA(FIELD(data)),
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "OUT.csv",
     .offset = FIELD(output),
     .help = "Write the score of every fit to this file, one per line. - is standard "
             "output, without the table."},
    {.name = "method",
     .type = CLI_CHOICE,
     .value = "METHOD",
     .offset = FIELD(method),
     .choices = method_name,
     .help = "Run only this method. Without it: all."},
    {.name = "threads",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(threads),
     .min = 1,
     .max = 1024,
     .help = "How many fits to run at a time; the scores do not depend on it. Without "
             "it: one for each core."},
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};
