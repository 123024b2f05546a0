/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command_line.h"

#include "cli/report.h"
#include "cli/value.h"

#include <delaplace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value as it is typed, into text where it is a number. */
static const char *value_text(const cli_option *option, const void *field,
                              char text[CLI_TEXT])
{
    switch (option->type) {
    case CLI_FLAG: return *(const bool *)field ? "" : NULL;
    case CLI_STRING:
    case CLI_PATH:
    case CLI_CHOICE: return *(const char *const *)field;
    case CLI_COUNT: snprintf(text, CLI_TEXT, "%td", *(const dlp_index *)field); break;
    case CLI_REAL: break;
    }
    if (option->type == CLI_COUNT) return text;
    /* the fewest digits that read back to the same number */
    const double x = *(const double *)field;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, CLI_TEXT, "%.*g", digits, x);
        if (strtod(text, NULL) == x) break;
    }
    return text;
}

static void print_option(const cli_option *option, const char *value)
{
    printf(" --%s", option->name);
    if (option->type == CLI_FLAG) return;
    putchar(' ');
    cli_print_shell_word(value);
}

/* Compares texts: those of a default and of the same value typed are the same. */
static void print_if_typed(const cli_option *option, const void *settings, void *initial)
{
    char text[CLI_TEXT], initial_text[CLI_TEXT];
    const char *value = value_text(option, (const char *)settings + option->offset, text);
    const char *usual =
        value_text(option, cli_field(initial, option->offset), initial_text);
    if (value && (!usual || strcmp(value, usual) != 0)) print_option(option, value);
}

static void print_options(const cli_command *command, const void *settings, void *initial)
{
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(command, i)); i++)
        if (option->initial) (void)cli_value_read(option, option->initial, initial);
    for (int i = 0; (option = cli_option_at(command, i)); i++)
        print_if_typed(option, settings, initial);
}

void cli_print_command(const cli_command *command, const void *settings)
{
    void *initial = calloc(1, command->settings_size);
    printf("delaplace %s", command->name);
    for (const cli_operand *operand = command->operands; operand && operand->name;
         operand++) {
        const char *const *word =
            (const char *const *)(const void *)((const char *)settings + operand->offset);
        if (!*word) continue;
        putchar(' ');
        cli_print_shell_word(*word);
    }
    if (initial) print_options(command, settings, initial);
    free(initial);
}
