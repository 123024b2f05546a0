/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics export: a topic model as tidy tables. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/csv.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/topics/model.h"
#include "io/print_file.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct export_settings {
    cli_common common;
    const char *model;
    const char *words;
    const char *documents;
    const char *time;
    const char *groups;
    dlp_index top;
} export_settings;

typedef struct table {
    const dlp_topic_model *model;
    dlp_topic_words words;
    double *share; /* (K) of a document's topics */
} table;

static void print_words(FILE *out, const void *what)
{
    const table *t = what;
    fputs("topic,term,beta", out);
    cli_topics_csv_label_head(out, t->model);
    fputc('\n', out);
    for (dlp_index k = 0; k < t->words.K; k++)
        for (dlp_index i = k * t->words.n; i < (k + 1) * t->words.n; i++) {
            char number[32];
            fprintf(out, "%td,", k + 1);
            cli_csv_text(out, "", cli_topics_term(t->model, t->words.term[i], number));
            fprintf(out, ",%.10g", t->words.score[i]);
            cli_topics_csv_label(out, t->model, k);
            fputc('\n', out);
        }
}

static void print_document(FILE *out, const table *t, dlp_index d)
{
    const dlp_index K = dlp_topic_model_topics(t->model)->K;
    dlp_topics_prevalence(1, K, dlp_topic_model_theta(t->model) + d * K, t->share);
    for (dlp_index k = 0; k < K; k++) {
        char number[32];
        cli_csv_text(out, "", cli_topics_document(t->model, d, number));
        fprintf(out, ",%td,%.6g", k + 1, t->share[k]);
        cli_topics_csv_label(out, t->model, k);
        fputc('\n', out);
    }
}

static void print_documents(FILE *out, const void *what)
{
    const table *t = what;
    fputs("document,topic,gamma", out);
    cli_topics_csv_label_head(out, t->model);
    fputc('\n', out);
    for (dlp_index d = 0; d < dlp_topic_model_get_info(t->model)->D; d++)
        print_document(out, t, d);
}

/* For each slice: the words that are most probable on average over slices, or all words
   of the training corpus. */
static void print_time(FILE *out, const void *what)
{
    const table *t = what;
    const dlp_topic_slices *s = dlp_topic_model_slices(t->model);
    fputs("slice,topic,term,beta,lower,upper", out);
    cli_topics_csv_label_head(out, t->model);
    fputc('\n', out);
    for (dlp_index k = 0; k < s->K; k++)
        for (dlp_index i = k * t->words.n; i < (k + 1) * t->words.n; i++)
            for (dlp_index at = 0; at < s->T; at++) {
                const dlp_index v = t->words.term[i];
                const dlp_slice_word word = dlp_topic_slices_word(s, at, k, v);
                char number[32];
                cli_csv_text(out, "", dlp_topic_model_slice_names(t->model)[at]);
                fprintf(out, ",%td,", k + 1);
                cli_csv_text(out, "", cli_topics_term(t->model, v, number));
                fprintf(out, ",%.8g,%.8g,%.8g", word.probability, word.lower, word.upper);
                cli_topics_csv_label(out, t->model, k);
                fputc('\n', out);
            }
}

/* For each group: the words that are most probable on average over groups, or all words
   of the training corpus. */
static void print_groups(FILE *out, const void *what)
{
    const table *t = what;
    const dlp_topic_content *c = dlp_topic_model_content(t->model);
    fputs("group,topic,term,beta,difference,lower,upper", out);
    cli_topics_csv_label_head(out, t->model);
    fputc('\n', out);
    for (dlp_index k = 0; k < c->K; k++)
        for (dlp_index i = k * t->words.n; i < (k + 1) * t->words.n; i++)
            for (dlp_index g = 0; g < c->G; g++) {
                const dlp_content_word word =
                    dlp_topic_content_word(c, g, k, t->words.term[i]);
                char number[32];
                cli_csv_text(out, "", dlp_topic_model_content_names(t->model)[g]);
                fprintf(out, ",%td,", k + 1);
                cli_csv_text(out, "", cli_topics_term(t->model, word.term, number));
                fprintf(out, ",%.8g,%.6g,%.6g,%.6g", word.probability, word.difference,
                        word.lower, word.upper);
                cli_topics_csv_label(out, t->model, k);
                fputc('\n', out);
            }
}

static dlp_status write_table(const char *path, dlp_index top, dlpi_print_text *print,
                              table *t, dlp_file_set *files, dlp_error *error)
{
    const dlp_topics *topics = dlp_topic_model_topics(t->model);
    CLI_TRY(dlp_topics_words(topics, DLP_BY_PROBABILITY, top ? top : topics->V, &t->words,
                             error));
    const dlp_status status =
        dlpi_print_file_in(files, cli_output_path(path), print, t, error);
    dlp_topic_words_free(&t->words);
    return status;
}

