/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to a fitted regression on the command line, and their answers. */
#ifndef DLP_CLI_GLM_QUESTIONS_H
#define DLP_CLI_GLM_QUESTIONS_H

#include "cli/glm/intervals.h"
#include "cli/glm/source.h"

/* The settings that these commands share. */
typedef struct cli_question {
    cli_common common;
    const char *fit;
    const char *of;
    cli_glm_source source;
    cli_list by, at;
    const char *what, *over, *effects, *level;
    const char *output, *svg;
    dlp_index points;
    bool pairs, exponentiate, json;
} cli_question;

/* The words of --what, --over and --groups. */
const char *cli_question_on(int i);
const char *cli_question_over(int i);
const char *cli_question_groups(int i);
const char *cli_question_on_usual(void);
const char *cli_question_groups_usual(void);

#define CLI_QUESTION(name) offsetof(cli_question, name)
#define CLI_QUESTION_DATA                                                                \
    {.name = "data",                                                                     \
     .letter = 'd',                                                                      \
     .type = CLI_PATH,                                                                   \
     .value = "FILE",                                                                    \
     .offset = CLI_QUESTION(source.path),                                                \
     .required = true,                                                                   \
     .help =                                                                             \
         "The table that was fitted, or another with its columns; - is standard "        \
         "input."},                                                                      \
        CLI_TABLE_FORMAT(CLI_QUESTION(source.format)),                                   \
        CLI_TABLE_ENCODING(CLI_QUESTION(source.encoding))
#define CLI_QUESTION_BY                                                                  \
    {.name = "by",                                                                       \
     .type = CLI_LIST,                                                                   \
     .value = "COLUMN",                                                                  \
     .offset = CLI_QUESTION(by),                                                         \
     .help =                                                                             \
         "One answer for each value of this column, as if all rows had it; "             \
         "for numbers, at the values of --at, or at the mean and one sd to "             \
         "either side."},                                                                \
    {                                                                                    \
        .name = "at", .type = CLI_LIST, .value = "COLUMN=VALUE",                         \
        .offset = CLI_QUESTION(at),                                                      \
        .help = "The value of a column, or several, as in x=1,2."                        \
    }
#define CLI_QUESTION_SCALE                                                               \
    {.name = "what",                                                                     \
     .type = CLI_CHOICE,                                                                 \
     .value = "SCALE",                                                                   \
     .offset = CLI_QUESTION(what),                                                       \
     .choices = cli_question_on,                                                         \
     .usual = cli_question_on_usual,                                                     \
     .help =                                                                             \
         "response: the mean of the response, or the probability of each of its "        \
         "levels. link: the linear predictor."},                                         \
    {                                                                                    \
        .name = "exp", .offset = CLI_QUESTION(exponentiate),                             \
        .help =                                                                          \
            "Exponentiate on the scale of the link: odds and odds ratios with "          \
            "a logit link, means or rates and their ratios with a log link."             \
    }
#define CLI_QUESTION_OVER(by_default)                                                    \
    {.name = "over",                                                                     \
     .type = CLI_CHOICE,                                                                 \
     .value = "WHAT",                                                                    \
     .offset = CLI_QUESTION(over),                                                       \
     .choices = cli_question_over,                                                       \
     .help =                                                                             \
         "The values of the other columns. rows: those of each row of the "              \
         "table, and answers are averages over the rows. grid: numbers at "              \
         "their mean, factors at every combination of levels, weighted "                 \
         "equally. Without it: " by_default "."},                                        \
    {                                                                                    \
        .name = "groups", .type = CLI_CHOICE, .value = "WHICH",                          \
        .offset = CLI_QUESTION(effects), .choices = cli_question_groups,                 \
        .usual = cli_question_groups_usual,                                              \
        .help =                                                                          \
            "For a mixed model or a hierarchy. middle: a typical group. "                \
            "average: responses are averaged over groups that vary as much as "          \
            "the fit found. own, for a hierarchy: each row in its own group, "           \
            "as in separate fits."                                                       \
    }
#define CLI_QUESTION_OUTPUT                                                              \
    CLI_LEVEL(CLI_QUESTION(level)),                                                      \
        {.name = "output",                                                               \
         .letter = 'o',                                                                  \
         .type = CLI_PATH,                                                               \
         .value = "FILE.csv",                                                            \
         .offset = CLI_QUESTION(output),                                                 \
         .help =                                                                         \
             "Write the numbers to this file as well, one line per answer. - is "        \
             "standard output, without the text."},                                      \
        CLI_SVG(CLI_QUESTION(svg), "the answers with their intervals"),                  \
        CLI_JSON_RESULT(CLI_QUESTION(json))

/* Asks the library one kind of question. */
typedef dlp_status cli_ask(const cli_question *s, const dlp_regression *fit,
                           const dlp_table *table, dlp_question_settings *settings,
                           dlp_answers **answers, dlp_error *error);
/* Reads the fit, asks and reports; words are the names of the answers in JSON. */
int cli_question_run(const char *command, const cli_question *s, cli_ask *ask);

/* answers_print.c. Prints answers on a screen. */
typedef struct cli_answers {
    const char *question; /* "effects", "means", "contrast", "dose" */
    const dlp_regression *fit;
    const dlp_answers *answers;
} cli_answers;
dlp_status cli_answers_print(const cli_answers *a, dlp_error *error);
/* answers_write.c. Writes them for programs; files are added to a set. */
dlp_status cli_answers_csv(const cli_answers *a, const char *path, dlp_file_set *files,
                           dlp_error *error);
dlp_status cli_answers_json(const cli_answers *a, dlp_error *error);
/* answers_svg.c. Draws them. */
dlp_status cli_answers_svg(const cli_answers *a, const char *path, dlp_file_set *files,
                           dlp_error *error);

/* The quantity that answers are about: "probability", "mean", "linear predictor", ... */
const char *cli_answers_unit(const cli_answers *a);

#endif
