/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm cv: cross-validation of a fitted regression. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/glm/scores.h"
#include "cli/glm/source.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "io/json.h"

#include <stdio.h>

typedef struct cv_settings {
    cli_common common;
    const char *fit;
    cli_glm_source source;
    const char *by;
    dlp_index folds, draws, seed, threads;
    bool rows, json;
} cv_settings;

static dlp_status validate(const cv_settings *s, const cli_glm_applied *a,
                           dlp_scores **scores, dlp_error *error)
{
    dlp_comparison_settings settings = dlp_comparison_settings_default();
    cli_progress progress = cli_progress_begin("cross-validating");
    settings.folds = s->folds;
    settings.by = s->by;
    settings.draws = s->draws;
    settings.seed = (unsigned long)s->seed;
    settings.threads = (int)s->threads;
    settings.progress = cli_progress_call;
    settings.context = &progress;
    const dlp_status status =
        dlp_regression_cross_validate(a->fit, a->table, &settings, scores, error);
    cli_progress_end();
    return status;
}

static dlp_status print_json(const cv_settings *s, const dlp_scores *x, dlp_error *error)
{
    json_t *root =
        json_pack("{s:o, s:I, s:I, s:I, s:o, s:o, s:I, s:o}", "response",
                  dlpi_json_text(x->response), "rows", (json_int_t)x->N, "folds",
                  (json_int_t)x->folds, "groups", (json_int_t)x->groups, "by",
                  s->by ? dlpi_json_text(s->by) : json_null(), "elpd",
                  cli_score_json(x->elpd_sum), "doubtful", (json_int_t)x->doubtful,
                  "posterior_k", dlpi_json_real(x->posterior_k));
    if (root && s->rows && json_object_set_new(root, "by_row", cli_score_rows_json(x))) {
        json_decref(root);
        root = NULL;
    }
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}

static void print_text(const cv_settings *s, const dlp_scores *x)
{
    printf("  rows      %td\n", x->N);
    if (s->by)
        printf("  folds     %td, of %td groups by '%s'\n", x->folds, x->groups, s->by);
    else
        printf("  folds     %td\n", x->folds);
    printf("  elpd      %.2f (%.2f)\n", x->elpd_sum.value, x->elpd_sum.se);
    printf("            %.4f per row\n", x->elpd_per_row);
    if (x->doubtful > 0)
        printf(
            "\nIn the folds of %td rows the weights are too uneven (k above %g), so the "
            "elpd of these rows cannot be\ntrusted: more --draws may help.\n",
            x->doubtful, DLP_TAIL_K_FAIR);
}

static dlp_status cross_validate(const cv_settings *s, cli_glm_applied *a,
                                 dlp_scores **scores, dlp_error *error)
{
    CLI_TRY(cli_glm_open(s->fit, &s->source, a, error));
    CLI_TRY(validate(s, a, scores, error));
    if (s->json) return print_json(s, *scores, error);
    print_text(s, *scores);
    return DLP_OK;
}

static int run(const void *settings)
{
    const cv_settings *s = settings;
    if (s->rows && !s->json)
        return cli_misuse(cli_glm_cv_command.name, "--rows needs --json");
    cli_glm_applied applied = {.fit = NULL};
    dlp_scores *scores = NULL;
    dlp_error error = {0};
    const dlp_status status = cross_validate(s, &applied, &scores, &error);
    dlp_scores_free(scores);
    cli_glm_applied_clear(&applied);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static void defaults(void *settings)
{
    cv_settings *s = settings;
    const dlp_comparison_settings library = dlp_comparison_settings_default();
    s->draws = library.draws;
    s->seed = (dlp_index)library.seed;
}

#define FIELD(name) offsetof(cv_settings, name)

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(FIELD(fit)),
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_GLM_FITTED_DATA(FIELD(source.path)),
    CLI_TABLE_FORMAT(FIELD(source.format)),
    CLI_TABLE_ENCODING(FIELD(source.encoding)),
    {.name = "folds",
     .type = CLI_COUNT,
     .value = "K",
     .offset = FIELD(folds),
     .min = 2,
     .max = 1e6,
     .help = "How many parts to deal the rows, or groups, into. Without it: 10, or with "
             "--by one for each group."},
    {.name = "by",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(by),
     .help = "Leave out rows with the same value of this column together."},
    CLI_SCORE_DRAWS(FIELD(draws)),
    CLI_SEED(FIELD(seed), "the folds and the draws"),
    CLI_THREADS(FIELD(threads)),
    CLI_SCORE_ROWS(FIELD(rows)),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_glm_cv_command = {
    .name = "glm cv",
    .summary = "cross-validate a fitted regression",
    .description =
        "Deals the rows into folds, fits the model to all rows but those of one fold at "
        "a time, and measures how well it predicts these: the expected log density "
        "(elpd), averaged over the posterior, with its standard error. With --by, whole "
        "groups are left out, which shows how well new groups are predicted. The prior "
        "is always the fit's.\n\nThis works for regressions without groups, of "
        "all families, for hierarchies and for mixed models, which use a tenth of the "
        "draws. Hierarchies, and mixed models with an ordinal or multinomial response, "
        "are fitted again from their formula and predict without draws.",
    .example = "  delaplace glm cv fit.json --data data.csv --folds 10\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(cv_settings),
    .defaults = defaults,
    .run = run,
};
