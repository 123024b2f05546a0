/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics effects: what covariates do to topics. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/corpus/source.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/topics/covariates.h"
#include "cli/topics/effect_curve.h"
#include "cli/topics/effects_report.h"
#include "cli/topics/groups.h"

#include <stdio.h>
#include <unistd.h>

typedef struct effects_settings {
    cli_common common;
    const char *model;
    const char *corpus;
    const char *covariates;
    const char *formula;
    const char *output;
    const char *svg;
    const char *vocab;
    const char *format;
    const char *document;
    const char *missing;
    const char *references;
    const char *of;
    const char *by;
    bool differences;
    dlp_index topic;
    dlp_index draws;
    dlp_index splits;
    dlp_index seed;
    dlp_index threads;
    bool json;
} effects_settings;

/* Everything that a run owns; free_work also accepts it half built. */
typedef struct work {
    dlp_topic_model *model;
    dlp_corpus *corpus;
    cli_covariates prior; /* of the model */
    cli_covariates asked; /* of --formula */
    dlp_index dropped;    /* documents that lack a value of either */
    cli_effects found;
    cli_effect_curve curve; /* of --of */
} work;

static void free_work(work *w)
{
    dlp_effect_curve_free(&w->curve.curve);
    dlp_effects_free(&w->found.effects);
    cli_covariates_clear(&w->asked);
    cli_covariates_clear(&w->prior);
    dlp_corpus_free(w->corpus);
    dlp_topic_model_free(w->model);
}

/* ---- input ---- */

static dlp_status check_model(const effects_settings *s, const work *w, dlp_error *error)
{
    const dlp_index K = dlp_topic_model_topics(w->model)->K;
    if (s->topic > K)
        return dlp_fail(error, DLP_EINVAL, "%s has topics 1 to %td, but no topic %td",
                        s->model, K, s->topic);
    if (dlp_topic_model_covariate_terms(w->model) || s->formula) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL,
                    "%s was fitted without covariates; name the columns to regress on: "
                    "--formula '~ x'",
                    s->model);
}

/* Inferring a document's topics takes the model's covariates, so it needs these, too.
   Both sets of covariates come from the same rows of one table. */
static dlp_status read_covariates(const effects_settings *s, work *w, dlp_error *error)
{
    dlp_document_covariates *const both[] = {&w->prior.found, &w->asked.found};
    w->prior.missing = w->asked.missing = s->missing;
    w->prior.document = w->asked.document = s->document;
    w->asked.references = s->references;
    if (dlp_topic_model_covariate_terms(w->model))
        CLI_TRY(
            cli_covariates_rebuild(s->covariates, w->model, w->corpus, &w->prior, error));
    w->asked.among = w->prior.found.known;
    w->asked.row = w->prior.found.row;
    if (s->formula)
        CLI_TRY(
            cli_covariates_build(s->covariates, s->formula, w->corpus, &w->asked, error));
    return dlp_covariates_drop(2, both, &w->corpus, &w->dropped, error);
}

static dlp_status read_inputs(const effects_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(cli_topics_load(s->model, 0, &w->model, error));
    CLI_TRY(check_model(s, w, error));
    CLI_TRY(cli_corpus_open(s->corpus, s->format, s->vocab, &w->corpus, error));
    CLI_TRY(dlp_topic_model_align(w->model, w->corpus, NULL, error));
    CLI_TRY(read_covariates(s, w, error));
    const cli_covariates *read = w->prior.found.row ? &w->prior : &w->asked;
    return cli_topics_set_groups(w->model, s->covariates, read->table, read->found.row,
                                 w->corpus, error);
}

/* ---- the effects ---- */

static dlp_status find_curve(const effects_settings *s, const cli_covariates *X, work *w,
                             dlp_error *error)
{
    dlp_effect_curve_settings settings = dlp_effect_curve_settings_default();
    const dlp_table *table = w->prior.table ? w->prior.table : w->asked.table;
    settings.variable = s->of;
    settings.by = s->by;
    w->curve = (cli_effect_curve){.model = w->model,
                                  .formula = X->found.design->terms->formula,
                                  .of = s->of,
                                  .by = s->by,
                                  .topic = s->topic - 1,
                                  .differences = s->differences};
    return dlp_effects_curve(&w->found.effects, &X->found, X->table ? X->table : table,
                             &settings, &w->curve.curve, error);
}

