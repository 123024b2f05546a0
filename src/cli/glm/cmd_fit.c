/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm fit: a regression from a formula and a table. */
#include "cli/common_options.h"
#include "cli/glm/engine.h"
#include "cli/glm/family.h"
#include "cli/glm/prepare.h"
#include "cli/glm/score.h"
#include "cli/json.h"
#include "cli/nouns.h"
#include "cli/phase.h"
#include "cli/report.h"
#include "cli/retype.h"
#include "cli/say.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fit_settings {
    cli_common common;
    cli_glm_request request;
    const char *output;
    const char *method;
    double prior_sd;
    double prior_df;
    const char *groups;
    const char *sigma0_update;
    double nu;
    double phi0;
    double phi1;
    double tol;
    dlp_index max_iter;
    dlp_index threads;
    bool json;
} fit_settings;

enum { SUMMARY_ROWS = 25 }; /* of the table that a fit prints */

/* All that a run allocates; free_work takes it half built, too. */
typedef struct work {
    dlp_formula *formula;
    cli_glm_rows rows;
    cli_glm_fit fit;
} work;

static void free_work(work *w)
{
    cli_glm_fit_clear(&w->fit);
    cli_glm_rows_clear(&w->rows);
    dlp_formula_free(w->formula);
}

/* ---- what is asked for ---- */

static const char *groups_name(int i)
{
    return cli_grouping_name(i + 1); /* without "none" */
}

static const char automatic[] = "auto";

