/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/source.h"

#include "cli/files.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/progress.h"
#include "cli/table.h"

#include <string.h>

const char *cli_table_encoding(int i)
{
    static const char *const names[] = {"utf-8", "latin1", NULL};
    return names[i];
}

const char *cli_table_format(int i)
{
    static const char *const names[] = {"auto", "csv", "tsv", "arff", "svmlight", NULL};
    return names[i];
}

const char *cli_glm_unseen(int i)
{
    static const char *const names[] = {"error", "drop", "population", "population,drop",
                                        NULL};
    return names[i];
}

const char *cli_glm_effects(int i)
{
    static const char *const names[] = {[DLP_EFFECTS_OF_LEVELS] = "levels",
                                        [DLP_EFFECTS_OF_NEW] = "new",
                                        [DLP_EFFECTS_OF_NONE] = "none",
                                        NULL};
    return names[i];
}

const char *cli_glm_effects_usual(void)
{
    return cli_glm_effects(dlp_prediction_settings_default().effects);
}

static dlp_effects_of effects_of(const cli_glm_source *source)
{
    int i = 0;
    while (source->effects && strcmp(cli_glm_effects(i), source->effects) != 0) i++;
    return (dlp_effects_of)i;
}

/* Whether --unseen contains this word. */
static bool unseen_is(const cli_glm_source *source, const char *word)
{
    return source->unseen && strstr(source->unseen, word) != NULL;
}

/* The advice in messages about an unseen level, and an unseen group. */
static const char *level_advice(const cli_glm_source *source)
{
    if (unseen_is(source, "population"))
        return "--unseen population applies only to groups: drop such rows with --unseen "
               "population,drop, or fit again with them";
    return "drop such rows with --unseen drop, or fit again with them";
}

/* Whether the fit can predict for groups that it did not see. */
static bool has_population(const dlp_regression *fit)
{
    const dlp_grouping grouping = dlp_regression_result_of(fit)->grouping;
    return grouping == DLP_HIERARCHICAL || grouping == DLP_MIXED;
}

static const char *group_advice(const cli_glm_source *source, const dlp_regression *fit)
{
    if (!has_population(fit)) return level_advice(source);
    return "predict such rows from the population with --unseen population, drop them "
           "with --unseen drop, or fit again with them";
}

/* Suggests an alternative if new responses can have no interval. */
static dlp_status check_observations(const dlp_regression *fit, dlp_error *error)
{
    const dlp_family *family = dlp_regression_result_of(fit)->family;
    if (family->support == DLP_SUPPORT_BINARY)
        return dlp_fail(
            error, DLP_EINVAL,
            "--interval observation: a new response of a bernoulli regression is one of "
            "two levels; mean_averaged is its probability. Remove the option");
    if (dlp_family_has_levels(family))
        return dlp_fail(error, DLP_EINVAL,
                        "--interval observation: a new response of a regression of "
                        "family %s is one of the levels; probability_averaged_... has "
                        "the probability of each. Remove the option",
                        family->name);
    return DLP_OK;
}

static dlp_status check_source(const cli_glm_source *source, dlp_predict what,
                               const dlp_regression *fit, dlp_error *error)
{
    if (unseen_is(source, "population") && !has_population(fit))
        return dlp_fail(error, DLP_EINVAL,
                        "--unseen %s needs a hierarchical fit or a mixed model, which "
                        "this is not",
                        source->unseen);
    if (effects_of(source) != DLP_EFFECTS_OF_LEVELS &&
        dlp_regression_result_of(fit)->grouping != DLP_MIXED)
        return dlp_fail(error, DLP_EINVAL,
                        "--effects %s needs a mixed model, which this is not",
                        source->effects);
    return what == DLP_PREDICT_OBSERVATIONS ? check_observations(fit, error) : DLP_OK;
}

