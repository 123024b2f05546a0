/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm fit: a regression from a formula and a table. */
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/glm/reference.h"
#include "cli/glm/source.h"
#include "cli/glm/view.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/progress.h"
#include "cli/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fit_settings {
    cli_common common;
    const char *formula;
    const char *data, *format;
    const char *missing; /* one of cli_table_missing */
    const char *output;
    const char *family, *link;
    const char *levels;     /* "low,middle,high" */
    const char *references; /* as reference.h has them */
    const char *group, *weights;
    const char *groups; /* how: one of groups_name */
    const char *method;
    double prior_sd, prior_df, intercept_sd;
    const char *prior_file, *prior_covariance;
    const char *hyperprior, *sigma0_update, *scale;
    double nu, phi0, phi1;
    double tol;
    dlp_index max_iter;
    dlp_index threads;
    bool json;
} fit_settings;

enum { SUMMARY_ROWS = 25 }; /* of the table that a fit prints */

/* All that a run allocates; free_work takes it half built, too. */
typedef struct work {
    dlp_table *table, *prior, *prior_covariance;
    cli_glm_levels levels;
    cli_glm_references references;
    dlp_regression *fit;
} work;

static void free_work(work *w)
{
    dlp_regression_free(w->fit);
    cli_glm_references_clear(&w->references);
    cli_glm_levels_clear(&w->levels);
    dlp_table_free(w->prior_covariance);
    dlp_table_free(w->prior);
    dlp_table_free(w->table);
}

/* ---- words for choices ---- */

static const char *groups_name(int i)
{
    return i + 1 < DLP_UNGROUPED ? dlp_grouping_name(i + 1) : NULL; /* those to ask for */
}

static const char *family_name(int i)
{
    return dlp_family_at(i) ? dlp_family_at(i)->name : NULL;
}

/* Whether the pair (family, its k-th link) is the first to have that link. */
static bool is_first(int family, int k)
{
    const char *link = dlp_family_at(family)->link[k];
    for (int f = 0; f < family; f++)
        for (int i = 0; dlp_family_at(f)->link[i]; i++)
            if (!strcmp(dlp_family_at(f)->link[i], link)) return false;
    return true;
}

/* The links of all families, each once. */
static const char *link_name(int i)
{
    for (int f = 0; dlp_family_at(f); f++)
        for (int k = 0; dlp_family_at(f)->link[k]; k++)
            if (is_first(f, k) && i-- == 0) return dlp_family_at(f)->link[k];
    return NULL;
}

static const char *hyperprior_name(int i)
{
    static const char *const names[] = {"weak", "paper", NULL};
    return names[i];
}

static const char *sigma0_update_name(int i)
{
    static const char *const names[] = {"corrected", "paper", NULL};
    return names[i];
}

static const char *scale_name(int i)
{
    static const char *const names[] = {"shared", "by-group", NULL};
    return names[i];
}

static bool is(const char *typed, const char *word)
{
    return typed && !strcmp(typed, word);
}

/* ---- what is asked for ---- */

static dlp_grouping grouping_of(const fit_settings *s)
{
    int i = DLP_HIERARCHICAL;
    while (s->groups && strcmp(dlp_grouping_name(i), s->groups) != 0) i++;
    return (dlp_grouping)i;
}

static int check_prior_options(const fit_settings *s, bool hierarchy)
{
    const char *name = cli_glm_fit_command.name;
    const bool sds = s->prior_sd != 0 || s->prior_df != 0 || s->intercept_sd != 0;
    if (hierarchy && (sds || s->prior_file || s->prior_covariance))
        return cli_misuse(name,
                          "--prior-sd, --prior-df, --intercept-sd, --prior-file and "
                          "--prior-covariance do not apply to a hierarchical fit, which "
                          "learns the prior from the groups; see --hyperprior");
    if (s->prior_covariance && sds)
        return cli_misuse(name,
                          "--prior-covariance states all of the prior but its means: "
                          "remove --prior-sd, --prior-df and --intercept-sd");
    return CLI_DONE;
}

