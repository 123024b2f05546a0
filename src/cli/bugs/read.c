/* SPDX-License-Identifier: BSD-3-Clause */
/* Words, models and data from the command line. */
#include "cli/bugs/view.h"
#include "cli/message.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dlp_status add(cli_words_of *words, const char *from, size_t size, dlp_error *error)
{
    while (size > 0 && isspace((unsigned char)*from)) from++, size--;
    while (size > 0 && isspace((unsigned char)from[size - 1])) size--;
    if (size == 0) return DLP_OK;
    char **to = realloc(words->word, (size_t)(words->n + 1) * sizeof *to);
    if (to) words->word = to;
    char *word = to ? strndup(from, size) : NULL;
    if (!word) return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    words->word[words->n++] = word;
    return DLP_OK;
}

dlp_status cli_bugs_split(const char *text, cli_words_of *words, dlp_error *error)
{
    const char *from = text;
    int depth = 0;
    *words = (cli_words_of){0};
    for (const char *at = text; text; at++) {
        depth += (*at == '[') - (*at == ']');
        if (*at && (*at != ',' || depth > 0)) continue;
        CLI_TRY(add(words, from, (size_t)(at - from), error));
        if (!*at) break;
        from = at + 1;
    }
    return DLP_OK;
}

void cli_bugs_words_free(cli_words_of *words)
{
    for (int i = 0; i < words->n; i++) free(words->word[i]);
    free(words->word);
    *words = (cli_words_of){0};
}

dlp_status cli_bugs_read(const char *model_path, const char *data, const char *inits,
                         dlp_bugs **model, dlp_error *error)
{
    cli_words_of files = {0}, starts = {0};
    dlp_bugs_source source = dlp_bugs_source_default();
    dlp_status status = cli_bugs_split(data, &files, error);
    if (status == DLP_OK) status = cli_bugs_split(inits, &starts, error);
    source.model_path = model_path;
    source.data_path = (const char *const *)files.word;
    source.n_data_paths = files.n;
    source.inits_path = (const char *const *)starts.word;
    source.n_inits_paths = starts.n;
    if (status == DLP_OK) status = dlp_bugs_read(&source, model, error);
    cli_bugs_words_free(&files);
    cli_bugs_words_free(&starts);
    for (int i = 0; status == DLP_OK && dlp_bugs_message(*model, i); i++)
        fprintf(stderr, "%s\n", dlp_bugs_message(*model, i));
    return status;
}

int cli_bugs_failed(const dlp_bugs *model, dlp_status status, const dlp_error *error)
{
    int n = 0;
    if (model && !dlp_bugs_result_of(model) && status == DLP_EINPUT)
        for (; dlp_bugs_message(model, n); n++)
            if (strstr(dlp_bugs_message(model, n), "error:"))
                fprintf(stderr, "%s\n", dlp_bugs_message(model, n));
    return n > 0 ? CLI_WRONG_INPUT : cli_failed(status, error);
}
