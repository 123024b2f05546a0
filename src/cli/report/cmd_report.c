/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace report: a fit as one HTML file to look at, send and print. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/glm/source.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/report/page.h"
#include "io/json.h"
#include "report/report_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct report_settings {
    cli_common common;
    const char *fit;
    const char *output;
    const char *title;
    const char *corpus;
    const char *covariates;
    const char *by;
    const char *data;
    const char *format, *encoding; /* of that table */
    const char *document;
    const char *missing;
    cli_list effects;
} report_settings;

/* ---- topics ---- */

static dlp_status check_topics(const report_settings *s, dlp_error *error)
{
    if (s->data)
        return dlp_fail(
            error, DLP_EINVAL,
            "--data is for regressions, but %s is a topic model; remove the option",
            s->fit);
    if (s->document && !s->covariates)
        return dlp_fail(error, DLP_EINVAL, "%s", cli_document_of_nothing);
    if (s->by && !s->covariates)
        return dlp_fail(
            error, DLP_EINVAL,
            "--by '%s' names a column; name its table, too: --covariates FILE", s->by);
    return DLP_OK;
}

/* The model's own covariates improve the estimates of its correlations; without their
   table the report is made all the same. Every document was fitted with them, so none may
   be missing here. */
static dlp_status read_own(const report_settings *s, const dlp_topic_model *model,
                           cli_covariates *own, dlp_error *error)
{
    if (!s->covariates || !dlp_topic_model_covariate_terms(model)) return DLP_OK;
    own->document = s->document;
    return cli_covariates_own(s->covariates, model, own, error);
}

static dlp_status make_trend(const report_settings *s, const dlp_topic_model *model,
                             const cli_covariates *own, json_t **trend, dlp_error *error)
{
    const cli_trend_source source = {.path = s->covariates,
                                     .column = s->by,
                                     .document = s->document,
                                     .missing = s->missing,
                                     .row = own->found.row};
    return cli_page_trend(model, &source, trend, error);
}

static dlp_status add_effects(const report_settings *s, const dlp_topic_model *model,
                              json_t *root, dlp_error *error)
{
    json_t *effects;
    const dlp_index K = dlp_topic_model_topics(model)->K;
    CLI_TRY(cli_page_effects(s->effects.n, s->effects.item, K, &effects, error));
    return json_object_set_new(root, "effects", effects) == 0 ? DLP_OK
                                                              : cli_page_no_memory(error);
}

static dlp_status build_topics(const report_settings *s, const dlp_topic_model *model,
                               json_t **root, dlp_error *error)
{
    cli_covariates own = {0};
    cli_page_documents *texts = NULL;
    json_t *trend = NULL;
    dlp_status status = read_own(s, model, &own, error);
    if (status == DLP_OK && s->corpus)
        status = cli_page_documents_open(s->corpus, model, &texts, error);
    if (status == DLP_OK && s->by) status = make_trend(s, model, &own, &trend, error);
    if (status == DLP_OK && !s->by) status = cli_page_time_trend(model, &trend, error);
    if (status == DLP_OK) {
        cli_phase_begin("making the report");
        status = cli_page_topics(s->fit, model, cli_covariates_of(&own), texts, trend,
                                 root, error);
        cli_phase_end();
    }
    if (status == DLP_OK) status = add_effects(s, model, *root, error);
    cli_page_documents_free(texts);
    cli_covariates_clear(&own);
    return status;
}

static dlp_status read_topics(const report_settings *s, json_t **root, dlp_error *error)
{
    dlp_topic_model *model;
    CLI_TRY(check_topics(s, error));
    CLI_TRY(cli_topics_load(s->fit, DLP_LOAD_ALL, &model, error));
    const dlp_status status = build_topics(s, model, root, error);
    dlp_topic_model_free(model);
    return status;
}

/* ---- regressions ---- */

/* How well the fit describes the table; nothing without a table. */
static dlp_status calibrate(const report_settings *s, cli_glm_applied *applied,
                            json_t **calibration, dlp_error *error)
{
    const cli_glm_source source = {
        .path = s->data,
        .format = s->format,
        .encoding = s->encoding,
        .unseen = "drop",
        .missing = s->missing,
    };
    dlp_calibration found;
    if (!s->data) return DLP_OK;
    CLI_TRY(cli_glm_predict(&source, DLP_PREDICT_SCORES, applied, error));
    CLI_TRY(dlp_prediction_calibrate(applied->prediction, &found, error));
    *calibration = cli_page_calibration(&found);
    dlp_calibration_free(&found);
    return *calibration ? DLP_OK : cli_page_no_memory(error);
}

static dlp_status read_glm(const report_settings *s, json_t **root, dlp_error *error)
{
    cli_glm_applied applied = {.fit = NULL};
    json_t *calibration = NULL, *look = NULL;
    if (s->covariates || s->by || s->document || s->corpus || s->effects.n > 0)
        return dlp_fail(error, DLP_EINVAL,
                        "--corpus, --covariates, --by, --effects and --document are for "
                        "topic models, "
                        "but %s is not the folder of one; remove them",
                        s->fit);
    dlp_status status = dlp_regression_load(s->fit, &applied.fit, error);
    if (status == DLP_OK) status = calibrate(s, &applied, &calibration, error);
    if (status == DLP_OK && applied.table) {
        cli_phase_begin("looking at rows");
        look = cli_page_look(applied.fit, applied.table);
        cli_phase_end();
        if (!look) {
            json_decref(calibration);
            status = cli_page_no_memory(error);
        }
    }
    if (status == DLP_OK) {
        *root = cli_page_glm(applied.fit, applied.prediction, calibration, look);
        if (!*root) status = cli_page_no_memory(error);
    }
    cli_glm_applied_clear(&applied);
    return status;
}