static dlp_status write_tables(const export_settings *s, table *t, dlp_file_set *files,
                               dlp_error *error)
{
    if (s->words) CLI_TRY(write_table(s->words, s->top, print_words, t, files, error));
    if (s->time) CLI_TRY(write_table(s->time, s->top, print_time, t, files, error));
    if (s->groups) CLI_TRY(write_table(s->groups, s->top, print_groups, t, files, error));
    if (s->documents)
        CLI_TRY(dlpi_print_file_in(files, cli_output_path(s->documents), print_documents,
                                   t, error));
    return dlp_file_set_commit(files, error);
}

static dlp_status export(const export_settings *s, const dlp_topic_model *model,
                         dlp_error *error)
{
    table t = {.model = model};
    if (s->time && !dlp_topic_model_slices(model))
        return dlp_fail(error, DLP_EINVAL,
                        "the topics of %s do not drift; fit with --time COLUMN",
                        s->model);
    if (s->groups && !dlp_topic_model_content(model))
        return dlp_fail(error, DLP_EINVAL,
                        "words of the topics of %s do not differ by group; fit with "
                        "--content COLUMN",
                        s->model);
    dlp_file_set *files = NULL;
    t.share = calloc((size_t)dlp_topic_model_topics(model)->K, sizeof *t.share);
    dlp_status status =
        t.share ? dlp_file_set_alloc(&files, error)
                : dlp_fail(error, DLP_ENOMEM, "out of memory for a document's topics");
    if (status == DLP_OK) status = write_tables(s, &t, files, error);
    dlp_file_set_free(files);
    free(t.share);
    CLI_TRY(status);
    const bool quiet = s->common.quiet || cli_is_stdout(s->words) ||
                       cli_is_stdout(s->documents) || cli_is_stdout(s->time) ||
                       cli_is_stdout(s->groups);
    if (s->words && !quiet) cli_print_written(s->words);
    if (s->documents && !quiet) cli_print_written(s->documents);
    if (s->time && !quiet) cli_print_written(s->time);
    if (s->groups && !quiet) cli_print_written(s->groups);
    return DLP_OK;
}

static int run(const void *settings)
{
    const export_settings *s = settings;
    if (!s->words && !s->documents && !s->time && !s->groups)
        return cli_misuse(
            cli_topics_export_command.name,
            "name a file: --words beta.csv, --documents gamma.csv, or both");
    if (cli_is_stdout(s->words) + cli_is_stdout(s->documents) + cli_is_stdout(s->time) +
            cli_is_stdout(s->groups) >
        1)
        return cli_misuse(cli_topics_export_command.name,
                          "only one of the tables can go to standard output");
    dlp_topic_model *model = NULL;
    dlp_error error = {0};
    dlp_status status = cli_try_output(s->words, &error);
    if (status == DLP_OK) status = cli_try_output(s->documents, &error);
    if (status == DLP_OK) status = cli_try_output(s->time, &error);
    if (status == DLP_OK) status = cli_try_output(s->groups, &error);
    if (status == DLP_OK)
        status = cli_topics_load(
            s->model, DLP_LOAD_THETA | DLP_LOAD_NAMES | DLP_LOAD_SLICES, &model, &error);
    if (status == DLP_OK) status = export(s, model, &error);
    dlp_topic_model_free(model);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

#define FIELD(name) offsetof(export_settings, name)

static const cli_operand operands[] = {
    CLI_MODEL_OPERAND(FIELD(model)),
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "words",
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(words),
     .help =
         "Write topic,term,beta: the probability of each term in each topic, the most "
         "probable first. - is standard output."},
    {.name = "documents",
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(documents),
     .help =
         "Write document,topic,gamma: each topic's share of each document of the fit. - "
         "is standard output."},
    {.name = "over-time",
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(time),
     .help = "For topics that drift, write slice,topic,term,beta,lower,upper: "
             "the probability of each term in each slice, with its 95 % "
             "interval."},
    {.name = "by-group",
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(groups),
     .help = "For topics whose words differ by group, write "
             "group,topic,term,beta,difference,lower,upper: the probability of "
             "each term in each group, and its logarithm minus the mean over "
             "groups, with a 95 % interval."},
    {.name = "top",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(top),
     .min = 1,
     .max = 1000000000,
     .help = "Only the N most probable words of each topic."},
    {.name = NULL},
};

const cli_command cli_topics_export_command = {
    .name = "topics export",
    .summary = "write topics and shares as tidy tables",
    .description =
        "Writes a model as CSV with one row for each number, in the "
        "columns of R's tidytext: topic, term and beta; document, topic "
        "and gamma. If topics have labels, a column label follows. Terms "
        "that the documents of the fit do not have are left out. For standard deviations "
        "of "
        "shares, see 'topics infer --uncertainty'.",
    .example = "  delaplace topics export model --words beta.csv --documents gamma.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(export_settings),
    .run = run,
};
