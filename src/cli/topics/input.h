/* SPDX-License-Identifier: BSD-3-Clause */
/* The input of commands that apply a model to a corpus. */
#ifndef DLP_CLI_TOPICS_INPUT_H
#define DLP_CLI_TOPICS_INPUT_H

#include "cli/common_options.h"
#include "cli/options.h"
#include "cli/topics/covariates.h"
#include "cli/topics/model.h"

/* What the user typed. */
typedef struct cli_topics_source {
    const char *model, *corpus, *vocab, *format, *covariates;
    const char *document; /* the column of the documents' names */
    const char *missing;  /* one of cli_table_missing */
    dlp_index threads;
} cli_topics_source;

/* The operands and options that fill the field `source` of a command's settings. */
#define CLI_TOPICS_SOURCE_OPERANDS(settings)                                             \
    CLI_MODEL_OPERAND(offsetof(settings, source.model)),                                 \
    {                                                                                    \
        .name = "CORPUS", .offset = offsetof(settings, source.corpus), .path = true,     \
        .help =                                                                          \
            "The documents, in any format of 'corpus convert'. Terms are matched with "  \
            "the model's by name, or by number if the names are not known; - is "        \
            "standard input. From new text, 'corpus build --vocab MODEL/vocab.txt' "     \
            "makes one."                                                                 \
    }
#define CLI_TOPICS_SOURCE_OPTIONS(settings)                                              \
    CLI_VOCAB(offsetof(settings, source.vocab)),                                         \
        CLI_CORPUS_FORMAT(offsetof(settings, source.format)),                            \
        {.name = "covariates",                                                           \
         .type = CLI_PATH,                                                               \
         .value = "FILE.csv",                                                            \
         .offset = offsetof(settings, source.covariates),                                \
         .help =                                                                         \
             "The documents' covariates, for a model that was fitted with some, or "     \
             "with --content: the same columns, with a row for each document."},         \
        CLI_DOCUMENT_COLUMN(offsetof(settings, source.document)),                        \
        CLI_MISSING_COVARIATES(offsetof(settings, source.missing)),                      \
        CLI_THREADS(offsetof(settings, source.threads))

/* A model, and a corpus in its terms. Zeroed, it is empty. */
typedef struct cli_topics_input {
    dlp_topic_model *model;
    dlp_corpus *corpus;
    dlp_index unseen; /* words of the corpus whose terms the model lacks */
    cli_covariates covariates;
    dlp_index dropped; /* documents left out because they lack a covariate */
    int threads;       /* 0: one per processor */
} cli_topics_input;

/* Returns true, after reporting it, when two of the files are standard input, or
   --document has no table. */
bool cli_topics_input_misused(const char *command, const cli_topics_source *source);
dlp_status cli_topics_input_read(const cli_topics_source *source, cli_topics_input *input,
                                 dlp_error *error);
void cli_topics_input_clear(cli_topics_input *input);

#endif
