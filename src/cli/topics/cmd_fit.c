/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics fit: fits a correlated topic model to a corpus. */
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/corpus/source.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/outcome.h"
#include "cli/phase.h"
#include "cli/print.h"
#include "cli/processes.h"
#include "cli/progress.h"
#include "cli/topics/covariates.h"
#include "cli/topics/fit_options.h"
#include "cli/topics/model.h"
#include "cli/topics/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that a run owns; free_work also accepts it half built. */
typedef struct work {
    const cli_topics_fit_settings *settings;
    double started;
    dlp_processes *processes;
    dlp_topic_folder *folder;
    dlp_corpus *corpus;
    cli_covariates covariates;
    dlp_topics start;
    dlp_topic_seeds seeds;
    dlp_document_times times;
    dlp_document_groups groups;
    dlp_index *fixed;
    dlp_index n_fixed;
    dlp_topic_start *starts; /* (restarts + 1) */
    char **label;
    dlp_topics_settings topics;
    cli_progress progress;
    bool by_name;  /* documents or terms are looked up before processes share them */
    bool fitting;  /* the initial topics have been chosen */
    bool resumes;  /* from a checkpoint */
    bool finished; /* an earlier run completed the fit */
    dlp_topic_model *model;
} work;

static void free_work(work *w)
{
    dlp_topic_model_free(w->model);
    dlp_topics_free(&w->start);
    dlp_topic_seeds_free(&w->seeds);
    free(w->fixed);
    dlp_document_times_free(&w->times);
    dlp_document_groups_free(&w->groups);
    free(w->starts);
    dlp_topic_labels_free(w->label);
    cli_covariates_clear(&w->covariates);
    dlp_corpus_free(w->corpus);
    dlp_topic_folder_close(w->folder);
}

/* Whether this is process 0, the only one that reads and writes the folder. */
static bool leads(const work *w)
{
    return dlp_processes_rank(w->processes) == 0;
}

/* If one of several processes fails, all of them end. */
static dlp_status together(const work *w, dlp_status status, dlp_error *error)
{
    return dlp_processes_agree(w->processes, status, error);
}

static dlp_outcome outcome_of(const work *w)
{
    return dlp_topic_model_get_info(w->model)->outcome;
}

/* ---- before the fit ---- */

static bool starts_from_model(const cli_topics_fit_settings *s)
{
    for (int i = 0; dlp_topics_init(i); i++)
        if (!strcmp(s->init, dlp_topics_init(i))) return false;
    return true;
}

static dlp_status read_start(const cli_topics_fit_settings *s, work *w, dlp_error *error)
{
    dlp_topic_model *model;
    CLI_TRY(cli_topics_load(s->init, 0, &model, error));
    const dlp_status status = dlp_topic_model_start(
        model, w->corpus, cli_covariates_of(&w->covariates), &w->start, error);
    dlp_topic_model_free(model);
    return status;
}

static bool is_dirichlet(const cli_topics_fit_settings *s)
{
    return !strcmp(s->prior, "dirichlet");
}

static dlp_topics_settings topics_settings(const cli_topics_fit_settings *s,
                                           const work *w)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    settings.K = s->K;
    settings.method = is_dirichlet(s) ? "dirichlet" : s->method;
    settings.plain = !strcmp(s->route, "plain");
    settings.paper_covariance = !strcmp(s->covariance, "paper");
    settings.average = !strcmp(s->assign, "average");
    settings.init = s->init;
    if (starts_from_model(s)) settings.start = &w->start;
    settings.seed = (uint64_t)s->seed;
    settings.tol = s->tol;
    settings.max_iter = (int)s->max_iter;
    settings.smooth = s->smooth;
    settings.shrink = s->shrink;
    settings.diagonal = s->diagonal;
    settings.ridge = s->ridge;
    settings.threads = (int)s->threads;
    settings.n_seed_words = w->seeds.n;
    settings.seed_word = w->seeds.word;
    settings.seed_weight = s->seed_weight;
    settings.slices = w->times.T;
    settings.slice = w->times.slice;
    settings.slice_name = w->times.name;
    settings.time = s->time;
    settings.drift = s->drift;
    settings.content_groups = w->groups.G;
    settings.content_group = w->groups.group;
    settings.content_name = w->groups.name;
    settings.content = s->content;
    settings.fixed = w->fixed;
    settings.n_fixed = w->n_fixed;
    settings.processes = w->processes;
    settings.online = (int)s->online;
    return settings;
}

