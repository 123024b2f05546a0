/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace corpus stats: how large a corpus is, and what it is about. */
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

typedef struct stats_settings {
    cli_common common;
    const char *corpus;
    const char *vocab;
    const char *format;
    dlp_index top;
    bool json;
} stats_settings;

/* What was counted; the struct owns rank. */
typedef struct counted {
    dlp_corpus_statistics statistics;
    dlp_term_frequency *rank; /* (V) */
} counted;

/* ---- on a screen ---- */

static void print_top(const dlp_corpus *c, const counted *numbers, dlp_index top)
{
    enum { TERM_WIDTH = 24 };
    if (top > numbers->statistics.used_terms) top = numbers->statistics.used_terms;
    if (top > 0)
        printf("\n  %-*s %10s %10s\n", TERM_WIDTH, "most frequent terms", "words",
               "documents");
    for (dlp_index i = 0; i < top; i++) {
        char number[32];
        const dlp_term_frequency *ranked = &numbers->rank[i];
        fputs("  ", stdout);
        cli_print_name(cli_corpus_term(c, ranked->term, number), TERM_WIDTH);
        printf(" %10td %10td\n", ranked->words, ranked->documents);
    }
}

static void print_stats(const stats_settings *s, const dlp_corpus *c,
                        const counted *numbers)
{
    printf("%s\n\n", cli_input_name(s->corpus));
    printf("  %-24s %10td", "documents", c->D);
    if (numbers->statistics.empty_documents)
        printf("   %td empty", numbers->statistics.empty_documents);
    printf("\n  %-24s %10td", "terms", c->V);
    if (numbers->statistics.used_terms < c->V)
        printf("   %td used", numbers->statistics.used_terms);
    printf("\n  %-24s %10td\n", "words", c->words);
    printf("  %-24s %10td\n", "pairs (document, term)", c->nnz);
    printf("  %-24s %10.10g   median, from %td to %td\n", "words per document",
           numbers->statistics.median, numbers->statistics.shortest,
           numbers->statistics.longest);
    print_top(c, numbers, s->top);
}

/* ---- as JSON ---- */

static json_t *stats_json(const stats_settings *s, const dlp_corpus *c,
                          const counted *numbers)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:{s:I, s:o, s:I}, s:b, s:b, s:o}", "D",
        (json_int_t)c->D, "empty_documents",
        (json_int_t)numbers->statistics.empty_documents, "V", (json_int_t)c->V,
        "used_terms", (json_int_t)numbers->statistics.used_terms, "words",
        (json_int_t)c->words, "nnz", (json_int_t)c->nnz, "words_per_document", "min",
        (json_int_t)numbers->statistics.shortest, "median",
        dlpi_json_real(numbers->statistics.median), "max",
        (json_int_t)numbers->statistics.longest, "has_vocab", c->vocab != NULL,
        "has_names", c->name != NULL, "top",
        cli_corpus_rank_json(c, numbers->rank, s->top));
}

static dlp_status report(const stats_settings *s, const dlp_corpus *c,
                         const counted *numbers, dlp_error *error)
{
    if (!s->json) {
        print_stats(s, c, numbers);
        return DLP_OK;
    }
    json_t *summary = stats_json(s, c, numbers);
    const dlp_status status = cli_json_print(summary, error);
    json_decref(summary);
    return status;
}

static int run(const void *command_settings)
{
    const stats_settings *s = command_settings;
    if (cli_corpus_reads_stdin_twice(cli_corpus_stats_command.name, s->corpus, s->vocab))
        return CLI_MISUSE;
    dlp_corpus *corpus = NULL;
    counted numbers = {.rank = NULL};
    dlp_error error = {0};
    dlp_status status = cli_corpus_open(s->corpus, s->format, s->vocab, &corpus, &error);
    if (status == DLP_OK)
        status = dlp_corpus_measure(corpus, &numbers.statistics, &error);
    if (status == DLP_OK) {
        numbers.rank = cli_corpus_rank(corpus);
        status = numbers.rank
                     ? report(s, corpus, &numbers, &error)
                     : dlp_fail(&error, DLP_ENOMEM, "not enough memory to count");
    }
    free(numbers.rank);
    dlp_corpus_free(corpus);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static const cli_operand operands[] = {
    CLI_CORPUS_OPERAND(offsetof(stats_settings, corpus)),
    {.name = NULL},
};

#define FIELD(name) offsetof(stats_settings, name)

static const cli_option options[] = {
    CLI_VOCAB(FIELD(vocab)),
    CLI_CORPUS_FORMAT(FIELD(format)),
    CLI_TOP_TERMS(FIELD(top)),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_corpus_stats_command = {
    .name = "corpus stats",
    .summary = "describe a corpus: documents, terms and words",
    .description =
        "Prints how many documents, terms and words a corpus has, how long its "
        "documents are, and its most frequent terms.",
    .example = "  delaplace corpus stats data/packages.ldac\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(stats_settings),
    .run = run,
};
