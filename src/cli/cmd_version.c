/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cmd_version.h"

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/message.h"

#include <stdio.h>
#include <string.h>

typedef struct version_settings {
    cli_common common;
    bool json;
} version_settings;

/* The words of a text, separated by blanks, as a list; NULL when out of memory. */
static json_t *words_json(const char *text)
{
    json_t *list = json_array();
    int failed = !list;
    while (!failed && *text) {
        const size_t length = strcspn(text, " ");
        failed = json_array_append_new(list, json_stringn(text, length));
        text += length;
        text += *text == ' ';
    }
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

static json_t *version_json(void)
{
    const dlp_build build = dlp_build_facts();
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:i, s:b, s:b, s:b, s:b, s:b, s:b, s:o, s:s}", "name",
        "delaplace", "version", build.version, "compiler", build.compiler, "build_type",
        build.type, "blas", build.blas, "openmp", build.openmp, "mpi", (int)build.mpi,
        "static", DLP_STATIC, "text", (int)build.text, "icu", (int)build.icu, "libxml2",
        (int)build.libxml2, "compression", (int)build.compression, "instruction_sets",
        words_json(build.instruction_sets), "instruction_set", build.instruction_set);
}

int cli_print_version(bool as_json)
{
    if (!as_json) {
        printf("delaplace %s\n", DLP_VERSION);
        return CLI_DONE;
    }
    dlp_error error = {0};
    json_t *object = version_json();
    const dlp_status status = cli_json_print(object, &error);
    json_decref(object);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static int run(const void *settings)
{
    return cli_print_version(((const version_settings *)settings)->json);
}

static const cli_option options[] = {
    {.name = "json",
     .offset = offsetof(version_settings, json),
     .help = "Print a JSON object, with how the program was built and which instruction "
             "sets it uses on this machine."},
    {.name = NULL},
};

const cli_command cli_version = {
    .name = "version",
    .summary = "print the version of the program and of its library",
    .description =
        "Prints the version of the program and of its library, which share one number.",
    .options = options,
    .settings_size = sizeof(version_settings),
    .run = run,
};
