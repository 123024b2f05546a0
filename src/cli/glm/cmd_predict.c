/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm predict: what a fitted regression predicts for new rows. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/csv.h"
#include "cli/files.h"
#include "cli/glm/intervals.h"
#include "cli/glm/source.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "io/print_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GROUPINGS = 32 };

typedef struct predict_settings {
    cli_common common;
    const char *fit;
    const char *output;
    cli_glm_source source;
    const char *interval;
    const char *level;
    bool json;
} predict_settings;

/* The predictions, and their intervals at further levels. */
typedef struct predictions {
    cli_glm_applied applied; /* with the intervals at the first level */
    cli_intervals levels;
    dlp_prediction *other[CLI_MOST_INTERVALS]; /* [0] is NULL */
} predictions;

static const char *interval_name(int i)
{
    static const char *const names[] = {"mean", "observation", NULL};
    return names[i];
}

/* ---- CSV ---- */

/* Ten digits: more than the precision of any prediction, and few enough to be the same on
   every machine. */
static void write_number(FILE *out, double x)
{
    fprintf(out, ",%.10g", x);
}

static void write_level_names(FILE *out, const char *before, const dlp_levels *levels)
{
    for (dlp_index k = 0; k < levels->n; k++) {
        fputc(',', out);
        cli_csv_text(out, before, levels->level[k]);
    }
}

/* The columns of the table that the groupings of a mixed model use, in the order of the
   groupings. They end each line, with their values copied from the table. */
typedef struct groupings {
    int n;
    dlp_index column[MOST_GROUPINGS];
} groupings;

static groupings find_groupings(const cli_glm_applied *a)
{
    groupings g = {.n = 0};
    dlp_index column;
    while (g.n < MOST_GROUPINGS &&
           (column = dlp_prediction_grouping(a->prediction, g.n)) >= 0)
        g.column[g.n++] = column;
    return g;
}

static void write_cell(FILE *out, const dlp_column *column, dlp_index row)
{
    fputc(',', out);
    if (column->kind == DLP_NUMERIC && !isnan(column->number[row]))
        fprintf(out, "%.10g", column->number[row]);
    else if (column->kind == DLP_CATEGORICAL && column->code[row] >= 0)
        cli_csv_text(out, "", column->level[column->code[row]]);
}

/* ",lower,upper"; with several levels, one such pair for each. */
static void write_interval_names(FILE *out, const char *before,
                                 const cli_intervals *levels)
{
    if (levels->n == 1) fprintf(out, ",%slower,%supper", before, before);
    for (int k = 0; levels->n > 1 && k < levels->n; k++)
        fprintf(out, ",%slower.%.4g,%supper.%.4g", before, levels->level[k], before,
                levels->level[k]);
}

static void write_header(FILE *out, const predictions *all, const groupings *g,
                         bool observed)
{
    const cli_glm_applied *a = &all->applied;
    const dlp_regression_result *fit = dlp_regression_result_of(a->fit);
    fputs("row", out);
    if (dlp_regression_is_grouped(fit)) fputs(",group", out);
    if (fit->family->support != DLP_SUPPORT_LEVELS) fputs(",eta,eta_sd", out);
    if (dlp_family_has_levels(fit->family)) {
        fputs(",level", out);
        write_level_names(out, "probability_", &fit->terms->response);
        write_level_names(out, "probability_averaged_", &fit->terms->response);
    } else {
        fputs(",mean,mean_averaged", out);
        write_interval_names(out, "", &all->levels);
    }
    if (observed) write_interval_names(out, "observed_", &all->levels);
    for (int i = 0; i < g->n; i++) {
        fputc(',', out);
        cli_csv_text(out, "", a->table->column[g->column[i]].name);
    }
    fputc('\n', out);
}

/* The row in the table, from 0. */
static dlp_index row_of(const dlp_prediction_result *p, dlp_index i)
{
    return p->row ? p->row[i] : i;
}

/* The group as named in the table, because the fit has no name for groups it did not
   see. */
static void write_group(FILE *out, const cli_glm_applied *a,
                        const dlp_prediction_result *p, dlp_index i)
{
    const dlp_terms *terms = dlp_regression_result_of(a->fit)->terms;
    const dlp_index j = dlp_table_find(a->table, terms->group.variable);
    const dlp_column *column = &a->table->column[j];
    fputc(',', out);
    if (p->group[i] >= 0)
        cli_csv_text(out, "", dlp_regression_group(a->fit, p->group[i]));
    else if (column->kind == DLP_CATEGORICAL)
        cli_csv_text(out, "", column->level[column->code[row_of(p, i)]]);
    else
        fprintf(out, "%.10g", column->number[row_of(p, i)]);
}

