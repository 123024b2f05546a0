/* SPDX-License-Identifier: BSD-3-Clause */
/* --level of the commands that print intervals: 0.9, or several, 0.5,0.9. */
#ifndef DLP_CLI_GLM_INTERVALS_H
#define DLP_CLI_GLM_INTERVALS_H

#include <delaplace.h>

enum { CLI_MOST_INTERVALS = 8 };

typedef struct cli_intervals {
    int n;
    double level[CLI_MOST_INTERVALS];
} cli_intervals;

#define CLI_LEVEL(at)                                                                    \
    {                                                                                    \
        .name = "level", .type = CLI_STRING, .value = "LEVEL", .offset = (at),           \
        .initial = CLI_TEXT_OF(DLP_INTERVAL_LEVEL),                                      \
        .help =                                                                          \
            "The probability that an interval contains the true value, between 0 and "   \
            "1; several, as in 0.5,0.9, give as many intervals."                         \
    }

/* Parses --level; text NULL: DLP_INTERVAL_LEVEL. Returns CLI_DONE, or CLI_MISUSE after
   saying what is wrong. */
int cli_intervals_read(const char *command, const char *text, cli_intervals *out);
/* Writes "95 % interval" to out, which has room bytes. */
void cli_interval_title(double level, const char *of, char *out, size_t room);

#endif