static dlp_status find_effects(const effects_settings *s, work *w, dlp_error *error)
{
    const cli_covariates *X = s->formula ? &w->asked : &w->prior;
    cli_progress progress = cli_progress_begin("reading the documents several times");
    progress.passes = true; /* until the prior and, in halves, the topics have settled */
    dlp_effects_settings settings = dlp_effects_settings_default();
    settings.draws = (int)s->draws;
    settings.splits = (int)s->splits;
    settings.seed = (uint64_t)s->seed;
    settings.threads = (int)s->threads;
    settings.progress = cli_progress_call;
    settings.context = &progress;
    w->found = (cli_effects){.model = w->model,
                             .design = X->found.design,
                             .D = w->corpus->D,
                             .dropped = w->dropped,
                             .covariates = {&w->prior, &w->asked},
                             .draws = settings.draws,
                             .topic = s->topic - 1};
    const dlp_status status =
        dlp_topic_model_effects(w->model, w->corpus, cli_covariates_of(&w->prior),
                                &X->found, &settings, &w->found.effects, error);
    cli_progress_end();
    if (w->found.effects.outcome != DLP_CONVERGED || status != DLP_OK || !s->of)
        return cli_in_file(s->covariates, status, error);
    return find_curve(s, X, w, error);
}

/* ---- output ---- */

static dlp_status print_text(const effects_settings *s, const work *w, dlp_error *error)
{
    if (s->of)
        CLI_TRY(cli_effect_curve_print(&w->curve, error));
    else
        CLI_TRY(cli_effects_print(&w->found, isatty(STDOUT_FILENO), error));
    if (s->common.quiet) return DLP_OK;
    if (s->output || s->svg) putchar('\n');
    cli_print_written(s->output);
    cli_print_written(s->svg);
    return DLP_OK;
}

static dlp_status write_csv(const effects_settings *s, const work *w, dlp_file_set *files,
                            dlp_error *error)
{
    const char *path = cli_output_path(s->output);
    return s->of ? cli_effect_curve_csv(&w->curve, path, files, error)
                 : cli_effects_write_csv(&w->found, path, files, error);
}

static dlp_status write_svg(const effects_settings *s, const work *w, dlp_file_set *files,
                            dlp_error *error)
{
    const char *path = cli_output_path(s->svg);
    return s->of ? cli_effect_curve_svg(&w->curve, path, files, error)
                 : cli_effects_write_svg(&w->found, path, files, error);
}

/* Writes the table and the picture together, or neither. */
static dlp_status write_files(const effects_settings *s, const work *w, dlp_error *error)
{
    dlp_file_set *files = NULL;
    CLI_TRY(dlp_file_set_alloc(&files, error));
    dlp_status status = s->output ? write_csv(s, w, files, error) : DLP_OK;
    if (status == DLP_OK && s->svg) status = write_svg(s, w, files, error);
    if (status == DLP_OK) status = dlp_file_set_commit(files, error);
    dlp_file_set_free(files);
    return status;
}

static dlp_status report(const effects_settings *s, const work *w, dlp_error *error)
{
    const bool to_stdout = cli_is_stdout(s->output) || cli_is_stdout(s->svg);
    CLI_TRY(write_files(s, w, error));
    if (to_stdout || (s->output && s->common.quiet && !s->json)) return DLP_OK;
    if (!s->json) return print_text(s, w, error);
    json_t *root = s->of ? cli_effect_curve_json(&w->curve) : cli_effects_json(&w->found);
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}

/* What to say about an option that needs another one; NULL: nothing is missing. */
static const char *missing_option(const effects_settings *s)
{
    if (s->by && !s->of)
        return "--by draws a curve for each group; name the column of the curves: --of "
               "COLUMN";
    if (s->differences && !s->by)
        return "--differences compares the levels of a column; name it: --by COLUMN";
    if (s->references && !s->formula)
        return "--reference needs --formula: the fit's own formula keeps its reference "
               "levels";
    return NULL;
}

static int run(const void *settings)
{
    const effects_settings *s = settings;
    if (cli_corpus_reads_stdin_twice(cli_topics_effects_command.name, s->corpus,
                                     s->vocab))
        return CLI_MISUSE;
    if (cli_is_stdout(s->output) && cli_is_stdout(s->svg))
        return cli_misuse(cli_topics_effects_command.name, "%s", cli_two_outputs);
    if (missing_option(s))
        return cli_misuse(cli_topics_effects_command.name, "%s", missing_option(s));
    work w = {0};
    dlp_error error = {0};
    dlp_status status = cli_try_output(s->output, &error);
    if (status == DLP_OK) status = cli_try_output(s->svg, &error);
    if (status == DLP_OK) status = read_inputs(s, &w, &error);
    if (status == DLP_OK) status = find_effects(s, &w, &error);
    const bool cancelled = w.found.effects.outcome == DLP_CANCELLED;
    if (status == DLP_OK && !cancelled) status = report(s, &w, &error);
    free_work(&w);
    if (status != DLP_OK) return cli_failed(status, &error);
    return cancelled ? cli_progress_without_result() : CLI_DONE;
}

