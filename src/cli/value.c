/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/value.h"

#include <ctype.h>
#include <delaplace.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *cli_field(void *settings, size_t offset)
{
    return (char *)settings + offset;
}

/* strtod and strtoll skip leading white space, but a value must not have any. */
static bool starts_well(const char *text)
{
    return *text && !isspace((unsigned char)*text);
}

static bool in_range(const cli_option *option, double x)
{
    if (option->min == 0 && option->max == 0) return true;
    return x <= option->max && (option->above ? x > option->min : x >= option->min);
}

static bool read_count(const cli_option *option, const char *text, dlp_index *count)
{
    char *end;
    errno = 0;
    const long long n = strtoll(text, &end, 10);
    if (!starts_well(text) || *end || errno || n < PTRDIFF_MIN || n > PTRDIFF_MAX)
        return false;
    if (!in_range(option, (double)n)) return false;
    *count = (dlp_index)n;
    return true;
}

/* A value too small for a double is read as 0 or a subnormal; the range check decides. */
static bool read_real(const cli_option *option, const char *text, double *real)
{
    char *end;
    const double x = strtod(text, &end);
    if (!starts_well(text) || *end || !isfinite(x) || !in_range(option, x)) return false;
    *real = x;
    return true;
}

static bool read_choice(const cli_option *option, const char *text, const char **choice)
{
    const char *known = option->synonym ? option->synonym(text) : NULL;
    for (int i = 0; (*choice = option->choices(i)); i++)
        if (!strcmp(*choice, known ? known : text)) return true;
    return false;
}

static bool append_item(cli_list *list, const char *text)
{
    if (list->n == CLI_MOST_VALUES || !*text) return false;
    list->item[list->n++] = text;
    return true;
}

bool cli_value_read(const cli_option *option, const char *text, void *settings)
{
    void *field = cli_field(settings, option->offset);
    switch (option->type) {
    case CLI_FLAG: *(bool *)field = true; return true;
    case CLI_STRING: *(const char **)field = text; return true;
    case CLI_PATH:
        if (!*text) return false;
        *(const char **)field = text;
        return true;
    case CLI_CHOICE: return read_choice(option, text, field);
    case CLI_COUNT: return read_count(option, text, field);
    case CLI_REAL: return read_real(option, text, field);
    case CLI_LIST: return append_item(field, text);
    }
    return false;
}

/* The fewest digits that read back to the same number, and 1e-8 for 1e-08. */
static const char *real_text(double x, char text[CLI_TEXT])
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, CLI_TEXT, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    char *zero = strstr(text, "e-0");
    if (zero) memmove(zero + 2, zero + 3, strlen(zero + 3) + 1);
    return text;
}

const char *cli_value_text(const cli_option *option, const void *settings,
                           char text[CLI_TEXT])
{
    const void *field = (const char *)settings + option->offset;
    switch (option->type) {
    case CLI_FLAG: return *(const bool *)field ? "" : NULL;
    case CLI_STRING:
    case CLI_PATH:
    case CLI_CHOICE: return *(const char *const *)field;
    case CLI_LIST: return NULL; /* has no default, and no single text */
    case CLI_REAL: return real_text(*(const double *)field, text);
    case CLI_COUNT: snprintf(text, CLI_TEXT, "%td", *(const dlp_index *)field); break;
    }
    return text;
}

/* printf at the end of a text of CLI_TEXT bytes; what does not fit is cut. */
DLP_PRINTF(2, 3) static void append(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, CLI_TEXT - used, format, args);
    va_end(args);
}

static void append_range(const cli_option *option, char *text)
{
    if (option->min == 0 && option->max == 0) return;
    const int digits = option->type == CLI_COUNT ? 17 : 10; /* enough for every count */
    append(text, option->above ? " above %.*g" : " from %.*g", digits, option->min);
    if (isfinite(option->max))
        append(text, option->above ? ", at most %.*g" : " to %.*g", digits, option->max);
    else if (!option->above)
        append(text, " up");
}

/* A file, but words of ours, too. */
static bool is_list(const cli_option *option)
{
    return option->value && !strcmp(option->value, "LIST");
}

void cli_value_wanted(const cli_option *option, char text[CLI_TEXT])
{
    const char *choice;
    text[0] = '\0';
    switch (option->type) {
    case CLI_FLAG: append(text, "no value"); break;
    case CLI_STRING: append(text, "a value"); break;
    case CLI_LIST: append(text, "a value, at most %d times", CLI_MOST_VALUES); break;
    case CLI_PATH:
        append(text, is_list(option) ? "a value" : "the name of a file");
        break;
    case CLI_CHOICE:
        append(text, "one of");
        for (int i = 0; (choice = option->choices(i)); i++)
            append(text, "%s %s", i == 0 ? "" : ",", choice);
        break;
    case CLI_COUNT:
        append(text, "a whole number");
        append_range(option, text);
        break;
    case CLI_REAL:
        append(text, "a number");
        append_range(option, text);
        break;
    }
}

void cli_option_label(const cli_option *option, char text[CLI_TEXT])
{
    text[0] = '\0';
    if (option->letter) append(text, "-%c, ", option->letter);
    append(text, "--%s", option->name);
    if (option->value) append(text, " %s", option->value);
}

/* The default as it would be typed, either in text or in the option's table; NULL:
   none. */
static const char *default_text(const cli_command *command, const cli_option *option,
                                char text[CLI_TEXT])
{
    if (option->usual) return option->usual();
    if (!option->of_library) return option->initial;
    void *settings = calloc(1, command->settings_size);
    if (!settings) return NULL;
    cli_store_defaults(command, settings);
    const char *found = cli_value_text(option, settings, text);
    free(settings);
    return found;
}

void cli_option_details(const cli_command *command, const cli_option *option,
                        char text[CLI_TEXT])
{
    char number[CLI_TEXT];
    const char *initial = default_text(command, option, number);
    text[0] = '\0';
    const bool named = option->type == CLI_STRING || option->type == CLI_PATH;
    if (option->type == CLI_LIST) {
        append(text, "May be given up to %d times", CLI_MOST_VALUES);
    } else if (option->type != CLI_FLAG && !named) {
        cli_value_wanted(option, text);
        text[0] = (char)toupper((unsigned char)text[0]);
    }
    if (initial) append(text, "%s%s", *text ? "; default " : "Default ", initial);
    if (option->required) append(text, "%s", *text ? "; required" : "Required");
    if (*text) append(text, ".");
}
