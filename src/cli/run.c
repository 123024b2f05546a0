/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run.h"

#include "cli/cmd_version.h"
#include "cli/commands.h"
#include "cli/hang.h"
#include "cli/help.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/progress.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* "4G" or "500MB" in bytes. */
static bool read_size(const char *typed, rlim_t *bytes)
{
    char *end;
    const double number = strtod(typed, &end);
    const char unit = *end;
    const double factor = unit == 'G' ? 1e9 : unit == 'M' ? 1e6 : 0;
    const bool ended = unit && (!end[1] || !strcmp(end + 1, "B"));
    if (!ended || !(number * factor >= 50e6 && number * factor < 1e18)) return false;
    *bytes = (rlim_t)(number * factor);
    return true;
}

static bool set_limit(rlim_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return false;
    if (limit.rlim_cur == RLIM_INFINITY || bytes < limit.rlim_cur) limit.rlim_cur = bytes;
    return setrlimit(RLIMIT_DATA, &limit) == 0;
}

/* Limits what the program allocates; thread stacks and libraries add little to it. */
static int limit_memory(const cli_command *command, const char *typed)
{
    rlim_t bytes;
    dlp_error error = {0};
    if (!typed) return CLI_DONE;
    if (!read_size(typed, &bytes))
        return cli_misuse(
            command->name,
            "'%s' is not a memory size; write --memory 500M or 4G, at least 50M", typed);
    if (set_limit(bytes)) return CLI_DONE;
    const dlp_status status = dlp_fail(
        &error, DLP_EIO, "the system did not limit memory to %s: %s; leave out --memory",
        typed, strerror(errno));
    return cli_failed(status, &error);
}

/* Whether writing to one path would destroy what is read from the other: the file itself,
   or a file that belongs to a corpus or a model. */
static bool takes_away(const char *written, const char *read)
{
    return written && read &&
           (dlp_corpus_has_file(read, written) ||
            dlp_topic_model_has_file(read, written));
}

static const char *path_at(const cli_common *settings, size_t offset)
{
    return *(const char *const *)((const char *)settings + offset);
}

/* The options that name what is written; all other paths are read. */
static bool is_written(const cli_option *option)
{
    static const char *const names[] = {
        "output",    "svg",   "csv",       "report",   "test", "draws-to", "words",
        "documents", "truth", "over-time", "by-group", "coda", NULL};
    for (int i = 0; names[i]; i++)
        if (option->type == CLI_PATH && !strcmp(option->name, names[i])) return true;
    return false;
}

/* Whether two results, which need not exist yet, would be the same file. Devices may take
   several results. */
static bool same_place(const char *a, const char *b)
{
    struct stat there, folder_a, folder_b;
    if (!a || !b || !strcmp(a, "-")) return false;
    if (stat(a, &there) == 0 && !S_ISREG(there.st_mode)) return false;
    const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
    if (strcmp(end_a ? end_a + 1 : a, end_b ? end_b + 1 : b) != 0) return false;
    char path_a[PATH_MAX] = ".", path_b[PATH_MAX] = ".";
    if (end_a) snprintf(path_a, sizeof path_a, "%.*s/", (int)(end_a - a), a);
    if (end_b) snprintf(path_b, sizeof path_b, "%.*s/", (int)(end_b - b), b);
    return stat(path_a, &folder_a) == 0 && stat(path_b, &folder_b) == 0 &&
           folder_a.st_dev == folder_b.st_dev && folder_a.st_ino == folder_b.st_ino;
}

/* The input that writing this option's file would destroy; NULL: none. */
static const char *find_clash(const cli_command *command, const cli_option *written,
                              const char *path, const cli_common *settings)
{
    for (const cli_option *o = command->options; o->name; o++)
        if (o != written && o->type == CLI_PATH && !is_written(o) &&
            takes_away(path, path_at(settings, o->offset)))
            return o->name;
    const bool may =
        command->rewrites && written->name && !strcmp(written->name, "output");
    for (const cli_operand *o = command->operands; o && o->name && !may; o++)
        if (o->path && takes_away(path, path_at(settings, o->offset))) return o->name;
    return NULL;
}

/* Another result that would go to the same file; NULL: there is none. */
static const char *find_twin(const cli_command *command, const cli_option *written,
                             const char *path, const cli_common *settings)
{
    for (const cli_option *o = command->options; o->name; o++)
        if (o != written && is_written(o) &&
            (takes_away(path, path_at(settings, o->offset)) ||
             same_place(path, path_at(settings, o->offset))))
            return o->name;
    return NULL;
}

