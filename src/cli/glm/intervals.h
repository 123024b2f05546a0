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

/* Says what is wrong and returns CLI_MISUSE, or CLI_DONE. text NULL: DLP_INTERVAL_LEVEL. */
int cli_intervals_read(const char *command, const char *text, cli_intervals *out);
/* "95 % interval", for room bytes at out. */
void cli_interval_title(double level, const char *of, char *out, size_t room);

#endif
