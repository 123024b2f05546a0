/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace unigram fit: the paper's running example on a corpus. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/corpus/source.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/unigram/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fit_settings {
    cli_common common;
    const char *corpus;
    const char *output;
    const char *vocab;
    const char *format;
    const char *method;
    const char *route;
    bool diagonal;
    double tol;
    dlp_index max_iter;
    dlp_index top;
    bool json;
} fit_settings;

static const char *route_name(int i)
{
    const char *const routes[] = {"fast", "plain"};
    return i < 2 ? routes[i] : NULL;
}

/* All that a run allocates; free_work takes it half built, too. */
typedef struct work {
    dlp_corpus *corpus;
    dlp_unigram *unigram;
    dlp_fit *fit;
    double *sd;         /* (V) to show */
    double *sd_given_z; /* (V) of q(theta) */
    bool z_summed_out;  /* sd is; else it is sd_given_z */
} work;

static void free_work(work *w)
{
    free(w->sd);
    free(w->sd_given_z);
    dlp_fit_free(w->fit);
    dlp_unigram_free(w->unigram);
    dlp_corpus_free(w->corpus);
}

static dlp_status fit_corpus(work *w, const dlp_settings *settings, dlp_error *error)
{
    dlp_status status = dlp_unigram_alloc(w->corpus, &w->unigram, error);
    if (status != DLP_OK) return status;
    const dlp_model model = dlp_unigram_model(w->unigram);
    status = dlp_fit_alloc(&model, settings, &w->fit, error);
    if (status == DLP_OK) status = dlp_fit_run(w->fit, NULL, error);
    if (status != DLP_OK) return status;
    w->sd = malloc((size_t)w->corpus->V * sizeof *w->sd);
    w->sd_given_z = malloc((size_t)w->corpus->V * sizeof *w->sd_given_z);
    if (!w->sd || !w->sd_given_z)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the result of the fit");
    dlp_fit_sd(w->fit, w->sd_given_z);
    w->z_summed_out = dlp_fit_marginal_sd(w->fit, w->sd) != 0;
    return DLP_OK;
}

static dlp_status write_fit(const cli_unigram *fit, dlp_error *error)
{
    json_t *root = cli_unigram_fit_json(fit);
    const dlp_status status = dlpi_json_write(root, fit->output_path, error);
    json_decref(root);
    return status;
}

static dlp_status print_fit(const cli_unigram *fit, const fit_settings *s,
                            dlp_error *error)
{
    if (!s->json && s->common.quiet) return DLP_OK;
    if (!s->json) return cli_unigram_print(fit, s->top, isatty(STDOUT_FILENO), error);
    json_t *summary = cli_unigram_summary_json(fit);
    const dlp_status status = cli_json_print(summary, error);
    json_decref(summary);
    return status;
}

static dlp_settings engine_settings(const fit_settings *s, cli_progress *progress)
{
    dlp_settings settings = dlp_settings_default();
    settings.method = s->method;
    settings.diagonal = s->diagonal;
    settings.plain = !strcmp(s->route, "plain");
    settings.tol = s->tol;
    settings.max_iter = (int)s->max_iter;
    settings.progress = cli_progress_call;
    settings.context = progress;
    return settings;
}

static dlp_status report_fit(const fit_settings *s, const dlp_settings *settings,
                             const work *w, dlp_error *error)
{
    const bool to_stdout = !strcmp(s->output, "-");
    const cli_unigram fit = {
        .corpus_path = s->corpus,
        .vocab_path = s->vocab,
        .output_path = cli_output_path(s->output),
        .corpus = w->corpus,
        .settings = settings,
        .result = dlp_fit_result(w->fit),
        .sd = w->sd,
        .sd_given_z = w->sd_given_z,
        .z_summed_out = w->z_summed_out,
        .dirichlet = dlp_unigram_dirichlet(w->unigram),
    };
    const dlp_status status = write_fit(&fit, error);
    if (status != DLP_OK || to_stdout) return status;
    return print_fit(&fit, s, error);
}

