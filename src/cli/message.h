/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program says when it fails, and the code it ends with. */
#ifndef DLP_CLI_MESSAGE_H
#define DLP_CLI_MESSAGE_H

#include <delaplace.h>

/* Every exit code and its meaning in one place, for the enum and the man pages. */
#define CLI_EXIT_LIST(X)                                                                 \
    X(CLI_DONE, 0, "done")                                                               \
    X(CLI_WRONG_INPUT, 1, "the input is wrong; the message says where, and what to do")  \
    X(CLI_MISUSE, 2, "the command line is wrong")                                        \
    X(CLI_NOT_CONVERGED, 3,                                                              \
      "the fit did not converge; the result is written, and says so")                    \
    X(CLI_SYSTEM, 4, "the system failed: memory, disk or I/O")                           \
    X(CLI_HUNG_UP, 129, "the terminal was closed (SIGHUP); as for SIGINT")               \
    X(CLI_INTERRUPTED, 130,                                                              \
      "interrupted (SIGINT); the result so far, if any, is written and says so; topics " \
      "leave a checkpoint")                                                              \
    X(CLI_TERMINATED, 143,                                                               \
      "terminated (SIGTERM); the result so far, if any, is written and says so; topics " \
      "leave a checkpoint")

typedef enum cli_exit {
#define CLI_EXIT_CODE(name, code, meaning) name = (code),
    CLI_EXIT_LIST(CLI_EXIT_CODE)
#undef CLI_EXIT_CODE
} cli_exit;

/* Passes on a failure of the library. */
#define CLI_TRY(call)                                                                    \
    do {                                                                                 \
        const dlp_status cli_try_ = (call);                                              \
        if (cli_try_ != DLP_OK) return cli_try_;                                         \
    } while (0)

/* Says how a command (its name as typed, "" for the program) was misused and how to get
   its help. Returns CLI_MISUSE. */
int cli_misuse(const char *command, const char *format, ...) DLP_PRINTF(2, 3);

/* Prints a line on stderr. It may contain names and lines from files, so control
   characters, which could steer a terminal, become question marks. */
void cli_print_message(const char *message);

/* Prints a note for the user on stderr, on a line of its own; silent with --quiet. */
void cli_note(const char *format, ...) DLP_PRINTF(1, 2);

/* Prints why a call of the library failed, with the option or command that the message
   recommends. */
void cli_print_error(const dlp_error *error);

/* Says why a call of the library failed. Returns the exit code of its status. */
int cli_failed(dlp_status status, const dlp_error *error);

/* Says that memory ran out. Returns CLI_SYSTEM. */
int cli_no_memory(void);

/* Records that part of the output is missing because memory ran out; cli_close_output
   reports it. */
void cli_output_is_short(void);

/* Closes stdout and returns code. If the output could not be written (a full disk), says
   so and returns CLI_SYSTEM. */
int cli_close_output(int code);

#endif
