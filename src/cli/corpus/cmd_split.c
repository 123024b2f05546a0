/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace corpus split: documents to learn from, and documents to test on. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/corpus/source.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct split_settings {
    cli_common common;
    const char *input;
    const char *train;
    const char *test;
    dlp_index every;
    double fraction;
    dlp_index seed;
    const char *vocab;
    const char *format;
    bool json;
} split_settings;

/* The two parts of a corpus. */
typedef struct parts {
    dlp_corpus *train, *test;
} parts;

static dlp_status part(const split_settings *s, const dlp_corpus *corpus, parts *out,
                       dlp_error *error)
{
    dlp_split_settings settings = dlp_split_settings_default();
    if (s->every) settings.every = s->every;
    settings.fraction = s->fraction;
    settings.seed = (uint64_t)s->seed;
    const dlp_status status =
        dlp_corpus_split(corpus, &settings, &out->train, &out->test, error);
    return cli_in_file(s->input, status, error);
}

/* ---- what was done ---- */

static json_t *part_json(const char *path, const dlp_corpus *c)
{
    return json_pack("{s:o, s:I, s:I}", "output", dlpi_json_text(path), "D",
                     (json_int_t)c->D, "words", (json_int_t)c->words);
}

static void print_part(const char *path, const dlp_corpus *c)
{
    printf("Written to %s: %td document%s, %td words.\n", path, c->D, cli_plural(c->D),
           c->words);
}

static dlp_status report(const split_settings *s, const parts *p, dlp_error *error)
{
    if (s->json) {
        json_t *summary = json_pack("{s:o, s:o}", "train", part_json(s->train, p->train),
                                    "test", part_json(s->test, p->test));
        const dlp_status status = cli_json_print(summary, error);
        json_decref(summary);
        return status;
    }
    if (!s->common.quiet) {
        print_part(s->train, p->train);
        print_part(s->test, p->test);
    }
    return DLP_OK;
}

/* Writes both parts before moving either into place. */
static dlp_status write_parts(const split_settings *s, const parts *p, dlp_error *error)
{
    dlp_file_set *files = NULL;
    CLI_TRY(dlp_file_set_alloc(&files, error));
    dlp_status status = cli_corpus_write(p->train, s->train, NULL, files, error);
    if (status == DLP_OK) status = cli_corpus_write(p->test, s->test, NULL, files, error);
    if (status == DLP_OK) status = dlp_file_set_commit(files, error);
    dlp_file_set_free(files);
    return status;
}

static dlp_status split(const split_settings *s, dlp_corpus **corpus, parts *p,
                        dlp_error *error)
{
    CLI_TRY(cli_corpus_try(s->train, NULL, error));
    CLI_TRY(cli_corpus_try(s->test, NULL, error));
    CLI_TRY(cli_corpus_open_text(s->input, s->format, s->vocab, true, corpus, error));
    CLI_TRY(part(s, *corpus, p, error));
    CLI_TRY(write_parts(s, p, error));
    return report(s, p, error);
}

/* Each part also gets a file of document names; those two files must differ, too. */
static int check_paths(const split_settings *s)
{
    const char *const name = cli_corpus_split_command.name;
    if (!strcmp(s->train, "-") || !strcmp(s->test, "-"))
        return cli_misuse(name,
                          "a split writes two files; neither can be standard output");
    char *train = dlp_corpus_beside(s->train, ".docs");
    char *test = dlp_corpus_beside(s->test, ".docs");
    int code = CLI_DONE;
    if (!train || !test)
        code = cli_no_memory();
    else if (!strcmp(train, test))
        code = cli_misuse(name,
                          "'%s' and '%s' differ only in their extension, so their "
                          "documents' names would go to the same file",
                          s->train, s->test);
    free(train);
    free(test);
    return code;
}

static int run(const void *command_settings)
{
    const split_settings *s = command_settings;
    const char *const name = cli_corpus_split_command.name;
    if (cli_corpus_reads_stdin_twice(name, s->input, s->vocab)) return CLI_MISUSE;
    if (s->every && s->fraction > 0)
        return cli_misuse(name, "--every and --fraction cannot be combined");
    const int code = check_paths(s);
    if (code != CLI_DONE) return code;
    dlp_corpus *corpus = NULL;
    parts p = {0};
    dlp_error error = {0};
    const dlp_status status = split(s, &corpus, &p, &error);
    dlp_corpus_free(p.train);
    dlp_corpus_free(p.test);
    dlp_corpus_free(corpus);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static const cli_operand operands[] = {
    {.name = "IN",
     .offset = offsetof(split_settings, input),
     .path = true,
     .help =
         "The corpus, in any format of 'corpus convert', plain or compressed by gzip, "
         "zstd or xz; - is standard input."},
    {.name = NULL},
};

#define FIELD(name) offsetof(split_settings, name)

static void defaults(void *settings)
{
    split_settings *s = settings;
    s->seed = (dlp_index)dlp_split_settings_default().seed;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "TRAIN",
     .offset = FIELD(train),
     .required = true,
     .help = "Where the training documents go, in the format of the extension."},
    {.name = "test",
     .type = CLI_PATH,
     .value = "TEST",
     .offset = FIELD(test),
     .required = true,
     .help = "Where the test documents go."},
    {.name = "every",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(every),
     .min = 2,
     .max = 1e9,
     .help = "Take every N-th document as a test document. Without this and --fraction, "
             "N is 5."},
    {.name = "fraction",
     .type = CLI_REAL,
     .value = "P",
     .offset = FIELD(fraction),
     .above = true,
     .max = 0.999999,
     .help = "Instead, take each document as a test document with probability P."},
    CLI_SEED(FIELD(seed), "--fraction; the same seed makes the same split"),
    CLI_VOCAB(FIELD(vocab)),
    CLI_CORPUS_FORMAT(FIELD(format)),
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_corpus_split_command = {
    .name = "corpus split",
    .summary = "split a corpus into training and test documents",
    .description =
        "Writes two corpora over the same terms: documents to fit a model to, and "
        "documents to evaluate it on. Their order is kept. The terms and the documents' "
        "names, where known, go beside each part (.vocab and .docs).",
    .example =
        "  delaplace corpus split data/packages.ldac -o train.ldac --test "
        "test.ldac\n"
        "  delaplace corpus split data/packages.ldac --fraction 0.1 --seed 7 \\\n"
        "      -o train.ldac --test test.ldac\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(split_settings),
    .defaults = defaults,
    .run = run,
};
