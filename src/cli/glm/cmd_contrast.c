/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm contrast: combinations of coefficients, and their probabilities. */
#include "cli/commands.h"
#include "cli/glm/questions.h"

#include <stddef.h>

enum { MOST_CONTRASTS = 6 };

typedef struct contrast_settings {
    cli_question question;
    const char *text[MOST_CONTRASTS];
} contrast_settings;

static dlp_status ask(const cli_question *question, const dlp_regression *fit,
                      const dlp_table *table, dlp_question_settings *settings,
                      dlp_answers **answers, dlp_error *error)
{
    const contrast_settings *s = (const contrast_settings *)(const void *)question;
    dlp_index n = 0;
    (void)table;
    while (n < MOST_CONTRASTS && s->text[n]) n++;
    return dlp_regression_contrasts(fit, n, s->text, settings, answers, error);
}

static int run(const void *settings)
{
    return cli_question_run(cli_glm_contrast_command.name, settings, ask);
}

#define FIELD(name) offsetof(contrast_settings, name)
#define MORE(letter, i)                                                                  \
    {                                                                                    \
        .name = (letter), .offset = FIELD(text[i]), .optional = true, .help = "Another." \
    }

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(CLI_QUESTION(fit)),
    {.name = "CONTRAST",
     .offset = FIELD(text[0]),
     .help = "A combination of coefficients, 'b1 - 2*b2', or a comparison, 'b1 > b2'; up "
             "to six in all."},
    MORE("B", 1),
    MORE("C", 2),
    MORE("D", 3),
    MORE("E", 4),
    MORE("F", 5),
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "exp",
     .offset = CLI_QUESTION(exponentiate),
     .help = "Exponentiate it: odds ratios with a logit link, ratios of means "
             "with a log link."},
    CLI_QUESTION_OUTPUT,
    {.name = NULL},
};

const cli_command cli_glm_contrast_command = {
    .name = "glm contrast",
    .summary = "combine or compare coefficients",
    .description =
        "The mean, the sd and an interval of a combination of "
        "coefficients, and with > or < the probability that it holds. "
        "Names are those that 'glm show' prints; put a name in backquotes "
        "if it could be read as something else. You can use + - * / ^ and "
        "brackets, exp, log, sqrt, abs, logistic and pnorm.\n\nLinear "
        "combinations are exact under the fitted normal distribution; "
        "others are summarised from draws of it. For a hierarchy, x is the "
        "coefficient of the groups' mean and x[g] that of group g. For a "
        "mixed model these are the population's coefficients, and sd(g: x) "
        "and the like, as 'glm draws' names them.",
    .example =
        "  delaplace glm contrast admissions.json 'departmentB - 2*departmentC > 0'\n"
        "  delaplace glm contrast admissions.json 'exp(gendermale)' \\\n"
        "      'departmentB > departmentC'\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(contrast_settings),
    .run = run,
};
