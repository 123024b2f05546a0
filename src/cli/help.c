/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/help.h"

#include "cli/message.h"
#include "cli/value.h"

#include <string.h>

enum { WIDTH = 80, COLUMN = 26 };

/* Prints text from column `at` on, broken between words, with all further lines indented.
   An empty line in the text separates paragraphs. Ends the line. */
static void print_wrapped(FILE *out, const char *text, int indent, int at)
{
    const char *separator = "";
    while (*text) {
        const int length = (int)strcspn(text, " \n");
        if (*separator && at + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
            separator = "";
        }
        fprintf(out, "%s%.*s", separator, length, text);
        at += (int)strlen(separator) + length;
        text += length;
        separator = " ";
        if (!strncmp(text, "\n\n", 2)) {
            fprintf(out, "\n\n%*s", indent, "");
            at = indent;
            separator = "";
        }
        text += strspn(text, " \n");
    }
    fputc('\n', out);
}

/* A name and what it means, in two columns. */
static void print_entry(FILE *out, const char *name, const char *text)
{
    int at = fprintf(out, "  %s", name);
    if (at > COLUMN - 2) {
        fputc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", COLUMN - at, "");
    print_wrapped(out, text, COLUMN, COLUMN);
}

static void print_option(FILE *out, const cli_command *command, const cli_option *option)
{
    char label[CLI_TEXT], details[CLI_TEXT], text[4 * CLI_TEXT];
    cli_option_label(option, label);
    cli_option_details(command, option, details);
    snprintf(text, sizeof text, "%s%s%s", option->help, *details ? " " : "", details);
    char name[CLI_TEXT + 4];
    snprintf(name, sizeof name, "%s%s", option->letter ? "" : "    ", label);
    print_entry(out, name, text);
}

static void print_options(FILE *out, const cli_command *command)
{
    fputs("\nOptions:\n", out);
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(command, i)); i++)
        print_option(out, command, option);
}

void cli_print_usage(FILE *out, const cli_command *command)
{
    fprintf(out, "delaplace %s", command->name);
    const cli_operand *operand = command->operands;
    for (; operand && operand->name; operand++)
        fprintf(out, operand->optional ? " [%s]" : " %s", operand->name);
    const cli_option *option = command->options;
    for (; option && option->name; option++)
        if (option->required) fprintf(out, " --%s %s", option->name, option->value);
    fputs(" [options]", out);
}

void cli_help_command(FILE *out, const cli_command *command)
{
    fputs("Usage: ", out);
    cli_print_usage(out, command);
    fputs("\n\n", out);
    print_wrapped(out, command->description, 0, 0);
    const cli_operand *operand = command->operands;
    if (operand) fputc('\n', out);
    for (; operand && operand->name; operand++)
        print_entry(out, operand->name, operand->help);
    print_options(out, command);
    if (command->example) fprintf(out, "\nExample:\n%s", command->example);
}

void cli_help_group(FILE *out, const cli_command_group *group)
{
    fprintf(out, "Usage: delaplace %s COMMAND [options]\n\n", group->name);
    char headline[CLI_TEXT];
    snprintf(headline, sizeof headline, "delaplace %s: %s.", group->name, group->summary);
    print_wrapped(out, headline, 0, 0);
    fputs("\nCommands:\n", out);
    for (const cli_command *const *command = group->commands; *command; command++)
        print_entry(out, cli_subcommand_name(*command), (*command)->summary);
    fprintf(out, "\nType 'delaplace %s COMMAND --help' for help on a command.\n",
            group->name);
}

void cli_help_program(FILE *out)
{
    fputs("Usage: delaplace COMMAND [options]\n\n", out);
    char headline[CLI_TEXT];
    snprintf(headline, sizeof headline, "delaplace: %s.", cli_program.summary);
    print_wrapped(out, headline, 0, 0);
    fputc('\n', out);
    print_wrapped(out, cli_program.description, 0, 0);
    fputs("\nCommands:\n", out);
    const cli_command *command;
    for (int i = 0; (command = cli_command_at(i)); i++)
        print_entry(out, command->name, command->summary);
    print_options(out, &cli_program);
    fputs("\nExit codes:\n", out);
#define PRINT_EXIT(name, code, meaning) print_entry(out, #code, meaning);
    CLI_EXIT_LIST(PRINT_EXIT)
#undef PRINT_EXIT
    fputs("\nType 'delaplace COMMAND --help' for help on a command.\n", out);
}
