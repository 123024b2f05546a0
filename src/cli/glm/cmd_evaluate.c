/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm evaluate: how well a fitted regression predicts rows whose response is
   known. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/glm/source.h"
#include "cli/glm/view.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct evaluate_settings {
    cli_common common;
    const char *fit;
    cli_glm_source source;
    const char *svg;
    bool json;
} evaluate_settings;

/* ---- reports ---- */

static int add_weights(const dlp_prediction_result *rows, json_t *root)
{
    json_t *weights = rows->weights ? dlpi_json_text(rows->weights) : json_null();
    int failed = json_object_set_new(root, "weights", weights);
    if (rows->weights)
        failed |=
            json_object_set_new(root, "total_weight", dlpi_json_real(rows->total_weight));
    return failed;
}

static dlp_status print_json(const dlp_evaluation *e, const dlp_prediction_result *rows,
                             dlp_error *error)
{
    json_t *root = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "rows", (json_int_t)rows->N, "dropped",
        (json_int_t)rows->dropped, "unseen", (json_int_t)rows->unseen, "new_groups",
        (json_int_t)rows->new_groups, "new_group_rows", (json_int_t)rows->new_group_rows,
        "log_likelihood", dlpi_json_real(e->log_likelihood), "log_likelihood_averaged",
        dlpi_json_real(e->log_likelihood_averaged));
    int failed = root ? add_weights(rows, root) : -1;
    if (!isnan(e->accuracy)) {
        failed |= json_object_set_new(root, "accuracy", dlpi_json_real(e->accuracy));
    } else {
        failed |= json_object_set_new(root, "rmse", dlpi_json_real(e->rmse));
        failed |= json_object_set_new(root, "mae", dlpi_json_real(e->mae));
    }
    if (failed) {
        json_decref(root);
        root = NULL;
    }
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}

/* If no weights were typed: says that the fit's are used, or that they are missing. */
static void print_weights(const evaluate_settings *s, const cli_glm_applied *a)
{
    const dlp_prediction_result *rows = dlp_prediction_result_of(a->prediction);
    const char *of_fit = dlp_regression_result_of(a->fit)->weights;
    const char *used = rows->weights, *name = used ? used : of_fit;
    if (!name || s->source.unweighted) return;
    fputs("  weights         '", stdout);
    cli_print_name(name, 0);
    if (used) printf("', %.10g in all", rows->total_weight);
    if (!used)
        puts("' of the fit is not in the table: each row counts once");
    else
        puts(s->source.weights ? "" : ", as in the fit (--no-weights ignores them)");
}

static void print_text(const evaluate_settings *s, const dlp_evaluation *e,
                       const cli_glm_applied *a)
{
    const dlp_prediction_result *rows = dlp_prediction_result_of(a->prediction);
    const char *unit = rows->weights ? "unit of weight" : "row";
    printf("  rows            %td", rows->N);
    if (rows->dropped) printf(" (%td with missing values dropped)", rows->dropped);
    if (rows->unseen) printf(" (%td with unseen levels dropped)", rows->unseen);
    putchar('\n');
    if (rows->new_group_rows)
        printf("  new groups      %td, with %td row%s, predicted from the population\n",
               rows->new_groups, rows->new_group_rows, cli_plural(rows->new_group_rows));
    print_weights(s, a);
    if (!isnan(e->accuracy)) {
        printf("  accuracy        %.4f\n", e->accuracy);
    } else if (!isnan(e->rmse)) { /* undefined for censored responses */
        printf("  rmse            %.6g\n", e->rmse);
        printf("  mae             %.6g\n", e->mae);
    }
    printf("  log likelihood  %.4f per %s, at the posterior mean\n", e->log_likelihood,
           unit);
    printf("                  %.4f per %s, averaged over the posterior\n",
           e->log_likelihood_averaged, unit);
    fputs(cli_glm_independence(rows), stdout);
}

static dlp_status draw(const evaluate_settings *s, const cli_glm_applied *applied,
                       dlp_error *error)
{
    dlp_calibration calibration;
    if (!s->svg) return DLP_OK;
    CLI_TRY(dlp_prediction_calibrate(applied->prediction, &calibration, error));
    const dlp_status status = cli_calibration_write_svg(applied->fit, &calibration,
                                                        cli_output_path(s->svg), error);
    dlp_calibration_free(&calibration);
    return status;
}

static dlp_status report(const evaluate_settings *s, const cli_glm_applied *applied,
                         dlp_error *error)
{
    dlp_evaluation e;
    CLI_TRY(dlp_prediction_evaluate(applied->prediction, &e, error));
    CLI_TRY(draw(s, applied, error));
    if (cli_is_stdout(s->svg)) return DLP_OK;
    if (s->json)
        return print_json(&e, dlp_prediction_result_of(applied->prediction), error);
    print_text(s, &e, applied);
    if (s->common.quiet || !s->svg) return DLP_OK;
    putchar('\n');
    cli_print_written(s->svg);
    return DLP_OK;
}

static int run(const void *settings)
{
    const evaluate_settings *s = settings;
    if (s->source.weights && s->source.unweighted)
        return cli_misuse(cli_glm_evaluate_command.name,
                          "--weights and --no-weights cannot be combined");
    if (cli_check_json(cli_glm_evaluate_command.name, s->json, "--svg", s->svg))
        return CLI_MISUSE;
    cli_glm_applied applied = {.fit = NULL};
    dlp_error error = {0};
    dlp_status status = cli_try_output(s->svg, &error);
    if (status == DLP_OK)
        status = cli_glm_apply(s->fit, &s->source, DLP_PREDICT_SCORES, &applied, &error);
    if (status == DLP_OK) status = report(s, &applied, &error);
    cli_glm_applied_clear(&applied);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

/* ---- the tables ---- */

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(offsetof(evaluate_settings, fit)),
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_GLM_SOURCE_OPTIONS(evaluate_settings),
    {.name = "weights",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = offsetof(evaluate_settings, source.weights),
     .help = "The column of weights: a row of weight 3 counts as three rows. Without it: "
             "the column of the fit, if it had one and the table has it."},
    {.name = "no-weights",
     .offset = offsetof(evaluate_settings, source.unweighted),
     .help = "Count each row once, whatever the fit did."},
    CLI_SVG(offsetof(evaluate_settings, svg),
            "what was fitted against what was observed"),
    CLI_JSON_RESULT(offsetof(evaluate_settings, json)),
    {.name = NULL},
};

const cli_command cli_glm_evaluate_command = {
    .name = "glm evaluate",
    .summary = "measure how well a fitted regression predicts",
    .description =
        "Compares the predictions of a fit with the responses in a table, "
        "which should not be the one that was fitted.\n\nThe log "
        "likelihood of the response is the mean over rows (with weights, "
        "per unit of weight), once at the posterior mean of the "
        "coefficients, as in the paper, and once averaged over their "
        "posterior. For bernoulli, multinomial and ordinal regressions the "
        "accuracy is the share of rows whose most probable level is the "
        "right one; for the others rmse and mae measure how far the "
        "response lies from its predicted mean.",
    .example = "  delaplace glm evaluate fit.json --data test.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(evaluate_settings),
    .run = run,
};
