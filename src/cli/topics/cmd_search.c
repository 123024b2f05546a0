/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics search-k: how many topics a corpus has. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/corpus/source.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/topics/model.h"
#include "cli/topics/search.h"

#include <stdio.h>
#include <string.h>

enum { LEAST_TOPICS = 2, MOST_TOPICS = 10000, MOST_FITS = 1000 };

typedef struct search_settings {
    cli_common common;
    const char *corpus;
    const char *list;
    const char *output;
    const char *svg;
    dlp_index every;
    dlp_index splits;
    const char *vocab;
    const char *format;
    const char *method;
    const char *init;
    const char *halves;
    dlp_index seed;
    double tol;
    dlp_index max_iter;
    dlp_index threads;
    bool json;
} search_settings;

/* Everything that a run owns; free_work also accepts it half built. */
typedef struct work {
    dlp_index K[MOST_FITS];
    cli_search search;
    bool stopped;
} work;

/* ---- the numbers of topics ---- */

/* Reads the number at *at and moves *at past it; 0: there is none, or it is too
   large. */
static dlp_index read_number(const char **at)
{
    dlp_index number = 0;
    const char *end = *at;
    for (; *end >= '0' && *end <= '9' && number <= MOST_TOPICS; end++)
        number = 10 * number + (*end - '0');
    *at = end;
    return number <= MOST_TOPICS ? number : 0;
}

static bool add_number(dlp_index K, work *w)
{
    if (K < LEAST_TOPICS || w->search.count == MOST_FITS) return false;
    w->K[w->search.count++] = K;
    return true;
}

/* Reads FROM, FROM:TO or FROM:TO:STEP at *at and moves *at past it. */
static bool read_range(const char **at, work *w)
{
    const dlp_index from = read_number(at);
    dlp_index to = from, step = 1;
    if (from < LEAST_TOPICS) return false;
    if (**at == ':') {
        ++*at;
        to = read_number(at);
    }
    if (to != from && **at == ':') {
        ++*at;
        step = read_number(at);
    }
    if (to < from || step < 1) return false;
    for (dlp_index K = from; K <= to; K += step)
        if (!add_number(K, w)) return false;
    return true;
}

/* Reads a list such as "10,20,40" or "10:60:10" into K; false if it is malformed. */
static bool read_list(const char *list, work *w)
{
    for (const char *at = list;; at++) {
        if (!read_range(&at, w)) return false;
        if (!*at) return true;
        if (*at != ',') return false;
    }
}

/* ---- the corpus ---- */

static dlp_topics_settings topics_settings(const search_settings *s,
                                           cli_progress *progress)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    settings.method = s->method;
    settings.init = s->init;
    settings.seed = (uint64_t)s->seed;
    if (s->tol > 0) settings.tol = s->tol;
    if (s->max_iter > 0) settings.max_iter = (int)s->max_iter;
    settings.threads = (int)s->threads;
    settings.progress = cli_progress_call;
    settings.context = progress;
    return settings;
}

static dlp_status begin_search(const search_settings *s, const dlp_corpus *corpus,
                               work *w, cli_progress *progress, dlp_error *error)
{
    dlp_search_settings settings = dlp_search_settings_default();
    const dlp_topics_settings topics = topics_settings(s, progress);
    settings.every = s->every;
    settings.splits = s->splits;
    settings.random_halves = cli_halves_random(s->halves);
    settings.topics = &topics;
    CLI_TRY(cli_in_file(s->corpus,
                        dlp_topic_search_alloc(corpus, w->search.count, w->K, &settings,
                                               &w->search.search, error),
                        error));
    w->search.train = dlp_topic_search_train(w->search.search);
    w->search.test = dlp_topic_search_test(w->search.search);
    return DLP_OK;
}

static dlp_status read_corpus(const search_settings *s, work *w, cli_progress *progress,
                              dlp_error *error)
{
    dlp_corpus *corpus = NULL;
    CLI_TRY(cli_corpus_open(s->corpus, s->format, s->vocab, &corpus, error));
    const dlp_status status = begin_search(s, corpus, w, progress, error);
    dlp_corpus_free(corpus);
    return status;
}

