/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace simulate ctm: a corpus drawn from a correlated topic model. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/topics/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct simulate_settings {
    cli_common common;
    const char *output;
    const char *truth; /* NULL: nowhere */
    const char *model; /* NULL: topics are drawn */
    dlp_index K;
    dlp_index terms;
    dlp_index documents;
    dlp_index words;
    dlp_index seed;
    double concentration; /* 0: the default */
    dlp_index threads;
    bool json;
} simulate_settings;

/* Everything that a run owns; free_work also accepts it half built. */
typedef struct work {
    dlp_topic_model *model;
    dlp_topics drawn;
    const dlp_topics *topics; /* the model's or those drawn */
    double concentration;     /* NaN: of the model's */
    dlp_corpus *corpus;       /* NULL: the documents went into a file as they came */
    dlp_corpus_writer *writer;
    double *theta; /* (D, K) */
    dlp_topic_folder *truth;
} work;

static void free_work(work *w)
{
    free(w->theta);
    dlp_corpus_free(w->corpus);
    dlp_corpus_writer_free(w->writer);
    dlp_topics_free(&w->drawn);
    dlp_topic_model_free(w->model);
    dlp_topic_folder_close(w->truth);
}

/* ---- the model ---- */

static dlp_status read_model(const simulate_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(cli_topics_load(s->model, 0, &w->model, error));
    if (dlp_topic_model_covariate_terms(w->model))
        return dlp_fail(error, DLP_EINPUT,
                        "%s: the model has covariates, which cannot be simulated; name a "
                        "model without any",
                        s->model);
    if (dlp_topic_model_get_info(w->model)->method_kind == DLP_TOPICS_DIRICHLET)
        return dlp_fail(
            error, DLP_EINPUT,
            "%s: the model has a Dirichlet prior, and documents are drawn from "
            "a logistic normal; name another model",
            s->model);
    w->topics = dlp_topic_model_fitted(w->model);
    w->concentration = NAN;
    return DLP_OK;
}

static dlp_status find_topics(const simulate_settings *s, work *w, dlp_error *error)
{
    if (s->model) return read_model(s, w, error);
    w->topics = &w->drawn;
    w->concentration =
        s->concentration > 0 ? s->concentration : DLP_SIMULATE_CONCENTRATION;
    return dlp_simulate_topics(s->K, s->terms, w->concentration, (uint64_t)s->seed,
                               &w->drawn, error);
}

/* ---- the corpus ---- */

static dlp_simulate_settings settings_of(const simulate_settings *s,
                                         cli_progress *progress)
{
    dlp_simulate_settings settings = dlp_simulate_settings_default();
    settings.documents = s->documents;
    settings.words = s->words;
    settings.seed = (uint64_t)s->seed;
    settings.threads = (int)s->threads;
    settings.progress = cli_progress_call;
    settings.context = progress;
    return settings;
}

static dlp_status draw(const simulate_settings *s, work *w, dlp_error *error)
{
    cli_progress progress = {.began = cli_seconds()};
    const dlp_simulate_settings settings = settings_of(s, &progress);
    w->theta = calloc((size_t)s->documents, (size_t)w->topics->K * sizeof *w->theta);
    if (!w->theta)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for %td documents",
                        s->documents);
    cli_phase_begin("drawing %td documents", s->documents);
    const dlp_status status =
        dlp_simulate_ctm(w->topics, NULL, &settings, &w->corpus, w->theta, error);
    cli_phase_end();
    CLI_TRY(status);
    return w->model ? dlp_topic_model_name_terms(w->model, w->corpus, error) : DLP_OK;
}

static dlp_status write_truth(const simulate_settings *s, const work *w, dlp_error *error)
{
    dlp_topic_model *truth;
    CLI_TRY(dlp_topic_model_simulated(w->topics, w->corpus, w->theta, (uint64_t)s->seed,
                                      w->concentration, &truth, error));
    const dlp_status status = dlp_topic_folder_save(w->truth, truth, error);
    dlp_topic_model_free(truth);
    return status;
}

