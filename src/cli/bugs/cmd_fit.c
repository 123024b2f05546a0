/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace bugs fit: the posterior of a model written in the BUGS language. */
#include "cli/bugs/source.h"
#include "cli/bugs/view.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/outcome.h"
#include "cli/progress.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fit_settings {
    cli_common common;
    cli_bugs_source source;
    const char *output, *monitor, *draws_path, *coda, *report;
    const char *hyper, *factor, *method;
    cli_list node;
    dlp_index draws, seed, threads, verify;
    bool explain, json;
} fit_settings;

/* Words separated by commas; a comma inside brackets does not separate. */
typedef struct words {
    int n;
    char **word;
} words;

static void free_words(words *w)
{
    for (int i = 0; i < w->n; i++) free(w->word[i]);
    free(w->word);
}

static dlp_status add_word(words *w, const char *from, size_t size, dlp_error *error)
{
    while (size > 0 && isspace((unsigned char)*from)) from++, size--;
    while (size > 0 && isspace((unsigned char)from[size - 1])) size--;
    if (size == 0) return DLP_OK;
    char **to = realloc(w->word, (size_t)(w->n + 1) * sizeof *to);
    if (to) w->word = to;
    char *word = to ? strndup(from, size) : NULL;
    if (!word) return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    w->word[w->n++] = word;
    return DLP_OK;
}

static dlp_status split(const char *text, words *w, dlp_error *error)
{
    const char *from = text;
    int depth = 0;
    for (const char *at = text; text; at++) {
        depth += (*at == '[') - (*at == ']');
        if (*at && (*at != ',' || depth > 0)) continue;
        CLI_TRY(add_word(w, from, (size_t)(at - from), error));
        if (!*at) break;
        from = at + 1;
    }
    return DLP_OK;
}

static dlp_status fit_model(const fit_settings *s, dlp_bugs *model, dlp_error *error)
{
    words monitors = {0};
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    dlp_status status = split(s->monitor, &monitors, error);
    cli_progress progress = cli_progress_begin("fitting");
    settings.monitor = (const char *const *)monitors.word;
    settings.n_monitors = monitors.n;
    settings.hyper = s->hyper;
    settings.factor = s->factor;
    settings.method = s->method;
    settings.node = s->node.item;
    settings.n_nodes = s->node.n;
    settings.draws = s->draws;
    settings.seed = (unsigned long)s->seed;
    settings.verify = s->verify;
    settings.threads = (int)s->threads;
    settings.progress = cli_progress_call;
    settings.context = &progress;
    if (status == DLP_OK) status = dlp_bugs_fit(model, &settings, error);
    cli_progress_end();
    free_words(&monitors);
    return status;
}

static dlp_status print_json(const dlp_bugs *model, dlp_error *error)
{
    char *text;
    size_t size;
    CLI_TRY(dlp_bugs_json(model, &text, &size, error));
    fwrite(text, 1, size, stdout); /* cli_close_output checks what was written */
    free(text);
    return DLP_OK;
}

/* Writes all files of a fit, or none of them. */
static dlp_status write_files(const fit_settings *s, const dlp_bugs *model,
                              dlp_error *error)
{
    const char *path = s->output ? cli_output_path(s->output) : NULL;
    dlp_file_set *files = NULL;
    CLI_TRY(dlp_file_set_alloc(&files, error));
    dlp_status status =
        dlp_bugs_add_files(model, path, s->draws_path, s->coda, files, error);
    if (status == DLP_OK && s->report)
        status = cli_bugs_report(model, s->source.model, s->report, files, error);
    if (status == DLP_OK) status = dlp_file_set_commit(files, error);
    dlp_file_set_free(files);
    return status;
}

static dlp_status tell(const fit_settings *s, const dlp_bugs *model, dlp_error *error)
{
    const bool to_stdout = cli_is_stdout(s->output) || cli_is_stdout(s->report);
    CLI_TRY(write_files(s, model, error));
    if (to_stdout) return DLP_OK;
    if (s->json) return print_json(model, error);
    /* --quiet skips the answers only if some file has them */
    if (s->common.quiet && (s->output || s->draws_path || s->coda || s->report))
        return DLP_OK;
    if (s->explain) cli_bugs_print_plan(model);
    cli_bugs_print(model, s->source.model, s->verify > 0);
    return DLP_OK;
}

static dlp_status fit(const fit_settings *s, dlp_bugs *model, dlp_error *error)
{
    CLI_TRY(fit_model(s, model, error));
    return tell(s, model, error);
}

static int run(const void *command_settings)
{
    const fit_settings *s = command_settings;
    dlp_bugs *model = NULL;
    dlp_error error = {0};
    dlp_status status = DLP_OK;
    if (s->verify > 0 && s->verify < DLP_BUGS_LEAST_DRAWS)
        return cli_misuse(
            cli_bugs_fit_command.name,
            "--verify %td: at least %d draws are needed; 0 turns the check off",
            s->verify, DLP_BUGS_LEAST_DRAWS);
    if (cli_is_stdout(s->report) && (cli_is_stdout(s->output) || s->json))
        return cli_misuse(
            cli_bugs_fit_command.name,
            "--report - and %s both write to standard output; name a file for the report",
            s->json ? "--json" : "--output -");
    if (s->output) status = dlp_file_try(cli_output_path(s->output), &error);
    if (status != DLP_OK) return cli_failed(status, &error);
    int code =
        cli_bugs_open(cli_bugs_fit_command.name, &s->source, s->common.quiet, &model);
    if (code != CLI_DONE) return code;
    status = fit(s, model, &error);
    code = status == DLP_OK ? cli_outcome_exit(dlp_bugs_result_of(model)->outcome)
                            : cli_failed(status, &error);
    dlp_bugs_free(model);
    return code;
}

