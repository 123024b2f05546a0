/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm means: estimated marginal means, and their differences. */
#include "cli/commands.h"
#include "cli/glm/questions.h"

static dlp_status ask(const cli_question *s, const dlp_regression *fit,
                      const dlp_table *table, dlp_question_settings *settings,
                      dlp_answers **answers, dlp_error *error)
{
    return dlp_regression_means(fit, table, s->of, settings, answers, error);
}

static int run(const void *settings)
{
    return cli_question_run(cli_glm_means_command.name, settings, ask);
}

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(CLI_QUESTION(fit)),
    {.name = "COLUMN",
     .offset = CLI_QUESTION(of),
     .help = "A factor, or several for all combinations of their levels, as in "
             "a:b."},
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_QUESTION_DATA,
    CLI_QUESTION_BY,
    {.name = "pairs",
     .offset = CLI_QUESTION(pairs),
     .help = "Also the differences of all pairs of means; with --exp, their "
             "ratios."},
    CLI_QUESTION_SCALE,
    CLI_QUESTION_OVER("grid"),
    CLI_QUESTION_OUTPUT,
    {.name = NULL},
};

const cli_command cli_glm_means_command = {
    .name = "glm means",
    .summary = "compare the levels of a factor, with the other factors balanced",
    .description =
        "Estimated marginal means, as in R's emmeans: the linear predictor "
        "for each level of a factor, with numeric columns at their mean, "
        "averaged over the levels of all other factors with equal weights, "
        "whatever their shares in the data; then transformed to the scale "
        "of the response. --pairs compares all levels with each "
        "other.\n\nFor a multinomial or ordinal regression these are the "
        "probabilities of each level of the response, averaged over the "
        "grid. With --over rows responses are averaged over the rows of "
        "the table.",
    .example =
        "  delaplace glm fit 'cbind(admitted, rejected) ~ gender * department' \\\n"
        "      --data data/admissions.csv -o admissions.json\n"
        "  delaplace glm means admissions.json gender --pairs \\\n"
        "      --data data/admissions.csv\n"
        "  delaplace glm means admissions.json gender --by department --exp \\\n"
        "      --data data/admissions.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(cli_question),
    .run = run,
};
