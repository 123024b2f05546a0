/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace unigram fit: the paper's running example on a corpus. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/corpus/source.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/method.h"
#include "cli/outcome.h"
#include "cli/progress.h"
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

static dlp_status print_json(const dlp_unigram_fit *fit, dlp_error *error)
{
    char *text;
    size_t size;
    CLI_TRY(dlp_unigram_fit_json(fit, 1, &text, &size, error));
    fwrite(text, 1, size, stdout); /* cli_close_output checks what was written */
    free(text);
    return DLP_OK;
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

static dlp_status report_fit(const fit_settings *s, const dlp_unigram_fit *fit,
                             dlp_error *error)
{
    const cli_unigram shown = {
        .corpus_path = s->corpus,
        .vocab_path = s->vocab,
        .output_path = cli_output_path(s->output),
        .fit = fit,
    };
    CLI_TRY(dlp_unigram_fit_save(fit, shown.output_path, error));
    if (!strcmp(s->output, "-")) return DLP_OK;
    if (s->json) return print_json(fit, error);
    if (s->common.quiet) return DLP_OK;
    return cli_unigram_print(&shown, s->top, isatty(STDOUT_FILENO), error);
}

/* Terms that never occur still cost time, so note when ids imply far too many of
   them. */
static void note_absent_terms(const fit_settings *s, const dlp_corpus *corpus)
{
    if (!dlp_unigram_is_slowed(corpus)) return;
    cli_note(
        "%s: its ids imply %td terms, of which at most %td occur; the others slow the "
        "fit down by several seconds. Number only the terms that occur to avoid this",
        cli_input_name(s->corpus), corpus->V, corpus->nnz);
}

static dlp_status fit_corpus(const fit_settings *s, dlp_unigram_fit **fit,
                             dlp_error *error)
{
    dlp_corpus *corpus = NULL;
    CLI_TRY(dlp_file_try(cli_output_path(s->output), error));
    CLI_TRY(cli_corpus_open(s->corpus, s->format, s->vocab, &corpus, error));
    note_absent_terms(s, corpus);
    cli_progress progress = cli_progress_begin("fitting");
    const dlp_settings settings = engine_settings(s, &progress);
    const dlp_status status = dlp_unigram_fit_run(corpus, &settings, fit, error);
    cli_progress_end();
    dlp_corpus_free(corpus);
    return cli_in_file(s->corpus, status, error);
}

static int run(const void *command_settings)
{
    const fit_settings *s = command_settings;
    if (cli_corpus_reads_stdin_twice(cli_unigram_fit.name, s->corpus, s->vocab))
        return CLI_MISUSE;
    dlp_unigram_fit *fit = NULL;
    dlp_error error = {0};
    dlp_status status = fit_corpus(s, &fit, &error);
    if (status == DLP_OK) status = report_fit(s, fit, &error);
    const int code = status == DLP_OK
                         ? cli_outcome_exit(dlp_unigram_fit_result(fit)->engine->outcome)
                         : cli_failed(status, &error);
    dlp_unigram_fit_free(fit);
    return code;
}

static void defaults(void *settings)
{
    fit_settings *s = settings;
    const dlp_settings library = dlp_settings_default();
    s->method = library.method;
    s->route = cli_route(library.plain != 0);
    s->tol = library.tol;
    s->max_iter = library.max_iter;
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
     .of_library = true,
     .help = "How the posterior of theta is approximated: laplace, a Gaussian at its "
             "mode; delta, a Gaussian near its mean; previous-mean, by an expansion at "
             "the last iteration's mean."},
    CLI_ROUTE(FIELD(route), "Anderson acceleration"),
    {.name = "diagonal",
     .offset = FIELD(diagonal),
     .help = "Ignore posterior correlations: give theta a diagonal covariance."},
    {.name = "tol",
     .type = CLI_REAL,
     .value = "X",
     .offset = FIELD(tol),
     .of_library = true,
     .above = true,
     .max = 1,
     .help = "Stop when the posterior mean moves by no more than this, relative to its "
             "norm."},
    CLI_MAX_ITER(FIELD(max_iter)),
    CLI_TOP_TERMS(FIELD(top)),
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
    .defaults = defaults,
    .run = run,
};