/* Options that would be ignored are misuse: whoever types them expects something. */
static int check_options(const fit_settings *s, bool grouped)
{
    const char *name = cli_glm_fit_command.name;
    const bool hierarchy = grouped && grouping_of(s) == DLP_HIERARCHICAL;
    const bool shared = s->hyperprior || s->nu != 0 || s->phi0 != 0 || s->phi1 != 0 ||
                        s->sigma0_update || s->scale;
    if (cli_check_json(name, s->json, "--output", s->output)) return CLI_MISUSE;
    if (s->groups && !grouped)
        return cli_misuse(name,
                          "--groups needs groups: add --group COLUMN, or (... | "
                          "COLUMN) to the formula");
    if (shared && !hierarchy)
        return cli_misuse(name,
                          "--hyperprior, --nu, --phi0, --phi1, --sigma0-update and "
                          "--scale apply only to groups: add --group COLUMN");
    return check_prior_options(s, hierarchy);
}

/* ---- the fit ---- */

static dlp_status read_tables(const fit_settings *s, work *w, dlp_error *error)
{
    dlp_table_options table = dlp_table_options_default(), csv = table;
    table.format = s->format;
    csv.format = "csv";
    CLI_TRY(cli_table_read(s->data, &table, &w->table, error));
    if (s->prior_file) CLI_TRY(cli_table_read(s->prior_file, &csv, &w->prior, error));
    if (s->prior_covariance)
        CLI_TRY(cli_table_read(s->prior_covariance, &csv, &w->prior_covariance, error));
    return DLP_OK;
}

static dlp_regression_settings regression_settings(const fit_settings *s, const work *w)
{
    dlp_regression_settings r = dlp_regression_settings_default();
    r.family = s->family;
    r.link = s->link;
    r.n_levels = w->levels.n;
    r.level = w->levels.name;
    r.n_references = w->references.n;
    r.reference = w->references.item;
    r.weights = s->weights;
    r.missing_is_error = is(s->missing, "error");
    r.group = s->group;
    r.grouping = s->groups ? grouping_of(s) : DLP_GROUPING_DEFAULT;
    r.method = s->method;
    r.tol = s->tol;
    r.max_iter = (int)s->max_iter;
    r.threads = (int)s->threads;
    r.prior_sd = s->prior_sd;
    r.prior_df = s->prior_df;
    r.intercept_sd = s->intercept_sd;
    r.prior = w->prior;
    r.prior_covariance = w->prior_covariance;
    r.paper_hyperprior = is(s->hyperprior, "paper");
    r.nu = s->nu;
    r.phi0 = s->phi0;
    r.phi1 = s->phi1;
    r.paper_sigma0 = is(s->sigma0_update, "paper");
    r.scale = s->scale;
    return r;
}

static dlp_status fit_table(const fit_settings *s, work *w, dlp_error *error)
{
    const cli_design_advice advice = {.missing = "fill them in, or drop such rows"};
    dlp_regression_settings settings = regression_settings(s, w);
    dlp_design_problem problem = {.kind = DLP_PROBLEM_OTHER};
    cli_progress progress = cli_progress_begin("fitting");
    settings.problem = &problem;
    settings.progress = cli_progress_call;
    settings.context = &progress;
    const dlp_status status =
        dlp_regression_fit(s->formula, w->table, &settings, &w->fit, error);
    if (w->fit)
        cli_phase_note("%s", dlp_outcome_name(dlp_regression_result_of(w->fit)->outcome));
    cli_progress_end();
    return cli_design_advise(&problem, &advice, status, error);
}

/* ---- reports ---- */

/* Fills in what was not stated. False: all was, or the fit does not ask for it. */
static bool state_hyperprior(const dlp_regression *fit, fit_settings *s)
{
    const bool stated = s->nu != 0 && s->phi0 != 0 && s->phi1 != 0;
    double nu, phi0, phi1;
    if (stated || !dlp_regression_suggest_hyperprior(fit, &nu, &phi0, &phi1))
        return false;
    if (s->nu == 0) s->nu = nu;
    if (s->phi0 == 0) s->phi0 = phi0;
    if (s->phi1 == 0) s->phi1 = phi1;
    return true;
}