static void write_levels(FILE *out, const cli_glm_applied *a,
                         const dlp_prediction_result *p, dlp_index i)
{
    const dlp_levels *response = &dlp_regression_result_of(a->fit)->terms->response;
    const dlp_index K = response->n;
    fputc(',', out);
    cli_csv_text(out, "", response->level[dlp_prediction_level(a->prediction, i)]);
    for (dlp_index k = 0; k < K; k++) write_number(out, p->probability[i * K + k]);
    for (dlp_index k = 0; k < K; k++)
        write_number(out, p->probability_averaged[i * K + k]);
}

static void write_intervals(FILE *out, const predictions *all, dlp_index i, bool observed)
{
    for (int k = 0; k < all->levels.n; k++) {
        const dlp_prediction_result *p =
            dlp_prediction_result_of(k == 0 ? all->applied.prediction : all->other[k]);
        write_number(out, (observed ? p->observed_lower : p->lower)[i]);
        write_number(out, (observed ? p->observed_upper : p->upper)[i]);
    }
}

static void write_row(FILE *out, const predictions *all, const groupings *g,
                      const dlp_prediction_result *p, dlp_index i)
{
    const cli_glm_applied *a = &all->applied;
    fprintf(out, "%td", row_of(p, i) + 1);
    if (p->group) write_group(out, a, p, i);
    if (p->eta) write_number(out, p->eta[i]);
    if (p->eta_sd) write_number(out, p->eta_sd[i]);
    if (p->probability) {
        write_levels(out, a, p, i);
    } else {
        write_number(out, p->mean[i]);
        write_number(out, p->mean_averaged[i]);
        write_intervals(out, all, i, false);
    }
    if (p->observed_lower) write_intervals(out, all, i, true);
    for (int k = 0; k < g->n; k++)
        write_cell(out, &a->table->column[g->column[k]], row_of(p, i));
    fputc('\n', out);
}

static void write_rows(FILE *out, const predictions *all, const groupings *g)
{
    const dlp_prediction_result *p = dlp_prediction_result_of(all->applied.prediction);
    const dlp_index often = 1 << 12;
    cli_progress progress = {.began = cli_seconds()};
    for (dlp_index i = 0; i < p->N; i++) {
        write_row(out, all, g, p, i);
        if ((i + 1) % often == 0) cli_progress_count(&progress, i + 1, p->N, "rows");
    }
}

static dlp_status write_csv(const char *path, const predictions *all, dlp_error *error)
{
    const cli_glm_applied *a = &all->applied;
    char *text = NULL;
    size_t size = 0;
    FILE *out = dlpi_open_text(&text, &size);
    bool failed = !out;
    if (out) {
        cli_phase_begin("writing the predictions");
        const groupings g = find_groupings(a);
        write_header(out, all, &g,
                     dlp_prediction_result_of(a->prediction)->observed_lower != NULL);
        write_rows(out, all, &g);
        failed = !dlpi_close_text(out, &text);
        cli_phase_end();
    }
    const dlp_status status =
        failed ? dlp_fail(error, DLP_ENOMEM, "not enough memory for the predictions")
               : dlp_file_write(cli_output_path(path), text, size, error);
    free(text);
    return status;
}

/* ---- the command ---- */

/* Notes about rows, printed or left out, that cannot be seen in the table. If the table
   goes to standard output, the notes are printed separately. */
static void print_left_out(FILE *out, const dlp_prediction_result *p)
{
    if (p->new_group_rows)
        fprintf(out, "%td row%s of %td new group%s, predicted from the population.\n",
                p->new_group_rows, cli_plural(p->new_group_rows), p->new_groups,
                cli_plural(p->new_groups));
    if (p->dropped)
        fprintf(out, "%td row%s with missing values dropped.\n", p->dropped,
                cli_plural(p->dropped));
    if (p->unseen)
        fprintf(out, "%td row%s with unseen levels dropped.\n", p->unseen,
                cli_plural(p->unseen));
    fputs(cli_glm_independence(p), out);
    if (p->wide)
        fprintf(out,
                "The linear predictor of %td row%s has an sd above 2. The mean of its "
                "exponential,\n"
                "mean_averaged, then comes from the far tail, where the approximation is "
                "not\n"
                "reliable: use mean, which is the median, or a narrower prior.\n",
                p->wide, cli_plural(p->wide));
}

