/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON as the program prints it; see io/json.h for how to make values. */
#ifndef DLP_CLI_JSON_H
#define DLP_CLI_JSON_H

#include "io/json.h"

#include <delaplace.h>

/* Prints the value on stdout, starting on a new line. */
dlp_status cli_json_print(const json_t *value, dlp_error *error);

/* Adds a value to the object, which takes ownership of it. Returns NULL, with the object
   freed, when out of memory for either. */
json_t *cli_json_with(json_t *object, const char *key, json_t *value);

#endif
