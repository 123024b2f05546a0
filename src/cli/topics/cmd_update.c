/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics update: adds new documents to a model. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/corpus/source.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/outcome.h"
#include "cli/phase.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/topics/model.h"
#include "cli/topics/print.h"

#include <stdio.h>
#include <string.h>

typedef struct update_settings {
    cli_common common;
    const char *model, *corpus, *vocab, *format, *output;
    const char *new_terms;
    double weight, tol;
    dlp_index max_iter, threads;
    bool json;
} update_settings;

/* Everything that a run owns. */
typedef struct work {
    double started;
    dlp_topic_folder *folder;
    dlp_topic_model *model, *updated;
    dlp_corpus *corpus;
    dlp_topic_update taken;
} work;

static void free_work(work *w)
{
    dlp_topic_model_free(w->updated);
    dlp_topic_model_free(w->model);
    dlp_corpus_free(w->corpus);
    dlp_topic_folder_close(w->folder);
}

static const char *output_of(const update_settings *s)
{
    return s->output ? s->output : s->model;
}

/* ---- the update ---- */

static dlp_topic_update_settings library_settings(const update_settings *s,
                                                  cli_progress *progress)
{
    dlp_topic_update_settings settings = dlp_topic_update_settings_default();
    settings.weight = s->weight;
    settings.keep_terms = !strcmp(s->new_terms, "drop");
    settings.tol = s->tol;
    settings.max_iter = (int)s->max_iter;
    settings.threads = (int)s->threads;
    settings.progress = cli_progress_call;
    settings.context = progress;
    return settings;
}

/* If a write fails after the new model.json is in place, readers already see the new
   model, and a second try would add the documents twice. The error says so. */
static dlp_status save(const update_settings *s, work *w, dlp_error *error)
{
    const dlp_status status = dlp_topic_folder_save(w->folder, w->updated, error);
    const dlp_index documents = dlp_topic_model_get_info(w->updated)->D;
    dlp_topic_model *now = NULL;
    if (status == DLP_OK || s->output ||
        dlp_topic_model_load(s->model, 0, &now, NULL) != DLP_OK)
        return status;
    const bool done = dlp_topic_model_get_info(now)->D == documents;
    dlp_topic_model_free(now);
    if (!done) return status;
    const dlp_error why = *error;
    return dlp_fail(
        error, status,
        "%s. The new documents are in the model all the same; do not add them again",
        why.message);
}

static dlp_status run_update(const update_settings *s, work *w, dlp_error *error)
{
    cli_progress progress = cli_progress_begin("fitting");
    progress.what = "log evidence per word";
    progress.per = (double)w->corpus->words;
    const dlp_topic_update_settings settings = library_settings(s, &progress);
    dlp_status status = dlp_topic_model_update(w->model, w->corpus, &settings, &w->taken,
                                               &w->updated, error);
    if (status == DLP_OK) {
        cli_phase_begin("writing %s", output_of(s));
        status = save(s, w, error);
    } else if (status != DLP_ECANCELLED) {
        status = cli_in_file(s->corpus, status, error);
    }
    cli_progress_end();
    return status;
}

/* Opens the folder, which locks it, before reading the whole model, so that two updates
   cannot overlap. */
static dlp_status update(const update_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(cli_topics_load(s->model, 0, &w->model, error));
    dlp_topic_model_free(w->model);
    w->model = NULL;
    CLI_TRY(dlp_topic_folder_open(output_of(s), &w->folder, error));
    CLI_TRY(cli_topics_load(s->model, DLP_LOAD_ALL, &w->model, error));
    CLI_TRY(cli_corpus_open(s->corpus, s->format, s->vocab, &w->corpus, error));
    CLI_TRY(
        cli_in_file(s->corpus, dlp_topic_folder_check_names(w->corpus, error), error));
    return run_update(s, w, error);
}

/* ---- what it says ---- */

static void print_terms(const dlp_topic_update *t)
{
    if (t->new_terms > 0)
        printf("%td term%s new, with %td of these words.\n", t->new_terms,
               t->new_terms == 1 ? " is" : "s are", t->new_words);
    if (t->left_out > 0)
        printf("%td word%s not in the model's vocabulary and left out.\n", t->left_out,
               t->left_out == 1 ? " is" : "s are");
}