static dlp_status print_json(const predict_settings *s, const dlp_prediction_result *p,
                             dlp_error *error)
{
    json_t *summary = json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I}", "output", dlpi_json_text(s->output),
        "rows", (json_int_t)p->N, "dropped", (json_int_t)p->dropped, "unseen",
        (json_int_t)p->unseen, "new_groups", (json_int_t)p->new_groups, "new_group_rows",
        (json_int_t)p->new_group_rows, "wide", (json_int_t)p->wide);
    const dlp_status status = cli_json_print(summary, error);
    json_decref(summary);
    return status;
}

static dlp_status report(const predict_settings *s, const cli_glm_applied *applied,
                         dlp_error *error)
{
    const dlp_prediction_result *p = dlp_prediction_result_of(applied->prediction);
    const bool to_stdout = !strcmp(s->output, "-");
    if (s->json) return print_json(s, p, error);
    if (s->common.quiet) return DLP_OK;
    if (!to_stdout) printf("Predictions for %td row%s.\n", p->N, cli_plural(p->N));
    print_left_out(to_stdout ? stderr : stdout, p);
    if (!to_stdout) printf("Written to %s\n", s->output);
    return DLP_OK;
}

static dlp_status predict_all(const predict_settings *s, predictions *all,
                              dlp_error *error)
{
    const dlp_predict what = !strcmp(s->interval, "observation")
                                 ? DLP_PREDICT_OBSERVATIONS
                                 : DLP_PREDICT_MEANS;
    cli_glm_source source = s->source;
    source.interval_level = all->levels.level[0];
    CLI_TRY(cli_glm_apply(s->fit, &source, what, &all->applied, error));
    for (int k = 1; k < all->levels.n; k++) {
        cli_glm_applied again = all->applied;
        again.prediction = NULL;
        source.interval_level = all->levels.level[k];
        CLI_TRY(cli_glm_predict_table(&source, what, &again, error));
        all->other[k] = again.prediction;
    }
    return DLP_OK;
}

static int run(const void *settings)
{
    const predict_settings *s = settings;
    if (cli_check_json(cli_glm_predict_command.name, s->json, "--output", s->output))
        return CLI_MISUSE;
    predictions all = {.levels.n = 0};
    dlp_error error = {0};
    if (cli_intervals_read(cli_glm_predict_command.name, s->level, &all.levels))
        return CLI_MISUSE;
    dlp_status status = dlp_file_try(cli_output_path(s->output), &error);
    if (status == DLP_OK) status = predict_all(s, &all, &error);
    if (status == DLP_OK) status = write_csv(s->output, &all, &error);
    if (status == DLP_OK) status = report(s, &all.applied, &error);
    for (int k = 1; k < all.levels.n; k++) dlp_prediction_free(all.other[k]);
    cli_glm_applied_clear(&all.applied);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(offsetof(predict_settings, fit)),
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_GLM_SOURCE_OPTIONS(predict_settings),
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "OUT.csv",
     .offset = offsetof(predict_settings, output),
     .required = true,
     .help = "Where the predictions go: written whole or not at all. - is standard "
             "output, without the summary."},
    {.name = "interval",
     .type = CLI_CHOICE,
     .value = "OF",
     .offset = offsetof(predict_settings, interval),
     .choices = interval_name,
     .initial = "mean",
     .help = "What the intervals cover: only the mean response (lower, upper), or a "
             "new observation as well (observed_lower, observed_upper)."},
    CLI_LEVEL(offsetof(predict_settings, level)),
    CLI_JSON_SUMMARY(offsetof(predict_settings, json)),
    {.name = NULL},
};

const cli_command cli_glm_predict_command = {
    .name = "glm predict",
    .summary = "predict the responses of new rows",
    .description =
        "Writes a CSV file with one line per row of the table: its number, the linear "
        "predictor eta and its sd, the mean response at the posterior mean (mean) and "
        "averaged over the posterior (mean_averaged), and the limits of its 95 % "
        "interval (lower, upper), which is for the mean, not for a single response. For "
        "a binomial response the mean is the probability.\n\n--interval observation adds "
        "the interval in which a new response lies with 95 % probability. It includes "
        "the uncertainty of the coefficients and of the scale, and the scatter of "
        "responses around their mean. Its limits are whole numbers for counts; for a "
        "binomial regression they are successes out of the row's trials, so the table "
        "needs the columns of cbind(). A new response has weight 1, whatever the weights "
        "of the fit.\n\nFor multinomial and ordinal regressions the file has the most "
        "probable level and the probability of each, at the posterior mean and "
        "averaged.\n\nFor a mixed model, the grouping columns come last, if the table "
        "has them; with --effects none or new they are not needed.\n\nRows with missing "
        "values are dropped and counted.",
    .example = "  delaplace glm predict fit.json --data new.csv -o predictions.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(predict_settings),
    .run = run,
};