static const char *method_name(int i)
{
    return i == 0 ? automatic : cli_glm_method(i - 1);
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

static cli_grouping grouping_of(const fit_settings *s, const dlp_formula *formula)
{
    if (!s->request.group && dlp_formula_groups(formula) == 0) return CLI_UNGROUPED;
    int i = CLI_HIERARCHICAL;
    while (s->groups && strcmp(cli_grouping_name(i), s->groups) != 0) i++;
    return (cli_grouping)i;
}

static int check_prior_options(const fit_settings *s, cli_grouping grouping)
{
    const char *name = cli_glm_fit_command.name;
    const cli_glm_stated_prior *stated = &s->request.prior;
    const bool sds = s->prior_sd != 0 || s->prior_df != 0 || stated->intercept_sd != 0;
    if (grouping == CLI_HIERARCHICAL && (sds || stated->file || stated->covariance))
        return cli_misuse(name,
                          "--prior-sd, --prior-df, --intercept-sd, --prior-file and "
                          "--prior-covariance have no place in a hierarchical fit, which "
                          "learns the prior from the groups; see "
                          "--hyperprior");
    if (stated->covariance && sds)
        return cli_misuse(name,
                          "--prior-covariance says all of the prior but its means: leave "
                          "out --prior-sd, --prior-df and --intercept-sd");
    return CLI_DONE;
}

/* Options that would be ignored are misuse: whoever types them expects something. */
static int check_options(const fit_settings *s, cli_grouping grouping)
{
    const char *name = cli_glm_fit_command.name;
    if (cli_check_json(name, s->json, "--output", s->output)) return CLI_MISUSE;
    const bool hyperprior = s->request.hyperprior || s->nu != 0 || s->phi0 != 0 ||
                            s->phi1 != 0 || s->sigma0_update || s->request.scale;
    if (s->groups && grouping == CLI_UNGROUPED)
        return cli_misuse(name,
                          "--groups needs groups: add --group COLUMN, or (... | "
                          "COLUMN) to the formula");
    if (hyperprior && grouping != CLI_HIERARCHICAL)
        return cli_misuse(name,
                          "--hyperprior, --nu, --phi0, --phi1, --sigma0-update and "
                          "--scale are about what groups share: add --group COLUMN");
    return check_prior_options(s, grouping);
}

static void take_settings(const fit_settings *s, cli_grouping grouping, cli_glm_fit *fit)
{
    const dlp_hierarchy_settings shared = dlp_hierarchy_settings_default();
    const dlp_settings one = dlp_settings_default();
    const bool hierarchy = grouping == CLI_HIERARCHICAL;
    const double tol = hierarchy ? shared.tol : one.tol;
    const int max_iter = hierarchy ? shared.max_iter : one.max_iter;
    fit->may_propagate = !strcmp(s->method, automatic);
    fit->method = fit->may_propagate ? "delta" : s->method;
    fit->grouping = grouping;
    fit->tol = s->tol > 0 ? s->tol : tol;
    fit->max_iter = s->max_iter > 0 ? (int)s->max_iter : max_iter;
    if (hierarchy) {
        fit->nu = s->nu;
        fit->phi0 = s->phi0;
        fit->phi1 = s->phi1;
        fit->paper_sigma0 = s->sigma0_update && !strcmp(s->sigma0_update, "paper");
        fit->shared_scale = !s->request.scale || !strcmp(s->request.scale, "shared");
    } else {
        fit->prior_sd = s->prior_sd;
        fit->prior_df = s->prior_df;
    }
}

/* ---- the fit ---- */

/* Threads wait for one another in each iteration. A small fit is over before that pays, and
   on a machine with other work it would wait for its share of the cores. */
static int threads_for(const dlp_glm_data *data)
{
    const double enough = 8192; /* numbers for a thread */
    const double numbers = (double)data->N * (double)(data->p + 1);
    return (int)fmin(omp_get_num_procs(), 1 + floor(numbers / enough));
}

static dlp_status fit_rows(const fit_settings *s, work *w, dlp_error *error)
{
    const int threads = s->threads > 0 ? (int)s->threads : threads_for(&w->rows.data);
    cli_progress progress = cli_progress_begin("fitting");
    progress.tol = w->fit.tol;
    progress.max_iter = w->fit.max_iter;
    const dlp_status status = cli_glm_run(&w->rows, threads, &progress, &w->fit, error);
    cli_phase_note("%s", dlp_outcome_name(w->fit.outcome));
    cli_progress_end();
    return cli_in_file(s->request.data, status, error);
}

/* ---- reports ---- */

/* A hierarchy that creeps: where its hyperprior alone stops the groups' mean or their sds
   from growing, and where many iterations were not enough. */
static bool wants_hyperprior(const cli_glm_fit *fit, bool separates)
{
    const int many = 10 * dlp_hierarchy_settings_default().max_iter;
    return fit->grouping == CLI_HIERARCHICAL && !fit->paper_hyperprior &&
           strcmp(fit->link, "identity") != 0 && (separates || fit->max_iter >= many);
}

/* Fills in what was not stated, for columns in their sds: the mean of the groups within
   about two sds of 2 from 0, and sds between groups of about 1. False: all was. */
static bool state_hyperprior(const cli_glm_fit *fit, fit_settings *s)
{
    const bool stated = s->nu != 0 && s->phi0 != 0 && s->phi1 != 0;
    if (s->nu == 0) s->nu = (double)fit->n + 10;
    if (s->phi0 == 0) s->phi0 = 0.1;
    if (s->phi1 == 0) s->phi1 = 4;
    return !stated;
}

/* The same fit once more, where it did not come to its end; NULL: it did, or there is no
   better one to type. */
static const char *improve(const cli_glm_fit *fit, bool separates, fit_settings *s)
{
    if (fit->outcome == DLP_CANCELLED) return "let it run to its end";
    if (fit->outcome == DLP_MAX_ITERATIONS) {
        if (wants_hyperprior(fit, separates) && state_hyperprior(fit, s))
            return "state a stronger hyperprior";
        s->max_iter = (dlp_index)fmin(10.0 * fit->max_iter, 1e6);
        return "let it run longer";
    }
    if (!cli_glm_is_lost(fit) || !strcmp(s->method, automatic)) return NULL;
    s->method = automatic;
    return "leave the method to the program";
}

static void print_next(const fit_settings *s, const cli_glm_fit *fit, bool separates)
{
    fit_settings again = *s;
    const char *what = improve(fit, separates, &again);
    if (what) {
        printf("\nNext, %s:\n  ", what);
        cli_print_command(&cli_glm_fit_command, &again);
        putchar('\n');
    } else if (fit->outcome == DLP_CONVERGED) {
        printf("\nNext, predict:\n  delaplace glm predict ");
        cli_print_shell_word(s->output);
        fputs(" --data ", stdout);
        cli_print_shell_word(s->request.data);
        fputs(" -o predictions.csv\nor look at it in a browser:\n  delaplace report ",
              stdout);
        cli_print_shell_word(s->output);
        fputs(" -o report.html --data ", stdout);
        cli_print_shell_word(s->request.data);
        putchar('\n');
    }
}

static dlp_status print_fit(const fit_settings *s, const work *w, dlp_error *error)
{
    const cli_glm_fit *fit = &w->fit;
    const cli_glm_view view = {.plot = isatty(STDOUT_FILENO),
                               .guessed = !s->request.family,
                               .most = SUMMARY_ROWS,
                               .block = -1};
    if (!s->json && s->common.quiet) return DLP_OK;
    if (s->json) {
        json_t *summary = cli_glm_view_json(fit, &view);
        const dlp_status status = cli_json_print(summary, error);
        json_decref(summary);
        return status;
    }
    CLI_TRY(cli_glm_print(fit, &view, error));
    cli_glm_print_constant(&w->rows, fit);
    bool separates = false;
    if (fit->outcome == DLP_MAX_ITERATIONS)
        CLI_TRY(cli_glm_separates(fit, &w->rows, &separates, error));
    if (separates)
        puts(
            "\nThe columns tell every response apart: larger coefficients would always "
            "fit "
            "better, and only\nthe prior holds them.");
    printf("\nWritten to %s: every coefficient, their covariance and the trace.\n",
           s->output);
    print_next(s, fit, separates);
    return DLP_OK;
}

static dlp_status report(const fit_settings *s, const work *w, dlp_error *error)
{
    const bool to_stdout = !strcmp(s->output, "-");
    json_t *root = cli_glm_fit_json(&w->fit);
    const dlp_status status = cli_json_write(root, cli_output_path(s->output), error);
    json_decref(root);
    if (status != DLP_OK || to_stdout) return status;
    return print_fit(s, w, error);
}

static int run(const void *command_settings)
{
    const fit_settings *s = command_settings;
    work w = {.formula = NULL};
    dlp_error error = {""};
    dlp_status status = dlp_formula_parse(s->request.formula, &w.formula, &error);
    if (status != DLP_OK) return cli_failed(status, &error);
    const cli_grouping grouping = grouping_of(s, w.formula);
    int code = check_options(s, grouping);
    if (code == CLI_DONE) {
        take_settings(s, grouping, &w.fit);
        status = dlp_file_try(cli_output_path(s->output), &error);
        if (status == DLP_OK)
            status = cli_glm_prepare(&s->request, w.formula, &w.rows, &w.fit, &error);
        if (status == DLP_OK) status = fit_rows(s, &w, &error);
        if (status == DLP_OK) status = report(s, &w, &error);
        code = status == DLP_OK ? cli_outcome_exit(w.fit.outcome)
                                : cli_failed(status, &error);
    }
    free_work(&w);
    return code;
}

/* ---- the tables ---- */

#define FIELD(name) offsetof(fit_settings, name)

static const cli_operand operands[] = {
    {.name = "FORMULA",
     .offset = FIELD(request.formula),
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
     .offset = FIELD(request.data),
     .required = true,
     .help =
         "The table: CSV, TSV, ARFF or svmlight, plain or compressed by gzip, zstd or "
         "xz; - is standard input."},
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FIT.json",
     .offset = FIELD(output),
     .required = true,
     .help = "Where the result goes: written whole or not at all. - is standard output, "
             "without the summary."},
    {.name = "family",
     .type = CLI_CHOICE,
     .value = "FAMILY",
     .offset = FIELD(request.family),
     .choices = dlp_glm_family,
     .help = "How the response is distributed. Without it: bernoulli for two levels or 0 "
             "and 1, binomial for cbind(), multinomial for more levels, else gaussian."},
    {.name = "link",
     .type = CLI_CHOICE,
     .value = "LINK",
     .offset = FIELD(request.link),
     .choices = cli_glm_any_link,
     .help = "From the linear predictor to the mean. Without it: the family's first."},
    {.name = "levels",
     .type = CLI_STRING,
     .value = "A,B,...",
     .offset = FIELD(request.levels),
     .help = "The order of the response's levels: for ordinal from low to high; else the "
             "first is the reference. Without it: as numbers, or by the alphabet."},
    {.name = "reference",
     .type = CLI_STRING,
     .value = "COLUMN=LEVEL",
     .offset = FIELD(request.references),
     .help = "The level of a categorical column that its others are compared with; of "
             "several columns A=X,B=Y. Without it: the first as numbers, or by the "
             "alphabet."},
    {.name = "method",
     .type = CLI_CHOICE,
     .value = "METHOD",
     .offset = FIELD(method),
     .choices = method_name,
     .initial = automatic,
     .help = "How the posterior is approximated. auto: by delta, or by expectation "
             "propagation where there are few rows for the columns. jaakkola-jordan is "
             "for link logit."},
    {.name = "prior-sd",
     .type = CLI_REAL,
     .value = "S",
     .offset = FIELD(prior_sd),
     .above = true,
     .max = DLP_GLM_LARGEST,
     .help = "The prior of every coefficient, the intercept too, is N(0, S^2); the "
             "paper's S is 1. Without it, a weak one in the units of each column: 2.5 "
             "for a change by one sd of it (of an indicator, from one value to the "
             "other), less where there are many columns; for gaussian in sds of the "
             "response. Wider for the intercept."},
    {.name = "intercept-sd",
     .type = CLI_REAL,
     .value = "S",
     .offset = FIELD(request.prior.intercept_sd),
     .above = true,
     .max = DLP_GLM_LARGEST,
     .help = "Another sd for the intercept alone."},
    {.name = "prior-df",
     .type = CLI_REAL,
     .value = "NU",
     .offset = FIELD(prior_df),
     .above = true,
     .max = 1e9,
     .help = "Make the prior a Student-t with so many degrees of freedom, scaled by S."},
    {.name = "prior-file",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(request.prior.file),
     .help = "A CSV file with a prior for some of the terms: columns term, and mean, sd "
             "and df as needed. What it leaves out is as the other options say."},
    {.name = "prior-covariance",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(request.prior.covariance),
     .help = "A CSV file with the prior covariance of all coefficients, its columns "
             "named as they are. Their means are 0, or those of --prior-file."},
    {.name = "group",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(request.group),
     .help = "The column of groups: every coefficient varies by it, as with (... | "
             "COLUMN) in the formula."},
    {.name = "weights",
     .type = CLI_STRING,
     .value = "COLUMN",
     .offset = FIELD(request.weights),
     .help = "The column of weights: a row of weight 3 counts as three rows, one of 0 as "
             "none."},
    {.name = "groups",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(groups),
     .choices = groups_name,
     .help = "A regression for each group with a prior learned from all of them, one for "
             "each by itself, or one for all. Without it: hierarchical."},
    {.name = "sigma0-update",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(sigma0_update),
     .choices = sigma0_update_name,
     .help = "The update of the groups' shared covariance: corrected counts the groups' "
             "own uncertainty, which the paper's print leaves out. Without it: "
             "corrected."},
    {.name = "scale",
     .type = CLI_CHOICE,
     .value = "HOW",
     .offset = FIELD(request.scale),
     .choices = scale_name,
     .help = "The sd of a gaussian, shape of a gamma or size of a negative binomial "
             "hierarchy: one for all groups, as in lme4, or one for each, which takes "
             "rows enough in each to tell it. Without it: shared."},
    {.name = "hyperprior",
     .type = CLI_CHOICE,
     .value = "WHICH",
     .offset = FIELD(request.hyperprior),
     .choices = hyperprior_name,
     .help =
         "What is known of the prior that groups share. weak: little, so that the "
         "groups tell, of columns in their sds. paper: of the columns as they stand, "
         "its mean is near 0 and its covariance near I. Without it: weak. --nu, --phi0 "
         "and --phi1 say it by numbers."},
    {.name = "nu",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(nu),
     .above = true,
     .max = 1e9,
     .help = "Sigma0^-1 ~ Wishart(NU, PHI0 I). Without it: 2 more than there are "
             "parameters in a group; for --hyperprior paper 100 more."},
    {.name = "phi0",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(phi0),
     .above = true,
     .max = 1e150,
     .help =
         "The scale of the Wishart: Sigma0 is near I / (NU PHI0) before data. Without "
         "it: 100 over the square of the parameters in a group, and 1 at least; for "
         "gaussian 100, with the response measured from its mean in its sds; for "
         "--hyperprior paper 0.01."},
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
     .offset = FIELD(request.missing),
     .choices = cli_table_missing,
     .initial = "drop",
     .help = "Rows that miss a value of the formula's columns: leave them out and count "
             "them, or refuse the table."},
    {.name = "format",
     .type = CLI_CHOICE,
     .value = "FORMAT",
     .offset = FIELD(request.format),
     .choices = cli_table_format,
     .initial = "auto",
     .help = "The format of the table; auto looks at its first lines."},
    {.name = "tol",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(tol),
     .above = true,
     .max = 1,
     .help = "Stop when the mean (of a hierarchy: mu0 and Sigma0) moves by no more than "
             "this, relative to its norm. Without it: 1e-8 (1e-6)."},
    {.name = "max-iter",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(max_iter),
     .min = 1,
     .max = 1000000,
     .help = "Stop after this many iterations in any case. Without it: 1000 (500)."},
    CLI_THREADS(FIELD(threads)),
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_glm_fit_command = {
    .name = "glm fit",
    .summary = "fit a Bayesian regression to a table",
    .description =
        "Fits a generalised linear model: the mean of the response is a function of a "
        "sum "
        "of columns, each with a coefficient. The posterior of the coefficients is "
        "approximated by a normal distribution, in the time of an optimiser. Categorical "
        "columns become indicators of their levels, named as R names them.\n\n"
        "The method delta comes close to sampling; where its objective has no maximum it "
        "falls back to Laplace and says so. Where there are few rows for the columns "
        "expectation propagation comes closer. With groups, every "
        "coefficient "
        "varies by group, and all groups share a prior whose mean and covariance are "
        "estimated too.\n\n"
        "The result is a JSON file: for every coefficient the mean, sd and 95 % "
        "interval, the covariance of all of them, and what it takes to predict from "
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
