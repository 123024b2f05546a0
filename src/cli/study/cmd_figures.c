/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace study figures: the correlated topic model on the AP corpus. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/study/figure.h"
#include "cli/study/study.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct figures_settings {
    cli_common common;
    const char *data;
    const char *output;
    const char *figure; /* NULL: all */
    dlp_index threads;
    bool quick;
    bool json;
} figures_settings;

static const cli_figure *const figures[] = {&cli_figure_of_convergence,
                                            &cli_figure_of_topics, &cli_figure_of_time};
enum { FIGURES = sizeof figures / sizeof *figures };

static const char *figure_name(int i)
{
    return i < FIGURES ? figures[i]->name : NULL;
}

/* ---- data ---- */

/* Everything that a run owns. */
typedef struct work {
    dlp_corpus *train, *test;
    dlpi_figure_job job;
    json_t *done; /* the figures, as JSON */
    bool converged;
} work;

static dlp_status read_corpus(const figures_settings *s, work *w, dlp_error *error)
{
    char path[PATH_MAX];
    dlp_corpus *corpus;
    CLI_TRY(dlpi_study_find(s->data, "ap/ap.dat", path, error));
    CLI_TRY(dlp_corpus_read(path, &corpus, error));
    const dlp_status status = dlpi_figure_split(corpus, &w->train, &w->test, error);
    dlp_corpus_free(corpus);
    return cli_in_file(path, status, error);
}

/* ---- files ---- */

static dlp_status output_path(const figures_settings *s, const char *name,
                              const char *ending, char path[PATH_MAX], dlp_error *error)
{
    const int length = snprintf(path, PATH_MAX, "%s/%s%s", s->output, name, ending);
    if (length < PATH_MAX) return DLP_OK;
    return dlp_fail(error, DLP_EIO, "%.80s...: the name is too long", s->output);
}

static bool is_wanted(const figures_settings *s, const cli_figure *figure)
{
    return !s->figure || !strcmp(s->figure, figure->name);
}

/* Checks, before the long work begins, that its results can be written. */
static dlp_status try_outputs(const figures_settings *s, dlp_error *error)
{
    char path[PATH_MAX];
    if (mkdir(s->output, 0777) != 0 && errno != EEXIST)
        return dlp_fail(error, DLP_EIO,
                        "%s: cannot make the folder: %s; make the folder above it first, "
                        "or name another",
                        s->output, strerror(errno));
    for (int i = 0; i < FIGURES; i++) {
        if (!is_wanted(s, figures[i])) continue;
        CLI_TRY(output_path(s, figures[i]->name, ".csv", path, error));
        CLI_TRY(dlp_file_try(path, error));
        CLI_TRY(output_path(s, figures[i]->name, ".svg", path, error));
        CLI_TRY(dlp_file_try(path, error));
    }
    return DLP_OK;
}

static dlp_status write_figure(const figures_settings *s, const cli_figure *figure,
                               dlp_error *error)
{
    char path[PATH_MAX];
    CLI_TRY(output_path(s, figure->name, ".csv", path, error));
    CLI_TRY(cli_figure_write_csv(figure, path, error));
    CLI_TRY(output_path(s, figure->name, ".svg", path, error));
    return cli_figure_write_svg(figure, path, error);
}

/* ---- running ---- */

static dlp_status report(const figures_settings *s, const cli_figure *figure, work *w,
                         dlp_error *error)
{
    for (dlp_index i = 0; i < figure->rows.n; i++)
        w->converged &= figure->rows.row[i].outcome == DLP_CONVERGED ||
                        figure->rows.row[i].outcome == DLP_RUNNING;
    CLI_TRY(write_figure(s, figure, error));
    if (s->json) {
        if (json_array_append_new(w->done, cli_figure_json(figure)) == 0) return DLP_OK;
        return dlp_fail(error, DLP_ENOMEM, "not enough memory to report");
    }
    if (s->common.quiet) return DLP_OK;
    printf("%s, to %s/%s.csv and .svg\n\n", figure->title, s->output, figure->name);
    figure->print(figure);
    putchar('\n');
    return DLP_OK;
}

