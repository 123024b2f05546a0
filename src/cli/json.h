/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON as the program writes it: io/json.h, and its way to stdout. */
#ifndef DLP_CLI_JSON_H
#define DLP_CLI_JSON_H

#include "io/json.h"

#include <delaplace.h>

static inline json_t *cli_json_real(double x)
{
    return dlpi_json_real(x);
}

static inline json_t *cli_json_text(const char *text)
{
    return dlpi_json_text(text);
}

static inline dlp_status cli_json_write(const json_t *value, const char *path,
                                        dlp_error *error)
{
    return dlpi_json_write(value, path, error);
}

static inline dlp_status cli_json_read(const char *path, json_t **value, dlp_error *error)
{
    return dlpi_json_read(path, value, error);
}

/* Prints the value on stdout, from a line of its own on. */
dlp_status cli_json_print(const json_t *value, dlp_error *error);

#endif
