/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics fit: the correlated topic model of a corpus. */
#include "cli/common_options.h"
#include "cli/corpus/source.h"
#include "cli/nouns.h"
#include "cli/phase.h"
#include "cli/report.h"
#include "cli/retype.h"
#include "cli/say.h"
#include "cli/topics/commit.h"
#include "cli/topics/drop.h"
#include "cli/topics/enough.h"
#include "cli/topics/match.h"
#include "cli/topics/print.h"
#include "cli/topics/run.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fit_settings {
    cli_common common;
    const char *corpus;
    const char *output;
    dlp_index K;
    const char *vocab;
    const char *format;
    const char *method;
    const char *route;
    const char *init;
    dlp_index seed;
    dlp_index threads;
    dlp_index max_iter;
    double tol;
    double smooth;
    double shrink;
    bool diagonal;
    const char *covariates;
    const char *formula;
    const char *document;
    const char *missing;
    double ridge;
    double every;
    bool resume;
    bool json;
} fit_settings;

enum { MOST_ITERATIONS = 1000000 };

static const char *route_name(int i)
{
    const char *const routes[] = {"fast", "plain"};
    return i < 2 ? routes[i] : NULL;
}

/* All that a run holds; free_work takes it half built, too. */
typedef struct work {
    double started;
    dlp_corpus *corpus;
    cli_covariates covariates;
    dlp_topics start;
    cli_topics_fit fit;
    bool made; /* the folder was not there before */
    int lock;
    bool stopped;  /* by a signal */
    bool finished; /* an earlier run has done all of it */
    json_t *found; /* the model.json of that run */
} work;

static void free_work(work *w)
{
    json_decref(w->found);
    free(w->fit.seconds);
    dlp_ctm_free(w->fit.ctm);
    dlp_topics_free(&w->start);
    cli_covariates_clear(&w->covariates);
    dlp_corpus_free(w->corpus);
    if (w->lock >= 0) (void)close(w->lock);
}

/* ---- before the fit ---- */

static bool starts_from_model(const fit_settings *s)
{
    return strcmp(s->init, "spectral") != 0 && strcmp(s->init, "random") != 0;
}

/* Coefficients of other covariates are no start: then the intercepts are, alone. */
static bool same_columns(const cli_topics_folder *folder, const cli_covariates *c)
{
    const dlp_covariates *given = cli_covariates_of(c);
    bool same = given && folder->terms && given->p == folder->topics.p;
    for (dlp_index j = 0; same && j < given->p; j++)
        same = !strcmp(folder->column[j], c->design->name[j]);
    return same;
}

static dlp_status read_start(const fit_settings *s, work *w, dlp_error *error)
{
    cli_topics_folder folder;
    CLI_TRY(cli_topics_folder_read(s->init, 0, &folder, error));
    const dlp_status status =
        cli_topics_match_topics(&folder, w->corpus, &w->start, error);
    if (status == DLP_OK && !same_columns(&folder, &w->covariates)) w->start.p = 1;
    cli_topics_folder_clear(&folder);
    return status;
}

static dlp_topics_settings engine_settings(const fit_settings *s, const work *w)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    settings.K = s->K;
    settings.document.method = s->method;
    settings.document.plain = !strcmp(s->route, "plain");
    if (starts_from_model(s))
        settings.start = &w->start;
    else
        settings.init = s->init;
    settings.seed = (uint64_t)s->seed;
    settings.tol = s->tol;
    settings.max_iter = (int)s->max_iter;
    settings.smooth = s->smooth;
    settings.shrink = s->shrink;
    settings.diagonal = s->diagonal;
    settings.ridge = s->ridge;
    settings.threads = s->threads > 0 ? (int)s->threads : omp_get_num_procs();
    return settings;
}

static dlp_status read_covariates(const fit_settings *s, work *w, dlp_error *error)
{
    cli_covariates *const covariates = &w->covariates;
    covariates->document = s->document;
    covariates->missing = s->missing;
    CLI_TRY(
        cli_covariates_build(s->covariates, s->formula, w->corpus, covariates, error));
    return cli_topics_drop(1, &covariates, &w->corpus, &w->fit.dropped, error);
}

