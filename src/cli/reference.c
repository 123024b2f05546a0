/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/reference.h"

#include "cli/message.h"

#include <stdlib.h>
#include <string.h>

void cli_references_clear(cli_references *references)
{
    free(references->item);
    free(references->text);
    *references = (cli_references){0};
}

/* The comma that ends the COLUMN=LEVEL at text; NULL: it is the last. */
static char *end_of(char *text)
{
    for (char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ',')) {
        const char *next = comma + 1 + strcspn(comma + 1, ",=");
        if (*next == '=') return comma;
    }
    return NULL;
}

static dlp_status fail_shape(const char *part, dlp_error *error)
{
    return dlp_fail(
        error, DLP_EINVAL,
        "--reference takes COLUMN=LEVEL, or several separated by commas, not '%.80s'",
        part);
}

/* Splits one COLUMN=LEVEL, in place. */
static dlp_status take_apart(char *part, dlp_reference *reference, dlp_error *error)
{
    char *sign = strchr(part, '=');
    if (!sign || sign == part || !sign[1]) return fail_shape(part, error);
    *sign = '\0';
    *reference = (dlp_reference){.column = part, .level = sign + 1};
    return DLP_OK;
}

static dlp_status read_all(cli_references *references, dlp_error *error)
{
    for (char *part = references->text; part;) {
        char *comma = end_of(part);
        if (comma) *comma = '\0';
        CLI_TRY(take_apart(part, &references->item[references->n], error));
        references->n++;
        part = comma ? comma + 1 : NULL;
    }
    return DLP_OK;
}

dlp_status cli_references_read(const char *typed, cli_references *references,
                               dlp_error *error)
{
    *references = (cli_references){0};
    if (!typed) return DLP_OK;
    references->text = strdup(typed);
    references->item = calloc(strlen(typed) + 1, sizeof *references->item);
    dlp_status status = DLP_ENOMEM;
    if (references->text && references->item)
        status = read_all(references, error);
    else
        (void)dlp_fail(error, DLP_ENOMEM, "not enough memory for --reference");
    if (status != DLP_OK) cli_references_clear(references);
    return status;
}

/* ---- levels ---- */

void cli_levels_clear(cli_levels *levels)
{
    free((void *)levels->name);
    free(levels->text);
    *levels = (cli_levels){0};
}

dlp_status cli_levels_read(const char *typed, cli_levels *levels, dlp_error *error)
{
    *levels = (cli_levels){0};
    if (!typed) return DLP_OK;
    levels->text = strdup(typed);
    levels->name = calloc(strlen(typed) + 1, sizeof *levels->name);
    if (!levels->text || !levels->name) {
        cli_levels_clear(levels);
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for --levels");
    }
    for (char *at = levels->text; at;) {
        char *quote = *at == '"' ? strchr(at + 1, '"') : NULL; /* may hold commas */
        char *comma = strchr(quote ? quote : at, ',');
        if (comma) *comma = '\0';
        if (quote) *quote = '\0';
        levels->name[levels->n++] = quote ? at + 1 : at;
        at = comma ? comma + 1 : NULL;
    }
    return DLP_OK;
}