static int run(const void *command_settings)
{
    const fit_settings *s = command_settings;
    if (cli_corpus_reads_stdin_twice(cli_unigram_fit.name, s->corpus, s->vocab))
        return CLI_MISUSE;
    cli_progress progress = {0};
    const dlp_settings settings = engine_settings(s, &progress);
    work w = {0};
    dlp_error error = {""};
    dlp_status status = dlp_file_try(cli_output_path(s->output), &error);
    if (status == DLP_OK)
        status = cli_corpus_open(s->corpus, s->format, s->vocab, &w.corpus, &error);
    if (status == DLP_OK) {
        progress = cli_progress_begin("fitting");
        status = fit_corpus(&w, &settings, &error);
        cli_progress_end();
        status = cli_in_file(s->corpus, status, &error);
    }
    if (status == DLP_OK) status = report_fit(s, &settings, &w, &error);
    const int code = status == DLP_OK ? cli_outcome_exit(dlp_fit_result(w.fit)->outcome)
                                      : cli_failed(status, &error);
    free_work(&w);
    return code;
}

static const cli_operand operands[] = {
    CLI_CORPUS_OPERAND(offsetof(fit_settings, corpus)),
    {.name = NULL},
};

#define FIELD(name) offsetof(fit_settings, name)

static const cli_option options[] = {
    CLI_FIT_OUTPUT(FIELD(output)),
    CLI_VOCAB(FIELD(vocab)),
    CLI_CORPUS_FORMAT(FIELD(format)),
    {.name = "method",
     .type = CLI_CHOICE,
     .value = "METHOD",
     .offset = FIELD(method),
     .choices = dlp_method_name,
     .initial = "laplace",
     .help = "How the posterior of theta is approximated: laplace, a Gaussian at its "
             "mode; delta, a Gaussian near its mean; previous-mean, by an expansion at "
             "the last iteration's mean."},
    {.name = "route",
     .type = CLI_CHOICE,
     .value = "ROUTE",
     .offset = FIELD(route),
     .choices = route_name,
     .initial = "fast",
     .help = "plain follows the paper's Figure 1 to the letter; fast reaches the same "
             "solution sooner, by Anderson acceleration."},
    {.name = "diagonal",
     .offset = FIELD(diagonal),
     .help = "Ignore posterior correlations: give theta a diagonal covariance."},
    {.name = "tol",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(tol),
     .initial = "1e-8",
     .above = true,
     .max = 1,
     .help = "Stop when the posterior mean moves by no more than this, relative to its "
             "norm."},
    {.name = "max-iter",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(max_iter),
     .initial = "1000",
     .min = 1,
     .max = 1000000,
     .help = "Stop after this many iterations at the latest."},
    {.name = "top",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(top),
     .initial = "10",
     .max = 1000000,
     .help = "How many terms the summary shows."},
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_unigram_fit = {
    .name = "unigram fit",
    .summary = "fit the paper's language model to a corpus of word counts",
    .description =
        "Fits the running example of the paper: theta ~ N(0, I), the word proportions of "
        "each document are drawn from Dirichlet(exp theta), and its words from these "
        "proportions. The posterior of theta is approximated by a normal distribution, "
        "that of each document's proportions by a Dirichlet.\n\nThe result is a JSON "
        "file: for every term the mean, sd and 95 % interval of theta and the expected "
        "Dirichlet parameter E[exp theta], and the approximate log evidence (objective) "
        "at every iteration. The sd accounts for the uncertainty of the documents' "
        "proportions; sd_given_z is the paper's, which holds them fixed and is too "
        "small. The same corpus and options give the same bytes.",
    .example = "  delaplace unigram fit data/packages.ldac -o unigram.json\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(fit_settings),
    .run = run,
};
