/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace glm fit: a regression from a formula and a table. */
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/glm/fit_options.h"
#include "cli/glm/view.h"
#include "cli/message.h"
#include "cli/outcome.h"
#include "cli/phase.h"
#include "cli/print.h"
#include "cli/processes.h"
#include "cli/progress.h"
#include "cli/reference.h"
#include "cli/table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SUMMARY_ROWS = 25 }; /* rows of the table that a fit prints */

/* Everything that a run allocates; free_work also accepts it half built. */
typedef struct work {
    dlp_processes *processes;
    dlp_formula *formula;
    dlp_table *table, *prior, *prior_covariance;
    dlp_adjacency *adjacency;
    cli_levels levels;
    cli_references references;
    dlp_regression *fit;
} work;

static void free_work(work *w)
{
    dlp_regression_free(w->fit);
    cli_references_clear(&w->references);
    cli_levels_clear(&w->levels);
    dlp_table_free(w->prior_covariance);
    dlp_adjacency_free(w->adjacency);
    dlp_table_free(w->prior);
    dlp_table_free(w->table);
    dlp_formula_free(w->formula);
}

static bool is(const char *typed, const char *word)
{
    return typed && !strcmp(typed, word);
}

/* ---- what is asked for ---- */

/* Whether an option about what the groups of a hierarchy share was typed. */
static bool has_shared(const cli_glm_fit_settings *s)
{
    return s->hyperprior || s->nu != 0 || s->phi0 != 0 || s->phi1 != 0 ||
           s->sigma0_update || s->scale || is(s->hyper, "factor");
}

/* How to treat groups of rows; the library's default if nothing was typed. */
static dlp_grouping grouping_of(const cli_glm_fit_settings *s)
{
    int i = DLP_HIERARCHICAL;
    if (!s->groups) return s->group || has_shared(s) ? DLP_HIERARCHICAL : DLP_MIXED;
    while (strcmp(dlp_grouping_name(i), s->groups) != 0) i++;
    return (dlp_grouping)i;
}

static int check_prior_options(const cli_glm_fit_settings *s, bool hierarchy)
{
    const char *name = cli_glm_fit_command.name;
    const bool sds = s->prior_sd != 0 || s->prior_df != 0 || s->intercept_sd != 0;
    if (hierarchy && (sds || s->prior_file || s->prior_covariance || s->priors.n))
        return cli_misuse(
            name,
            "--prior, --prior-sd, --prior-df, --intercept-sd, --prior-file "
            "and --prior-covariance do not apply to a hierarchical fit, which "
            "learns the prior from the groups; see --hyperprior, or fit "
            "a mixed model (--groups mixed), where they do");
    if (s->prior_covariance && sds)
        return cli_misuse(name,
                          "--prior-covariance states all of the prior but its means: "
                          "remove --prior-sd, --prior-df and --intercept-sd");
    return CLI_DONE;
}

/* Options that would be ignored are misuse: the user expects them to do something. */
static int check_options(const cli_glm_fit_settings *s, bool grouped)
{
    const char *name = cli_glm_fit_command.name;
    const bool hierarchy = grouped && grouping_of(s) == DLP_HIERARCHICAL;
    const bool shared = has_shared(s);
    if (cli_check_json(name, s->json, "--output", s->output)) return CLI_MISUSE;
    if (s->groups && !grouped)
        return cli_misuse(name,
                          "--groups needs groups: add --group COLUMN, or (... | "
                          "COLUMN) to the formula");
    if (s->group && grouping_of(s) == DLP_MIXED)
        return cli_misuse(name,
                          "--groups mixed takes random effects from the formula: remove "
                          "--group, and add what varies, as in (1 | COLUMN)");
    if (is(s->hyper, "integrate") && hierarchy)
        return cli_misuse(
            name,
            "--hyper integrate needs a mixed model: write what varies in bars, as in (1 "
            "+ x | COLUMN), and remove --group and --groups");
    if (is(s->hyper, "factor") && !hierarchy)
        return cli_misuse(
            name,
            "--hyper factor is for the paper's hierarchy of groups: add --group COLUMN, "
            "or (... | COLUMN) to the formula, and remove --groups");
    if (shared && !hierarchy)
        return cli_misuse(name,
                          "--hyperprior, --nu, --phi0, --phi1, --sigma0-update and "
                          "--scale apply only to a hierarchy of groups: add --group "
                          "COLUMN");
    return check_prior_options(s, hierarchy);
}

/* ---- the fit ---- */

