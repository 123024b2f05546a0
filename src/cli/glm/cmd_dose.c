/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm dose: the value of a column that gives a certain response. */
#include "cli/commands.h"
#include "cli/glm/questions.h"
#include "cli/message.h"

#include <stddef.h>
#include <stdlib.h>

enum { MOST_RESPONSES = 64 };

typedef struct dose_settings {
    cli_question question;
    const char *response;
} dose_settings;

/* Parses "0.1,0.5,0.9"; returns how many there are, or -1. */
static int read_responses(const char *text, double *out)
{
    int n = 0;
    while (*text) {
        char *end;
        if (n == MOST_RESPONSES) return -1;
        out[n++] = strtod(text, &end);
        if (end == text || (*end && *end != ',')) return -1;
        text = *end ? end + 1 : end;
    }
    return n;
}

static dlp_status ask(const cli_question *question, const dlp_regression *fit,
                      const dlp_table *table, dlp_question_settings *settings,
                      dlp_answers **answers, dlp_error *error)
{
    const dose_settings *s = (const dose_settings *)(const void *)question;
    double response[MOST_RESPONSES];
    const int n = read_responses(s->response, response);
    return dlp_regression_doses(fit, table, question->of, n, response, settings, answers,
                                error);
}

static int run(const void *settings)
{
    const dose_settings *s = settings;
    double response[MOST_RESPONSES];
    if (read_responses(s->response, response) < 1)
        return cli_misuse(cli_glm_dose_command.name,
                          "--response %s: give a number, or several, as in 0.1,0.5",
                          s->response);
    return cli_question_run(cli_glm_dose_command.name, settings, ask);
}

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(CLI_QUESTION(fit)),
    {.name = "COLUMN",
     .offset = CLI_QUESTION(of),
     .help = "The numeric column in question."},
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "response",
     .type = CLI_STRING,
     .value = "Y",
     .offset = offsetof(dose_settings, response),
     .initial = "0.5",
     .help = "The mean response to reach, or for a binary response its "
             "probability; several as in 0.1,0.5."},
    CLI_QUESTION_DATA,
    CLI_QUESTION_BY,
    CLI_QUESTION_OUTPUT,
    {.name = NULL},
};

const cli_command cli_glm_dose_command = {
    .name = "glm dose",
    .summary = "find the value of a column at which the response reaches a given value",
    .description =
        "The value of a column at which the mean response is Y, such as "
        "the dose that kills half, with its interval. Other numeric "
        "columns are at their mean and factors averaged over their levels, "
        "unless --at or --by say otherwise. Intervals are Fieller's; a "
        "limit is infinite where the data do not determine one. P(rises) "
        "is the probability that the response rises with the column there.",
    .example =
        "  delaplace glm dose fit.json temperature --response 0.5 \\\n"
        "      --data data/challenger.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(dose_settings),
    .run = run,
};