static dlp_status open_truth(const char *path, dlp_topic_folder **folder,
                             dlp_error *error)
{
    if (strcmp(path, "-") != 0) return dlp_topic_folder_open(path, folder, error);
    return dlp_fail(error, DLP_EINVAL,
                    "a topic model is a folder and cannot go to standard output; name "
                    "it: -o model");
}

/* Writes the corpus before the truth, but moves it into place after it. */
static dlp_status write_all(const simulate_settings *s, const work *w, dlp_error *error)
{
    const char *format = strcmp(s->output, "-") ? NULL : "ldac";
    dlp_file_set *files = NULL;
    CLI_TRY(dlp_file_set_alloc(&files, error));
    dlp_status status =
        cli_corpus_write(w->corpus, cli_output_path(s->output), format, files, error);
    if (status == DLP_OK) status = dlp_file_set_prepare(files, error);
    if (status == DLP_OK && s->truth) status = write_truth(s, w, error);
    if (status == DLP_OK) status = dlp_file_set_commit(files, error);
    dlp_file_set_free(files);
    return status;
}

/* A dlpc file takes documents as they come; --truth needs all of them. */
static bool is_streamed(const simulate_settings *s)
{
    const size_t length = strlen(s->output);
    return !s->truth && length > 5 && !strcmp(s->output + length - 5, ".dlpc");
}

static dlp_status stream(const simulate_settings *s, work *w, dlp_error *error)
{
    cli_progress progress = {.began = cli_seconds()};
    const dlp_simulate_settings settings = settings_of(s, &progress);
    char *const *vocab = w->model ? dlp_topic_model_vocab(w->model) : NULL;
    CLI_TRY(dlp_corpus_writer_open(s->output, w->topics->V, vocab, &w->writer, error));
    cli_phase_begin("drawing %td documents", s->documents);
    const dlp_status status =
        dlp_simulate_ctm_write(w->topics, &settings, w->writer, error);
    cli_phase_end();
    CLI_TRY(status);
    return dlp_corpus_writer_finish(w->writer, NULL, error);
}

static dlp_status simulate(const simulate_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(cli_corpus_try(s->output, NULL, error));
    CLI_TRY(find_topics(s, w, error));
    if (is_streamed(s)) return stream(s, w, error);
    if (s->truth) CLI_TRY(open_truth(s->truth, &w->truth, error));
    CLI_TRY(draw(s, w, error));
    return write_all(s, w, error);
}

/* ---- what was done ---- */

static dlp_status print_json(const simulate_settings *s, const work *w, dlp_error *error)
{
    json_t *summary = json_pack(
        "{s:o, s:o, s:I, s:I, s:I, s:I}", "output", dlpi_json_text(s->output), "truth",
        s->truth ? dlpi_json_text(s->truth) : json_null(), "K", (json_int_t)w->topics->K,
        "V", (json_int_t)w->topics->V, "D", (json_int_t)s->documents, "words",
        (json_int_t)s->documents * (json_int_t)s->words);
    const dlp_status status = cli_json_print(summary, error);
    json_decref(summary);
    return status;
}

static void print_text(const simulate_settings *s, const work *w)
{
    printf("%td document%s of %td word%s each, from %td topics over %td terms.\n",
           s->documents, cli_plural(s->documents), s->words, cli_plural(s->words),
           w->topics->K, w->topics->V);
    printf("Written to %s", s->output);
    if (s->truth) printf(", and the model it was drawn from to %s", s->truth);
    fputs("\n\nNext, fit it:\n  delaplace topics fit ", stdout);
    cli_print_shell_word(s->output);
    printf(" -k %td -o model\n", w->topics->K);
}

static dlp_status report(const simulate_settings *s, const work *w, dlp_error *error)
{
    if (!strcmp(s->output, "-")) return DLP_OK;
    if (s->json) return print_json(s, w, error);
    if (!s->common.quiet) print_text(s, w);
    return DLP_OK;
}

/* ---- the command ---- */

