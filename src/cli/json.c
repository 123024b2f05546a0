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