/* The same fit once more, where it did not come to its end; NULL: it did, or there is no
   better one to type. */
static const char *improve(const dlp_regression *regression, fit_settings *s)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    const char *automatic = dlp_regression_method(0);
    if (fit->outcome == DLP_CANCELLED) return "let it run to its end";
    if (fit->outcome == DLP_MAX_ITERATIONS) {
        if (state_hyperprior(regression, s)) return "state a stronger hyperprior";
        s->max_iter = (dlp_index)fmin(10.0 * fit->max_iter, 1e6);
        return "let it run longer";
    }
    if (!dlp_regression_is_lost(fit) || !strcmp(s->method, automatic)) return NULL;
    s->method = automatic;
    return "let the program choose the method";
}

static void print_next(const fit_settings *s, const dlp_regression *fit)
{
    fit_settings again = *s;
    const char *what = improve(fit, &again);
    if (what) {
        printf("\nNext, %s:\n  ", what);
        cli_print_command(&cli_glm_fit_command, &again);
        putchar('\n');
    } else if (dlp_regression_result_of(fit)->outcome == DLP_CONVERGED) {
        printf("\nNext, predict:\n  delaplace glm predict ");
        cli_print_shell_word(s->output);
        fputs(" --data ", stdout);
        cli_print_shell_word(s->data);
        fputs(" -o predictions.csv\nor look at it in a browser:\n  delaplace report ",
              stdout);
        cli_print_shell_word(s->output);
        fputs(" -o report.html --data ", stdout);
        cli_print_shell_word(s->data);
        putchar('\n');
    }
}

static dlp_status print_fit(const fit_settings *s, const dlp_regression *fit,
                            dlp_error *error)
{
    const cli_glm_view view = {.plot = isatty(STDOUT_FILENO),
                               .guessed = !s->family,
                               .most = SUMMARY_ROWS,
                               .group = -1};
    if (s->json) return cli_glm_print_json(fit, &view, error);
    if (s->common.quiet) return DLP_OK;
    CLI_TRY(cli_glm_print(fit, &view, error));
    if (dlp_regression_result_of(fit)->estimated)
        printf("\nWritten to %s: all coefficients, their covariance and the trace.\n",
               s->output);
    print_next(s, fit);
    return DLP_OK;
}

static dlp_status fit(const fit_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(dlp_file_try(cli_output_path(s->output), error));
    CLI_TRY(cli_glm_levels_read(s->levels, &w->levels, error));
    CLI_TRY(cli_glm_references_read(s->references, &w->references, error));
    CLI_TRY(read_tables(s, w, error));
    CLI_TRY(fit_table(s, w, error));
    CLI_TRY(dlp_regression_save(w->fit, cli_output_path(s->output), error));
    return cli_is_stdout(s->output) ? DLP_OK : print_fit(s, w->fit, error);
}

static int run(const void *command_settings)
{
    const fit_settings *s = command_settings;
    work w = {.fit = NULL};
    dlp_error error = {""};
    dlp_formula *formula = NULL;
    dlp_status status = dlp_formula_parse(s->formula, &formula, &error);
    if (status != DLP_OK) return cli_failed(status, &error);
    int code = check_options(s, s->group || dlp_formula_groups(formula) > 0);
    dlp_formula_free(formula);
    if (code == CLI_DONE) {
        status = fit(s, &w, &error);
        code = status == DLP_OK
                   ? cli_outcome_exit(dlp_regression_result_of(w.fit)->outcome)
                   : cli_failed(status, &error);
    }
    free_work(&w);
    return code;
}

/* ---- the tables ---- */

#define FIELD(name) offsetof(fit_settings, name)

