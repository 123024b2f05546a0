/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace corpus build: from raw text to word counts. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/corpus/build_report.h"
#include "cli/corpus/stop_words.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct build_settings {
    cli_common common;
    const char *source;
    const char *output;
    const char *column;
    const char *name;
    bool lines;
    const char *vocab;
    const char *stop_words;
    bool keep_numbers;
    dlp_index min_length;
    dlp_index min_docs;
    double max_share;
    dlp_index max_terms;
    const char *stem;
    const char *language;
    const char *markup;
    const char *phrases;
    double phrase_strength;
    bool no_text;
    dlp_index top;
    bool json;
} build_settings;

/* --phrases is "find", a file, or "find,FILE". */
static bool finds_phrases(const char *typed)
{
    return typed && (!strcmp(typed, "find") || !strncmp(typed, "find,", 5));
}

/* The file of --phrases, or NULL. */
static const char *phrase_file(const char *typed)
{
    if (!finds_phrases(typed)) return typed;
    return typed[4] == ',' ? typed + 5 : NULL;
}

static dlp_text_settings text_settings(const build_settings *s)
{
    dlp_text_settings settings = dlp_text_settings_default();
    settings.keep_numbers = s->keep_numbers;
    /* cli_stop_words_add adds all other lists */
    settings.stop_words = cli_stop_words_are_auto(s->stop_words) ? "auto" : NULL;
    settings.min_length = s->min_length;
    settings.min_documents = s->min_docs;
    settings.max_share = s->max_share;
    settings.max_terms = s->max_terms;
    settings.stem = s->stem;
    settings.language = s->language;
    settings.markup = s->markup;
    settings.phrases = finds_phrases(s->phrases);
    settings.phrase_strength = s->phrase_strength;
    settings.keep_text = !s->no_text && strcmp(s->output, "-") != 0;
    return settings;
}

static dlp_status build_corpus(const build_settings *s, const dlp_text_settings *settings,
                               dlp_text_builder **builder, dlp_corpus **corpus,
                               dlp_text_report *report, dlp_error *error)
{
    cli_progress progress = {.percent = true};
    dlp_text_source source = dlp_text_source_default();
    source.path = s->source;
    source.lines = s->lines;
    source.column = s->column;
    source.name = s->name;
    source.progress = cli_progress_call;
    source.context = &progress;
    CLI_TRY(dlp_text_builder_alloc(settings, builder, error));
    CLI_TRY(cli_stop_words_add(s->stop_words, *builder, error));
    if (s->vocab) CLI_TRY(dlp_text_builder_read_terms(*builder, s->vocab, error));
    if (phrase_file(s->phrases))
        CLI_TRY(dlp_text_builder_read_phrases(*builder, phrase_file(s->phrases), error));
    cli_phase_begin("reading %s", cli_input_name(s->source));
    dlp_status status = dlp_text_builder_read(*builder, &source, error);
    cli_phase_end();
    if (status != DLP_OK) return status;
    cli_phase_begin("choosing the terms");
    status = dlp_text_builder_finish(*builder, corpus, report, error);
    cli_phase_note("%td of %td terms", report->kept_terms, report->terms);
    cli_phase_end();
    return cli_in_file(s->source, status, error);
}

static dlp_status print_build(const build_settings *s, const cli_corpus_build *build,
                              dlp_error *error)
{
    if (s->json) {
        json_t *summary = cli_corpus_build_json(build, s->top);
        const dlp_status status = cli_json_print(summary, error);
        json_decref(summary);
        return status;
    }
    return s->common.quiet ? DLP_OK : cli_corpus_build_print(build, s->top, error);
}

/* To standard output, only the corpus is written, in the most widely read format. */
static dlp_status write_corpus(const build_settings *s, const cli_corpus_build *build,
                               dlp_error *error)
{
    const bool to_stdout = !strcmp(s->output, "-");
    CLI_TRY(cli_corpus_write(build->corpus, s->output, to_stdout ? "ldac" : NULL, NULL,
                             error));
    return to_stdout ? DLP_OK : print_build(s, build, error);
}

/* Whether more than one input is standard input. */
static bool shares_stdin(const build_settings *s)
{
    const int users = !strcmp(s->source, "-") + cli_stop_words_need_stdin(s->stop_words) +
                      (s->vocab && !strcmp(s->vocab, "-")) +
                      (phrase_file(s->phrases) && !strcmp(phrase_file(s->phrases), "-"));
    return users > 1;
}