/* Notes anything in a file of neighbours that looks like a mistake. */
static void note_neighbours(const char *path, const dlp_adjacency *a)
{
    if (a->one_sided > 0)
        cli_note(
            "%s: %td %s of neighbours %s listed for only one of the two regions; both "
            "are treated as neighbours.",
            path, a->one_sided, a->one_sided == 1 ? "pair" : "pairs",
            a->one_sided == 1 ? "is" : "are");
    if (a->islands > 0)
        cli_note("%s: %td %s no neighbours.", path, a->islands,
                 a->islands == 1 ? "region has" : "regions have");
}

/* Options alone can ask for a different model than the formula suggests. */
static void note_hierarchy(const cli_glm_fit_settings *s, const work *w)
{
    const dlp_regression_result *r = dlp_regression_result_of(w->fit);
    if (r->grouping != DLP_HIERARCHICAL || s->group || s->groups) return;
    cli_note(
        "--hyperprior, --nu, --phi0, --phi1, --sigma0-update, --scale and --hyper "
        "factor ask for the paper's hierarchy, in which everything varies by group; "
        "without them this formula is a mixed model.");
}

static dlp_hyper hyper_of(const cli_glm_fit_settings *s)
{
    int i = 0;
    while (s->hyper && strcmp(dlp_hyper_name(i), s->hyper) != 0) i++;
    return (dlp_hyper)i;
}

/* With several processes, each has its share of the machine. */
static int threads_of(const cli_glm_fit_settings *s, const work *w)
{
    const bool alone = dlp_processes_size(w->processes) == 1;
    return s->threads == 0 && !alone ? dlp_processes_threads(w->processes)
                                     : (int)s->threads;
}

static void state_prior(const cli_glm_fit_settings *s, const work *w,
                        dlp_regression_settings *r)
{
    r->prior_sd = s->prior_sd;
    r->prior_df = s->prior_df;
    r->intercept_sd = s->intercept_sd;
    r->prior = w->prior;
    r->prior_covariance = w->prior_covariance;
    r->n_priors = s->priors.n;
    r->priors = s->priors.item;
    r->paper_hyperprior = is(s->hyperprior, "paper");
    r->nu = s->nu;
    r->phi0 = s->phi0;
    r->phi1 = s->phi1;
}

static dlp_regression_settings regression_settings(const cli_glm_fit_settings *s,
                                                   const work *w)
{
    dlp_regression_settings r = dlp_regression_settings_default();
    r.family = s->family;
    r.link = s->link;
    r.n_levels = w->levels.n;
    r.level = w->levels.name;
    r.n_references = w->references.n;
    r.reference = w->references.item;
    r.weights = s->weights;
    r.trials = s->trials;
    r.precision = s->precision;
    r.missing_is_error = is(s->missing, "error");
    r.group = s->group;
    /* typing an option of hierarchies asks for one, even if its value is the default */
    r.grouping = s->groups || has_shared(s) ? grouping_of(s) : DLP_GROUPING_DEFAULT;
    r.method = s->method;
    r.tol = s->tol;
    r.max_iter = (int)s->max_iter;
    r.threads = threads_of(s, w);
    r.df = s->df;
    r.hyper = hyper_of(s);
    r.adjacency = w->adjacency;
    state_prior(s, w, &r);
    r.paper_sigma0 = is(s->sigma0_update, "paper");
    r.scale = s->scale;
    r.processes = w->processes;
    r.ungraded = s->verify || s->no_grades;
    return r;
}

static dlp_status read_tables(const cli_glm_fit_settings *s, work *w, dlp_error *error)
{
    dlp_table_options table = dlp_table_options_default(), csv = table;
    table.format = s->format;
    table.encoding = s->encoding;
    table.scratch = ""; /* $TMPDIR */
    table.processes = w->processes;
    const dlp_regression_settings settings = regression_settings(s, w);
    table.divide = !s->verify && dlp_regression_may_divide(w->formula, &settings);
    csv.format = "csv";
    CLI_TRY(cli_table_read(s->data, &table, &w->table, error));
    if (s->prior_file) CLI_TRY(cli_table_read(s->prior_file, &csv, &w->prior, error));
    if (s->adjacency) {
        CLI_TRY(dlp_adjacency_read(s->adjacency, &w->adjacency, error));
        if (!s->common.quiet) note_neighbours(s->adjacency, w->adjacency);
    }
    if (s->prior_covariance)
        CLI_TRY(cli_table_read(s->prior_covariance, &csv, &w->prior_covariance, error));
    return DLP_OK;
}

static dlp_status fit_table(const cli_glm_fit_settings *s, work *w, dlp_error *error)
{
    const cli_design_advice advice = {.missing = "fill them in, or drop such rows"};
    dlp_regression_settings settings = regression_settings(s, w);
    dlp_design_problem problem = {.kind = DLP_PROBLEM_OTHER};
    cli_progress progress = cli_progress_begin("fitting");
    settings.problem = &problem;
    settings.progress = cli_progress_call;
    settings.context = &progress;
    const dlp_status status =
        dlp_regression_fit_formula(w->formula, w->table, &settings, &w->fit, error);
    if (w->fit)
        cli_phase_note("%s", dlp_outcome_name(dlp_regression_result_of(w->fit)->outcome));
    cli_progress_end();
    return cli_design_advise(&problem, &advice, status, error);
}

