/* SPDX-License-Identifier: BSD-3-Clause */
/* From a table to the rows of a regression: read, made into columns, the response coded,
   the rows of each group put together. */
#ifndef DLP_CLI_GLM_ROWS_H
#define DLP_CLI_GLM_ROWS_H

#include "cli/glm/fit.h"
#include "cli/options.h"
#include "cli/table.h"

/* The formats of tables: "auto", "csv", ...; NULL from the end on. */
const char *cli_table_format(int i);

/* Rows in blocks: those of a block are neighbours. Zeroed, it is empty. */
typedef struct cli_glm_rows {
    dlp_table *table;
    dlp_design *design;
    dlp_glm_data data;       /* all rows, in the order of the blocks */
    const char *const *name; /* (data.p) of the columns */
    const char *weights; /* the column that weighs new rows, the fit's or the source's */
    dlp_index blocks;
    dlp_index *begin, *count; /* (blocks) the first row and how many */
    dlp_index *place;         /* (N) where the design's row i stands; NULL: at i */
    const double **x;         /* (blocks, p) the columns from each block's first row on */
    double *code;             /* (N) a response of categories */
    double *moved;            /* columns in another order than the table's */
    double *freed;    /* (p, p + 1) R of columns that are fitted in the place of x, and */
    double *freed_sd; /*     (p) the sds of their priors (glm_weak.h); NULL: x is */
} cli_glm_rows;

void cli_glm_rows_clear(cli_glm_rows *rows);

/* Takes the columns, the offset and the response out of the design, for a family. An
   ordinal regression has cut points in the place of an intercept. */
dlp_status cli_glm_rows_take(cli_glm_rows *rows, const char *family, dlp_error *error);
/* Gives the categories of the response other codes: rank[k] for k. */
void cli_glm_rows_recode(cli_glm_rows *rows, const dlp_index *rank);
/* Puts the rows into blocks: one for each of M groups and, for groups that the fit did
   not see, block M. With M = 0 there are no groups, and one block. Needed before the
   next. */
dlp_status cli_glm_rows_part(cli_glm_rows *rows, dlp_index M, dlp_error *error);

/* Of row i, 1 without weights, and of all rows. */
double cli_glm_weight(const dlp_glm_data *data, dlp_index i);
double cli_glm_total_weight(const dlp_glm_data *data);

/* The rows of block m. */
dlp_glm_data cli_glm_rows_block(const cli_glm_rows *rows, dlp_index m);
/* Where row i of the design stands in the order of the blocks. */
dlp_index cli_glm_rows_place(const cli_glm_rows *rows, dlp_index i);
/* The number of row i of the design in its table, from 1. */
dlp_index cli_glm_rows_number(const cli_glm_rows *rows, dlp_index i);

/* New data for a fit, as the command line tells them. */
typedef struct cli_glm_source {
    const char *path, *format;
    const char *unseen;  /* one of cli_glm_unseen */
    const char *missing; /* one of cli_table_missing */
    const char *weights; /* the column that weighs rows to be scored; NULL: the fit's,
                            where the table has it */
    bool unweighted;     /* not even that: they count once */
    bool trials;         /* the response is read for its trials alone */
} cli_glm_source;

/* What to do with levels that the fit did not see. */
const char *cli_glm_unseen(int i);

/* The options that fill the field `source` of a command's settings. */
#define CLI_GLM_SOURCE_OPTIONS(settings)                                                 \
    {.name = "data",                                                                     \
     .letter = 'd',                                                                      \
     .type = CLI_PATH,                                                                   \
     .value = "FILE",                                                                    \
     .offset = offsetof(settings, source.path),                                          \
     .required = true,                                                                   \
     .help = "The table, with the columns that the fit used; - is standard input."},     \
        {.name = "format",                                                               \
         .type = CLI_CHOICE,                                                             \
         .value = "FORMAT",                                                              \
         .offset = offsetof(settings, source.format),                                    \
         .choices = cli_table_format,                                                    \
         .initial = "auto",                                                              \
         .help = "The format of the table; auto looks at its first lines."},             \
        {.name = "unseen",                                                               \
         .type = CLI_CHOICE,                                                             \
         .value = "HOW",                                                                 \
         .offset = offsetof(settings, source.unseen),                                    \
         .choices = cli_glm_unseen,                                                      \
         .initial = "error",                                                             \
         .help =                                                                         \
             "Rows with a level that the fit did not see: refuse the table, leave "      \
             "them out and count them, or, for groups of a hierarchical fit, take "      \
             "the population for theirs. population,drop does that for groups and "      \
             "leaves out rows with other levels."},                                      \
    {                                                                                    \
        .name = "missing", .type = CLI_CHOICE, .value = "HOW",                           \
        .offset = offsetof(settings, source.missing), .choices = cli_table_missing,      \
        .initial = "drop",                                                               \
        .help =                                                                          \
            "Rows that miss a value: leave them out and count them, or refuse the "      \
            "table."                                                                     \
    }

/* Makes of the table in *rows the columns that a fit has, in its blocks. Where they are to
   be scored the response must be there; else it is not looked at. */
dlp_status cli_glm_rows_rebuild(const cli_glm_source *source, const cli_glm_fit *fit,
                                bool scored, cli_glm_rows *rows, dlp_error *error);
/* Reads the table first. */
dlp_status cli_glm_rows_read(const cli_glm_source *source, const cli_glm_fit *fit,
                             bool scored, cli_glm_rows *rows, dlp_error *error);

/* glm_constant.c. Names, on the screen, a column of the fit that does not vary; nothing
   where there is none. */
void cli_glm_print_constant(const cli_glm_rows *rows, const cli_glm_fit *fit);

/* glm_new_groups.c. The groups that the fit did not see, for which it takes the
   population, and their rows. */
typedef struct cli_glm_new {
    dlp_index groups, rows;
} cli_glm_new;
dlp_status cli_glm_new_groups(const cli_glm_rows *rows, const cli_glm_fit *fit,
                              cli_glm_new *found, dlp_error *error);

#endif