static int check_usage(const simulate_settings *s)
{
    const char *const name = cli_simulate_ctm_command.name;
    const bool drawn = s->K > 0 || s->terms > 0 || s->concentration > 0;
    if (s->model && drawn)
        return cli_misuse(name,
                          "--model brings its own topics: remove --topics, --terms and "
                          "--concentration");
    if (!s->model && (s->K == 0 || s->terms == 0))
        return cli_misuse(name, "give --topics and --terms, or --model");
    return CLI_DONE;
}

static int run(const void *command_settings)
{
    const simulate_settings *s = command_settings;
    if (check_usage(s) != CLI_DONE) return CLI_MISUSE;
    work w = {.model = NULL};
    dlp_error error = {0};
    dlp_status status = simulate(s, &w, &error);
    if (status == DLP_OK) status = report(s, &w, &error);
    const int code = status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
    free_work(&w);
    return code;
}

#define FIELD(name)   offsetof(simulate_settings, name)
#define CONCENTRATION CLI_TEXT_OF(DLP_SIMULATE_CONCENTRATION)

static void defaults(void *settings)
{
    simulate_settings *s = settings;
    s->seed = (dlp_index)dlp_simulate_settings_default().seed;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "CORPUS",
     .offset = FIELD(output),
     .required = true,
     .help = "Where the corpus goes, in the format of its extension (.ldac, .uci, .mtx, "
             ".svmlight, .csv, .dlpc); - is standard output, as LDA-C. Without --truth, "
             "a .dlpc file is written as documents are drawn, so that the corpus may be "
             "larger than memory."},
    {.name = "truth",
     .type = CLI_PATH,
     .value = "MODEL/",
     .offset = FIELD(truth),
     .help = "The folder for the model that the corpus was drawn from, as 'topics fit' "
             "writes it, with the documents' true theta."},
    {.name = "topics",
     .letter = 'k',
     .type = CLI_COUNT,
     .value = "K",
     .offset = FIELD(K),
     .min = 2,
     .max = 10000,
     .help = "How many topics to draw."},
    {.name = "terms",
     .type = CLI_COUNT,
     .value = "V",
     .offset = FIELD(terms),
     .min = 2,
     .max = 10000000,
     .help = "How many terms the vocabulary has."},
    {.name = "documents",
     .type = CLI_COUNT,
     .value = "D",
     .offset = FIELD(documents),
     .required = true,
     .min = 1,
     .max = 100000000,
     .help = "How many documents."},
    {.name = "words",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(words),
     .required = true,
     .min = 1,
     .max = 10000000,
     .help = "How many words each document has."},
    CLI_SEED(FIELD(seed), "topics and documents"),
    {.name = "concentration",
     .type = CLI_REAL,
     .value = "C",
     .offset = FIELD(concentration),
     .min = 0,
     .max = 1e6,
     .above = true,
     .help = "How alike topics are: each is a draw from a Dirichlet around Zipf's law, "
             "with concentration C per term. Without it: " CONCENTRATION
             ", distinct topics that share their most common terms."},
    {.name = "model",
     .type = CLI_PATH,
     .value = "MODEL/",
     .offset = FIELD(model),
     .help = "Draw from this model, which must have no covariates, instead of drawing "
             "topics first. The corpus gets its vocabulary."},
    CLI_THREADS(FIELD(threads)),
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_simulate_ctm_command = {
    .name = "simulate ctm",
    .summary = "draw a corpus from a correlated topic model",
    .description =
        "Draws documents from a correlated topic model: for each, theta from the "
        "logistic normal prior, then every word from the topics in the proportions "
        "softmax(theta). With --truth, what 'topics fit' finds can be compared with the "
        "truth.\n\nThe topics, their mean and their covariance are drawn as well, or "
        "come from a model. The first documents are the same however many are "
        "drawn.\n\nLDA-C and svmlight files lose terms at the end of the vocabulary that "
        "no document uses; .uci, .mtx and .dlpc files keep them.",
    .example =
        "  delaplace simulate ctm -k 5 --terms 500 --documents 1000 --words 100 \\\n"
        "      -o corpus.ldac --truth truth\n"
        "  delaplace topics fit corpus.ldac -k 5 -o model\n",
    .options = options,
    .settings_size = sizeof(simulate_settings),
    .defaults = defaults,
    .run = run,
};