static dlp_status read_seeds(const cli_topics_fit_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(dlp_topic_seeds_read(s->seeds, w->corpus, &w->seeds, error));
    if (w->seeds.unknown == 1)
        cli_note("%s: the corpus does not have '%s', which is left out", s->seeds,
                 w->seeds.example);
    else if (w->seeds.unknown > 1)
        cli_note(
            "%s: the corpus does not have %td of the words, such as '%s'; they are left "
            "out",
            s->seeds, w->seeds.unknown, w->seeds.example);
    if (w->seeds.adapted == 1)
        cli_note("%s: '%s' counts for the term '%s'", s->seeds, w->seeds.given,
                 w->seeds.taken);
    else if (w->seeds.adapted > 1)
        cli_note("%s: %td words count for terms of another form, such as '%s' for '%s'",
                 s->seeds, w->seeds.adapted, w->seeds.given, w->seeds.taken);
    return DLP_OK;
}

/* "all", or "1,4,7" */
static dlp_status read_fixed(const cli_topics_fit_settings *s, work *w, dlp_error *error)
{
    const bool all = !strcmp(s->fixed, "all");
    const char *at = s->fixed;
    w->fixed = calloc((size_t)w->start.K + strlen(at), sizeof *w->fixed);
    if (!w->fixed) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the topics");
    for (dlp_index k = 0; all && k < w->start.K; k++) w->fixed[w->n_fixed++] = k;
    while (!all) {
        char *end;
        const long topic = strtol(at, &end, 10);
        if (end == at || (*end && *end != ','))
            return dlp_fail(
                error, DLP_EINVAL,
                "--fixed is '%.40s'; write numbers of topics as 1,4,7, or all", s->fixed);
        w->fixed[w->n_fixed++] = (dlp_index)topic - 1;
        if (!*end) break;
        at = end + 1;
    }
    return DLP_OK;
}

static dlp_status read_covariates(const cli_topics_fit_settings *s, work *w,
                                  dlp_error *error)
{
    cli_covariates *const covariates = &w->covariates;
    dlp_index dropped;
    covariates->document = s->document;
    covariates->missing = s->missing;
    CLI_TRY(
        cli_covariates_build(s->covariates, s->formula, w->corpus, covariates, error));
    return cli_covariates_drop(covariates, &w->corpus, &dropped, error);
}

/* Reads the column of --time or --content. */
static dlp_status read_column(const cli_topics_fit_settings *s, work *w, dlp_error *error)
{
    const dlp_index *row = w->covariates.found.row;
    if (!s->formula) {
        w->covariates.document = s->document;
        CLI_TRY(cli_covariates_rows(s->covariates, w->corpus, &w->covariates, error));
        row = w->covariates.rows.row;
    }
    const dlp_status status =
        s->time ? dlp_document_times_find(w->covariates.table, s->time, w->corpus->D, row,
                                          s->slices, &w->times, error)
                : dlp_document_groups_find(w->covariates.table, s->content, w->corpus->D,
                                           row, &w->groups, error);
    return cli_in_file(s->covariates, status, error);
}

static dlp_status read_inputs(const cli_topics_fit_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(cli_corpus_open_shared(w->processes, w->by_name, s->corpus, s->format,
                                   s->vocab, &w->corpus, error));
    CLI_TRY(
        cli_in_file(s->corpus, dlp_topic_folder_check_names(w->corpus, error), error));
    if (s->formula) CLI_TRY(read_covariates(s, w, error));
    if (s->time || s->content) CLI_TRY(read_column(s, w, error));
    if (starts_from_model(s)) CLI_TRY(read_start(s, w, error));
    if (s->seeds) CLI_TRY(read_seeds(s, w, error));
    if (s->fixed) CLI_TRY(read_fixed(s, w, error));
    if (s->labels) CLI_TRY(dlp_topic_labels_read(s->labels, s->K, &w->label, error));
    w->topics = topics_settings(s, w);
    return DLP_OK;
}

static void note(const cli_topics_fit_settings *s, const char *text)
{
    if (!s->common.quiet) fprintf(stderr, "%s: %s\n", s->output, text);
}

/* ---- the fit ---- */

/* Starts watching signals. Until now a signal ends the program at once: before the
   first iteration there is nothing to lose, and choosing many topics takes time. */
static void begin_fitting(work *w, const dlp_progress *now)
{
    const cli_topics_fit_settings *s = w->settings;
    cli_phase_end();
    if (w->resumes && !s->common.quiet)
        fprintf(stderr, "%s: resuming after iteration %d\n", s->output, now->iteration);
    w->progress = cli_progress_begin("fitting");
    w->progress.what = "log evidence per word";
    w->progress.per = (double)w->corpus->words;
}

