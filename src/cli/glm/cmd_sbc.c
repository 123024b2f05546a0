/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm sbc: simulation-based calibration of a model. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/csv.h"
#include "cli/glm/look.h"
#include "cli/print.h"
#include "io/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_WIDTH = 24 };

/* ---- text ---- */

static void print_text(const cli_look *s, const void *found)
{
    const dlp_sbc *c = found;
    (void)s;
    printf("  %td fits to responses drawn from the prior", c->replicates);
    if (c->failed) printf("; %td could not be fitted", c->failed);
    printf("\n\n  %-*s %9s  %9s  %7s  %7s   %s\n", NAME_WIDTH, "", "mean of z", "sd of z",
           "covered", "p", "ranks even?");
    for (dlp_index j = 0; j < c->n; j++) {
        const dlp_sbc_parameter *q = &c->parameter[j];
        fputs("  ", stdout);
        cli_print_name(q->name, NAME_WIDTH);
        printf(" %9.2f  %9.2f  %7.3f  %7.2g   %s\n", q->mean_z, q->sd_z, q->covered, q->p,
               q->even ? "yes" : "no");
    }
    printf(
        "\n  z: where the drawn parameter lies in its posterior; 0 and 1 are right.\n"
        "  covered: the share within 95 %% intervals; by chance %.3f to %.3f.\n",
        c->covered_lower, c->covered_upper);
}

/* ---- CSV and JSON ---- */

static void write_csv(FILE *out, const void *what)
{
    const dlp_sbc *c = what;
    fputs("replicate,parameter,drawn,rank\n", out);
    for (dlp_index r = 0; r < c->replicates; r++)
        for (dlp_index j = 0; j < c->n; j++) {
            const dlp_sbc_parameter *q = &c->parameter[j];
            fprintf(out, "%td,", r + 1);
            cli_csv_text(out, "", q->name);
            fprintf(out, ",%.10g,", q->drawn[r]);
            if (!isnan(q->rank[r])) fprintf(out, "%.10g", q->rank[r]);
            fputc('\n', out);
        }
}

static json_t *count_json(const void *of, dlp_index b)
{
    return json_integer((json_int_t)((const dlp_index *)of)[b]);
}

typedef struct listed {
    const dlp_sbc *of;
} listed;

static json_t *parameter_json(const void *of, dlp_index j)
{
    const dlp_sbc *c = ((const listed *)of)->of;
    const dlp_sbc_parameter *q = &c->parameter[j];
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:b, s:I, s:o}", "name", dlpi_json_text(q->name),
        "mean_z", dlpi_json_real(q->mean_z), "sd_z", dlpi_json_real(q->sd_z), "covered",
        dlpi_json_real(q->covered), "p", dlpi_json_real(q->p), "even", q->even, "outside",
        (json_int_t)q->outside, "counts", dlpi_json_list(c->bins, count_json, q->count));
}

static json_t *to_json(const void *found)
{
    const dlp_sbc *c = found;
    const listed of = {c};
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "replicates",
                     (json_int_t)c->replicates, "failed", (json_int_t)c->failed, "bins",
                     (json_int_t)c->bins, "lower", (json_int_t)c->lower, "upper",
                     (json_int_t)c->upper, "covered_lower",
                     dlpi_json_real(c->covered_lower), "covered_upper",
                     dlpi_json_real(c->covered_upper), "parameters",
                     dlpi_json_list(c->n, parameter_json, &of));
}

/* ---- SVG ---- */

/* Draws counts as steps, over the band that contains 99 % of them. */
static void add_histogram(cli_charts *charts, const dlp_sbc *c,
                          const dlp_sbc_parameter *q)
{
    const size_t n = 2 * (size_t)c->bins;
    if (!cli_charts_begin(charts, q->name, "rank", "fits")) return;
    double *x = cli_charts_take(charts, 5 * n);
    if (charts->failed) return;
    for (size_t k = 0; k < n; k++) {
        const size_t bin = k / 2, edge = (k + 1) / 2;
        x[k] = (double)edge / (double)c->bins;
        x[n + k] = (double)q->count[bin];
        x[2 * n + k] = (double)c->lower;
        x[3 * n + k] = (double)c->upper;
        x[4 * n + k] = c->expected;
    }
    cli_charts_band(charts, n, x, false);
}

