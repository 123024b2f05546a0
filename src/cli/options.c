/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of a command line, read against the tables of a command. */
#include "cli/options.h"

#include "cli/message.h"
#include "cli/suggest.h"
#include "cli/value.h"

#include <stdio.h>
#include <string.h>

const cli_option cli_common_options[] = {
    {.name = "help",
     .letter = 'h',
     .offset = offsetof(cli_common, help),
     .help = "Print this help."},
    {.name = "quiet",
     .letter = 'q',
     .offset = offsetof(cli_common, quiet),
     .help = "Print only results and errors: no summaries, notes or progress."},
    {.name = "verbose",
     .letter = 'v',
     .offset = offsetof(cli_common, verbose),
     .help = "Report on standard error what is read, what each iteration does and how "
             "long it takes."},
    {.name = "memory",
     .type = CLI_STRING,
     .value = "SIZE",
     .offset = offsetof(cli_common, memory),
     .help = "Use no more memory than this: 500M, 4G. A command that needs more stops "
             "and says how much, if that is known; 'topics fit' and 'glm fit' move what "
             "they can to disk. Without it: as much as the system allows."},
    {.name = NULL},
};

/* How far a command line has been read. */
typedef struct parser {
    const cli_command *command;
    int count;
    const char *const *words;
    int next;     /* the first word not read yet */
    int operands; /* how many have been stored */
    void *settings;
} parser;

const cli_option *cli_option_at(const cli_command *command, int i)
{
    const cli_option *option = command->options;
    for (; option && option->name; option++, i--)
        if (i == 0) return option;
    return cli_common_options[i].name ? &cli_common_options[i] : NULL;
}

static bool is_missing(void *settings, size_t offset)
{
    const char **field = cli_field(settings, offset);
    return !*field;
}

/* A word that looks like an option is probably not meant as a value; such a value must be
   typed as --option=value. Numbers and formulas may begin with one dash. */
static bool is_value(const cli_option *option, const char *word)
{
    const bool named = option->type == CLI_PATH || option->type == CLI_CHOICE;
    if (named && word[0] == '-' && word[1]) return false;
    return strncmp(word, "--", 2) != 0;
}

/* The value of an option: the rest of its own word when there is one, else the next
   word. */
static int store_value(parser *r, const cli_option *option, const char *attached)
{
    const char *text = attached;
    if (!text && r->next < r->count && is_value(option, r->words[r->next]))
        text = r->words[r->next++];
    if (!text) {
        char wanted[CLI_TEXT];
        cli_value_wanted(option, wanted);
        return cli_misuse(r->command->name, "--%s needs %s", option->name, wanted);
    }
    if (!cli_value_read(option, text, r->settings))
        return cli_wrong_value(r->command, option, text);
    return CLI_DONE;
}

/* --name, --name=value, --name value */
static int read_long(parser *r, const char *typed)
{
    const char *name = typed + 2;
    const size_t length = strcspn(name, "=");
    const char *attached = name[length] ? name + length + 1 : NULL;
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(r->command, i)); i++)
        if (strlen(option->name) == length && !memcmp(option->name, name, length)) break;
    if (!option) return cli_unknown_option(r->command, typed);
    if (option->type != CLI_FLAG) return store_value(r, option, attached);
    if (attached)
        return cli_misuse(r->command->name, "--%s takes no value", option->name);
    cli_value_read(option, "", r->settings);
    return CLI_DONE;
}

/* -o value, -ovalue, and flags together: -qh */
static int read_short(parser *r, const char *typed)
{
    for (const char *letter = typed + 1; *letter; letter++) {
        const cli_option *option;
        for (int i = 0; (option = cli_option_at(r->command, i)); i++)
            if (option->letter == *letter) break;
        if (!option) return cli_unknown_option(r->command, typed);
        if (option->type != CLI_FLAG)
            return store_value(r, option, letter[1] ? letter + 1 : NULL);
        cli_value_read(option, "", r->settings);
    }
    return CLI_DONE;
}