static dlp_status verify(const cli_glm_fit_settings *s, const work *w, dlp_error *error)
{
    dlp_verification_settings settings = dlp_verification_settings_default();
    const bool cancelled = dlp_regression_result_of(w->fit)->outcome == DLP_CANCELLED;
    if (!s->verify || cancelled) return DLP_OK;
    cli_progress progress = cli_progress_begin("verifying");
    settings.threads = threads_of(s, w);
    settings.progress = cli_progress_call;
    settings.context = &progress;
    const dlp_status status = dlp_regression_verify(w->fit, w->table, &settings, error);
    cli_progress_end();
    return status;
}

/* ---- reports ---- */

/* Fills in the hyperpriors that were not stated. False: all were. */
static bool state_hyperprior(const dlp_next_fit *suggested, cli_glm_fit_settings *s)
{
    const bool stated = s->nu != 0 && s->phi0 != 0 && s->phi1 != 0;
    if (s->nu == 0) s->nu = suggested->nu;
    if (s->phi0 == 0) s->phi0 = suggested->phi0;
    if (s->phi1 == 0) s->phi1 = suggested->phi1;
    return !stated;
}

/* Changes s into the settings of a better fit, if this one did not converge, and says in
   words what that does. NULL: it converged, or there is nothing better to try. */
static const char *improve(const dlp_regression *fit, cli_glm_fit_settings *s)
{
    const dlp_next_fit suggested = dlp_regression_next_fit(fit);
    switch (suggested.kind) {
    case DLP_NEXT_THE_SAME: return "let it run to its end";
    case DLP_NEXT_HYPERPRIOR:
        if (state_hyperprior(&suggested, s)) return "state a stronger hyperprior";
        /* fall through */
    case DLP_NEXT_ITERATIONS:
        s->max_iter = suggested.max_iter;
        return "let it run longer";
    case DLP_NEXT_METHOD:
        if (!strcmp(s->method, suggested.method)) return NULL;
        s->method = suggested.method;
        return "let the program choose the method";
    case DLP_NEXT_NOTHING: break;
    }
    return NULL;
}

