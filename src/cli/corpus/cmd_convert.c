/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace corpus convert: from any corpus format to any other. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/corpus/source.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/print.h"

#include <stdio.h>
#include <string.h>

typedef struct convert_settings {
    cli_common common;
    const char *input;
    const char *output;
    const char *from;
    const char *to;
    const char *vocab;
    bool json;
} convert_settings;

static json_t *summary_json(const convert_settings *s, const dlp_corpus *c)
{
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:b, s:b}", "output",
                     dlpi_json_text(s->output), "D", (json_int_t)c->D, "V",
                     (json_int_t)c->V, "nnz", (json_int_t)c->nnz, "words",
                     (json_int_t)c->words, "has_vocab", c->vocab != NULL, "has_names",
                     c->name != NULL);
}

static void print_summary(const convert_settings *s, const dlp_corpus *c)
{
    printf("Written to %s: %td document%s, %td terms, %td words.\n", s->output, c->D,
           cli_plural(c->D), c->V, c->words);
    if (c->vocab || c->name)
        printf("Beside it: %s%s%s.\n", c->vocab ? "the terms (.vocab)" : "",
               c->vocab && c->name ? " and " : "",
               c->name ? "the documents' names (.docs)" : "");
    fputs("\nNext, look at it:\n  delaplace corpus stats ", stdout);
    cli_print_shell_word(s->output);
    putchar('\n');
}

static dlp_status print_converted(const convert_settings *s, const dlp_corpus *c,
                                  dlp_error *error)
{
    if (s->json) {
        json_t *summary = summary_json(s, c);
        const dlp_status status = cli_json_print(summary, error);
        json_decref(summary);
        return status;
    }
    if (!s->common.quiet) print_summary(s, c);
    return DLP_OK;
}

static dlp_status convert(const convert_settings *s, dlp_corpus **corpus,
                          dlp_error *error)
{
    CLI_TRY(cli_corpus_try(s->output, s->to, error));
    CLI_TRY(cli_corpus_open_text(s->input, s->from, s->vocab, true, corpus, error));
    CLI_TRY(cli_corpus_write(*corpus, s->output, s->to, NULL, error));
    return strcmp(s->output, "-") == 0 ? DLP_OK : print_converted(s, *corpus, error);
}

static int run(const void *command_settings)
{
    const convert_settings *s = command_settings;
    const char *const name = cli_corpus_convert_command.name;
    if (cli_corpus_reads_stdin_twice(name, s->input, s->vocab)) return CLI_MISUSE;
    if (!strcmp(s->output, "-") && !s->to)
        return cli_misuse(name, "standard output has no extension; add --to FORMAT");
    dlp_corpus *corpus = NULL;
    dlp_error error = {0};
    const dlp_status status = convert(s, &corpus, &error);
    dlp_corpus_free(corpus);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static const cli_operand operands[] = {
    {.name = "IN",
     .offset = offsetof(convert_settings, input),
     .path = true,
     .help =
         "The corpus; it may be compressed by gzip, zstd or xz. - is standard input."},
    {.name = NULL},
};

#define FIELD(name) offsetof(convert_settings, name)

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "OUT",
     .offset = FIELD(output),
     .required = true,
     .help = "Where the corpus goes, written whole or not at all, compressed when the "
             "name ends in .gz or .zst. - is standard output: the corpus alone."},
    {.name = "from",
     .type = CLI_CHOICE,
     .value = "FORMAT",
     .offset = FIELD(from),
     .choices = cli_corpus_format,
     .initial = "auto",
     .help = "The format of IN; auto looks at its first lines."},
    {.name = "to",
     .type = CLI_CHOICE,
     .value = "FORMAT",
     .offset = FIELD(to),
     .choices = dlp_corpus_format_name,
     .help = "The format of OUT. Without it, the extension decides: .ldac or .dat, .uci "
             "or .docword, .mtx or .mm, .svmlight, .svm or .libsvm, .csv, .dlpc."},
    CLI_VOCAB(FIELD(vocab)),
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_corpus_convert_command = {
    .name = "corpus convert",
    .summary = "write a corpus in another format",
    .description =
        "Reads a corpus in LDA-C (ldac), UCI bag of words (uci), Matrix "
        "Market (mtx), svmlight, CSV triplets (csv) or the program's own "
        "binary format (dlpc) and writes it in any of these. A dlpc file "
        "is mapped rather than read: commands start at once, and it may be "
        "larger than memory.\n\nNames go with the corpus: the terms and "
        "the documents' names are read from X.vocab and X.docs beside IN = "
        "X.ldac, or from the CSV itself, and written beside OUT in the "
        "same way.",
    .example =
        "  delaplace corpus convert data/packages.ldac -o packages.csv.gz\n"
        "  delaplace corpus convert ap.dat --vocab vocab.txt -o ap.mtx\n"
        "  delaplace corpus convert data/packages.ldac -o packages.dlpc\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(convert_settings),
    .run = run,
};