static bool is_file(const char *path)
{
    const bool is_there = !strcmp(path, "-") || access(path, F_OK) == 0;
    return is_there && !cli_is_folder(path);
}

/* Whether the kept text would overwrite the source. */
static bool replaces_source(const build_settings *s)
{
    struct stat source, text;
    char *beside = dlp_corpus_beside(s->output, ".text.jsonl");
    const bool same = beside && strcmp(s->source, "-") != 0 && !s->no_text &&
                      stat(s->source, &source) == 0 && stat(beside, &text) == 0 &&
                      source.st_dev == text.st_dev && source.st_ino == text.st_ino;
    free(beside);
    return same;
}

static int check_request(const build_settings *s)
{
    if (replaces_source(s))
        return cli_misuse(
            cli_corpus_build_command.name,
            "the text that is kept beside '%s' would replace '%s', which is "
            "read; name another output, or add --no-text",
            s->output, s->source);
    if (!s->lines && !s->column && is_file(s->source))
        return cli_misuse(cli_corpus_build_command.name,
                          "'%s' is a file; say what its documents are: --lines, or "
                          "--column NAME of a table or of JSON lines",
                          s->source);
    if (shares_stdin(s))
        return cli_misuse(
            cli_corpus_build_command.name,
            "only one of text, terms, phrases and stop words can be standard "
            "input");
    return CLI_DONE;
}