static void defaults(void *settings)
{
    effects_settings *s = settings;
    const dlp_effects_settings library = dlp_effects_settings_default();
    s->draws = library.draws;
    s->splits = library.splits;
    s->seed = (dlp_index)library.seed;
}

#define FIELD(name) offsetof(effects_settings, name)

static const cli_operand operands[] = {
    CLI_MODEL_OPERAND(FIELD(model)),
    {.name = "CORPUS",
     .offset = FIELD(corpus),
     .path = true,
     .help = "The documents, in any format of 'corpus convert': those of the fit, or "
             "others; - is standard input."},
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "covariates",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(covariates),
     .required = true,
     .help = "A table with a row for each document, which also has the columns of the "
             "model's own formula."},
    {.name = "formula",
     .type = CLI_STRING,
     .value = "FORMULA",
     .offset = FIELD(formula),
     .help = "What to regress on, as R writes it: '~ year + party'. Without it, the "
             "formula of the fit. s(x) is a spline as in stm: bs(x, df = 10)."},
    {.name = "reference",
     .type = CLI_STRING,
     .value = "COLUMN=LEVEL",
     .offset = FIELD(references),
     .help =
         "The reference level of a categorical column of --formula; for several columns "
         "A=X,B=Y."},
    {.name = "of",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(of),
     .help = "Show the topics' shares as this column changes and all others "
             "stay as they are, instead of coefficients."},
    {.name = "by",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(by),
     .help = "With --of: a curve for each value of this column."},
    {.name = "differences",
     .type = CLI_FLAG,
     .offset = FIELD(differences),
     .help = "With --by: how much the other curves differ from the first."},
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(output),
     .help =
         "Write the numbers to this file as well, for all topics or that of --topic: "
         "topic, term, mean, sd, lower, upper. - is standard output, without the text."},
    CLI_SVG(FIELD(svg), "the effects with their intervals"),
    {.name = "topic",
     .type = CLI_COUNT,
     .value = "K",
     .offset = FIELD(topic),
     .min = 1,
     .max = 1000000,
     .help = "Show only the effects on this topic."},
    {.name = "draws",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(draws),
     .of_library = true,
     .min = 2,
     .max = 100000,
     .help = "How many draws of each document's proportions."},
    {.name = "splits",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(splits),
     .of_library = true,
     .min = 0,
     .max = 1000,
     .help = "How many times to split the documents into halves and fit the "
             "topics to each, which widens the intervals to allow for the "
             "topics being estimated; 0 takes the topics as known, and is "
             "quicker."},
    CLI_SEED(FIELD(seed), "the draws"),
    CLI_DOCUMENT_COLUMN(FIELD(document)),
    CLI_MISSING_COVARIATES(FIELD(missing)),
    CLI_THREADS(FIELD(threads)),
    CLI_VOCAB(FIELD(vocab)),
    CLI_CORPUS_FORMAT(FIELD(format)),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_topics_effects_command = {
    .name = "topics effects",
    .summary = "estimate the effects of covariates on topics",
    .description =
        "Regresses each topic's share of a document on covariates, and prints for every "
        "topic and term the mean, the sd and the 95 % interval.\n\nThis is the method of "
        "composition, as in estimateEffect of R's stm: each document's proportions are "
        "drawn many times from their posterior, every draw is regressed by least "
        "squares, and the results are pooled. So the intervals include the uncertainty "
        "of the proportions. The same seed gives the same bytes.",
    .example =
        "  delaplace topics effects model data/packages.ldac \\\n"
        "      --covariates data/packages.csv --formula '~ section'\n"
        "  delaplace topics effects model data/packages.ldac \\\n"
        "      --covariates data/packages.csv --formula '~ section' --topic 2\n"
        "  delaplace topics effects model data/packages.ldac \\\n"
        "      --covariates data/packages.csv --formula '~ section' --of section \\\n"
        "      --svg shares.svg\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(effects_settings),
    .defaults = defaults,
    .run = run,
};