static const cli_operand operands[] = {
    {.name = "FORMULA",
     .offset = FIELD(formula),
     .sign = '~',
     .quoted = "put the formula in quotes: 'y ~ x'",
     .help = "The model as R writes it, in quotes: 'y ~ x1 + x2', 'y ~ . - id', "
             "'cbind(won, lost) ~ x', 'y ~ log(x) * group + offset(z)', "
             "'y ~ (1 + x | school)'."},
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "data",
     .letter = 'd',
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(data),
     .required = true,
     .help = "The table: CSV, TSV, ARFF or svmlight, which may be compressed by gzip, "
             "zstd or xz; - is standard input."},
    CLI_FIT_OUTPUT(FIELD(output)),
    {.name = "family",
     .type = CLI_CHOICE,
     .value = "FAMILY",
     .offset = FIELD(family),
     .choices = family_name,
     .help =
         "The distribution of the response. Without it: bernoulli for two levels or 0 "
         "and 1, binomial for cbind(), multinomial for more levels, else gaussian."},
    {.name = "link",
     .type = CLI_CHOICE,
     .value = "LINK",
     .offset = FIELD(link),
     .choices = link_name,
     .help = "The link function. Without it: the family's usual one."},
    {.name = "levels",
     .type = CLI_STRING,
     .value = "A,B,...",
     .offset = FIELD(levels),
     .help =
         "The order of the response's levels: for ordinal from low to high; otherwise "
         "the first is the reference. Without it: numeric or alphabetical order."},
    {.name = "reference",
     .type = CLI_STRING,
     .value = "COLUMN=LEVEL",
     .offset = FIELD(references),
     .help = "The reference level of a categorical column; for several columns A=X,B=Y. "
             "Without it: the first in numeric or alphabetical order."},
    {.name = "method",
     .type = CLI_CHOICE,
     .value = "METHOD",
     .offset = FIELD(method),
     .choices = dlp_regression_method,
     .initial = "auto",
     .help = "How the posterior is approximated. laplace: a Gaussian at its mode. delta: "
             "a Gaussian near its mean, usually closer to sampling. jaakkola-jordan: a "
             "lower bound, for link logit. auto: delta, or expectation propagation where "
             "there are few rows per column."},
    {.name = "prior-sd",
     .type = CLI_REAL,
     .value = "S",
     .offset = FIELD(prior_sd),
     .above = true,
     .max = DLP_GLM_LARGEST,
     .help = "The prior of every coefficient, including the intercept, is N(0, S^2); the "
             "paper's S is 1. Without it, a weak prior on the scale of each column: sd "
             "2.5 for a change of one sd in the column (of an indicator, from one value "
             "to the other) and for the mean at each level of a factor, less with many "
             "columns; for gaussian in sds of the response. It is wider for the "
             "intercept, and the same whichever levels are the references."},
    {.name = "intercept-sd",
     .type = CLI_REAL,
     .value = "S",
     .offset = FIELD(intercept_sd),
     .above = true,
     .max = DLP_GLM_LARGEST,
     .help =
         "The prior sd of the intercept, if it is to differ; for ordinal, of the first "
         "cut point at the means of the columns. Without it, there 10."},
    {.name = "prior-df",
     .type = CLI_REAL,
     .value = "NU",
     .offset = FIELD(prior_df),
     .above = true,
     .max = 1e9,
     .help =
         "Make the prior a Student-t with this many degrees of freedom, scaled by S."},
    {.name = "prior-file",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(prior_file),
     .help = "A CSV file with priors for some of the terms: columns term, and mean, sd "
             "and df as needed. The other options apply to terms that it does not list."},
    {.name = "prior-covariance",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(prior_covariance),
     .help = "A CSV file with the prior covariance of all coefficients, its columns "
             "named like them. Their means are 0, or those of --prior-file."},
    {.name = "group",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(group),
     .help = "The column of groups: every coefficient varies by group, as with (... | "
             "COLUMN) in the formula."},
    {.name = "weights",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(weights),
     .help = "The column of weights: a row of weight 3 counts as three rows, a row of "
             "weight 0 not at all."},
    {.name = "groups",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(groups),
     .choices = groups_name,
     .help = "hierarchical: a regression for each group, with a prior learned from all "
             "of them; separate: each group by itself; pooled: one regression for all. "
             "Without it: hierarchical."},
    {.name = "sigma0-update",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(sigma0_update),
     .choices = sigma0_update_name,
     .help = "How the covariance between groups is estimated: corrected includes each "
             "group's own uncertainty, which the published paper omits. Without it: "
             "corrected."},
    {.name = "scale",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(scale),
     .choices = scale_name,
     .help = "The sd of a gaussian, shape of a gamma or size of a negative binomial "
             "hierarchy: one for all groups, as in lme4, or one for each, which needs "
             "enough rows in each to estimate it. Without it: shared."},
    {.name = "hyperprior",
     .type = CLI_CHOICE,
     .value = "WHICH",
     .offset = FIELD(hyperprior),
     .choices = hyperprior_name,
     .help = "What is assumed about the prior that the groups share. weak: little, on "
             "the scale of each column's sd, so that the groups decide. paper: mean near "
             "0 and covariance near I, in the units of the columns. Without it: weak. "
             "--nu, --phi0 and --phi1 set it by numbers."},
    {.name = "nu",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(nu),
     .above = true,
     .max = 1e9,
     .help = "Sigma0^-1 ~ Wishart(NU, PHI0 I). Without it: 2 more than the number of "
             "parameters in a group; for --hyperprior paper 100 more."},
    {.name = "phi0",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(phi0),
     .above = true,
     .max = 1e150,
     .help =
         "The scale of the Wishart: a priori Sigma0 is near I / (NU PHI0). Without it: "
         "100 over the square of the number of parameters in a group, at least 1; for "
         "gaussian 100, with a standardised response; for --hyperprior paper 0.01."},
    {.name = "phi1",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(phi1),
     .above = true,
     .max = 1e150,
     .help = "mu0 ~ N(0, PHI1 I). Without it: 100; for --hyperprior paper 0.01."},
    {.name = "missing",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(missing),
     .choices = cli_table_missing,
     .initial = "drop",
     .help = "Rows with missing values in the formula's columns: drop and count them, or "
             "refuse the table."},
    CLI_TABLE_FORMAT(FIELD(format)),
    {.name = "tol",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(tol),
     .above = true,
     .max = 1,
     .help = "Stop when the posterior mean (of a hierarchy: mu0 and Sigma0) moves by no "
             "more than this, relative to its norm. Without it: 1e-8 (1e-6)."},
    {.name = "max-iter",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(max_iter),
     .min = 1,
     .max = 1000000,
     .help = "Stop after this many iterations at the latest. Without it: 1000 (500)."},
    CLI_THREADS(FIELD(threads)),
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_glm_fit_command = {
    .name = "glm fit",
    .summary = "fit a Bayesian regression to a table",
    .description =
        "Fits a generalised linear model. The posterior of the coefficients is "
        "approximated by a normal distribution, without sampling. Categorical columns "
        "become indicators of their levels, named as R names them.\n\nThe delta method "
        "comes close to sampling; where it has no solution, Laplace's method is used "
        "instead, and the output says so. With few rows per column, expectation "
        "propagation is more accurate. With groups, every coefficient varies by group, "
        "and all groups share a prior whose mean and covariance are estimated, "
        "too.\n\nThe result is a JSON file: for every coefficient the mean, sd and 95 % "
        "interval, the covariance of all of them, and what is needed to predict from "
        "other data. The same table and options give the same bytes.",
    .example =
        "  delaplace glm fit 'distress ~ temperature' \\\n"
        "      --data data/challenger.csv -o fit.json\n"
        "  delaplace glm show fit.json\n"
        "  delaplace glm predict fit.json --data data/challenger.csv -o "
        "predictions.csv\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(fit_settings),
    .run = run,
};
