/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON as the program prints it; io/json.h says how values are made. */
#ifndef DLP_CLI_JSON_H
#define DLP_CLI_JSON_H

#include "io/json.h"

#include <delaplace.h>

/* Prints the value on stdout, from a line of its own on. */
dlp_status cli_json_print(const json_t *value, dlp_error *error);

#endif