static void print_summary(const update_settings *s, const work *w)
{
    const dlp_topic_model_info *info = dlp_topic_model_get_info(w->updated);
    const dlp_topic_update *t = &w->taken;
    const dlp_index before = info->D - t->documents;
    printf("%td document%s of %td words added to the %td that the model had.\n",
           t->documents, cli_plural(t->documents), t->words, before);
    if (s->weight < 1)
        printf("Each of those now counts as %g of a new one.\n", s->weight);
    print_terms(t);
    if (t->again > 0)
        printf(
            "%td document%s a name that the model already has; a document that is the "
            "same counts twice.\n",
            t->again, t->again == 1 ? " has" : "s have");
    printf("EM over the new documents %s after %d iteration%s and %.1f s.\n",
           cli_outcome_sentence(info->outcome), info->iterations,
           cli_plural(info->iterations), cli_seconds() - w->started);
    printf("Written to %s\n", output_of(s));
    cli_topics_print_next(output_of(s));
}

static int run(const void *command_settings)
{
    const update_settings *s = command_settings;
    if (cli_corpus_reads_stdin_twice(cli_topics_update_command.name, s->corpus, s->vocab))
        return CLI_MISUSE;
    work w = {.started = cli_seconds()};
    dlp_error error = {0};
    int code = CLI_DONE;
    dlp_status status = update(s, &w, &error);
    if (status == DLP_OK && s->json)
        status = cli_topics_print_json(w.updated, cli_seconds() - w.started, &error);
    else if (status == DLP_OK && !s->common.quiet)
        print_summary(s, &w);
    if (status == DLP_OK)
        code = cli_outcome_exit(dlp_topic_model_get_info(w.updated)->outcome);
    else if (status == DLP_ECANCELLED)
        code = cli_progress_without_result();
    else
        code = cli_failed(status, &error);
    free_work(&w);
    return code;
}

/* ---- the command ---- */

static const char *new_terms_name(int i)
{
    static const char *const names[] = {"add", "drop", NULL};
    return names[i];
}

static void set_defaults(void *settings)
{
    update_settings *s = settings;
    const dlp_topic_update_settings library = dlp_topic_update_settings_default();
    s->weight = library.weight;
    s->new_terms = new_terms_name(library.keep_terms != 0);
    s->max_iter = dlp_topics_settings_default().max_iter;
}

#define FIELD(name) offsetof(update_settings, name)

static const cli_operand operands[] = {
    CLI_MODEL_OPERAND(FIELD(model)),
    {.name = "CORPUS",
     .offset = FIELD(corpus),
     .path = true,
     .help = "The new documents, in any format of 'corpus convert'; - is standard input. "
             "Terms are matched with the model's by name, or by number if the names are "
             "not known."},
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "MODEL/",
     .offset = FIELD(output),
     .help = "Another folder for the model; without it, the model itself is replaced "
             "once the new one is complete."},
    CLI_VOCAB(FIELD(vocab)),
    CLI_CORPUS_FORMAT(FIELD(format)),
    {.name = "new-terms",
     .type = CLI_CHOICE,
     .value = "WHAT",
     .offset = FIELD(new_terms),
     .choices = new_terms_name,
     .of_library = true,
     .help =
         "Words that are not in the model's vocabulary: add them to it, or drop them."},
    {.name = "weight",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(weight),
     .of_library = true,
     .max = 1,
     .help = "The weight of each document already in the model; a new one has weight 1. "
             "Below 1, old documents count less with every update: for streams whose "
             "subjects change."},
    CLI_THREADS(FIELD(threads)),
    CLI_MAX_ITER(FIELD(max_iter)),
    {.name = "tol",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(tol),
     .max = 1,
     .help = "As for 'topics fit'; without it, what the model was fitted with."},
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_topics_update_command = {
    .name = "topics update",
    .summary = "add new documents to a model",
    .description =
        "Adds new documents to a model; those it was fitted to are not needed. EM runs "
        "over the new documents, starting from the model's topics, and the old documents "
        "keep their weight. Topics keep their numbers, labels and merges. The "
        "proportions of old documents stay as they were; those of the new ones are "
        "added. The result is a folder like that of 'topics fit', and can be updated "
        "again. Nothing is random: the same model and documents give the same bytes, at "
        "any number of threads.\n\nThe model must have no covariates, drift, groups or "
        "Dirichlet prior. An update does not find new topics: for that, fit again with "
        "'topics fit --init MODEL' and a larger -k.",
    .example =
        "  delaplace topics update model new.ldac -o newer\n"
        "  delaplace topics update newer new.ldac --new-terms drop --weight 0.5\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(update_settings),
    .defaults = set_defaults,
    .run = run,
};