static dlp_status read_inputs(const fit_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(cli_corpus_open(s->corpus, s->format, s->vocab, &w->corpus, error));
    CLI_TRY(cli_in_file(s->corpus, cli_topics_check_names(w->corpus, error), error));
    if (s->covariates) CLI_TRY(read_covariates(s, w, error));
    if (starts_from_model(s)) CLI_TRY(read_start(s, w, error));
    w->fit.folder = s->output;
    w->fit.init = s->init;
    w->fit.corpus = w->corpus;
    w->fit.covariates = &w->covariates;
    w->fit.settings = engine_settings(s, w);
    return DLP_OK;
}

/* ---- what an earlier run left ---- */

/* Whether a model is the one that was asked for, and has converged. */
static bool is_finished(const json_t *info, json_t *request)
{
    const char *outcome = json_string_value(json_object_get(info, "outcome"));
    bool same = outcome && !strcmp(outcome, dlp_outcome_name(DLP_CONVERGED));
    const char *key;
    json_t *value;
    json_object_foreach(request, key, value)
    {
        same &= json_equal(value, json_object_get(info, key));
    }
    return same;
}

static dlp_status find_finished(work *w, dlp_error *error)
{
    json_t *request = cli_topics_request_json(&w->fit);
    if (!request) return dlp_fail(error, DLP_ENOMEM, "not enough memory to resume");
    const dlp_status status = cli_topics_read_info(w->fit.folder, &w->found, error);
    w->finished = status == DLP_OK && is_finished(w->found, request);
    json_decref(request);
    return status;
}

static void note(const fit_settings *s, const char *text)
{
    if (!s->common.quiet) fprintf(stderr, "%s: %s\n", s->output, text);
}

/* Goes on from the checkpoint, if there is one and it is wanted. */
static dlp_status take_checkpoint(const fit_settings *s, work *w, dlp_error *error)
{
    const bool there = cli_topics_has(s->output, "checkpoint");
    if (!s->resume || !there) {
        if (there) note(s, "starting afresh; --resume would go on from its checkpoint");
        if (s->resume) note(s, "has no checkpoint; starting from the beginning");
        return DLP_OK;
    }
    char *path = cli_topics_checkpoint(s->output);
    if (!path) return cli_topics_no_path(error);
    const dlp_status status = dlp_ctm_load(w->fit.ctm, path, error);
    free(path);
    if (status == DLP_OK && !s->common.quiet)
        fprintf(stderr, "%s: going on after iteration %d\n", s->output,
                dlp_ctm_result(w->fit.ctm)->iterations);
    return status;
}

/* ---- the fit ---- */

/* A fit that ended before convergence may be gone on with; another needs no checkpoint. */
static dlp_status end_checkpoint(const work *w, dlp_error *error)
{
    char *path = cli_topics_checkpoint(w->fit.folder);
    dlp_status status = DLP_OK;
    if (!path) return cli_topics_no_path(error);
    if (dlp_ctm_result(w->fit.ctm)->outcome == DLP_MAX_ITERATIONS)
        status = dlp_ctm_save(w->fit.ctm, path, error);
    else
        (void)unlink(path);
    free(path);
    return status;
}

/* With a signal that comes before the first iteration nothing is lost, so it may end the
   program: many topics take long to choose. */
static dlp_status begin_fit(const fit_settings *s, work *w, dlp_error *error)
{
    cli_phase_begin("choosing the first topics");
    const dlp_status status = dlp_ctm_alloc(w->corpus, cli_covariates_of(&w->covariates),
                                            &w->fit.settings, &w->fit.ctm, error);
    cli_phase_end();
    CLI_TRY(cli_in_file(s->corpus, status, error));
    return take_checkpoint(s, w, error);
}

static dlp_status run_fit(const fit_settings *s, work *w, dlp_error *error)
{
    cli_progress progress = cli_progress_begin("fitting");
    progress.tol = s->tol;
    progress.max_iter = (int)s->max_iter;
    const cli_topics_run r = {.fit = &w->fit, .every = s->every, .progress = &progress};
    dlp_status status = cli_topics_run_to_end(&r, w->started, &w->stopped, error);
    cli_phase_note("%s", dlp_outcome_name(dlp_ctm_result(w->fit.ctm)->outcome));
    if (status == DLP_OK && !w->stopped) {
        cli_phase_begin("writing %s", s->output);
        status = cli_topics_write(&w->fit, error);
        if (status == DLP_OK) status = end_checkpoint(w, error);
    }
    cli_progress_end();
    return status;
}