/* The advice for the first operand that lacks its sign; NULL: all have it. */
static const char *torn_apart(const parser *r)
{
    const cli_operand *operand = r->command->operands;
    for (; operand && operand->name; operand++) {
        const char *const *typed = cli_field(r->settings, operand->offset);
        if (operand->sign && *typed && !strchr(*typed, operand->sign))
            return operand->quoted;
    }
    return NULL;
}

/* An extra word is often part of an operand that needs quotes, or the value of a required
   option that was not named. */
static int too_many(const parser *r, const char *word)
{
    const cli_option *option = r->command->options;
    const char *quoted = torn_apart(r);
    if (quoted)
        return cli_misuse(r->command->name, "unexpected argument '%s'; %s", word, quoted);
    for (; option && option->name; option++)
        if (option->required && is_missing(r->settings, option->offset))
            return cli_misuse(r->command->name,
                              "unexpected argument '%s'; did you mean --%s %s?", word,
                              option->name, word);
    return cli_misuse(r->command->name, "unexpected argument '%s'", word);
}

static int read_operand(parser *r, const char *word)
{
    const cli_operand *operand = r->command->operands;
    for (int i = 0; operand && operand->name && i < r->operands; i++) operand++;
    if (!operand || !operand->name) return too_many(r, word);
    const char **field = cli_field(r->settings, operand->offset);
    *field = word;
    r->operands++;
    return CLI_DONE;
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1]; /* "-" alone is standard input */
}

static int read_option(parser *r)
{
    const char *word = r->words[r->next++];
    return word[1] == '-' ? read_long(r, word) : read_short(r, word);
}

static int read_words(parser *r)
{
    bool options_end = false;
    int code = CLI_DONE;
    while (r->next < r->count && code == CLI_DONE) {
        const char *word = r->words[r->next];
        if (options_end || !is_option(word)) {
            r->next++;
            code = read_operand(r, word);
        } else if (!strcmp(word, "--")) {
            r->next++;
            options_end = true;
        } else {
            code = read_option(r);
        }
    }
    return code;
}

void cli_store_defaults(const cli_command *command, void *settings)
{
    const cli_option *option;
    if (command->defaults) command->defaults(settings);
    for (int i = 0; (option = cli_option_at(command, i)); i++)
        if (option->initial || option->usual)
            cli_value_read(option, option->usual ? option->usual() : option->initial,
                           settings);
}

static int check_required(const cli_command *command, void *settings)
{
    const cli_operand *operand = command->operands;
    for (; operand && operand->name; operand++)
        if (!operand->optional && is_missing(settings, operand->offset))
            return cli_misuse(command->name, "%s is missing: %s", operand->name,
                              operand->help);
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(command, i)); i++) {
        char label[CLI_TEXT];
        if (!option->required || !is_missing(settings, option->offset)) continue;
        cli_option_label(option, label);
        return cli_misuse(command->name, "%s is missing: %s", label, option->help);
    }
    return CLI_DONE;
}

int cli_parse(const cli_command *command, int count, const char *const *words,
              void *settings)
{
    parser r = {.command = command, .count = count, .words = words, .settings = settings};
    cli_store_defaults(command, settings);
    const int code = read_words(&r);
    if (code != CLI_DONE || ((const cli_common *)settings)->help) return code;
    if (((const cli_common *)settings)->quiet && ((const cli_common *)settings)->verbose)
        return cli_misuse(command->name, "--quiet and --verbose cannot be combined");
    return check_required(command, settings);
}

int cli_parse_leading(const cli_command *command, int count, const char *const *words,
                      void *settings, int *used)
{
    parser r = {.command = command, .count = count, .words = words, .settings = settings};
    int code = CLI_DONE;
    while (r.next < count && is_option(words[r.next]) && code == CLI_DONE)
        code = read_option(&r);
    *used = r.next;
    return code;
}
