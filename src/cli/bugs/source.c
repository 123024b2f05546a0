/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/bugs/source.h"

#include "cli/message.h"
#include "cli/print.h"

#include <stdio.h>
#include <string.h>

static bool is_stdin(const char *path)
{
    return path && !strcmp(path, "-");
}

static void tell(const dlp_bugs *bugs, bool quiet)
{
    dlp_bugs_message m;
    dlp_index shown = 0;
    for (dlp_index i = 0; dlp_bugs_message_at(bugs, i, &m); i++) {
        if (!m.is_error && quiet) continue;
        cli_print_message(m.text);
        shown += m.is_error;
    }
    if (dlp_bugs_errors(bugs) > shown)
        fprintf(stderr, "%td more error%s\n", dlp_bugs_errors(bugs) - shown,
                cli_plural(dlp_bugs_errors(bugs) - shown));
}

int cli_bugs_open(const char *command, const cli_bugs_source *source, bool quiet,
                  dlp_bugs **bugs)
{
    const int n_stdin =
        is_stdin(source->model) + is_stdin(source->data) + is_stdin(source->inits);
    dlp_error error = {0};
    *bugs = NULL;
    if (n_stdin > 1)
        return cli_misuse(command, "only one file can be read from standard input");
    dlp_bugs_input input = dlp_bugs_input_default();
    input.model_path = source->model;
    input.n_data_paths = source->data != NULL;
    input.data_path = &source->data;
    input.n_inits_paths = source->inits != NULL;
    input.inits_path = &source->inits;
    const dlp_status status = dlp_bugs_read(&input, bugs, &error);
    if (!*bugs) return cli_failed(status, &error);
    tell(*bugs, quiet);
    if (status == DLP_OK) return CLI_DONE;
    dlp_bugs_free(*bugs);
    *bugs = NULL;
    return CLI_WRONG_INPUT;
}
