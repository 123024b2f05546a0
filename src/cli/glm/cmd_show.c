/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm show: a fitted regression for people. */
#include "cli/common_options.h"
#include "cli/glm/fit.h"
#include "cli/guess.h"
#include "cli/json.h"
#include "cli/nouns.h"
#include "cli/report.h"
#include "cli/say.h"

#include <stdio.h>
#include <unistd.h>

typedef struct show_settings {
    cli_common common;
    const char *fit;
    const char *group;
    bool all_groups;
    const char *svg;
    bool json;
} show_settings;

static dlp_status show(const show_settings *s, const cli_glm_fit *fit,
                       const cli_glm_view *view, dlp_error *error)
{
    if (s->svg)
        CLI_TRY(cli_glm_write_svg(fit, view->block, cli_output_path(s->svg), error));
    if (cli_is_stdout(s->svg)) return DLP_OK;
    if (!s->json) {
        CLI_TRY(cli_glm_print(fit, view, error));
        if (s->common.quiet || !s->svg) return DLP_OK;
        putchar('\n');
        cli_print_written(s->svg);
        return DLP_OK;
    }
    json_t *root = cli_glm_view_json(fit, view);
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}

static dlp_status fail_unknown_group(const show_settings *s, const cli_glm_fit *fit,
                                     dlp_error *error)
{
    cli_guess guess = cli_guess_for(s->group);
    for (dlp_index m = 0; m < fit->M; m++)
        cli_guess_consider(&guess, cli_glm_group(fit, m));
    if (guess.best)
        return dlp_fail(error, DLP_EINVAL,
                        "%s: no group is called '%.80s'; did you mean '%.80s'?", s->fit,
                        s->group, guess.best);
    return dlp_fail(error, DLP_EINVAL,
                    "%s: no group is called '%.80s'; the first is '%.80s'", s->fit,
                    s->group, cli_glm_group(fit, 0));
}

static dlp_status find_group(const show_settings *s, const cli_glm_fit *fit,
                             cli_glm_view *view, dlp_error *error)
{
    if (!s->group) return DLP_OK;
    view->block = cli_glm_find_group(fit, s->group);
    if (view->block >= 0) return DLP_OK;
    if (!cli_glm_is_grouped(fit))
        return dlp_fail(error, DLP_EINVAL, "%s: the fit has no groups; leave --group out",
                        s->fit);
    return fail_unknown_group(s, fit, error);
}

static int run(const void *settings)
{
    const show_settings *s = settings;
    if (s->group && s->all_groups)
        return cli_misuse(cli_glm_show_command.name,
                          "--group and --all-groups exclude each other");
    if (cli_check_json(cli_glm_show_command.name, s->json, "--svg", s->svg))
        return CLI_MISUSE;
    cli_glm_view view = {
        .plot = isatty(STDOUT_FILENO), .block = -1, .every_block = s->all_groups};
    cli_glm_fit fit = {0};
    dlp_error error = {""};
    dlp_status status = cli_try_output(s->svg, &error);
    if (status == DLP_OK) status = cli_glm_fit_read(s->fit, &fit, &error);
    if (status == DLP_OK) status = find_group(s, &fit, &view, &error);
    if (status == DLP_OK) status = show(s, &fit, &view, &error);
    cli_glm_fit_clear(&fit);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static const cli_operand operands[] = {
    {.name = "FIT.json",
     .offset = offsetof(show_settings, fit),
     .path = true,
     .help = "The result of 'delaplace glm fit'; - is standard input."},
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "group",
     .type = CLI_STRING,
     .value = "NAME",
     .offset = offsetof(show_settings, group),
     .help = "Show the coefficients of this group."},
    {.name = "all-groups",
     .offset = offsetof(show_settings, all_groups),
     .help = "Show the coefficients of each group."},
    CLI_SVG(offsetof(show_settings, svg), "the coefficients with their intervals"),
    CLI_JSON_RESULT(offsetof(show_settings, json)),
    {.name = NULL},
};

const cli_command cli_glm_show_command = {
    .name = "glm show",
    .summary = "show a fitted regression",
    .description =
        "Prints what was fitted, how the fit ended, and a table: for every coefficient "
        "the posterior mean, the sd and the 95 % interval. A family's scale and the cut "
        "points of an ordinal regression stand below the coefficients. On a terminal "
        "each interval is drawn, with o at the mean and | at zero.\n\n"
        "Of a fit with groups it shows the population: of a hierarchical one the mean of "
        "the groups and how sure it is, then the sds between groups (the roots of "
        "Sigma0's diagonal) and where 95 % of groups lie; of separate fits the same of "
        "the groups' means.",
    .example =
        "  delaplace glm show fit.json\n"
        "  delaplace glm show schools.json --group 12\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(show_settings),
    .run = run,
};
