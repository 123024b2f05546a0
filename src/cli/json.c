/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/json.h"

#include <stdio.h>
#include <stdlib.h>

dlp_status cli_json_print(const json_t *value, dlp_error *error)
{
    size_t size;
    char *lines = dlpi_json_lines(value, &size);
    if (!lines)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the JSON result");
    fwrite(lines, 1, size, stdout); /* cli_close_output checks what was written */
    free(lines);
    return DLP_OK;
}

json_t *cli_json_with(json_t *object, const char *key, json_t *value)
{
    if (object && json_object_set_new(object, key, value) == 0) return object;
    if (!object) json_decref(value);
    json_decref(object);
    return NULL;
}