static int show_progress(void *context, const dlp_progress *now)
{
    work *w = context;
    if (strcmp(now->phase, "fitting") != 0) return 0;
    if (!w->fitting) begin_fitting(w, now);
    w->fitting = true;
    return cli_progress_call(&w->progress, now);
}

static void warn_of_checkpoint(void *context, const dlp_error *error)
{
    (void)context;
    fprintf(stderr, "delaplace: %s\nContinuing without a checkpoint.\n", error->message);
}

static void note_checkpoint(const cli_topics_fit_settings *s, work *w)
{
    if (!leads(w)) return;
    const bool there = dlp_topic_folder_has_checkpoint(w->folder);
    w->resumes = s->resume && there;
    if (w->resumes) return;
    if (there) note(s, "starting afresh; --resume would continue from its checkpoint");
    if (s->resume) note(s, "has no checkpoint; starting from the beginning");
}

static dlp_status end_fitting(const cli_topics_fit_settings *s, work *w,
                              dlp_status status, dlp_error *error)
{
    if (status == DLP_OK && leads(w)) {
        cli_phase_note("%s", dlp_outcome_name(outcome_of(w)));
        if (outcome_of(w) != DLP_CANCELLED) {
            cli_phase_begin("writing %s", s->output);
            if (w->label) status = dlp_topic_model_set_labels(w->model, w->label, error);
        }
        if (status == DLP_OK && outcome_of(w) != DLP_CANCELLED) {
            status = dlp_topic_folder_save(w->folder, w->model, error);
        }
    }
    cli_progress_end();
    return status;
}

/* Keeps the best of several fits. Progress shows their iterations one fit after
   another. */
static dlp_status run_starts(const cli_topics_fit_settings *s, work *w, dlp_error *error)
{
    const int n = (int)s->restarts + 1;
    w->starts = calloc((size_t)n, sizeof *w->starts);
    if (!w->starts)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the starts");
    w->topics.progress = show_progress;
    w->topics.context = w;
    cli_phase_begin("choosing the first topics");
    const dlp_status status =
        dlp_topic_model_fit_starts(w->corpus, cli_covariates_of(&w->covariates),
                                   &w->topics, n, w->starts, &w->model, error);
    if (w->fitting) return end_fitting(s, w, status, error);
    cli_phase_end();
    return cli_in_file(s->corpus, status, error);
}

static dlp_status run_fit(const cli_topics_fit_settings *s, work *w, dlp_error *error)
{
    dlp_checkpoint_settings checkpoint = dlp_checkpoint_settings_default();
    checkpoint.every = s->every;
    checkpoint.resume = s->resume;
    checkpoint.failed = warn_of_checkpoint;
    w->topics.progress = show_progress;
    w->topics.context = w;
    note_checkpoint(s, w);
    cli_phase_begin(w->resumes ? "reading the checkpoint" : "choosing the first topics");
    const dlp_status status =
        dlp_topic_folder_fit(w->folder, w->corpus, cli_covariates_of(&w->covariates),
                             &w->topics, &checkpoint, &w->model, error);
    if (w->fitting) return end_fitting(s, w, status, error);
    cli_phase_end();
    return w->resumes ? status : cli_in_file(s->corpus, status, error);
}

static dlp_status open_folder(const cli_topics_fit_settings *s, work *w, dlp_error *error)
{
    if (!strcmp(s->output, "-"))
        return dlp_fail(
            error, DLP_EINVAL,
            "a topic model is a folder and cannot go to standard output; name "
            "it: -o model");
    return leads(w) ? dlp_topic_folder_open(s->output, &w->folder, error) : DLP_OK;
}

/* Finds out whether an earlier run completed the fit; process 0 tells the others. */
static dlp_status look_for_end(work *w, dlp_error *error)
{
    dlp_status status = DLP_OK;
    if (leads(w))
        status = dlp_topic_folder_finished(w->folder, w->corpus,
                                           cli_covariates_of(&w->covariates), &w->topics,
                                           &w->model, error);
    CLI_TRY(together(w, status, error));
    int finished = w->model != NULL;
    CLI_TRY(dlp_processes_tell(w->processes, &finished, error));
    w->finished = finished;
    return DLP_OK;
}

static dlp_status fit_corpus(const cli_topics_fit_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(together(w, open_folder(s, w, error), error));
    w->by_name = s->covariates || s->seeds || starts_from_model(s);
    CLI_TRY(together(w, read_inputs(s, w, error), error));
    if (s->resume) CLI_TRY(look_for_end(w, error));
    if (w->finished) return DLP_OK;
    CLI_TRY(together(
        w, cli_topics_note_many(cli_input_name(s->corpus), w->corpus, s->K, true, error),
        error));
    if (w->by_name)
        CLI_TRY(
            together(w, dlp_topics_share_corpus(w->processes, &w->corpus, error), error));
    return s->restarts > 0 ? run_starts(s, w, error) : run_fit(s, w, error);
}

