/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands.h"
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

/* Text inside single quotes, with a backslash before each of the special letters. */
static void print_quoted(const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
            continue;
        }
        if (strchr(special, *text)) putchar('\\');
        putchar(*text);
    }
}

/* One element of the array that _describe takes: 'name:text'. */
static void print_described(const char *name, const char *text)
{
    printf(" '%s:", name);
    print_quoted(text, ":");
    putchar('\'');
}

/* ":what:action" of a spec of _arguments: how to complete a value. */
static void print_action(const char *what, bool path, cli_words *choices)
{
    putchar(':');
    print_quoted(what, ":");
    if (path) {
        fputs(":_files", stdout);
    } else if (choices) {
        const char *word;
        fputs(":(", stdout);
        for (int i = 0; (word = choices(i)); i++) printf("%s%s", i ? " " : "", word);
        putchar(')');
    } else {
        fputs(": ", stdout);
    }
}

static void print_option(const cli_option *option)
{
    const bool flag = option->type == CLI_FLAG;
    printf(" \\\n            '");
    if (option->letter)
        printf("(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name, option->letter,
               flag ? "" : "+", option->name, flag ? "" : "=");
    else
        printf("%s--%s%s", option->type == CLI_LIST ? "*" : "", option->name,
               flag ? "" : "=");
    putchar('[');
    print_quoted(option->help, "[]");
    putchar(']');
    if (!flag) print_action(option->value, option->type == CLI_PATH, option->choices);
    putchar('\'');
}

/* The call that completes the options and operands of a command. */
static void print_arguments(const cli_command *command)
{
    printf("            _arguments -s -S");
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(command, i)); i++) print_option(option);
    const cli_operand *operand = command->operands;
    for (int i = 1; operand && operand->name; operand++, i++) {
        printf(" \\\n            '%d%s", i, operand->optional ? ":" : "");
        print_action(operand->name, operand->path, operand->choices);
        putchar('\'');
    }
    putchar('\n');
}

/* The same for a command whose name consists of several words: _arguments must not see
   them. */
static void print_command(const cli_command *command, int words)
{
    printf("            shift %d words\n            (( CURRENT -= %d ))\n", words, words);
    print_arguments(command);
}

static void print_group(const cli_command_group *group)
{
    printf("    %s)\n", group->name);
    if (cli_group_is_command(group)) {
        print_command(group->commands[0], 1);
        printf("        ;;\n");
        return;
    }
    printf("        if (( CURRENT == 3 )); then\n            commands=(");
    for (const cli_command *const *command = group->commands; *command; command++)
        print_described(cli_subcommand_name(*command), (*command)->summary);
    printf(
        " )\n            _describe command commands\n            return\n        fi\n");
    printf("        case $words[3] in\n");
    for (const cli_command *const *command = group->commands; *command; command++) {
        printf("        %s)\n", cli_subcommand_name(*command));
        print_command(*command, 2);
        printf("            ;;\n");
    }
    printf("        esac\n        ;;\n");
}

void cli_complete_zsh(void)
{
    printf(
        "#compdef delaplace\n\n_delaplace() {\n    local -a commands\n"
        "    if [[ $words[2] == -* ]]; then\n");
    print_arguments(&cli_program);
    printf("        return\n    fi\n    if (( CURRENT == 2 )); then\n        commands=(");
    for (const cli_command_group *group = cli_command_groups; group->name; group++)
        if (group->summary) print_described(group->name, group->summary);
    printf(" )\n        _describe command commands\n        return\n    fi\n");
    printf("    case $words[2] in\n");
    for (const cli_command_group *group = cli_command_groups; group->name; group++)
        if (group->summary) print_group(group);
    printf("    esac\n}\n\n_delaplace \"$@\"\n");
}
