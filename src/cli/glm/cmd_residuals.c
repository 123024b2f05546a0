/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm residuals: where each response lies in the distribution that the fit
   predicts for its row. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/glm/look.h"
#include "cli/message.h"
#include "cli/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 12, NAME_WIDTH = 18 };

/* ---- text ---- */

static void print_whole(const dlp_residuals *r)
{
    printf("  rows        %td%s", r->N,
           r->left_out ? ", each predicted without itself" : ", taken as new ones");
    if (r->dropped) printf(" (%td with missing values dropped)", r->dropped);
    putchar('\n');
    if (r->kept)
        printf(
            "              %td cannot be left out and are predicted by the whole fit\n",
            r->kept);
    printf("  residuals   mean %.3f, sd %.3f; 0 and 1 if the model is right\n", r->mean,
           r->sd);
    if (isnan(r->ks_p))
        puts("  uniform?    cannot be tested with --middle and discrete responses");
    else
        printf("  uniform?    %s: p = %.3g (Kolmogorov-Smirnov, D = %.3f)\n",
               r->uniform ? "as it should be" : "no", r->ks_p, r->ks);
    printf("  beyond 3    %td row%s; %.1f expected\n", r->beyond, cli_plural(r->beyond),
           r->beyond_expected);
}

/* The fitted values are told apart from a column that is called as they are. */
static const char *name_of(const dlp_residuals *r, const dlp_look_by *by)
{
    for (dlp_index k = 0; by->is_fitted && k < r->n_by; k++)
        if (&r->by[k] != by && !strcmp(r->by[k].name, by->name)) return "fitted (value)";
    return by->name;
}

static void print_by(const dlp_residuals *r, const dlp_look_by *by)
{
    const dlp_look_part *worst = &by->part[by->worst];
    fputs("  ", stdout);
    cli_print_name(name_of(r, by), NAME_WIDTH);
    printf(" %5td  %7td  %8.3g   %+.2f in ", by->n, by->outside, by->p, worst->mean);
    cli_print_name(worst->label, 0);
    putchar('\n');
}

static void print_columns(const dlp_residuals *r)
{
    printf("\n  %-*s %5s  %7s  %8s   %s\n", NAME_WIDTH, "by", "parts", "outside", "p",
           "the mean that is farthest from 0");
    for (dlp_index k = 0; k < r->n_by && k < MOST_COLUMNS; k++) print_by(r, &r->by[k]);
    if (r->n_by > MOST_COLUMNS)
        printf("  and %td more; -o or --json lists all\n", r->n_by - MOST_COLUMNS);
}

static void print_row(const dlp_residuals *r, dlp_index i)
{
    printf("  %6td", (r->row ? r->row[i] : i) + 1);
    if (isnan(r->response[i])) /* a row with zero trials */
        printf("  %10s", "");
    else
        printf("  %10.4g", r->response[i]);
    printf("  %10.4g  %8.2f  %8.3f", r->fitted[i], r->residual[i], r->leverage[i]);
    if (r->k) printf("  %6.2f  %8.3f", r->k[i], r->elpd[i]);
    putchar('\n');
}

/* The rows with the largest residuals, or with the largest k. */
static void print_rows(const cli_look *s, const dlp_residuals *r)
{
    dlp_index *order = calloc((size_t)r->N + 1, sizeof *order);
    if (!order || dlp_residuals_order(r, order, NULL) != DLP_OK) {
        cli_output_is_short();
        free(order);
        return;
    }
    printf("\n  %6s  %10s  %10s  %8s  %8s", "row", "response", "fitted", "residual",
           "leverage");
    puts(r->k ? "       k      elpd" : "");
    for (dlp_index i = 0; i < r->N && i < s->top; i++) print_row(r, order[i]);
    free(order);
}

/* ---- the whole ---- */

dlp_look_settings cli_look_settings(const cli_look *s, dlp_design_problem *problem,
                                    cli_progress *progress)
{
    dlp_look_settings settings = dlp_look_settings_default();
    settings.seed = (unsigned long)s->seed;
    settings.as_new = s->as_new;
    settings.middle = s->middle;
    settings.influence = s->influence;
    settings.n_by = s->by.n;
    settings.by = s->by.item;
    settings.threads = (int)s->threads;
    if (s->draws) settings.draws = s->draws;
    settings.problem = problem;
    settings.progress = cli_progress_call;
    settings.context = progress;
    return settings;
}