static void draw(const dlp_regression *fit, const void *found, cli_charts *charts)
{
    const dlp_sbc *c = found;
    (void)fit;
    for (dlp_index j = 0; j < c->n; j++) add_histogram(charts, c, &c->parameter[j]);
}

/* ---- the whole ---- */

static dlp_status find(const cli_look *s, const cli_glm_applied *a,
                       dlp_design_problem *problem, cli_progress *progress, void **found,
                       dlp_error *error)
{
    dlp_sbc_settings settings = dlp_sbc_settings_default();
    dlp_sbc *c = NULL;
    settings.replicates = s->replicates;
    settings.bins = s->bins;
    settings.seed = (unsigned long)s->seed;
    settings.threads = (int)s->threads;
    settings.problem = problem;
    settings.progress = cli_progress_call;
    settings.context = progress;
    const dlp_status status = dlp_regression_sbc(a->fit, a->table, &settings, &c, error);
    *found = c;
    return status;
}

static void free_found(void *found)
{
    dlp_sbc_free(found);
}

static int run(const void *settings)
{
    const cli_look_job job = {
        .name = cli_glm_sbc_command.name,
        .phase = "calibrating",
        .find = find,
        .free = free_found,
        .csv = write_csv,
        .json = to_json,
        .text = print_text,
        .draw = draw,
        .title = "Simulation-based calibration",
        .caption =
            "How often the drawn parameter falls at each share of its posterior: equally "
            "often if posteriors are right. Grey, where 99 % of the counts should be."};
    return cli_look_run(&job, settings);
}

static void defaults(void *settings)
{
    cli_look *s = settings;
    const dlp_sbc_settings library = dlp_sbc_settings_default();
    s->replicates = library.replicates;
    s->seed = (dlp_index)library.seed;
    s->bins = library.bins;
}

/* ---- the tables ---- */

#define FIELD(name) offsetof(cli_look, name)

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(FIELD(fit)),
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "data",
     .letter = 'd',
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(source.path),
     .required = true,
     .help = "The table whose rows get responses; - is standard input."},
    CLI_TABLE_FORMAT(FIELD(source.format)),
    CLI_TABLE_ENCODING(FIELD(source.encoding)),
    {.name = "replicates",
     .letter = 'n',
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(replicates),
     .of_library = true,
     .min = 20,
     .max = 1e6,
     .help = "How many tables to draw and fit."},
    {.name = "bins",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(bins),
     .of_library = true,
     .min = 2,
     .max = 1e5,
     .help = "How many bins the ranks are counted in; at most a quarter of "
             "the replicates."},
    CLI_SEED(FIELD(seed), "parameters and responses"),
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(output),
     .help = "Write every rank to this file, one per line. - is standard "
             "output, without the text."},
    CLI_SVG(FIELD(svg), "a histogram of each parameter's ranks"),
    CLI_THREADS(FIELD(threads)),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_glm_sbc_command = {
    .name = "glm sbc",
    .summary = "check by simulation that a model's posteriors are right",
    .description =
        "Simulation-based calibration. Again and again, parameters are "
        "drawn from the fit's prior, responses for the rows of the table "
        "are drawn given these, and the model is fitted to them. The rank "
        "of each parameter is the share of its posterior that lies below "
        "the true value; if the posteriors are right, ranks are uniform. A "
        "mean of z above 0 says that posteriors are too low, an sd above 1 "
        "that they are too narrow.\n\nThe prior must be one you believe: "
        "state it at the fit, with --prior-sd and --prior. A default prior "
        "is so wide that most responses drawn from it are unrealistic. This "
        "works for regressions without groups and for mixed models without "
        "processes; a mixed model of an ordinal or multinomial response is "
        "refused.",
    .example =
        "  delaplace glm sbc fit.json --data data/challenger.csv --svg ranks.svg\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(cli_look),
    .defaults = defaults,
    .run = run,
};