static void begin_fit(void *context, const char *method, dlp_index K, dlp_index words)
{
    cli_progress *progress = context;
    char head[64];
    snprintf(head, sizeof head, "%s, %td topics", method, K);
    cli_progress_restart(progress, head);
    progress->what = "log evidence per word";
    progress->per = (double)words;
}

/* Runs one figure and writes it as soon as it is done. */
static dlp_status run_figure(const figures_settings *s, const cli_figure *plan, work *w,
                             dlp_error *error)
{
    cli_figure figure = *plan;
    cli_progress progress = cli_progress_begin(figure.name);
    w->job.context = &progress;
    dlp_status status = figure.run(&w->job, &figure.rows, error);
    cli_progress_end();
    if (status == DLP_OK && !w->job.stopped) status = report(s, &figure, w, error);
    dlpi_figure_clear(&figure.rows);
    return status;
}

static dlp_status run_figures(const figures_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(read_corpus(s, w, error));
    CLI_TRY(try_outputs(s, error));
    w->job = (dlpi_figure_job){
        .train = w->train,
        .test = w->test,
        .threads = s->threads > 0 ? (int)s->threads : omp_get_num_procs(),
        .quick = s->quick,
        .begins = begin_fit,
        .progress = cli_progress_call,
        .stop = cli_progress_watch,
    };
    for (int i = 0; i < FIGURES && !w->job.stopped; i++)
        if (is_wanted(s, figures[i])) CLI_TRY(run_figure(s, figures[i], w, error));
    if (!s->json || w->job.stopped) return DLP_OK;
    json_t *root = json_pack("{s:s, s:O}", "study", "figures", "figures", w->done);
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}

static int exit_code(const figures_settings *s, const work *w)
{
    if (w->job.stopped) {
        fputs("delaplace: the study was cancelled; unfinished figures are not written\n",
              stderr);
        return cli_progress_exit();
    }
    return w->converged || s->quick ? CLI_DONE : CLI_NOT_CONVERGED;
}

static int run(const void *command_settings)
{
    const figures_settings *s = command_settings;
    work w = {.done = json_array(), .converged = true};
    dlp_error error = {0};
    if (!w.done) return cli_no_memory();
    const dlp_status status = run_figures(s, &w, &error);
    const int code = status == DLP_OK ? exit_code(s, &w) : cli_failed(status, &error);
    json_decref(w.done);
    dlp_corpus_free(w.train);
    dlp_corpus_free(w.test);
    return code;
}

/* ---- the command ---- */

#define FIELD(name) offsetof(figures_settings, name)

static const cli_option options[] = {
    CLI_STUDY_DATA(FIELD(data)),
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "DIR",
     .offset = FIELD(output),
     .initial = "figures",
     .help = "The folder for the tables and the pictures; made if it does not exist."},
    {.name = "figure",
     .type = CLI_CHOICE,
     .value = "NAME",
     .offset = FIELD(figure),
     .choices = figure_name,
     .help = "Make only this figure. Without it: all."},
    CLI_THREADS(FIELD(threads)),
    {.name = "quick",
     .offset = FIELD(quick),
     .help = "Use few topics, iterations and documents, to see whether it works."},
    {.name = "json",
     .offset = FIELD(json),
     .help = "Print all rows as one JSON object instead of the tables."},
    {.name = NULL},
};

const cli_command cli_study_figures_command = {
    .name = "study figures",
    .summary = "the paper's figures: the correlated topic model on AP",
    .description =
        "Makes the three figures on the correlated topic model, each as a table NAME.csv "
        "and a picture NAME.svg.\n\nconvergence: the approximate log evidence at each "
        "iteration of the algorithm, for Laplace and delta method inference of 100 test "
        "documents with 60 topics.\n\ntopics: the approximate log evidence and the "
        "held-out likelihood for Laplace, delta and Blei and Lafferty's inference with "
        "10, 20, ..., 100 topics, from spectral and from random topics.\n\ntime: both "
        "against CPU seconds while one thread fits 60 topics.\n\nEvery fifth document is "
        "a test document. DIR holds ap/ap.dat, in the LDA-C format. All figures together "
        "take about ten minutes.",
    .example =
        "  delaplace study figures --data DIR -o figures\n"
        "  delaplace study figures --data DIR --figure time\n",
    .options = options,
    .settings_size = sizeof(figures_settings),
    .run = run,
};
