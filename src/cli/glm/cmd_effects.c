/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm effects: what a column does to the response. */
#include "cli/commands.h"
#include "cli/glm/questions.h"

static dlp_status ask(const cli_question *s, const dlp_regression *fit,
                      const dlp_table *table, dlp_question_settings *settings,
                      dlp_answers **answers, dlp_error *error)
{
    return dlp_regression_effects(fit, table, s->of, settings, answers, error);
}

static int run(const void *settings)
{
    return cli_question_run(cli_glm_effects_command.name, settings, ask);
}

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(CLI_QUESTION(fit)),
    {.name = "COLUMN",
     .offset = CLI_QUESTION(of),
     .help = "The column whose effect to show."},
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_QUESTION_DATA,
    CLI_QUESTION_BY,
    CLI_QUESTION_SCALE,
    CLI_QUESTION_OVER("rows"),
    {.name = "points",
     .type = CLI_COUNT,
     .value = "N",
     .offset = CLI_QUESTION(points),
     .min = 2,
     .max = 10000,
     .help = "How many points a curve has; 9 without it, and 61 in pictures."},
    CLI_QUESTION_OUTPUT,
    {.name = NULL},
};

const cli_command cli_glm_effects_command = {
    .name = "glm effects",
    .summary = "show how the response changes with a column",
    .description =
        "The mean response as one column changes and everything else in "
        "each row stays the same, averaged over the rows: a curve for a "
        "numeric column, a mean for each level of a factor. Then the "
        "average effect: for numbers, the slope at each row's own value, "
        "averaged; for a column of 0 and 1, the difference; for a factor, "
        "the differences of its levels from the first. With values of --at "
        "for the column itself, the curve and the slope there.\n\nAnswers "
        "have the posterior mean, the sd, an interval, and for effects the "
        "probability of being above 0. For a multinomial or ordinal "
        "regression there is one for each level of the response.\n\nFor a "
        "mixed model or a hierarchy they are about a typical group, unless "
        "--groups says otherwise.",
    .example =
        "  delaplace glm effects fit.json temperature --data data/challenger.csv\n"
        "  delaplace glm effects fit.json temperature --at temperature=50,60,70 \\\n"
        "      --data data/challenger.csv --svg curve.svg\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(cli_question),
    .run = run,
};