/* A result must not overwrite its own input, or another result. */
static int check_file(const cli_command *command, const cli_option *o, const char *path,
                      const cli_common *settings)
{
    const char *twin = find_twin(command, o, path, settings);
    if (twin)
        return cli_misuse(command->name,
                          "'%s' cannot be both --%s and --%s; name two files", path,
                          o->name, twin);
    const char *clash = find_clash(command, o, path, settings);
    if (clash)
        return cli_misuse(command->name,
                          "'%s' is both --%s and %s, or a file of it, and would be "
                          "replaced by the result; name another output",
                          path, o->name, clash);
    return CLI_DONE;
}

/* Whether it names two files of coda by what they begin with. */
static bool is_prefix(const cli_command *command, const cli_option *o,
                      const cli_common *settings)
{
    bool coda = !strcmp(o->name, "coda");
    for (const cli_option *as = command->options; as->name; as++)
        if (!strcmp(o->name, "output") && !strcmp(as->name, "as"))
            coda = !strcmp(path_at(settings, as->offset), "coda");
    return coda;
}

static int check_output(const cli_command *command, const cli_common *settings)
{
    static const char *const ends[] = {"index.txt", "chain1.txt"};
    int code = CLI_DONE;
    for (const cli_option *o = command->options; o && o->name && code == CLI_DONE; o++) {
        const char *path = is_written(o) ? path_at(settings, o->offset) : NULL;
        const bool prefix = path && is_prefix(command, o, settings);
        if (path && !prefix) code = check_file(command, o, path, settings);
        for (int i = 0; prefix && i < 2 && code == CLI_DONE; i++) {
            char file[PATH_MAX];
            snprintf(file, sizeof file, "%s%s", path, ends[i]);
            code = check_file(command, o, file, settings);
        }
    }
    return code;
}

/* Several processes doing the same work would write to the same files. */
static int check_processes(const cli_command *command)
{
    int rank;
    if (command->shares || dlp_processes_announced(&rank) <= 1) return CLI_DONE;
    return cli_misuse(command->name,
                      "this command runs as a single process; start it without mpirun");
}

static int run_command(const cli_command *command, cli_common common, int count,
                       const char *const *words)
{
    cli_common *settings = calloc(1, command->settings_size);
    if (!settings) return cli_no_memory();
    *settings = common;
    int code = cli_parse(command, count, words, settings);
    if (code == CLI_DONE && !settings->help) code = check_output(command, settings);
    if (code == CLI_DONE && !settings->help) code = check_processes(command);
    if (code == CLI_DONE && !settings->help)
        code = limit_memory(command, settings->memory);
    if (code == CLI_DONE && settings->help) {
        cli_help_command(stdout, command);
    } else if (code == CLI_DONE) {
        cli_signals_begin();
        cli_hang_watch();
        cli_phases_begin(settings);
        code = command->run(settings);
        cli_phases_end();
        cli_signals_end();
    }
    free(settings);
    return code;
}

/* A group without one of its commands: prints its help, and is misuse without --help. */
static int run_group(const cli_command_group *group, cli_common common, int count,
                     const char *const *words)
{
    const cli_command incomplete = {.name = group->name};
    const int code = cli_parse(&incomplete, count, words, &common);
    if (code != CLI_DONE) return code;
    cli_help_group(common.help ? stdout : stderr, group);
    return common.help ? CLI_DONE : CLI_MISUSE;
}

int cli_run(int count, const char *const *words)
{
    cli_program_settings program = {0};
    int leading;
    int code = cli_parse_leading(&cli_program, count, words, &program, &leading);
    if (code != CLI_DONE) return code;
    if (program.version) return cli_print_version(program.json);
    if (program.json)
        return cli_misuse(cli_program.name, "--json goes after its command");
    words += leading;
    count -= leading;

    cli_named named;
    code = cli_resolve(count, words, &named);
    if (code != CLI_DONE) return code;
    words += named.used;
    count -= named.used;
    if (named.command) return run_command(named.command, program.common, count, words);
    if (named.group) return run_group(named.group, program.common, count, words);
    cli_help_program(program.common.help ? stdout : stderr);
    return program.common.help ? CLI_DONE : CLI_MISUSE;
}
