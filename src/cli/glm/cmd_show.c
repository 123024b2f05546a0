/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm show: a fitted regression for users. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/glm/source.h"
#include "cli/glm/view.h"
#include "cli/message.h"
#include "cli/suggest.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct show_settings {
    cli_common common;
    const char *fit;
    const char *group;
    bool all_groups;
    const char *svg;
    const char *level;
    bool csv;
    bool exponentiate;
    bool json;
} show_settings;

static dlp_status show(const show_settings *s, const dlp_regression *fit,
                       const cli_glm_view *view, dlp_error *error)
{
    if (s->svg && view->group >= 0 &&
        dlp_regression_result_of(fit)->grouping == DLP_MIXED)
        return dlp_fail(error, DLP_EINVAL,
                        "--svg draws the population of a mixed model; remove --group");
    if (s->svg && cli_glm_has_curves(dlp_regression_result_of(fit)))
        CLI_TRY(cli_glm_write_curves(fit, cli_output_path(s->svg), error));
    else if (s->svg)
        CLI_TRY(cli_glm_write_svg(fit, view->group, cli_output_path(s->svg), error));
    if (cli_is_stdout(s->svg)) return DLP_OK;
    if (s->csv) CLI_TRY(cli_glm_write_tidy(fit, view, cli_output_path("-"), error));
    if (s->csv) return DLP_OK;
    if (!s->json) {
        CLI_TRY(cli_glm_print(fit, view, error));
        if (s->common.quiet || !s->svg) return DLP_OK;
        putchar('\n');
        cli_print_written(s->svg);
        return DLP_OK;
    }
    return cli_glm_print_json(fit, view, error);
}

static dlp_status fail_unknown_group(const show_settings *s, const dlp_regression *fit,
                                     dlp_error *error)
{
    cli_suggestion suggestion = cli_suggestion_for(s->group);
    for (dlp_index m = 0; dlp_regression_group(fit, m); m++)
        cli_suggestion_consider(&suggestion, dlp_regression_group(fit, m));
    if (suggestion.best)
        return dlp_fail(error, DLP_EINVAL,
                        "%s: there is no group '%.80s'; did you mean '%.80s'?", s->fit,
                        s->group, suggestion.best);
    return dlp_fail(error, DLP_EINVAL,
                    "%s: there is no group '%.80s'; the first is '%.80s'", s->fit,
                    s->group, dlp_regression_group(fit, 0));
}

/* Finds NAME, or GROUPING=NAME if several groupings have a level of that name. */
static dlp_index find_level(const dlp_regression *fit, const char *typed)
{
    const dlp_terms *terms = dlp_regression_result_of(fit)->terms;
    dlp_index found = dlp_regression_find_level(fit, NULL, typed);
    for (dlp_index i = 0; found < 0 && i < terms->n_groupings; i++) {
        const char *grouping = terms->grouping[i].variable;
        const size_t size = strlen(grouping);
        if (!strncmp(typed, grouping, size) && typed[size] == '=')
            found = dlp_regression_find_level(fit, grouping, typed + size + 1);
    }
    return found;
}

static dlp_status fail_level(const show_settings *s, const dlp_regression *fit,
                             dlp_error *error)
{
    const dlp_terms *terms = dlp_regression_result_of(fit)->terms;
    const dlp_levels *first = &terms->grouping[0];
    cli_suggestion suggestion = cli_suggestion_for(s->group);
    if (dlp_regression_find_level(fit, NULL, s->group) == -2)
        return dlp_fail(error, DLP_EINVAL,
                        "%s: several groupings have a level '%.80s'; say which: --group "
                        "'%.80s=%.80s'",
                        s->fit, s->group, first->variable, s->group);
    for (dlp_index i = 0; i < terms->n_groupings; i++)
        for (dlp_index l = 0; l < terms->grouping[i].n; l++)
            cli_suggestion_consider(&suggestion, terms->grouping[i].level[l]);
    if (suggestion.best)
        return dlp_fail(error, DLP_EINVAL,
                        "%s: no grouping has a level '%.80s'; did you mean '%.80s'?",
                        s->fit, s->group, suggestion.best);
    return dlp_fail(
        error, DLP_EINVAL,
        "%s: no grouping has a level '%.80s'; the first of '%.80s' is '%.80s'", s->fit,
        s->group, first->variable, first->level[0]);
}