static int run(const void *command_settings)
{
    const build_settings *s = command_settings;
    const int code = check_request(s);
    if (code != CLI_DONE) return code;
    const dlp_text_settings settings = text_settings(s);
    dlp_text_builder *builder = NULL;
    dlp_corpus *corpus = NULL;
    dlp_text_report report = {0};
    dlp_error error = {0};
    dlp_status status = cli_corpus_try(s->output, NULL, &error);
    if (status == DLP_OK)
        status = build_corpus(s, &settings, &builder, &corpus, &report, &error);
    if (status == DLP_OK) {
        const cli_corpus_build build = {.builder = builder,
                                        .source_path = s->source,
                                        .output_path = s->output,
                                        .vocab_path = s->vocab,
                                        .settings = &settings,
                                        .report = &report,
                                        .named = s->name != NULL,
                                        .all_invalid = s->common.verbose,
                                        .corpus = corpus};
        status = write_corpus(s, &build, &error);
    }
    dlp_corpus_free(corpus);
    dlp_text_builder_free(builder);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static void defaults(void *settings)
{
    build_settings *s = settings;
    const dlp_text_settings library = dlp_text_settings_default();
    s->min_docs = library.min_documents;
    s->max_share = library.max_share;
    s->max_terms = library.max_terms;
    s->min_length = library.min_length;
    s->phrase_strength = library.phrase_strength;
}

static const cli_operand operands[] = {
    {.name = "SOURCE",
     .offset = offsetof(build_settings, source),
     .path = true,
     .help = "A folder of text files, each a document; or one file: a table or JSON "
             "lines with --column, text with --lines. It may be compressed by gzip, zstd "
             "or xz; - is standard input."},
    {.name = NULL},
};

#define FIELD(name) offsetof(build_settings, name)

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "OUT.ldac",
     .offset = FIELD(output),
     .required = true,
     .help = "Where the corpus goes, in the format of its extension. Beside it "
             "go OUT.vocab and OUT.docs, the documents' text (OUT.text.jsonl) "
             "and how words were formed (OUT.words.json). - is standard "
             "output: LDA-C alone, without the summary."},
    {.name = "column",
     .type = CLI_STRING,
     .value = "NAME",
     .offset = FIELD(column),
     .help =
         "The column of a table, or the key of JSON lines, that holds the text. Every "
         "row becomes a document, so that other columns can serve as covariates."},
    {.name = "name",
     .type = CLI_STRING,
     .value = "NAME",
     .offset = FIELD(name),
     .help = "The column or key with the documents' names. Without it they are numbered "
             "from 1; the files of a folder are named by their paths."},
    {.name = "lines",
     .offset = FIELD(lines),
     .help = "Every line of the file is a document."},
    {.name = "vocab",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(vocab),
     .help = "Count only the terms in this file, one per line: MODEL/vocab.txt, "
             "to apply a model to new documents. No other rule applies. Words "
             "are formed as they were for the model's corpus, if the model says "
             "how; otherwise give the same --stem and --keep-numbers as then."},
    {.name = "stop-words",
     .type = CLI_PATH,
     .value = "LIST",
     .offset = FIELD(stop_words),
     .initial = "auto",
     .help = "Words to drop: auto, those of the language; none; a language by name; or a "
             "file of words, which replaces auto; auto,FILE drops both. In a file, what "
             "follows # or | on a line is a comment."},
    {.name = "language",
     .type = CLI_CHOICE,
     .value = "LANGUAGE",
     .offset = FIELD(language),
     .choices = dlp_text_stop_list_name,
     .help = "The language of the text, for its stop words. Without it: the language of "
             "--stem, else the one whose stop words are most frequent in the text, or "
             "English if none stands out."},
    {.name = "min-docs",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(min_docs),
     .of_library = true,
     .min = 1,
     .max = 1e9,
     .help = "Drop terms that occur in fewer documents."},
    {.name = "max-share",
     .type = CLI_REAL,
     .value = "P",
     .offset = FIELD(max_share),
     .of_library = true,
     .above = true,
     .max = 1,
     .help = "Drop terms that occur in a larger share of the documents."},
    {.name = "max-terms",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(max_terms),
     .of_library = true,
     .max = 1e9,
     .help = "Keep only this many terms, the most frequent ones; 0 keeps all."},
    {.name = "min-length",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(min_length),
     .of_library = true,
     .min = 1,
     .max = 64,
     .help = "Drop words with fewer letters."},
    {.name = "keep-numbers",
     .offset = FIELD(keep_numbers),
     .help = "Treat digits as letters. Without it they separate words."},
    {.name = "stem",
     .type = CLI_CHOICE,
     .value = "LANGUAGE",
     .offset = FIELD(stem),
     .choices = dlp_text_stemmer_name,
     .help = "Count words with the same stem as one term, shown as the most frequent of "
             "them."},
    {.name = "phrases",
     .type = CLI_PATH,
     .value = "LIST",
     .offset = FIELD(phrases),
     .help = "Count phrases as terms, as in new_york: find looks for words that "
             "occur side by side more often than by chance; a file lists "
             "phrases, one per line; find,FILE does both."},
    {.name = "phrase-strength",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(phrase_strength),
     .of_library = true,
     .min = -1,
     .max = 1,
     .help = "The smallest normalised pointwise mutual information of a phrase "
             "that is found: 1 where two words never occur apart, 0 where they "
             "are unrelated."},
    {.name = "markup",
     .type = CLI_CHOICE,
     .value = "KIND",
     .offset = FIELD(markup),
     .choices = dlp_text_markup_name,
     .initial = "auto",
     .help = "How documents are marked up: html or xml (the text between the "
             "tags is read), mail (the subject and the body), none, or auto, "
             "which looks at each document."},
    {.name = "no-text",
     .offset = FIELD(no_text),
     .help = "Do not keep the documents' text beside the corpus. Reports cannot show it "
             "then."},
    CLI_TOP_TERMS(FIELD(top)),
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_corpus_build_command = {
    .name = "corpus build",
    .summary = "count the words of raw text",
    .description =
        "Reads documents, splits them into words, drops words that say "
        "little, and writes the counts of the others as a corpus, with the "
        "terms and the documents' names beside it. The same text and "
        "options give the same bytes.\n\nA word is a run of Unicode "
        "letters and the marks on them, regardless of case or of how "
        "accents are encoded. Everything else separates words; so does an "
        "apostrophe, except in n't: don't is one word. Chinese, Japanese, "
        "Thai, Lao, Khmer and Burmese, which have no spaces between words, "
        "are split with ICU's dictionaries.\n\nThe rules apply in this "
        "order: --min-length, --stop-words, --stem, --min-docs, "
        "--max-share, --max-terms. A document that loses all its words "
        "stays in the corpus, empty.",
    .example =
        "  delaplace corpus build reviews/ -o reviews.ldac\n"
        "  delaplace corpus build reviews.csv --column text --name id -o reviews.ldac\n"
        "  delaplace corpus build reviews/ --phrases find -o reviews.ldac\n"
        "  delaplace corpus build new/ --vocab model/vocab.txt -o new.ldac\n"
        "  zcat tweets.jsonl.gz | delaplace corpus build - --column text -o "
        "tweets.ldac\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(build_settings),
    .defaults = defaults,
    .run = run,
};
