/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report.h"

#include "cli/message.h"
#include "cli/progress.h"
#include "io/json.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *cli_output_path(const char *typed)
{
    return strcmp(typed, "-") ? typed : "/dev/stdout";
}

const char cli_two_outputs[] =
    "--output and --svg cannot both be standard output; name a file for one";

bool cli_is_stdout(const char *typed)
{
    return typed && !strcmp(typed, "-");
}

int cli_check_json(const char *command, bool json, const char *option, const char *typed)
{
    if (!json || !cli_is_stdout(typed)) return CLI_DONE;
    return cli_misuse(command,
                      "--json and %s - cannot be combined: both write to standard output",
                      option);
}

void cli_print_written(const char *typed)
{
    if (typed && !cli_is_stdout(typed)) printf("Written to %s\n", typed);
}

dlp_status cli_try_output(const char *typed, dlp_error *error)
{
    return typed ? dlp_file_try(cli_output_path(typed), error) : DLP_OK;
}

const char *cli_input_name(const char *typed)
{
    return strcmp(typed, "-") ? typed : "standard input";
}

bool cli_is_folder(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

dlp_status cli_in_file(const char *path, dlp_status status, dlp_error *error)
{
    const dlp_error why = *error;
    const bool of_formula =
        !strncmp(why.message, "formula:", 8) && !strstr(why.message, "unknown column");
    if (status != DLP_EINPUT || of_formula) return status;
    return dlp_fail(error, status, "%s: %s", cli_input_name(path), why.message);
}

dlp_status cli_design_advise(const dlp_design_problem *problem,
                             const cli_design_advice *advice, dlp_status status,
                             dlp_error *error)
{
    const char *const by_kind[] = {[DLP_PROBLEM_MISSING] = advice->missing,
                                   [DLP_PROBLEM_UNSEEN_LEVEL] = advice->level,
                                   [DLP_PROBLEM_UNSEEN_GROUP] = advice->group};
    const char *words = by_kind[problem->kind];
    const dlp_error why = *error;
    if (status == DLP_OK || !words) return status;
    return dlp_fail(error, status, "%s; %s", why.message, words);
}

const char *cli_plural(dlp_index count)
{
    return count == 1 ? "" : "s";
}

static bool takes_room(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

int cli_name_width(const char *name)
{
    int width = 0;
    for (; *name; name++) width += takes_room(*name);
    return width;
}

void cli_write_name(FILE *out, const char *name)
{
    for (; *name; name++) {
        const unsigned char byte = (unsigned char)*name;
        fputc(byte < 0x20 || byte == 0x7F ? '?' : byte, out);
    }
}

void cli_print_name(const char *name, int width)
{
    const int room = width - cli_name_width(name);
    cli_write_name(stdout, name);
    printf("%*s", room > 0 ? room : 0, "");
}

void cli_print_shell_word(const char *word)
{
    const char *plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        "0123456789_-+=./,:@%";
    const bool quoted = !*word || word[strspn(word, plain)];
    if (quoted) putchar('\'');
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*word);
    }
    if (quoted) putchar('\'');
}
