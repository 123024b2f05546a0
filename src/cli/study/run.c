/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the studies of a table and reports. */
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/outcome.h"
#include "cli/progress.h"
#include "cli/study/study.h"

#include <stdio.h>
#include <string.h>

static void count(void *context, dlp_index done, dlp_index all)
{
    cli_progress_count(context, done, all, "fits");
}

static dlp_status run_study(const cli_study_settings *s, dlpi_study *study, bool *stopped,
                            dlp_error *error)
{
    cli_progress progress = cli_progress_begin(study->data);
    const dlpi_study_settings settings = {.method = s->method,
                                          .threads = (int)s->threads,
                                          .stop = cli_progress_watch,
                                          .counted = count,
                                          .context = &progress};
    const dlp_status status = dlpi_study_run(&settings, study, stopped, error);
    cli_progress_end();
    return status;
}

static dlp_status run_studies(const cli_study_settings *s, cli_study_table *table,
                              bool *stopped, dlp_error *error)
{
    for (int i = 0; i < table->studies; i++)
        CLI_TRY(dlpi_study_read(s->data, &table->study[i], error));
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
            if (!dlpi_study_ran(&table->study[i], j)) continue;
            const int code =
                cli_outcome_exit(dlpi_study_mean(&table->study[i], j).outcome);
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
    for (int i = 0; i < table->studies; i++) dlpi_study_clear(&table->study[i]);
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
