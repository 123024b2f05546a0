/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/infer.h"

#include "cli/csv.h"
#include "cli/phase.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/share_text.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Documents are read, and their numbers turned into text, by all threads, a batch at a
   time; one thread then puts the lines together. */
enum { BATCH = 1024 };
/* A comma, and a number from 0 to 1. */
enum { FIELD_ROOM = 1 + CLI_SHARE_TEXT };

typedef struct job {
    cli_topics_inference *inference;
    dlp_index width;          /* numbers a row */
    size_t room;              /* bytes of a line */
    dlp_reader **reader;      /* (threads) */
    double *numbers;          /* (threads, 2 K) proportions and standard deviations */
    char *lines;              /* (BATCH, room) */
    dlp_status *status;       /* (BATCH) */
    unsigned char *unsettled; /* (BATCH) */
} job;

static dlp_status no_memory(dlp_error *error)
{
    (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to read the documents");
    return DLP_ENOMEM; /* literally, for analysers */
}

static void release(job *j)
{
    for (int t = 0; j->reader && t < j->inference->threads; t++)
        dlp_reader_free(j->reader[t]);
    free(j->reader);
    free(j->numbers);
    free(j->lines);
    free(j->status);
    free(j->unsettled);
}

static dlp_status allocate(job *j, dlp_error *error)
{
    const cli_topics_folder *folder = j->inference->folder;
    const dlp_index K = folder->topics.K;
    const size_t threads = (size_t)j->inference->threads;
    j->width = j->inference->uncertainty ? 2 * K : K;
    j->room = (size_t)j->width * FIELD_ROOM + 1;
    j->reader = calloc(threads, sizeof *j->reader);
    j->numbers = calloc(threads * 2 * (size_t)K, sizeof *j->numbers);
    j->lines = calloc(BATCH, j->room);
    j->status = calloc(BATCH, sizeof *j->status);
    j->unsettled = calloc(BATCH, sizeof *j->unsettled);
    if (!j->reader || !j->numbers || !j->lines || !j->status || !j->unsettled)
        return no_memory(error);
    for (size_t t = 0; t < threads; t++)
        CLI_TRY(
            dlp_reader_alloc(&folder->topics, &folder->document, &j->reader[t], error));
    return DLP_OK;
}

/* Six digits: fewer are meant. */
static void print_numbers(const double *x, dlp_index n, char *line)
{
    for (dlp_index i = 0; i < n; i++) {
        *line++ = ',';
        line = cli_share_text(x[i], line);
    }
}

/* Document d, the i-th of its batch, by thread t. */
static void infer_document(const job *j, int t, dlp_index d, dlp_index i)
{
    const cli_topics_inference *all = j->inference;
    const dlp_index K = all->folder->topics.K;
    double *pi = j->numbers + 2 * K * t, *sd = all->uncertainty ? pi + K : NULL;
    dlp_document document = dlp_corpus_document(all->corpus, d);
    dlp_reading reading;
    if (all->covariates) document.x = all->covariates->X + d * all->covariates->p;
    j->status[i] = dlp_read_document(j->reader[t], &document, &reading, NULL);
    if (j->status[i] != DLP_OK) return;
    j->unsettled[i] = reading.outcome != DLP_CONVERGED;
    dlp_read_proportions(j->reader[t], pi, sd);
    print_numbers(pi, j->width, j->lines + (size_t)i * j->room);
}

static void print_header(const cli_topics_inference *all, FILE *out)
{
    const dlp_index K = all->folder->topics.K;
    fputs("document", out);
    for (dlp_index k = 0; k < K; k++) fprintf(out, ",topic%td", k + 1);
    for (dlp_index k = 0; all->uncertainty && k < K; k++)
        fprintf(out, ",topic%td_sd", k + 1);
    fputc('\n', out);
}

static void print_row(const job *j, dlp_index d, dlp_index i, FILE *out)
{
    const dlp_corpus *corpus = j->inference->corpus;
    if (corpus->name)
        cli_csv_text(out, "", corpus->name[d]);
    else
        fprintf(out, "%td", d + 1);
    fputs(j->lines + (size_t)i * j->room, out);
    fputc('\n', out);
}

static dlp_status run_batch(job *j, dlp_index first, dlp_index n, FILE *out,
                            dlp_error *error)
{
#pragma omp parallel for schedule(dynamic, 8) num_threads(j->inference->threads)
    for (dlp_index i = 0; i < n; i++)
        infer_document(j, omp_get_thread_num(), first + i, i);
    for (dlp_index i = 0; i < n; i++) {
        if (j->status[i] != DLP_OK) return no_memory(error);
        j->inference->unsettled += j->unsettled[i];
        print_row(j, first + i, i, out);
    }
    return DLP_OK;
}

static dlp_status run(job *j, FILE *out, dlp_error *error)
{
    const dlp_index D = j->inference->corpus->D;
    const cli_progress progress = {.began = cli_seconds()};
    CLI_TRY(allocate(j, error));
    print_header(j->inference, out);
    for (dlp_index d = 0; d < D; d += BATCH) {
        const dlp_index n = D - d < BATCH ? D - d : BATCH;
        CLI_TRY(run_batch(j, d, n, out, error));
        cli_progress_count(&progress, d + n, D, "documents");
    }
    return DLP_OK;
}

dlp_status cli_topics_infer(cli_topics_inference *inference, FILE *out, dlp_error *error)
{
    job j = {.inference = inference};
    inference->unsettled = 0;
    cli_phase_begin("reading the documents");
    const dlp_status status = run(&j, out, error);
    cli_phase_end();
    release(&j);
    return status;
}