/* ---- what it says ---- */

/* Prints the command that continues the fit, so that nobody has to look it up. */
static void print_again(const cli_topics_fit_settings *s, dlp_index max_iter)
{
    cli_topics_fit_settings again = *s;
    again.resume = true;
    again.max_iter = max_iter;
    fputs("\nNext, continue it:\n  ", stdout);
    cli_print_command(&cli_topics_fit_command, &again);
    putchar('\n');
}

static void print_stopped(const work *w, const cli_topics_fit_settings *s)
{
    const dlp_topic_model_info *info = dlp_topic_model_get_info(w->model);
    printf("Stopped after iteration %d, log evidence per word %.4f. Nothing is lost.\n",
           info->iterations, info->objective_per_word);
    print_again(s, s->max_iter);
}

static void print_starts(const cli_topics_fit_settings *s, const work *w)
{
    if (!w->starts) return;
    puts(
        "\n  start           log evidence per word  iterations  similarity to the kept "
        "fit");
    for (dlp_index i = 0; i <= s->restarts; i++) {
        const dlp_topic_start *t = &w->starts[i];
        printf("  %-8s %5llu  ", t->init, (unsigned long long)t->seed);
        if (t->outcome == DLP_CANCELLED && !t->kept)
            puts("stopped");
        else
            printf("%21.4f  %10d  %.2f%s\n", t->objective_per_word, t->iterations,
                   t->similarity, t->kept ? ", kept" : "");
    }
    putchar('\n');
}

static void print_groups(const work *w, const cli_topics_fit_settings *s)
{
    printf("Words of topics differ by %td groups of ", w->groups.G);
    cli_print_name(s->content, 0);
    puts(".");
}

static void print_ended(const work *w, const cli_topics_fit_settings *s)
{
    const dlp_topic_model_info *info = dlp_topic_model_get_info(w->model);
    const cli_covariates *const covariates = &w->covariates;
    /* a checkpoint may already be past --max-iter */
    const int max_iter = (int)s->max_iter,
              done = info->iterations > max_iter ? info->iterations : max_iter;
    printf("%td topics over %td terms, from %td document%s of %td words.\n", info->K,
           info->V, info->D, cli_plural(info->D), info->words);
    cli_topics_print_dropped(stdout, info->dropped, 1, &covariates);
    cli_topics_print_end(info, w->topics.start ? "another model's" : info->init,
                         cli_seconds() - w->started);
    if (dlp_topic_model_slices(w->model))
        printf(
            "Topics drift over %td slices, by a step with sd %.3g in log "
            "probabilities.\n",
            w->times.T, dlp_topic_model_slices(w->model)->drift);
    if (dlp_topic_model_content(w->model)) print_groups(w, s);
    cli_topics_print_clusters(w->model);
    cli_topics_print_few_words(w->model);
    print_starts(s, w);
    printf("Written to %s\n", s->output);
    if (info->outcome == DLP_MAX_ITERATIONS) print_again(s, dlp_more_iterations(done));
    cli_topics_print_next(s->output);
}

static dlp_status print_ending(const cli_topics_fit_settings *s, const work *w,
                               dlp_error *error)
{
    if (w->finished) note(s, "this fit has already finished; nothing to do");
    if (s->json)
        return cli_topics_print_json(w->model,
                                     w->finished ? 0 : cli_seconds() - w->started, error);
    if (s->common.quiet) return DLP_OK;
    if (w->finished)
        cli_topics_print_next(s->output);
    else if (outcome_of(w) == DLP_CANCELLED)
        print_stopped(w, s);
    else
        print_ended(w, s);
    return DLP_OK;
}

static int check_input(const cli_topics_fit_settings *s)
{
    const char *const name = cli_topics_fit_command.name;
    int rank;
    if (cli_corpus_reads_stdin_twice(name, s->corpus, s->vocab)) return CLI_MISUSE;
    if (dlp_processes_announced(&rank) != 1 && !strcmp(s->corpus, "-"))
        return cli_misuse(name,
                          "only one process can read standard input; name a file, or "
                          "start it without mpirun");
    return CLI_DONE;
}