/* ---- the fits ---- */

static dlp_index most_topics(const work *w)
{
    dlp_index most = 0;
    for (dlp_index i = 0; i < w->search.count; i++)
        if (w->K[i] > most) most = w->K[i];
    return most;
}

static dlp_status fit_next(const search_settings *s, work *w, cli_progress *progress,
                           dlp_error *error)
{
    cli_search *search = &w->search;
    char head[64];
    snprintf(head, sizeof head, "K = %td (%td of %td)", w->K[search->done],
             search->done + 1, search->count);
    cli_progress_restart(progress, head);
    const dlp_status status = dlp_topic_search_next(search->search, error);
    search->row = dlp_topic_search_rows(search->search, &search->done);
    w->stopped = status == DLP_ECANCELLED;
    return w->stopped ? DLP_OK : cli_in_file(s->corpus, status, error);
}

/* Writes the table after each fit, so that users can watch a long search. */
static dlp_status search_all(const search_settings *s, work *w, cli_progress *progress,
                             dlp_error *error)
{
    CLI_TRY(cli_topics_note_many(cli_input_name(s->corpus), w->search.train,
                                 most_topics(w), false, error));
    *progress = cli_progress_begin("searching");
    progress->what = "log evidence per word";
    progress->per = (double)w->search.train->words;
    dlp_status status = DLP_OK;
    while (status == DLP_OK && !w->stopped && w->search.done < w->search.count) {
        status = fit_next(s, w, progress, error);
        if (status == DLP_OK && s->output && strcmp(s->output, "-") != 0)
            status = cli_search_write_csv(&w->search, s->output, error);
    }
    cli_progress_end();
    return status;
}

/* ---- output ---- */

static void print_text(const search_settings *s, const work *w)
{
    if (s->output && s->common.quiet) return;
    cli_search_print(&w->search, s->corpus);
    if (s->common.quiet || (!s->output && !s->svg)) return;
    putchar('\n');
    cli_print_written(s->output);
    cli_print_written(s->svg);
}

static dlp_status report(const search_settings *s, const work *w, dlp_error *error)
{
    if (s->svg) CLI_TRY(cli_search_write_svg(&w->search, cli_output_path(s->svg), error));
    if (cli_is_stdout(s->svg)) return DLP_OK;
    if (cli_is_stdout(s->output))
        return cli_search_write_csv(&w->search, cli_output_path(s->output), error);
    if (!s->json) {
        print_text(s, w);
        return DLP_OK;
    }
    json_t *root =
        cli_json_with(cli_search_json(&w->search), "halves", json_string(s->halves));
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}

static int exit_code(const work *w)
{
    if (w->stopped) {
        fprintf(stderr, "delaplace: stopped by a signal after %td of %td fits\n",
                w->search.done, w->search.count);
        return cli_progress_exit();
    }
    for (dlp_index i = 0; i < w->search.done; i++)
        if (w->search.row[i].outcome != DLP_CONVERGED) return CLI_NOT_CONVERGED;
    return CLI_DONE;
}

static int run(const void *settings)
{
    const search_settings *s = settings;
    const char *const name = cli_topics_search_command.name;
    work w = {.stopped = false};
    cli_progress progress = {0};
    dlp_error error = {0};
    if (cli_is_stdout(s->output) && cli_is_stdout(s->svg))
        return cli_misuse(name, "%s", cli_two_outputs);
    if (cli_corpus_reads_stdin_twice(name, s->corpus, s->vocab)) return CLI_MISUSE;
    if (!read_list(s->list, &w))
        return cli_misuse(
            name,
            "--topics takes up to %d numbers, %d to %d, separated by commas, or ranges: "
            "-k 10,20,40 or -k 10:60:10",
            MOST_FITS, LEAST_TOPICS, MOST_TOPICS);
    dlp_status status = cli_try_output(s->output, &error);
    if (status == DLP_OK) status = cli_try_output(s->svg, &error);
    if (status == DLP_OK) status = read_corpus(s, &w, &progress, &error);
    if (status == DLP_OK) status = search_all(s, &w, &progress, &error);
    if (status == DLP_OK) status = report(s, &w, &error);
    const int code = status == DLP_OK ? exit_code(&w) : cli_failed(status, &error);
    dlp_topic_search_free(w.search.search);
    return code;
}

