/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/corpus/stop_words.h"

#include "cli/message.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_none(const char *typed)
{
    return !strcmp(typed, "none");
}

static bool is_file(const char *name)
{
    return !strcmp(name, "-") || access(name, F_OK) == 0;
}

bool cli_stop_words_need_stdin(const char *typed)
{
    const char *dash = strchr(typed, '-');
    for (; dash; dash = strchr(dash + 1, '-'))
        if ((dash == typed || dash[-1] == ',') && (!dash[1] || dash[1] == ','))
            return true;
    return false;
}

bool cli_stop_words_are_auto(const char *typed)
{
    return !strcmp(typed, "auto") || !strncmp(typed, "auto,", 5) ||
           strstr(typed, ",auto,") ||
           (strlen(typed) > 5 && !strcmp(typed + strlen(typed) - 5, ",auto"));
}

/* The name may have been meant as a list or as a file, so the error mentions both. */
static dlp_status add_one(const char *name, dlp_text_builder *builder, dlp_error *error)
{
    if (!strcmp(name, "auto")) return DLP_OK; /* the builder adds this list itself */
    const char *list = dlp_text_stop_list(name);
    if (list) return dlp_text_builder_stop(builder, list, strlen(list), error);
    if (is_file(name)) return dlp_text_builder_read_stop_words(builder, name, error);
    return dlp_fail(
        error, DLP_EINPUT,
        "%s: no such file or list; --stop-words takes auto, none, a language, "
        "or a file of words, or several: auto,FILE",
        name);
}

dlp_status cli_stop_words_add(const char *typed, dlp_text_builder *builder,
                              dlp_error *error)
{
    if (is_none(typed)) return DLP_OK;
    if (is_file(typed) || !strchr(typed, ',')) return add_one(typed, builder, error);
    char *names = strdup(typed), *next = names;
    if (!names) return dlp_fail(error, DLP_ENOMEM, "not enough memory for stop words");
    dlp_status status = DLP_OK;
    while (status == DLP_OK && next) {
        char *name = next;
        next = strchr(name, ',');
        if (next) *next++ = '\0';
        status = add_one(name, builder, error);
    }
    free(names);
    return status;
}
