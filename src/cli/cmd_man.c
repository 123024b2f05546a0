/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The manual, in Markdown, from the tables: `delaplace __man` lists the pages and
 * `delaplace __man PAGE` prints one. The build turns them into man pages.
 */
#include "cli/help.h"
#include "cli/message.h"
#include "cli/value.h"

#include <ctype.h>
#include <string.h>

typedef struct man_settings {
    cli_common common;
    const char *page;
} man_settings;

/* The name of a command's page: "delaplace-unigram-fit"; "delaplace" for the program. */
static void page_name(const cli_command *command, char name[CLI_TEXT])
{
    snprintf(name, CLI_TEXT, "delaplace%s%s", *command->name ? "-" : "", command->name);
    for (char *c = name; *c; c++)
        if (*c == ' ') *c = '-';
}

/* Escapes the text, so that Markdown prints it unchanged. */
static void print_escaped(const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_<>[]#-", *text)) putchar('\\');
        putchar(*text);
    }
}

static void print_header(const cli_command *command, const char *page)
{
    fputs("title: ", stdout);
    for (const char *c = page; *c; c++) putchar(toupper((unsigned char)*c));
    printf("\nsection: 1\nsource: delaplace %s\nvolume: delaplace manual\n\n",
           DLP_VERSION);
    printf("# NAME\n\n");
    print_escaped(page);
    printf(" \\- ");
    print_escaped(command->summary);
    printf("\n\n# SYNOPSIS\n\n");
}

/* One entry of a definition list: the term, and its text in two parts. */
static void print_definition(const char *term, const char *text, const char *details)
{
    printf("**");
    print_escaped(term);
    printf("**\n: ");
    print_escaped(text);
    if (*details) putchar(' ');
    print_escaped(details);
    printf("\n\n");
}

static void print_option_list(const cli_command *command)
{
    printf("# OPTIONS\n\n");
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(command, i)); i++) {
        char label[CLI_TEXT], details[CLI_TEXT];
        cli_option_label(option, label);
        cli_option_details(command, option, details);
        print_definition(label, option->help, details);
    }
}

static void print_exit_status(void)
{
    printf("# EXIT STATUS\n\n");
#define PRINT_EXIT(name, code, meaning) print_definition(#code, meaning, "");
    CLI_EXIT_LIST(PRINT_EXIT)
#undef PRINT_EXIT
}

static void print_program_page(void)
{
    print_header(&cli_program, "delaplace");
    printf("**delaplace** *COMMAND* \\[options\\]\n\n# DESCRIPTION\n\n");
    print_escaped(cli_program.description);
    printf("\n\n# COMMANDS\n\n");
    const cli_command *command;
    for (int i = 0; (command = cli_command_at(i)); i++)
        print_definition(command->name, command->summary, "");
    print_option_list(&cli_program);
    print_exit_status();
}

static void print_command_page(const cli_command *command, const char *page)
{
    print_header(command, page);
    fputs("`", stdout);
    cli_print_usage(stdout, command);
    printf("`\n\n# DESCRIPTION\n\n");
    print_escaped(command->description);
    printf("\n\n");
    const cli_operand *operand = command->operands;
    for (; operand && operand->name; operand++)
        print_definition(operand->name, operand->help, "");
    print_option_list(command);
    print_exit_status();
    if (command->example) printf("# EXAMPLES\n\n```\n%s```\n\n", command->example);
    printf("# SEE ALSO\n\n**delaplace**(1)\n");
}

/* Prints the page, or the names of all pages if page is NULL. True if the page is
   known. */
static bool print_page_of(const cli_command *command, const char *page)
{
    char name[CLI_TEXT];
    page_name(command, name);
    if (!page) {
        puts(name);
        return true;
    }
    if (strcmp(page, name) != 0) return false;
    if (*command->name)
        print_command_page(command, page);
    else
        print_program_page();
    return true;
}

static int run(const void *settings)
{
    const char *page = ((const man_settings *)settings)->page;
    const cli_command *command;
    bool known = print_page_of(&cli_program, page);
    for (int i = 0; (command = cli_command_at(i)); i++)
        known |= print_page_of(command, page);
    return known ? CLI_DONE : cli_misuse("__man", "no page is called '%s'", page);
}

static const cli_operand operands[] = {
    {.name = "PAGE",
     .offset = offsetof(man_settings, page),
     .optional = true,
     .help = "The page to print; without it, the names of all."},
    {.name = NULL},
};

const cli_command cli_man = {
    .name = "__man",
    .summary = "print a page of the manual in Markdown",
    .description = "Prints a page of the manual in Markdown, for the build.",
    .operands = operands,
    .settings_size = sizeof(man_settings),
    .run = run,
};