static void defaults(void *settings)
{
    search_settings *s = settings;
    const dlp_search_settings library = dlp_search_settings_default();
    s->every = library.every;
    s->splits = library.splits;
    s->halves = cli_halves_name(library.random_halves != 0);
    const dlp_topics_settings topics = dlp_topics_settings_default();
    s->method = topics.method;
    s->init = topics.init;
    s->seed = (dlp_index)topics.seed;
}

#define FIELD(name) offsetof(search_settings, name)

static const cli_operand operands[] = {
    CLI_CORPUS_OPERAND(FIELD(corpus)),
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "topics",
     .letter = 'k',
     .type = CLI_STRING,
     .value = "LIST",
     .offset = FIELD(list),
     .required = true,
     .help = "The numbers of topics to try, separated by commas: 10,20,40; 10:60:10 is a "
             "range in steps of 10."},
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(output),
     .help = "Write the table to this file as well, after each fit. - is standard "
             "output, without the text."},
    CLI_SVG(FIELD(svg), "the numbers against K"),
    {.name = "every",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(every),
     .of_library = true,
     .min = 2,
     .max = 1000000,
     .help = "Hold out the N-th document, the 2N-th, and so on."},
    {.name = "splits",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(splits),
     .of_library = true,
     .min = 1,
     .max = 1000,
     .help = "Fit each number N times, each time with other documents held out, and show "
             "means and standard deviations (sd), and the dispersion of the residuals, "
             "which --json and the file always include; N is at most --every."},
    CLI_TOPICS_METHOD(FIELD(method)),
    {.name = "init",
     .type = CLI_CHOICE,
     .value = "INIT",
     .offset = FIELD(init),
     .choices = dlp_topics_init,
     .of_library = true,
     .help = "The topics to start from."},
    CLI_HALVES(FIELD(halves)),
    CLI_SEED(FIELD(seed), "random topics, and for random halves"),
    {.name = "tol",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(tol),
     .above = true,
     .max = 1,
     .help = "When to stop a fit: as in 'topics fit', with the same default."},
    {.name = "max-iter",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(max_iter),
     .min = 1,
     .max = DLP_MOST_ITERATIONS,
     .help = "Stop a fit after at most this many iterations; same default as "
             "'topics fit'."},
    CLI_THREADS(FIELD(threads)),
    CLI_VOCAB(FIELD(vocab)),
    CLI_CORPUS_FORMAT(FIELD(format)),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_topics_search_command = {
    .name = "topics search-k",
    .summary = "compare models with several numbers of topics",
    .description =
        "Holds out one document in N (--every), fits a model to the others "
        "for each number of topics, and prints in one table: the "
        "approximate log evidence per word, the held-out log likelihood "
        "per word by document completion, the mean coherence (NPMI within "
        "the documents of the fit) and exclusivity of the topics' 10 most "
        "probable words, iterations and seconds.\n\nNo number is the right "
        "one. The held-out likelihood grows with K and then levels off; "
        "coherence, a measure of how well topics read, is best with fewer. "
        "The suggestion is the fewest topics whose held-out likelihood is "
        "within 0.5 % of the best. If that is the largest number tried, "
        "try larger ones. A dispersion above 1 says that words of a "
        "document go together more than its topics explain. Covariates are "
        "not used: they change the prevalence of topics, not how many "
        "there are to find.",
    .example = "  delaplace topics search-k data/packages.ldac -k 5,10,20,40 -o k.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(search_settings),
    .defaults = defaults,
    .run = run,
};
