/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm evaluate: how well a fitted regression predicts rows whose response is
   known. */
#include "cli/common_options.h"
#include "cli/glm/calibration.h"
#include "cli/json.h"
#include "cli/nouns.h"
#include "cli/report.h"
#include "cli/say.h"

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

/* NaN: not of this family. */
typedef struct evaluation {
    double accuracy;
    double log_likelihood;
    double log_likelihood_averaged;
    double rmse, mae;
} evaluation;

/* All means are over the rows by their weights. */
static double mean_of(const dlp_glm_data *d, const double *x)
{
    double sum = 0;
    for (dlp_index i = 0; i < d->N; i++) /* of weight 0, x may be -infinity */
        if (cli_glm_weight(d, i) > 0) sum += cli_glm_weight(d, i) * x[i];
    return sum / cli_glm_total_weight(d);
}

static double share_right(const cli_glm_applied *a)
{
    const dlp_glm_data *d = &a->rows.data;
    const dlp_glm_prediction *out = &a->scores.out;
    double right = 0;
    for (dlp_index i = 0; i < d->N; i++) {
        const dlp_index said =
            out->probability
                ? cli_glm_best_level(d->levels, out->probability + i * d->levels)
                : out->mean[i] > 0.5;
        if ((double)said == d->y[i]) right += cli_glm_weight(d, i);
    }
    return right / cli_glm_total_weight(d);
}

/* Of binomial counts, not proportions. */
static void measure_errors(const cli_glm_applied *a, evaluation *e)
{
    const dlp_glm_data *d = &a->rows.data;
    const double N = cli_glm_total_weight(d);
    double squares = 0, sizes = 0;
    for (dlp_index i = 0; i < d->N; i++) {
        const double expected = a->scores.out.mean[i] * (d->trials ? d->trials[i] : 1);
        const double w = cli_glm_weight(d, i), off = d->y[i] - expected;
        squares += w * off * off;
        sizes += w * fabs(off);
    }
    e->rmse = sqrt(squares / N);
    e->mae = sizes / N;
}

static evaluation evaluate(const cli_glm_applied *a)
{
    const dlp_glm_prediction *out = &a->scores.out;
    const dlp_glm_data *d = &a->rows.data;
    evaluation e = {.accuracy = NAN,
                    .log_likelihood = mean_of(d, out->log_density),
                    .log_likelihood_averaged = mean_of(d, out->log_density_averaged),
                    .rmse = NAN,
                    .mae = NAN};
    if (out->probability || !strcmp(a->fit.family, "bernoulli"))
        e.accuracy = share_right(a);
    else
        measure_errors(a, &e);
    return e;
}

/* ---- reports ---- */

static int add_weights(const cli_glm_rows *rows, json_t *root)
{
    json_t *weights = rows->weights ? cli_json_text(rows->weights) : json_null();
    int failed = json_object_set_new(root, "weights", weights);
    if (rows->weights)
        failed |= json_object_set_new(root, "total_weight",
                                      cli_json_real(cli_glm_total_weight(&rows->data)));
    return failed;
}

static dlp_status print_json(const evaluation *e, const cli_glm_rows *rows,
                             const cli_glm_new *new, dlp_error *error)
{
    const dlp_design *design = rows->design;
    json_t *root = json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "rows", (json_int_t)design->N, "dropped",
        (json_int_t)design->dropped, "unseen", (json_int_t)design->unseen, "new_groups",
        (json_int_t) new->groups, "new_group_rows", (json_int_t) new->rows,
        "log_likelihood", cli_json_real(e->log_likelihood), "log_likelihood_averaged",
        cli_json_real(e->log_likelihood_averaged));
    int failed = root ? add_weights(rows, root) : -1;
    if (!isnan(e->accuracy)) {
        failed |= json_object_set_new(root, "accuracy", cli_json_real(e->accuracy));
    } else {
        failed |= json_object_set_new(root, "rmse", cli_json_real(e->rmse));
        failed |= json_object_set_new(root, "mae", cli_json_real(e->mae));
    }
    if (failed) {
        json_decref(root);
        root = NULL;
    }
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}