static dlp_status fit_corpus(const fit_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(cli_topics_claim(s->output, &w->made, &w->lock, error));
    CLI_TRY(read_inputs(s, w, error));
    if (s->resume && !cli_topics_has(s->output, "checkpoint") &&
        cli_topics_has(s->output, "model.json"))
        CLI_TRY(find_finished(w, error));
    if (w->finished) return DLP_OK;
    cli_topics_note_many(cli_input_name(s->corpus), w->corpus->D, s->K, true);
    CLI_TRY(begin_fit(s, w, error));
    return run_fit(s, w, error);
}

/* ---- what it says ---- */

/* The command again, so that nobody has to look for it. */
static void print_again(const fit_settings *s, dlp_index max_iter)
{
    fit_settings again = *s;
    again.resume = true;
    again.max_iter = max_iter;
    fputs("\nNext, go on with it:\n  ", stdout);
    cli_print_command(&cli_topics_fit_command, &again);
    putchar('\n');
}

static void print_stopped(const work *w, const fit_settings *s)
{
    const dlp_topics_result *r = dlp_ctm_result(w->fit.ctm);
    printf("Stopped after iteration %d, bound per word %.4f. Nothing is lost.\n",
           r->iterations, r->bound_per_word);
    print_again(s, s->max_iter);
}

static void print_ended(const work *w, const fit_settings *s)
{
    const dlp_topics_result *r = dlp_ctm_result(w->fit.ctm);
    /* a checkpoint may be further than --max-iter allows */
    const dlp_index done = r->iterations > s->max_iter ? r->iterations : s->max_iter;
    cli_topics_print_fit(&w->fit);
    if (r->outcome == DLP_MAX_ITERATIONS)
        print_again(s, done < MOST_ITERATIONS / 10 ? 10 * done : MOST_ITERATIONS);
    cli_topics_print_next(s->output);
}

static dlp_status print_json(const work *w, dlp_error *error)
{
    json_t *info = w->finished ? json_incref(w->found) : cli_topics_info_json(&w->fit);
    const dlp_status status = cli_topics_print_json(info, w->fit.elapsed, error);
    json_decref(info);
    return status;
}

static dlp_status say_how_it_ended(const fit_settings *s, const work *w, dlp_error *error)
{
    if (w->finished) note(s, "this fit has already finished; nothing to do");
    if (s->json) return print_json(w, error);
    if (s->common.quiet) return DLP_OK;
    if (w->stopped)
        print_stopped(w, s);
    else if (w->finished)
        cli_topics_print_next(s->output);
    else
        print_ended(w, s);
    return DLP_OK;
}

static int exit_code(const work *w)
{
    if (w->stopped) return cli_progress_exit();
    return w->finished ? CLI_DONE : cli_outcome_exit(dlp_ctm_result(w->fit.ctm)->outcome);
}

static int check_usage(const fit_settings *s)
{
    const char *const name = cli_topics_fit_command.name;
    if (cli_corpus_reads_stdin_twice(name, s->corpus, s->vocab)) return CLI_MISUSE;
    if (!s->covariates != !s->formula)
        return cli_misuse(name,
                          "--covariates and --formula come together: a table, and "
                          "which of its columns count");
    if (s->document && !s->covariates)
        return cli_misuse(name, "%s", cli_document_of_nothing);
    return CLI_DONE;
}

static int run(const void *command_settings)
{
    const fit_settings *s = command_settings;
    if (check_usage(s) != CLI_DONE) return CLI_MISUSE;
    work w = {.started = cli_seconds(), .lock = -1};
    dlp_error error = {""};
    dlp_status status = fit_corpus(s, &w, &error);
    if (status == DLP_OK) status = say_how_it_ended(s, &w, &error);
    const int code = status == DLP_OK ? exit_code(&w) : cli_failed(status, &error);
    /* a folder made for nothing; one that holds a file stays */
    if (status != DLP_OK && w.made) (void)rmdir(s->output);
    free_work(&w);
    return code;
}

/* ---- the command ---- */

static const cli_operand operands[] = {
    CLI_CORPUS_OPERAND(offsetof(fit_settings, corpus)),
    {.name = NULL},
};

#define FIELD(name) offsetof(fit_settings, name)