/* ---- the page ---- */

static dlp_status write_page(const report_settings *s, json_t *root, dlp_error *error)
{
    char *html;
    size_t size;
    if (s->title && json_object_set_new(root, "title", dlpi_json_text(s->title)) != 0)
        return cli_page_no_memory(error);
    const char *title = json_string_value(json_object_get(root, "title"));
    CLI_TRY(dlpi_report_page(title, root, &html, &size, error));
    cli_phase_begin("writing %s", s->output);
    const dlp_status status =
        dlp_file_write(cli_output_path(s->output), html, size, error);
    cli_phase_note("%zu bytes", size);
    cli_phase_end();
    free(html);
    return status;
}

/* Says how many documents are missing from the trend. */
static void print_dropped(FILE *out, const report_settings *s, const json_t *root)
{
    const json_t *dropped = json_object_get(json_object_get(root, "trend"), "dropped");
    if (json_integer_value(dropped) == 0) return;
    fprintf(out, "By %s: ", s->by);
    cli_topics_print_dropped(out, (dlp_index)json_integer_value(dropped), 0, NULL);
}

static void print_summary(const report_settings *s, const json_t *root)
{
    const bool to_stdout = !strcmp(s->output, "-");
    print_dropped(to_stdout ? stderr : stdout, s, root);
    if (to_stdout) return;
    printf("Written to %s\n\nOpen it in any browser; it needs no network.\n", s->output);
}

static int run(const void *settings)
{
    const report_settings *s = settings;
    json_t *root = NULL;
    dlp_error error = {0};
    dlp_status status = dlp_file_try(cli_output_path(s->output), &error);
    if (status == DLP_OK)
        status = cli_is_folder(s->fit) ? read_topics(s, &root, &error)
                                       : read_glm(s, &root, &error);
    if (status == DLP_OK) status = write_page(s, root, &error);
    if (status == DLP_OK && !s->common.quiet) print_summary(s, root);
    json_decref(root);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

/* ---- the tables ---- */

#define FIELD(name) offsetof(report_settings, name)

static const cli_operand operands[] = {
    {.name = "FIT",
     .offset = FIELD(fit),
     .path = true,
     .help = "A model folder written by 'delaplace topics fit', or the FIT.json of "
             "'delaplace glm fit'."},
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "REPORT.html",
     .offset = FIELD(output),
     .required = true,
     .help = "Where the report goes: written whole or not at all. - is standard output."},
    {.name = "title",
     .type = CLI_STRING,
     .value = "TEXT",
     .offset = FIELD(title),
     .help = "The title; without it, the name of the model or the formula."},
    {.name = "corpus",
     .type = CLI_PATH,
     .value = "CORPUS",
     .offset = FIELD(corpus),
     .help = "Topics: show what documents say, with their terms marked and in context: "
             "from the text that 'delaplace corpus build' keeps beside this corpus."},
    {.name = "covariates",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(covariates),
     .help = "Topics: a table with a row for each document of the fit."},
    {.name = "by",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(by),
     .help = "Topics: show how the share of each topic varies with this column of the "
             "covariates."},
    {.name = "effects",
     .type = CLI_LIST,
     .value = "FILE.json",
     .offset = FIELD(effects),
     .help = "Topics: show these curves of the topics' shares, as 'topics effects --of "
             "COLUMN --json' prints them."},
    {.name = "data",
     .letter = 'd',
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(data),
     .help = "Regressions: show the effect of each column over these rows, residuals, "
             "influence, responses simulated from the fit, and fitted against observed "
             "values; rows with unseen levels are dropped."},
    CLI_TABLE_FORMAT(FIELD(format)),
    CLI_TABLE_ENCODING(FIELD(encoding)),
    CLI_DOCUMENT_COLUMN(FIELD(document)),
    CLI_MISSING(FIELD(missing),
                "Documents with no value of --by, or rows of --data with missing values: "
                "drop them, or reject the table."),
    {.name = NULL},
};

const cli_command cli_report_command = {
    .name = "report",
    .summary = "write a report on a fit as one HTML file",
    .description =
        "Writes a report as one HTML file that any browser opens from disk, without a "
        "network. For topics it shows which go together, and how certain that is, the "
        "words of each, by probability and by FREX, and the documents that show it most. "
        "For a regression it shows the coefficients with their intervals, groups beside "
        "their population, and, with --data, first the effects of columns as curves over "
        "the rows, then residuals, influence, predictive checks and fitted against "
        "observed values. Both end with the trace of the fit and its settings.",
    .example =
        "  delaplace report model -o report.html\n"
        "  delaplace report model -o report.html \\\n"
        "      --covariates data/packages.csv --by section\n"
        "  delaplace report fit.json -o report.html --data data/challenger.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(report_settings),
    .run = run,
};
