/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace bugs graph: the plate diagram of a model. */
#include "cli/bugs/source.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/message.h"

#include <string.h>
#include <sys/stat.h>

typedef struct graph_settings {
    cli_common common;
    cli_bugs_source source;
    const char *output;
} graph_settings;

/* A pipe gives its content once. */
static bool can_be_read_again(const char *path)
{
    struct stat st;
    return !path || (stat(path, &st) == 0 && S_ISREG(st.st_mode));
}

/* Warns about a cycle, since the picture alone would not make it obvious. */
static void note_cycle(const dlp_bugs_input *input)
{
    dlp_bugs *model = NULL;
    dlp_error error = {0};
    if (!can_be_read_again(input->model_path) || !can_be_read_again(*input->data_path))
        return;
    (void)dlp_bugs_read(input, &model, &error);
    dlp_bugs_message m;
    for (dlp_index i = 0; model && dlp_bugs_message_at(model, i, &m); i++)
        if (m.is_cycle)
            cli_note("%s, line %d: %s; such a model has no posterior.",
                     m.file ? m.file : "the model", m.line, m.message);
    dlp_bugs_free(model);
}

static int run(const void *command_settings)
{
    const graph_settings *s = command_settings;
    dlp_error error = {0};
    dlp_bugs_input input = dlp_bugs_input_default();
    input.model_path = s->source.model;
    input.n_data_paths = s->source.data != NULL;
    input.data_path = &s->source.data;
    const dlp_status status =
        dlp_bugs_save_drawing(&input, cli_output_path(s->output), &error);
    if (status != DLP_OK) return cli_failed(status, &error);
    note_cycle(&input);
    return CLI_DONE;
}

#define FIELD(name) offsetof(graph_settings, name)

static const cli_operand operands[] = {
    CLI_BUGS_MODEL(FIELD(source.model)),
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_BUGS_DATA(FIELD(source.data)),
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "FILE.svg",
     .offset = FIELD(output),
     .required = true,
     .help =
         "Write the picture to this file: whole or not at all. - is standard output."},
    {.name = NULL},
};

const cli_command cli_bugs_graph_command = {
    .name = "bugs graph",
    .summary = "draw the plate diagram of a model",
    .description =
        "Draws a model in the language of BUGS and JAGS as a plate "
        "diagram, in SVG: a circle is a variable, a dashed one is computed "
        "from others, a rectangle is data that nothing defines, an arrow "
        "leads from what a relation mentions to what it defines, and a box "
        "stands for a loop, with its index and range. Given the data, "
        "observed variables are shaded, partly observed ones more lightly.",
    .example = "  delaplace bugs graph rats.bug --data rats.json -o rats.svg\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(graph_settings),
    .run = run,
};
