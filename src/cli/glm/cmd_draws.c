/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm draws: draws from a fitted regression, for other programs. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/glm/source.h"
#include "cli/message.h"

#include <stdio.h>
#include <string.h>

typedef struct draws_settings {
    cli_common common;
    const char *fit, *output, *as;
    cli_glm_source source;
    const char *what; /* of the rows of a table */
    dlp_index draws, seed;
    bool effects;
} draws_settings;

static const char *what_name(int i)
{
    static const char *const names[] = {"mean", "response", NULL};
    return names[i];
}

static dlp_status draw(const draws_settings *s, const cli_glm_applied *a, dlp_draws **out,
                       dlp_error *error)
{
    const cli_design_advice advice = {.missing = "fill them in, or drop such rows"};
    dlp_draws_settings settings = dlp_draws_settings_default();
    dlp_design_problem problem = {.kind = DLP_PROBLEM_OTHER};
    settings.n = s->draws;
    settings.seed = (unsigned long)s->seed;
    settings.effects = s->effects;
    settings.table = a->table;
    settings.problem = &problem;
    if (a->table)
        settings.what =
            !strcmp(s->what, "response") ? DLP_DRAW_RESPONSES : DLP_DRAW_MEANS;
    const dlp_status status = dlp_regression_draw(a->fit, &settings, out, error);
    return cli_design_advise(&problem, &advice, status, error);
}

static dlp_status run_all(const draws_settings *s, cli_glm_applied *a, dlp_draws **out,
                          dlp_error *error)
{
    if (s->source.path)
        CLI_TRY(cli_glm_open(s->fit, &s->source, a, error));
    else
        CLI_TRY(dlp_regression_load(s->fit, &a->fit, error));
    CLI_TRY(draw(s, a, out, error));
    return dlp_draws_save(*out, s->as, cli_output_path(s->output), error);
}

static int run(const void *settings)
{
    const draws_settings *s = settings;
    const bool coda = !strcmp(s->as, "coda");
    if (s->effects && s->source.path)
        return cli_misuse(
            cli_glm_draws_command.name,
            "--effects draws parameters, and --data draws predictions; remove one");
    if (!strcmp(s->what, "response") && !s->source.path)
        return cli_misuse(cli_glm_draws_command.name,
                          "--what response needs rows to predict: add --data FILE");
    if (coda && cli_is_stdout(s->output))
        return cli_misuse(
            cli_glm_draws_command.name,
            "--as coda writes two files; give their common prefix, as in -o draws-");
    cli_glm_applied applied = {.fit = NULL};
    dlp_draws *draws = NULL;
    dlp_error error = {0};
    const dlp_status status = run_all(s, &applied, &draws, &error);
    dlp_draws_free(draws);
    cli_glm_applied_clear(&applied);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static void defaults(void *settings)
{
    draws_settings *s = settings;
    const dlp_draws_settings library = dlp_draws_settings_default();
    s->draws = library.n;
    s->seed = (dlp_index)library.seed;
}

#define FIELD(name) offsetof(draws_settings, name)

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(FIELD(fit)),
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "draws",
     .letter = 'n',
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(draws),
     .of_library = true,
     .min = 1,
     .max = 1e8,
     .help = "How many draws."},
    CLI_SEED(FIELD(seed), "the draws"),
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(output),
     .initial = "-",
     .help = "Where they go: written whole or not at all. - is standard output."},
    {.name = "as",
     .type = CLI_CHOICE,
     .value = "LAYOUT",
     .offset = FIELD(as),
     .choices = dlp_draws_format,
     .initial = "csv",
     .help = "csv: a line of names, then one draw per line. cmdstan: the same as CmdStan "
             "writes it, which R's posterior and Python's ArviZ read. coda: "
             "FILEindex.txt and "
             "FILEchain1.txt, which R's coda reads."},
    {.name = "data",
     .letter = 'd',
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(source.path),
     .help = "A table: predictions of its rows are drawn instead of parameters."},
    CLI_TABLE_FORMAT(FIELD(source.format)),
    CLI_TABLE_ENCODING(FIELD(source.encoding)),
    {.name = "what",
     .type = CLI_CHOICE,
     .value = "WHAT",
     .offset = FIELD(what),
     .choices = what_name,
     .initial = "mean",
     .help = "For each row of the table: mean, its expected response or the "
             "probability of each level; response, a new response, where levels "
             "are numbered from 1."},
    {.name = "effects",
     .offset = FIELD(effects),
     .help = "For a mixed model: also the effects of every level."},
    {.name = NULL},
};

const cli_command cli_glm_draws_command = {
    .name = "glm draws",
    .summary = "draw parameters or predictions from a fitted regression",
    .description =
        "Draws all parameters jointly from the fitted normal approximation, with scales "
        "and cut points in the units in which 'glm show' prints them. Draws are "
        "independent, so every one counts. With --data it draws predictions for the rows "
        "of a table.\n\nFor a mixed model these are the coefficients of the population "
        "and the sds and correlations between levels; the latter come from the grid of "
        "scales stored with the fit, and the coefficients are drawn given them. The file "
        "of an older fit has no such grid: there each sd and correlation is drawn on its "
        "own, from its median and the ends of its interval. For a fit with groups, the "
        "parameters of all groups are drawn.",
    .example =
        "  delaplace glm draws fit.json -n 4000 -o draws.csv\n"
        "  delaplace glm draws fit.json --data new.csv --what response -o y.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(draws_settings),
    .defaults = defaults,
    .run = run,
};
