/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seventeen digits tell every double from its neighbours. */
#define FORMAT (JSON_INDENT(1) | JSON_REAL_PRECISION(17))

json_t *cli_json_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *latin1_text(const char *text)
{
    char *utf8 = malloc(2 * strlen(text) + 1);
    if (!utf8) return NULL;
    char *end = utf8;
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte < 0x80) {
            *end++ = *text;
        } else {
            *end++ = (char)(0xC0 | (byte >> 6));
            *end++ = (char)(0x80 | (byte & 0x3F));
        }
    }
    *end = '\0';
    json_t *value = json_string(utf8);
    free(utf8);
    return value;
}

json_t *cli_json_text(const char *text)
{
    json_t *value = json_string(text); /* NULL when not UTF-8 */
    return value ? value : latin1_text(text);
}

/* The value as text with a final newline, to be freed; NULL without memory. */
static char *dump_line(const json_t *value, size_t *size)
{
    char *text = json_dumps(value, FORMAT);
    if (!text) return NULL;
    *size = strlen(text);
    text[(*size)++] = '\n'; /* in the place of the NUL: the size tells the end */
    return text;
}

static dlp_status no_memory(dlp_error *error)
{
    return dlp_fail(error, DLP_ENOMEM, "not enough memory for the JSON result");
}

dlp_status cli_json_print(const json_t *value, dlp_error *error)
{
    size_t size;
    char *line = dump_line(value, &size);
    if (!line) return no_memory(error);
    fwrite(line, 1, size, stdout); /* cli_close_output checks what was written */
    free(line);
    return DLP_OK;
}

dlp_status cli_json_write(const json_t *value, const char *path, dlp_error *error)
{
    size_t size;
    char *line = dump_line(value, &size);
    if (!line) return no_memory(error);
    const dlp_status status = dlp_file_write(path, line, size, error);
    free(line);
    return status;
}
