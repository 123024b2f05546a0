/* SPDX-License-Identifier: BSD-3-Clause */
/* New data for a fit, as given on the command line, and the fit's predictions for
   them. */
#ifndef DLP_CLI_GLM_SOURCE_H
#define DLP_CLI_GLM_SOURCE_H

#include "cli/common_options.h"
#include "cli/table.h"

#include <delaplace.h>
#include <stddef.h>

/* The formats of tables: "auto", "csv", ...; NULL past the end. */
const char *cli_table_format(int i);
const char *cli_table_encoding(int i);
/* What to do with levels that the fit did not see. */
const char *cli_glm_unseen(int i);
/* Which random effects to include in predictions. */
const char *cli_glm_effects(int i);
const char *cli_glm_effects_usual(void);

typedef struct cli_glm_source {
    const char *path, *format, *encoding;
    const char *unseen;    /* one of cli_glm_unseen; NULL: as the fit has it */
    const char *effects;   /* one of cli_glm_effects */
    const char *missing;   /* one of cli_table_missing */
    const char *weights;   /* the column that weighs rows to be scored; NULL: the fit's,
                            where the table has it */
    bool unweighted;       /* not even that: they count once */
    double interval_level; /* 0: 0.95 */
} cli_glm_source;

/* The result of 'glm fit', and the format of a table; `at` is the field's offset. */
#define CLI_GLM_FIT_OPERAND(at)                                                          \
    {                                                                                    \
        .name = "FIT.json", .offset = (at), .path = true,                                \
        .help = "The result of 'delaplace glm fit'; - is standard input."                \
    }
#define CLI_TABLE_ENCODING(at)                                                           \
    {                                                                                    \
        .name = "encoding", .type = CLI_CHOICE, .value = "NAME", .offset = (at),         \
        .choices = cli_table_encoding, .initial = "utf-8",                               \
        .help = "The character encoding of the table; latin1 includes Windows-1252."     \
    }
#define CLI_TABLE_FORMAT(at)                                                             \
    {                                                                                    \
        .name = "format", .type = CLI_CHOICE, .value = "FORMAT", .offset = (at),         \
        .choices = cli_table_format, .initial = "auto",                                  \
        .help = "The format of the table; auto looks at its first lines."                \
    }

/* The table that was fitted, given again */
#define CLI_GLM_FITTED_DATA(at)                                                          \
    {                                                                                    \
        .name = "data", .letter = 'd', .type = CLI_PATH, .value = "FILE",                \
        .offset = (at), .required = true,                                                \
        .help = "The table that was fitted; - is standard input."                        \
    }

/* The options that fill the field `source` of a command's settings. */
#define CLI_GLM_SOURCE_OPTIONS(settings)                                                 \
    {.name = "data",                                                                     \
     .letter = 'd',                                                                      \
     .type = CLI_PATH,                                                                   \
     .value = "FILE",                                                                    \
     .offset = offsetof(settings, source.path),                                          \
     .required = true,                                                                   \
     .help = "The table, with the columns that the fit used; - is standard input."},     \
        CLI_TABLE_FORMAT(offsetof(settings, source.format)),                             \
        CLI_TABLE_ENCODING(offsetof(settings, source.encoding)),                         \
        {.name = "unseen",                                                               \
         .type = CLI_CHOICE,                                                             \
         .value = "HOW",                                                                 \
         .offset = offsetof(settings, source.unseen),                                    \
         .choices = cli_glm_unseen,                                                      \
         .help =                                                                         \
             "Rows with a level that the fit did not see: reject the table, drop and "   \
             "count them, or, for new groups of a hierarchical fit or a mixed model, "   \
             "predict from the population. population,drop does that for groups and "    \
             "drops rows with other new levels. Without it: population for the groups "  \
             "of a mixed model, else error."},                                           \
        {.name = "effects",                                                              \
         .type = CLI_CHOICE,                                                             \
         .value = "WHICH",                                                               \
         .offset = offsetof(settings, source.effects),                                   \
         .choices = cli_glm_effects,                                                     \
         .usual = cli_glm_effects_usual,                                                 \
         .help =                                                                         \
             "The random effects of a mixed model. levels: those of the row's "          \
             "levels. new: those of a level that was not in the data, so "               \
             "that mean_averaged averages over levels. none: 0, as for a "               \
             "typical level."},                                                          \
        CLI_MISSING(                                                                     \
            offsetof(settings, source.missing),                                          \
            "Rows with missing values: drop and count them, or reject the table.")

/* A fit, a table, and the fit's predictions for its rows. Empty when zeroed. */
typedef struct cli_glm_applied {
    dlp_regression *fit;
    dlp_table *table;
    dlp_prediction *prediction;
} cli_glm_applied;

/* Reads the fit, then the data. */
dlp_status cli_glm_open(const char *fit_path, const cli_glm_source *source,
                        cli_glm_applied *applied, dlp_error *error);
/* The same, and predicts. */
dlp_status cli_glm_apply(const char *fit_path, const cli_glm_source *source,
                         dlp_predict what, cli_glm_applied *applied, dlp_error *error);
/* The same with a fit that has been read already. */
dlp_status cli_glm_predict(const cli_glm_source *source, dlp_predict what,
                           cli_glm_applied *applied, dlp_error *error);
/* The same with a table that has been read, too. */
dlp_status cli_glm_predict_table(const cli_glm_source *source, dlp_predict what,
                                 cli_glm_applied *applied, dlp_error *error);
/* Says what the sds of rows ignore; nothing if they account for everything. */
const char *cli_glm_independence(const dlp_prediction_result *rows);
/* Frees its contents; it may be half built. */
void cli_glm_applied_clear(cli_glm_applied *applied);

#endif