static const cli_option options[] = {
    {.name = "topics",
     .letter = 'k',
     .type = CLI_COUNT,
     .value = "K",
     .offset = FIELD(K),
     .required = true,
     .min = 2,
     .max = 10000,
     .help = "How many topics."},
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "MODEL/",
     .offset = FIELD(output),
     .required = true,
     .help =
         "The folder of the model: a new one, or that of a model, which stays as it is "
         "until the fit has ended."},
    CLI_VOCAB(FIELD(vocab)),
    CLI_CORPUS_FORMAT(FIELD(format)),
    {.name = "method",
     .type = CLI_CHOICE,
     .value = "METHOD",
     .offset = FIELD(method),
     .choices = dlp_topics_method,
     .initial = "laplace",
     .help = "How q(theta) of a document is found."},
    {.name = "route",
     .type = CLI_CHOICE,
     .value = "ROUTE",
     .offset = FIELD(route),
     .choices = route_name,
     .initial = "fast",
     .help = "How a document's fixed point is reached: plain is the paper's Figure 1 to "
             "the letter, fast climbs the objective with z summed out."},
    {.name = "init",
     .type = CLI_STRING,
     .value = "START",
     .offset = FIELD(init),
     .initial = "spectral",
     .help = "The topics to start from: spectral finds anchor words, random draws them, "
             "and anything else is the folder of a model with as many topics."},
    {.name = "seed",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(seed),
     .initial = "1",
     .min = 0,
     .max = 9e15,
     .help = "Of random topics."},
    CLI_THREADS(FIELD(threads)),
    {.name = "max-iter",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(max_iter),
     .initial = "500",
     .min = 1,
     .max = 1000000,
     .help = "Stop after this many iterations in any case."},
    {.name = "tol",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(tol),
     .initial = "5e-5",
     .above = true,
     .max = 1,
     .help = "Stop when the bound changes by no more than this, relative to its size."},
    {.name = "smooth",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(smooth),
     .initial = "0.03",
     .above = true,
     .max = 1e6,
     .help = "Added to the expected count of each term in each topic."},
    {.name = "shrink",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(shrink),
     .initial = "0",
     .max = 1,
     .help =
         "Draw the covariance of topics towards its diagonal: 0 not at all, 1 all the "
         "way."},
    {.name = "diagonal",
     .offset = FIELD(diagonal),
     .help = "Give topics a diagonal covariance, for very large K."},
    {.name = "covariates",
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(covariates),
     .help = "A table of what is known of the documents, with a row for each."},
    {.name = "formula",
     .type = CLI_STRING,
     .value = "FORMULA",
     .offset = FIELD(formula),
     .help = "Which covariates the prior mean of topics depends on: '~ section + year'."},
    CLI_DOCUMENT_COLUMN(FIELD(document)),
    CLI_MISSING_COVARIATES(FIELD(missing)),
    {.name = "ridge",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(ridge),
     .initial = "1",
     .max = 1e12,
     .help = "How many documents' worth of evidence stands against an effect of a "
             "covariate."},
    {.name = "checkpoint-every",
     .type = CLI_REAL,
     .value = "SECONDS",
     .offset = FIELD(every),
     .initial = "2",
     .max = 1e9,
     .help =
         "How often to write a checkpoint, in at most a tenth of the time; 0 is after "
         "every iteration."},
    {.name = "resume",
     .offset = FIELD(resume),
     .help =
         "Go on from the checkpoint in the folder, to the bytes that an uninterrupted "
         "fit would have written."},
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_topics_fit_command = {
    .name = "topics fit",
    .summary = "fit the correlated topic model to a corpus",
    .description =
        "Fits the correlated topic model: theta of a document is drawn from a normal "
        "distribution, its topic proportions are softmax(theta), and each of its words "
        "is "
        "drawn from one of K topics, in these proportions. Topics, mean and covariance "
        "are estimated by variational EM; with covariates, the mean is a regression on "
        "them.\n\n"
        "The model is a folder: model.json, the arrays beta.npy (topics), mu.npy and "
        "sigma.npy (mean and covariance of theta), theta.npy (the documents' means), the "
        "names vocab.txt and docs.txt where they are known, and the iterations in "
        "trace.csv. The same corpus and options give the same bytes at any number of "
        "threads, but for the times in trace.csv.\n\n"
        "SIGINT and SIGTERM end the fit after the iteration, with a checkpoint in the "
        "folder; the same command with --resume goes on from there. So it does after a "
        "crash, from the last checkpoint.",
    .example =
        "  delaplace topics fit data/packages.ldac -k 10 -o model\n"
        "  delaplace topics fit data/packages.ldac -k 10 -o by-section \\\n"
        "      --covariates data/packages.csv --formula '~ section'\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(fit_settings),
    .run = run,
};