static dlp_status find(const cli_look *s, const cli_glm_applied *a,
                       dlp_design_problem *problem, cli_progress *progress, void **found,
                       dlp_error *error)
{
    const dlp_look_settings settings = cli_look_settings(s, problem, progress);
    dlp_residuals *r = NULL;
    const dlp_status status =
        dlp_regression_residuals(a->fit, a->table, &settings, &r, error);
    *found = r;
    return status;
}

static void free_found(void *found)
{
    dlp_residuals_free(found);
}

static void print_text(const cli_look *s, const void *found)
{
    const dlp_residuals *r = found;
    print_whole(r);
    print_columns(r);
    print_rows(s, r);
}

static int run(const void *settings)
{
    const cli_look *s = settings;
    const cli_look_job job = {
        .name = cli_glm_residuals_command.name,
        .phase = "looking at rows",
        .find = find,
        .free = free_found,
        .csv = cli_residuals_csv,
        .json = cli_residuals_json,
        .text = print_text,
        .draw = cli_residuals_draw,
        .title = "Residuals",
        .caption =
            "Quantile residuals, standard normal if the model is right. By column: means "
            "of parts of the rows, and the band that contains 95 % of such means."};
    if (s->as_new && s->influence)
        return cli_misuse(job.name,
                          "--influence is for rows that were fitted; remove --as-new");
    return cli_look_run(&job, s);
}

/* ---- the tables ---- */

#define FIELD(name) offsetof(cli_look, name)

static const cli_operand operands[] = {
    CLI_GLM_FIT_OPERAND(FIELD(fit)),
    {.name = NULL},
};

static void defaults(void *settings)
{
    cli_look *s = settings;
    s->seed = (dlp_index)dlp_look_settings_default().seed;
}

static const cli_option options[] = {
    CLI_GLM_FITTED_DATA(FIELD(source.path)),
    CLI_TABLE_FORMAT(FIELD(source.format)),
    CLI_TABLE_ENCODING(FIELD(source.encoding)),
    {.name = "by",
     .type = CLI_LIST,
     .value = "COLUMN",
     .offset = FIELD(by),
     .help = "Also group residuals by this column of the table, which need not "
             "be in the formula."},
    {.name = "influence",
     .offset = FIELD(influence),
     .help = "Show how much the fit depends on each row: k of its importance "
             "weights, which cannot be relied on above 0.7, and elpd, the row's "
             "log density when it is left out."},
    {.name = "middle",
     .offset = FIELD(middle),
     .help = "For discrete responses, take the middle of the range of "
             "probabilities (mid-p) and not a random point in it."},
    {.name = "as-new",
     .offset = FIELD(as_new),
     .help = "Leave no row out when it is predicted: for a table that was not fitted, or "
             "for residuals as in R's statmod."},
    {.name = "top",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(top),
     .initial = "5",
     .max = 1000000,
     .help = "How many rows to show: those with the largest residuals or, with "
             "--influence, the largest k."},
    CLI_SEED(FIELD(seed), "the random points of discrete responses"),
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(output),
     .help = "Write one line for each row to this file. - is standard output, "
             "without the text."},
    CLI_SVG(FIELD(svg), "residuals by fitted value, columns and groups, and leverage"),
    CLI_THREADS(FIELD(threads)),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_glm_residuals_command = {
    .name = "glm residuals",
    .summary = "show what a fitted regression leaves unexplained",
    .description =
        "Quantile residuals of each row: the predictive probability of a "
        "smaller response, as a normal quantile. If the model is right "
        "they are standard normal, for every family, with groups and "
        "random effects too. Each row is predicted without itself, by "
        "taking its own contribution out of the posterior; for a linear "
        "regression with a flat prior this is R's rstudent(). For a "
        "discrete or censored response a random point is taken in the "
        "range of probabilities that it covers.\n\nRows are divided into "
        "parts by fitted value, by each column and by groups. In each part "
        "the residuals should have mean 0: 'outside' counts the parts whose "
        "mean is farther from 0 than 95 % of such means would be if the "
        "model were right, and p tests all parts of a column at once. "
        "Leverage is the share of what is known about a "
        "row's mean that comes from the row itself.",
    .example =
        "  delaplace glm residuals fit.json --data data/challenger.csv\n"
        "  delaplace glm residuals fit.json --data data.csv --by temperature \\\n"
        "      --svg look.svg\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(cli_look),
    .defaults = defaults,
    .run = run,
};