static dlp_prediction_settings settings_for(const cli_glm_source *source,
                                            dlp_predict what)
{
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    const dlp_unseen dropped =
        unseen_is(source, "drop") ? DLP_UNSEEN_DROP : DLP_UNSEEN_ERROR;
    settings.what = what;
    settings.missing_is_error = !strcmp(source->missing, "error");
    settings.unseen_level = dropped;
    settings.unseen_group = source->unseen ? dropped : DLP_UNSEEN_AUTO;
    settings.effects = effects_of(source);
    if (unseen_is(source, "population")) settings.unseen_group = DLP_UNSEEN_POPULATION;
    settings.weights = source->weights;
    if (source->interval_level > 0) settings.interval_level = source->interval_level;
    settings.unweighted = source->unweighted;
    return settings;
}

dlp_status cli_glm_predict_table(const cli_glm_source *source, dlp_predict what,
                                 cli_glm_applied *applied, dlp_error *error)
{
    const cli_design_advice advice = {.missing = "fill them in, or drop such rows",
                                      .level = level_advice(source),
                                      .group = group_advice(source, applied->fit)};
    dlp_prediction_settings settings = settings_for(source, what);
    dlp_design_problem problem = {.kind = DLP_PROBLEM_OTHER};
    cli_progress progress = {.began = cli_seconds()};
    settings.problem = &problem;
    settings.progress = cli_progress_call;
    settings.context = &progress;
    cli_phase_begin("predicting");
    const dlp_status status = dlp_regression_predict(
        applied->fit, applied->table, &settings, &applied->prediction, error);
    if (status == DLP_OK)
        cli_phase_note("%td rows", dlp_prediction_result_of(applied->prediction)->N);
    cli_phase_end();
    return cli_design_advise(&problem, &advice, status, error);
}

static dlp_status read_table(const cli_glm_source *source, cli_glm_applied *applied,
                             dlp_error *error)
{
    dlp_table_options table = dlp_table_options_default();
    table.format = source->format;
    table.encoding = source->encoding;
    CLI_TRY(dlp_terms_features(dlp_regression_result_of(applied->fit)->terms,
                               &table.features, error));
    return cli_table_read(source->path, &table, &applied->table, error);
}

dlp_status cli_glm_predict(const cli_glm_source *source, dlp_predict what,
                           cli_glm_applied *applied, dlp_error *error)
{
    CLI_TRY(check_source(source, what, applied->fit, error));
    CLI_TRY(read_table(source, applied, error));
    return cli_glm_predict_table(source, what, applied, error);
}

static dlp_status read_fit(const char *fit_path, const cli_glm_source *source,
                           cli_glm_applied *applied, dlp_error *error)
{
    if (!strcmp(fit_path, "-") && !strcmp(source->path, "-"))
        return dlp_fail(error, DLP_EINVAL, "fit and data cannot both be standard input");
    CLI_TRY(dlp_regression_load(fit_path, &applied->fit, error));
    if (!dlp_regression_result_of(applied->fit)->estimated)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: the fit estimated nothing, so there is nothing to predict "
                        "from; fit again, by another method",
                        cli_input_name(fit_path));
    return DLP_OK;
}

dlp_status cli_glm_open(const char *fit_path, const cli_glm_source *source,
                        cli_glm_applied *applied, dlp_error *error)
{
    CLI_TRY(read_fit(fit_path, source, applied, error));
    return read_table(source, applied, error);
}

dlp_status cli_glm_apply(const char *fit_path, const cli_glm_source *source,
                         dlp_predict what, cli_glm_applied *applied, dlp_error *error)
{
    CLI_TRY(read_fit(fit_path, source, applied, error));
    return cli_glm_predict(source, what, applied, error);
}

const char *cli_glm_independence(const dlp_prediction_result *rows)
{
    return rows->independent ? "Some rows combine levels of several groupings that no "
                               "row of the fit combines. Only the\ncoefficients say how "
                               "these go together, and their intervals may be off.\n"
                             : "";
}

void cli_glm_applied_clear(cli_glm_applied *applied)
{
    dlp_prediction_free(applied->prediction);
    dlp_table_free(applied->table);
    dlp_regression_free(applied->fit);
    *applied = (cli_glm_applied){0};
}
