/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that several commands share, each worded once. `at` is the field's offset. */
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

/* The result of a fit that is one file */
#define CLI_FIT_OUTPUT(at)                                                               \
    {                                                                                    \
        .name = "output", .letter = 'o', .type = CLI_PATH, .value = "FIT.json",          \
        .offset = (at), .required = true,                                                \
        .help =                                                                          \
            "Where the result goes: written whole or not at all. - is standard output, " \
            "without the summary."                                                       \
    }

/* A picture beside what is printed */
#define CLI_SVG(at, what)                                                                \
    {                                                                                    \
        .name = "svg", .type = CLI_PATH, .value = "FILE.svg", .offset = (at),            \
        .help = "Write " what                                                            \
                " to this file as well: a picture for a paper, 7.5 inches wide. - is "   \
                "standard output, without the text."                                     \
    }

/* How a corpus is read */
#define CLI_VOCAB(at)                                                                    \
    {                                                                                    \
        .name = "vocab", .type = CLI_PATH, .value = "FILE", .offset = (at),              \
        .help =                                                                          \
            "The names of the corpus's terms, one per line; without it, X.vocab beside " \
            "a corpus X.ldac, if there is one. Otherwise terms are named by their "      \
            "numbers, from 0."                                                           \
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
            "The folder with the data, whose files may be compressed by gzip, zstd or "  \
            "xz."                                                                        \
    }

/* Where a table of covariates has the documents' names */
#define CLI_DOCUMENT_COLUMN(at)                                                          \
    {                                                                                    \
        .name = "document", .type = CLI_STRING, .value = "COLUMN", .offset = (at),       \
        .help =                                                                          \
            "The column of the table that holds the documents' names, by which rows "    \
            "are matched. Without it: the column 'document', or one that holds every "   \
            "name of the corpus once, or else the order of the rows; a note says which." \
    }

/* What to do with rows, or documents, with missing values: "Rows with missing values:
   drop them, or ..." */
#define CLI_MISSING(at, text)                                                            \
    {                                                                                    \
        .name = "missing", .type = CLI_CHOICE, .value = "HOW", .offset = (at),           \
        .choices = cli_table_missing, .usual = cli_missing_usual, .help = (text)         \
    }
#define CLI_MISSING_COVARIATES(at)                                                       \
    CLI_MISSING(at,                                                                      \
                "Documents with missing values in the formula's columns: drop and "      \
                "count them, or reject the table.")

/* What is drawn at random: "the draws" */
#define CLI_SEED(at, what)                                                               \
    {                                                                                    \
        .name = "seed", .type = CLI_COUNT, .value = "N", .offset = (at),                 \
        .of_library = true, .max = 9e15, .help = "The seed for " what "."                \
    }

/* Topic models */
#define CLI_HALVES(at)                                                                   \
    {                                                                                    \
        .name = "halves", .type = CLI_CHOICE, .value = "HOW", .offset = (at),            \
        .choices = cli_halves_name, .of_library = true,                                  \
        .help =                                                                          \
            "How a document's words are halved: sorted deals them alternately, by "      \
            "term; random draws them, and is less optimistic."                           \
    }
#define CLI_MODEL_OPERAND(at)                                                            \
    {                                                                                    \
        .name = "MODEL", .offset = (at), .path = true,                                   \
        .help = "A model folder written by 'delaplace topics fit'."                      \
    }
#define CLI_TOPICS_METHOD(at)                                                            \
    {                                                                                    \
        .name = "method", .type = CLI_CHOICE, .value = "METHOD", .offset = (at),         \
        .choices = dlp_topics_method, .of_library = true,                                \
        .help =                                                                          \
            "How the posterior of a document's topic proportions is approximated: "      \
            "laplace, a Gaussian at its mode; delta, a Gaussian near its mean; "         \
            "blei-lafferty, as in Blei and Lafferty (2007); previous-mean, by an "       \
            "expansion at the last mean, as in Ahmed and Xing (2007), which need not "   \
            "converge."                                                                  \
    }

/* The paper's algorithm, or a faster way to the same solution: "by ..." */
#define CLI_ROUTE(at, how)                                                               \
    {                                                                                    \
        .name = "route", .type = CLI_CHOICE, .value = "ROUTE", .offset = (at),           \
        .choices = cli_route, .of_library = true,                                        \
        .help =                                                                          \
            "plain follows the paper's Figure 1 to the letter; fast reaches the "        \
            "same solution sooner, by " how "."                                          \
    }

#define CLI_MAX_ITER(at)                                                                 \
    {                                                                                    \
        .name = "max-iter", .type = CLI_COUNT, .value = "N", .offset = (at),             \
        .of_library = true, .min = 1, .max = DLP_MOST_ITERATIONS,                        \
        .help = "Stop after at most this many iterations."                               \
    }

#define CLI_TOP_TERMS(at)                                                                \
    {                                                                                    \
        .name = "top", .type = CLI_COUNT, .value = "N", .offset = (at), .initial = "10", \
        .max = 1000000, .help = "How many terms the summary shows."                      \
    }

#define CLI_THREADS(at)                                                                  \
    {                                                                                    \
        .name = "threads", .type = CLI_COUNT, .value = "N", .offset = (at), .min = 0,    \
        .max = 1024,                                                                     \
        .help =                                                                          \
            "How many threads; 0, the default, is one for each core that the process "   \
            "may use. The result does not depend on it."                                 \
    }

#endif