static int check_usage(const cli_topics_fit_settings *s)
{
    const char *const name = cli_topics_fit_command.name;
    if (s->time && !s->covariates)
        return cli_misuse(name,
                          "--time names a column of a table; add --covariates FILE.csv");
    if ((s->slices > 0 || s->drift > 0) && !s->time)
        return cli_misuse(name, "--slices and --drift need --time COLUMN");
    if (s->content && !s->covariates)
        return cli_misuse(
            name, "--content names a column of a table; add --covariates FILE.csv");
    if (s->content && s->time)
        return cli_misuse(name, "--time and --content cannot be combined");
    if (!s->covariates != !(s->formula || s->time || s->content))
        return cli_misuse(name,
                          "--covariates and --formula go together: a table, and which of "
                          "its columns to use");
    if (s->fixed && !starts_from_model(s))
        return cli_misuse(
            name, "--fixed keeps topics of another model; name it with --init MODEL");
    if (s->restarts > 0 && (s->resume || starts_from_model(s)))
        return cli_misuse(name,
                          "--restarts cannot be combined with --resume or --init MODEL");
    if (is_dirichlet(s) &&
        (strcmp(s->method, dlp_topics_settings_default().method) != 0 ||
         strcmp(s->route, "fast") != 0 || strcmp(s->covariance, "marginal") != 0 ||
         strcmp(s->assign, "mode") != 0 || s->shrink > 0 || s->diagonal))
        return cli_misuse(
            name,
            "--method, --route, --covariance, --assign, --shrink and --diagonal apply "
            "only to the logistic normal prior; remove them, or --prior dirichlet");
    if (s->document && !s->covariates)
        return cli_misuse(name, "%s", cli_document_of_nothing);
    return CLI_DONE;
}

static dlp_status note_traffic(const work *w, dlp_error *error)
{
    const int size = dlp_processes_size(w->processes);
    int64_t bytes;
    if (size == 1) return DLP_OK;
    CLI_TRY(dlp_processes_traffic(w->processes, &bytes, error));
    if (w->model && dlp_topic_model_get_info(w->model)->divided > 0)
        cli_verbose(
            "topics were divided among %d processes: all of them would have taken "
            "more than half of the memory of one",
            size);
    cli_verbose("%d processes received %lld bytes from each other", size,
                (long long)bytes);
    return DLP_OK;
}

static int run(const void *command_settings)
{
    const cli_topics_fit_settings *s = command_settings;
    if (check_input(s) != CLI_DONE || check_usage(s) != CLI_DONE) return CLI_MISUSE;
    work w = {.settings = s, .started = cli_seconds()};
    dlp_error error = {0};
    dlp_status status = cli_processes_open(&w.processes, &error);
    if (status == DLP_OK) status = fit_corpus(s, &w, &error);
    if (status == DLP_OK) status = note_traffic(&w, &error);
    if (status == DLP_OK && leads(&w)) status = print_ending(s, &w, &error);
    int code = CLI_DONE;
    if (status != DLP_OK)
        code = cli_failed(status, &error);
    else if (!w.finished && leads(&w))
        code = cli_outcome_exit(outcome_of(&w));
    dlp_processes *processes = w.processes;
    free_work(&w);
    return cli_processes_end(processes, status, &error, code);
}

/* ---- the command ---- */

const cli_command cli_topics_fit_command = {
    .name = "topics fit",
    .summary = "fit the correlated topic model to a corpus",
    .description =
        "Fits the correlated topic model: for each document theta is drawn from a normal "
        "distribution, its topic proportions are softmax(theta), and each of its words "
        "is drawn from one of K topics in these proportions. Topics, mean and covariance "
        "are estimated by variational EM; with covariates, the mean is a regression on "
        "them.\n\nThe model is a folder: model.json, the arrays beta.npy (topics), "
        "mu.npy and sigma.npy (mean and covariance of theta), theta.npy (the documents' "
        "means), the names vocab.txt and docs.txt where they are known, and the "
        "iterations in trace.csv. The same corpus and options give the same bytes at any "
        "number of threads, except for the times in trace.csv.\n\nSIGINT and SIGTERM end "
        "the fit after the current iteration, with a checkpoint in the folder; the same "
        "command with --resume continues from there. After a crash it continues from the "
        "last checkpoint.\n\nSeveral processes may share the fit, on one machine or "
        "many: mpirun -n 4 delaplace topics fit ...; the result is the same to the byte.",
    .example =
        "  delaplace topics fit data/packages.ldac -k 10 -o model\n"
        "  delaplace topics fit data/packages.ldac -k 10 -o by-section \\\n"
        "      --covariates data/packages.csv --formula '~ section'\n",
    .operands = cli_topics_fit_operands,
    .options = cli_topics_fit_options,
    .shares = true,
    .settings_size = sizeof(cli_topics_fit_settings),
    .defaults = cli_topics_fit_defaults,
    .run = run,
};