static void print_next(const cli_glm_fit_settings *s, const dlp_regression *fit)
{
    cli_glm_fit_settings again = *s;
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

static dlp_status print_fit(const cli_glm_fit_settings *s, const dlp_regression *fit,
                            dlp_error *error)
{
    cli_glm_view view = {.plot = isatty(STDOUT_FILENO),
                         .guessed = !s->family,
                         .most = SUMMARY_ROWS,
                         .group = -1,
                         .exponentiate = s->exponentiate};
    (void)cli_intervals_read(cli_glm_fit_command.name, s->level, &view.intervals);
    if (s->json) return cli_glm_print_json(fit, &view, error);
    if (s->common.quiet) return DLP_OK;
    CLI_TRY(cli_glm_print(fit, &view, error));
    if (dlp_regression_result_of(fit)->estimated)
        printf("\nWritten to %s: %s.\n", s->output,
               dlp_regression_result_of(fit)->n_random > 0
                   ? "all coefficients, and the effects of every level"
               : dlp_regression_result_of(fit)->n_smooths > 0
                   ? "all coefficients, and the curves"
                   : "all coefficients, their covariance and the trace");
    print_next(s, fit);
    return DLP_OK;
}

/* ---- several processes ---- */

/* Whether this is process 0, the only one that writes and prints. */
static bool leads(const work *w)
{
    return dlp_processes_rank(w->processes) == 0;
}

/* All processes meet an error in the request or the data, and agree on it. But a failure
   in one process alone is unknown to the others, which may wait for it; cli_processes_end
   deals with that. */
static dlp_status together(const work *w, dlp_status status, dlp_error *error)
{
    const bool own =
        status == DLP_ENOMEM || status == DLP_EIO || status == DLP_ECANCELLED;
    return own ? status : dlp_processes_agree(w->processes, status, error);
}

static dlp_status note_traffic(const work *w, dlp_error *error)
{
    const int size = dlp_processes_size(w->processes);
    int64_t bytes;
    if (size == 1) return DLP_OK;
    CLI_TRY(dlp_processes_traffic(w->processes, &bytes, error));
    cli_verbose("%d processes received %lld bytes from each other", size,
                (long long)bytes);
    return DLP_OK;
}

/* Discards a fit that one of several processes stopped. */
static dlp_status check_stopped(const work *w, dlp_error *error)
{
    if (dlp_processes_size(w->processes) == 1 ||
        dlp_regression_result_of(w->fit)->outcome != DLP_CANCELLED)
        return DLP_OK;
    return dlp_fail(error, DLP_ECANCELLED, "stopped before the end; nothing was written");
}

static dlp_status write_fit(const cli_glm_fit_settings *s, work *w, dlp_error *error)
{
    if (!leads(w)) return DLP_OK;
    CLI_TRY(dlp_regression_save(w->fit, cli_output_path(s->output), error));
    return cli_is_stdout(s->output) ? DLP_OK : print_fit(s, w->fit, error);
}

/* ---- the whole ---- */

static dlp_status read_inputs(const cli_glm_fit_settings *s, work *w, dlp_error *error)
{
    if (leads(w)) CLI_TRY(dlp_file_try(cli_output_path(s->output), error));
    CLI_TRY(cli_levels_read(s->levels, &w->levels, error));
    return cli_references_read(s->references, &w->references, error);
}

static dlp_status fit(const cli_glm_fit_settings *s, work *w, dlp_error *error)
{
    CLI_TRY(dlp_processes_agree(w->processes, read_inputs(s, w, error), error));
    CLI_TRY(together(w, read_tables(s, w, error), error));
    CLI_TRY(together(w, fit_table(s, w, error), error));
    CLI_TRY(check_stopped(w, error));
    if (!s->common.quiet) note_hierarchy(s, w);
    CLI_TRY(together(w, verify(s, w, error), error));
    CLI_TRY(note_traffic(w, error));
    return dlp_processes_agree(w->processes, write_fit(s, w, error), error);
}

static int check_input(const cli_glm_fit_settings *s)
{
    int rank;
    if (dlp_processes_announced(&rank) == 1 || strcmp(s->data, "-") != 0) return CLI_DONE;
    return cli_misuse(
        cli_glm_fit_command.name,
        "only one process can read standard input; name a file, or start it "
        "without mpirun");
}

static int run(const void *command_settings)
{
    const cli_glm_fit_settings *s = command_settings;
    work w = {.fit = NULL};
    dlp_error error = {0};
    cli_intervals levels;
    if (cli_intervals_read(cli_glm_fit_command.name, s->level, &levels))
        return CLI_MISUSE;
    dlp_status status = dlp_formula_parse(s->formula, &w.formula, &error);
    if (status != DLP_OK) return cli_failed(status, &error);
    int code = check_options(s, s->group || dlp_formula_groups(w.formula) > 0);
    if (code == CLI_DONE) code = check_input(s);
    if (code == CLI_DONE) {
        status = cli_processes_open(&w.processes, &error);
        if (status == DLP_OK) status = fit(s, &w, &error);
        code = status == DLP_OK
                   ? cli_outcome_exit(dlp_regression_result_of(w.fit)->outcome)
                   : cli_failed(status, &error);
    }
    dlp_processes *processes = w.processes;
    free_work(&w);
    return cli_processes_end(processes, status, &error, code);
}

/* ---- the command ---- */

const cli_command cli_glm_fit_command = {
    .name = "glm fit",
    .summary = "fit a Bayesian regression to a table",
    .description =
        "Fits a generalised linear model. The posterior of the coefficients is "
        "approximated by a normal distribution, without sampling. Categorical columns "
        "become indicators of their levels, named as R names them.\n\nThe method is by "
        "default the delta method, whose answers are close to those of sampling, or, "
        "with "
        "few rows per column, expectation propagation, which is more accurate there. "
        "Where "
        "the delta method has no solution, Laplace's method replaces it, and the output "
        "says so.\n\nTerms with a bar are random effects, as in lme4: (1 | g), (1 + x | "
        "g), (x || g), (1 | a/b), as many as needed. Their sds and correlations are "
        "integrated over, not fixed at a mode. With --group every coefficient varies by "
        "group, and all groups share a prior whose mean and covariance are also "
        "estimated.\n\nThe result is a JSON file: for every coefficient the mean, sd and "
        "95 % interval, the covariance of all of them, and what is needed to predict "
        "from other data. The same table and options give the same bytes.\n\nSeveral "
        "processes may share the fit, on one machine or many: mpirun -n 4 delaplace glm "
        "fit ...; the result is the same to the byte.",
    .example =
        "  delaplace glm fit 'distress ~ temperature' \\\n"
        "      --data data/challenger.csv -o fit.json\n"
        "  delaplace glm show fit.json\n"
        "  delaplace glm predict fit.json --data data/challenger.csv -o "
        "predictions.csv\n",
    .operands = cli_glm_fit_operands,
    .options = cli_glm_fit_options,
    .shares = true,
    .settings_size = sizeof(cli_glm_fit_settings),
    .run = run,
};
