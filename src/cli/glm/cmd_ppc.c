/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm ppc: responses simulated from the fit, beside the observed ones. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/glm/look.h"
#include "cli/print.h"

#include <stdio.h>

enum { MOST_COLUMNS = 12, NAME_WIDTH = 18 };

/* ---- text ---- */

static void print_statistics(const dlp_replicates *r)
{
    if (r->n_statistics == 0) return;
    printf("\n  %-*s %10s  %10s  %10s  %10s   %s\n", NAME_WIDTH, "", "observed", "median",
           "2.5 %", "97.5 %", "share above");
    for (dlp_index k = 0; k < r->n_statistics; k++) {
        const dlp_replicated *s = &r->statistic[k];
        printf("  %-*s %10.4g  %10.4g  %10.4g  %10.4g   %.3f%s\n", NAME_WIDTH, s->name,
               s->observed, s->median, s->lower, s->upper, s->share, s->odd ? "  !" : "");
    }
}

static void print_bins(const dlp_replicates *r)
{
    printf("\n  %-*s %10s  %10s  %10s  %10s\n", NAME_WIDTH, "share of rows", "observed",
           "median", "2.5 %", "97.5 %");
    for (dlp_index b = 0; b < r->n_bins; b++) {
        const dlp_replicated_bin *x = &r->bin[b];
        fputs("  ", stdout);
        cli_print_name(x->label, NAME_WIDTH);
        printf(" %10.4f  %10.4f  %10.4f  %10.4f%s\n", x->observed, x->median, x->lower,
               x->upper, x->odd ? "  !" : "");
    }
}

static void print_columns(const dlp_replicates *r)
{
    if (r->n_by == 0) return;
    printf("\n  %-*s %5s  %s\n", NAME_WIDTH, "means by", "parts",
           "whose mean is outside of the middle 95 %");
    for (dlp_index k = 0; k < r->n_by && k < MOST_COLUMNS; k++) {
        const dlp_look_by *by = &r->by[k];
        fputs("  ", stdout);
        cli_print_name(by->name, NAME_WIDTH);
        printf(" %5td  %td; %.1f expected\n", by->n, by->outside, by->outside_expected);
    }
    if (r->n_by > MOST_COLUMNS)
        printf("  and %td more; -o or --json lists all\n", r->n_by - MOST_COLUMNS);
}

static void print_text(const cli_look *s, const void *found)
{
    const dlp_replicates *r = found;
    (void)s;
    printf("  rows        %td", r->N);
    if (r->dropped) printf(" (%td with missing values dropped)", r->dropped);
    printf("\n  replicates  %td tables of responses, drawn from the fit\n", r->draws);
    print_statistics(r);
    print_bins(r);
    print_columns(r);
}

/* ---- the whole ---- */

static dlp_status find(const cli_look *s, const cli_glm_applied *a,
                       dlp_design_problem *problem, cli_progress *progress, void **found,
                       dlp_error *error)
{
    const dlp_look_settings settings = cli_look_settings(s, problem, progress);
    dlp_replicates *r = NULL;
    const dlp_status status =
        dlp_regression_replicate(a->fit, a->table, &settings, &r, error);
    *found = r;
    return status;
}

static void free_found(void *found)
{
    dlp_replicates_free(found);
}

static int run(const void *settings)
{
    const cli_look_job job = {.name = cli_glm_ppc_command.name,
                              .phase = "drawing",
                              .missing = "fill them in, or drop such rows",
                              .find = find,
                              .free = free_found,
                              .csv = cli_ppc_csv,
                              .json = cli_ppc_json,
                              .text = print_text,
                              .draw = cli_ppc_draw,
                              .title = "Posterior predictive checks",
                              .caption =
                                  "Marked, what was observed; grey, the median and the "
                                  "middle 95 % of responses "
                                  "that were drawn from the fit for the same rows."};
    return cli_look_run(&job, settings);
}

static void defaults(void *settings)
{
    cli_look *s = settings;
    const dlp_look_settings library = dlp_look_settings_default();
    s->draws = library.draws;
    s->seed = (dlp_index)library.seed;
}

/* ---- the tables ---- */

#define FIELD(name) offsetof(cli_look, name)

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(FIELD(fit)),
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_GLM_FITTED_DATA(FIELD(source.path)),
    CLI_TABLE_FORMAT(FIELD(source.format)),
    CLI_TABLE_ENCODING(FIELD(source.encoding)),
    {.name = "by",
     .type = CLI_LIST,
     .value = "COLUMN",
     .offset = FIELD(by),
     .help = "Also compare the means by this column of the table, which need "
             "not be in the formula."},
    {.name = "draws",
     .letter = 'n',
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(draws),
     .of_library = true,
     .min = 20,
     .max = 1e6,
     .help = "How many tables of responses to draw."},
    CLI_SEED(FIELD(seed), "the draws"),
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(output),
     .help = "Write all numbers to this file, one per line. - is standard "
             "output, without the text."},
    CLI_SVG(FIELD(svg), "how observed and drawn responses are distributed"),
    CLI_THREADS(FIELD(threads)),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_glm_ppc_command = {
    .name = "glm ppc",
    .summary = "compare observed responses with responses simulated from a fit",
    .description =
        "Posterior predictive checks. For the rows of the table, responses "
        "are drawn from the fit again and again, each time with other "
        "parameters from its posterior; rows keep the effects of their "
        "groups. Mean, sd, zeros, the smallest and the largest, how "
        "responses are distributed, and their means by columns and groups "
        "are then compared with those observed. What lies outside the "
        "middle 95 % of the draws is marked with !.",
    .example =
        "  delaplace glm ppc fit.json --data data/challenger.csv\n"
        "  delaplace glm ppc fit.json --data data.csv --by temperature --svg ppc.svg\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(cli_look),
    .defaults = defaults,
    .run = run,
};