static dlp_status find_group(const show_settings *s, const dlp_regression *fit,
                             cli_glm_view *view, dlp_error *error)
{
    if (!s->group) return DLP_OK;
    const bool mixed = dlp_regression_result_of(fit)->grouping == DLP_MIXED;
    view->group =
        mixed ? find_level(fit, s->group) : dlp_regression_find_group(fit, s->group);
    if (view->group >= 0) return DLP_OK;
    const bool levels = mixed && dlp_regression_result_of(fit)->terms->n_groupings > 0;
    if (levels) return fail_level(s, fit, error);
    if (!dlp_regression_group(fit, 0))
        return dlp_fail(error, DLP_EINVAL, "%s: the fit has no groups; remove --group",
                        s->fit);
    return fail_unknown_group(s, fit, error);
}

static int run(const void *settings)
{
    const show_settings *s = settings;
    if (s->group && s->all_groups)
        return cli_misuse(cli_glm_show_command.name,
                          "--group and --all-groups cannot be combined");
    if (cli_check_json(cli_glm_show_command.name, s->json, "--svg", s->svg))
        return CLI_MISUSE;
    cli_glm_view view = {.plot = isatty(STDOUT_FILENO),
                         .group = -1,
                         .every_group = s->all_groups,
                         .exponentiate = s->exponentiate};
    if (cli_intervals_read(cli_glm_show_command.name, s->level, &view.intervals))
        return CLI_MISUSE;
    if (s->csv && (s->json || cli_is_stdout(s->svg)))
        return cli_misuse(cli_glm_show_command.name, "%s", cli_two_outputs);
    dlp_regression *fit = NULL;
    dlp_error error = {0};
    dlp_status status = cli_try_output(s->svg, &error);
    if (status == DLP_OK) status = dlp_regression_load(s->fit, &fit, &error);
    if (status == DLP_OK) status = find_group(s, fit, &view, &error);
    if (status == DLP_OK) status = show(s, fit, &view, &error);
    dlp_regression_free(fit);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(offsetof(show_settings, fit)),
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "group",
     .type = CLI_STRING,
     .value = "NAME",
     .offset = offsetof(show_settings, group),
     .help = "Show the coefficients of this group, or for a mixed model the "
             "effects of this level; write GROUPING=NAME if several groupings "
             "have a level of that name."},
    {.name = "all-groups",
     .offset = offsetof(show_settings, all_groups),
     .help = "Show the coefficients of every group, or the effects of every level."},
    CLI_SVG(
        offsetof(show_settings, svg),
        "the coefficients with their intervals or, for a fit with s(x), its curves with "
        "their bands"),
    CLI_LEVEL(offsetof(show_settings, level)),
    {.name = "exp",
     .offset = offsetof(show_settings, exponentiate),
     .help = "Exponentiate coefficients: odds ratios with a logit link, ratios "
             "of means or rates with a log link."},
    {.name = "csv",
     .offset = offsetof(show_settings, csv),
     .help = "Print the parameters as CSV with the names of R's broom: term, y.level, "
             "kind, group, estimate, std.error, conf.low, conf.high. With several levels "
             "conf.low.0.5 and so on."},
    CLI_JSON_RESULT(offsetof(show_settings, json)),
    {.name = NULL},
};

const cli_command cli_glm_show_command = {
    .name = "glm show",
    .summary = "show a fitted regression",
    .description =
        "Prints what was fitted, how the fit ended, and a table: for every coefficient "
        "the posterior mean, the sd and an interval, of 95 % unless --level says "
        "otherwise. The family's scale and the "
        "cut points of an ordinal regression come after the coefficients. On a terminal "
        "each interval is drawn, with o at the mean and | at zero.\n\nFor a fit with "
        "groups it shows the population. For a hierarchical fit that is the mean of the "
        "groups with its uncertainty, then the sds between groups (square roots of "
        "Sigma0's diagonal) and where 95 % of groups lie; for separate fits, the mean "
        "and sd of the groups' means.\n\nFor a mixed model it shows the coefficients of "
        "the population, then the sds and correlations between the levels of each "
        "grouping. --group shows the effects of a level, and what they make of the "
        "population's coefficients.",
    .example =
        "  delaplace glm show fit.json\n"
        "  delaplace glm show schools.json --group 12\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(show_settings),
    .run = run,
};
