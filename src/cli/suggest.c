/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/suggest.h"

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/value.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Names that others use, and ours. */
static const struct {
    const char *theirs, *ours;
} synonyms[] = {
    {"logistic", "bernoulli"},
    {"binary", "bernoulli"},
    {"logit", "bernoulli"},
    {"normal", "gaussian"},
    {"linear", "gaussian"},
    {"negbin", "negative-binomial"},
    {"nb", "negative-binomial"},
    {"categorical", "multinomial"},
    {"softmax", "multinomial"},
    {"ordered", "ordinal"},
    {"cumulative", "ordinal"},
    {"lda-c", "ldac"},
    {"bow", "uci"},
    {"matrix-market", "mtx"},
    {"libsvm", "svmlight"},
    {"predict", "infer"},
    {"transform", "infer"},
    {"train", "fit"},
    {"summary", "show"},
    {"print", "show"},
    {"score", "evaluate"},
    {"test", "evaluate"},
    {"iterations", "max-iter"},
    {"tolerance", "tol"},
    {"train", "data"},
    {"outfile", "output"},
    {"lda", "topics"},
    {"ctm", "topics"},
    {"stm", "topics"},
    {"regression", "glm"},
    {"html", "report"},
};
enum { SYNONYMS = sizeof synonyms / sizeof synonyms[0] };

static bool is_synonym(const char *typed, const char *candidate)
{
    for (int i = 0; i < SYNONYMS; i++)
        if (!strcmp(typed, synonyms[i].theirs) && !strcmp(candidate, synonyms[i].ours))
            return true;
    return false;
}

cli_suggestion cli_suggestion_for(const char *typed)
{
    return dlpi_suggestion_for(typed);
}

void cli_suggestion_consider(cli_suggestion *suggestion, const char *candidate)
{
    if (!is_synonym(suggestion->typed, candidate)) {
        dlpi_suggestion_consider(suggestion, candidate);
    } else if (suggestion->distance > 0) {
        suggestion->best = candidate;
        suggestion->distance = 0;
    }
}

/* The option of the command closest to a wrong one; NULL: none is close. A single letter
   matches the same letter in the other case, and names that begin with it. */
static const cli_option *nearest(const cli_command *command, const char *name)
{
    const cli_option *option, *near = NULL;
    cli_suggestion suggestion = cli_suggestion_for(name);
    for (int i = 0; (option = cli_option_at(command, i)); i++) {
        const int letter = tolower((unsigned char)name[0]);
        if (!name[0] || name[1]) {
            const char *before = suggestion.best;
            cli_suggestion_consider(&suggestion, option->name);
            if (suggestion.best != before) near = option;
        } else if (tolower((unsigned char)option->letter) == letter ||
                   (!near && option->name[0] == letter)) {
            near = option;
        }
    }
    return near;
}

/* The first command that has an option of that name or letter; NULL: none. */
static const char *owner_of(const char *name)
{
    const cli_command *command;
    const cli_option *option;
    for (int i = 0; (command = cli_command_at(i)); i++)
        for (int j = 0; (option = cli_option_at(command, j)); j++)
            if (!strcmp(option->name, name) ||
                (option->letter && option->letter == name[0] && !name[1]))
                return command->name;
    return NULL;
}

int cli_unknown_option(const cli_command *command, const char *typed)
{
    char shown[CLI_TEXT];
    snprintf(shown, sizeof shown, "%.*s", (int)strcspn(typed, "="), typed);
    const char *where = command->name, *name = shown + strspn(shown, "-");
    const cli_option *near = nearest(command, name);
    const char *owner = owner_of(name);
    const bool by_letter = near && near->letter && !name[1];
    if (by_letter)
        return cli_misuse(where, "unknown option %s; did you mean -%c?", shown,
                          near->letter);
    if (near)
        return cli_misuse(where, "unknown option %s; did you mean --%s?", shown,
                          near->name);
    if (owner)
        return cli_misuse(where, "unknown option %s; '%s' has one of that name", shown,
                          owner);
    return cli_misuse(where, "unknown option %s", shown);
}

int cli_wrong_value(const cli_command *command, const cli_option *option,
                    const char *text)
{
    char wanted[CLI_TEXT];
    cli_value_wanted(option, wanted);
    cli_suggestion suggestion = cli_suggestion_for(text);
    const char *choice;
    for (int i = 0; option->choices && (choice = option->choices(i)); i++)
        cli_suggestion_consider(&suggestion, choice);
    if (!suggestion.best && text[0] == '=' && option->letter)
        return cli_misuse(command->name, "--%s needs %s, not '%s'; type -%c %s",
                          option->name, wanted, text, option->letter, text + 1);
    if (!suggestion.best)
        return cli_misuse(command->name, "--%s needs %s, not '%s'", option->name, wanted,
                          text);
    return cli_misuse(command->name, "--%s needs %s, not '%s'; did you mean %s?",
                      option->name, wanted, text, suggestion.best);
}