static void defaults(void *settings)
{
    fit_settings *s = settings;
    const dlp_bugs_settings library = dlp_bugs_settings_default();
    s->draws = library.draws;
    s->verify = library.verify;
    s->seed = (dlp_index)library.seed;
}

static const cli_operand operands[] = {
    CLI_BUGS_MODEL(offsetof(fit_settings, source.model)),
    {.name = NULL},
};

#define FIELD(name) offsetof(fit_settings, name)

static const cli_option options[] = {
    CLI_BUGS_DATA(FIELD(source.data)),
    CLI_BUGS_INITS(FIELD(source.inits)),
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FIT.json",
     .offset = FIELD(output),
     .help = "Write the result to this file as JSON: whole or not at all. - is standard "
             "output, without the table."},
    {.name = "monitor",
     .type = CLI_STRING,
     .value = "NODES",
     .offset = FIELD(monitor),
     .help = "The nodes to summarise, separated by commas: 'alpha, beta[2,1], "
             "b[1:5]'; deviance is the deviance of the data. Without it: all "
             "unknown nodes, except arrays of more than 2,000 elements."},
    {.name = "explain",
     .offset = FIELD(explain),
     .help = "Print how the unknowns of each relation are treated, and why."},
    {.name = "hyper",
     .type = CLI_CHOICE,
     .choices = dlp_bugs_hyper,
     .value = "WAY",
     .offset = FIELD(hyper),
     .help = "integrate, the default: scales and other parameters that are not "
             "locations are integrated over. factor: the paper's coordinate "
             "ascent; all locations are one Gaussian, and every other node is a "
             "factor of q of its own, exact where it is conjugate."},
    {.name = "factor",
     .type = CLI_CHOICE,
     .choices = dlp_bugs_factor,
     .value = "SIZE",
     .offset = FIELD(factor),
     .help = "scalar: every node, including locations, is a factor of q of its own "
             "(Appendix A of the paper); this implies --hyper factor. joint, the "
             "default: locations share one."},
    {.name = "method",
     .type = CLI_CHOICE,
     .choices = dlp_bugs_method,
     .value = "NAME",
     .offset = FIELD(method),
     .help = "How factors that are not conjugate are updated: laplace, the "
             "default, or delta."},
    {.name = "node",
     .type = CLI_LIST,
     .value = "NODE=NAME",
     .offset = FIELD(node),
     .help = "The method of a variable, laplace, delta or conjugate, as in tau=delta. "
             "Refused "
             "where it is impossible."},
    {.name = "draws",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(draws),
     .of_library = true,
     .min = 100,
     .max = 1e7,
     .help = "How many draws to make from the posterior, for nodes that are "
             "functions of others and for quantiles."},
    {.name = "draws-to",
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(draws_path),
     .help = "Write the draws to this file, one column per node, in CmdStan's "
             "layout, which R's posterior and Python's ArviZ read."},
    {.name = "coda",
     .type = CLI_PATH,
     .value = "PREFIX",
     .offset = FIELD(coda),
     .help = "Write the draws to PREFIXindex.txt and PREFIXchain1.txt, as JAGS does: "
             "coda's read.coda reads them."},
    {.name = "report",
     .type = CLI_PATH,
     .value = "FILE.html",
     .offset = FIELD(report),
     .help = "Write an HTML page with the nodes, their densities, the doubts "
             "about them and the plan."},
    {.name = "seed",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(seed),
     .of_library = true,
     .max = 9e15,
     .help = "The seed for the draws."},
    {.name = "verify",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(verify),
     .max = 1e7,
     .help = "Check the answer with N weighted draws around it, and print their "
             "answer and a grade beside it; 0 turns this off. Without it, the "
             "answer is checked where that is cheap. Answers that turn out to "
             "be off are replaced by those of the draws, and the output says so."},
    {.name = "threads",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(threads),
     .max = 1024,
     .help = "How many threads; 0, the default, is one for each core that the process "
             "may use. The result does not depend on it."},
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_bugs_fit_command = {
    .name = "bugs fit",
    .summary = "fit a model written in the language of BUGS and JAGS",
    .description =
        "Reads a model as JAGS 4.3 does, with its data (R's dump format, JSON or CSV), "
        "and prints mean, sd and quantiles of its unknown nodes, like JAGS's summary. "
        "Nothing is sampled: scales and other parameters that are not locations are "
        "integrated over numerically, unknowns that are independent of each other given "
        "the rest are integrated out one by one, discrete ones are summed out, and all "
        "others share one Gaussian. The same model and data give the same numbers each "
        "time.",
    .example = "  delaplace bugs fit model.bug --data data.R -o posterior.json\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(fit_settings),
    .defaults = defaults,
    .run = run,
};
