/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/proportions.h"

#include "cli/csv.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/progress.h"
#include "cli/share_text.h"

#include <omp.h>
#include <stdlib.h>

/* Documents are inferred in batches. All threads turn a batch into text; one thread
   then joins the lines. */
enum { BATCH = 1024 };
/* A comma, and a number from 0 to 1. */
enum { FIELD_ROOM = 1 + CLI_SHARE_TEXT };

typedef struct job {
    const cli_topics_input *input;
    dlp_covariates numbers;
    const dlp_covariates *covariates; /* points to numbers, or NULL */
    dlp_inference *inference;
    dlp_index K;
    bool uncertainty;
    size_t room;     /* bytes of a line */
    double *pi, *sd; /* (BATCH, K) */
    char *lines;     /* (BATCH, room) */
    int threads;
} job;

static dlp_status no_memory(dlp_error *error)
{
    (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to read the documents");
    return DLP_ENOMEM; /* a literal, for static analysers */
}

static void release(job *j)
{
    dlp_inference_free(j->inference);
    free(j->pi);
    free(j->sd);
    free(j->lines);
}

static dlp_status allocate(job *j, cli_progress *progress, dlp_error *error)
{
    const dlp_topic_model *model = j->input->model;
    const size_t K = (size_t)j->K;
    dlp_inference_settings settings = dlp_inference_settings_default();
    settings.document = dlp_topic_model_document_settings(model);
    settings.threads = j->threads;
    settings.progress = cli_progress_call;
    settings.context = progress;
    settings.group = dlp_topic_model_group(model);
    settings.groups = j->K;
    j->room = (j->uncertainty ? 2 * K : K) * FIELD_ROOM + 1;
    j->pi = calloc(BATCH, K * sizeof *j->pi);
    j->sd = j->uncertainty ? calloc(BATCH, K * sizeof *j->sd) : NULL;
    j->lines = calloc(BATCH, j->room);
    if (!j->pi || !j->lines || (j->uncertainty && !j->sd)) return no_memory(error);
    return dlp_inference_alloc(dlp_topic_model_inference_topics(model), &settings,
                               &j->inference, error);
}

/* Prints six digits, which are more than are meaningful. */
static char *print_numbers(const double *x, dlp_index n, char *line)
{
    for (dlp_index i = 0; i < n; i++) {
        *line++ = ',';
        line = cli_share_text(x[i], line);
    }
    return line;
}

static void print_header(const job *j, FILE *out)
{
    fputs("document", out);
    for (dlp_index k = 0; k < j->K; k++) fprintf(out, ",topic%td", k + 1);
    for (dlp_index k = 0; j->uncertainty && k < j->K; k++)
        fprintf(out, ",topic%td_sd", k + 1);
    fputc('\n', out);
}

static void print_row(const job *j, dlp_index d, dlp_index i, FILE *out)
{
    const dlp_corpus *corpus = j->input->corpus;
    if (corpus->name)
        cli_csv_text(out, "", corpus->name[d]);
    else
        fprintf(out, "%td", d + 1);
    fputs(j->lines + (size_t)i * j->room, out);
    fputc('\n', out);
}

static dlp_status run_batch(const job *j, dlp_index first, dlp_index n, FILE *out,
                            dlp_inference_result *found, dlp_error *error)
{
    CLI_TRY(dlp_inference_run(j->inference, j->input->corpus, j->covariates, first,
                              first + n, j->pi, j->sd, found, error));
#pragma omp parallel for num_threads(j->threads)
    for (dlp_index i = 0; i < n; i++) {
        char *end = print_numbers(j->pi + i * j->K, j->K, j->lines + (size_t)i * j->room);
        if (j->sd) (void)print_numbers(j->sd + i * j->K, j->K, end);
    }
    for (dlp_index i = 0; i < n; i++) print_row(j, first + i, i, out);
    return DLP_OK;
}

static dlp_status run(job *j, FILE *out, dlp_inference_result *found, dlp_error *error)
{
    const dlp_index D = j->input->corpus->D;
    cli_progress progress = {.began = cli_seconds()};
    CLI_TRY(allocate(j, &progress, error));
    print_header(j, out);
    for (dlp_index d = 0; d < D; d += BATCH) {
        const dlp_index n = D - d < BATCH ? D - d : BATCH;
        CLI_TRY(run_batch(j, d, n, out, found, error));
    }
    return DLP_OK;
}

dlp_status cli_topics_print_proportions(const cli_topics_input *input, bool uncertainty,
                                        FILE *out, dlp_inference_result *found,
                                        dlp_error *error)
{
    const dlp_document_covariates *covariates = cli_covariates_of(&input->covariates);
    job j = {.input = input,
             .K = dlp_topic_model_topics(input->model)->K,
             .uncertainty = uncertainty,
             .threads = input->threads > 0 ? input->threads : omp_get_num_procs()};
    if (covariates) {
        j.numbers = dlp_covariates_of(covariates);
        j.covariates = &j.numbers;
    }
    cli_phase_begin("reading the documents");
    const dlp_status status = run(&j, out, found, error);
    cli_phase_end();
    release(&j);
    return status;
}
