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

int cli_failed(dlp_status status, const dlp_error *error)
{
    cli_phase_end();
    fputs("delaplace: ", stderr);
    cli_print_message(error->message[0] ? error->message : dlp_status_string(status));
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
    const dlp_error error = {""};
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