/* Where nobody typed them: that they are the fit's, or are not there. */
static void print_weights(const evaluate_settings *s, const cli_glm_applied *a)
{
    const char *used = a->rows.weights, *name = used ? used : a->fit.weights;
    if (!name || s->source.unweighted) return;
    fputs("  weights         '", stdout);
    cli_print_name(name, 0);
    if (used) printf("', %.10g in all", cli_glm_total_weight(&a->rows.data));
    if (!used)
        puts("' of the fit is not in the table: each row counts once");
    else
        puts(s->source.weights ? "" : ", as at the fit (--no-weights leaves them out)");
}

static void print_text(const evaluate_settings *s, const evaluation *e,
                       const cli_glm_applied *a, const cli_glm_new *new)
{
    const dlp_design *design = a->rows.design;
    const char *unit = a->rows.weights ? "unit of weight" : "row";
    printf("  rows            %td", design->N);
    if (design->dropped) printf(" (%td with missing values left out)", design->dropped);
    if (design->unseen) printf(" (%td with unseen levels left out)", design->unseen);
    putchar('\n');
    if (new->rows)
        printf("  new groups      %td, with %td row%s, by the population\n", new->groups,
               new->rows, cli_plural(new->rows));
    print_weights(s, a);
    if (!isnan(e->accuracy)) {
        printf("  accuracy        %.4f\n", e->accuracy);
    } else {
        printf("  rmse            %.6g\n", e->rmse);
        printf("  mae             %.6g\n", e->mae);
    }
    printf("  log likelihood  %.4f per %s, at the posterior mean\n", e->log_likelihood,
           unit);
    printf("                  %.4f per %s, averaged over the posterior\n",
           e->log_likelihood_averaged, unit);
}

static dlp_status draw(const evaluate_settings *s, const cli_glm_applied *applied,
                       dlp_error *error)
{
    cli_calibration calibration;
    if (!s->svg) return DLP_OK;
    CLI_TRY(cli_calibrate(applied, &calibration, error));
    const dlp_status status = cli_calibration_write_svg(&applied->fit, &calibration,
                                                        cli_output_path(s->svg), error);
    cli_calibration_clear(&calibration);
    return status;
}

static dlp_status report(const evaluate_settings *s, const cli_glm_applied *applied,
                         dlp_error *error)
{
    const evaluation e = evaluate(applied);
    cli_glm_new new;
    CLI_TRY(cli_glm_new_groups(&applied->rows, &applied->fit, &new, error));
    CLI_TRY(draw(s, applied, error));
    if (cli_is_stdout(s->svg)) return DLP_OK;
    if (s->json) return print_json(&e, &applied->rows, &new, error);
    print_text(s, &e, applied, &new);
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
                          "--weights and --no-weights exclude each other");
    if (cli_check_json(cli_glm_evaluate_command.name, s->json, "--svg", s->svg))
        return CLI_MISUSE;
    cli_glm_applied applied = {.scores.memory = NULL};
    dlp_error error = {""};
    dlp_status status = cli_try_output(s->svg, &error);
    if (status == DLP_OK)
        status = cli_glm_apply(s->fit, &s->source, CLI_WANT_SCORES, &applied, &error);
    if (status == DLP_OK) status = report(s, &applied, &error);
    cli_glm_applied_clear(&applied);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

/* ---- the tables ---- */

static const cli_operand operands[] = {
    {.name = "FIT.json",
     .offset = offsetof(evaluate_settings, fit),
     .path = true,
     .help = "The result of 'delaplace glm fit'; - is standard input."},
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_GLM_SOURCE_OPTIONS(evaluate_settings),
    {.name = "weights",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = offsetof(evaluate_settings, source.weights),
     .help = "The column of weights: a row of weight 3 counts as three rows. Without it: "
             "that of the fit, where it had one and the table has it."},
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
        "Compares the predictions of a fit with the responses of a table, which should "
        "be "
        "other rows than those fitted.\n\n"
        "The log likelihood is that of the response, in the mean of the rows (by their "
        "weights, per unit of weight), at the "
        "posterior mean of the coefficients, as in the paper, and averaged over their "
        "posterior. For bernoulli, multinomial and ordinal regressions the accuracy is "
        "the share of rows whose most probable level is the right one; for the others "
        "rmse and mae measure the distance of the response from its predicted mean.",
    .example = "  delaplace glm evaluate fit.json --data test.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(evaluate_settings),
    .run = run,
};
