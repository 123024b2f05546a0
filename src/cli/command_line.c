/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command_line.h"

#include "cli/print.h"
#include "cli/value.h"

#include <delaplace.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_option(const cli_option *option, const char *value)
{
    printf(" --%s", option->name);
    if (option->type == CLI_FLAG) return;
    putchar(' ');
    cli_print_shell_word(value);
}

/* Compares texts: a default and the same value typed have the same text. */
static void print_if_typed(const cli_option *option, const void *settings,
                           const void *initial)
{
    char text[CLI_TEXT], initial_text[CLI_TEXT];
    if (option->type == CLI_LIST) {
        const cli_list *list =
            (const cli_list *)(const void *)((const char *)settings + option->offset);
        for (int i = 0; i < list->n; i++) print_option(option, list->item[i]);
        return;
    }
    const char *value = cli_value_text(option, settings, text);
    const char *usual = cli_value_text(option, initial, initial_text);
    if (value && (!usual || strcmp(value, usual) != 0)) print_option(option, value);
}

static void print_options(const cli_command *command, const void *settings, void *initial)
{
    const cli_option *option;
    cli_store_defaults(command, initial);
    for (int i = 0; (option = cli_option_at(command, i)); i++)
        print_if_typed(option, settings, initial);
}

void cli_print_command(const cli_command *command, const void *settings)
{
    /* Static, because the command is also printed after memory has run out. */
    static max_align_t room[1024];
    const bool fits = command->settings_size <= sizeof room;
    void *initial = fits ? memset(room, 0, command->settings_size)
                         : calloc(1, command->settings_size);
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
    if (!fits) free(initial);
}
