/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm check: how accurate the results of a fitted regression are. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/glm/source.h"
#include "cli/glm/view.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>

typedef struct check_settings {
    cli_common common;
    const char *fit;
    cli_glm_source source;
    const char *group, *output, *level;
    cli_intervals levels;
    dlp_index draws, seed, threads;
    bool json;
} check_settings;

static dlp_status verify(const check_settings *s, cli_glm_applied *a, dlp_error *error)
{
    const cli_design_advice advice = {.missing = NULL};
    dlp_verification_settings settings = dlp_verification_settings_default();
    dlp_design_problem problem = {.kind = DLP_PROBLEM_OTHER};
    cli_progress progress = cli_progress_begin("verifying");
    settings.draws = s->draws;
    settings.seed = (unsigned long)s->seed;
    settings.threads = (int)s->threads;
    settings.problem = &problem;
    settings.progress = cli_progress_call;
    settings.context = &progress;
    const dlp_status status = dlp_regression_verify(a->fit, a->table, &settings, error);
    cli_progress_end();
    return cli_design_advise(&problem, &advice, status, error);
}

static dlp_status find_group(const check_settings *s, const dlp_regression *fit,
                             dlp_index *group, dlp_error *error)
{
    const bool grouped = dlp_regression_is_grouped(dlp_regression_result_of(fit));
    *group = grouped ? -1 : 0;
    if (!s->group) return DLP_OK;
    if (!grouped)
        return dlp_fail(error, DLP_EINVAL, "%s: the fit has no groups; remove --group",
                        s->fit);
    *group = dlp_regression_find_group(fit, s->group);
    if (*group >= 0) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL, "%s: there is no group '%.80s'", s->fit, s->group);
}

static dlp_status print_json(const dlp_regression *fit, dlp_error *error)
{
    char *text;
    size_t size;
    CLI_TRY(dlp_regression_json(fit, DLP_PART_SUMMARY, 0, &text, &size, error));
    fwrite(text, 1, size, stdout); /* cli_close_output checks what was written */
    free(text);
    return DLP_OK;
}

static dlp_status report(const check_settings *s, const dlp_regression *fit,
                         dlp_index group, dlp_error *error)
{
    if (s->output) CLI_TRY(dlp_regression_save(fit, cli_output_path(s->output), error));
    if (cli_is_stdout(s->output)) return DLP_OK;
    if (s->json) return print_json(fit, error);
    if (group >= 0)
        CLI_TRY(cli_glm_print_verified(fit, group, &s->levels, error));
    else
        cli_glm_print_verified_groups(fit);
    if (s->common.quiet || !s->output) return DLP_OK;
    putchar('\n');
    cli_print_written(s->output);
    return DLP_OK;
}

static dlp_status check(const check_settings *s, cli_glm_applied *a, dlp_error *error)
{
    dlp_index group;
    CLI_TRY(cli_try_output(s->output, error));
    CLI_TRY(cli_glm_open(s->fit, &s->source, a, error));
    CLI_TRY(find_group(s, a->fit, &group, error));
    CLI_TRY(verify(s, a, error));
    return report(s, a->fit, group, error);
}

static int run(const void *settings)
{
    check_settings own = *(const check_settings *)settings;
    const check_settings *s = &own;
    if (cli_intervals_read(cli_glm_check_command.name, s->level, &own.levels))
        return CLI_MISUSE;
    if (cli_check_json(cli_glm_check_command.name, s->json, "--output", s->output))
        return CLI_MISUSE;
    cli_glm_applied applied = {.fit = NULL};
    dlp_error error = {0};
    const dlp_status status = check(s, &applied, &error);
    cli_glm_applied_clear(&applied);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static void defaults(void *settings)
{
    check_settings *s = settings;
    const dlp_verification_settings library = dlp_verification_settings_default();
    s->draws = library.draws;
    s->seed = (dlp_index)library.seed;
}

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(offsetof(check_settings, fit)),
    {.name = NULL},
};

#define FIELD(name) offsetof(check_settings, name)

static const cli_option options[] = {
    CLI_GLM_FITTED_DATA(FIELD(source.path)),
    CLI_TABLE_FORMAT(FIELD(source.format)),
    CLI_TABLE_ENCODING(FIELD(source.encoding)),
    {.name = "group",
     .type = CLI_STRING,
     .value = "NAME",
     .offset = FIELD(group),
     .help = "For separate groups and hierarchies: this group. Without it, one line for "
             "each."},
    {.name = "draws",
     .letter = 'n',
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(draws),
     .of_library = true,
     .min = 100,
     .max = 1e7,
     .help = "How many draws to weight."},
    {.name = "seed",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(seed),
     .of_library = true,
     .max = 9e15,
     .help = "The seed for the draws."},
    CLI_LEVEL(FIELD(level)),
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FIT.json",
     .offset = FIELD(output),
     .help = "Write the fit with what was found to this file, so that 'glm "
             "show' and 'report' can show it beside each number. - is standard "
             "output."},
    CLI_THREADS(FIELD(threads)),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_glm_check_command = {
    .name = "glm check",
    .summary = "check how accurate a fitted regression is",
    .description =
        "A fit approximates the posterior by a normal distribution. This "
        "command weights draws from around it by the posterior itself, "
        "which the table and the fit's prior determine, and prints the "
        "mean, sd, interval and skewness of every parameter according to "
        "these weights. The last column grades the fit's own mean, sd and "
        "interval: good (within 0.1 sd), off by so many sds, or not to be "
        "trusted (more than 0.5 sd).\n\nThis can be relied on if the tail "
        "of the weights, a Pareto distribution fitted to the largest of "
        "them, has a shape k of at most 0.7. Above that, nothing is "
        "verified; more draws or a stronger prior may help.\n\nThis works "
        "for regressions without groups, of all families, for separate groups, for the "
        "groups of a hierarchy given what they share, and for mixed models, including "
        "their sds and correlations, except those with an ordinal or multinomial "
        "response.",
    .example = "  delaplace glm check fit.json --data data/challenger.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(check_settings),
    .rewrites = true,
    .defaults = defaults,
    .run = run,
};
