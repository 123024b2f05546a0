/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/message.h"

#include "cli/phase.h"
#include "cli/progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int cli_misuse(const char *command, const char *format, ...)
{
    const char *space = *command ? " " : "";
    va_list args;
    cli_phase_end();
    va_start(args, format);
    fprintf(stderr, "delaplace%s%s: ", space, command);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\nType 'delaplace%s%s --help' for help.\n", space, command);
    va_end(args);
    return CLI_MISUSE;
}

void cli_print_message(const char *message)
{
    for (; *message; message++) {
        const unsigned char byte = (unsigned char)*message;
        fputc((byte < 0x20 && byte != '\n') || byte == 0x7F ? '?' : byte, stderr);
    }
    fputc('\n', stderr);
}

void cli_note(const char *format, ...)
{
    char message[sizeof(dlp_error)];
    va_list args;
    if (cli_phases_are_quiet()) return;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    cli_phase_end();
    cli_print_message(message);
}

static const char fewer_topics[] =
    "-k; 'delaplace corpus build --min-docs'; 'delaplace corpus convert --to dlpc'";

/* The remedies of the library as they are typed. */
static const char *const typed[DLP_REMEDIES] = {
    [DLP_REMEDY_ADJACENCY] = "--adjacency FILE",
    [DLP_REMEDY_BUILD_CORPUS] = "'delaplace corpus build'",
    [DLP_REMEDY_CONVERT_CORPUS] = "'delaplace corpus convert --to dlpc'",
    [DLP_REMEDY_ENCODING] = "--encoding latin1",
    [DLP_REMEDY_FEWER_TOPICS] = fewer_topics,
    [DLP_REMEDY_FIT_TOPICS] = "'delaplace topics fit'",
    [DLP_REMEDY_GROUPING_MIXED] = "--groups mixed",
    [DLP_REMEDY_HOLD_OUT] = "--every",
    [DLP_REMEDY_HYPER_FACTOR] = "--hyper factor",
    [DLP_REMEDY_HYPER_INTEGRATE] = "--hyper integrate",
    [DLP_REMEDY_INITIAL_VALUES] = "--inits FILE",
    [DLP_REMEDY_METHOD_AUTO] = "--method auto",
    [DLP_REMEDY_NO_CONTENT] = "without --content",
    [DLP_REMEDY_NOT_ONLINE] = "without --online",
    [DLP_REMEDY_PRIOR_OF_SDS] = "--prior 'sd ~ half_normal(1)'",
    [DLP_REMEDY_RARE_TERMS] = "'delaplace corpus build --min-docs'",
    [DLP_REMEDY_RESUME] = "'delaplace topics fit ... --resume'",
    [DLP_REMEDY_SCALAR_FACTORS] = "--factor scalar",
    [DLP_REMEDY_SLICES] = "--slices 20",
    [DLP_REMEDY_START] = "--init MODEL",
    [DLP_REMEDY_VOCABULARY] = "--vocab FILE",
};

/* A message may go on below its first line, with the place in a formula. */
void cli_print_error(const dlp_error *error)
{
    const size_t first = strcspn(error->message, "\n");
    char line[2 * sizeof error->message];
    const char *remedy = typed[error->remedy];
    if (remedy)
        snprintf(line, sizeof line, "%.*s (%s)%s", (int)first, error->message, remedy,
                 error->message + first);
    cli_print_message(remedy ? line : error->message);
}

int cli_failed(dlp_status status, const dlp_error *error)
{
    cli_phase_end();
    fputs("delaplace: ", stderr);
    if (error->message[0])
        cli_print_error(error);
    else
        cli_print_message(dlp_status_string(status));
    switch (status) {
    case DLP_OK: return CLI_DONE;
    case DLP_EINPUT:
    case DLP_EFORMULA: return CLI_WRONG_INPUT;
    case DLP_EINVAL: return CLI_MISUSE;
    case DLP_ENOMEM:
    case DLP_EIO: break;
    case DLP_ECANCELLED: return cli_progress_exit();
    }
    return CLI_SYSTEM;
}

int cli_no_memory(void)
{
    const dlp_error error = {0};
    return cli_failed(DLP_ENOMEM, &error);
}

static bool output_is_short;

void cli_output_is_short(void)
{
    output_is_short = true;
}

int cli_close_output(int code)
{
    const bool earlier = ferror(stdout) != 0;
    if (output_is_short) code = cli_no_memory();
    if (fclose(stdout) == 0 && !earlier) return code;
    fprintf(stderr, "delaplace: standard output could not be written: %s\n",
            earlier ? "an earlier write failed" : strerror(errno));
    return CLI_SYSTEM;
}
