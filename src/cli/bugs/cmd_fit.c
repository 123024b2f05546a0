/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace bugs fit: the posterior of a model in the language of BUGS. */
#include "cli/bugs/view.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/outcome.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fit_settings {
    cli_common common;
    const char *model, *data, *inits, *output, *monitor, *draws_path;
    dlp_index draws, seed, threads;
    bool explain, json;
} fit_settings;

static dlp_status fit_model(const fit_settings *s, dlp_bugs *model, dlp_error *error)
{
    cli_words_of monitors = {0};
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    cli_progress progress = cli_progress_begin("fitting");
    CLI_TRY(cli_bugs_split(s->monitor, &monitors, error));
    settings.monitor = (const char *const *)monitors.word;
    settings.n_monitors = monitors.n;
    settings.draws = s->draws;
    settings.seed = (unsigned long)s->seed;
    settings.threads = (int)s->threads;
    settings.progress = cli_progress_call;
    settings.context = &progress;
    const dlp_status status = dlp_bugs_fit(model, &settings, error);
    cli_progress_end();
    cli_bugs_words_free(&monitors);
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

static dlp_status tell(const fit_settings *s, const dlp_bugs *model, dlp_error *error)
{
    const bool to_stdout = s->output && !strcmp(s->output, "-");
    if (s->output) CLI_TRY(dlp_bugs_save(model, cli_output_path(s->output), error));
    if (s->draws_path) CLI_TRY(cli_bugs_write_draws(model, s->draws_path, error));
    if (to_stdout) return DLP_OK;
    if (s->json) return print_json(model, error);
    if (s->common.quiet) return DLP_OK;
    if (s->explain) cli_bugs_print_plan(model);
    cli_bugs_print(model, s->model);
    return DLP_OK;
}

static dlp_status fit(const fit_settings *s, dlp_bugs **model, dlp_error *error)
{
    if (s->output) CLI_TRY(dlp_file_try(cli_output_path(s->output), error));
    CLI_TRY(cli_bugs_read(s->model, s->data, s->inits, model, error));
    CLI_TRY(fit_model(s, *model, error));
    return tell(s, *model, error);
}

static int run(const void *command_settings)
{
    const fit_settings *s = command_settings;
    dlp_bugs *model = NULL;
    dlp_error error = {""};
    const dlp_status status = fit(s, &model, &error);
    const int code = status == DLP_OK
                         ? cli_outcome_exit(dlp_bugs_result_of(model)->outcome)
                         : cli_bugs_failed(model, status, &error);
    dlp_bugs_free(model);
    return code;
}

static void defaults(void *settings)
{
    fit_settings *s = settings;
    const dlp_bugs_settings library = dlp_bugs_settings_default();
    s->draws = library.draws;
    s->seed = (dlp_index)library.seed;
}

static const cli_operand operands[] = {
    CLI_BUGS_MODEL(offsetof(fit_settings, model)),
    {.name = NULL},
};

#define FIELD(name) offsetof(fit_settings, name)

static const cli_option options[] = {
    CLI_BUGS_DATA(FIELD(data)),
    CLI_BUGS_INITS(FIELD(inits)),
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
     .help = "The nodes to summarise, parted by commas: 'alpha, beta[2,1], b[1:5]'. "
             "Without it, all that are unknown, but for arrays of more than 2,000."},
    {.name = "explain",
     .offset = FIELD(explain),
     .help = "Print how the unknowns of each relation are treated, and why."},
    {.name = "draws",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(draws),
     .of_library = true,
     .min = 2,
     .max = 1e7,
     .help = "How many draws there are of the posterior, for nodes that are functions of "
             "others, and for quantiles."},
    {.name = "draws-to",
     .type = CLI_PATH,
     .value = "FILE.csv",
     .offset = FIELD(draws_path),
     .help = "Write the draws to this file, a column a node, as CmdStan does: R's "
             "posterior and Python's ArviZ read it."},
    {.name = "seed",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(seed),
     .of_library = true,
     .max = 9e15,
     .help = "The seed of the draws."},
    {.name = "threads",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(threads),
     .max = 1024,
     .help = "How many threads work; 0, the default: one for each processor. The answer "
             "is the same, to the last bit."},
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_bugs_fit = {
    .name = "bugs fit",
    .summary = "fit a model written in the language of BUGS and JAGS",
    .description =
        "Reads a model as JAGS 4.3 does, with its data (R's dump format, JSON or CSV), "
        "and prints mean, sd and quantiles of its unknown nodes, as JAGS's summary has "
        "them. Nothing is sampled: scales and other parameters that are no locations are "
        "integrated over by points, unknowns that are independent of each other given the "
        "rest are integrated out one by one, discrete ones are summed over, and all "
        "others are one Gaussian. The same model and data give the same numbers each "
        "time.",
    .example = "  delaplace bugs fit model.bug --data data.R -o fit.json\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(fit_settings),
    .defaults = defaults,
    .run = run,
};
