/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands.h"
#include "cli/completion.h"

#include <stdio.h>

static const char prologue[] =
    "# bash completion for delaplace\n"
    "_delaplace()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    # Readline splits --option=value at its \"=\".\n"
    "    if [[ $cur == '=' ]]; then\n"
    "        cur=\n"
    "    elif [[ $prev == '=' ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    local word command='' words='' files=''\n"
    "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
    "        case \"$command/$word\" in\n";

static const char epilogue[] =
    "    esac\n"
    "    if [[ -n $files && $cur != -* ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "    else\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
    "    fi\n"
    "}\n"
    "complete -F _delaplace delaplace\n";

/* The patterns that assemble a command's name from the words typed so far. */
static void print_names(void)
{
    for (const cli_command_group *group = cli_command_groups; group->name; group++) {
        if (!group->summary) continue;
        printf("        /%s) command=$word ;;\n", group->name);
        if (cli_group_is_command(group)) continue;
        for (const cli_command *const *command = group->commands; *command; command++)
            printf("        %s/%s) command='%s' ;;\n", group->name,
                   cli_subcommand_name(*command), (*command)->name);
    }
}

static void print_words(cli_words *words)
{
    const char *word;
    for (int i = 0; words && (word = words(i)); i++) printf("%s%s", i ? " " : "", word);
}

static void print_long_options(const cli_command *command)
{
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(command, i)); i++)
        printf(" --%s", option->name);
}

/* What comes after an option that takes a value: a file, a choice, or anything. */
static void print_value_case(const cli_option *option)
{
    printf("        --%s", option->name);
    if (option->letter) printf("|-%c", option->letter);
    if (option->type == CLI_PATH) {
        printf(") files=1 ;;\n");
        return;
    }
    printf(") words='");
    print_words(option->choices);
    printf("' files='' ;;\n");
}

static void print_command(const cli_command *command)
{
    printf("    '%s')\n        words='", command->name);
    const cli_operand *operand = command->operands;
    bool files = false;
    for (; operand && operand->name; operand++) {
        print_words(operand->choices);
        files |= operand->path;
    }
    print_long_options(command);
    printf("' files=%s\n        case $prev in\n", files ? "1" : "''");
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(command, i)); i++)
        if (option->type != CLI_FLAG) print_value_case(option);
    printf("        esac ;;\n");
}

/* After the first word of a command: its second, or options. */
static void print_group(const cli_command_group *group)
{
    printf("    %s)\n        words='", group->name);
    for (const cli_command *const *command = group->commands; *command; command++)
        printf("%s ", cli_subcommand_name(*command));
    print_long_options(&(const cli_command){.name = group->name});
    printf("' ;;\n");
}

void cli_complete_bash(void)
{
    fputs(prologue, stdout);
    print_names();
    printf("        esac\n    done\n    case $command in\n    '')\n        words='");
    print_words(cli_group_name);
    print_long_options(&cli_program);
    printf("' ;;\n");
    for (const cli_command_group *group = cli_command_groups; group->name; group++)
        if (group->summary && !cli_group_is_command(group)) print_group(group);
    const cli_command *command;
    for (int i = 0; (command = cli_command_at(i)); i++) print_command(command);
    fputs(epilogue, stdout);
}
