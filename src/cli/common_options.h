/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that several commands have, each in one wording. `at` is the field's offset. */
#ifndef DLP_CLI_COMMON_OPTIONS_H
#define DLP_CLI_COMMON_OPTIONS_H

#include "cli/corpus/source.h"
#include "cli/options.h"
#include "cli/table.h"

/* --json of a command that writes its result to a file, and of one that prints it */
#define CLI_JSON_SUMMARY(at)                                                             \
    {                                                                                    \
        .name = "json", .offset = (at),                                                  \
        .help = "Print the summary as one JSON object instead of text."                  \
    }
#define CLI_JSON_RESULT(at)                                                              \
    {                                                                                    \
        .name = "json", .offset = (at), .help = "Print one JSON object instead of text." \
    }

/* A picture beside what is printed */
#define CLI_SVG(at, what)                                                                \
    {                                                                                    \
        .name = "svg", .type = CLI_PATH, .value = "FILE.svg", .offset = (at),            \
        .help = "Write " what                                                            \
                " to this file, too: a picture for a paper, 7.5 inches wide. - is "      \
                "standard output, without the text."                                     \
    }

/* How a corpus is read */
#define CLI_VOCAB(at)                                                                    \
    {                                                                                    \
        .name = "vocab", .type = CLI_PATH, .value = "FILE", .offset = (at),              \
        .help =                                                                          \
            "The names of the corpus' terms, one a line; without it, X.vocab "           \
            "beside a corpus X.ldac, if there is one. Else a term is named by its "      \
            "number, from 0."                                                            \
    }
#define CLI_CORPUS_FORMAT(at)                                                            \
    {                                                                                    \
        .name = "format", .type = CLI_CHOICE, .value = "FORMAT", .offset = (at),         \
        .choices = cli_corpus_format, .initial = "auto",                                 \
        .help = "The format of the corpus; auto looks at its first lines."               \
    }

/* The corpus itself */
#define CLI_CORPUS_OPERAND(at)                                                           \
    {                                                                                    \
        .name = "CORPUS", .offset = (at), .path = true,                                  \
        .help =                                                                          \
            "The corpus, in any format of 'corpus convert', plain or compressed by "     \
            "gzip, zstd or xz; - is standard input."                                     \
    }

/* The paper's data */
#define CLI_STUDY_DATA(at)                                                               \
    {                                                                                    \
        .name = "data", .letter = 'd', .type = CLI_PATH, .value = "DIR", .offset = (at), \
        .required = true,                                                                \
        .help =                                                                          \
            "The folder of the data. Its files may be plain or compressed by gzip, "     \
            "zstd or xz."                                                                \
    }

/* Where a table of covariates has the documents' names */
#define CLI_DOCUMENT_COLUMN(at)                                                          \
    {                                                                                    \
        .name = "document", .type = CLI_STRING, .value = "COLUMN", .offset = (at),       \
        .help =                                                                          \
            "The column of the table with the documents' names, by which rows are "      \
            "found. Without it: the column 'document', or one that has every name of "   \
            "the corpus once, or else the documents' order; a note tells which."         \
    }

/* Documents without covariates */
#define CLI_MISSING_COVARIATES(at)                                                       \
    {                                                                                    \
        .name = "missing", .type = CLI_CHOICE, .value = "HOW", .offset = (at),           \
        .choices = cli_table_missing, .initial = "drop",                                 \
        .help =                                                                          \
            "Documents that miss a value of the formula's columns: leave them out and "  \
            "count them, or refuse the table."                                           \
    }

#define CLI_THREADS(at)                                                                  \
    {                                                                                    \
        .name = "threads", .type = CLI_COUNT, .value = "N", .offset = (at), .min = 0,    \
        .max = 1024,                                                                     \
        .help =                                                                          \
            "How many threads; 0 or nothing means one for each core that the "           \
            "process may use. The result does not depend on it."                         \
    }

#endif
