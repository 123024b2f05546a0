/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cmd_version.h"

#include "cli/json.h"
#include "cli/nouns.h"
#include "cli/say.h"

#include <stdio.h>

typedef struct version_settings {
    cli_common common;
    bool json;
} version_settings;

int cli_print_version(bool as_json)
{
    if (!as_json) {
        printf("delaplace %s\n", DLP_VERSION);
        return CLI_DONE;
    }
    dlp_error error = {""};
    json_t *object = json_pack("{s:s, s:s}", "name", "delaplace", "version", DLP_VERSION);
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
     .help = "Print it as a JSON object."},
    {.name = NULL},
};

const cli_command cli_version = {
    .name = "version",
    .summary = "print the version of the program and of its library",
    .description = "Prints the version of the program and of its library, which are one.",
    .options = options,
    .settings_size = sizeof(version_settings),
    .run = run,
};
